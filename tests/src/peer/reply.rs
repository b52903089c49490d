//! What came back.

use serde_json::Value;

/// The answer to a request.
#[derive(Clone, Debug)]
pub struct Reply(pub Value);

impl Reply {
    /// The result.
    ///
    /// # Panics
    ///
    /// When the answer is an error.
    #[track_caller]
    #[must_use]
    pub fn result(&self) -> &Value {
        assert!(self.0.get("error").is_none(), "refused: {}", self.0);
        &self.0["result"]
    }

    /// The text of a tool's result; a failed call counts as much.
    #[track_caller]
    #[must_use]
    pub fn text(&self) -> &str {
        self.result()["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {}", self.0))
    }

    /// The text of a failure that the model reads.
    #[track_caller]
    #[must_use]
    pub fn failure(&self) -> &str {
        assert_eq!(self.result()["isError"], true, "it did not fail: {}", self.0);
        self.text()
    }

    /// The code of the error.
    #[track_caller]
    #[must_use]
    pub fn code(&self) -> i64 {
        self.0["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error: {}", self.0))
    }

    /// The message of the error.
    #[track_caller]
    #[must_use]
    pub fn message(&self) -> &str {
        self.0["error"]["message"].as_str().unwrap_or_else(|| panic!("no error: {}", self.0))
    }
}
