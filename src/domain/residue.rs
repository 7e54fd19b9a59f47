//! Whether something found in a column was left behind, or is explained by the row it is in.
//!
//! Words of erased text may also be in other users' rows, in team facts and in the reason on a receipt. The same is true of the
//! id. Text typed in the console explains nothing. Anywhere else, an id counts as left behind if it is too long to be there by
//! chance.

use super::fingerprint::Hit;
use super::inventory::{Class, Column, Text};

/// A shorter id, in bytes, may occur by chance in a column that holds nothing about users.
pub const DISTINCT_BYTES: usize = 6;

/// Whether this was left behind. `of_the_team`: the table holds what the team says. `distinct`: the id is too long to be there by
/// chance.
#[must_use]
pub fn is_left(hit: Hit, column: &Column, of_the_team: bool, distinct: bool) -> bool {
    if of_the_team {
        return false;
    }
    match (hit, column.class) {
        (Hit::Inside, _) | (Hit::Piece(_) | Hit::Word, Class::Personal) => false,
        (Hit::Piece(_), _) => column.text != Text::Receipt,
        (Hit::Whole, Class::Personal) => column.text == Text::Id,
        (Hit::Whole | Hit::Word, _) => column.text == Text::Typed || (distinct && column.text != Text::Staff),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::inventory::table;

    #[test]
    fn a_row_explains_its_own_and_nothing_else() {
        let piece = Hit::Piece(7);
        for (name, column, hit, long, short) in [
            ("memories", "content", piece, false, false),
            ("memories", "content", Hit::Word, false, false),
            ("users", "user_id", Hit::Whole, true, true),
            ("users", "user_id", Hit::Word, false, false),
            ("facts", "content", piece, false, false),
            ("facts", "decided_by", Hit::Whole, false, false),
            ("erasures", "reason", piece, false, false),
            ("erasures", "reason", Hit::Word, true, false),
            ("changes", "target", Hit::Whole, true, false),
            ("changes", "target", piece, true, true),
            ("operators", "name", Hit::Word, false, false),
            ("operators", "name", piece, true, true),
            ("views", "name", Hit::Word, true, true),
            ("views", "name", Hit::Inside, false, false),
        ] {
            let table = table(name).expect("listed");
            let column = table.columns.iter().find(|listed| listed.name == column).expect("listed");
            let left = [true, false].map(|distinct| is_left(hit, column, table.is_of_the_team(), distinct));
            assert_eq!(left, [long, short], "{name}.{} {hit:?}", column.name);
        }
    }
}
