//! The actions of the audit log, described for people.
//!
//! One table names every action. The console's list and its filter read it, and a test fails when the code uses an action that is
//! not in it.

pub mod words;

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
    /// An operator looked at something, such as a user's record.
    Looked,
    /// An operator read a user's text.
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
    action("fact.reason_given", "Said why a fact was rejected", Sign::Rejected),
    action("fact.reopened", "Re-opened a fact", Sign::Returned),
    action("fact.edited", "Edited a fact", Sign::Edited),
    action("fact.importance_set", "Set a fact’s importance", Sign::Edited),
    action("fact.deleted", "Deleted a fact", Sign::Removed),
    action("fact.merged", "Merged a fact", Sign::Edited),
    action("fact.took_in", "Had another fact merged into it", Sign::Edited),
    action("fact.split", "Split a fact off another", Sign::Returned),
    action("fact.undone", "Undid a decision", Sign::Returned),
    action("fact.kept", "Kept a fact beside another", Sign::Approved),
    action("fact.list_exported", "Exported facts", Sign::Looked),
    action("user.asked_as", "Ran recall as a user", Sign::Looked),
    action("fact.promoted", "Promoted a fact", Sign::Promoted),
    action("user.opened", "Opened a user record", Sign::Looked),
    action("user.sought", "Looked a user up", Sign::Looked),
    action("user.text_shown", "Showed memory text", Sign::Revealed),
    action("user.memory_edited", "Edited a user’s memory", Sign::Edited),
    action("user.memory_undone", "Undid a change to a user’s memory", Sign::Returned),
    action("user.told_deleted", "Deleted a note or a preference", Sign::Removed),
    action("user.block_version_restored", "Restored an earlier version of a user’s block", Sign::Returned),
    action("user.block_version_redacted", "Redacted a version of a user’s block", Sign::Removed),
    action("user.block_binned", "Moved a user’s block to the bin", Sign::Removed),
    action("user.block_restored", "Restored a user’s block from the bin", Sign::Returned),
    action("user.block_deleted", "Deleted a user’s block for good", Sign::Removed),
    action("user.contributions_read", "Read a user’s contributions", Sign::Revealed),
    action("user.erasure_previewed", "Previewed an erasure", Sign::Looked),
    action("user.erasure_asked", "Confirmed an erasure", Sign::Removed),
    action("user.erased", "Erased a user", Sign::Removed),
    action("user.erasure_replayed", "Erased a user again after a restore", Sign::Removed),
    action("user.erasure_verified", "Verified an erasure", Sign::Approved),
    action("user.erasure_partial", "Found data left after an erasure", Sign::Rejected),
    action("user.erasure_sought", "Checked whether a user was erased", Sign::Looked),
    action("user.exported", "Exported what is held about a user", Sign::Revealed),
    action("user.imported", "Imported an export", Sign::Edited),
    action("user.chat_linked", "Linked a chat to a user", Sign::Access),
    action("user.chat_unlinked", "Unlinked a chat from a user", Sign::Access),
    action("audit.exported", "Exported the audit log", Sign::Looked),
    action("erasure.rehearsed", "Rehearsed an erasure", Sign::Other),
    action("database.backed_up", "Made a backup", Sign::Looked),
    action("database.behind", "Found that the database had lost its last changes", Sign::Rejected),
    action("inbox.resent", "Retried parked messages", Sign::Returned),
    action("sample.loaded", "Loaded the sample data", Sign::Other),
    action("sample.removed", "Removed the sample data", Sign::Removed),
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
    action("webhook.resent", "Resent a webhook message", Sign::Returned),
];

impl Action {
    /// The table's row of an action.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        ACTIONS.iter().find(|action| action.name == name)
    }
}

/// Formats the description for a count.
type CountWords = fn(u64) -> String;

/// Actions of a bulk decision, each with its description for a number of facts. Rows of one bulk decision follow each other, at
/// one moment, by one operator; the log shows them as one entry.
pub const BULK: &[(&str, CountWords)] = &[
    ("fact.approved", |n| format!("Approved {n} facts")),
    ("fact.rejected", |n| format!("Rejected {n} facts")),
    ("fact.reopened", |n| format!("Re-opened {n} facts")),
    ("fact.importance_set", |n| format!("Set the importance of {n} facts")),
    ("fact.deleted", |n| format!("Deleted {n} facts")),
    ("fact.promoted", |n| format!("Promoted {n} facts")),
    ("fact.undone", |n| format!("Undid a decision on {n} facts")),
];

/// Names of the actions in [`BULK`].
pub fn bulk_actions() -> impl Iterator<Item = &'static str> {
    BULK.iter().map(|(name, _)| *name)
}

/// Actions about one subject, as a filter of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Group {
    Facts,
    Users,
    Erasures,
    Settings,
    Operators,
    Keys,
    Webhooks,
    Service,
}

impl Group {
    pub const ALL: [Self; 8] =
        [Self::Facts, Self::Users, Self::Erasures, Self::Settings, Self::Operators, Self::Keys, Self::Webhooks, Self::Service];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Facts => "facts",
            Self::Users => "users",
            Self::Erasures => "erasures",
            Self::Settings => "settings",
            Self::Operators => "operators",
            Self::Keys => "keys",
            Self::Webhooks => "webhooks",
            Self::Service => "service",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|group| group.as_str() == name)
    }

    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Facts => "Team facts",
            Self::Users => "User records",
            Self::Erasures => "Erasures",
            Self::Settings => "Settings",
            Self::Operators => "Sign-ins and operators",
            Self::Keys => "Keys",
            Self::Webhooks => "Webhooks",
            Self::Service => "The service",
        }
    }

    /// The group of an action. Every action is in exactly one.
    #[must_use]
    pub fn of(action: &str) -> Self {
        let (area, verb) = action.split_once('.').unwrap_or((action, ""));
        match area {
            "fact" => Self::Facts,
            "user" if verb.starts_with("eras") => Self::Erasures,
            "erasure" => Self::Erasures,
            "user" => Self::Users,
            "setting" => Self::Settings,
            "operator" => Self::Operators,
            "key" => Self::Keys,
            "webhook" => Self::Webhooks,
            _ => Self::Service,
        }
    }

    /// Names of the actions of this group.
    pub fn actions(self) -> impl Iterator<Item = &'static str> {
        ACTIONS.iter().map(|action| action.name).filter(move |name| Self::of(name) == self)
    }
}

/// Period for which the log is shown.
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

    /// Returns the first moment to show, a midnight in UTC; `None`: there is no limit.
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
    fn every_action_is_in_one_group_and_every_group_has_actions() {
        let grouped: usize = Group::ALL.into_iter().map(|group| group.actions().count()).sum();
        assert_eq!(grouped, ACTIONS.len());
        assert!(Group::ALL.into_iter().all(|group| group.actions().count() > 0 && Group::parse(group.as_str()) == Some(group)));
        assert_eq!(Group::of("user.erasure_previewed"), Group::Erasures);
        assert_eq!(Group::of("user.opened"), Group::Users);
        assert_eq!(Group::parse("everything"), None);
    }

    #[test]
    fn bulk_actions_are_actions_on_facts() {
        assert!(bulk_actions().all(|name| Action::find(name).is_some() && Group::of(name) == Group::Facts));
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
