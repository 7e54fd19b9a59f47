//! How well similarity and the merge guard tell a rewording from a look-alike, on the labelled pairs.

use domain::merging::{ComparedStatement, Placement, differences, merges_personal, place_fact};
use domain::settings::{LEXICAL_THRESHOLDS, MINILM_THRESHOLDS};
use serde::Deserialize;

use crate::fixture::embedders;
use crate::table::{percent, print, quantile};

const QUANTILES: [f64; 7] = [0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0];
/// Minimum similarity at which statements of two different pairs are compared.
const STRANGERS_FROM: f64 = 0.35;

#[derive(Deserialize)]
struct Pair {
    a: String,
    b: String,
    same: bool,
}

pub async fn run() {
    let pairs: Vec<Pair> = language::pairs();
    let texts: Vec<String> = pairs.iter().flat_map(|pair| [pair.a.clone(), pair.b.clone()]).collect();
    let (mut spread, mut merged, mut strange) = (Vec::new(), Vec::new(), Vec::new());
    for (name, embedder) in embedders() {
        let vectors = embedder.embed(&texts).await.expect("embedded");
        let cosine = |both: &[Vec<f32>]| both[0].iter().zip(&both[1]).map(|(x, y)| f64::from(x * y)).sum();
        let near: Vec<(&Pair, f64)> = pairs.iter().zip(vectors.chunks_exact(2).map(cosine)).collect();
        for (kind, same) in [("rewordings", true), ("look-alikes", false)] {
            let similarities: Vec<f64> = near.iter().filter(|(pair, _)| pair.same == same).map(|(_, s)| *s).collect();
            let quantiles = QUANTILES.map(|share| format!("{:.3}", quantile(&similarities, share)));
            spread.push([format!("{name}, {} {kind}", similarities.len())].into_iter().chain(quantiles).collect());
        }
        let strangers = strangers(&pairs, &vectors);
        let at = if name == "lexical" { LEXICAL_THRESHOLDS } else { MINILM_THRESHOLDS };
        let mut rule = |rule: String, merges: &dyn Fn(&Pair, f64) -> bool| {
            let share = |same: bool| {
                let of: Vec<bool> = near.iter().filter(|(pair, _)| pair.same == same).map(|(pair, s)| merges(pair, *s)).collect();
                (of.iter().filter(|merged| **merged).count(), of.len())
            };
            let ((yes, all), (wrong, others)) = (share(true), share(false));
            let apart = strangers.iter().filter(|(pair, s)| merges(pair, *s)).count();
            merged.push(vec![
                format!("{name}, {rule}"),
                percent(yes as f64 / all as f64),
                format!("{wrong} of {others}"),
                apart.to_string(),
            ]);
        };
        rule(format!("personal, default {:.2}", at.personal), &|p, s| {
            merges_personal(s, at.personal, &ComparedStatement::new(&p.a), &ComparedStatement::new(&p.b)).is_some()
        });
        rule(format!("global, default {:.2}", at.global), &|p, s| {
            [(&p.a, &p.b), (&p.b, &p.a)].into_iter().any(|(a, b)| place_fact(s, at.global, at.related, a, b) == Placement::Merge)
        });
        for step in -3..=3 {
            let threshold = at.personal + 0.04 * f64::from(step);
            rule(format!("guard and {threshold:.2}"), &|p, s| {
                merges_personal(s, threshold, &ComparedStatement::new(&p.a), &ComparedStatement::new(&p.b)).is_some()
            });
        }
        rule("guard alone, no threshold".to_owned(), &|p, _| differences(&p.a, &p.b).is_empty());
        rule(format!("{:.2} alone, no guard", at.personal), &|_, s| s >= at.personal);
        let merging = strangers.iter().filter(|(pair, s)| {
            merges_personal(*s, at.personal, &ComparedStatement::new(&pair.a), &ComparedStatement::new(&pair.b)).is_some()
        });
        strange.extend(merging.map(|(pair, s)| format!("{name} {s:.3}  {}  =  {}", pair.a, pair.b)));
    }
    let heads = ["cosine similarity", "min", "5 %", "25 %", "median", "75 %", "95 %", "max"];
    print("Merge guard: how near labelled pairs are", &heads, &spread);
    let heads = ["rule", "rewordings merged", "look-alikes merged", "strangers merged"];
    print("Merge guard: what becomes one (strangers: near statements of two pairs)", &heads, &merged);
    if !strange.is_empty() {
        println!("\nstrangers that become one at the default: right or wrong?\n{}", strange.join("\n"));
    }
}

/// Similar statements from different pairs. They are not labelled; most of them mean different things.
fn strangers(pairs: &[Pair], vectors: &[Vec<f32>]) -> Vec<(Pair, f64)> {
    let texts: Vec<&String> = pairs.iter().flat_map(|pair| [&pair.a, &pair.b]).collect();
    let labelled = |a: &String, b: &String| pairs.iter().any(|pair| (&pair.a, &pair.b) == (a, b) || (&pair.a, &pair.b) == (b, a));
    let mut near = Vec::new();
    for (n, a) in texts.iter().enumerate() {
        for (m, b) in texts.iter().enumerate().skip(n + 1).filter(|(_, b)| a != *b) {
            let similarity = f64::from(vectors[n].iter().zip(&vectors[m]).map(|(x, y)| x * y).sum::<f32>());
            if similarity >= STRANGERS_FROM && !labelled(a, b) {
                near.push((Pair { a: (*a).clone(), b: (*b).clone(), same: false }, similarity));
            }
        }
    }
    near
}
