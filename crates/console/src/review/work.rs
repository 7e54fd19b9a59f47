//! The review queue for the console's calls: parses the URL, calls the services, puts ages and numbers into words.

use crate::decide::work::undoable;
use crate::inspect::work::words::prospect;
use crate::notice::{Notice, Refused, grouped};
use crate::review::queue_query::{BUILT_IN, ORDERS, PAGES, QueueQuery, queue_filter};
use crate::review::shapes::{Beside, Filters, Flag, OpenedCandidate, Past, Queue, ReviewCandidate, Tab, Today};
use crate::server::{SignedIn, outward};
use domain::facts::admission::clears_floor;
use domain::facts::confidence::{Evidence, Remedy, confidence, remedies};
use domain::facts::fact::FactStatus;
use domain::facts::promotion::{PromoteAt, Voices};
use domain::facts::rejection::{Reason, Rejection};
use domain::insight::stats::{self, History, StatsRange};
use domain::moment::Moment;
use service::facts::review::NearFact;
use service::{Error, Fact};

fn contradicts(statuses: &[FactStatus]) -> Flag {
    if statuses.contains(&FactStatus::Approved) { Flag::ContradictsApproved } else { Flag::ContradictsPending }
}

pub async fn queue(operator: &SignedIn, query: &str) -> Result<Queue, Refused> {
    let keepsake = &operator.console.keepsake;
    let asked = QueueQuery::read(query);
    let filter = queue_filter(operator, &asked);
    let (skip, per) = (asked.paging.skip(&PAGES), asked.paging.per(&PAGES));
    let facts = outward(&operator.console, keepsake.facts.find(&operator.viewer, &filter, skip, per).await)?.facts;
    let matching = outward(&operator.console, keepsake.facts.matching(&operator.viewer, &filter).await)?;
    let counts = outward(&operator.console, keepsake.facts.fact_counts(&operator.viewer).await)?;
    let today = outward(&operator.console, keepsake.facts.decided_today(&operator.viewer).await)?;
    let oldest = outward(&operator.console, keepsake.facts.oldest_pending(&operator.viewer).await)?;
    let pace = outward(&operator.console, keepsake.insight.counted_in(&operator.viewer, StatsRange::Week).await)?;
    let settings = keepsake.settings.current();
    let now = keepsake.clock.now();
    let span = asked.paging.span(&PAGES, &asked.query(), facts.len() as u64, matching.count);
    let against = outward(&operator.console, keepsake.facts.against(&operator.viewer, &facts).await)?;
    let candidate = |fact: Fact| {
        let resubmitted = (asked.flag == Some("resubmitted")).then_some(Flag::Resubmitted);
        let flag = resubmitted.or_else(|| against.get(&fact.id).map(|statuses| contradicts(statuses)));
        let by = asked.mine.then(|| operator.viewer.name().to_owned());
        shown(fact, now, by, flag, settings.promote_contributors)
    };
    Ok(Queue {
        candidates: facts.into_iter().map(candidate).collect(),
        pending: counts.pending,
        matching: whole(matching.count),
        token: matching.mark,
        oldest: oldest.map(|at| now.age_since(at)),
        promote_at: settings.promote_contributors,
        span,
        pace: self::pace(&pace),
        rights: operator.viewer.rights(),
        learning: settings.learn_global,
        filters: Filters {
            single: asked.sources == Some("single"),
            sort: asked.order.unwrap_or(ORDERS[0].0).to_owned(),
            words: asked.words(),
            query: asked.query(),
            mine: asked.mine,
            q: asked.conditions.q,
            kinds: asked.conditions.kinds,
            origins: asked.conditions.origins,
        },
        tabs: tabs(operator).await?,
        today: Today { own: today.own, all: today.all, others: today.others },
        undoable: undoable(operator).await?,
    })
}

/// Saved views with their current counts.
async fn tabs(operator: &SignedIn) -> Result<Vec<Tab>, Refused> {
    let keepsake = &operator.console.keepsake;
    let own = outward(&operator.console, keepsake.facts.views(&operator.viewer).await)?;
    let built_in = BUILT_IN.map(|(name, query)| Tab {
        id: None,
        name: name.to_owned(),
        query: query.to_owned(),
        count: 0,
        shared: true,
        own: false,
    });
    let saved = own.into_iter().map(|view| Tab {
        own: view.operator_id == operator.viewer.id(),
        id: Some(view.id),
        name: view.name,
        query: view.query,
        count: 0,
        shared: view.shared,
    });
    let mut tabs: Vec<Tab> = built_in.into_iter().chain(saved).collect();
    for tab in &mut tabs {
        let filter = queue_filter(operator, &QueueQuery::read(&tab.query));
        tab.count = match keepsake.facts.count(&operator.viewer, &filter).await {
            // One unreadable view must not hide the others.
            Err(Error::Refused(_)) => 0,
            counted => whole(outward(&operator.console, counted)?),
        };
    }
    Ok(tabs)
}

pub async fn candidate(operator: &SignedIn, id: &str, merge: Option<&str>) -> Result<OpenedCandidate, Refused> {
    let mut opened = opened_fact(operator, id).await?;
    if let Some(other) = merge.filter(|other| *other != id) {
        let keepsake = &operator.console.keepsake;
        let (now, promote_at) = (keepsake.clock.now(), keepsake.settings.current().promote_contributors);
        let near = outward(&operator.console, keepsake.facts.beside(&operator.viewer, id, other).await)?;
        opened.into = near.map(|near| beside(near, now, promote_at));
    }
    Ok(opened)
}

/// One fact with its neighbours and contradictions.
pub(crate) async fn opened_fact(operator: &SignedIn, id: &str) -> Result<OpenedCandidate, Refused> {
    let keepsake = &operator.console.keepsake;
    let seen = outward(&operator.console, keepsake.facts.inspect(&operator.viewer, id).await)?;
    let (settings, now) = (keepsake.settings.current(), keepsake.clock.now());
    let statuses: Vec<FactStatus> = seen.against.iter().map(|near| near.fact.status).collect();
    let flag = (!statuses.is_empty()).then(|| contradicts(&statuses));
    let ago = |at: Moment| format!("{} ago", now.age_since(at));
    let mut history = vec![past("Proposed", format!("{} · {}", ago(seen.fact.created_at), seen.fact.origin.label()))];
    history.extend(seen.flagged_at.map(|at| past("Flagged", format!("{} · contradiction", ago(at)))));
    history
        .push(past("Last edit", seen.edited.map_or_else(|| "Not edited".to_owned(), |(at, by)| format!("{} · {by}", ago(at)))));
    let beside = |near: Vec<NearFact>| near.into_iter().map(|near| beside(near, now, settings.promote_contributors)).collect();
    Ok(OpenedCandidate {
        disputes: seen.fact.disputes(),
        prospect: prospect(&seen.fact, &settings, now),
        confidence: seen.confidence,
        floor: settings.recall_min_confidence,
        merges_at: format!("{:.2}", settings.merge_global),
        outlook: outlook(&seen.fact, now, settings.recall_min_confidence),
        rejected_for: seen.fact.rejection.as_ref().map(because),
        nearest: beside(seen.nearest),
        against: beside(seen.against),
        into: None,
        history,
        candidate: shown(seen.fact, now, seen.decided_by, flag, settings.promote_contributors),
        promote_at: settings.promote_contributors,
    })
}

pub async fn save_view(operator: &SignedIn, id: Option<&str>, name: &str, query: &str, shared: bool) -> Result<Notice, Refused> {
    let query = QueueQuery::read(query).query();
    let id = id.filter(|id| !id.is_empty());
    outward(&operator.console, operator.console.keepsake.facts.save_view(&operator.viewer, id, name, &query, shared).await)?;
    Ok(Notice::ViewSaved { query })
}

pub async fn delete_view(operator: &SignedIn, id: &str) -> Result<Notice, Refused> {
    outward(&operator.console, operator.console.keepsake.facts.delete_view(&operator.viewer, id).await)?;
    Ok(Notice::ViewDeleted)
}

fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Describes the rate of new candidates; `None`: there was none yet.
fn pace(week: &History) -> Option<String> {
    let first = week.first?;
    let days = (week.today - first + 1).clamp(1, week.range.days());
    let (today, sum) = (week.on(stats::NEW, week.today), week.sum(stats::NEW));
    if days == 1 {
        return Some(format!("{} new today", grouped(today)));
    }
    let daily = match (sum + days / 2) / days {
        0 if sum > 0 => "fewer than 1".to_owned(),
        daily => grouped(daily),
    };
    Some(format!("{} new today · {daily} a day in the last {days} days", grouped(today)))
}

/// Describes the effect of approving a pending fact; `None`: it would reach the floor, or it is not pending.
fn outlook(fact: &Fact, now: Moment, floor: f64) -> Option<String> {
    let approved = Evidence { approved_by_operator: true, ..fact.evidence() };
    let then = confidence(&approved, now);
    if fact.status != FactStatus::Pending || clears_floor(then, floor) {
        return None;
    }
    let helps = match remedies(&approved, floor, now).first() {
        Some(Remedy::Settle) => "Resolve the contradiction first.",
        Some(Remedy::Voice) => "It needs one more contributor as well.",
        Some(Remedy::Approval) | None => "Nothing else alone would lift it; a lower floor would.",
    };
    Some(format!("Approving it is not enough: its confidence would be {then:.2}, below the recall floor of {floor:.2}. {helps}"))
}

/// A reason with its words.
pub(crate) fn because(why: &Rejection) -> String {
    match &why.note {
        Some(note) if why.reason == Reason::Other => format!("“{note}”"),
        Some(note) => format!("{} — “{note}”", why.reason.label()),
        None => why.reason.label().to_owned(),
    }
}

fn past(what: &str, when: String) -> Past {
    Past { what: what.to_owned(), when }
}

fn beside(near: NearFact, now: Moment, promote_at: PromoteAt) -> Beside {
    let NearFact { fact, similarity, .. } = near;
    Beside {
        similarity: format!("{similarity:.2}"),
        confidence: format!("{:.2}", confidence(&fact.evidence(), now)),
        age: now.age_since(fact.created_at),
        disputes: fact.disputes(),
        id: fact.id,
        version: fact.version,
        content: fact.content,
        status: fact.status,
        contributors: Voices::told(fact.contributors, promote_at),
    }
}

fn shown(fact: Fact, now: Moment, decided_by: Option<String>, flag: Option<Flag>, promote_at: PromoteAt) -> ReviewCandidate {
    ReviewCandidate {
        age: now.age_since(fact.created_at),
        decided_by,
        flag,
        id: fact.id,
        version: fact.version,
        content: fact.content,
        status: fact.status,
        kind: fact.kind,
        origin: fact.origin,
        importance: fact.importance.get(),
        contributors: Voices::told(fact.contributors, promote_at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_string_is_read_and_made_canonical() {
        crate::server::is_made_canonical(
            |query| QueueQuery::read(query).query(),
            &[
                ("", ""),
                ("?sort=oldest", ""),
                ("sort=newest&kind=howto&kind=howto&q=+port+", "q=port&kind=howto&sort=newest"),
                ("origin=busybro&sources=one-short", "sources=one-short&origin=assistant"),
                ("nonsense=1&kind=poem&min_importance=9&flag=blue", ""),
                ("view=mine", "view=mine&when=today"),
                ("page=3&per=50", ""),
                ("per=25&flag=contradiction", "flag=contradiction&per=25"),
            ],
        );
    }

    #[test]
    fn built_in_views_are_canonical() {
        for (name, query) in BUILT_IN {
            assert_eq!(QueueQuery::read(query).query(), query, "{name}");
        }
    }

    #[test]
    fn arrivals_are_told_by_the_day() {
        let week = |first: i64, counted: &[(i64, i64)]| History {
            range: StatsRange::Week,
            today: 1000,
            first: Some(first),
            counts: counted.iter().map(|&(day, value)| stats::DayCount { day, name: stats::NEW.to_owned(), value }).collect(),
        };
        assert_eq!(pace(&week(900, &[(1000, 4), (997, 38)])).as_deref(), Some("4 new today · 6 a day in the last 7 days"));
        assert_eq!(pace(&week(999, &[(1000, 1), (999, 2)])).as_deref(), Some("1 new today · 2 a day in the last 2 days"));
        assert_eq!(pace(&week(900, &[(999, 2)])).as_deref(), Some("0 new today · fewer than 1 a day in the last 7 days"));
        assert_eq!(pace(&week(1000, &[(1000, 2)])).as_deref(), Some("2 new today"));
        assert_eq!(pace(&History { first: None, ..week(1000, &[]) }), None);
    }
}
