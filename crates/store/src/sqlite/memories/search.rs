//! Searches one user's memories for a question. It reads all of them, so the result is exact and needs no index.

use super::user_cache::{CachedMemory, UserRows};
use crate::sqlite::facts::matrix::similarity;
use domain::recall::search::{Hit, Legs, SearchResult, Spread, date_score, thread_scores};
use ports::store::memories::MemorySearch;

/// Finds the best `limit` of every leg. Expired memories are ignored. Memories that the filter excludes still count for averages
/// and for neighbours, but are not found.
pub(in crate::sqlite) fn search(user: &UserRows, question: &MemorySearch<'_>, limit: usize) -> SearchResult {
    let live: Vec<bool> = user.rows.iter().map(|row| row.is_live(question.now)).collect();
    let of_live =
        |values: &[f64]| -> Vec<f64> { values.iter().zip(&live).filter(|(_, live)| **live).map(|(value, _)| *value).collect() };
    let similarities: Vec<f64> = user.each().map(|(_, vector)| similarity(vector, question.vector)).collect();
    let words = user.words.scores(question.terms);
    let (by_vector, by_words) = (Spread::of(&of_live(&similarities)), Spread::of(&of_live(&words)));
    let leg =
        |n: usize| Legs { vector: by_vector.standard(similarities[n]), words: by_words.standard(words[n]), ..Legs::default() };
    let mut legs: Vec<Legs> = live.iter().enumerate().map(|(n, live)| if *live { leg(n) } else { Legs::default() }).collect();
    add_threads(&mut legs, user, &live);
    if !question.dates.is_empty() {
        let dates: Vec<f64> = user.rows.iter().map(|row| date_score(question.dates, row.said_at)).collect();
        let by_date = Spread::of(&of_live(&dates));
        legs.iter_mut().zip(&dates).for_each(|(legs, score)| legs.dates = by_date.standard(*score));
    }
    let mut ways: Vec<fn(&Legs) -> f64> = vec![|legs| legs.vector, |legs| legs.words, Legs::sum];
    if !user.threads.is_empty() {
        ways.push(|legs| legs.thread);
    }
    if !question.dates.is_empty() {
        ways.push(|legs| legs.dates);
    }
    let may_be_found = |n: usize| {
        let row = &user.rows[n];
        live[n] && (question.kinds.is_empty() || question.kinds.contains(&row.kind)) && question.tags.admits(&row.tags)
    };
    let admitted: Vec<usize> = (0..user.rows.len()).filter(|&n| may_be_found(n)).collect();
    let places = |leg: fn(&Legs) -> f64| best(admitted.iter().map(|&n| leg(&legs[n])), limit);
    let mut chosen: Vec<usize> = ways.into_iter().flat_map(places).map(|n| admitted[n]).collect();
    chosen.sort_unstable();
    chosen.dedup();
    let hit = |n: usize| {
        let CachedMemory { id, importance, touched, .. } = &user.rows[n];
        Hit { id: id.clone(), similarity: similarities[n], importance: *importance, touched: *touched, legs: legs[n] }
    };
    SearchResult { hits: chosen.into_iter().map(hit).collect(), similarity: by_vector }
}

/// Adds each row's score from its neighbours in its thread. Expired rows are no neighbours.
fn add_threads(legs: &mut [Legs], user: &UserRows, live: &[bool]) {
    let mut got: Vec<(usize, f64, f64)> = Vec::new();
    for places in user.threads.values() {
        let places: Vec<usize> = places.iter().copied().filter(|&n| live[n]).collect();
        if places.len() < 2 {
            continue;
        }
        let around = |own: fn(&Legs) -> f64| thread_scores(&places.iter().map(|&n| own(&legs[n])).collect::<Vec<_>>());
        let (both, words) = (around(|legs| legs.vector + legs.words), around(|legs| legs.words));
        got.extend(places.into_iter().zip(both).zip(words).map(|((row, both), words)| (row, both, words)));
    }
    // Subtracting the mean lets only the best neighbours lift a row: otherwise any memory of a thread would rank above those
    // without one.
    let mean = Spread::of(&got.iter().map(|(_, both, _)| *both).collect::<Vec<_>>()).mean();
    for (row, both, words) in got {
        (legs[row].thread, legs[row].thread_words) = (both - mean, words);
    }
}

/// Positions of the highest `limit` values; among equal ones, the first.
fn best(values: impl Iterator<Item = f64> + Clone, limit: usize) -> Vec<usize> {
    let mut sorted: Vec<f64> = values.clone().collect();
    let Some(place) = limit.min(sorted.len()).checked_sub(1) else { return Vec::new() };
    let least = *sorted.select_nth_unstable_by(place, |a, b| b.total_cmp(a)).1;
    let higher = values.clone().enumerate().filter(|(_, value)| value.total_cmp(&least).is_gt());
    let level = values.enumerate().filter(|(_, value)| value.total_cmp(&least).is_eq());
    higher.chain(level).take(limit).map(|(n, _)| n).collect()
}
