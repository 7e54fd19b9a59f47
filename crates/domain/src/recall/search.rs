//! Search: its legs, each normalised to the same scale, and their combined ranking.
//!
//! A leg is one way of searching: by vector (*vector*), by words (*words*), by nearby statements in the thread (*thread*), or by
//! the dates that a question names (*dates*). Scores of different legs are not comparable, so each but *thread*, which is made of
//! two others, is standardised over everything that was searched: 1 is one standard deviation above the mean (the standard score,
//! z). The sum is the relevance; higher is better.
//!
//! relevance = z(similarity) + (importance + recency − confidence) / deviation of similarity + z(words) + thread + z(dates)
//!
//! The first two terms are the score of `ranking`, negated and divided by the deviation. *thread* is the part that a memory gets
//! from its surroundings, with x = z(similarity) + z(words): a share of x of its neighbours, and a third of the way up to the
//! best x nearby. The best x nearby shows how well the surrounding talk fits, as the best passage does for a document (MaxP; Dai
//! and Callan, 2019).

#![allow(clippy::cast_precision_loss, reason = "counts of memories and of words are far below 2^52")]

use serde::Serialize;

use super::ranking::ScoreParts;
use super::words::Term;
use crate::memory::Importance;
use crate::memory::period::Period;
use crate::moment::Moment;

/// Saturation of repeated words: k₁ of BM25, with the value that Anserini uses for passages.
const TERM_SATURATION: f64 = 0.9;

/// Share of a neighbour's score that is added, for neighbours one or two steps away in the thread. The
/// constants of this leg are round values that did well on the development split of LoCoMo.
const NEIGHBOUR_WEIGHTS: [f64; 2] = [0.3, 0.15];
/// Share of the way up to the best score nearby, the maximum distance to it in steps, and the cap of that score: a rare word
/// would otherwise lift everything around it above what a question means.
const TOWARDS_THE_BEST: f64 = 1.0 / 3.0;
const NEARBY_STEPS: usize = 5;
const BEST_COUNTS_TO: f64 = 8.0;

/// Days outside a named period after which the dates leg has dropped to 1/e of its value inside.
const NEAR_DATE_DAYS: f64 = 7.0;

/// Standard deviations above the mean from which a leg is reported as having found a hit.
const FOUND: f64 = 1.0;

/// One way of searching.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Leg {
    Vector,
    Words,
    Thread,
    Dates,
}

impl Leg {
    /// The name shown to people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Vector => "Meaning",
            Self::Words => "Words",
            Self::Thread => "Thread",
            Self::Dates => "Dates",
        }
    }
}

/// The scores of one hit by leg, in standard deviations above the mean of everything searched.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Legs {
    pub vector: f64,
    pub words: f64,
    /// Scores of the vector and words legs around it in the thread, above the mean of all memories that share a thread with
    /// others. 0 if it is in none.
    pub thread: f64,
    /// The same by words alone, and not compared with the mean.
    pub thread_words: f64,
    /// 0 if the question names no date.
    pub dates: f64,
}

impl Legs {
    /// All legs together.
    #[must_use]
    pub fn sum(&self) -> f64 {
        self.vector + self.words + self.thread + self.dates
    }

    /// Whether only its meaning, or that of its surroundings, speaks for it: no words and no dates put it far above the mean.
    #[must_use]
    pub fn by_meaning_alone(&self) -> bool {
        [self.words, self.thread_words, self.dates].iter().all(|leg| *leg < FOUND)
    }

    /// The legs that found it: those that put it far above the mean, or else the best one.
    #[must_use]
    pub fn found_by(&self) -> Vec<Leg> {
        let legs = [(Leg::Vector, self.vector), (Leg::Words, self.words), (Leg::Thread, self.thread), (Leg::Dates, self.dates)];
        let far: Vec<Leg> = legs.iter().filter(|(_, value)| *value >= FOUND).map(|(leg, _)| *leg).collect();
        if !far.is_empty() {
            return far;
        }
        let best = legs.into_iter().reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map(|(leg, _)| leg).into_iter().collect()
    }
}

/// Mean and standard deviation of a leg's scores over everything searched.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spread {
    mean: f64,
    deviation: f64,
}

impl Spread {
    #[must_use]
    pub fn of(scores: &[f64]) -> Self {
        let count = scores.len().max(1) as f64;
        let mean = scores.iter().sum::<f64>() / count;
        let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / count;
        Self { mean, deviation: variance.sqrt() }
    }

    #[must_use]
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Standard deviations above the mean; 0 if all scores are alike.
    #[must_use]
    pub fn standard(&self, score: f64) -> f64 {
        self.in_deviations(score - self.mean)
    }

    /// A difference of scores in standard deviations.
    #[must_use]
    pub fn in_deviations(&self, difference: f64) -> f64 {
        // Below this, scores differ only by rounding.
        if self.deviation < 1e-9 { 0.0 } else { difference / self.deviation }
    }
}

/// Spread of the scores of the vector leg and of the words leg over everything that was searched.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spreads {
    pub similarity: Spread,
    pub words: Spread,
}

impl Spreads {
    #[must_use]
    pub fn legs(&self, similarity: f64, words: f64) -> Legs {
        Legs { vector: self.similarity.standard(similarity), words: self.words.standard(words), ..Legs::default() }
    }

    /// Reduction of a score of `ranking` by the words leg: its part of the relevance, multiplied by the deviation of similarity.
    #[must_use]
    pub fn worth(&self, words: f64) -> f64 {
        self.similarity.deviation * self.words.standard(words)
    }
}

/// One search result.
#[derive(Debug, Clone)]
pub struct Hit {
    pub id: String,
    /// Cosine similarity to the question, −1 to 1.
    pub similarity: f64,
    pub importance: Importance,
    /// Time of the last recall, else of the last update.
    pub touched: Moment,
    pub legs: Legs,
}

/// The result of a search, and the spread of similarity over everything searched.
#[derive(Debug, Clone, Default)]
pub struct SearchResult {
    /// Includes at least the best of every leg; unordered.
    pub hits: Vec<Hit>,
    pub similarity: Spread,
}

/// A hit with its score and its relevance.
#[derive(Debug, Clone)]
pub struct RankedHit {
    pub id: String,
    pub parts: ScoreParts,
    pub legs: Legs,
    /// Higher is better.
    pub relevance: f64,
}

/// The `k` most relevant hits, best first; ties by score, then by id. `parts` gives the score of a hit.
#[must_use]
pub fn most_relevant(found: SearchResult, k: usize, parts: impl Fn(&Hit) -> ScoreParts) -> Vec<RankedHit> {
    let SearchResult { hits, similarity } = found;
    let mut ranked: Vec<RankedHit> = hits
        .into_iter()
        .map(|hit| {
            let parts = parts(&hit);
            let relevance = hit.legs.sum() + similarity.in_deviations(parts.distance - parts.score());
            RankedHit { relevance, id: hit.id, legs: hit.legs, parts }
        })
        .collect();
    ranked.sort_by(|a, b| {
        let by_score = || a.parts.score().total_cmp(&b.parts.score());
        b.relevance.total_cmp(&a.relevance).then_with(by_score).then_with(|| a.id.cmp(&b.id))
    });
    ranked.truncate(k);
    ranked
}

/// The thread leg of each memory of a thread, from the scores of all of them in order.
#[must_use]
pub fn thread_scores(own: &[f64]) -> Vec<f64> {
    let of = |n: usize| {
        let at = |n: Option<usize>| n.and_then(|n| own.get(n)).copied().unwrap_or(0.0);
        let beside = |(steps, weight)| weight * (at(n.checked_sub(steps)) + at(n.checked_add(steps)));
        let nearby = &own[n.saturating_sub(NEARBY_STEPS)..(n + NEARBY_STEPS + 1).min(own.len())];
        let best = nearby.iter().copied().fold(own[n], f64::max).min(BEST_COUNTS_TO);
        (1..).zip(NEIGHBOUR_WEIGHTS).map(beside).sum::<f64>() + TOWARDS_THE_BEST * (best - own[n]).max(0.0)
    };
    (0..own.len()).map(of).collect()
}

/// The score of the dates leg: 1 for a statement made within one of these periods, less the further away it is.
#[must_use]
pub fn date_score(dates: &[Period], said: Moment) -> f64 {
    let days = dates.iter().map(|period| period.days_from(said)).min();
    days.map_or(0.0, |days| (-(days as f64) / NEAR_DATE_DAYS).exp())
}

/// Okapi BM25 (Robertson and Zaragoza, 2009) over the texts of one search, without a penalty for long texts (b = 0): a memory is
/// one statement, and a longer one says more.
#[derive(Debug)]
pub struct WordScore {
    /// The question's terms with their inverse document frequency.
    terms: Vec<(Term, f64)>,
}

impl WordScore {
    /// Prepares scoring for a question over `texts` texts; `holding` counts the texts that contain a term.
    #[must_use]
    pub fn new(question: &[Term], texts: usize, mut holding: impl FnMut(Term) -> usize) -> Self {
        let mut distinct = question.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let count = texts as f64;
        let rarity = |held: usize| (1.0 + (count - held as f64 + 0.5) / (held as f64 + 0.5)).ln();
        Self { terms: distinct.into_iter().map(|term| (term, rarity(holding(term)))).collect() }
    }

    /// The score of a text; `times` counts a term in it.
    #[must_use]
    pub fn of(&self, mut times: impl FnMut(Term) -> u32) -> f64 {
        let one = |&(term, rarity): &(Term, f64)| {
            let times = f64::from(times(term));
            rarity * times * (TERM_SATURATION + 1.0) / (times + TERM_SATURATION)
        };
        self.terms.iter().map(one).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::period::dates;
    use crate::moment::DAY_MS;

    const NOW: Moment = Moment(0);

    fn hit(id: &str, similarity: f64, legs: Legs) -> Hit {
        Hit { id: id.to_owned(), similarity, importance: Importance::DEFAULT, touched: NOW, legs }
    }

    fn ranked(hits: Vec<Hit>) -> String {
        let spread = Spread::of(&hits.iter().map(|hit| hit.similarity).collect::<Vec<_>>());
        let hits = hits
            .into_iter()
            .map(|hit| Hit { legs: Legs { vector: spread.standard(hit.similarity), ..hit.legs }, ..hit })
            .collect();
        let parts = |hit: &Hit| ScoreParts::personal(hit.similarity, hit.importance, hit.touched, NOW);
        most_relevant(SearchResult { hits, similarity: spread }, 10, parts).into_iter().map(|ranked| ranked.id).collect()
    }

    #[test]
    fn without_other_legs_the_order_is_that_of_the_score() {
        let mut important = hit("c", 0.40, Legs::default());
        important.importance = Importance::new(5).expect("1–5");
        assert_eq!(ranked(vec![hit("a", 0.1, Legs::default()), hit("b", 0.42, Legs::default()), important]), "cba");
    }

    #[test]
    fn words_and_neighbours_lift_what_lies_further_off() {
        let words = Legs { words: 3.5, ..Legs::default() };
        let thread = Legs { thread: 0.9, ..Legs::default() };
        assert_eq!(ranked(vec![hit("a", 0.5, Legs::default()), hit("b", 0.3, words), hit("c", 0.46, thread)]), "bca");
    }

    #[test]
    fn a_hit_names_the_legs_that_put_it_far_above_the_average() {
        let legs = Legs { vector: 0.2, words: 2.0, thread: 1.0, dates: 0.5, ..Legs::default() };
        assert_eq!(legs.found_by(), [Leg::Words, Leg::Thread]);
        assert_eq!(Legs { vector: 0.2, words: 0.1, ..Legs::default() }.found_by(), [Leg::Vector]);
        assert_eq!(Legs::default().found_by(), [Leg::Vector], "one leg at least");
    }

    #[test]
    fn what_was_said_near_a_date_scores_higher() {
        let dates = dates("What did I cook on 2 January or 1 March 1970?", Moment(DAY_MS * 100));
        let of = |day: i64| date_score(&dates, Moment(day * DAY_MS + 5));
        assert!((of(1) - 1.0).abs() < 1e-12 && (of(59) - 1.0).abs() < 1e-12);
        assert!((of(8) - (-1.0_f64).exp()).abs() < 1e-12);
        assert!(of(3) > of(10) && of(58) > of(50));
        assert!(date_score(&[], NOW).abs() < f64::EPSILON);
    }

    #[test]
    fn alike_scores_say_nothing() {
        let spread = Spread::of(&[0.3, 0.3, 0.3]);
        assert!(spread.standard(0.3).abs() < f64::EPSILON && spread.standard(0.9).abs() < f64::EPSILON);
        assert!((Spread::of(&[1.0, 3.0]).standard(3.0) - 1.0).abs() < 1e-12);
    }

    /// Calculated by hand from the formula, for 4 texts.
    #[test]
    fn rare_words_and_repeats_score_higher() {
        let score = WordScore::new(&[1, 2, 1], 4, |term| if term == 1 { 1 } else { 3 });
        let of = |counts: [u32; 2]| score.of(|term| counts[term as usize - 1]);
        let rare = (1.0_f64 + 3.5 / 1.5).ln();
        assert!((of([1, 0]) - rare).abs() < 1e-12);
        assert!((of([2, 0]) - rare * 3.8 / 2.9).abs() < 1e-12);
        assert!(of([1, 0]) > of([0, 1]));
        assert!(of([0, 0]).abs() < f64::EPSILON);
    }

    #[test]
    fn a_thread_lifts_what_stands_around_its_best() {
        let is = |own: &[f64], expected: &[f64]| {
            let found = thread_scores(own);
            let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
            assert!(near && found.len() == expected.len(), "{found:?} {expected:?}");
        };
        is(&[3.0], &[0.0]);
        is(&[0.0, 0.0, 3.0], &[0.45 + 1.0, 0.9 + 1.0, 0.0]);
        is(&[-3.0, 0.0], &[1.0, -0.9]);
        let mut far = [0.0; 8];
        far[0] = 3.0;
        is(&far, &[0.0, 1.9, 1.45, 1.0, 1.0, 1.0, 0.0, 0.0]);
        // A rare word counts up to a limit.
        is(&[20.0, 0.0, 0.0, 11.0], &[0.0, 6.0 + 1.65 + 8.0 / 3.0, 3.0 + 3.3 + 8.0 / 3.0, 0.0]);
    }

    #[test]
    fn what_stands_beside_a_word_is_not_found_by_meaning_alone() {
        let by_meaning = Legs { vector: 3.0, thread: 2.0, ..Legs::default() };
        assert!(by_meaning.by_meaning_alone());
        for legs in
            [Legs { words: 1.0, ..by_meaning }, Legs { thread_words: 1.0, ..by_meaning }, Legs { dates: 1.0, ..by_meaning }]
        {
            assert!(!legs.by_meaning_alone());
        }
    }
}
