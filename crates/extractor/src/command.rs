//! A command to the memory, as the rules or the words of another language read it.

use crate::commands::{self, Said};
use crate::forget::Forget;
use crate::forms::forms;

/// A command to the memory.
pub struct Command {
    pub name: &'static str,
    /// The text to keep, or to search for.
    pub rest: Option<String>,
    /// The text that is withdrawn.
    pub old: Option<String>,
    /// Set if it was said in a language of which only commands are read.
    pub said: Option<Said>,
}

impl Command {
    fn said(said: Said) -> Self {
        let (name, rest) = match &said {
            Said::Remember(rest) => ("remember", rest.clone()),
            Said::Forget(Forget::Everything) => ("forget_all", None),
            Said::Forget(Forget::About(topic) | Forget::Every(topic)) => ("forget", Some(topic.clone())),
            Said::Forget(Forget::Last { .. }) => ("scratch", None),
        };
        Self { name, rest, old: None, said: Some(said) }
    }
}

/// Returns the first command that a sentence matches.
pub fn command(text: &str) -> Option<Command> {
    let read = forms().command.iter().find_map(|form| {
        let found = form.captures(text)?;
        let group = |name| found.name(name).map(|group| group.as_str().trim().to_owned());
        Some(Command { name: &form.name, rest: group("rest"), old: group("old"), said: None })
    });
    read.or_else(|| commands::said(text).map(Command::said))
}
