//! Splits a text into words, and lists the words of dates. Months, days of the week and numbers come from the lexicon; the tables
//! here are the other words of calendars, English and Indonesian.

use language::lexicon;
use time::{Month, Weekday};

use super::calendar::Unit;

/// Ends a sentence. No date extends across it.
pub(super) const STOP: &str = ".";
/// Stands between the ends of a range.
pub(super) const DASH: &str = "-";

/// Days that have a name of their own, longest name first, with the offsets from today of their first and last day.
pub(super) const NAMED_DAYS: &[(&[&str], i64, i64)] = &[
    (&["kemarin", "lusa"], -2, -2),
    (&["lusa", "kemarin"], -2, -2),
    (&["kemarin", "dulu"], -2, -2),
    (&["the", "other", "day"], -7, -1),
    (&["last", "night"], -1, -1),
    (&["last", "evening"], -1, -1),
    (&["tadi", "malam"], -1, -1),
    (&["this", "morning"], 0, 0),
    (&["this", "afternoon"], 0, 0),
    (&["this", "evening"], 0, 0),
    (&["tadi", "pagi"], 0, 0),
    (&["tadi", "siang"], 0, 0),
    (&["tadi", "sore"], 0, 0),
    (&["kemarin"], -1, -1),
    (&["semalam"], -1, -1),
    (&["yesterday"], -1, -1),
    (&["today"], 0, 0),
    (&["tonight"], 0, 0),
    (&["tomorrow"], 1, 1),
    (&["besok"], 1, 1),
    (&["lusa"], 2, 2),
];

const UNITS: &[(&[&str], Unit)] = &[
    (&["day", "days", "night", "nights", "hari", "malam"], Unit::Day),
    (&["week", "weeks", "minggu", "pekan"], Unit::Week),
    (&["fortnight", "fortnights"], Unit::Fortnight),
    (&["weekend", "weekends"], Unit::Weekend),
    (&["month", "months", "bulan"], Unit::Month),
    (&["quarter", "quarters", "kuartal", "triwulan"], Unit::Quarter),
    (&["half", "semester"], Unit::Half),
    (&["year", "years", "tahun"], Unit::Year),
];
/// Words that mean one of a unit.
const ONE_OF: &[(&str, Unit)] = &[
    ("sehari", Unit::Day),
    ("seminggu", Unit::Week),
    ("sepekan", Unit::Week),
    ("sebulan", Unit::Month),
    ("setahun", Unit::Year),
];

/// Seasons of the northern half of the earth as meteorologists count them, and Indonesia's two: first month, number of months.
const SEASONS: &[(&[&str], Month, i64)] = &[
    (&["spring"], Month::March, 3),
    (&["summer"], Month::June, 3),
    (&["autumn"], Month::September, 3),
    (&["fall"], Month::September, 3),
    (&["winter"], Month::December, 3),
    (&["musim", "semi"], Month::March, 3),
    (&["musim", "panas"], Month::June, 3),
    (&["musim", "gugur"], Month::September, 3),
    (&["musim", "dingin"], Month::December, 3),
    (&["musim", "hujan"], Month::November, 5),
    (&["musim", "kemarau"], Month::April, 7),
];

/// Thirds of a period.
const PARTS: &[&[&str]] =
    &[&["early", "beginning", "start", "awal"], &["mid", "middle", "pertengahan", "tengah"], &["late", "end", "akhir"]];

const ORDINALS: &[(&[&str], i64)] = &[
    (&["first", "pertama"], 1),
    (&["second", "kedua"], 2),
    (&["third", "ketiga"], 3),
    (&["fourth", "keempat"], 4),
    (&["fifth", "kelima"], 5),
    (&["sixth", "keenam"], 6),
    (&["seventh", "ketujuh"], 7),
    (&["eighth", "kedelapan"], 8),
    (&["ninth", "kesembilan"], 9),
    (&["tenth", "kesepuluh"], 10),
    (&["eleventh"], 11),
    (&["twelfth"], 12),
    (&["thirteenth"], 13),
    (&["fourteenth"], 14),
    (&["fifteenth"], 15),
    (&["sixteenth"], 16),
    (&["seventeenth"], 17),
    (&["eighteenth"], 18),
    (&["nineteenth"], 19),
    (&["twentieth"], 20),
    (&["thirtieth"], 30),
];

/// Words that mark the next word as a month, a year or a day of the week: "may" and "march" are also verbs, 2048 is also a
/// number.
pub(super) const BEFORE_A_DATE: &[&str] = &[
    "in", "on", "of", "since", "during", "from", "until", "till", "by", "before", "after", "over", "at", "around", "between",
    "pada", "di", "bulan", "tahun", "hari", "sejak", "sampai", "hingga", "dari", "antara", "selama", "sebelum", "setelah",
    "sesudah",
];
/// Words that mark a preceding "the 21st" as a day, and not as the 21st of something else, such as a floor.
pub(super) const AFTER_A_DAY: &[&str] = &[
    "", STOP, DASH, "and", "or", "at", "in", "with", "for", "to", "did", "do", "does", "was", "were", "is", "are", "have", "had",
    "has", "i", "we", "you", "he", "she", "they", "it", "my", "our", "about", "that", "until", "till", "through", "by", "from",
    "when", "what",
];
/// Words before the number of a day.
pub(super) const DAY_OF: &[&str] = &["tanggal", "tgl"];
pub(super) const BETWEEN: &[&str] = &["between", "antara", "from", "dari"];
pub(super) const AND: &[&str] = &["and", "dan"];
pub(super) const TO: &[&str] = &[DASH, "to", "until", "till", "til", "through", "thru", "sampai", "hingga", "sd"];
pub(super) const SINCE: &[&str] = &["since", "sejak"];
pub(super) const BEFORE: &[&str] = &["before", "sebelum"];
pub(super) const AFTER: &[&str] = &["after", "setelah", "sesudah"];
pub(super) const OF: &[&str] = &["of", "in"];
/// Words after a count and a unit.
pub(super) const AGO: &[&str] = &["ago", "lalu", "silam"];
pub(super) const RECENT: &[&str] = &["terakhir", "belakangan", "ini"];
pub(super) const FROM_NOW: &[&str] = &["lagi", "hence"];

/// Position of a unit relative to the current one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Last,
    /// The time up to now, regardless of calendar boundaries.
    Past,
    This,
    Next,
}

/// Returns the direction that a word gives to the word after it.
pub(super) fn direction(word: &str) -> Option<Direction> {
    Some(match word {
        "last" | "previous" => Direction::Last,
        "past" => Direction::Past,
        "this" | "current" => Direction::This,
        "next" | "coming" => Direction::Next,
        _ => return None,
    })
}

/// Returns the direction that a word gives to the word before it.
pub(super) fn direction_after(word: &str) -> Option<Direction> {
    Some(match word {
        "lalu" | "kemarin" | "silam" => Direction::Last,
        "terakhir" => Direction::Past,
        "ini" => Direction::This,
        "depan" | "mendatang" => Direction::Next,
        _ => return None,
    })
}

/// A count, or a range of counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    pub least: i64,
    pub most: i64,
}

impl Count {
    pub fn exactly(count: i64) -> Self {
        Self { least: count, most: count }
    }
}

pub(super) fn unit(word: &str) -> Option<Unit> {
    UNITS.iter().find(|(words, _)| words.contains(&word)).map(|(_, unit)| *unit)
}

pub(super) fn one_of(word: &str) -> Option<Unit> {
    ONE_OF.iter().find(|(one, _)| *one == word).map(|(_, unit)| *unit)
}

/// Words of a season, its first month, and how many months it has.
pub(super) fn season(words: &[&str]) -> Option<(usize, Month, i64)> {
    let found = SEASONS.iter().find(|(named, ..)| words.starts_with(named))?;
    Some((found.0.len(), found.1, found.2))
}

/// Returns the third of a period that a word means: 0, 1 or 2.
pub(super) fn part(word: &str) -> Option<i64> {
    PARTS.iter().position(|words| words.contains(&word)).and_then(|third| i64::try_from(third).ok())
}

/// `third`, `3rd`.
pub(super) fn ordinal(word: &str) -> Option<i64> {
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end)?.parse().ok());
    digits.or_else(|| ORDINALS.iter().find(|(words, _)| words.contains(&word)).map(|(_, number)| *number))
}

/// A number in digits or in one word.
pub(super) fn number(word: &str) -> Option<i64> {
    if ["a", "an", "one", "satu"].contains(&word) {
        return Some(1);
    }
    let digits = lexicon::group("number", word).map_or(word, |group| group.name);
    digits.parse().ok().filter(|number| (1..=1_000).contains(number))
}

fn month(word: &str) -> Option<Month> {
    let named = |group: &lexicon::Group| group.words.contains(&word) || (word.len() == 3 && group.name.starts_with(word));
    let number = lexicon::groups("month").position(named)? + 1;
    Month::try_from(u8::try_from(number).ok()?).ok()
}

pub(super) fn weekday(word: &str) -> Option<Weekday> {
    let word = if word == "jum'at" { "jumat" } else { word };
    let number = lexicon::groups("weekday").position(|group| group.words.contains(&word))?;
    u8::try_from(number).ok().map(|number| Weekday::Monday.nth_next(number))
}

/// A word in lower case, with the month or the day of the week that it names.
#[derive(Debug)]
pub(super) struct DateWord {
    pub text: String,
    pub month: Option<Month>,
    pub weekday: Option<Weekday>,
}

/// The words of a text.
pub(super) fn words(text: &str) -> Vec<DateWord> {
    split(text).into_iter().map(|text| DateWord { month: month(&text), weekday: weekday(&text), text }).collect()
}

/// Splits a text into words in lower case. Joined numbers such as `21/11/2026` are one word. Of punctuation only the ends of
/// sentences and the dashes of ranges are kept.
fn split(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.to_lowercase().chars().map(|c| if c == '’' { '\'' } else { c }).collect();
    let at = |n: usize| chars.get(n).copied().unwrap_or(' ');
    let mut words: Vec<String> = Vec::new();
    let mut n = 0;
    while n < chars.len() {
        let from = n;
        let c = chars[n];
        n += 1;
        if c.is_ascii_digit() {
            while at(n).is_ascii_digit() || (matches!(at(n), '/' | '.' | '-') && at(n + 1).is_ascii_digit()) {
                n += 1;
            }
            let digits: String = chars[from..n].iter().collect();
            if at(n).is_alphabetic() && !digits.contains(['/', '.', '-']) {
                while at(n).is_alphanumeric() {
                    n += 1;
                }
                words.push(chars[from..n].iter().collect());
            } else {
                push_numbers(&mut words, &digits);
            }
        } else if c.is_alphanumeric() {
            while at(n).is_alphanumeric() || (at(n) == '\'' && at(n + 1).is_alphanumeric()) {
                n += 1;
            }
            let word: String = chars[from..n].iter().collect();
            words.push(word.strip_suffix("'s").map_or(word.clone(), str::to_owned));
        } else if matches!(c, '–' | '—') || (c == '-' && !(from > 0 && at(from - 1).is_alphabetic() && at(n).is_alphabetic()))
        {
            words.push(DASH.to_owned());
        } else if c == '-' {
            // Between two words, the dash of a range only if both are months or days of the week.
            let next: String = chars[n..].iter().take_while(|c| c.is_alphanumeric()).collect();
            let names = |word: &str| month(word).is_some() || weekday(word).is_some();
            if words.last().is_some_and(|word| names(word)) && names(&next) {
                words.push(DASH.to_owned());
            }
        } else if matches!(c, '?' | '!' | ';' | '\n') || (c == '.' && words.last().is_none_or(|word| month(word).is_none())) {
            words.push(STOP.to_owned());
        } else if c == '/' && words.last().is_some_and(|word| word == "s") && at(n) == 'd' && !at(n + 1).is_alphanumeric() {
            words.pop();
            words.push("sd".to_owned());
            n += 1;
        }
    }
    words
}

/// Adds joined numbers: a date as one word, or a range as its two ends and a dash.
fn push_numbers(words: &mut Vec<String>, digits: &str) {
    let ends: Vec<&str> = digits.split('-').collect();
    let dotted = digits.contains(['/', '.']);
    let year = |text: &str| text.len() == 4;
    if ends.len() == 2 && (dotted || year(ends[0]) == year(ends[1])) {
        words.extend([ends[0], DASH, ends[1]].map(str::to_owned));
    } else {
        words.push(digits.to_owned());
    }
}
