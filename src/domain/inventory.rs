//! Every column of the database: how it is classed, whose its rows are, and what an erasure and an export do with it.
//!
//! A column that is not listed here fails the build's tests, and so does one whose text is not classed. Preview, erasure, export
//! and the page that says what is stored are driven by this one table, so what is promised and what is done cannot drift apart.
//! What an engine keeps beside it (indexes, shadow tables, keys of its own) is listed by the engine, in the same words.

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
}

/// What the text or the bytes in a column are: what erasing takes fingerprints of, and what a trace found here means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text {
    /// The column holds numbers.
    None,
    /// Ids, digests and words that the product makes itself.
    Own,
    /// The id of a user.
    Id,
    /// What somebody said, or what was made from it. Fingerprints are taken of it when its row goes; where it stays, it explains
    /// what is found in it.
    Said,
    /// Typed by people at the console, who may have named a user. Ids of any length are looked for here.
    Typed,
    /// Names a member of staff, who may be called as a user is.
    Staff,
    /// The reason on a receipt: it stays as the proof, and may say again what went.
    Receipt,
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
            Self::Deleted => Outcome::Deleted,
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
    /// Hangs on one of the user's memories.
    Memory,
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
    pub text: Text,
    pub export: Export,
}

impl Column {
    /// Its text is of this kind.
    #[must_use]
    pub const fn of(self, text: Text) -> Self {
        Self { text, ..self }
    }

    /// Its text is the product's own.
    #[must_use]
    pub const fn word(self) -> Self {
        self.of(Text::Own)
    }

    /// Its text, or its bytes, come from what somebody said.
    #[must_use]
    pub const fn said(self) -> Self {
        self.of(Text::Said)
    }

    /// Does its text leave traces when the row goes?
    #[must_use]
    pub fn leaves_traces(&self) -> bool {
        matches!(self.text, Text::Said | Text::Id)
    }
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

    /// Does it hold what the team says? What stands there is explained by the team's own rows.
    #[must_use]
    pub fn is_of_the_team(&self) -> bool {
        is_of_the_team(self.columns)
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

/// Do these columns hold what the team says, and nothing about a user?
#[must_use]
pub fn is_of_the_team(columns: &[Column]) -> bool {
    columns.iter().any(|column| column.class == Class::None && column.text == Text::Said)
}

use Belongs::{Contributed, Digest, Entry, GoneFact, Id, Memory, Nobody, Number, Said};
use Erasure::{Deleted, Kept, Settled, Stays};

/// Why a column that stands for a user is not given to him.
pub const INSIDE: &str = "stands for the user inside this database only";
const NOT_ABOUT: &str = "says nothing about the user";
/// Why a column that is made from a text is not given.
pub const MADE: &str = "made from the text by a model; says nothing that the text does not";
/// Why a column that only serves the database is not given.
pub const WORKINGS: &str = "part of the inner workings; means nothing outside";
const STAFF: &str = "names a member of staff; the kind of actor is given";
const SECRET: &str = "a secret of the key";

const fn column(name: &'static str, class: Class, export: Export) -> Column {
    Column { name, class, text: Text::None, export }
}
/// About the user, and given to him.
const fn own(name: &'static str) -> Column {
    column(name, Class::Personal, Export::Given)
}
/// About the user, and not given.
#[must_use]
pub const fn inner(name: &'static str, why: &'static str) -> Column {
    column(name, Class::Personal, Export::Withheld(why))
}
/// Stands for the user.
#[must_use]
pub const fn sign(name: &'static str) -> Column {
    column(name, Class::Pseudonymous, Export::Withheld(INSIDE))
}
/// Stands for something of the user, and given, so that it can be asked about.
const fn handle(name: &'static str) -> Column {
    column(name, Class::Pseudonymous, Export::Given).word()
}
/// Not about users.
#[must_use]
pub const fn plain(name: &'static str) -> Column {
    column(name, Class::None, Export::Withheld(NOT_ABOUT))
}
/// Not about users by itself, but beside a row that is.
const fn shown(name: &'static str) -> Column {
    column(name, Class::None, Export::Given)
}
const fn staff(name: &'static str) -> Column {
    column(name, Class::None, Export::Withheld(STAFF))
}

/// A table without users.
const fn no_users(name: &'static str, what: &'static str, columns: &'static [Column]) -> Table {
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

/// The inventory, in the order of the migrations. Rows that hang on others come after them: an erasure goes through it from
/// the end.
pub const TABLES: &[Table] = &[
    no_users("meta", "Notes about the database", &[plain("key").word(), plain("value").word()]),
    Table {
        name: "users",
        what: "Users",
        why: "Holds what is known about one person together. The id is the one that the host application gave.",
        how_long: "From the first thing said until erased.",
        belongs: Number("user_no"),
        erasure: Deleted,
        lighter: Stays,
        columns: &[sign("user_no"), own("user_id").of(Text::Id), own("first_seen_at")],
    },
    Table {
        name: "epochs",
        what: "Fences against late writes",
        why: "Work that began before an erasure is refused by it. The user stands in it as a keyed digest.",
        how_long: "For good.",
        belongs: Digest("user_digest"),
        erasure: Kept("a write that started before the erasure is refused by it"),
        lighter: Kept("a write that started before the erasure is refused by it"),
        columns: &[sign("user_digest").word(), plain("epoch")],
    },
    no_users("changes", "Notes of what to read again", &[plain("seq"), plain("topic").word(), plain("target").word()]),
    no_users("daily_counters", "Daily totals", &[plain("day"), plain("name").word(), plain("value")]),
    Table {
        name: "memories",
        what: "Personal memories",
        why: "What the assistant knows about one person and recalls for nobody else.",
        how_long: "Until replaced, forgotten or erased.",
        belongs: Number("user_no"),
        erasure: Deleted,
        lighter: Stays,
        columns: &[
            handle("id"),
            sign("user_no"),
            own("importance"),
            own("last_recalled_at"),
            own("updated_at"),
            inner("vector", MADE).said(),
            own("kind").word(),
            own("content").said(),
            own("surface").word(),
            own("source_thread").said(),
            own("recall_count"),
            own("created_at"),
        ],
    },
    Table {
        name: "memory_merges",
        what: "What memories said before",
        why: "The history of merged and corrected memories, so that a merge can be taken back.",
        how_long: "As long as the memory.",
        belongs: Memory,
        erasure: Deleted,
        lighter: Stays,
        columns: &[
            sign("id").word(),
            own("cause").word(),
            own("in_talk"),
            own("similarity"),
            own("merged_at"),
            own("before_kind").word(),
            own("before_content").said(),
            own("before_importance"),
            inner("before_vector", MADE).said(),
            own("before_updated_at"),
            own("incoming_kind").word(),
            own("incoming_content").said(),
            own("incoming_importance"),
            inner("incoming_vector", MADE).said(),
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
            shown("id").word(),
            shown("kind").word(),
            shown("content").said(),
            shown("status").word(),
            shown("origin").word(),
            plain("importance"),
            plain("vector").said(),
            plain("contributors"),
            plain("had_contributor"),
            plain("approved_by_operator"),
            staff("decided_by").word(),
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
        columns: &[handle("fact_id"), sign("user_no"), own("surface").word(), own("day")],
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
            sign("id").word(),
            handle("fact_id"),
            sign("user_no"),
            own("similarity"),
            own("day"),
            own("content").said(),
            inner("vector", MADE).said(),
        ],
    },
    beside_facts(
        "contradictions",
        "Contradictions between team facts",
        GoneFact(&["fact_a", "fact_b"]),
        &[plain("fact_a").word(), plain("fact_b").word(), plain("similarity"), plain("flagged_at"), plain("resolved_at")],
    ),
    beside_facts(
        "fact_recalls",
        "Recalls of team facts",
        GoneFact(&["fact_id"]),
        &[plain("fact_id").word(), plain("surface").word(), plain("day"), plain("recalls")],
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
            own("surface").word(),
            own("thread").said(),
            own("said_at"),
            own("received_at"),
            inner("epoch", WORKINGS),
            own("message").said(),
            own("reply").said(),
            own("status").word(),
            inner("tries", WORKINGS),
            inner("due_at", WORKINGS),
            own("reason").word(),
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
        columns: &[sign("digest").word(), sign("exchange_id").word(), sign("user_no")],
    },
    Table {
        name: "idempotency",
        what: "Answers that may be asked for twice",
        why: "A request that is sent again gets the answer it got.",
        how_long: "One day.",
        belongs: Number("user_no"),
        erasure: Deleted,
        lighter: Stays,
        columns: &[sign("digest").word(), sign("body_digest").word(), sign("answer").word(), sign("user_no"), own("answered_at")],
    },
    no_users(
        "operators",
        "Operators of the console",
        &[
            plain("id").word(),
            plain("email").of(Text::Staff),
            plain("name").of(Text::Staff),
            plain("rights").word(),
            plain("password_hash").word(),
            plain("created_at"),
            plain("disabled_at"),
        ],
    ),
    no_users(
        "sessions",
        "Sessions of operators",
        &[plain("id").word(), plain("record").of(Text::Typed), plain("expires_at"), plain("operator_id").word()],
    ),
    Table {
        name: "keys",
        what: "Keys that speak for one user",
        why: "A program with such a key acts for this user alone. Keys that are bound to nobody are not about a user.",
        how_long: "Until erased.",
        belongs: Id("user_id"),
        erasure: Deleted,
        lighter: Stays,
        columns: &[
            shown("id").word(),
            shown("name").of(Text::Typed),
            shown("scopes").word(),
            own("user_id").of(Text::Id),
            column("hash", Class::None, Export::Withheld(SECRET)).word(),
            shown("created_at"),
        ],
    },
    no_users("settings", "Settings", &[plain("key").word(), plain("value").word(), plain("version")]),
    no_users(
        "settings_history",
        "Changes of settings",
        &[
            plain("seq"),
            plain("key").word(),
            plain("old_value").word(),
            plain("new_value").word(),
            plain("version"),
            plain("changed_by").word(),
            plain("changed_at"),
            plain("change_id").word(),
        ],
    ),
    no_users(
        "decisions",
        "Decisions that can be taken back",
        &[
            plain("seq"),
            plain("operator_id").word(),
            plain("session").word(),
            plain("verb").word(),
            plain("decided_at"),
            plain("undone_at"),
        ],
    ),
    beside_facts(
        "decision_facts",
        "Team facts as they were before a decision",
        GoneFact(&["fact_id"]),
        &[
            plain("decision"),
            plain("fact_id").word(),
            plain("version_before"),
            plain("version_after"),
            plain("status").word(),
            plain("approved_by_operator"),
            plain("decided_by").word(),
            plain("decided_at"),
            plain("importance"),
            plain("kind").word(),
            plain("content").said(),
            plain("vector").said(),
        ],
    ),
    no_users(
        "views",
        "Saved views of the review queue",
        &[
            plain("id").word(),
            plain("operator_id").word(),
            plain("name").of(Text::Typed),
            plain("query").of(Text::Typed),
            plain("shared"),
            plain("created_at"),
        ],
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
            shown("actor_kind").word(),
            staff("actor_id").word(),
            shown("action").word(),
            plain("target").word(),
            sign("user_digest").word(),
            shown("detail").word(),
            column("reason_digest", Class::None, Export::Withheld(WORKINGS)).word(),
            column("prev_hash", Class::None, Export::Withheld(WORKINGS)).word(),
            column("hash", Class::None, Export::Withheld(WORKINGS)).word(),
        ],
    },
    no_users(
        "near_misses",
        "How near writes came to a threshold",
        &[plain("measure").word(), plain("day"), plain("hundredth"), plain("writes")],
    ),
    Table {
        name: "audit_reasons",
        what: "Reasons in the audit log",
        why: "Why an operator opened the record, in his own words.",
        how_long: "Until erased; the audit log keeps a keyed digest.",
        belongs: Entry("seq"),
        erasure: Deleted,
        lighter: Stays,
        columns: &[plain("seq"), own("reason").said()],
    },
    no_users("calendar", "The day", &[plain("id"), plain("today")]),
    no_users(
        "totals",
        "How many rows there are",
        &[plain("store").word(), plain("kind").word(), plain("status").word(), plain("value")],
    ),
    beside_facts(
        "recall_spans",
        "Recalls of team facts, summed",
        GoneFact(&["fact_id"]),
        &[plain("span"), plain("fact_id").word(), plain("recalls")],
    ),
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
            shown("id").word(),
            sign("user_digest").word(),
            plain("key_id").word(),
            shown("scope").word(),
            shown("reason").of(Text::Receipt),
            shown("actor_kind").word(),
            staff("actor_id").word(),
            shown("previewed_at"),
            shown("confirmed_at"),
            shown("finished_at"),
            shown("replayed_at"),
            shown("status").word(),
            plain("tries"),
            inner("user_id", "held for the moment between the confirmation and the erasure only").of(Text::Id),
            sign("user_no"),
            inner("needles", "fingerprints of what was erased, until its absence is proved").word(),
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
        columns: &[
            plain("erasure").word(),
            plain("place"),
            plain("name").word(),
            plain("found"),
            plain("removed"),
            plain("remaining"),
        ],
    },
    Table {
        name: "erasure_facts",
        what: "Team facts on receipts",
        why: "Which team facts went, and which stayed with one contributor fewer.",
        how_long: "As long as the receipt.",
        belongs: Nobody,
        erasure: Stays,
        lighter: Stays,
        columns: &[plain("erasure").word(), plain("fact_id").word(), plain("contributors_before"), plain("contributors_after")],
    },
    Table {
        name: "erasure_checks",
        what: "Checks on receipts",
        why: "What verification looked at, when, and what it found.",
        how_long: "As long as the receipt.",
        belongs: Nobody,
        erasure: Stays,
        lighter: Stays,
        columns: &[
            plain("erasure").word(),
            plain("seq"),
            plain("name").word(),
            plain("result").word(),
            plain("detail").word(),
            plain("at"),
        ],
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
            let goes = table.erasure == Deleted || table.name == "erasures";
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
