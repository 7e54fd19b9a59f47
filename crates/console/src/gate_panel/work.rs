//! The gate panel for the console's calls.

use leptos::prelude::use_context;

use crate::gate_panel::shapes::{AttackGroup, FiredRule, GatePage, TextVerdict};
use crate::notice::Refused;
use crate::server::{PostedForm, SignedIn, outward, say};
use domain::facts::attacks::Defence;
use service::insight::gate_panel::Tried;

pub async fn gate(operator: &SignedIn) -> Result<GatePage, Refused> {
    let keepsake = &operator.console.keepsake;
    let trials = outward(&operator.console, keepsake.insight.run_attacks(&operator.viewer).await)?;
    let typed = use_context::<PostedForm>().map(|posted| posted.field("text"));
    let outcome = match &typed {
        Some(text) => {
            let tried = keepsake.insight.try_gate(&operator.viewer, text).await;
            Some(tried.map(verdict).map_err(|error| say(error.outward(keepsake.clock.as_ref())).0))
        }
        None => None,
    };
    let trials = trials
        .into_iter()
        .map(|trial| AttackGroup {
            name: trial.name.to_owned(),
            note: trial.check == Defence::Note,
            texts: trial.texts.into_iter().map(|(text, rules)| (visible(text), rules)).collect(),
        })
        .collect();
    let reads_vectors = keepsake.insight.gate_reads_vectors();
    Ok(GatePage { text: typed.unwrap_or_default(), outcome, trials, reads_vectors })
}

fn verdict(tried: Tried) -> TextVerdict {
    let mut reading = Vec::new();
    let mut shown = 0;
    for mark in &tried.marks {
        if mark.start > shown {
            reading.push((tried.reading[shown..mark.start].to_owned(), Vec::new()));
        }
        let rules = mark.rules.iter().map(|rule| (*rule).to_owned()).collect();
        reading.push((tried.reading[mark.start..mark.end].to_owned(), rules));
        shown = mark.end;
    }
    if shown < tried.reading.len() {
        reading.push((tried.reading[shown..].to_owned(), Vec::new()));
    }
    let fact_rules = tried.fact_rules.into_iter().map(|rule| FiredRule {
        name: rule.name,
        catches: rule.catches.to_owned(),
        pieces: rule.pieces.iter().map(|piece| visible(piece)).collect(),
    });
    TextVerdict { fact_rules: fact_rules.collect(), note_rules: tried.note_rules, reading }
}

/// The text with invisible and reordering characters written as code points.
fn visible(text: &str) -> String {
    let hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
    };
    text.chars().map(|c| if hidden(c) { format!("⟨U+{:04X}⟩", u32::from(c)) } else { c.to_string() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        assert_eq!(visible("a\u{200b}b\nc"), "a⟨U+200B⟩b⟨U+000A⟩c");
    }
}
