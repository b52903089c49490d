//! Tasks, followed to their end.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;

use super::{ClientError, Connected, connected::refused};

impl Connected {
    /// Looks after a task until it ends, and answers what it asks; its result.
    pub(super) async fn follow(&self, mut task: Value) -> Result<Value, ClientError> {
        let id = task["taskId"].clone();
        loop {
            let pause = Duration::from_millis(task["pollIntervalMs"].as_u64().unwrap_or(1000));
            match task["status"].as_str() {
                Some("completed") => return Ok(task["result"].take()),
                Some("failed") => return Err(refused(&task["error"])),
                Some("cancelled") => return Err(ClientError::Protocol("the task was cancelled".into())),
                Some("input_required") if task.get("inputRequests").is_some() => {
                    let responses = self.responses(&task).await?;
                    self.exchange("tasks/update", json!({ "taskId": id, "inputResponses": responses }))
                        .await?;
                }
                _ => sleep(pause).await,
            }
            task = self.exchange("tasks/get", json!({ "taskId": id })).await?;
        }
    }
}
