//! Claims: statements of users about themselves or requests to forget, and the memories that they replace or delete.
//!
//! An extractor makes claims from an exchange; a program makes one with each memory that it saves or forgets. Only this module
//! decides which memory a claim means. The store finds the candidates.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::hash::BuildHasher;

use crate::memory::{MemoryKind, Statement};
use crate::merging::{
    self, ComparedStatement, Extent, holds_term, lacks_nothing, may_outdate, may_replace, merges_personal, other_value,
};
use crate::merging::{is_short, is_simple, says_most_of};
use crate::moment::Moment;

/// Maximum number of memories that a wish to forget may mean; they are deleted in one transaction.
pub const MOST_FORGOTTEN: usize = 100;
/// Lead in similarity with which the nearest memory wins over the one that contains the named words.
const MUCH_NEARER: f64 = 0.1;
/// Lead in similarity with which one of several memories is meant. A memory found by similarity alone must also exceed the hint
/// threshold by this much.
const APART: f64 = 0.1;

/// One thing to remember, to change or to forget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The statement to remember; `None`: the memory that is found is deleted and not replaced.
    pub says: Option<Statement>,
    pub takes: Takes,
    /// Whether it is worth keeping even if it replaces nothing.
    pub lasting: bool,
}

/// The memory that a claim replaces or deletes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Takes {
    /// The memory with this id.
    Id(String),
    /// The one that contains these words, in any order and form; else the nearest in meaning.
    Term(String),
    /// All memories about these words, to be forgotten. If there are several, the deletion must be confirmed first.
    Every(String),
    /// The nearest in meaning, if it is near enough.
    Nearest,
    /// The latest statement, which is the first candidate. `just`: only if it was made a moment ago.
    Last { just: bool },
    /// None. The claim merges with a memory that says the same, or becomes a new one.
    Nothing,
}

impl Claim {
    /// A new statement to remember.
    #[must_use]
    pub fn plain(says: Statement) -> Self {
        Self::of(says, Takes::Nothing)
    }

    /// A statement to remember, which replaces a memory if one is found.
    #[must_use]
    pub fn of(says: Statement, takes: Takes) -> Self {
        Self { says: Some(says), takes, lasting: true }
    }

    /// Something to forget.
    #[must_use]
    pub fn forget(takes: Takes) -> Self {
        Self { says: None, takes, lasting: false }
    }

    /// Something to forget, described in somebody's own words.
    #[must_use]
    pub fn forget_that(query: &str) -> Self {
        Self::forget(Takes::Term(query.to_owned()))
    }
}

/// A stored memory and its similarity to a claim (cosine, −1 to 1).
#[derive(Clone, PartialEq)]
pub struct NearMemory {
    pub id: String,
    pub text: String,
    pub similarity: f64,
    pub kind: MemoryKind,
    /// When it was said: the first time for an episode, the last time for anything else.
    pub said: Moment,
}

impl NearMemory {
    fn compared(&self) -> ComparedStatement<'_> {
        ComparedStatement::new(&self.text).said_on(self.said.day(), self.kind == MemoryKind::Episode)
    }
}

/// The similarity thresholds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearness {
    /// Minimum similarity at which the nearest memory is meant.
    pub meant: f64,
    /// Minimum similarity at which two texts may say the same.
    pub same: f64,
    /// Minimum similarity at which a memory may be meant if other evidence points to it too.
    pub hint: f64,
    /// Whether the speaker asked for a replacement. A change that was only mentioned replaces a memory only if it repeats most of
    /// it, or if both are short.
    pub asked: bool,
}

/// Effect of a claim that makes a statement.
#[derive(Clone, Copy, PartialEq)]
pub enum Choice<'a> {
    /// It replaces this memory.
    Takes(&'a NearMemory),
    /// It merges with this memory; the extent is that of the memory, and the richer text stays.
    Joins(&'a NearMemory, Extent),
    /// It becomes a new memory.
    Stands,
    /// It has no effect.
    Lapses,
}

/// The memories that a request to forget means.
#[derive(Clone, PartialEq)]
pub enum Meant<'a> {
    /// This memory, without doubt.
    Surely(&'a NearMemory),
    /// Possibly one or all of these; the deletion must be confirmed first.
    Perhaps(Vec<&'a NearMemory>),
    Nothing,
}

/// Decides the effect of a claim that states something at this moment. `held` is ordered, nearest first. `taken` names memories
/// that another claim of the same exchange already replaced; a claim that means one of them becomes a new memory.
#[must_use]
pub fn choose<'a, S: BuildHasher>(
    claim: &Claim,
    held: &'a [NearMemory],
    taken: &HashSet<String, S>,
    at: Nearness,
    now: Moment,
) -> Choice<'a> {
    let Some(says) = &claim.says else { return Choice::Lapses };
    let said = ComparedStatement::new(says.content.as_str()).said_on(now.day(), says.kind == MemoryKind::Episode);
    let same = |held: &NearMemory| merges_personal(held.similarity, at.same, &held.compared(), &said);
    match replaced(claim, says.content.as_str(), held, at).filter(|found| !taken.contains(&found.id)) {
        Some(found) => match same(found) {
            Some(_) if !claim.lasting => Choice::Lapses,
            Some(extent) if says.kind != MemoryKind::Correction => Choice::Joins(found, extent),
            _ => Choice::Takes(found),
        },
        None if !claim.lasting => Choice::Lapses,
        None => held.iter().find_map(|held| Some(Choice::Joins(held, same(held)?))).unwrap_or(Choice::Stands),
    }
}

/// Returns the memory that a statement replaces. Both must be about the same person and the same thing, unless the claim names
/// the memory by id.
fn replaced<'a>(claim: &Claim, text: &str, held: &'a [NearMemory], at: Nearness) -> Option<&'a NearMemory> {
    let fits = |held: &&NearMemory| may_outdate(text, &held.text) && may_replace(text, &held.text);
    let means = |held: &&NearMemory| at.asked || says_most_of(text, &held.text) || (is_short(text) && is_simple(&held.text));
    let nearest = || {
        // A memory that differs only in its value is meant, even if names lower its similarity.
        let likely = |held: &&NearMemory| at.asked || held.similarity >= at.hint;
        let other = held.iter().find(|held| likely(held) && fits(held) && other_value(text, &held.text));
        other.or_else(|| held.iter().find(|held| held.similarity >= at.meant && fits(held) && means(held)))
    };
    match &claim.takes {
        Takes::Nothing => None,
        Takes::Id(id) => held.iter().find(|held| held.id == *id),
        Takes::Nearest => nearest(),
        Takes::Last { .. } => held.first(),
        Takes::Term(term) | Takes::Every(term) => {
            let says_it =
                |held: &&NearMemory| holds_term(&held.text, term) && fits(held) && (is_simple(&held.text) || means(held));
            let Some(named) = held.iter().find(says_it) else { return nearest() };
            // The words may be a guess from conversation and may occur in a memory about something else.
            let rival = nearest().filter(|_| named.similarity < at.meant);
            rival.filter(|rival| rival.similarity - named.similarity >= MUCH_NEARER).or(Some(named))
        }
    }
}

/// Returns the memory that a claim without a statement deletes: one that contains everything that it names, or of several such,
/// the one that is clearly nearer than the others. A memory that is only similar must be confirmed.
#[must_use]
pub fn forgets<'a>(claim: &Claim, held: &'a [NearMemory], at: Nearness) -> Meant<'a> {
    let surely = |found: Option<&'a NearMemory>| found.map_or(Meant::Nothing, Meant::Surely);
    let perhaps = |found: Option<&'a NearMemory>| found.map_or(Meant::Nothing, |held| Meant::Perhaps(vec![held]));
    let nearest = || held.first().filter(|held| held.similarity >= at.meant);
    match &claim.takes {
        Takes::Nothing => Meant::Nothing,
        Takes::Id(id) => surely(held.iter().find(|held| held.id == *id)),
        Takes::Last { .. } => surely(held.first()),
        Takes::Nearest => perhaps(nearest()),
        Takes::Term(term) | Takes::Every(term) => {
            let named: Vec<&NearMemory> = held.iter().filter(|held| lacks_nothing(&held.text, term)).collect();
            match named.as_slice() {
                [] => perhaps(nearest().or_else(|| hinted(held, term, at.hint))),
                [one] => Meant::Surely(one),
                [first, second, ..] if first.similarity - second.similarity >= APART => Meant::Surely(first),
                _ => Meant::Perhaps(named),
            }
        }
    }
}

/// Returns all memories about these words, nearest first: those that contain all of them or are near enough, and those that
/// contain half of them and reach the hint threshold.
#[must_use]
pub fn about<'a>(held: &'a [NearMemory], words: &str, at: Nearness) -> Vec<&'a NearMemory> {
    let is_about = |held: &&NearMemory| {
        let share = merging::share_held(&held.text, words);
        share >= 1.0 || held.similarity >= at.meant || (share >= 0.5 && held.similarity >= at.hint)
    };
    held.iter().filter(is_about).collect()
}

/// Returns the memory that a request to forget may mean although it neither contains all its words nor is near enough: it
/// contains half of them, or is clearly nearer than all others.
fn hinted<'a>(held: &'a [NearMemory], term: &str, hint: f64) -> Option<&'a NearMemory> {
    let share = |held: &NearMemory| merging::share_held(&held.text, term);
    let likely = held.iter().filter(|held| held.similarity >= hint && share(held) >= 0.5);
    let best = likely.max_by(|a, b| (share(a), a.similarity).partial_cmp(&(share(b), b.similarity)).unwrap_or(Ordering::Equal));
    let apart = || {
        let first = held.first().filter(|first| first.similarity >= hint + APART)?;
        held.get(1).is_none_or(|second| first.similarity - second.similarity >= APART).then_some(first)
    };
    best.or_else(apart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Content, Importance};

    const AT: Nearness = Nearness { meant: 0.3, same: 0.78, hint: 0.3, asked: false };
    const HELD: [(&str, f64); 4] = [
        ("User lives in Ghent", 0.6),
        ("User plays chess on Sundays", 0.4),
        ("User's mother lives in Porto", 0.2),
        ("User drinks espresso", 0.1),
    ];

    fn held(rows: &[(&str, f64)]) -> Vec<NearMemory> {
        let row = |(text, similarity): &(&str, f64)| NearMemory {
            id: text.split(' ').next_back().unwrap_or_default().to_owned(),
            text: (*text).to_owned(),
            similarity: *similarity,
            kind: MemoryKind::Fact,
            said: Moment(0),
        };
        rows.iter().map(row).collect()
    }

    fn statement(text: &str) -> Statement {
        Statement { kind: MemoryKind::Fact, content: Content::new(text).expect("fits"), importance: Importance::DEFAULT }
    }

    fn term(words: &str) -> Takes {
        Takes::Term(words.to_owned())
    }

    fn id(id: &str) -> Takes {
        Takes::Id(id.to_owned())
    }

    /// The choice as text, with the last word of the memory.
    fn told(choice: Choice) -> String {
        match choice {
            Choice::Takes(held) => format!("takes {}", held.id),
            Choice::Joins(held, _) => format!("joins {}", held.id),
            Choice::Stands => "stands".to_owned(),
            Choice::Lapses => "lapses".to_owned(),
        }
    }

    fn chosen(claim: &Claim, rows: &[(&str, f64)]) -> String {
        told(choose(claim, &held(rows), &HashSet::new(), AT, Moment(0)))
    }

    #[test]
    fn what_is_said_takes_the_memory_it_means() {
        for (says, takes, outcome) in [
            ("User lives in Berlin now", Takes::Nearest, "takes Ghent"),
            ("User lives in Berlin now", Takes::Nothing, "stands"),
            ("User plays checkers now", term("chess"), "takes Sundays"),
            // No memory contains the words, so the nearest is meant.
            ("User lives in Berlin now", term("Rome"), "takes Ghent"),
            // A distant memory contains the words, and another one is much nearer.
            ("User moved to Berlin", term("espresso"), "takes Ghent"),
            // Named by id, at any distance.
            ("User drinks decaf now", id("espresso"), "takes espresso"),
            ("User drinks decaf now", id("gone"), "stands"),
            // A statement about the user replaces no memory about the user's mother, and the other way round.
            ("User lives in Faro now", term("Porto"), "takes Ghent"),
            ("User's mother lives in Faro now", term("Porto"), "takes Porto"),
            ("User's sister lives in Faro now", Takes::Nearest, "stands"),
        ] {
            let claim = Claim::of(statement(says), takes);
            assert_eq!(chosen(&claim, &HELD), outcome, "{says}, {:?}", claim.takes);
        }
    }

    #[test]
    fn what_is_near_enough_and_no_nearer_is_meant() {
        let claim = Claim::of(statement("User moved to Berlin"), Takes::Nearest);
        assert_eq!(chosen(&claim, &[("User lives in Ghent", 0.3)]), "takes Ghent");
        assert_eq!(chosen(&claim, &[("User lives in Ghent", 0.299)]), "stands");
    }

    #[test]
    fn named_words_win_over_a_memory_that_lies_only_a_little_nearer() {
        let claim = Claim::of(statement("User drinks decaf"), term("espresso"));
        assert_eq!(chosen(&claim, &[("User drinks tea", 0.31), ("User likes espresso", 0.22)]), "takes espresso");
        assert_eq!(chosen(&claim, &[("User drinks tea", 0.31), ("User likes espresso", 0.2)]), "takes tea");
        assert_eq!(chosen(&claim, &[("User drinks tea", 0.9), ("User likes espresso", 0.3)]), "takes espresso");
    }

    #[test]
    fn what_says_the_same_becomes_one_with_it_unless_it_corrects() {
        let rows = [("User lives in Ghent", 0.9)];
        let again = statement("User lives in Ghent");
        assert_eq!(chosen(&Claim::plain(again.clone()), &rows), "joins Ghent");
        assert_eq!(chosen(&Claim::of(again.clone(), Takes::Nearest), &rows), "joins Ghent");
        assert_eq!(chosen(&Claim { lasting: false, ..Claim::of(again.clone(), Takes::Nearest) }, &rows), "lapses");
        let correction = Statement { kind: MemoryKind::Correction, ..again.clone() };
        assert_eq!(chosen(&Claim::of(correction, Takes::Nearest), &rows), "takes Ghent");
        // Only past the guard, and only from the threshold on.
        assert_eq!(chosen(&Claim::plain(statement("User lives in Porto")), &rows), "stands");
        assert_eq!(chosen(&Claim::plain(again), &[("User lives in Ghent", 0.77)]), "stands");
    }

    #[test]
    fn what_does_not_last_is_kept_in_the_place_of_a_memory_only() {
        let claim = Claim { lasting: false, ..Claim::of(statement("User tracks bugs in Linear now"), Takes::Nearest) };
        assert_eq!(chosen(&claim, &[("User tracks bugs in Jira", 0.7)]), "takes Jira");
        assert_eq!(chosen(&claim, &[("User plays chess", 0.1)]), "lapses");
    }

    #[test]
    fn a_memory_is_taken_once() {
        let rows = held(&[("User lives in Ghent", 0.6), ("User plays chess", 0.4)]);
        let taken = HashSet::from(["Ghent".to_owned()]);
        let claim = Claim::of(statement("User moved to Berlin"), Takes::Nearest);
        assert_eq!(told(choose(&claim, &rows, &taken, AT, Moment(0))), "stands");
        let fleeting = Claim { lasting: false, ..claim };
        assert_eq!(told(choose(&fleeting, &rows, &taken, AT, Moment(0))), "lapses");
    }

    #[test]
    fn a_wish_to_forget_deletes_what_lacks_nothing_that_it_names_and_asks_about_what_is_near() {
        let at = Nearness { meant: 0.65, ..AT };
        let dentists = [("User has a dentist on Monday", 0.5), ("User's dentist is Bo", 0.45)];
        for (takes, rows, outcome) in [
            (term("chess"), &HELD[..], "surely Sundays"),
            // Even if another memory is much nearer.
            (
                term("mother lives in Porto"),
                &[("User's father is near", 0.9), ("User's mother lives in Porto", 0.2)],
                "surely Porto",
            ),
            (term("User lives in Porto"), &[("User's mother lives in Porto", 0.9)], "perhaps Porto"),
            (term("User's chess club"), &[("User plays chess", 0.7)], "perhaps chess"),
            (term("that board game"), &[("User plays chess", 0.65)], "perhaps chess"),
            // Below the threshold, a memory that is clearly the nearest, or that contains half of the words, may be meant from
            // the hint on.
            (term("that board game"), &[("User plays chess", 0.4), ("User drinks tea", 0.3)], "perhaps chess"),
            (term("that board game"), &[("User plays chess", 0.39)], "nothing"),
            (term("that board game"), &[("User plays chess", 0.5), ("User drinks tea", 0.41)], "nothing"),
            (term("User's chess club"), &[("User drinks tea", 0.5), ("User plays chess", 0.3)], "perhaps chess"),
            (term("User's chess club"), &[("User drinks tea", 0.31), ("User plays chess", 0.29)], "nothing"),
            (term("dentist"), &dentists, "perhaps Monday Bo"),
            (term("dentist on Monday"), &dentists, "surely Monday"),
            (term("dentist on Friday"), &dentists, "perhaps Monday"),
            (Takes::Nearest, &HELD[..], "nothing"),
            (Takes::Every("chess".to_owned()), &HELD[..], "surely Sundays"),
            (id("espresso"), &HELD[..], "surely espresso"),
            (id("gone"), &HELD[..], "nothing"),
        ] {
            let (claim, rows) = (Claim::forget(takes), held(rows));
            let told = match forgets(&claim, &rows, at) {
                Meant::Surely(held) => format!("surely {}", held.id),
                Meant::Perhaps(all) => all.iter().fold("perhaps".to_owned(), |told, held| format!("{told} {}", held.id)),
                Meant::Nothing => "nothing".to_owned(),
            };
            assert_eq!(told, outcome, "{:?}", claim.takes);
        }
        assert_eq!(Claim::forget_that("chess"), Claim::forget(term("chess")));
    }

    #[test]
    fn a_narrower_statement_joins_the_richer_and_another_day_is_another_episode() {
        let rich = held(&[("User takes zinc, iron and calcium", 0.9)]);
        let claim = Claim::plain(statement("User takes zinc and iron"));
        let chosen = choose(&claim, &rich, &HashSet::new(), AT, Moment(0));
        assert!(matches!(chosen, Choice::Joins(_, Extent::More)));
        let mut met = held(&[("User met Bo", 0.9)]);
        met[0].kind = MemoryKind::Episode;
        let again = Claim::plain(Statement { kind: MemoryKind::Episode, ..statement("User met Bo") });
        let on = |moment: Moment| told(choose(&again, &met, &HashSet::new(), AT, moment));
        assert_eq!((on(Moment(1)).as_str(), on(Moment(90_000_000)).as_str()), ("joins Bo", "stands"));
    }

    #[test]
    fn a_correction_replaces_what_differs_from_it_only_in_its_value() {
        let rows = [("User lives in Ghent", 0.4), ("User lives with a dog", 0.35)];
        let claim = Claim::of(statement("User lives in Faro"), Takes::Nearest);
        let far = Nearness { meant: 0.65, ..AT };
        assert_eq!(told(choose(&claim, &held(&rows), &HashSet::new(), far, Moment(0))), "takes Ghent");
        let lockers = [("User's red locker is 31", 0.9)];
        let claim = Claim::of(statement("User's green locker is 44"), Takes::Nearest);
        assert_eq!(told(choose(&claim, &held(&lockers), &HashSet::new(), far, Moment(0))), "stands");
    }

    #[test]
    fn what_is_told_in_passing_takes_no_memory_on_suspicion() {
        let held = held(&[
            ("User walks to the station every morning since spring, which helps them sleep", 0.7),
            ("User has a rowing machine in the cellar", 0.5),
        ]);
        let outcome = |says: &str, asked: bool| {
            let claim = Claim::of(statement(says), Takes::Nearest);
            told(choose(&claim, &held, &HashSet::new(), Nearness { asked, ..AT }, Moment(0)))
        };
        // It repeats too little of the memory, however near it is.
        let course = "User started a pottery course near the station now, and it is a relief after long days at work";
        assert_eq!((outcome(course, false), outcome(course, true)), ("stands".to_owned(), "takes sleep".to_owned()));
        let later = "User walks to the station every evening since spring, which helps them sleep";
        assert_eq!(outcome(later, false), "takes sleep");
        // Both are short.
        assert_eq!(outcome("User sold the rower", false), "takes cellar");
    }

    #[test]
    fn everything_about_something_is_what_holds_its_words_or_lies_near() {
        let at = Nearness { meant: 0.65, ..AT };
        let rows = held(&[
            ("User's vessel is in Faro", 0.7),
            ("User has a boat", 0.6),
            ("User owes 400 euros for the boat", 0.1),
            ("User's boat club meets weekly", 0.3),
            ("User plays chess", 0.64),
        ]);
        let meant = |words: &str| about(&rows, words, at).into_iter().map(|held| held.id.as_str()).collect::<Vec<_>>();
        assert_eq!(meant("User's boat"), ["Faro", "boat", "boat", "weekly"]);
        assert_eq!(meant("the boat club"), ["Faro", "boat", "weekly"], "half of the words count only if it is not far");
        assert_eq!(meant("chess"), ["Faro", "chess"]);
        assert!(about(&rows[1..4], "stamps", at).is_empty());
    }
}
