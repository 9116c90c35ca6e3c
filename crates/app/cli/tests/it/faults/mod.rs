//! What goes wrong around the program: kills, full disks, parallel processes on one cache, hostile files
//! and servers. Nothing here waits for a time to pass: a process is killed when it has written so many
//! bytes, read so many lines or sent so many requests.
//!
//! `EPICENE_FAULT_TRIALS=N` asks for more kills of each kind, `EPICENE_SOAK=1` for an hour of them;
//! `EPICENE_BIN` names another binary to try.

mod files;
mod hostile_input;
mod hub;
mod killed;
mod launch;
mod server;
mod services;
mod signals;
