//! The groups of words that the merge guard compares, from the lexicon. Words are stemmed by `word`.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use language::lexicon;

use super::word::{Kind, Word, stem};

/// A kind of group, by its name in the lexicon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GroupKind {
    /// Units of time and measure.
    Unit,
    /// Weekdays, months, parts of the day and of the year.
    Calendar,
    /// Times that are relative to the day on which they are said.
    Relative,
    /// Persons besides its owner that a memory may be about.
    Relation,
    /// Words and phrases that rewordings exchange for each other.
    Synonym,
    /// The two sides of pairs that reverse a statement.
    Opposite,
    /// Words that change whether a statement holds: plans, doubts, conditions, past times.
    Doubt,
}

impl GroupKind {
    const ALL: [Self; 7] =
        [Self::Unit, Self::Calendar, Self::Relative, Self::Relation, Self::Synonym, Self::Opposite, Self::Doubt];

    fn kinds(self) -> &'static [&'static str] {
        match self {
            Self::Unit => &["unit"],
            Self::Calendar => &["weekday", "month", "time"],
            Self::Relative => &["relative"],
            Self::Relation => &["relation"],
            Self::Synonym => &["synonym"],
            Self::Opposite => &["opposite"],
            Self::Doubt => &["doubt"],
        }
    }

    fn groups(self) -> impl Iterator<Item = &'static lexicon::Group> {
        self.kinds().iter().flat_map(|kind| lexicon::groups(kind))
    }
}

/// The groups that hold a word or its stem, in order.
type Holders = HashMap<String, BTreeSet<usize>>;

fn holders(class: GroupKind) -> &'static Holders {
    static HOLDERS: LazyLock<HashMap<GroupKind, Holders>> = LazyLock::new(|| {
        let of = |class: GroupKind| {
            let mut holders = Holders::new();
            for (at, group) in class.groups().enumerate() {
                for word in group.words.iter().flat_map(|word| [(*word).to_owned(), stem(word)]) {
                    holders.entry(word).or_default().insert(at);
                }
            }
            holders
        };
        GroupKind::ALL.into_iter().map(|class| (class, of(class))).collect()
    });
    &HOLDERS[&class]
}

/// The groups of a class that a word belongs to.
pub fn groups_of(class: GroupKind, word: &Word) -> BTreeSet<usize> {
    let holders = holders(class);
    [&word.key, &word.lower].into_iter().filter_map(|form| holders.get(form)).flatten().copied().collect()
}

/// The first group of a class that a word belongs to. "may" is a month only if it is not a modal verb.
pub fn group_of(class: GroupKind, word: &Word) -> Option<usize> {
    if word.kind == Kind::Stop { None } else { groups_of(class, word).first().copied() }
}

/// Phrases, each as its stems and as it is listed, the longest first.
static PHRASES: LazyLock<Vec<(Vec<String>, &'static str)>> = LazyLock::new(|| {
    let listed = GroupKind::Synonym.groups().chain(GroupKind::Doubt.groups()).flat_map(|group| &group.words);
    let mut phrases: Vec<_> = listed
        .filter(|word| word.contains('_'))
        .map(|phrase| (phrase.split('_').map(stem).collect::<Vec<_>>(), *phrase))
        .collect();
    phrases.sort_by_key(|(stems, _)| std::cmp::Reverse(stems.len()));
    phrases
});

/// Joins each phrase into one word.
pub fn join_phrases(words: &[Word]) -> Vec<Word> {
    let (mut joined, mut rest) = (Vec::with_capacity(words.len()), words);
    while let Some((word, after)) = rest.split_first() {
        let begins = |stems: &[String]| {
            stems.len() <= rest.len()
                && stems.iter().zip(rest).all(|(stem, word)| *stem == word.key || *stem == super::word::stem(&word.lower))
        };
        if let Some((stems, phrase)) = PHRASES.iter().find(|(stems, _)| begins(stems)) {
            joined.push(Word::phrase((*phrase).to_owned()));
            rest = &rest[stems.len()..];
        } else {
            joined.push(word.clone());
            rest = after;
        }
    }
    joined
}

/// Returns the opposite of a side: `x/` and `/x`.
pub fn other_side(side: usize) -> usize {
    static SIDES: LazyLock<Vec<usize>> = LazyLock::new(|| {
        let names: Vec<&str> = GroupKind::Opposite.groups().map(|group| group.name).collect();
        let other = |name: &str| match name.strip_prefix('/') {
            Some(bare) => format!("{bare}/"),
            None => format!("/{}", name.trim_end_matches('/')),
        };
        names.iter().map(|name| names.iter().position(|side| *side == other(name)).expect("both sides are listed")).collect()
    });
    SIDES[side]
}
