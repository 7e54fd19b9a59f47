//! Similarity of facts.

use super::sample::{NOW, axis, fact, write};
use domain::facts::fact::FactStatus;
use ports::embedder::Vector;
use ports::store::Store;
use ports::store::facts::likeness::{AlikePair, AlikeSides, MergedText};
use ports::store::facts::{FactMerge, StatusChange};

/// A unit vector with this similarity to the first axis.
fn leaning(similarity: f32, to: usize) -> Vector {
    let mut vector = axis(0);
    vector[0] = similarity;
    vector[to] = (1.0 - similarity * similarity).sqrt();
    vector
}

fn reject(seen_version: i64) -> StatusChange {
    StatusChange {
        from: FactStatus::Pending,
        to: FactStatus::Rejected,
        seen_version,
        by: Some("op_1".to_owned()),
        rejection: None,
        at: NOW,
    }
}

/// Ids in order, and the similarity in hundredths.
fn told(pairs: &[AlikePair]) -> Vec<(String, String)> {
    let sorted = |pair: &AlikePair| {
        let (a, b) = if pair.a < pair.b { (&pair.a, &pair.b) } else { (&pair.b, &pair.a) };
        (format!("{a} {b}"), format!("{:.2}", pair.similarity))
    };
    pairs.iter().map(sorted).collect()
}

fn expected(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(ids, similarity)| ((*ids).to_owned(), (*similarity).to_owned())).collect()
}

/// Four facts, one of them rejected, whose similarities to the first are 0.90, 0.70 and 0.80.
async fn four(store: &dyn Store) {
    write!(store, |tx| {
        tx.insert_fact(&fact("gf_0", 0)).await?;
        for (n, similarity) in [(1, 0.9), (2, 0.7), (3, 0.8)] {
            let mut new = fact(&format!("gf_{n}"), n);
            new.vector = leaning(similarity, n);
            tx.insert_fact(&new).await?;
        }
        tx.change_status("gf_3", &reject(1)).await
    });
}

pub async fn facts_on_either_side_of_a_value_are_told_nearest_first(store: &dyn Store) {
    assert_eq!(store.alike_facts(9, &[0.5], 2).await.expect("read"), [AlikeSides::default()]);
    four(store).await;
    let sides = store.alike_facts(9, &[0.65, 0.95], 2).await.expect("read");
    // The rejected fact is in no pair; the two others have a similarity of 0.63 to each other.
    assert_eq!(told(&sides[0].from), expected(&[("gf_0 gf_2", "0.70"), ("gf_0 gf_1", "0.90")]));
    assert_eq!(told(&sides[0].below), expected(&[("gf_1 gf_2", "0.63")]));
    assert_eq!(told(&sides[1].from), []);
    assert_eq!(told(&sides[1].below), expected(&[("gf_0 gf_1", "0.90"), ("gf_0 gf_2", "0.70")]));
    let newest = store.alike_facts(2, &[0.65], 2).await.expect("read");
    assert_eq!((told(&newest[0].from).len(), told(&newest[0].below)), (0, expected(&[("gf_1 gf_2", "0.63")])));
}

pub async fn what_was_merged_or_flagged_is_told_from_a_value_on(store: &dyn Store) {
    four(store).await;
    write!(store, |tx| {
        for (n, (into, similarity)) in
            [("gf_0", 0.875), ("gf_0", 0.75), ("gf_3", 0.875), ("gf_1", 0.9375)].into_iter().enumerate()
        {
            let merge = FactMerge {
                id: format!("mrg_{n}"),
                fact_id: into.to_owned(),
                content: format!("Said otherwise {n}."),
                vector: axis(n),
                similarity,
                at: NOW,
            };
            tx.record_fact_merge(&merge, None).await?;
        }
        for (a, b, similarity) in
            [("gf_0", "gf_1", 0.9375), ("gf_0", "gf_2", 0.75), ("gf_0", "gf_3", 0.8125), ("gf_1", "gf_2", 0.625)]
        {
            tx.flag_contradiction(a, b, similarity, NOW).await?;
        }
        tx.resolve_pair("gf_0", "gf_1", NOW).await
    });
    let merged = store.merged_from(0.8, 9).await.expect("read");
    let wording = |n: u8, fact_id: &str, similarity: f64| MergedText {
        fact_id: fact_id.to_owned(),
        content: format!("Said otherwise {n}."),
        similarity,
    };
    assert_eq!(merged, [wording(0, "gf_0", 0.875), wording(3, "gf_1", 0.9375)]);
    assert_eq!(store.merged_from(0.8, 1).await.expect("read"), merged[..1]);
    assert_eq!(told(&store.flagged_from(0.5, 9).await.expect("read")), expected(&[("gf_1 gf_2", "0.62"), ("gf_0 gf_2", "0.75")]));
    assert_eq!(store.flagged_from(0.7, 9).await.expect("read").len(), 1);
    assert_eq!(store.flagged_from(0.5, 1).await.expect("read").len(), 1);
}
