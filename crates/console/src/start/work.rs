//! The first steps for the console's call.

use crate::notice::{Notice, Refused};
use crate::screens;
use crate::server::{SignedIn, outward, say};
use crate::start::shapes::{FirstSteps, Sample, SampleChange};
use domain::access::rights::{Right, Rights};
use domain::facts::fact::FactStatus;
use domain::insight::stats::{self, StatsRange};
use service::insight::stats::Totals;

const PAGE: &str = screens::START.path;

pub async fn first_steps(operator: &SignedIn) -> Result<FirstSteps, Refused> {
    let (console, keepsake, viewer) = (&operator.console, &operator.console.keepsake, &operator.viewer);
    let totals = outward(console, keepsake.insight.totals(viewer).await)?;
    let ticks = steps_done(operator, &totals).await?;
    let held = outward(console, keepsake.transfer.sample_held(viewer).await)?;
    let manages = viewer.may(Right::Manage);
    let origin = crate::keys::work::origin(console);
    Ok(FirstSteps {
        ticks,
        pending: totals.team(FactStatus::Pending),
        send: call(
            &origin,
            "exchanges",
            r#"{"user_id":"u1","surface":"web","user":"For the team: production deploys run on Tuesdays and Thursdays.","assistant":"Noted."}"#,
        ),
        ask: call(&origin, "recall", r#"{"user_id":"u1","surface":"web","query":"When do production deploys run?"}"#),
        batch_s: keepsake.proposals.arrival_batch().as_secs(),
        sample: Sample {
            users: held.users,
            waiting: held.waiting,
            may_load: manages && held.may_load,
            may_remove: manages && held.users > 0,
        },
    })
}

/// Returns which steps are done, in order.
pub(crate) async fn steps_done(operator: &SignedIn, totals: &Totals) -> Result<[bool; FirstSteps::ALL], Refused> {
    let (console, keepsake, viewer) = (&operator.console, &operator.console.keepsake, &operator.viewer);
    let keys = outward(console, keepsake.people.count_keys(viewer).await)?;
    let history = outward(console, keepsake.insight.counted_in(viewer, StatsRange::Year).await)?;
    let recalled = outward(console, keepsake.insight.most_recalled(viewer, StatsRange::Year).await)?;
    Ok([
        keys.iter().any(|count| *count > 0),
        totals.personal() > 0 || history.sum(stats::READ) > 0,
        totals.team(FactStatus::Approved) > 0,
        !recalled.is_empty(),
    ])
}

/// Returns the start page: statistics for operators who may only look; else the first steps while nothing has been learned,
/// then the queue or the users.
pub async fn home(operator: &SignedIn) -> Result<String, Refused> {
    let steps = first_steps(operator).await?;
    let [_, message, ..] = steps.ticks;
    let fresh = !message && steps.pending == 0;
    Ok(match operator.viewer.rights() {
        Rights::View => screens::STATS.path,
        _ if fresh => PAGE,
        Rights::Review | Rights::Edit => screens::REVIEW.path,
        Rights::Manage => screens::USERS.path,
    }
    .to_owned())
}

pub async fn load_sample(operator: &SignedIn) -> Result<Notice, Refused> {
    let manager = operator.viewer.manager().map_err(say)?;
    let messages = outward(&operator.console, operator.console.keepsake.transfer.load_sample(manager).await)?;
    leptos_axum::redirect(PAGE);
    Ok(Notice::Sample(SampleChange::Loaded { messages }))
}

pub async fn remove_sample(operator: &SignedIn) -> Result<Notice, Refused> {
    let manager = operator.viewer.manager().map_err(say)?;
    let users = outward(&operator.console, operator.console.keepsake.transfer.remove_sample(manager).await)?;
    leptos_axum::redirect(PAGE);
    Ok(Notice::Sample(SampleChange::Removed { users }))
}

/// Returns a command to paste. It reads the key from the environment, so that the key is not in the shell's history.
fn call(origin: &str, path: &str, body: &str) -> String {
    format!(
        "curl -sS {origin}/v1/{path} \\\n  -H \"Authorization: Bearer $KEEPSAKE_KEY\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{body}'"
    )
}
