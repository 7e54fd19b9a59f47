//! Lists of words: given names, surnames, ordinary words, products, places.
//!
//! The lists are in `lexicon/`, a folder for each language beside those that belong to none, and are read once. A lookup only
//! says how a word is *known*; a head decides whether a sentence uses it as a name.

use std::collections::HashMap;
use std::sync::LazyLock;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameClass {
    /// A given name that is rarely anything else: `priya`.
    Common,
    /// A rarer given name.
    Given,
    Surname,
    /// Also an ordinary word: `mark`.
    WordToo,
    /// Also a product or a place: `jordan`.
    ThingToo,
}

/// The lists that hold a word, in its base form or inflected. A word can be on several lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "one per list, independent of each other")]
pub struct Known {
    pub name: Option<NameClass>,
    pub english: bool,
    pub indonesian: bool,
    /// A product, place, month or eponym.
    pub term: bool,
    /// A city whose name is also a name of people.
    pub city: bool,
    /// A word of no other list that is no name.
    pub ordinary: bool,
}

impl Known {
    /// On no list.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        *self == Self::default()
    }

    /// Packs all of it into one byte.
    #[must_use]
    pub fn code(&self) -> u8 {
        let lists = [self.english, self.indonesian, self.term, self.city, self.ordinary];
        lists.into_iter().fold(self.name_code(), |code, list| code << 1 | u8::from(list))
    }

    /// Packs the kind of name into one byte.
    #[must_use]
    pub fn name_code(&self) -> u8 {
        match self.name {
            None => 0,
            Some(NameClass::Common) => 1,
            Some(NameClass::Given) => 2,
            Some(NameClass::Surname) => 3,
            Some(NameClass::WordToo) => 4,
            Some(NameClass::ThingToo) => 5,
        }
    }
}

static LISTS: LazyLock<HashMap<&'static str, Known>> = LazyLock::new(|| {
    let mut known: HashMap<&'static str, Known> = HashMap::with_capacity(96_000);
    for line in lines(include_str!("../lexicon/names.txt")) {
        let (name, class) = line.split_once(' ').unwrap_or((line, "n"));
        known.entry(name).or_default().name = Some(match class {
            "c" => NameClass::Common,
            "n" => NameClass::Given,
            "s" => NameClass::Surname,
            "w" => NameClass::WordToo,
            "p" => NameClass::ThingToo,
            _ => panic!("names.txt: {line}"),
        });
    }
    for word in lines(include_str!("../lexicon/en/words.txt")) {
        known.entry(word).or_default().english = true;
    }
    for word in lines(include_str!("../lexicon/id/words.txt")) {
        known.entry(word).or_default().indonesian = true;
    }
    for term in lines(include_str!("../lexicon/terms.txt")) {
        known.entry(term).or_default().term = true;
    }
    for city in lines(include_str!("../lexicon/cities.txt")) {
        known.entry(city).or_default().city = true;
    }
    for word in lines(include_str!("../lexicon/ordinary.txt")) {
        known.entry(word).or_default().ordinary = true;
    }
    known
});

fn lines(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Looks up a lower-case word.
#[must_use]
pub fn known(word: &str) -> Known {
    let listed = LISTS.get(word).copied().unwrap_or_default();
    let mut known = Known { english: is_english(word), indonesian: listed.indonesian, ordinary: false, ..listed };
    known.ordinary = known.is_unknown() && is_ordinary(word);
    known
}

/// A language with a folder in `lexicon/`, the most important first: in doubt, a text is in the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    English,
    Indonesian,
    French,
    German,
    Spanish,
    /// None of these.
    Other,
}

/// The lists of one language.
struct Tongue {
    language: Language,
    common: &'static str,
    pronouns: &'static str,
    secrets: &'static str,
    numbers: &'static str,
    groups: &'static str,
    beside: &'static str,
}

/// The lists of the folder of a language.
macro_rules! tongue {
    ($language:ident, $folder:literal) => {
        Tongue {
            language: Language::$language,
            common: include_str!(concat!("../lexicon/", $folder, "/common.txt")),
            pronouns: include_str!(concat!("../lexicon/", $folder, "/pronouns.txt")),
            secrets: include_str!(concat!("../lexicon/", $folder, "/secrets.txt")),
            numbers: include_str!(concat!("../lexicon/", $folder, "/numbers.txt")),
            groups: include_str!(concat!("../lexicon/", $folder, "/groups.txt")),
            beside: include_str!(concat!("../lexicon/", $folder, "/beside.txt")),
        }
    };
}

/// A new language is a new folder and a line here.
const TONGUES: [Tongue; 6] = [
    tongue!(English, "en"),
    tongue!(Indonesian, "id"),
    tongue!(French, "fr"),
    tongue!(German, "de"),
    tongue!(Spanish, "es"),
    Tongue {
        language: Language::Other,
        common: "",
        pronouns: include_str!("../lexicon/other/pronouns.txt"),
        secrets: include_str!("../lexicon/other/secrets.txt"),
        numbers: "",
        groups: "",
        beside: "",
    },
];

/// The groups of further languages, which are used only to compare two statements.
const FURTHER: [&str; 14] = [
    include_str!("../lexicon/pt/groups.txt"),
    include_str!("../lexicon/it/groups.txt"),
    include_str!("../lexicon/nl/groups.txt"),
    include_str!("../lexicon/sv/groups.txt"),
    include_str!("../lexicon/da/groups.txt"),
    include_str!("../lexicon/no/groups.txt"),
    include_str!("../lexicon/pl/groups.txt"),
    include_str!("../lexicon/ru/groups.txt"),
    include_str!("../lexicon/uk/groups.txt"),
    include_str!("../lexicon/tr/groups.txt"),
    include_str!("../lexicon/ar/groups.txt"),
    include_str!("../lexicon/ko/groups.txt"),
    include_str!("../lexicon/hi/groups.txt"),
    include_str!("../lexicon/other/groups.txt"),
];

/// The certainty that a secret follows a lower-case word: always, or only if the value looks like nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretWord {
    Always,
    Doubtful,
}

#[must_use]
pub fn secret_word(word: &str) -> Option<SecretWord> {
    static WORDS: LazyLock<HashMap<&str, SecretWord>> = LazyLock::new(|| {
        let words = TONGUES.iter().flat_map(|tongue| lines(tongue.secrets));
        words
            .map(|word| match word.strip_suffix('?') {
                Some(word) => (word, SecretWord::Doubtful),
                None => (word, SecretWord::Always),
            })
            .collect()
    });
    WORDS.get(word).copied()
}

/// Grammatical person: the speaker, the one spoken to, or the one spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Person {
    First,
    Second,
    Third,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pronoun {
    pub language: Language,
    pub person: Person,
    /// Whether the word is also something else, so that its neighbours decide.
    pub doubtful: bool,
}

/// The pronouns that a lower-case word can be.
#[must_use]
pub fn pronouns(word: &str) -> &'static [Pronoun] {
    static PRONOUNS: LazyLock<HashMap<&str, Vec<Pronoun>>> = LazyLock::new(|| {
        let mut pronouns: HashMap<&str, Vec<Pronoun>> = HashMap::new();
        for Tongue { language, pronouns: list, .. } in TONGUES {
            for (word, kind) in lines(list).filter_map(|line| line.split_once(' ')) {
                let person = match kind.trim_end_matches('?') {
                    "first" => Person::First,
                    "second" => Person::Second,
                    "third" => Person::Third,
                    _ => panic!("pronouns.txt: {word} {kind}"),
                };
                pronouns.entry(word).or_default().push(Pronoun { language, person, doubtful: kind.ends_with('?') });
            }
        }
        pronouns
    });
    PRONOUNS.get(word).map_or(&[], Vec::as_slice)
}

/// The languages in which a lower-case word is common.
fn common(word: &str) -> &'static [Language] {
    static COMMON: LazyLock<HashMap<&str, Vec<Language>>> = LazyLock::new(|| {
        let mut common: HashMap<&str, Vec<Language>> = HashMap::new();
        for tongue in &TONGUES {
            for word in lines(tongue.common) {
                common.entry(word).or_default().push(tongue.language);
            }
        }
        common
    });
    COMMON.get(word).map_or(&[], Vec::as_slice)
}

/// A short frequent word of any language, such as `of`.
#[must_use]
pub fn is_common_anywhere(word: &str) -> bool {
    !common(word).is_empty()
}

#[must_use]
pub fn is_common(word: &str, language: Language) -> bool {
    common(word).contains(&language)
}

/// The language with most common words among these lower-case words.
pub fn language<'a>(words: impl Iterator<Item = &'a str>) -> Language {
    let mut counts = [0; TONGUES.len()];
    for language in words.flat_map(common) {
        counts[*language as usize] += 1;
    }
    let most = counts.iter().copied().max().unwrap_or(0);
    let first = counts.iter().position(|count| *count == most).filter(|_| most > 0);
    first.map_or(Language::Other, |at| TONGUES[at].language)
}

/// Words that stand for the same thing; `lexicon/en/groups.txt` says which kinds there are.
#[derive(Debug)]
pub struct Group {
    pub kind: &'static str,
    pub name: &'static str,
    /// In all languages.
    pub words: Vec<&'static str>,
}

static GROUPS: LazyLock<Vec<Group>> = LazyLock::new(|| {
    let mut groups: Vec<Group> = Vec::new();
    for line in TONGUES.iter().map(|tongue| tongue.groups).chain(FURTHER).flat_map(lines) {
        let mut cells = line.split(' ');
        let (Some(kind), Some(name)) = (cells.next(), cells.next()) else { continue };
        match groups.iter_mut().find(|group| group.kind == kind && group.name == name) {
            Some(group) => group.words.extend(cells),
            None => groups.push(Group { kind, name, words: cells.collect() }),
        }
    }
    groups
});

/// The groups of a kind, in the order of the files.
pub fn groups(kind: &str) -> impl Iterator<Item = &'static Group> {
    GROUPS.iter().filter(move |group| group.kind == kind)
}

/// The group of this kind that holds a word.
#[must_use]
pub fn group(kind: &str, word: &str) -> Option<&'static Group> {
    static HOLDERS: LazyLock<HashMap<&str, Vec<&Group>>> = LazyLock::new(|| {
        let mut holders: HashMap<&str, Vec<&Group>> = HashMap::new();
        for group in GROUPS.iter() {
            for word in &group.words {
                holders.entry(word).or_default().push(group);
            }
        }
        holders
    });
    HOLDERS.get(word)?.iter().find(|group| group.kind == kind).copied()
}

/// The words for numbers below eleven, in English and Indonesian.
pub fn number_words() -> impl Iterator<Item = &'static str> {
    TONGUES[..2].iter().flat_map(|tongue| lines(tongue.numbers)).filter_map(|line| line.split(' ').next())
}

/// Returns the value of a number word below eleven, as it is said in a row of digits.
#[must_use]
pub fn number(word: &str) -> Option<u8> {
    static NUMBERS: LazyLock<HashMap<&str, u8>> = LazyLock::new(|| {
        let lists = TONGUES.iter().flat_map(|tongue| lines(tongue.numbers));
        lists.filter_map(|line| line.split_once(' ')).filter_map(|(word, value)| Some((word, value.parse().ok()?))).collect()
    });
    NUMBERS.get(word).copied()
}

/// The kinds of `beside.txt`.
pub const BESIDE: [&str; 12] =
    ["title", "asks", "answered", "job", "acts", "state", "owned", "thing", "named", "place", "passing", "mostly"];

/// Whether a lower-case word plays this role next to a name.
#[must_use]
pub fn is_beside(word: &str, kind: &str) -> bool {
    beside(word) >> kind_at(kind) & 1 == 1
}

fn kind_at(kind: &str) -> usize {
    BESIDE.iter().position(|known| *known == kind).unwrap_or_else(|| panic!("beside.txt knows no {kind}"))
}

/// Roles of a lower-case word next to a name: a bit for each kind.
#[must_use]
pub fn beside(word: &str) -> u16 {
    static WORDS: LazyLock<HashMap<&str, u16>> = LazyLock::new(|| {
        let mut beside: HashMap<&str, u16> = HashMap::new();
        for line in TONGUES.iter().flat_map(|tongue| lines(tongue.beside)) {
            let mut words = line.split(' ');
            let word = words.next().unwrap_or_default();
            let bits = words.filter_map(|kind| BESIDE.iter().position(|known| *known == kind)).fold(0, |bits, at| bits | 1 << at);
            *beside.entry(word).or_default() |= bits;
        }
        beside
    });
    WORDS.get(word).copied().unwrap_or(0)
}

/// A word that stands between spoken digits: `double`, `then`, `spasi`.
#[must_use]
pub fn is_between_digits(word: &str) -> bool {
    lines(include_str!("../lexicon/between_digits.txt")).any(|listed| listed == word)
}

/// `alpha`, `bravo`: a word of the spelling alphabet of the ICAO, or of aviation before it.
#[must_use]
pub fn is_spelling_word(word: &str) -> bool {
    lines(include_str!("../lexicon/spelling.txt")).any(|listed| listed == word)
}

/// The name class of a lower-case word.
#[must_use]
pub fn name(word: &str) -> Option<NameClass> {
    LISTS.get(word).and_then(|known| known.name)
}

/// A product, place, month or eponym.
#[must_use]
pub fn is_term(word: &str) -> bool {
    LISTS.get(word).is_some_and(|known| known.term)
}

#[must_use]
pub fn is_indonesian(word: &str) -> bool {
    LISTS.get(word).is_some_and(|known| known.indonesian)
}

/// An Indonesian word, in its base form or with affixes.
#[must_use]
pub fn is_indonesian_form(word: &str) -> bool {
    is_indonesian(word) || indonesian_form(word)
}

/// An English word, in its base form or inflected.
#[must_use]
pub fn is_english(word: &str) -> bool {
    inflected(word, |word| LISTS.get(word).is_some_and(|known| known.english))
}

/// Any word that is not only a name: English, Indonesian, a term, a product, a company, a place; in base form or inflected.
#[must_use]
pub fn is_ordinary(word: &str) -> bool {
    let base =
        |word: &str| LISTS.get(word).is_some_and(|known| known.ordinary || known.english || known.term || known.indonesian);
    inflected(word, base) || indonesian_form(word)
}

/// Whether a word is in a list, or is one of its words with an English ending.
fn inflected(word: &str, known: impl Fn(&str) -> bool) -> bool {
    const STEM: usize = 2;
    let is_stem = |stem: &str, replaced: &str| {
        stem.len() >= STEM
            && (if replaced.is_empty() { known(stem) } else { known(&[stem, replaced].concat()) }
                || doubled(stem).is_some_and(&known))
    };
    let stems = AFFIXES.suffixes.iter().filter_map(|(suffix, replaced)| Some((word.strip_suffix(suffix)?, replaced)));
    known(word) || stems.into_iter().any(|(stem, replaced)| is_stem(stem, replaced))
}

/// Affixes, each with the letters of the stem that it replaces.
struct Affixes {
    suffixes: Vec<(&'static str, &'static str)>,
    prefixes: Vec<(&'static str, &'static str)>,
    endings: Vec<(&'static str, &'static str)>,
}

static AFFIXES: LazyLock<Affixes> = LazyLock::new(|| {
    let letters = |affix: &'static str| if affix == "-" { "" } else { affix };
    let of = |kind| groups(kind).flat_map(|group| group.words.iter().map(|word| (letters(group.name), letters(word)))).collect();
    Affixes { suffixes: of("suffix"), prefixes: of("prefix"), endings: of("ending") }
});

/// `pemeriksaan`, `dijadwalkan`: an Indonesian stem with affixes.
fn indonesian_form(word: &str) -> bool {
    const SHORTEST: usize = 5;
    const STEM: usize = 4;
    let is_stem = |stem: &str, replaced: &str| {
        stem.len() + replaced.len() >= STEM
            && if replaced.is_empty() { is_indonesian(stem) } else { is_indonesian(&[replaced, stem].concat()) }
    };
    let has_stem = |rest: &str, replaced: &str| {
        AFFIXES.endings.iter().filter_map(|(ending, _)| rest.strip_suffix(ending)).any(|stem| is_stem(stem, replaced))
    };
    word.len() >= SHORTEST
        && AFFIXES
            .prefixes
            .iter()
            .any(|(prefix, replaced)| word.strip_prefix(prefix).is_some_and(|rest| has_stem(rest, replaced)))
}

/// `stopp` of `stopped` is `stop`.
fn doubled(stem: &str) -> Option<&str> {
    let bytes = stem.as_bytes();
    (stem.is_ascii() && bytes.len() > 3 && bytes[bytes.len() - 1] == bytes[bytes.len() - 2]).then(|| &stem[..stem.len() - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflected_words_are_known() {
        for word in ["stopped", "parties", "build", "fastest"] {
            assert!(is_english(word), "{word}");
        }
        assert!(is_ordinary("dijadwalkan") && known("priya").name == Some(NameClass::Common));
        assert!(known("zorvex").is_unknown() && !known("kubernetes").is_unknown());
    }

    #[test]
    fn common_words_tell_languages_apart() {
        let of = |text: &str| language(text.split(' '));
        assert_eq!(of("the cache is cold"), Language::English);
        assert_eq!(of("rilis harus lewat antrean yang ini"), Language::Indonesian);
        assert_eq!(of("le serveur est dans la cave"), Language::French);
        assert_eq!(of("der build ist nicht auf dem server"), Language::German);
        assert_eq!(of("ik mijn"), Language::Other);
        assert_eq!(pronouns("my"), [Pronoun { language: Language::English, person: Person::First, doubtful: false }]);
    }
}
