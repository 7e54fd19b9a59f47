//! Replaces the marks that end a sentence in other scripts with those that are read here.

use std::borrow::Cow;

/// Returns the message with `. `, `! ` and `? ` in place of 。！？ and their likes, but not inside quotation marks.
pub fn plain(message: &str) -> Cow<'_, str> {
    if !message.contains(|c| ascii(c).is_some()) {
        return Cow::Borrowed(message);
    }
    let mut text = String::with_capacity(message.len());
    let mut quotes: Vec<char> = Vec::new();
    for (at, c) in message.char_indices() {
        let end = at + c.len_utf8();
        match closing(c).filter(|close| message[end..].contains(*close) && quotes.len() < DEEPEST) {
            Some(close) => quotes.push(close),
            None if quotes.last() == Some(&c) => drop(quotes.pop()),
            None => {}
        }
        match ascii(c).filter(|_| quotes.is_empty()) {
            Some(mark) => {
                text.push(mark);
                if message[end..].starts_with(|next: char| !next.is_whitespace() && ascii(next).is_none()) {
                    text.push(' ');
                }
            }
            None => text.push(c),
        }
    }
    Cow::Owned(text)
}

/// Maximum depth of quotations, which bounds the work.
const DEEPEST: usize = 4;

fn ascii(c: char) -> Option<char> {
    match c {
        '。' | '｡' | '۔' | '।' => Some('.'),
        '！' => Some('!'),
        '？' | '؟' => Some('?'),
        _ => None,
    }
}

fn closing(open: char) -> Option<char> {
    match open {
        '「' => Some('」'),
        '『' => Some('』'),
        '《' => Some('》'),
        '“' => Some('”'),
        '«' => Some('»'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_at_full_width_marks_outside_quotes() {
        for (message, marked) in [
            ("我吃素。你呢？", "我吃素. 你呢?"),
            ("他说「走吧。」我走了。", "他说「走吧。」我走了."),
            ("「開いたまま。それで", "「開いたまま. それで"),
            ("هل تسمع؟ نعم", "هل تسمع? نعم"),
            ("I live in Porto.", "I live in Porto."),
            ("好！！走", "好!! 走"),
        ] {
            assert_eq!(plain(message), marked);
        }
    }
}
