//! Examples beside similarity thresholds, in words.

use crate::notice::Refused;
use crate::server::{SignedIn, outward};
use crate::settings::alike::shapes::{Alike, AlikeStatement, Near};
use service::settings::examples::{Example, ExampleStatement, Examples, PairOutcome};
use service::settings::preview::Measure;

/// Returns the examples around these values, given as in forms. A key that is no similarity threshold, or a value that is no
/// number, has none.
pub(crate) async fn examples_near(operator: &SignedIn, values: &[(&str, &str)]) -> Result<Vec<Near>, Refused> {
    let wanted = values.iter().filter_map(|(key, value)| Some((Measure::of(key)?, value.parse().ok()?)));
    let wanted: Vec<(Measure, f64)> = wanted.collect();
    let found = outward(&operator.console, operator.console.keepsake.settings.examples(&operator.viewer, &wanted).await)?;
    Ok(found.into_iter().map(near).collect())
}

fn near(examples: Examples) -> Near {
    Near {
        key: examples.measure.key().to_owned(),
        value: format!("{:.2}", examples.value),
        stand_in: matches!(examples.measure, Measure::Personal | Measure::Correction | Measure::Change),
        from: examples.from.into_iter().map(|one| alike(one, examples.value, true)).collect(),
        below: examples.below.into_iter().map(|one| alike(one, examples.value, false)).collect(),
    }
}

fn alike(Example { similarity, one, other, outcome }: Example, value: f64, reached: bool) -> Alike {
    let outcome = match outcome {
        PairOutcome::Apart => "Two facts",
        PairOutcome::Merged => "Merged",
        PairOutcome::Flagged => "Flagged as a contradiction",
    };
    Alike { similarity: figure(similarity, value, reached), one: said(one), other: said(other), outcome: outcome.to_owned() }
}

/// Formats a similarity with two decimals, or as many as are needed to see on which side of the value it lies.
fn figure(similarity: f64, value: f64, reached: bool) -> String {
    let mut text = format!("{similarity:.2}");
    for decimals in 3..=6 {
        if text.parse::<f64>().is_ok_and(|shown| (shown >= value) == reached) {
            break;
        }
        text = format!("{similarity:.decimals$}");
    }
    text
}

fn said(ExampleStatement { content, fact }: ExampleStatement) -> AlikeStatement {
    AlikeStatement { content, fact }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_similarity_is_shown_on_its_own_side_of_the_value() {
        assert_eq!(figure(0.804, 0.80, true), "0.80");
        assert_eq!(figure(0.7931, 0.80, false), "0.79");
        assert_eq!(figure(0.798, 0.80, false), "0.798");
        assert_eq!(figure(0.79996, 0.80, false), "0.79996");
        assert_eq!(figure(0.8749, 0.87, true), "0.87");
    }
}
