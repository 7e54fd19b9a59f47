//! Tests the matrix against a reference: results must be the same as if all rows were read and computed exactly.

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;
use domain::facts::confidence::{Evidence, confidence};
use domain::facts::fact::{FactKind, FactStatus};
use domain::facts::provenance::Origin;
use domain::memory::Importance;
use domain::moment::{DAY_MS, Moment};
use domain::recall::ranking::ScoreParts;
use ports::embedder::Vector;
use ports::store::facts::{FactSearch, Rank};

const NOW: Moment = Moment(900 * DAY_MS);
const DIMENSIONS: usize = 384;
const NO_WORDS: &[Term] = &[];

fn meta(id: &str) -> FactMeta {
    FactMeta {
        id: id.into(),
        version: 1,
        status: FactStatus::Pending,
        kind: FactKind::Fact,
        origin: Origin::User,
        importance: Importance::DEFAULT,
        recalls: 0,
        resubmitted: false,
        contradicted: false,
        touched: Moment(0),
        created_at: Moment(0),
        evidence: Evidence { contributors: 0, approved_by_operator: false, confirmed_at: Moment(0), disputed: false },
    }
}

fn axis(n: usize) -> Vector {
    let mut vector = vec![0.0; DIMENSIONS];
    vector[n] = 1.0;
    vector
}

fn nearest(matrix: &FactMatrix, n: usize) -> Vec<String> {
    let vector = axis(n);
    let search = FactSearch { min_similarity: 0.5, ..FactSearch::nearest(&vector, 9) };
    matrix.may_be_best(&search, &HashSet::new()).ids
}

#[test]
fn removing_a_row_keeps_every_other_findable() {
    let matrix = FactMatrix::default();
    let axes = [axis(1), axis(2), axis(3)];
    matrix.apply(3, ["a", "b", "c"].iter().zip(&axes).map(|(id, axis)| (meta(id), NO_WORDS, axis.as_slice())).collect(), &[]);
    matrix.apply(4, Vec::new(), &["a".to_owned()]);
    assert_eq!(
        (nearest(&matrix, 1), nearest(&matrix, 2), nearest(&matrix, 3)),
        (vec![], vec!["b".to_owned()], vec!["c".to_owned()])
    );
    assert_eq!(matrix.holds(&["a".to_owned(), "c".to_owned()]), 1);
}

#[test]
fn old_news_does_not_undo_newer() {
    let matrix = FactMatrix::default();
    matrix.apply(5, vec![(meta("a"), NO_WORDS, &axis(1))], &[]);
    matrix.apply(4, Vec::new(), &["a".to_owned()]);
    assert_eq!(nearest(&matrix, 1), ["a"]);
}

#[test]
fn a_mark_stands_for_these_facts_at_these_versions() {
    let matrix = FactMatrix::default();
    let all = FactFilter::default();
    let axis = axis(1);
    matrix.apply(1, vec![(meta("a"), NO_WORDS, &axis), (meta("b"), NO_WORDS, &axis)], &[]);
    let both = matrix.mark(&all, None);
    matrix.apply(2, vec![(FactMeta { version: 2, ..meta("a") }, NO_WORDS, &axis)], &[]);
    let changed = matrix.mark(&all, None);
    assert_eq!((both.0, changed.0), (2, 2));
    assert_ne!(both.1, changed.1);
    matrix.apply(3, vec![(meta("a"), NO_WORDS, &axis)], &[]);
    assert_eq!(matrix.mark(&all, None), both);
}

/// Test data: numbers from which a fact and its vector are made.
type Made = (Vec<i8>, u8, i64, u32, bool, i64);

fn made(rows: &[Made]) -> Vec<(FactMeta, Vector)> {
    let one = |(n, (near, importance, days, contributors, disputed, touched)): (usize, &Made)| {
        let mut vector: Vector =
            (0..DIMENSIONS).map(|at| f32::from(near[at % near.len()]) + f32::from(u8::from(at % 7 == n % 7))).collect();
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
        for x in &mut vector {
            *x /= length;
        }
        let evidence = Evidence {
            contributors: *contributors,
            approved_by_operator: n.is_multiple_of(3),
            confirmed_at: Moment(days * DAY_MS),
            disputed: *disputed,
        };
        let status = FactStatus::ALL[n % 3];
        let importance = Importance::new(i64::from(*importance)).expect("1 to 5");
        let (touched, created_at, recalls) = (Moment(touched * DAY_MS), Moment(days * DAY_MS / 2), touched % 4);
        (FactMeta { status, importance, recalls, touched, created_at, evidence, ..meta(&format!("gf_{n:03}")) }, vector)
    };
    rows.iter().enumerate().map(one).collect()
}

fn rows() -> impl Strategy<Value = Vec<Made>> {
    let near = prop::collection::vec(-9i8..=9, 1..8);
    prop::collection::vec((near, 1u8..=5, 0i64..900, 0u32..5, any::<bool>(), 0i64..900), 1..60)
}

proptest! {
    /// Every fact among the exact best is among those returned by `may_be_best`.
    #[test]
    fn nothing_that_belongs_into_an_answer_is_lost(rows in rows(), asked in prop::collection::vec(-9i8..=9, 1..8), terms in prop::collection::vec(0u32..9, 0..5), limit in 1usize..9, by_score in any::<bool>()) {
        let rows = made(&rows);
        let said = |meta: &FactMeta| (0..meta.recalls * 2).map(|n| u32::try_from(n).unwrap_or_default() + u32::from(meta.importance.get())).collect();
        let said: Vec<Vec<Term>> = rows.iter().map(|(meta, _)| said(meta)).collect();
        let query = made(&[(asked, 3, 0, 0, false, 0)]).remove(0).1;
        let matrix = FactMatrix::default();
        matrix.apply(1, rows.iter().zip(&said).map(|((meta, vector), said)| (meta.clone(), said.as_slice(), vector.as_slice())).collect(), &[]);
        let rank = if by_score { Rank::Score } else { Rank::Similarity };
        let search = FactSearch { rank, min_confidence: 0.3, ..FactSearch::best(&query, &terms, NOW, limit) };
        let likely = matrix.may_be_best(&search, &HashSet::new());
        let places: Vec<usize> = (0..rows.len()).collect();
        let words = word_leg::word_scores(&matrix.read().words, &terms, &places).0;
        let mut exact: Vec<(f64, &str)> = rows
            .iter()
            .zip(words)
            .filter(|((meta, _), _)| confidence(&meta.evidence, NOW) >= 0.3)
            .map(|((meta, vector), words)| {
                let near = similarity(vector, &query);
                let parts = ScoreParts::global(near, meta.importance, meta.touched, NOW, confidence(&meta.evidence, NOW));
                (if by_score { parts.score() - likely.spreads.worth(words) } else { 1.0 - near }, &*meta.id)
            })
            .collect();
        exact.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(b.1)));
        for (_, id) in exact.iter().take(limit) {
            prop_assert!(likely.ids.iter().any(|one| one == id), "{id} is lost of {exact:?}");
        }
    }

    /// A slice equals the same part of the whole sorted list.
    #[test]
    fn a_slice_is_a_part_of_the_whole_list(rows in rows(), skip in 0u64..30, limit in 1u64..30, key in 0usize..5, descending in any::<bool>()) {
        let rows = made(&rows);
        let matrix = FactMatrix::default();
        matrix.apply(1, rows.iter().map(|(meta, vector)| (meta.clone(), NO_WORDS, vector.as_slice())).collect(), &[]);
        let keys = [SortKey::Created, SortKey::Contributors, SortKey::Recalls, SortKey::Importance, SortKey::Confidence];
        let order = FactOrder::by(keys[key], descending);
        let filter = FactFilter { status: Some(FactStatus::Approved), order, ..FactFilter::default() };
        let all = matrix.select(&filter, None, None, Slice::ALL);
        prop_assert_eq!(all.len() as u64, matrix.count(&filter, None));
        let part: Vec<_> = all.iter().skip(usize::try_from(skip).expect("small")).take(usize::try_from(limit).expect("small")).cloned().collect();
        prop_assert_eq!(&part, &matrix.select(&filter, None, None, Slice { skip, limit }));
        if let Some((id, _)) = all.first() {
            prop_assert_eq!(&all[1..], &matrix.select(&filter, None, Some(id), Slice::ALL));
        }
        if key == 4 {
            let sure: Vec<f64> = all.iter().map(|(id, _)| {
                let (meta, _) = rows.iter().find(|(meta, _)| *meta.id == **id).expect("there");
                if descending { -confidence(&meta.evidence, NOW) } else { confidence(&meta.evidence, NOW) }
            }).collect();
            prop_assert!(sure.windows(2).all(|two| two[0] <= two[1] + 1e-12), "{sure:?}");
        }
    }
}
