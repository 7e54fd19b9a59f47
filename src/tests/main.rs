//! The integration tests: one binary that tests the whole program from outside.

#![allow(clippy::pedantic, reason = "tests read as stories, not as a library")]
#![allow(clippy::print_stdout, reason = "measured shares are part of what a test tells")]
#![allow(clippy::zero_repeat_side_effects, reason = "an assertion compares with an empty list")]

mod audit;
mod blocks;
mod chat;
mod database;
mod erasure;
mod facts;
mod fixture;
mod insight;
mod learning;
mod memories;
mod notify;
mod people;
mod recall;
mod robustness;
mod settings;
mod source;
mod surfaces;
mod transfer;
