//! Every column of the database: how it is classed, and what an erasure does with it.
//!
//! A column that is not listed here fails the build's tests. Preview, erasure and export are driven by this table, so what
//! is promised and what is done cannot drift apart.

/// What a column can tell about a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// About one user, or what he said.
    Personal,
    /// Stands for a user by a number or a keyed digest.
    Pseudonymous,
    /// Says nothing about any user.
    None,
}

/// What erasing a user does with his rows of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Erasure {
    /// The row goes with the user.
    Deleted,
    /// The row stays without him; counts are lowered.
    Settled,
    /// The row has nothing to do with users.
    Stays,
    /// The row stays as the proof of what was done.
    Kept(&'static str),
}

/// One table with its columns.
#[derive(Debug)]
pub struct Table {
    pub name: &'static str,
    pub erasure: Erasure,
    pub columns: &'static [(&'static str, Class)],
}

use Class::{None as Nothing, Personal, Pseudonymous};

/// The inventory, in the order of the migrations.
pub const TABLES: &[Table] = &[
    Table { name: "meta", erasure: Erasure::Stays, columns: &[("key", Nothing), ("value", Nothing)] },
    Table {
        name: "users",
        erasure: Erasure::Deleted,
        columns: &[("user_no", Pseudonymous), ("user_id", Personal), ("first_seen_at", Personal)],
    },
    Table {
        name: "epochs",
        erasure: Erasure::Kept("a background write that started before the erasure is refused by it"),
        columns: &[("user_digest", Pseudonymous), ("epoch", Nothing)],
    },
    Table { name: "changes", erasure: Erasure::Stays, columns: &[("seq", Nothing), ("topic", Nothing), ("target", Nothing)] },
    Table {
        name: "daily_counters",
        erasure: Erasure::Stays,
        columns: &[("day", Nothing), ("name", Nothing), ("value", Nothing)],
    },
    Table {
        name: "memories",
        erasure: Erasure::Deleted,
        columns: &[
            ("memory_key", Pseudonymous),
            ("id", Pseudonymous),
            ("user_no", Pseudonymous),
            ("importance", Personal),
            ("last_recalled_at", Personal),
            ("updated_at", Personal),
            ("vector", Personal),
            ("kind", Personal),
            ("content", Personal),
            ("surface", Personal),
            ("source_thread", Personal),
            ("recall_count", Personal),
            ("created_at", Personal),
        ],
    },
    Table {
        name: "memory_merges",
        erasure: Erasure::Deleted,
        columns: &[
            ("id", Pseudonymous),
            ("memory_key", Pseudonymous),
            ("cause", Personal),
            ("similarity", Personal),
            ("merged_at", Personal),
            ("before_kind", Personal),
            ("before_content", Personal),
            ("before_importance", Personal),
            ("before_vector", Personal),
            ("before_updated_at", Personal),
            ("incoming_kind", Personal),
            ("incoming_content", Personal),
            ("incoming_importance", Personal),
            ("incoming_vector", Personal),
        ],
    },
    Table {
        name: "facts",
        erasure: Erasure::Settled,
        columns: &[
            ("id", Nothing),
            ("kind", Nothing),
            ("content", Nothing),
            ("status", Nothing),
            ("origin", Nothing),
            ("importance", Nothing),
            ("vector", Nothing),
            ("contributors", Nothing),
            ("had_contributor", Nothing),
            ("approved_by_operator", Nothing),
            ("decided_by", Nothing),
            ("decided_at", Nothing),
            ("resubmitted", Nothing),
            ("recall_count", Nothing),
            ("last_recalled_at", Nothing),
            ("created_at", Nothing),
            ("confirmed_at", Nothing),
            ("updated_at", Nothing),
            ("version", Nothing),
        ],
    },
    Table {
        name: "contributions",
        erasure: Erasure::Deleted,
        columns: &[("fact_id", Pseudonymous), ("user_no", Pseudonymous), ("surface", Personal), ("day", Personal)],
    },
    Table {
        name: "fact_merges",
        erasure: Erasure::Deleted,
        columns: &[
            ("id", Pseudonymous),
            ("fact_id", Pseudonymous),
            ("user_no", Pseudonymous),
            ("similarity", Personal),
            ("day", Personal),
            ("content", Personal),
            ("vector", Personal),
        ],
    },
    Table {
        name: "contradictions",
        erasure: Erasure::Stays,
        columns: &[
            ("fact_a", Nothing),
            ("fact_b", Nothing),
            ("similarity", Nothing),
            ("flagged_at", Nothing),
            ("resolved_at", Nothing),
        ],
    },
    Table {
        name: "fact_recalls",
        erasure: Erasure::Stays,
        columns: &[("fact_id", Nothing), ("surface", Nothing), ("day", Nothing), ("recalls", Nothing)],
    },
    Table {
        name: "exchanges",
        erasure: Erasure::Deleted,
        columns: &[
            ("seq", Nothing),
            ("id", Pseudonymous),
            ("user_no", Pseudonymous),
            ("surface", Personal),
            ("thread", Personal),
            ("said_at", Personal),
            ("received_at", Personal),
            ("epoch", Personal),
            ("message", Personal),
            ("reply", Personal),
            ("status", Personal),
            ("tries", Personal),
            ("due_at", Personal),
            ("reason", Personal),
            ("settled_at", Personal),
        ],
    },
    Table {
        name: "exchange_ids",
        erasure: Erasure::Deleted,
        columns: &[("digest", Pseudonymous), ("exchange_id", Pseudonymous), ("user_no", Pseudonymous)],
    },
    Table {
        name: "idempotency",
        erasure: Erasure::Deleted,
        columns: &[
            ("digest", Pseudonymous),
            ("body_digest", Pseudonymous),
            ("answer", Pseudonymous),
            ("user_no", Pseudonymous),
            ("answered_at", Personal),
        ],
    },
    Table {
        name: "operators",
        erasure: Erasure::Stays,
        columns: &[
            ("id", Nothing),
            ("email", Nothing),
            ("name", Nothing),
            ("rights", Nothing),
            ("password_hash", Nothing),
            ("created_at", Nothing),
            ("disabled_at", Nothing),
        ],
    },
    Table {
        name: "sessions",
        erasure: Erasure::Stays,
        columns: &[("id", Nothing), ("record", Nothing), ("expires_at", Nothing), ("operator_id", Nothing)],
    },
    Table {
        name: "keys",
        erasure: Erasure::Deleted,
        columns: &[
            ("id", Nothing),
            ("name", Nothing),
            ("scopes", Nothing),
            ("user_id", Personal),
            ("hash", Nothing),
            ("created_at", Nothing),
        ],
    },
    Table { name: "settings", erasure: Erasure::Stays, columns: &[("key", Nothing), ("value", Nothing), ("version", Nothing)] },
    Table {
        name: "settings_history",
        erasure: Erasure::Stays,
        columns: &[
            ("seq", Nothing),
            ("key", Nothing),
            ("old_value", Nothing),
            ("new_value", Nothing),
            ("version", Nothing),
            ("changed_by", Nothing),
            ("changed_at", Nothing),
            ("change_id", Nothing),
        ],
    },
    Table {
        name: "decisions",
        erasure: Erasure::Stays,
        columns: &[
            ("seq", Nothing),
            ("operator_id", Nothing),
            ("session", Nothing),
            ("verb", Nothing),
            ("decided_at", Nothing),
            ("undone_at", Nothing),
        ],
    },
    Table {
        name: "decision_facts",
        erasure: Erasure::Settled,
        columns: &[
            ("decision", Nothing),
            ("fact_id", Nothing),
            ("version_before", Nothing),
            ("version_after", Nothing),
            ("status", Nothing),
            ("approved_by_operator", Nothing),
            ("decided_by", Nothing),
            ("decided_at", Nothing),
            ("importance", Nothing),
            ("kind", Nothing),
            ("content", Nothing),
            ("vector", Nothing),
        ],
    },
    Table {
        name: "views",
        erasure: Erasure::Stays,
        columns: &[
            ("id", Nothing),
            ("operator_id", Nothing),
            ("name", Nothing),
            ("query", Nothing),
            ("shared", Nothing),
            ("created_at", Nothing),
        ],
    },
    Table {
        name: "audit",
        erasure: Erasure::Kept("the record of what operators and programs did, with a keyed digest in place of the user"),
        columns: &[
            ("seq", Nothing),
            ("at", Nothing),
            ("actor_kind", Nothing),
            ("actor_id", Nothing),
            ("action", Nothing),
            ("target", Nothing),
            ("user_digest", Pseudonymous),
            ("detail", Nothing),
            ("reason_digest", Nothing),
            ("prev_hash", Nothing),
            ("hash", Nothing),
        ],
    },
    Table {
        name: "near_misses",
        erasure: Erasure::Stays,
        columns: &[("measure", Nothing), ("day", Nothing), ("hundredth", Nothing), ("writes", Nothing)],
    },
    Table { name: "audit_reasons", erasure: Erasure::Deleted, columns: &[("seq", Nothing), ("reason", Personal)] },
    Table { name: "fact_docs", erasure: Erasure::Settled, columns: &[("doc", Nothing), ("fact_id", Nothing)] },
    Table { name: "fact_words", erasure: Erasure::Settled, columns: &[("content", Nothing)] },
    Table { name: "fact_words_data", erasure: Erasure::Settled, columns: &[("id", Nothing), ("block", Nothing)] },
    Table {
        name: "fact_words_idx",
        erasure: Erasure::Settled,
        columns: &[("segid", Nothing), ("term", Nothing), ("pgno", Nothing)],
    },
    Table { name: "fact_words_docsize", erasure: Erasure::Settled, columns: &[("id", Nothing), ("sz", Nothing)] },
    Table { name: "fact_words_config", erasure: Erasure::Stays, columns: &[("k", Nothing), ("v", Nothing)] },
    Table { name: "calendar", erasure: Erasure::Stays, columns: &[("id", Nothing), ("today", Nothing)] },
    Table {
        name: "totals",
        erasure: Erasure::Settled,
        columns: &[("store", Nothing), ("kind", Nothing), ("status", Nothing), ("value", Nothing)],
    },
    Table {
        name: "recall_spans",
        erasure: Erasure::Stays,
        columns: &[("span", Nothing), ("fact_id", Nothing), ("recalls", Nothing)],
    },
];

/// The inventory entry of a table.
#[must_use]
pub fn table(name: &str) -> Option<&'static Table> {
    TABLES.iter().find(|table| table.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_with_a_personal_column_is_never_left_as_it_is() {
        for table in TABLES {
            let personal = table.columns.iter().any(|(_, class)| *class == Personal);
            assert!(!personal || matches!(table.erasure, Erasure::Deleted | Erasure::Settled), "{}", table.name);
        }
    }

    #[test]
    fn no_column_of_the_fact_table_says_who() {
        let facts = table("facts").expect("listed");
        assert!(facts.columns.iter().all(|(name, class)| *class == Nothing && !name.contains("user")));
    }
}
