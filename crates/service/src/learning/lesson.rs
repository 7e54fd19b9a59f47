//! A lesson: what can be learned from an exchange, checked like every text, with vectors, ready to be stored.

use std::sync::Arc;

use super::unread::Unread;
use crate::facts::propose::Vetted;
use crate::learning::echo_marks::EchoMarks;
use crate::learning::in_flight::TextsInFlight;
use crate::learning::provider::ProviderPresence;
use crate::learning::usage::ModelBudget;
use crate::memories::claims::Directed;
use crate::reading::TextReader;
use crate::reading::{Budget, Reader};
use crate::recall::Recall;
use crate::{Error, Result};
use domain::facts::fact::Candidate;
use domain::facts::promotion::CANDIDATES_OF_A_MESSAGE;
use domain::memory::Content;
use domain::memory::claim::{Claim, Takes};
use domain::memory::tags::Labels;
use domain::recall::words::terms;
use ports::clock::Clock;
use ports::embedder::Embedder;
use ports::embedder::Vector;
use ports::extractor::Extractor;
use ports::extractor::{Extraction, Known, Step};
use ports::store::Store;

/// Limit for one exchange: everything is saved in one transaction, while other writers wait.
const MOST_OF_A_KIND: usize = 100;

/// An extractor's proposals with their vectors, ready for the transaction.
#[derive(Default)]
pub(super) struct Lesson {
    pub claims: Vec<Directed>,
    /// The user wants everything forgotten, and has to confirm it.
    pub everything: bool,
    pub candidates: Vec<Vetted>,
    /// Candidates beyond what one message may bring.
    pub beyond: usize,
    pub steps: Vec<Step>,
    /// The message is in a language that the extractor does not read.
    pub unread: bool,
}

/// Drops unsafe proposals. Returns how many candidates were dropped because one message may not bring more.
pub(super) fn only_safe(reader: &Reader, extraction: &mut Extraction, personal: bool, global: bool) -> usize {
    let safe = |content: &Content| reader.refuse_unsafe(content.as_str()).is_ok();
    let said = |claim: &Claim| claim.says.as_ref().is_none_or(|says| safe(&says.content));
    extraction.claims.truncate(MOST_OF_A_KIND);
    extraction.claims.retain(|claim| personal && said(claim));
    extraction.candidates.retain(|_| global);
    let beyond = extraction.candidates.len().saturating_sub(CANDIDATES_OF_A_MESSAGE);
    extraction.candidates.truncate(CANDIDATES_OF_A_MESSAGE);
    beyond
}

/// Reads exchanges: what can be learned from them.
pub struct Lessons {
    pub store: Arc<dyn Store>,
    pub embedder: Arc<dyn Embedder>,
    pub extractor: Arc<dyn Extractor>,
    pub clock: Arc<dyn Clock>,
    pub reader: TextReader,
    pub echoes: Arc<EchoMarks>,
    pub in_flight: Arc<TextsInFlight>,
    pub model_budget: Arc<ModelBudget>,
    pub recall: Arc<Recall>,
    pub provider: Arc<ProviderPresence>,
}

impl Lessons {
    /// Embeds an extraction, and applies the gate to the candidates for the team.
    pub(super) async fn directed(&self, extraction: Extraction, known: &[Known]) -> std::result::Result<Lesson, Unread> {
        let (mut lesson, proposed) = self.embedded(extraction, known).await.map_err(Unread::by_embedder)?;
        if !proposed.is_empty() {
            let vet =
                |reader: &Reader| proposed.into_iter().map(|(candidate, vector)| Vetted::by(reader, candidate, vector)).collect();
            lesson.candidates = self.reader.read(Budget::Learning, vet).await?;
        }
        Ok(lesson)
    }

    /// Embeds an extraction in one call to the embedder.
    async fn embedded(&self, extraction: Extraction, known: &[Known]) -> Result<(Lesson, Vec<(Candidate, Vector)>)> {
        let Extraction { claims, everything, candidates, steps, unread } = extraction;
        let texts: Vec<String> = claims
            .iter()
            .map(|claim| text_of(claim, known))
            .chain(candidates.iter().map(|candidate| candidate.content.as_str()))
            .map(str::to_owned)
            .collect();
        let vectors = if texts.is_empty() { Vec::new() } else { self.embedder.embed(&texts).await? };
        let mut vectors = vectors.into_iter();
        let mut next = || vectors.next().ok_or_else(|| Error::failed("the embedder left out a text"));
        let mut lesson = Lesson { everything, steps, unread, ..Lesson::default() };
        for claim in claims {
            let vector = next()?;
            lesson.claims.push(Directed { claim, vector, labels: Labels::default(), note: None });
        }
        let mut proposed = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            proposed.push((candidate, next()?));
        }
        Ok((lesson, proposed))
    }
}

impl Lesson {
    /// Attaches each note on how to answer to the statement that shares most words with it. A note without such a statement is
    /// dropped.
    pub fn note(&mut self, notes: Vec<Content>) {
        for note in notes {
            let words = terms(note.as_str());
            let shared = |directed: &Directed| {
                let says = directed.claim.says.as_ref().filter(|_| directed.note.is_none());
                let said = says.map(|says| terms(says.content.as_str())).unwrap_or_default();
                said.iter().filter(|word| words.contains(word)).count()
            };
            let nearest = self.claims.iter_mut().rev().max_by_key(|directed| shared(directed));
            if let Some(directed) = nearest.filter(|directed| shared(directed) > 0) {
                directed.note = Some(note);
            }
        }
    }
}

/// Returns the statement of a claim, or the text that it searches for.
fn text_of<'a>(claim: &'a Claim, known: &'a [Known]) -> &'a str {
    let text_of = |id: &str| known.iter().find(|known| known.id == id).map_or("", |known| known.text.as_str());
    match (&claim.says, &claim.takes) {
        (Some(says), _) => says.content.as_str(),
        (None, Takes::Term(term) | Takes::Every(term)) => term,
        (None, Takes::Id(id)) => text_of(id),
        (None, Takes::Nearest | Takes::Last { .. } | Takes::Nothing) => "",
    }
}
