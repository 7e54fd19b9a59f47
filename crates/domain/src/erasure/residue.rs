//! Decides whether a match found in a column is residue of an erasure or is explained by its row.
//!
//! Words of erased text may also occur in other users' rows, in team facts and in the reason on a receipt, and so may the id.
//! Text typed in the console explains no match. Anywhere else, an id is residue if it is too long to occur by chance.

use super::fingerprint::Finding;
use super::inventory::{Class, Column, ColumnText};

/// Minimum length in bytes of an id that cannot occur by chance in a column that holds nothing about users.
pub const DISTINCT_BYTES: usize = 6;

/// Whether a match is residue. `of_the_team`: the table holds text of the team. `distinct`: the id is too long to occur by
/// chance.
#[must_use]
pub fn is_left(hit: Finding, column: &Column, of_the_team: bool, distinct: bool) -> bool {
    if of_the_team {
        return false;
    }
    match (hit, column.class) {
        (Finding::Inside | Finding::OtherCase, _) | (Finding::Piece(_) | Finding::Word, Class::Personal) => false,
        (Finding::Piece(_), _) => column.text != ColumnText::Receipt,
        (Finding::Whole, Class::Personal) => column.text == ColumnText::Id,
        (Finding::Whole | Finding::Word, _) => column.text == ColumnText::Typed || (distinct && column.text != ColumnText::Staff),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::erasure::inventory::table;

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
