//! The integration tests: one binary that tests the whole program from outside.

#![allow(clippy::pedantic, reason = "tests read as stories, not as a library")]
#![allow(clippy::print_stdout, reason = "measured shares are part of what a test tells")]
#![allow(clippy::zero_repeat_side_effects, reason = "an assertion compares with an empty list")]

mod api;
mod architecture;
mod audit;
mod block_calls;
mod block_crashes;
mod block_faces;
mod blocks;
mod budget;
mod carry_over;
mod chat;
mod claims;
mod commands;
mod console;
mod contracts;
mod crashes;
mod decide;
mod dialogue;
mod dialogues;
mod disk;
mod doors;
mod erasures;
mod facts;
mod fixture;
mod gate;
mod history;
mod hooks;
mod imports;
mod keys;
mod languages;
mod matrix;
mod mcp;
mod memories;
mod memory_tool;
mod merging;
mod notes;
mod numbers;
mod observer;
mod operators;
mod pairs;
mod pipeline;
mod pipelines;
mod preferences;
mod process;
mod queue;
mod races;
mod reading;
mod recall;
mod record_blocks;
mod requests;
mod sample;
mod split;
mod stats;
mod storage;
mod telegram;
mod together;
mod tools;
mod tuning;
mod unlinkable;
mod users;
mod verdicts;
mod visit;
mod webhooks;
