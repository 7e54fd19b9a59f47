//! What the audit log can contain, in words for people.
//!
//! One table names every action. The console's list and its filter read it, and a test fails when the code uses an action that is
//! not in it.

use serde::{Deserialize, Serialize};

use super::moment::{DAY_MS, Moment};

/// The category of an action; the console shows an icon for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sign {
    Approved,
    Rejected,
    /// Put back into the queue, or undone.
    Returned,
    Edited,
    Removed,
    /// Done by the system, by rule.
    Promoted,
    /// Somebody looked at a user's record.
    Looked,
    /// Somebody read what a user said.
    Revealed,
    Tuned,
    Access,
    Person,
    /// Not in the table.
    Other,
}

/// One action as the log stores it and as people read it.
#[derive(Debug)]
pub struct Action {
    pub name: &'static str,
    pub words: &'static str,
    pub sign: Sign,
}

const fn action(name: &'static str, words: &'static str, sign: Sign) -> Action {
    Action { name, words, sign }
}

/// Every action, in the order of the filter.
pub const ACTIONS: &[Action] = &[
    action("fact.approved", "Approved a fact", Sign::Approved),
    action("fact.rejected", "Rejected a fact", Sign::Rejected),
    action("fact.reopened", "Re-opened a fact", Sign::Returned),
    action("fact.edited", "Edited a fact", Sign::Edited),
    action("fact.importance_set", "Set a fact’s importance", Sign::Edited),
    action("fact.deleted", "Deleted a fact", Sign::Removed),
    action("fact.merged", "Merged a fact", Sign::Edited),
    action("fact.took_in", "Took in another fact", Sign::Edited),
    action("fact.split", "Split a fact off another", Sign::Returned),
    action("fact.undone", "Undid a decision", Sign::Returned),
    action("fact.kept", "Kept a fact beside another", Sign::Approved),
    action("fact.list_exported", "Exported facts", Sign::Looked),
    action("user.asked_as", "Asked recall as a user", Sign::Looked),
    action("fact.promoted", "Promoted a fact", Sign::Promoted),
    action("user.opened", "Opened a user record", Sign::Looked),
    action("user.sought", "Looked a user up", Sign::Looked),
    action("user.text_shown", "Showed memory text", Sign::Revealed),
    action("user.memory_edited", "Edited a user’s memory", Sign::Edited),
    action("user.memory_undone", "Took a change of a user’s memory back", Sign::Returned),
    action("user.told_deleted", "Deleted a note or a preference", Sign::Removed),
    action("user.contributions_read", "Read a user’s contributions", Sign::Revealed),
    action("user.erasure_previewed", "Previewed an erasure", Sign::Looked),
    action("user.erasure_asked", "Confirmed an erasure", Sign::Removed),
    action("user.erased", "Erased a user", Sign::Removed),
    action("user.erasure_replayed", "Erased a user again after a restore", Sign::Removed),
    action("user.erasure_verified", "Verified an erasure", Sign::Approved),
    action("user.erasure_partial", "Found something left of an erasure", Sign::Rejected),
    action("user.erasure_sought", "Looked whether a user was erased", Sign::Looked),
    action("user.exported", "Exported what is held about a user", Sign::Revealed),
    action("user.imported", "Took an export back in", Sign::Edited),
    action("user.chat_linked", "Linked a chat to a user", Sign::Access),
    action("user.chat_unlinked", "Unlinked a chat from a user", Sign::Access),
    action("erasure.rehearsed", "Rehearsed an erasure", Sign::Other),
    action("database.backed_up", "Made a backup", Sign::Looked),
    action("database.behind", "Found the database older than it was", Sign::Rejected),
    action("inbox.resent", "Had parked messages learned again", Sign::Returned),
    action("setting.changed", "Changed a setting", Sign::Tuned),
    action("operator.signed_in", "Signed in", Sign::Access),
    action("operator.sign_ins_stopped", "Stopped sign-ins after wrong passwords", Sign::Access),
    action("operator.added", "Added an operator", Sign::Person),
    action("operator.disabled", "Disabled an operator", Sign::Person),
    action("operator.rights_changed", "Changed an operator’s rights", Sign::Person),
    action("operator.password_changed", "Changed a password", Sign::Access),
    action("key.added", "Added a key", Sign::Access),
    action("key.rotated", "Rotated a key", Sign::Access),
    action("key.revoked", "Revoked a key", Sign::Removed),
    action("key.user_shown", "Showed whom a key speaks for", Sign::Revealed),
    action("webhook.added", "Added a webhook", Sign::Access),
    action("webhook.removed", "Removed a webhook", Sign::Access),
    action("webhook.enabled", "Enabled a webhook again", Sign::Access),
    action("webhook.disabled", "Disabled a webhook", Sign::Access),
    action("webhook.tested", "Tested a webhook", Sign::Looked),
    action("webhook.resent", "Had a message of a webhook sent again", Sign::Returned),
];

impl Action {
    /// The table's row of an action.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        ACTIONS.iter().find(|action| action.name == name)
    }
}

/// A stored detail in words: `memories=3 facts=1` is `3 memories · 1 fact`, `rights=edit` is `rights edit`.
#[must_use]
pub fn detail_words(detail: &str) -> String {
    if !detail.split(' ').all(|part| part.contains('=')) {
        return detail.to_owned();
    }
    let parts = detail.split(' ').filter_map(|part| part.split_once('=')).map(|(name, value)| {
        let name = name.replace('_', " ");
        match value.parse::<i64>() {
            Ok(1) => format!(
                "1 {}",
                name.strip_suffix("ies").map_or_else(|| name.trim_end_matches('s').to_owned(), |y| format!("{y}y"))
            ),
            Ok(count) => format!("{count} {name}"),
            Err(_) => format!("{name} {value}"),
        }
    });
    parts.collect::<Vec<_>>().join(" · ")
}

/// How far back the log is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum When {
    #[default]
    Any,
    Today,
    Week,
    Month,
}

impl When {
    pub const ALL: [Self; 4] = [Self::Any, Self::Today, Self::Week, Self::Month];

    /// Unknown names mean any time.
    #[must_use]
    pub fn parse(name: &str) -> Self {
        Self::ALL.into_iter().find(|when| when.as_str() == name).unwrap_or_default()
    }

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Any => "",
            Self::Today => "today",
            Self::Week => "7d",
            Self::Month => "30d",
        }
    }

    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Any => "Any time",
            Self::Today => "Today",
            Self::Week => "Last 7 days",
            Self::Month => "Last 30 days",
        }
    }

    /// The first moment to show: a midnight in UTC.
    #[must_use]
    pub fn since(self, now: Moment) -> Option<Moment> {
        let days = match self {
            Self::Any => return None,
            Self::Today => 1,
            Self::Week => 7,
            Self::Month => 30,
        };
        Some(Moment((now.day() - days + 1) * DAY_MS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_is_named_once() {
        let mut names: Vec<_> = ACTIONS.iter().map(|action| action.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ACTIONS.len());
        assert!(Action::find("fact.approved").is_some() && Action::find("fact.vanished").is_none());
    }

    #[test]
    fn details_read_as_words() {
        for (stored, words) in [
            ("memories=3 facts=1", "3 memories · 1 fact"),
            ("memories=1", "1 memory"),
            ("contributors=2", "2 contributors"),
            ("rights=edit", "rights edit"),
            ("2 → 3", "2 → 3"),
        ] {
            assert_eq!(detail_words(stored), words);
        }
    }

    #[test]
    fn today_starts_at_midnight() {
        let noon = Moment(10 * DAY_MS + DAY_MS / 2);
        assert_eq!(When::Today.since(noon), Some(Moment(10 * DAY_MS)));
        assert_eq!(When::Week.since(noon), Some(Moment(4 * DAY_MS)));
        assert_eq!(When::parse("30d").since(noon), Some(Moment(-19 * DAY_MS)));
        assert_eq!(When::parse("yesterday").since(noon), None);
    }
}
