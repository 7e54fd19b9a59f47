//! The text of a fact. Text between backticks is code; everything else is plain text, and nothing is markup.

use leptos::prelude::*;

/// A fact's text in a line.
#[component]
pub fn Prose(text: String) -> impl IntoView {
    pieces(&text)
        .into_iter()
        .map(|(piece, is_code)| if is_code { view! { <code>{piece}</code> }.into_any() } else { view! { {piece} }.into_any() })
        .collect_view()
}

/// The pieces in order, and whether each is code. An unpaired backtick is an ordinary character.
fn pieces(text: &str) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((code, beyond)) = after.split_once('`').filter(|(code, _)| !code.is_empty()) else { break };
        if !before.is_empty() {
            found.push((before.to_owned(), false));
        }
        found.push((code.to_owned(), true));
        rest = beyond;
    }
    if !rest.is_empty() {
        found.push((rest.to_owned(), false));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        pieces(text).into_iter().map(|(piece, is_code)| if is_code { format!("[{piece}]") } else { piece }).collect()
    }

    #[test]
    fn pairs_of_backticks_are_code_and_single_ones_are_text() {
        for (text, wanted) in [
            ("plain", "plain"),
            ("set it to `queued` and run", "set it to [queued] and run"),
            ("`a` and `b`", "[a] and [b]"),
            ("one ` alone", "one ` alone"),
            ("`a` then ` alone", "[a] then ` alone"),
            ("an empty `` pair", "an empty `` pair"),
            ("<b>`<i>`</b>", "<b>[<i>]</b>"),
            ("", ""),
        ] {
            assert_eq!(shown(text), wanted);
        }
    }
}
