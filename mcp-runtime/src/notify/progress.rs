//! Progress of a call (basic/patterns/progress).

use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde_json::value::RawValue;

use crate::protocol::{Shape, notification};

/// A number that can be told as progress.
pub trait Amount {
    #[doc(hidden)]
    fn amount(self) -> f64;
}

/// How much there is to do: a number, or `None` where that is not known.
pub trait Total {
    #[doc(hidden)]
    fn total(self) -> Option<f64>;
}

macro_rules! amounts {
    ($($ty:ty),*) => { $(
        impl Amount for $ty {
            fn amount(self) -> f64 {
                self as f64
            }
        }

        impl Total for $ty {
            fn total(self) -> Option<f64> {
                Some(self as f64)
            }
        }
    )* };
}
amounts!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize, f32, f64);

impl Total for Option<f64> {
    fn total(self) -> Option<f64> {
        self
    }
}

/// What was told of one call's progress.
#[derive(Debug)]
pub(crate) struct Progress {
    token: Box<RawValue>,
    /// The last that was told; `None` once the call is over.
    last: Mutex<Option<f64>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Params<'a> {
    progress_token: &'a RawValue,
    progress: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

/// A whole number is written as one.
#[derive(Serialize)]
#[serde(untagged)]
enum Number {
    Whole(i64),
    Other(f64),
}

impl From<f64> for Number {
    fn from(number: f64) -> Self {
        if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 {
            Self::Whole(number as i64)
        } else {
            Self::Other(number)
        }
    }
}

impl Progress {
    pub(crate) fn new(token: &RawValue) -> Self {
        Self { token: token.to_owned(), last: Mutex::new(Some(f64::NEG_INFINITY)) }
    }

    /// The notification, if there is something new to tell: the protocol wants each to be greater
    /// than the one before, and none after the end.
    pub(crate) fn tell(
        &self,
        done: f64,
        total: Option<f64>,
        message: &str,
        shape: &Shape,
    ) -> Option<bytes::Bytes> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if !done.is_finite() || last.is_none_or(|last| done <= last) {
            return None;
        }
        *last = Some(done);
        let params = Params {
            progress_token: &self.token,
            progress: done.into(),
            total: total.filter(|total| total.is_finite()).map(Number::from),
            message: Some(message).filter(|message| shape.progress_message && !message.is_empty()),
        };
        Some(notification("notifications/progress", Some(params)))
    }

    /// Tells nothing from now on.
    pub(crate) fn end(&self) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
