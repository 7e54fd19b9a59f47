//! The extractor without a provider: the package `extractor`, which has no configuration and gives the same answer every time.
//!
//! Only the user's message is read: what the assistant claims is not what the user said.

use extractor::{Audience, Forget, Kept, Kind, Reading};

use domain::facts::fact::{Candidate, FactKind};
use domain::facts::provenance::Origin;
use domain::memory::claim::{Claim, Takes};
use domain::memory::{Content, Importance, MemoryKind, Statement};
use domain::problem::Problem;
use ports::extractor::{Extraction, Extractor, Material, StatementOwner, Step, Wish};

/// Importance of a statement that the user asked to keep, and of a wish about answers.
const ASKED: i64 = 4;
/// Importance of a statement made in passing.
const MENTIONED: i64 = 3;

/// The deterministic extractor.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules;

impl Extractor for Rules {
    fn asks_to_forget_many(&self, message: &str) -> Vec<Wish> {
        asks_to_forget_many(message)
    }

    fn asked_of_answers(&self, message: &str) -> Vec<String> {
        extractor::asked_of_answers(message)
    }

    fn wish(&self, query: &str) -> Wish {
        wish(query)
    }

    fn read(&self, material: &Material<'_>) -> Extraction {
        read(material)
    }
}

/// Reads the lists and compiles all patterns in advance.
pub fn warm() {
    extractor::warm();
}

/// Interprets a text sent as something to forget.
#[must_use]
pub fn wish(query: &str) -> Wish {
    match extractor::asked_to_forget(query) {
        Some(named) => wished(&named),
        None => Wish::Nothing,
    }
}

/// Returns the wishes in a message to forget something that may be several memories.
#[must_use]
pub fn asks_to_forget_many(message: &str) -> Vec<Wish> {
    extractor::asks_to_forget_many(message).iter().map(wished).collect()
}

fn wished(wish: &Forget) -> Wish {
    match wish {
        Forget::Everything => Wish::Everything,
        wish => Wish::Claim(forgotten(wish)),
    }
}

/// The claim of a wish to forget less than everything.
pub(super) fn forgotten(wish: &Forget) -> Claim {
    match wish {
        Forget::About(query) => Claim::forget_that(query),
        Forget::Every(query) => Claim::forget(Takes::Every(query.clone())),
        Forget::Last { just } => Claim::forget(Takes::Last { just: *just }),
        Forget::Everything => Claim::forget(Takes::Nothing),
    }
}

/// Reads one exchange.
#[must_use]
pub fn read(material: &Material<'_>) -> Extraction {
    let of = |owner| material.known.iter().filter(move |known| known.owner == owner).map(|known| known.text.as_str());
    let (own, team): (Vec<&str>, Vec<&str>) = (of(StatementOwner::User).collect(), of(StatementOwner::Team).collect());
    let Reading { kept, forget, steps, unread } = extractor::read(&material.exchange.message, &own, &team);
    let personal = material.personal && material.exchange.user.is_some();
    let mut found = Extraction { unread, ..Extraction::default() };
    if personal {
        found.everything = forget.contains(&Forget::Everything);
        found.claims.extend(forget.iter().filter(|wish| **wish != Forget::Everything).map(forgotten));
        let own = kept.iter().filter(|kept| kept.audience == Audience::User);
        // A text longer than a memory is no single statement.
        found.claims.extend(own.filter_map(|kept| claim(kept).ok()));
    }
    if material.global {
        let shared = kept.iter().filter(|kept| kept.audience == Audience::Team);
        found.candidates.extend(shared.filter_map(|kept| candidate(kept).ok()));
    }
    found.steps = steps.into_iter().map(step).collect();
    found
}

fn claim(kept: &Kept) -> Result<Claim, Problem> {
    let (takes, kind) = match (&kept.takes, kept.kind) {
        (extractor::Takes::Words(words), _) => (Takes::Term(words.clone()), MemoryKind::Correction),
        (extractor::Takes::Nearest, _) => (Takes::Nearest, MemoryKind::Correction),
        (extractor::Takes::Nothing, Kind::Wish) => (Takes::Nothing, MemoryKind::Preference),
        (extractor::Takes::Nothing, Kind::Episode) => (Takes::Nothing, MemoryKind::Episode),
        (extractor::Takes::Nothing, _) => (Takes::Nothing, MemoryKind::Fact),
    };
    let says = Statement { kind, content: Content::new(&kept.text)?, importance: importance(kept)? };
    Ok(Claim { says: Some(says), takes, lasting: kept.lasting })
}

fn candidate(kept: &Kept) -> Result<Candidate, Problem> {
    let kind = match kept.kind {
        Kind::Statement | Kind::Episode | Kind::Wish => FactKind::Fact,
        Kind::Glossary => FactKind::Glossary,
        Kind::Howto => FactKind::Howto,
        Kind::Reference => FactKind::Reference,
    };
    let origin = if kept.asked { Origin::User } else { Origin::Assistant };
    Ok(Candidate { origin, kind, content: Content::new(&kept.text)?, importance: importance(kept)? })
}

fn importance(kept: &Kept) -> Result<Importance, Problem> {
    Importance::new(if kept.asked || kept.kind == Kind::Wish { ASKED } else { MENTIONED })
}

fn step(step: extractor::Step) -> Step {
    let shares = step.shares.map(|shares| [shares.personal, shares.team, shares.change]);
    Step { sentence: step.sentence, decided: step.decided, dropped: step.dropped, shares }
}
