//! Questions to the client: one idea with two carriers.
//!
//! A resolver or a function's body asks; the [`Round`] of the request finds the answer. A client of
//! 2026-07-28 brings it with its retry (`inputResponses`, or inside of the sealed `requestState`):
//! until then the question stays open, the handler is dropped, and everything that is open goes back
//! in one `InputRequiredResult`. An older client is asked in the middle of the call and waited for.

mod answer;
mod form;
mod question;
mod round;
mod sampling;
pub(crate) mod sealed;

pub use answer::{Answer, Answered};
pub use form::{Choice, Field, FieldDef, Form, FormReader, ReadField, field};
pub use question::Ask;
pub(crate) use question::Dialect;
pub(crate) use round::{Backchannel, Carrier, Retry, Round, Unanswered};
pub use sampling::{Consent, ModelHint, ModelPreferences, Root, Roots, Sample, SampleMessage, Sampled};
