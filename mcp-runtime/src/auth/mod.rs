//! Who makes a request.

mod principal;

pub use principal::Principal;
