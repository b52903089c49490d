//! The service as clients of both eras see it.

mod answers;
mod callers;
mod doors;
mod kit;
mod sessions;
mod sockets;
