//! Searches one user's memories for a question. It reads all of them, so the result is exact and needs no index.

use std::collections::HashSet;

use super::matrix::similarity;
use super::user_cache::{Row, UserRows};
use crate::domain::search::{Found, Hit, Legs, NEIGHBOUR_WEIGHTS, Spread, WordScore, date_score};
use crate::domain::words::Term;
use crate::ports::store::memories::MemorySearch;

/// The best `limit` of every leg.
pub(super) fn search(user: &UserRows, question: &MemorySearch<'_>, limit: usize) -> Found {
    let similarities: Vec<f64> = user.each().map(|(_, vector)| similarity(vector, question.vector)).collect();
    let words = word_scores(&user.rows, question.terms);
    let (by_vector, by_words) = (Spread::of(&similarities), Spread::of(&words));
    let mut legs: Vec<Legs> = similarities
        .iter()
        .zip(&words)
        .map(|(&similarity, &words)| Legs {
            vector: by_vector.standard(similarity),
            words: by_words.standard(words),
            ..Legs::default()
        })
        .collect();
    let beside = user.neighbours();
    let own: Vec<f64> = legs.iter().map(|legs| legs.vector + legs.words).collect();
    for (n, legs) in legs.iter_mut().enumerate() {
        legs.thread = around(&own, &beside, n);
    }
    let dates: Vec<f64> = user.rows.iter().map(|row| date_score(question.dates, row.created_at)).collect();
    let by_date = Spread::of(&dates);
    for (legs, score) in legs.iter_mut().zip(&dates) {
        legs.dates = by_date.standard(*score);
    }
    let mut chosen = HashSet::new();
    for leg in
        [|legs: &Legs| legs.vector, |legs: &Legs| legs.words, |legs: &Legs| legs.thread, |legs: &Legs| legs.dates, Legs::sum]
    {
        chosen.extend(best(&legs, leg, limit));
    }
    let hit = |n: usize| {
        let Row { id, importance, touched, .. } = &user.rows[n];
        Hit { id: id.clone(), similarity: similarities[n], importance: *importance, touched: *touched, legs: legs[n] }
    };
    Found { hits: chosen.into_iter().map(hit).collect(), similarity: by_vector }
}

/// How often a term occurs in a row's text.
fn times(row: &Row, term: Term) -> u32 {
    row.words.binary_search_by_key(&term, |(term, _)| *term).map_or(0, |n| row.words[n].1)
}

fn word_scores(rows: &[Row], question: &[Term]) -> Vec<f64> {
    let all_terms = rows.iter().map(|row| u64::from(row.length)).sum();
    // Computed once: the counts of row n start at n · the number of terms.
    let counts: Vec<u32> = rows.iter().flat_map(|row| question.iter().map(|&term| times(row, term))).collect();
    let place = |term: Term| question.iter().position(|&other| other == term).unwrap_or_default();
    let holding = |term: Term| counts.iter().skip(place(term)).step_by(question.len()).filter(|&&times| times > 0).count();
    let score = WordScore::new(question, rows.len(), all_terms, holding);
    if question.is_empty() {
        return vec![0.0; rows.len()];
    }
    rows.iter().zip(counts.chunks_exact(question.len())).map(|(row, own)| score.of(row.length, |term| own[place(term)])).collect()
}

/// The score from a row's neighbours in the thread, weighted by their distance.
fn around(own: &[f64], beside: &[[Option<usize>; 2]], n: usize) -> f64 {
    let mut sum = 0.0;
    for side in [0, 1] {
        let mut at = n;
        for weight in NEIGHBOUR_WEIGHTS {
            let Some(next) = beside[at][side] else { break };
            sum += weight * own[next];
            at = next;
        }
    }
    sum
}

/// Positions of the highest `limit` rows of one leg.
fn best(legs: &[Legs], leg: impl Fn(&Legs) -> f64, limit: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..legs.len()).collect();
    if places.len() > limit && limit > 0 {
        places.select_nth_unstable_by(limit - 1, |&a, &b| leg(&legs[b]).total_cmp(&leg(&legs[a])));
    }
    places.truncate(limit);
    places
}
