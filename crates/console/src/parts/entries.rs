//! Rows of the audit log by day: who did what, to what, and why.

use leptos::prelude::*;

use crate::audit::shapes::{Bulk, Day, LogEntry, Target};
use crate::erasures::shapes::receipt_path;
use crate::notice::grouped;
use crate::parts::icon::{Icon, Icon16};
use domain::audit::Sign;
use domain::audit::words::EntryWords;

/// A table of days. `caption` is for people who cannot see the heading above it.
#[component]
pub fn LogTable(days: Vec<Day>, caption: &'static str) -> impl IntoView {
    view! {
        <table class="ledger log" role="table" data-testid="audit-table">
            <caption class="sr">{caption}</caption>
            <thead role="rowgroup">
                <tr role="row">
                    <th role="columnheader" scope="col">"Time, UTC"</th>
                    <th role="columnheader" scope="col">"Who"</th>
                    <th role="columnheader" scope="col">"What"</th>
                    <th role="columnheader" scope="col">"Target"</th>
                    <th role="columnheader" scope="col">"Detail"</th>
                </tr>
            </thead>
            {days.into_iter().map(|day| view! { <Rows day /> }).collect_view()}
        </table>
    }
}

#[component]
fn Rows(day: Day) -> impl IntoView {
    view! {
        <tbody role="rowgroup">
            <tr class="day" role="row"><th role="rowheader" scope="rowgroup" colspan="5">{day.title}</th></tr>
            {day.entries.into_iter().map(|entry| view! { <Row entry /> }).collect_view()}
        </tbody>
    }
}

#[component]
fn Row(entry: LogEntry) -> impl IntoView {
    let (icon, tone) = drawn(entry.sign);
    let EntryWords { words, named, rest, detail } = entry.told;
    let detail: Vec<String> = [entry.reason, detail].into_iter().flatten().collect();
    let named = named.map(|name| view! { " "<em>{name}</em> });
    let rest = rest.map(|rest| format!(" {rest}"));
    view! {
        <tr role="row" data-testid="audit-row" data-seq=entry.seq>
            <td role="cell" class="time">{entry.time}</td>
            <td role="cell" class="who-did">{entry.who}</td>
            <td role="cell" class="what"><span class=format!("sign {tone}")><Icon16 icon /><span>{words}{named}{rest}</span></span></td>
            <td role="cell" class="target">{entry.target.map(aimed)}{entry.bulk.map(|bulk| view! { <Members bulk /> })}</td>
            <td role="cell" class="detail-words">{detail.join(" · ")}</td>
        </tr>
    }
}

/// The facts of a bulk decision, folded.
#[component]
fn Members(bulk: Bulk) -> impl IntoView {
    let Bulk { facts, more } = bulk;
    let all = facts.len() as u64 + more;
    let more = (more > 0).then(|| view! { <li>{format!("and {} more; an export lists every one", grouped(more))}</li> });
    view! {
        <details class="members" data-testid="audit-bulk">
            <summary>{format!("{} facts", grouped(all))}</summary>
            <ul>
                {facts
                    .into_iter()
                    .map(|(id, detail)| view! {
                        <li>{aimed(Target::Fact(id))}{detail.map(|detail| format!(" · {detail}"))}</li>
                    })
                    .collect_view()}
                {more}
            </ul>
        </details>
    }
}

fn aimed(target: Target) -> AnyView {
    match target {
        Target::Fact(id) => view! { <a href=format!("/manage/facts/{id}")><code>{id.clone()}</code></a> }.into_any(),
        Target::Settings => view! { <a href="/manage/settings">"Settings"</a> }.into_any(),
        Target::Erasure(id) => {
            view! { <a href=receipt_path(&id) data-testid="audit-receipt"><code>{id.clone()}</code></a> }.into_any()
        }
        Target::Operator(name) => view! { <a href="/manage/operators">{name}</a> }.into_any(),
        Target::Key(name) => view! { <span>{name}</span> }.into_any(),
        Target::User(digest) => {
            view! { <code title="A digest stands in the place of the user id">{format!("user {digest}")}</code> }.into_any()
        }
        Target::Other(id) => view! { <code>{id}</code> }.into_any(),
    }
}

fn drawn(sign: Sign) -> (Icon, &'static str) {
    match sign {
        Sign::Approved => (Icon::Approved, "ok"),
        Sign::Rejected => (Icon::Rejected, ""),
        Sign::Returned => (Icon::Undo, ""),
        Sign::Edited => (Icon::Pencil, ""),
        Sign::Removed => (Icon::Trash, "danger"),
        Sign::Promoted => (Icon::Sparkle, "ok"),
        Sign::Looked => (Icon::Eye, ""),
        Sign::Revealed => (Icon::Eye, "warn"),
        Sign::Tuned => (Icon::Sliders, "warn"),
        Sign::Access => (Icon::Lock, ""),
        Sign::Person => (Icon::Person, ""),
        Sign::Other => (Icon::Info, ""),
    }
}
