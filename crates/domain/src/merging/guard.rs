//! The merge guard: two statements say the same only if every difference between them is explained.
//!
//! A word that only one of them has is explained if it is another form or a listed synonym of a word in the other, or carries no
//! meaning in a known language. If only one of the two has unexplained words, it says all that the other says, and more. Numbers,
//! units, negations, persons, the order of words, and quoted or coded identifiers are compared exactly.

use std::collections::BTreeSet;

use super::groups::{GroupKind, group_of, groups_of, join_phrases, other_side};
use super::relations::relations;
use super::speech::{Languages, negates_anywhere, negates_once};
use super::tokens::{StatementWords, told};
use super::vocabulary::{AND, CONNECTIVES, RATHER};
use super::word::{Kind, Word, stem};

/// A reason not to merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Difference {
    /// Numbers, versions, dates, times or sizes.
    Number,
    /// A unit of measure or of time.
    Unit,
    /// A weekday, a month, a part of the day.
    Date,
    /// One is negated and the other is not.
    Negation,
    /// One says the opposite of the other: before and after, up and down.
    Opposite,
    /// The same words in the opposite direction: from here to there, and from there to here.
    Order,
    /// Quoted text or a coded identifier.
    Identifier,
    /// A name: capitalised inside a sentence, or all capitals.
    Name,
    /// About different people: the user's mother in one, the user in the other.
    Relation,
    /// Each has words that the other lacks, or the extra words of one may be more than an addition.
    Words,
}

impl Difference {
    /// Whether the two statements cannot both be true. Different words or persons only make a different fact.
    #[must_use]
    pub fn contradicts(self) -> bool {
        !matches!(self, Self::Words | Self::Relation)
    }
}

/// The extent of one statement compared with another, if nothing keeps them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// The same.
    Same,
    /// The first says all that the second says, and more.
    More,
    /// The first says less.
    Less,
}

/// A statement to compare, split into words.
pub struct ComparedStatement<'a> {
    text: &'a str,
    words: Vec<Word>,
    /// The languages that it is surely in, which determine its negations.
    languages: Languages,
    /// The day on which it was said, if its meaning depends on it.
    day: Option<i64>,
}

impl<'a> ComparedStatement<'a> {
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        let StatementWords { words, languages } = told(text);
        Self { text, words: join_phrases(&words), languages, day: None }
    }

    /// Sets the day (since 1970) on which it was said. It counts for episodes, and for words that are relative to it, such as
    /// "yesterday".
    #[must_use]
    pub fn said_on(self, day: i64, episode: bool) -> Self {
        let dated = episode || self.words.iter().any(|word| !groups_of(GroupKind::Relative, word).is_empty());
        Self { day: dated.then_some(day), ..self }
    }

    pub(super) fn words(&self) -> &[Word] {
        &self.words
    }

    /// Compares it with another statement; `None`: something keeps them apart.
    #[must_use]
    pub fn beside(&self, other: &ComparedStatement<'_>) -> Option<Extent> {
        if CHECKS.iter().any(|(differ, _)| differ(self, other)) {
            return None;
        }
        self.extent(other)
    }

    /// Number of negating words; in some languages several count as one.
    pub(super) fn negations(&self) -> usize {
        let count = self.words.iter().filter(|word| word.kind == Kind::Negation).count();
        if negates_once(self.languages) { count.min(1) } else { count }
    }

    /// Compares by the words alone.
    fn extent(&self, other: &ComparedStatement<'_>) -> Option<Extent> {
        let (own, others) = (unexplained(&self.words, &other.words), unexplained(&other.words, &self.words));
        match (own.is_empty(), others.is_empty()) {
            (true, true) => Some(Extent::Same),
            (false, true) => self.only_adds(&own).then_some(Extent::More),
            (true, false) => other.only_adds(&others).then_some(Extent::Less),
            (false, false) => None,
        }
    }

    /// Whether the statement stays true without these words, given by index. It may not if one of them negates it, says that it
    /// is only planned or past, or changes its subject: "New York", "my neighbour's", "of".
    fn only_adds(&self, own: &[usize]) -> bool {
        let words = &self.words;
        let renames = |at: usize| {
            let part_of_name = |one: usize, next: usize| {
                words.get(one).zip(words.get(next)).is_some_and(|(one, next)| one.is_name() && next.is_name() && next.follows)
            };
            let before = at.checked_sub(1);
            before.is_some_and(|before| words[before].is_possessive() || (part_of_name(before, at) && !own.contains(&before)))
                || words[at].is_possessive()
                || (part_of_name(at, at + 1) && !own.contains(&(at + 1)))
                || words.get(at + 1).is_some_and(|next| next.is_one_of(&["of"]))
        };
        let adds = |at: &usize| {
            let word = &words[*at];
            !negates_anywhere(word) && groups_of(GroupKind::Doubt, word).is_empty() && !renames(*at)
        };
        self.languages != 0 && own.iter().all(adds)
    }
}

type Comparison = fn(&ComparedStatement<'_>, &ComparedStatement<'_>) -> bool;

/// The checks that keep two statements apart, each with its reason.
const CHECKS: [(Comparison, Difference); 9] = [
    (|a, b| keys(&a.words, Kind::Number) != keys(&b.words, Kind::Number), Difference::Number),
    (|a, b| differ_in_class(&a.words, &b.words, GroupKind::Unit), Difference::Unit),
    (
        |a, b| differ_in_class(&a.words, &b.words, GroupKind::Calendar) || a.day.zip(b.day).is_some_and(|(a, b)| a != b),
        Difference::Date,
    ),
    (|a, b| a.negations() != b.negations(), Difference::Negation),
    (|a, b| say_opposites(&a.words, &b.words), Difference::Opposite),
    (|a, b| turned_round(&a.words, &b.words), Difference::Order),
    (|a, b| lacks_identifier(&a.words, b.text) || lacks_identifier(&b.words, a.text), Difference::Identifier),
    (|a, b| differ_in_names(&a.words, &b.words), Difference::Name),
    (|a, b| relations(&a.words) != relations(&b.words), Difference::Relation),
];

/// Returns every difference that keeps two statements apart; empty: one of them says all that the other says.
#[must_use]
pub fn differences(a: &str, b: &str) -> Vec<Difference> {
    let (a, b) = (ComparedStatement::new(a), ComparedStatement::new(b));
    let mut found: Vec<_> = CHECKS.into_iter().filter_map(|(differ, difference)| differ(&a, &b).then_some(difference)).collect();
    if a.extent(&b).is_none() {
        found.push(Difference::Words);
    }
    found
}

/// Indexes of the content words that nothing in the other statement explains.
pub fn unexplained(these: &[Word], others: &[Word]) -> Vec<usize> {
    let is_explained = |at: usize, word: &Word| {
        others.iter().enumerate().any(|(there, other)| explains(other, word, at > 0 && there > 0))
            || others.windows(2).any(|two| is_compound(word, two))
            || written_apart(&these[at..], others)
            || written_apart(&these[at.saturating_sub(1)..], others)
    };
    let own = these.iter().enumerate().filter(|(_, word)| word.kind == Kind::Plain);
    own.filter(|(at, word)| !is_explained(*at, word)).map(|(at, _)| at).collect()
}

/// Whether a word is a compound of two others: "timezone" and "time zone".
fn is_compound(word: &Word, parts: &[Word]) -> bool {
    let (first, second) = (&parts[0], &parts[1]);
    word.lower.strip_prefix(first.lower.as_str()).is_some_and(|rest| !rest.is_empty() && stem(rest) == stem(&second.lower))
}

/// Whether the first two words are one word in the other statement.
fn written_apart(these: &[Word], others: &[Word]) -> bool {
    these.len() > 1 && others.iter().any(|word| word.kind == Kind::Plain && is_compound(word, &these[..2]))
}

/// Whether a word is another form or a synonym of the other. Names that are written differently are different names. `inside`:
/// neither begins its statement.
fn explains(other: &Word, word: &Word, inside: bool) -> bool {
    let shared = |class| !groups_of(class, word).is_disjoint(&groups_of(class, other));
    let names = inside && word.is_name() && other.is_name() && word.lower != other.lower;
    let quoted = other.kind == Kind::Identifier && other.key.split_whitespace().any(|part| stem(part) == word.key);
    quoted
        || (word.key == other.key && !names)
        || [GroupKind::Synonym, GroupKind::Unit, GroupKind::Calendar].into_iter().any(shared)
}

fn keys(words: &[Word], kind: Kind) -> BTreeSet<&str> {
    words.iter().filter(|word| word.kind == kind).map(|word| word.key.as_str()).collect()
}

fn content(words: &[Word]) -> impl Iterator<Item = &Word> {
    words.iter().filter(|word| word.kind != Kind::Stop)
}

/// Whether each has a member of a closed class that the other lacks: hours in one, days in the other.
fn differ_in_class(a: &[Word], b: &[Word], class: GroupKind) -> bool {
    let members = |words: &[Word]| -> BTreeSet<usize> { words.iter().filter_map(|word| group_of(class, word)).collect() };
    let (a, b) = (members(a), members(b));
    a.difference(&b).next().is_some() && b.difference(&a).next().is_some()
}

fn say_opposites(a: &[Word], b: &[Word]) -> bool {
    let sides =
        |words: &[Word]| -> BTreeSet<usize> { words.iter().flat_map(|word| groups_of(GroupKind::Opposite, word)).collect() };
    let (a, b) = (sides(a), sides(b));
    a.iter().any(|side| {
        let other = other_side(*side);
        !a.contains(&other) && b.contains(&other) && !b.contains(side)
    })
}

/// Whether the content words are the same in another order between the same small words, or are on the other side of a
/// connective.
fn turned_round(a: &[Word], b: &[Word]) -> bool {
    let bag = |words: &[Word]| -> Vec<String> {
        let mut keys: Vec<_> = content(words).map(|word| word.key.clone()).collect();
        keys.sort_unstable();
        keys
    };
    if bag(a) == bag(b) && sequence(a) != sequence(b) && shape(a) == shape(b) {
        return true;
    }
    let after = |words: &[Word], connective: &str| -> Option<String> {
        let at = words.iter().position(|word| word.is_one_of(&[connective]))?;
        content(&words[at + 1..]).next().map(|word| word.key.clone())
    };
    if other_preference(a, b) {
        return true;
    }
    let holds = |words: &[Word], key: &str| content(words).any(|word| word.key == key);
    CONNECTIVES.iter().any(|connective| match (after(a, connective), after(b, connective)) {
        (Some(x), Some(_)) if only_before(b, connective, &x) => true,
        (Some(_), Some(y)) if only_before(a, connective, &y) => true,
        (Some(x), Some(y)) => {
            x != y && holds(b, &x) && holds(a, &y) && two_sides(a, connective, &y) && two_sides(b, connective, &x)
        }
        _ => false,
    })
}

/// Content words in order, each number joined with the word that it counts. The order of two list items is ignored, and so is the
/// place of an adverb.
fn sequence(words: &[Word]) -> Vec<String> {
    let mut parts: Vec<(String, bool)> = Vec::new();
    let mut counts = false;
    for word in words.iter().filter(|word| !word.is_article() && (word.is_name() || !word.lower.ends_with("ly"))) {
        match parts.last_mut().filter(|_| counts && word.kind == Kind::Plain) {
            Some((number, _)) => *number = format!("{number} {}", word.key),
            None => parts.push((word.key.clone(), word.kind == Kind::Stop)),
        }
        counts = word.kind == Kind::Number;
    }
    for at in 1..parts.len().saturating_sub(1) {
        if parts[at].1 && AND.contains(&parts[at].0.as_str()) && parts[at - 1].0 > parts[at + 1].0 {
            parts.swap(at - 1, at + 1);
        }
    }
    parts.into_iter().filter(|(_, small)| !small).map(|(key, _)| key).collect()
}

/// Whether one prefers what the other rejects: "tabs rather than spaces" and "spaces over tabs".
fn other_preference(a: &[Word], b: &[Word]) -> bool {
    let sides = |words: &[Word]| {
        let at = words.iter().position(|word| word.is_one_of(&RATHER))?;
        let keys = |words: &[Word]| -> BTreeSet<String> { content(words).map(|word| word.key.clone()).collect() };
        Some((keys(&words[..at]), keys(&words[at + 1..])))
    };
    match (sides(a), sides(b)) {
        (Some((chosen_a, left_a)), Some((chosen_b, left_b))) => !chosen_a.is_disjoint(&left_b) && !left_a.is_disjoint(&chosen_b),
        _ => false,
    }
}

/// Whether a word occurs, but only before the connective, and the connective is one of direction.
fn only_before(words: &[Word], connective: &str, key: &str) -> bool {
    let Some(at) = words.iter().position(|word| word.is_one_of(&[connective])) else { return false };
    let holds = |words: &[Word]| words.iter().any(|word| word.key == key);
    holds(&words[..at]) && !holds(&words[at..]) && matches!(connective, "from" | "to" | "into" | "dari" | "ke")
}

/// Whether a word is before the connective; always true for "from".
fn two_sides(words: &[Word], connective: &str, key: &str) -> bool {
    let Some(at) = words.iter().position(|word| word.is_one_of(&[connective])) else { return false };
    words[..at].iter().any(|word| word.key == key) || matches!(connective, "from" | "dari")
}

/// Whether quoted or coded text is missing from the other statement, whatever the spelling.
fn lacks_identifier(words: &[Word], other: &str) -> bool {
    let other = other.to_lowercase();
    words.iter().filter(|word| word.kind == Kind::Identifier).any(|word| !other.contains(word.key.trim_end_matches('s')))
}

/// Whether each has a name that the other lacks.
fn differ_in_names(a: &[Word], b: &[Word]) -> bool {
    let only = |these: &[Word], others: &[Word]| {
        these.iter().skip(1).any(|word| word.is_name() && !others.iter().any(|other| other.key == word.key))
    };
    only(a, b) && only(b, a)
}

/// Small words in order, with one mark for every run of other words.
fn shape(words: &[Word]) -> Vec<&str> {
    let mut shape: Vec<&str> = Vec::new();
    for word in words {
        if word.is_article() {
            continue;
        }
        let small = word.kind == Kind::Stop || (word.kind == Kind::Plain && word.is_one_of(&CONNECTIVES));
        let mark = if small { word.key.as_str() } else { "#" };
        if mark != "#" || shape.last() != Some(&"#") {
            shape.push(mark);
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(a: &str, b: &str) -> Option<Extent> {
        ComparedStatement::new(a).beside(&ComparedStatement::new(b))
    }

    #[test]
    fn names_what_keeps_look_alikes_apart() {
        for (a, b, difference) in [
            ("Preview environments use ports 7300–7399.", "Preview environments use ports 7400–7499.", Difference::Number),
            ("Sessions expire after 15 minutes", "Sessions expire after 15 hours", Difference::Unit),
            ("The index is rebuilt every Sunday", "The index is rebuilt every Monday", Difference::Date),
            ("Load tests run against staging", "Load tests never run against staging", Difference::Negation),
            ("The map works without WebGL", "The map does not work without WebGL", Difference::Negation),
            ("Migrations run before the deploy", "Migrations run after the deploy", Difference::Opposite),
            ("Backups are copied from Frankfurt to Dublin", "Backups are copied from Dublin to Frankfurt", Difference::Order),
            ("I went from Ghent to Bruges", "I went from Bruges to Ghent in May", Difference::Order),
            ("Set the state to `queued`", "Set the state to `failed`", Difference::Identifier),
            ("User wants answers in German", "User wants answers in French", Difference::Name),
            ("User's mother lives in Ghent", "User lives in Ghent now", Difference::Relation),
            ("User favours tabs rather than spaces", "User prefers spaces over tabs", Difference::Order),
            ("The portal team owns the page", "The payments team owns the page", Difference::Words),
        ] {
            assert!(differences(a, b).contains(&difference), "{a} | {b}: {:?}", differences(a, b));
            assert_eq!((differences(a, a), extent(a, b)), (Vec::new(), None));
        }
    }

    #[test]
    fn lets_rewordings_pass() {
        for (a, b) in [
            ("Uploads are limited to 25 MB per file", "Each uploaded file may be at most 25 MB"),
            ("User doesn't want emojis in answers", "User asks for answers without emojis"),
            ("“Cold shelf” means a collection not read for 90 days", "A collection not read for 90 days is called a cold shelf"),
            ("The importer takes files from the bucket", "Files are taken from the bucket by the importer"),
            ("Ich wohne seit Mai in Jena", "Seit Mai lebe ich in Jena"),
            ("Je ne bois pas de thé", "Je ne bois jamais de thé"),
            ("User speaks Latin and Greek", "User speaks Greek and Latin"),
            // Letters and digits of other shapes, and the two ways to write an accent.
            ("𝓜𝔂 𝓽𝓮𝓷𝓽 𝓲𝓼 𝓫𝓵𝓾𝓮", "My tent is blue"),
            ("My caf\u{e9} is closed", "My cafe\u{301} is closed"),
        ] {
            assert_eq!(differences(a, b), [], "{a} | {b}");
        }
    }

    #[test]
    fn what_is_not_explained_is_never_merged_away() {
        for (a, b) in [
            // Negations in known languages, in one with nothing but its negation listed, and in one without even that.
            ("Ich vertrage Milch", "Ich vertrage keine Milch"),
            ("Bevo latte", "Non bevo latte"),
            ("Tôi uống sữa", "Tôi không uống sữa"),
            ("Nim blorp zanda", "Nim xi blorp zanda"),
            // Scripts that the encoder does not know, and symbols.
            ("나는 부산에서 산다", "나는 새우 알레르기가 있다"),
            ("আমি খুলনায় থাকি", "আমার চিংড়িতে অ্যালার্জি আছে"),
            ("🍇🍈", "🚜🏡"),
            ("I ate 🍇 today", "I ate 🍍 today"),
            // A further item on each side.
            ("I take zinc and iron", "I take zinc and calcium"),
            // An addition that makes it something else.
            ("I live in York", "I live in New York"),
            ("User is allergic to nuts", "User's cat is allergic to nuts"),
            ("I own a boat", "I sold my boat"),
            ("I eat meat", "I used to eat meat"),
            ("I go to Faro", "I come from Faro"),
            ("I like Hans", "I like Han"),
        ] {
            assert_eq!((extent(a, b), extent(b, a)), (None, None), "{a} | {b}");
        }
    }

    #[test]
    fn one_that_holds_all_of_the_other_says_more() {
        for (more, less) in [
            ("I am allergic to walnuts and sesame", "I am allergic to walnuts"),
            ("User takes zinc 5 mg twice a day with water", "User takes zinc 5 mg twice a day"),
            ("User's sisters are Ada, Bea, Cleo and Dina", "User's sisters are Ada, Cleo and Dina"),
            ("I cannot eat rye, barley or oats", "I cannot eat rye or oats"),
            ("Ich habe eine schwarze Katze", "Ich habe eine Katze"),
        ] {
            assert_eq!((extent(more, less), extent(less, more)), (Some(Extent::More), Some(Extent::Less)), "{more}");
        }
    }

    #[test]
    fn another_day_is_another_episode_and_another_yesterday() {
        let beside = |a: &str, b: &str, episode: bool| {
            ComparedStatement::new(a).said_on(1, episode).beside(&ComparedStatement::new(b).said_on(2, episode)).is_some()
        };
        assert!(!beside("User met Bo", "User met Bo", true) && beside("User has a boat", "User has a boat", false));
        assert!(!beside("User met Bo yesterday", "User met Bo yesterday", false));
    }
}
