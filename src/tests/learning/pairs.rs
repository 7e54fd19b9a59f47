//! The labelled pairs: rewordings of one statement, and look-alikes that say something else. The default thresholds of each
//! embedder must tell them apart.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use domain::merging::{ComparedStatement, Placement, merges_personal, place_fact};
use domain::settings::{LEXICAL_THRESHOLDS, MINILM_THRESHOLDS, Thresholds};
use keepsake::embed::bert::Bert;
use keepsake::embed::lexical::Lexical;
use ports::embedder::Embedder;
use serde::Deserialize;

/// The share of rewordings that must merge. The others need not, because a duplicate costs less than a lost memory.
const MERGED_REWORDINGS: f64 = 0.80;
/// Without a model only spelling is compared, and some rewordings share too little of it.
const MERGED_WITHOUT_MODEL: f64 = 0.75;

/// Where `scripts/model.sh minilm` puts the model, or the folder set in the environment.
#[allow(clippy::disallowed_methods, reason = "a test finds the model where the script puts it")]
pub fn minilm_folder() -> PathBuf {
    let var = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = || var("XDG_CACHE_HOME").or_else(|| Some(var("HOME")?.join(".cache"))).unwrap_or_default();
    var("KEEPSAKE_MODEL_DIR").unwrap_or_else(|| cache().join("keepsake/models/all-MiniLM-L6-v2"))
}

/// all-MiniLM-L6-v2, loaded once for all tests.
pub fn minilm() -> Arc<dyn Embedder> {
    static MODEL: OnceLock<Arc<Bert>> = OnceLock::new();
    let model = MODEL.get_or_init(|| {
        let folder = minilm_folder();
        let model = Bert::open(&folder).unwrap_or_else(|error| {
            panic!("this test needs all-MiniLM-L6-v2 in {}; run `scripts/model.sh minilm` first: {error}", folder.display())
        });
        Arc::new(model)
    });
    model.clone()
}

#[derive(Deserialize)]
struct Pair {
    a: String,
    b: String,
    same: bool,
}

/// A pair and its similarity for one embedder.
struct Measured {
    pair: Pair,
    similarity: f64,
}

async fn measured(embedder: &dyn Embedder) -> Vec<Measured> {
    let pairs: Vec<Pair> = language::pairs();
    let texts: Vec<String> = pairs.iter().flat_map(|pair| [pair.a.clone(), pair.b.clone()]).collect();
    let vectors = embedder.embed(&texts).await.expect("embedded");
    let cosine = |both: &[Vec<f32>]| both[0].iter().zip(&both[1]).map(|(x, y)| f64::from(x * y)).sum();
    pairs.into_iter().zip(vectors.chunks_exact(2)).map(|(pair, both)| Measured { similarity: cosine(both), pair }).collect()
}

/// Judges every pair in both orders: a wrong merge in one order loses a memory, and a rewording counts as merged only if both
/// orders merge.
fn judge(rule: &str, floor: f64, pairs: &[Measured], merges: impl Fn(f64, &str, &str) -> bool) {
    let forth = |m: &Measured| merges(m.similarity, &m.pair.a, &m.pair.b);
    let back = |m: &Measured| merges(m.similarity, &m.pair.b, &m.pair.a);
    let lost: Vec<_> = pairs.iter().filter(|m| !m.pair.same && (forth(m) || back(m))).map(|m| (&m.pair.a, &m.pair.b)).collect();
    let rewordings: Vec<_> = pairs.iter().filter(|m| m.pair.same).map(|m| forth(m) && back(m)).collect();
    let merged = share(&rewordings);
    println!("{rule}: {:.1} % of the rewordings and {} look-alikes merge", 100.0 * merged, lost.len());
    assert!(lost.is_empty(), "{rule}: look-alikes become one: {lost:#?}");
    assert!(merged >= floor, "{rule}: only {merged:.3} of the rewordings merge");
}

/// The share of `true`; 1 if there are none.
#[allow(clippy::cast_precision_loss, reason = "a few hundred lines")]
pub fn share(hits: &[bool]) -> f64 {
    if hits.is_empty() { 1.0 } else { hits.iter().filter(|hit| **hit).count() as f64 / hits.len() as f64 }
}

async fn judge_embedder(name: &str, embedder: &dyn Embedder, at: Thresholds, floor: f64) {
    let pairs = measured(embedder).await;
    judge(&format!("{name}, personal at {:.2}", at.personal), floor, &pairs, |s, a, b| {
        merges_personal(s, at.personal, &ComparedStatement::new(a), &ComparedStatement::new(b)).is_some()
    });
    judge(&format!("{name}, global at {:.2}", at.global), floor, &pairs, |s, a, b| {
        place_fact(s, at.global, at.related, a, b) == Placement::Merge
            || place_fact(s, at.global, at.related, b, a) == Placement::Merge
    });
}

#[test]
fn there_are_enough_pairs_of_both_kinds() {
    let pairs: Vec<Pair> = language::pairs();
    let same = pairs.iter().filter(|pair| pair.same).count();
    assert!(same >= 150, "{same} rewordings");
    assert!(pairs.len() - same >= 200, "{} look-alikes", pairs.len() - same);
    assert!(pairs.iter().all(|pair| pair.a != pair.b), "a pair of one text with itself proves nothing");
}

#[tokio::test]
async fn rewordings_merge_and_look_alikes_never_do_with_the_model() {
    judge_embedder("all-MiniLM-L6-v2", minilm().as_ref(), MINILM_THRESHOLDS, MERGED_REWORDINGS).await;
}

#[tokio::test]
async fn rewordings_merge_and_look_alikes_never_do_without_a_model() {
    judge_embedder("lexical", &Lexical::default(), LEXICAL_THRESHOLDS, MERGED_WITHOUT_MODEL).await;
}
