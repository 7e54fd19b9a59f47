//! A labelled dialogue, and what it expects of whoever learns it. Tests and benches judge by this.

use keepsake::domain::erasure::people::UserId;
use keepsake::domain::facts::provenance::Surface;
use keepsake::domain::memory::exchange::Exchange;
use keepsake::domain::memory::{Content, Importance, MemoryKind, Statement};
use keepsake::domain::moment::Moment;
use keepsake::service::learning::dry_run::DryRun;
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Dialogue {
    pub id: String,
    pub user_id: Option<String>,
    #[serde(default = "on_the_web")]
    pub surface: String,
    #[serde(default = "in_november")]
    pub at: String,
    #[serde(default)]
    pub user: String,
    #[serde(default)]
    pub assistant: String,
    #[serde(default)]
    pub known: Vec<String>,
    pub expect: Expect,
}

fn on_the_web() -> String {
    "web".to_owned()
}

fn in_november() -> String {
    "2026-11-01T10:00:00Z".to_owned()
}

/// Each entry of `keep` and `global` names words that must occur together in one text.
#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Expect {
    pub keep: Vec<String>,
    pub silent: bool,
    pub replaces: Option<String>,
    pub global: Vec<String>,
    pub never: Vec<String>,
    pub never_global: Vec<String>,
}

pub const KEPT: &str = "durable statements kept";
pub const SILENT: &str = "silent where nothing lasts";
pub const REPLACED: &str = "corrections that replace";
pub const SHARED: &str = "team facts proposed";
pub const OTHERS: &str = "other memories untouched";
pub const SECRETS: &str = "secrets in no memory and no fact";
pub const INBOX: &str = "secrets in no stored exchange";
pub const UNSHARED: &str = "private words in no team fact";
pub const QUIET: &str = "no team fact out of private talk";
pub const ALL: [&str; 9] = [KEPT, SILENT, REPLACED, SHARED, OTHERS, SECRETS, INBOX, UNSHARED, QUIET];

impl Dialogue {
    pub fn exchange(&self) -> Exchange {
        Exchange {
            external_id: None,
            user: self.user_id.clone().map(|id| UserId::new(id).expect("valid")),
            surface: Surface::new(self.surface.clone()).expect("valid"),
            thread: None,
            at: Moment::parse(&self.at).expect("a time"),
            message: self.user.clone(),
            reply: self.assistant.clone(),
        }
    }

    pub fn known(&self) -> Vec<Statement> {
        let statement = |content: &String| Statement {
            kind: MemoryKind::Fact,
            content: Content::new(content).expect("fits"),
            importance: Importance::DEFAULT,
        };
        self.known.iter().map(statement).collect()
    }

    /// What is expected of this dialogue, and whether it is so.
    pub fn judge(&self, after: &DryRun) -> Vec<(&'static str, bool)> {
        let expect = &self.expect;
        let mut judged = Vec::new();
        let news: Vec<_> = after.personal_after.iter().filter(|text| !self.known.contains(text)).collect();
        let new_is_there = holds_all(&news, &expect.keep);
        if !expect.keep.is_empty() {
            judged.push((KEPT, new_is_there));
        }
        if expect.silent {
            judged.push((SILENT, after.personal_new.is_empty() && after.global_new.is_empty()));
        }
        if let Some(old) = &expect.replaces {
            judged.push((REPLACED, new_is_there && !after.personal_after.contains(old)));
        }
        if expect.global.is_empty() {
            judged.push((QUIET, after.global_new.is_empty()));
        } else {
            judged.push((SHARED, holds_all(&after.global_new.iter().collect::<Vec<_>>(), &expect.global)));
        }
        let kept_by_others = |text: &&String| expect.replaces.as_ref() != Some(text);
        let mut bystanders = self.known.iter().filter(kept_by_others);
        judged.push((OTHERS, bystanders.all(|text| after.personal_after.contains(text))));
        let secret = |text: &String| expect.never.iter().any(|secret| holds(text, secret));
        judged.push((SECRETS, !after.personal_after.iter().chain(&after.global_new).any(secret)));
        judged.push((INBOX, ![&after.exchange.message, &after.exchange.reply].into_iter().any(secret)));
        let private = |text: &String| expect.never_global.iter().any(|word| holds(text, word));
        judged.push((UNSHARED, !after.global_new.iter().any(private)));
        judged
    }
}

pub fn holds(text: &str, words: &str) -> bool {
    text.to_lowercase().contains(&words.to_lowercase())
}

fn holds_all(texts: &[&String], entries: &[String]) -> bool {
    entries.iter().all(|entry| texts.iter().any(|text| entry.split_whitespace().all(|word| holds(text, word))))
}
