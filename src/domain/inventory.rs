//! Every column of the database: how it is classed, whose its rows are, and what an erasure and an export do with it.
//!
//! A column that is not listed here fails the build's tests. Preview, erasure, export and the page that says what is stored
//! are driven by this one table, so what is promised and what is done cannot drift apart.

use super::erasure::{Outcome, Scope};

/// What a column can tell about a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// About one user, or what he said.
    Personal,
    /// Stands for a user by a number, an id or a keyed digest.
    Pseudonymous,
    /// Says nothing about any user.
    None,
    /// Typed by people at the desk, who may have named a user. Verification looks here for ids of any length.
    Words,
}

/// Whether a user gets the column in an export of what is held about him.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Export {
    Given,
    /// Why not.
    Withheld(&'static str),
}

/// What erasing a user does with his rows of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Erasure {
    /// The row goes with the user.
    Deleted,
    /// The row goes by itself with the row it is made from.
    Follows,
    /// The row stays without him; counts are lowered.
    Settled,
    /// The row stays as it is.
    Stays,
    /// The row stays as the proof of what was done.
    Kept(&'static str),
}

impl Erasure {
    /// The word in previews.
    #[must_use]
    pub fn outcome(self) -> Outcome {
        match self {
            Self::Deleted | Self::Follows => Outcome::Deleted,
            Self::Settled => Outcome::Settled,
            Self::Stays => Outcome::Stays,
            Self::Kept(_) => Outcome::Kept,
        }
    }
}

/// How the rows of one user are found. Every variant names the column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Belongs {
    /// No row is about a user.
    Nobody,
    /// The user's number in this database.
    Number(&'static str),
    /// The host's id.
    Id(&'static str),
    /// The keyed digest of the id.
    Digest(&'static str),
    /// The key of one of the user's memories.
    Memory(&'static str),
    /// The number of an entry of the audit log about the user.
    Entry(&'static str),
    /// A fact that the user contributed to; an erasure takes it when nobody else did.
    Contributed(&'static str),
    /// The user's number, or a fact that goes: somebody else's words about it go with it.
    Said { number: &'static str, fact: &'static str },
    /// Hangs on a fact that goes.
    GoneFact(&'static [&'static str]),
}

/// One column.
#[derive(Debug)]
pub struct Column {
    pub name: &'static str,
    pub class: Class,
    pub export: Export,
}

/// One table with its columns.
#[derive(Debug)]
pub struct Table {
    pub name: &'static str,
    /// What the rows are, in a word or two.
    pub what: &'static str,
    /// What it is there for, and for how long: sentences for people.
    pub why: &'static str,
    pub how_long: &'static str,
    pub belongs: Belongs,
    /// What an erasure of everything does.
    pub erasure: Erasure,
    /// What an erasure of contributions does.
    pub lighter: Erasure,
    pub columns: &'static [Column],
}

impl Table {
    /// What an erasure of this scope does.
    #[must_use]
    pub fn fate(&self, scope: Scope) -> Erasure {
        match scope {
            Scope::Everything => self.erasure,
            Scope::Contributions => self.lighter,
        }
    }

    /// Can a row be about a user, or hang on one that is?
    #[must_use]
    pub fn is_about_users(&self) -> bool {
        self.belongs != Belongs::Nobody
    }

    /// Columns that an export gives out.
    pub fn exported(&self) -> impl Iterator<Item = &'static str> {
        self.columns.iter().filter(|column| column.export == Export::Given).map(|column| column.name)
    }
}

use Belongs::{Contributed, Digest, Entry, GoneFact, Id, Memory, Nobody, Number, Said};
use Erasure::{Deleted, Follows, Kept, Settled, Stays};

const INSIDE: &str = "stands for the user inside this database only";
const NOT_ABOUT: &str = "says nothing about the user";
const MADE: &str = "made from the text by a model; says nothing that the text does not";
const WORKINGS: &str = "part of the inner workings; means nothing outside";
const STAFF: &str = "names a member of staff; the kind of actor is given";
const SECRET: &str = "a secret of the key";

const fn column(name: &'static str, class: Class, export: Export) -> Column {
    Column { name, class, export }
}
/// About the user, and given to him.
const fn own(name: &'static str) -> Column {
    column(name, Class::Personal, Export::Given)
}
/// About the user, and not given.
const fn inner(name: &'static str, why: &'static str) -> Column {
    column(name, Class::Personal, Export::Withheld(why))
}
/// Stands for the user.
const fn sign(name: &'static str) -> Column {
    column(name, Class::Pseudonymous, Export::Withheld(INSIDE))
}
/// Stands for something of the user, and given, so that it can be asked about.
const fn handle(name: &'static str) -> Column {
    column(name, Class::Pseudonymous, Export::Given)
}
/// Not about users.
const fn plain(name: &'static str) -> Column {
    column(name, Class::None, Export::Withheld(NOT_ABOUT))
}
/// Not about users by itself, but beside a row that is.
const fn shown(name: &'static str) -> Column {
    column(name, Class::None, Export::Given)
}
/// Typed at the desk.
const fn words(name: &'static str) -> Column {
    column(name, Class::Words, Export::Withheld(NOT_ABOUT))
}
const fn staff(name: &'static str) -> Column {
    column(name, Class::None, Export::Withheld(STAFF))
}

/// A table without users.
const fn house(name: &'static str, what: &'static str, columns: &'static [Column]) -> Table {
    Table {
        name,
        what,
        why: "Keepsake runs on it. No row is about a user.",
        how_long: "While it is in use.",
        belongs: Nobody,
        erasure: Stays,
        lighter: Stays,
        columns,
    }
}

/// Rows that go with a team fact.
const fn beside_facts(name: &'static str, what: &'static str, belongs: Belongs, columns: &'static [Column]) -> Table {
    Table {
        name,
        what,
        why: "Belongs to a team fact. No column says who contributed it.",
        how_long: "As long as the fact.",
        belongs,
        erasure: Deleted,
        lighter: Deleted,
        columns,
    }
}

/// The index behind the search over team facts.
const fn index(name: &'static str, belongs: Belongs, columns: &'static [Column]) -> Table {
    Table {
        name,
        what: "Search index of team facts",
        why: "Finds team facts by their words.",
        how_long: "As long as the fact.",
        belongs,
        erasure: Follows,
        lighter: Follows,
        columns,
    }
}

/// The inventory, in the order of the migrations. Rows that hang on others come after them: an erasure goes through it from
/// the end.
pub const TABLES: &[Table] = &[
    house("meta", "Notes about the database", &[plain("key"), plain("value")]),
    Table {
        name: "users",
        what: "Users",
        why: "Holds what is known about one person together. The id is the one that the host application gave.",
        how_long: "From the first thing said until erased.",
        belongs: Number("user_no"),
        erasure: Deleted,
        lighter: Stays,
        columns: &[
            sign("user_no"),
            own("user_id"),
            own("first_seen_at"),
            inner("memories_version", WORKINGS),
            inner("memories_removed", WORKINGS),
        ],
    },
    Table {
        name: "epochs",
        what: "Fences against late writes",
        why: "Work that began before an erasure is refused by it. The user stands in it as a keyed digest.",
        how_long: "For good.",
        belongs: Digest("user_digest"),
        erasure: Kept("a write that started before the erasure is refused by it"),
        lighter: Kept("a write that started before the erasure is refused by it"),
        columns: &[sign("user_digest"), plain("epoch")],
    },
    house("changes", "Notes of what to read again", &[plain("seq"), plain("topic"), plain("target")]),
    house("daily_counters", "Daily totals", &[plain("day"), plain("name"), plain("value")]),
    Table {
        name: "memories",
        what: "Personal memories",
        why: "What the assistant knows about one person and recalls for nobody else.",
        how_long: "Until replaced, forgotten or erased.",
        belongs: Number("user_no"),
        erasure: Deleted,
        lighter: Stays,
        columns: &[
            sign("memory_key"),
            handle("id"),
            sign("user_no"),
            own("importance"),
            own("last_recalled_at"),
            own("updated_at"),
            inner("vector", MADE),
            own("kind"),
            own("content"),
            own("surface"),
            own("source_thread"),
            own("recall_count"),
            own("created_at"),
            inner("words", MADE),
            inner("changed", WORKINGS),
        ],
    },
    Table {
        name: "memory_merges",
        what: "What memories said before",
        why: "The history of merged and corrected memories, so that a merge can be taken back.",
        how_long: "As long as the memory.",
        belongs: Memory("memory_key"),
        erasure: Deleted,
        lighter: Stays,
        columns: &[
            sign("id"),
            sign("memory_key"),
            own("cause"),
            own("in_talk"),
            own("similarity"),
            own("merged_at"),
            own("before_kind"),
            own("before_content"),
            own("before_importance"),
            inner("before_vector", MADE),
            own("before_updated_at"),
            own("incoming_kind"),
            own("incoming_content"),
            own("incoming_importance"),
            inner("incoming_vector", MADE),
        ],
    },
    Table {
        name: "facts",
        what: "Team facts",
        why: "What is true for the whole team. No column says who contributed it; one that loses its last contributor goes.",
        how_long: "Until deleted, or until an erasure takes the last contributor.",
        belongs: Contributed("id"),
        erasure: Deleted,
        lighter: Deleted,
        columns: &[
            shown("id"),
            shown("kind"),
            shown("content"),
            shown("status"),
            shown("origin"),
            plain("importance"),
            plain("vector"),
            plain("contributors"),
            plain("had_contributor"),
            plain("approved_by_operator"),
            staff("decided_by"),
            plain("decided_at"),
            plain("resubmitted"),
            plain("recall_count"),
            plain("last_recalled_at"),
            plain("created_at"),
            plain("confirmed_at"),
            plain("updated_at"),
            plain("version"),
        ],
    },
    Table {
        name: "contributions",
        what: "Contribution links",
        why: "Counts how many different people a team fact comes from. Read for counting and erasing, never for recall.",
        how_long: "As long as the fact.",
        belongs: Number("user_no"),
        erasure: Deleted,
        lighter: Deleted,
        columns: &[handle("fact_id"), sign("user_no"), own("surface"), own("day")],
    },
    Table {
        name: "fact_merges",
        what: "Words that confirmed a team fact",
        why: "What was said when a known fact was said again, so that the merge can be judged.",
        how_long: "As long as the fact.",
        belongs: Said { number: "user_no", fact: "fact_id" },
        erasure: Deleted,
        lighter: Deleted,
        columns: &[
            sign("id"),
            handle("fact_id"),
            sign("user_no"),
            own("similarity"),
            own("day"),
            own("content"),
            inner("vector", MADE),
        ],
    },
    beside_facts(
        "contradictions",
        "Contradictions between team facts",
        GoneFact(&["fact_a", "fact_b"]),
        &[plain("fact_a"), plain("fact_b"), plain("similarity"), plain("flagged_at"), plain("resolved_at")],
    ),
    beside_facts(
        "fact_recalls",
        "Recalls of team facts",
        GoneFact(&["fact_id"]),
        &[plain("fact_id"), plain("surface"), plain("day"), plain("recalls")],
    ),
    Table {
        name: "exchanges",
        what: "Messages waiting to be learned",
        why: "A message and its reply, until they are learned. Known secrets are taken out before it is stored.",
        how_long: "The text until it is learned, seconds as a rule; 7 days when it could not be. The empty row a day longer.",
        belongs: Number("user_no"),
        erasure: Deleted,
        lighter: Settled,
        columns: &[
            plain("seq"),
            handle("id"),
            sign("user_no"),
            own("surface"),
            own("thread"),
            own("said_at"),
            own("received_at"),
            inner("epoch", WORKINGS),
            own("message"),
            own("reply"),
            own("status"),
            inner("tries", WORKINGS),
            inner("due_at", WORKINGS),
            own("reason"),
            own("settled_at"),
            inner("team", WORKINGS),
        ],
    },
    Table {
        name: "exchange_ids",
        what: "Message ids seen before",
        why: "Sending the same message again changes nothing. Keyed digests in place of the host's ids.",
        how_long: "Until erased.",
        belongs: Number("user_no"),
        erasure: Deleted,
        lighter: Stays,
        columns: &[sign("digest"), sign("exchange_id"), sign("user_no")],
    },
    Table {
        name: "idempotency",
        what: "Answers that may be asked for twice",
        why: "A request that is sent again gets the answer it got.",
        how_long: "One day.",
        belongs: Number("user_no"),
        erasure: Deleted,
        lighter: Stays,
        columns: &[sign("digest"), sign("body_digest"), sign("answer"), sign("user_no"), own("answered_at")],
    },
    house(
        "operators",
        "Operators of the console",
        &[
            plain("id"),
            plain("email"),
            plain("name"),
            plain("rights"),
            plain("password_hash"),
            plain("created_at"),
            plain("disabled_at"),
        ],
    ),
    house("sessions", "Sessions of operators", &[plain("id"), words("record"), plain("expires_at"), plain("operator_id")]),
    Table {
        name: "keys",
        what: "Keys that speak for one user",
        why: "A program with such a key acts for this user alone. Keys that are bound to nobody are not about a user.",
        how_long: "Until erased.",
        belongs: Id("user_id"),
        erasure: Deleted,
        lighter: Stays,
        columns: &[
            shown("id"),
            column("name", Class::Words, Export::Given),
            shown("scopes"),
            own("user_id"),
            column("hash", Class::None, Export::Withheld(SECRET)),
            shown("created_at"),
        ],
    },
    house("settings", "Settings", &[plain("key"), plain("value"), plain("version")]),
    house(
        "settings_history",
        "Changes of settings",
        &[
            plain("seq"),
            plain("key"),
            plain("old_value"),
            plain("new_value"),
            plain("version"),
            plain("changed_by"),
            plain("changed_at"),
            plain("change_id"),
        ],
    ),
    house(
        "decisions",
        "Decisions that can be taken back",
        &[plain("seq"), plain("operator_id"), plain("session"), plain("verb"), plain("decided_at"), plain("undone_at")],
    ),
    beside_facts(
        "decision_facts",
        "Team facts as they were before a decision",
        GoneFact(&["fact_id"]),
        &[
            plain("decision"),
            plain("fact_id"),
            plain("version_before"),
            plain("version_after"),
            plain("status"),
            plain("approved_by_operator"),
            plain("decided_by"),
            plain("decided_at"),
            plain("importance"),
            plain("kind"),
            plain("content"),
            plain("vector"),
        ],
    ),
    house(
        "views",
        "Saved views of the review queue",
        &[plain("id"), plain("operator_id"), words("name"), words("query"), plain("shared"), plain("created_at")],
    ),
    Table {
        name: "audit",
        what: "Audit log",
        why: "What operators and programs did. A user stands in it as a keyed digest, never beside a team fact.",
        how_long: "For good: each row is hashed into the next.",
        belongs: Digest("user_digest"),
        erasure: Kept("the record of what operators and programs did, with a keyed digest in place of the user"),
        lighter: Kept("the record of what operators and programs did, with a keyed digest in place of the user"),
        columns: &[
            plain("seq"),
            shown("at"),
            shown("actor_kind"),
            staff("actor_id"),
            shown("action"),
            plain("target"),
            sign("user_digest"),
            shown("detail"),
            column("reason_digest", Class::None, Export::Withheld(WORKINGS)),
            column("prev_hash", Class::None, Export::Withheld(WORKINGS)),
            column("hash", Class::None, Export::Withheld(WORKINGS)),
        ],
    },
    house(
        "near_misses",
        "How near writes came to a threshold",
        &[plain("measure"), plain("day"), plain("hundredth"), plain("writes")],
    ),
    Table {
        name: "audit_reasons",
        what: "Reasons in the audit log",
        why: "Why an operator opened the record, in his own words.",
        how_long: "Until erased; the audit log keeps a keyed digest.",
        belongs: Entry("seq"),
        erasure: Deleted,
        lighter: Stays,
        columns: &[plain("seq"), own("reason")],
    },
    house("calendar", "The day", &[plain("id"), plain("today")]),
    house("totals", "How many rows there are", &[plain("store"), plain("kind"), plain("status"), plain("value")]),
    beside_facts(
        "recall_spans",
        "Recalls of team facts, summed",
        GoneFact(&["fact_id"]),
        &[plain("span"), plain("fact_id"), plain("recalls")],
    ),
    index("fact_docs", GoneFact(&["fact_id"]), &[plain("doc"), plain("fact_id")]),
    index("fact_words", Nobody, &[plain("content")]),
    index("fact_words_data", Nobody, &[plain("id"), plain("block")]),
    index("fact_words_idx", Nobody, &[plain("segid"), plain("term"), plain("pgno")]),
    index("fact_words_docsize", Nobody, &[plain("id"), plain("sz")]),
    house("fact_words_config", "Options of the search index", &[plain("k"), plain("v")]),
    Table {
        name: "erasures",
        what: "Ledger of erasures",
        why: "Proves what was erased, and erases it again after an old backup was restored. The user stands in it as a keyed digest.",
        how_long: "3 years.",
        belongs: Digest("user_digest"),
        erasure: Kept("the proof that it was done, with a keyed digest in place of the user"),
        lighter: Kept("the proof that it was done, with a keyed digest in place of the user"),
        columns: &[
            plain("seq"),
            shown("id"),
            sign("user_digest"),
            plain("key_id"),
            shown("scope"),
            shown("reason"),
            shown("actor_kind"),
            staff("actor_id"),
            shown("previewed_at"),
            shown("confirmed_at"),
            shown("finished_at"),
            shown("replayed_at"),
            shown("status"),
            plain("tries"),
            inner("user_id", "held for the moment between the confirmation and the erasure only"),
            sign("user_no"),
            inner("needles", "fingerprints of what was erased, until its absence is proved"),
        ],
    },
    Table {
        name: "erasure_rows",
        what: "Numbers on receipts",
        why: "How many rows of each table an erasure found, removed and left.",
        how_long: "As long as the receipt.",
        belongs: Nobody,
        erasure: Stays,
        lighter: Stays,
        columns: &[plain("erasure"), plain("place"), plain("name"), plain("found"), plain("removed"), plain("remaining")],
    },
    Table {
        name: "erasure_facts",
        what: "Team facts on receipts",
        why: "Which team facts went, and which stayed with one contributor fewer.",
        how_long: "As long as the receipt.",
        belongs: Nobody,
        erasure: Stays,
        lighter: Stays,
        columns: &[plain("erasure"), plain("fact_id"), plain("contributors_before"), plain("contributors_after")],
    },
    Table {
        name: "erasure_checks",
        what: "Checks on receipts",
        why: "What verification looked at, when, and what it found.",
        how_long: "As long as the receipt.",
        belongs: Nobody,
        erasure: Stays,
        lighter: Stays,
        columns: &[plain("erasure"), plain("seq"), plain("name"), plain("result"), plain("detail"), plain("at")],
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
    fn a_table_with_a_personal_column_loses_what_is_personal() {
        for table in TABLES {
            let personal = table.columns.iter().any(|column| column.class == Class::Personal);
            // The ledger empties its own two in the erasing transaction and at the proof.
            let goes = matches!(table.erasure, Deleted | Follows) || table.name == "erasures";
            assert!(!personal || goes, "{}", table.name);
            assert!(!personal || table.is_about_users(), "{}", table.name);
        }
    }

    #[test]
    fn no_column_of_the_fact_table_says_who() {
        let facts = table("facts").expect("listed");
        assert!(facts.columns.iter().all(|column| column.class == Class::None && !column.name.contains("user")));
    }

    #[test]
    fn a_column_is_exported_or_says_why_not_and_every_table_speaks_to_people() {
        for table in TABLES {
            assert!(!table.what.is_empty() && table.why.ends_with('.') && table.how_long.ends_with('.'), "{}", table.name);
            for column in table.columns {
                let reason = match column.export {
                    Export::Given => continue,
                    Export::Withheld(reason) => reason,
                };
                assert!(reason.len() > 10, "{}.{}", table.name, column.name);
            }
            let given = table.exported().count();
            assert!(given == 0 || table.is_about_users(), "{}: an export finds no row of it", table.name);
        }
    }

    #[test]
    fn the_lighter_erasure_takes_no_personal_memory() {
        for name in ["users", "memories", "memory_merges", "keys", "audit_reasons", "idempotency", "exchange_ids"] {
            assert_eq!(table(name).expect("listed").lighter, Stays, "{name}");
        }
    }
}
