//! The inspector's sentences about a recall, and about whether a fact would be recalled at all.

use crate::inspect::shapes::AskedBy;
use crate::notice::grouped;
use domain::access::surfaces;
use domain::facts::admission::{LeftOut, clears_floor};
use domain::facts::confidence::{Evidence, Remedy, confidence, remedies};
use domain::facts::fact::FactStatus;
use domain::facts::promotion::PromoteAt;
use domain::moment::Moment;
use domain::settings::Settings;
use service::Fact;
use service::recall::MissedFact;
use service::recall::explain::{Explained, FAR};

/// Requirements of a pending fact before it is recalled.
pub(super) struct RecallNeeds {
    pub contributors: u32,
    pub contradicted: bool,
    /// An operator’s approval would bring it to the floor.
    pub approval_is_enough: bool,
}

impl RecallNeeds {
    pub(super) fn words(&self, promote_at: PromoteAt) -> String {
        match promote_at {
            _ if self.contradicted && !self.approval_is_enough => {
                "Resolving its contradiction, then approving it: approved as it is, it would stay below the floor.".to_owned()
            }
            _ if !self.approval_is_enough => "Approving it and another contributor: neither alone is enough.".to_owned(),
            _ if self.contradicted => "An operator’s approval: a contradiction is never promoted by count.".to_owned(),
            Some(needed) if self.contributors < needed => {
                let more = needed - self.contributors;
                let people = if more == 1 { "contributor" } else { "contributors" };
                format!("Approving it, or {more} more {people}.")
            }
            _ => "Approving it.".to_owned(),
        }
    }
}

/// Says what would lift a fact over the floor, one remedy at a time.
pub(super) fn advice(remedies: &[Remedy]) -> String {
    let words = remedies.iter().map(|remedy| match remedy {
        Remedy::Settle => "Settling its contradiction",
        Remedy::Voice => "Another contributor",
        Remedy::Approval => "An operator’s approval",
    });
    let words: Vec<&str> = words.collect();
    match words.as_slice() {
        [] => "A lower floor; nothing else alone is enough.".to_owned(),
        [one] => format!("{one}, or a lower floor."),
        [first, rest @ ..] => {
            let rest: Vec<String> = rest.iter().map(|words| lower(words)).collect();
            format!("{first}, {}, or a lower floor.", rest.join(", "))
        }
    }
}

pub(super) fn lower(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// Says whether a fact would be recalled at all, and if not, what would change that.
pub(crate) fn prospect(fact: &Fact, settings: &Settings, now: Moment) -> String {
    let (floor, evidence) = (settings.recall_min_confidence, fact.evidence());
    let trusted = confidence(&evidence, now);
    match fact.status {
        FactStatus::Rejected => "No: it is rejected. What would change that: re-opening and approving it.".to_owned(),
        FactStatus::Pending => {
            let approved = confidence(&Evidence { approved_by_operator: true, ..evidence }, now);
            let waiting = RecallNeeds {
                contributors: fact.contributors,
                contradicted: fact.contradicted,
                approval_is_enough: clears_floor(approved, floor),
            };
            format!("No: it is pending. What would change that: {}", lower(&waiting.words(settings.promote_contributors)))
        }
        FactStatus::Approved if !clears_floor(trusted, floor) => {
            let helps = lower(&advice(&remedies(&evidence, floor, now)));
            format!("No: its confidence is {trusted:.2}, the floor is {floor:.2}. What would change that: {helps}")
        }
        FactStatus::Approved => places(settings),
    }
}

/// Says where an approved fact is recalled, and where not.
fn places(settings: &Settings) -> String {
    let rows = surfaces::ROWS.iter().filter(|row| row.setting != surfaces::ANONYMOUS.setting);
    let (on, off): (Vec<_>, Vec<_>) = rows.partition(|row| settings.recalls(row));
    let names = |rows: &[&surfaces::SurfaceRow]| {
        listed(
            &rows.iter().map(|row| if row.name.is_some() { row.label.to_owned() } else { lower(row.label) }).collect::<Vec<_>>(),
        )
    };
    if on.is_empty() {
        return "No: team facts are off on every surface. What would change that: turning one on in Settings.".to_owned();
    }
    let nobody = if settings.recall_anonymous { " or someone who is not signed in" } else { "" };
    let not_there = if off.is_empty() { String::new() } else { format!(" Not on {}: team facts are off there.", names(&off)) };
    let not_for = if settings.recall_anonymous { "" } else { " Not for someone who is not signed in." };
    format!("Yes, on {}, for any signed-in user{nobody}, when the question is close enough.{not_there}{not_for}", names(&on))
}

/// `Web, Telegram and MCP`
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

fn who(asked_by: AskedBy) -> &'static str {
    match asked_by {
        AskedBy::Anyone => "any signed-in user",
        AskedBy::Nobody => "someone who is not signed in",
        AskedBy::User => "this user",
    }
}

fn several(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{} {many}", grouped(i64::try_from(count).unwrap_or(i64::MAX))) }
}

/// Says what is recalled, and why not more.
pub(super) fn sentence(explained: &Explained, surface: &str, asked_by: AskedBy, floor: f64) -> String {
    let (memories, facts) = (explained.answer.personal.len(), explained.answer.global.len());
    let (surface, who) = (surfaces::label(surface), who(asked_by));
    if memories + facts == 0 {
        return format!("On {surface}, {who} gets nothing for this question. {}", nothing(explained, surface, floor));
    }
    let parts = [(memories, "memory", "memories"), (facts, "team fact", "team facts")];
    let gets: Vec<String> = parts.iter().filter(|(n, ..)| *n > 0).map(|(n, one, many)| several(*n, one, many)).collect();
    let full = memories == 0 && facts == explained.global_k as usize;
    let most = if full { ", the most that are given" } else { " for this question" };
    let close = explained.missed_personal.len() + explained.missed_global.len();
    let more = match close {
        0 => String::new(),
        n => format!(" {n} more came close."),
    };
    format!("On {surface}, {who} gets {}{most}.{more}", listed(&gets))
}

/// Says why nothing is recalled.
fn nothing(explained: &Explained, surface: &str, floor: f64) -> String {
    let memory = explained.missed_personal.first().map(|missed| missed.why);
    let closest = explained.missed_global.first();
    // If team facts are off, that is the reason, whatever else the closest fact lacks.
    let off = |why: &LeftOut| matches!(why, LeftOut::SurfaceOff | LeftOut::AnonymousOff);
    let off = explained.missed_global.iter().map(|missed| missed.why).find(off);
    match off.or(closest.map(|missed| missed.why)).or(memory) {
        None => "No fact is near it.".to_owned(),
        Some(LeftOut::Greeting) => "A greeting or thanks recalls nothing.".to_owned(),
        Some(LeftOut::SurfaceOff) => format!("Team facts are off on {surface}."),
        Some(LeftOut::AnonymousOff) => "Team facts are off for people who are not signed in.".to_owned(),
        Some(LeftOut::BeyondK) => "At most 0 are given.".to_owned(),
        Some(why) => match closest {
            Some(missed) => format!("The closest fact {}.", state(why, missed, floor)),
            None => "What is close was left out by the question’s own conditions.".to_owned(),
        },
    }
}

/// Says what keeps the closest fact out, as the end of a sentence.
fn state(why: LeftOut, missed: &MissedFact, floor: f64) -> String {
    match why {
        LeftOut::Pending => "is pending".to_owned(),
        LeftOut::Rejected => "is rejected".to_owned(),
        LeftOut::Origin => "has an origin that the question leaves out".to_owned(),
        LeftOut::BelowFloor => format!("has a confidence of {:.2}, below the floor of {floor:.2}", missed.confidence),
        LeftOut::NearDuplicate => "says the same as another item".to_owned(),
        LeftOut::Budget => "does not fit into the token budget".to_owned(),
        LeftOut::AsOf => "was not known at that time".to_owned(),
        _ => "is not similar enough".to_owned(),
    }
}

/// Says what happens to the fact that is asked about. `left_out`: why it was left out and what would change that, in words.
pub(super) fn verdict(
    place: Option<usize>,
    left_out: Option<(&MissedFact, &str, &str)>,
    explained: &Explained,
    surface: &str,
    asked_by: AskedBy,
) -> String {
    let (facts, k) = (explained.answer.global.len(), explained.global_k);
    let (surface, who) = (surfaces::label(surface), who(asked_by));
    match (place, left_out) {
        (Some(place), _) => {
            format!("Yes: on {surface}, {who} gets it for this question, as number {place} of {facts}.")
        }
        (None, Some((missed, ..))) if missed.why == LeftOut::BeyondK => {
            let closer = several(missed.place.unwrap_or(facts + 1).saturating_sub(1), "fact is", "facts are");
            format!(
                "No: on {surface}, {closer} closer to this question, and at most {k} {} given.",
                if k == 1 { "is" } else { "are" }
            )
        }
        (None, Some((_, why, change))) => {
            let (why, change) = (lower(why), lower(change));
            format!("No: on {surface}, {who} does not get it: {why}. What would change that: {change}")
        }
        (None, None) => {
            format!(
                "No: it is not among the {FAR} facts nearest to this question. What would change that: a question that uses its words."
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::settings::MINILM_THRESHOLDS;

    #[test]
    fn an_approved_fact_is_recalled_where_the_switches_allow_it() {
        let mut settings = Settings::defaults(MINILM_THRESHOLDS);
        settings.recall_anonymous = false;
        settings.recall_telegram = false;
        assert_eq!(
            places(&settings),
            "Yes, on Web, MCP and other surfaces, for any signed-in user, when the question is close enough. \
             Not on Telegram: team facts are off there. Not for someone who is not signed in."
        );
        (settings.recall_telegram, settings.recall_anonymous) = (true, true);
        assert_eq!(
            places(&settings),
            "Yes, on Web, Telegram, MCP and other surfaces, for any signed-in user or someone who is not signed in, \
             when the question is close enough."
        );
        (settings.recall_web, settings.recall_telegram, settings.recall_mcp, settings.recall_other) =
            (false, false, false, false);
        assert!(places(&settings).starts_with("No: team facts are off on every surface."));
    }

    #[test]
    fn what_a_pending_fact_needs_is_named() {
        let needs =
            |contributors, contradicted, approval_is_enough| RecallNeeds { contributors, contradicted, approval_is_enough };
        for (waiting, promote_at, words) in [
            (needs(1, false, true), Some(2), "Approving it, or 1 more contributor."),
            (needs(1, false, true), Some(3), "Approving it, or 2 more contributors."),
            (needs(1, false, true), None, "Approving it."),
            (needs(1, true, true), Some(2), "An operator’s approval: a contradiction is never promoted by count."),
            (needs(1, false, false), Some(2), "Approving it and another contributor: neither alone is enough."),
        ] {
            assert_eq!(waiting.words(promote_at), words);
        }
    }
}
