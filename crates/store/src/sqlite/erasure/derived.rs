//! Columns that SQLite needs besides the inventory, classified with the inventory's types: keys that order rows, and the search
//! index with its shadow tables. All of it is added and removed with the rows that it is derived from.

use domain::erasure::inventory::{
    Class, Column, ColumnText, Export, MADE, Table, WORKINGS, inner, is_of_the_team, plain, sign, table,
};
use ports::store::people::Withheld;

/// Columns of a table of SQLite's own or of one in the inventory.
#[derive(Debug)]
pub struct Derived {
    pub table: &'static str,
    pub columns: &'static [Column],
}

const fn derived(table: &'static str, columns: &'static [Column]) -> Derived {
    Derived { table, columns }
}

/// Every column that the inventory does not list.
pub const DERIVED: &[Derived] = &[
    derived("users", &[inner("memories_version", WORKINGS), inner("memories_removed", WORKINGS)]),
    derived("memories", &[sign("memory_key"), inner("words", MADE).said(), inner("changed", WORKINGS)]),
    derived("facts", &[inner("words", MADE).said()]),
    derived("memory_merges", &[sign("memory_key")]),
    derived("fact_merges", &[plain("place")]),
    derived("merged_facts", &[plain("place")]),
    derived("fact_docs", &[plain("doc"), plain("fact_id").word()]),
    derived("fact_words", &[plain("content").said()]),
    derived("fact_words_data", &[plain("id"), plain("block").said()]),
    derived("fact_words_idx", &[plain("segid"), plain("term").said(), plain("pgno")]),
    derived("fact_words_docsize", &[plain("id"), plain("sz").word()]),
    derived("fact_words_config", &[plain("k").word(), plain("v").word()]),
    derived("blocks", &[sign("block_no")]),
    derived("block_words", &[sign("place").word(), inner("label", MADE).said(), inner("content", MADE).said()]),
    derived(
        "block_words_former",
        &[
            sign("block_no"),
            sign("user_no"),
            inner("version", WORKINGS),
            inner("label", MADE).said(),
            inner("content", MADE).said(),
        ],
    ),
    derived("block_words_data", &[sign("id"), inner("block", MADE).said()]),
    derived("block_words_idx", &[sign("segid"), inner("term", MADE).said(), plain("pgno")]),
    derived("block_words_docsize", &[sign("id"), plain("sz").word()]),
    derived("block_words_config", &[plain("k").word(), plain("v").word()]),
];

/// Returns a column as classified by the inventory or this table, and whether its table belongs to the team. `None`: unknown.
pub(super) fn classed(name: &str, column: &str) -> Option<(&'static Column, bool)> {
    let listed = table(name).into_iter().flat_map(|table| table.columns);
    let beside = DERIVED.iter().filter(|derived| derived.table == name).flat_map(|derived| derived.columns);
    let found = listed.chain(beside).find(|listed| listed.name == column)?;
    let own = DERIVED.iter().find(|derived| derived.table == name);
    let of_the_team =
        table(name).map_or_else(|| own.is_some_and(|derived| is_of_the_team(derived.columns)), Table::is_of_the_team);
    Some((found, of_the_team))
}

/// Columns of the user's tables that leave traces when a row is deleted.
pub(in crate::sqlite) fn traces(name: &str) -> impl Iterator<Item = &'static str> {
    let beside = DERIVED.iter().filter(move |derived| derived.table == name).flat_map(|derived| derived.columns);
    beside.filter(|column| column.text == ColumnText::Said).map(|column| column.name)
}

/// Columns about a user, and why they are not exported.
pub(in crate::sqlite) fn withheld() -> Vec<Withheld> {
    let of = |derived: &'static Derived| {
        let about = derived.columns.iter().filter(|column| column.class != Class::None);
        about.filter_map(|column| match column.export {
            Export::Given => None,
            Export::Withheld(why) => Some(Withheld { table: derived.table, column: column.name, why }),
        })
    };
    DERIVED.iter().flat_map(of).collect()
}
