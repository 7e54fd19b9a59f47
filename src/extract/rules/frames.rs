//! The shapes of durable statements, as tables. A clause that matches none is not learned.
//!
//! English clauses are passed in with expanded contractions ("I am", "I have"). `lasts` marks what stays true although it
//! happened "last week": a birth, a new job. Each frame lists texts that it must and must not match.

mod english;
mod events;
mod indonesian;
mod life;
mod shapes;
mod tastes;

use regex::Regex;
use std::sync::LazyLock;

use super::pattern::{Rule, compile};
use crate::domain::memory::MemoryKind;

/// One shape of statement.
pub struct Frame {
    pub kind: MemoryKind,
    pub importance: i64,
    pub lasts: bool,
    pub rule: Rule,
}

const fn frame(kind: MemoryKind, importance: i64, lasts: bool, rule: Rule) -> Frame {
    Frame { kind, importance, lasts, rule }
}

/// Every frame, in the order in which they are tried.
fn frames() -> impl Iterator<Item = &'static Frame> {
    [life::LIFE, english::WHO, tastes::TASTES, events::EVENTS, indonesian::INDONESIAN, shapes::SHAPES].into_iter().flatten()
}

static COMPILED: LazyLock<Vec<(Regex, &'static Frame)>> =
    LazyLock::new(|| frames().map(|frame| (compile(frame.rule.pattern), frame)).collect());

/// The frames that match a clause, in table order.
pub fn fitting(clause: &str) -> impl Iterator<Item = &'static Frame> {
    COMPILED.iter().filter(move |(pattern, _)| pattern.is_match(clause)).map(|(_, frame)| *frame)
}

/// The name of every frame.
#[cfg(test)]
pub fn names() -> impl Iterator<Item = &'static str> {
    frames().map(|frame| frame.rule.name)
}

#[cfg(test)]
mod tests {
    use super::super::pattern::check_examples;
    use super::*;

    #[test]
    fn every_frame_catches_its_examples() {
        let wrong: Vec<_> = frames()
            .filter(|frame| std::panic::catch_unwind(|| check_examples(std::slice::from_ref(&frame.rule))).is_err())
            .map(|frame| frame.rule.name)
            .collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
