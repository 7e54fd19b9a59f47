//! Is a near neighbour the same statement said again, or another statement that merely sounds alike?
//!
//! Similarity cannot tell: "ports 7300–7399" and "ports 7400–7499" score higher than most honest rewordings. The *merge
//! guard* therefore compares what a vector blurs: numbers, versions, dates, units, negations, quoted or coded identifiers,
//! names, and which of two otherwise equal sentences names another thing.

mod guard;
mod vocabulary;
mod words;

pub use guard::{Difference, differences};

/// What to do with a statement, given its nearest neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// The neighbour says the same: become one.
    Merge,
    /// The neighbour is about the same thing and says something else: keep both, and flag the pair.
    Contradicts,
    /// A statement of its own.
    New,
}

/// Places a candidate against one existing fact. A candidate at or above `merge` that the guard lets through merges; one
/// at or above `related` that it does not is a possible contradiction.
#[must_use]
pub fn place_fact(similarity: f64, merge: f64, related: f64, existing: &str, incoming: &str) -> Placement {
    if similarity < merge.min(related) {
        return Placement::New;
    }
    let differences = differences(existing, incoming);
    if differences.is_empty() {
        if similarity >= merge { Placement::Merge } else { Placement::New }
    } else if similarity >= related && differences.iter().any(|d| d.contradicts()) {
        Placement::Contradicts
    } else {
        Placement::New
    }
}

/// Does a personal memory merge into its nearest own memory?
#[must_use]
pub fn merges_personal(similarity: f64, threshold: f64, existing: &str, incoming: &str) -> bool {
    similarity >= threshold && differences(existing, incoming).is_empty()
}

/// Words for those whom a personal memory may be about beside the user; a row is one relation.
const KIN: &[&[&str]] = &[
    &[
        "wife",
        "husband",
        "spouse",
        "partner",
        "fiance",
        "fiancee",
        "girlfriend",
        "boyfriend",
        "istri",
        "suami",
        "pacar",
        "tunangan",
    ],
    &[
        "kid",
        "kids",
        "child",
        "children",
        "son",
        "sons",
        "daughter",
        "daughters",
        "baby",
        "twins",
        "toddler",
        "anak",
        "putra",
        "putri",
    ],
    &["mother", "mom", "mum", "ibu", "mama", "nyokap"],
    &["father", "dad", "bapak", "ayah", "papa", "bokap"],
    &["parents", "ortu", "orangtua"],
    &["brother", "brothers", "sister", "sisters", "sibling", "siblings", "adik", "adek", "kakak", "abang"],
    &["grandmother", "grandfather", "grandma", "grandpa", "kakek", "nenek"],
    &["nephew", "niece", "uncle", "aunt", "cousin", "keponakan", "sepupu", "paman", "tante"],
    &["friend", "friends", "flatmate", "roommate", "neighbour", "neighbor", "teman", "temen", "tetangga"],
    &["boss", "manager", "colleague", "colleagues", "bos", "atasan", "rekan"],
];

/// Are two personal statements about the same one: the user, or the same of those around?
#[must_use]
pub fn of_the_same(existing: &str, incoming: &str) -> bool {
    let about = |text: &str| {
        let lower = text.to_lowercase();
        let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
        KIN.iter().map(|row| row.iter().any(|kin| words.contains(kin))).collect::<Vec<_>>()
    };
    about(existing) == about(incoming)
}

/// Is `existing` about one of the user's kin of whom `incoming` does not speak?
#[must_use]
pub fn of_another(existing: &str, incoming: &str) -> bool {
    const BEFORE: &[&str] = &["the", "user", "users", "s", "my", "pengguna", "their"];
    let (existing, incoming) = (existing.to_lowercase(), incoming.to_lowercase());
    let words = |text: &'_ str| text.split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect::<Vec<_>>();
    let about = words(&existing).into_iter().find(|word| !BEFORE.contains(&word.as_str()));
    let row = KIN.iter().find(|row| about.as_ref().is_some_and(|word| row.contains(&word.as_str())));
    row.is_some_and(|row| !words(&incoming).iter().any(|word| row.contains(&word.as_str())))
}

/// Does a correction replace this memory? It does when the memory holds the term that the correction takes back, or when
/// it is near enough.
#[must_use]
pub fn corrects(similarity: f64, threshold: f64, existing: &str, negates: Option<&str>) -> bool {
    negates.is_some_and(|term| words::holds_term(existing, term)) || similarity >= threshold
}

/// Does this text hold that term, word by word, regardless of case and common endings?
#[must_use]
pub fn holds_term(text: &str, term: &str) -> bool {
    words::holds_term(text, term)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_kin_is_not_said_of_the_user() {
        assert!(of_another("The user's mother lives in Ghent.", "User lives in Porto now"));
        assert!(of_another("Istri pengguna bernama Ana", "Pengguna tinggal di Solo"));
        assert!(!of_another("The user's mother lives in Ghent.", "User's mum lives in Porto now"));
        assert!(!of_another("User lives in Ghent", "User lives in Porto now"));
        assert!(of_the_same("User lives in Ghent", "User lives in Porto now"));
        assert!(!of_the_same("User's mother lives in Ghent", "User lives in Ghent now"));
    }

    #[test]
    fn a_neighbour_merges_only_at_the_threshold_and_past_the_guard() {
        let (a, b) = ("Feature flags are read once at boot.", "At boot, feature flags are read once");
        assert_eq!(place_fact(0.93, 0.93, 0.8, a, b), Placement::Merge);
        assert_eq!(place_fact(0.929, 0.93, 0.8, a, b), Placement::New);
        let c = "Feature flags are read twice at boot.";
        assert_eq!(place_fact(0.97, 0.93, 0.8, a, c), Placement::Contradicts);
        assert_eq!(place_fact(0.79, 0.93, 0.8, a, c), Placement::New);
    }

    #[test]
    fn a_correction_finds_the_memory_that_holds_the_negated_term() {
        assert!(corrects(0.1, 0.6, "User works mostly on the iOS app", Some("the iOS app")));
        assert!(!corrects(0.1, 0.6, "User likes tea", Some("the iOS app")));
        assert!(corrects(0.6, 0.6, "User works mostly on the iOS app", None));
    }
}
