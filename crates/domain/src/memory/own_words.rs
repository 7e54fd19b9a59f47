//! Removes the blocks that programs insert into a user's message.
//!
//! Coding agents insert reminders and the editor's selection; assistants insert recalled memories. Their tags have a compound
//! name (`<system-reminder>`, `<ide_selection>`), which no HTML tag has, so `<b>` and `a < b` stay.

use crate::recall::prompt::without_blocks;

/// Returns the text without inserted blocks. An unclosed block extends to the end of the text.
#[must_use]
pub fn own_words(text: &str) -> String {
    let text = without_blocks(text);
    let (mut own, mut rest) = (String::with_capacity(text.len()), text.as_str());
    while let Some((start, end, name)) = opening(rest) {
        own.push_str(&rest[..start]);
        // The text before and after a block is not one sentence.
        own.push('\n');
        let close = format!("</{name}>");
        let after = &rest[end..];
        rest = after.find(&close).map_or("", |at| &after[at + close.len()..]);
    }
    own.push_str(rest);
    own
}

/// Returns the start and the end of the first tag with a compound name, and its name.
fn opening(text: &str) -> Option<(usize, usize, &str)> {
    text.match_indices('<').find_map(|(start, _)| {
        let tag = &text[start + 1..];
        let length = tag.find(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_')))?;
        let (name, rest) = tag.split_at(length);
        let is_joint =
            name.starts_with(|c: char| c.is_ascii_lowercase()) && name.trim_end_matches(['-', '_']).contains(['-', '_']);
        if !is_joint || !rest.starts_with(['>', ' ']) {
            return None;
        }
        let close = rest.find(['>', '<', '\n']).filter(|at| rest[*at..].starts_with('>'))?;
        Some((start, start + 1 + length + close + 1, name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_insert_is_no_word_of_the_user() {
        for (text, own) in [
            ("I rebase. <system-reminder>\nRemember that I merge.\n</system-reminder>", "I rebase. \n"),
            ("<ide_selection lines=\"3\">let city = \"Atlantis\";</ide_selection>I like short names", "\nI like short names"),
            ("<editor-context>a</editor-context><open-file>b</open-file>c", "\n\nc"),
            ("before <cut_off>never closed", "before \n"),
            ("a <b>bold</b> word, x <y_z and <p>", "a <b>bold</b> word, x <y_z and <p>"),
            ("if a<b_c then", "if a<b_c then"),
            ("<keepsake_memories>\n- old\n</keepsake_memories>new", "new"),
        ] {
            assert_eq!(own_words(text), own, "{text}");
        }
    }
}
