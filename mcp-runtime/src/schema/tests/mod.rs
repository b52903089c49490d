mod check;
mod coerce;
mod golden;
mod root;
mod types;
mod verify;
