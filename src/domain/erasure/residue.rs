//! Whether something found in a column was left behind, or is explained by the row it is in.
//!
//! Words of erased text may also be in other users' rows, in team facts and in the reason on a receipt. The same is true of the
//! id. Text typed in the console explains nothing. Anywhere else, an id counts as left behind if it is too long to be there by
//! chance.

use super::fingerprint::Finding;
use super::inventory::{Class, Column, Text};

/// A shorter id, in bytes, may occur by chance in a column that holds nothing about users.
pub const DISTINCT_BYTES: usize = 6;

/// Whether this was left behind. `of_the_team`: the table holds what the team says. `distinct`: the id is too long to be there by
/// chance.
#[must_use]
pub fn is_left(hit: Finding, column: &Column, of_the_team: bool, distinct: bool) -> bool {
    if of_the_team {
        return false;
    }
    match (hit, column.class) {
        (Finding::Inside | Finding::OtherCase, _) | (Finding::Piece(_) | Finding::Word, Class::Personal) => false,
        (Finding::Piece(_), _) => column.text != Text::Receipt,
        (Finding::Whole, Class::Personal) => column.text == Text::Id,
        (Finding::Whole | Finding::Word, _) => column.text == Text::Typed || (distinct && column.text != Text::Staff),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::erasure::inventory::table;

    #[test]
    fn a_row_explains_its_own_and_nothing_else() {
        let piece = Finding::Piece(7);
        for (name, column, hit, long, short) in [
            ("memories", "content", piece, false, false),
            ("memories", "content", Finding::Word, false, false),
            ("users", "user_id", Finding::Whole, true, true),
            ("users", "user_id", Finding::Word, false, false),
            ("users", "contribution_key", piece, true, true),
            ("contributions", "token", piece, true, true),
            ("fact_merges", "token", piece, true, true),
            ("fact_merges", "content", piece, false, false),
            ("facts", "content", piece, false, false),
            ("facts", "decided_by", Finding::Whole, false, false),
            ("erasures", "reason", piece, false, false),
            ("erasures", "reason", Finding::Word, true, false),
            ("changes", "target", Finding::Whole, true, false),
            ("changes", "target", piece, true, true),
            ("operators", "name", Finding::Word, false, false),
            ("operators", "name", piece, true, true),
            ("views", "name", Finding::Word, true, true),
            ("views", "name", Finding::Inside, false, false),
        ] {
            let table = table(name).expect("listed");
            let column = table.columns.iter().find(|listed| listed.name == column).expect("listed");
            let left = [true, false].map(|distinct| is_left(hit, column, table.is_of_the_team(), distinct));
            assert_eq!(left, [long, short], "{name}.{} {hit:?}", column.name);
        }
    }
}
