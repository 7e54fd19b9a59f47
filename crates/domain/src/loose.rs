//! Lenient reading of JSON from programs and models. A model that is asked for a whole number may write `5`, `5.0` or `"5"`, and
//! for a list a string with one; a program that cuts a text may leave half of a surrogate pair.

use std::borrow::Cow;

use serde::Deserialize;

/// Up to this number, 2^53, a floating-point number represents every whole number exactly.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

/// A whole number, also written as `5.0` or as a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Written")]
pub struct Whole(pub i64);

#[derive(Deserialize)]
#[serde(untagged, expecting = "a whole number is needed")]
enum Written {
    Whole(i64),
    Fraction(f64),
    Text(String),
}

impl TryFrom<Written> for Whole {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let number = match written {
            Written::Whole(number) => Some(number),
            Written::Fraction(number) => exactly(number),
            Written::Text(text) => {
                let text = text.trim();
                text.parse().ok().or_else(|| exactly(text.parse().ok()?))
            }
        };
        number.map(Self).ok_or("a whole number is needed")
    }
}

/// Returns the number, if it is whole and represented exactly.
fn exactly(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() <= EXACT_MAX).then(|| format!("{number:.0}").parse().ok()).flatten()
}

/// A list of whole numbers, also written as a string.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "WrittenList")]
pub struct Wholes(pub Vec<i64>);

#[derive(Deserialize)]
#[serde(untagged, expecting = "a list of whole numbers is needed")]
enum WrittenList {
    List(Vec<Whole>),
    Text(String),
}

impl TryFrom<WrittenList> for Wholes {
    type Error = &'static str;

    fn try_from(written: WrittenList) -> Result<Self, Self::Error> {
        let whole = |part: &str| Whole::try_from(Written::Text(part.to_owned())).map(|Whole(number)| number);
        match written {
            WrittenList::List(list) => Ok(Self(list.into_iter().map(|Whole(number)| number).collect())),
            WrittenList::Text(text) => {
                let text = text.trim();
                let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text).trim();
                let parts = inner.split(',').filter(|_| !inner.is_empty());
                parts.map(whole).collect::<Result<_, _>>().map(Self).map_err(|_| "a list of whole numbers is needed")
            }
        }
    }
}

/// Replaces the escape of a lone surrogate in JSON, such as `\ud83d`, with that of U+FFFD.
#[must_use]
pub fn without_half_characters(json: &str) -> Cow<'_, str> {
    const ESCAPE: usize = "\\uffff".len();
    let (mut mended, mut kept, mut at) = (String::new(), 0, 0);
    while let Some(next) = json[at..].find('\\') {
        at += next;
        match escaped(&json[at..]) {
            Some(0xd800..=0xdbff) if matches!(escaped(&json[at + ESCAPE..]), Some(0xdc00..=0xdfff)) => at += 2 * ESCAPE,
            Some(0xd800..=0xdfff) => {
                mended.push_str(&json[kept..at]);
                mended.push_str("\\ufffd");
                at += ESCAPE;
                kept = at;
            }
            Some(_) => at += ESCAPE,
            // Another character is escaped, which may be a backslash.
            None => at += 1 + json[at + 1..].chars().next().map_or(0, char::len_utf8),
        }
    }
    if kept == 0 { Cow::Borrowed(json) } else { Cow::Owned(mended + &json[kept..]) }
}

/// Returns the UTF-16 code unit whose escape a text begins with.
fn escaped(json: &str) -> Option<u32> {
    u32::from_str_radix(json.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_character_is_replaced_and_a_whole_one_stays() {
        for (json, text) in [
            (r#""tea \ud83c""#, "tea \u{fffd}"),
            (r#""\udf75 tea""#, "\u{fffd} tea"),
            (r#""\ud83c\ud83c\udf75""#, "\u{fffd}\u{1f375}"),
            (r#""\uD83C\uDF75 \u00e9\n""#, "\u{1f375} é\n"),
            (r#""\\ud83c""#, "\\ud83c"),
            (r#""\ud83c\\udf75""#, "\u{fffd}\\udf75"),
        ] {
            let mended = without_half_characters(json);
            assert_eq!(serde_json::from_str::<String>(&mended).expect(json), text);
        }
        for broken in ["\\", "\"\\u\"", "\"\\u12\"", "\"\\é\"", ""] {
            assert_eq!(without_half_characters(broken), broken);
        }
    }

    fn whole(json: &str) -> Option<i64> {
        serde_json::from_str::<Whole>(json).ok().map(|Whole(number)| number)
    }

    #[test]
    fn a_whole_number_may_be_written_in_several_ways_and_is_never_rounded() {
        for (json, number) in [
            ("7", Some(7)),
            ("7.0", Some(7)),
            ("\" 7 \"", Some(7)),
            ("\"7.0\"", Some(7)),
            ("-1", Some(-1)),
            ("-0.0", Some(0)),
            ("7.5", None),
            ("\"7.5\"", None),
            ("1e300", None),
            ("\"seven\"", None),
            ("\"\"", None),
            ("\"NaN\"", None),
            ("true", None),
            ("[7]", None),
            ("null", None),
        ] {
            assert_eq!(whole(json), number, "{json}");
        }
    }

    #[test]
    fn a_list_of_whole_numbers_may_be_a_text() {
        let list = |json: &str| serde_json::from_str::<Wholes>(json).ok().map(|Wholes(list)| list);
        for (json, numbers) in [
            ("[3, 9]", Some(vec![3, 9])),
            ("[3.0, \"9\"]", Some(vec![3, 9])),
            ("\"[3, -1]\"", Some(vec![3, -1])),
            ("\"3,9\"", Some(vec![3, 9])),
            ("\"[]\"", Some(Vec::new())),
            ("\"[3, x]\"", None),
            ("\"[3, 9\"", None),
            ("3", None),
        ] {
            assert_eq!(list(json), numbers, "{json}");
        }
    }
}
