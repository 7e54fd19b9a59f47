//! Expressions for words in the full-text index. The index has runs of Chinese, Japanese and Korean as pairs of neighbouring
//! characters (see the migration `words_without_spaces`), so a word in a run is searched as its consecutive pairs.

use domain::recall::words::{composed, is_east_asian, pairs, stretches};

/// An expression for texts with this word. `begins`: also with words that begin with it.
pub(in crate::sqlite) fn holding(word: &str, begins: bool) -> String {
    let word = composed(word);
    let parts: Vec<(&str, bool)> =
        stretches(&word, is_east_asian).filter(|(part, _)| part.contains(char::is_alphanumeric)).collect();
    let each = parts.iter().enumerate().map(|(n, (part, is_run))| match is_run {
        true if part.chars().nth(1).is_some() => quoted(&pairs(part).collect::<Vec<_>>().join(" ")),
        // A single character, or a part that a run follows.
        true => format!("{} *", quoted(part)),
        false if begins || n + 1 < parts.len() => format!("{} *", quoted(part)),
        false => quoted(part),
    });
    let each: Vec<String> = each.collect();
    if each.len() == 1 { each.concat() } else { format!("({})", each.join(" AND ")) }
}

/// An expression for texts with any part of this word; of a run, any of its pairs.
pub(in crate::sqlite) fn touching(word: &str) -> String {
    let word = composed(word);
    let parts = stretches(&word, is_east_asian).filter(|(part, _)| part.contains(char::is_alphanumeric));
    let each = parts.flat_map(|(part, is_run)| if is_run { pairs(part).map(quoted).collect() } else { vec![quoted(part)] });
    each.collect::<Vec<_>>().join(" OR ")
}

fn quoted(words: &str) -> String {
    format!("\"{}\"", words.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_asked_for_by_its_pairs() {
        for (word, all, any) in [
            ("tea", "\"tea\"", "\"tea\""),
            ("护城河", "\"护城 城河\"", "\"护城\" OR \"城河\""),
            ("茶", "\"茶\" *", "\"茶\""),
            ("iPhone手机", "(\"iPhone\" * AND \"手机\")", "\"iPhone\" OR \"手机\""),
        ] {
            assert_eq!((holding(word, false).as_str(), touching(word).as_str()), (all, any));
        }
        assert_eq!(holding("te", true), "\"te\" *");
    }
}
