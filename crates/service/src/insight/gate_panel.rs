//! The gate panel: the gate's verdict on a text, where each rule objects, and whether the gate stops the known attacks.
//!
//! The text is not kept: not in a log, not in the audit log, not in the store.

use crate::Result;
use crate::insight::Insight;
use crate::reading::{Budget, Reader};
use access::operators::Viewer;
use domain::facts::attacks::{ATTACKS, Attack, Defence};
use domain::gate;
use domain::problem::{Field, Problem};

/// Maximum length of a text to try, in bytes: more than the gate accepts as one fact, so that its limit can be seen.
pub const TRY_MAX_BYTES: usize = 16 * 1024;

/// The gate's verdict on one text.
#[derive(Debug, Clone)]
pub struct Tried {
    /// Rules that refuse it as a team fact, each once.
    pub fact_rules: Vec<RuleFired>,
    /// Shapes of planted orders found in it as a note.
    pub note_rules: Vec<String>,
    /// The text as the rules read it.
    pub reading: String,
    /// Byte spans of `reading` that rules object to, in order and not overlapping, with the rules of each.
    pub marks: Vec<ReadingMark>,
}

/// A rule that fired.
#[derive(Debug, Clone)]
pub struct RuleFired {
    pub name: String,
    /// One line for people.
    pub catches: &'static str,
    /// The pieces that it objects to, as typed; each once.
    pub pieces: Vec<String>,
}

/// A marked piece of the reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadingMark {
    pub start: usize,
    pub end: usize,
    pub rules: Vec<&'static str>,
}

/// One group of attacks and how it went.
#[derive(Debug, Clone)]
pub struct Trial {
    pub name: &'static str,
    pub check: Defence,
    /// Each text with the rules that stopped it; none: it passed the gate.
    pub texts: Vec<(&'static str, Vec<String>)>,
}

impl Insight {
    /// Runs the gate on a text, as a team fact and as a note.
    pub async fn try_gate(&self, _viewer: &Viewer, text: &str) -> Result<Tried> {
        if text.trim().is_empty() {
            return Err(Problem::invalid(Field::Content, "must not be blank").into());
        }
        if text.len() > TRY_MAX_BYTES {
            return Err(Problem::TooLarge { max_bytes: TRY_MAX_BYTES as u64 }.into());
        }
        let vector = self.embedder.embed_one(text).await?;
        let own = text.to_owned();
        let judge = move |reader: &Reader| {
            let findings = reader.gate(&own, &vector);
            let (read, orders) = (reader.as_read(&own, &findings), reader.orders(&own));
            (findings, read, orders)
        };
        let (findings, (reading, spans), note_rules) = self.reader.read(Budget::Requests, judge).await?;
        let fact_rules = gate::rules_fired(&findings)
            .into_iter()
            .map(|name| {
                let mut pieces: Vec<String> = Vec::new();
                for finding in findings.iter().filter(|finding| finding.rule == name) {
                    let piece = text.get(finding.start..finding.end).unwrap_or_default();
                    if !piece.is_empty() && pieces.iter().all(|known| known != piece) {
                        pieces.push(piece.to_owned());
                    }
                }
                RuleFired { catches: gate::catches(&name), name, pieces }
            })
            .collect();
        Ok(Tried { fact_rules, note_rules, marks: flattened(spans), reading })
    }

    /// Runs the built-in attacks against the current gate.
    pub async fn run_attacks(&self, _viewer: &Viewer) -> Result<Vec<Trial>> {
        let texts: Vec<String> = ATTACKS.iter().flat_map(|attack| attack.texts).map(|text| (*text).to_owned()).collect();
        let vectors = self.embedder.embed(&texts).await?;
        let attack = move |reader: &Reader| {
            let mut vectors = vectors.iter();
            let mut stopped = |check: Defence, text: &str| {
                let vector = vectors.next().map_or(&[][..], Vec::as_slice);
                match check {
                    Defence::Fact => gate::rules_fired(&reader.gate(text, vector)),
                    Defence::Note => reader.orders(text),
                }
            };
            let trial = |attack: &'static Attack| Trial {
                name: attack.name,
                check: attack.check,
                texts: attack.texts.iter().map(|text| (*text, stopped(attack.check, text))).collect(),
            };
            ATTACKS.iter().map(trial).collect()
        };
        Ok(self.reader.read(Budget::Requests, attack).await?)
    }

    /// Whether the gate also reads vectors, and not the words alone: it was trained with one encoder.
    #[must_use]
    pub fn gate_reads_vectors(&self) -> bool {
        gate::reads(&self.embedder.id().weights)
    }
}

/// Splits spans that may overlap into pieces that do not, each with every rule that covers it.
fn flattened(mut spans: Vec<(&'static str, usize, usize)>) -> Vec<ReadingMark> {
    spans.retain(|(_, start, end)| start < end);
    let mut edges: Vec<usize> = spans.iter().flat_map(|(_, start, end)| [*start, *end]).collect();
    edges.sort_unstable();
    edges.dedup();
    let mut marks: Vec<ReadingMark> = Vec::new();
    for pair in edges.windows(2) {
        let (start, end) = (pair[0], pair[1]);
        let mut rules: Vec<&'static str> = Vec::new();
        for (rule, from, to) in &spans {
            if *from <= start && end <= *to && !rules.contains(rule) {
                rules.push(rule);
            }
        }
        if rules.is_empty() {
            continue;
        }
        match marks.last_mut() {
            Some(last) if last.end == start && last.rules == rules => last.end = end,
            _ => marks.push(ReadingMark { start, end, rules }),
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_spans_become_pieces_with_all_their_rules() {
        let mark = |start, end, rules: &[&'static str]| ReadingMark { start, end, rules: rules.to_vec() };
        assert_eq!(
            flattened(vec![("email", 2, 8), ("person_name", 2, 4), ("hostname", 8, 9), ("hidden_text", 5, 5)]),
            [mark(2, 4, &["email", "person_name"]), mark(4, 8, &["email"]), mark(8, 9, &["hostname"])]
        );
        assert_eq!(flattened(vec![("email", 0, 3), ("email", 0, 3)]), [mark(0, 3, &["email"])]);
        assert!(flattened(Vec::new()).is_empty());
    }
}
