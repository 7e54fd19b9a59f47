//! The table of facts, with the data and the actions of each.

use leptos::prelude::*;

use crate::facts::shapes::{FactFigures, FactList, FactRow, SortColumn};
use crate::notice::grouped;
use crate::parts::about::Status;
use crate::parts::icon::{Icon, Icon16};
use crate::parts::meta::{Badge, Contributors, Dots};
use crate::parts::prose::Prose;
use domain::facts::decision::Verb;
use domain::facts::fact::FactStatus;

#[component]
pub fn Table(list: FactList) -> impl IntoView {
    let may_review = list.may_review;
    let with_status = list.filters.status == "all";
    let caption = match list.filters.status.as_str() {
        "approved" => "Approved facts",
        "rejected" => "Rejected facts",
        _ => "All facts",
    };
    let columns = list.filters.columns.clone();
    let head = |name: &str, class: &'static str| {
        columns.iter().find(|column| column.name == name).cloned().map(|column| view! { <Sorted column class /> })
    };
    let rows = list.rows.into_iter().map(|row| view! { <Row row with_status may_review /> }).collect_view();
    view! {
        <table class="facts-table" data-testid="facts-table">
            <caption class="sr">{caption}</caption>
            <thead>
                <tr>
                    {may_review.then(|| view! {
                        <th scope="col" class="col-pick">
                            <label class="pick scripted"><input type="checkbox" data-testid="select-all" data-selects="toggle" aria-label="Select this page" /></label>
                            <span class="sr">"Select"</span>
                        </th>
                    })}
                    <th scope="col" class="col-fact">"Fact"</th>
                    {with_status.then(|| view! { <th scope="col" class="wide-only">"Status"</th> })}
                    <th scope="col" class="wide-only">"Kind"</th>
                    <th scope="col" class="wide-only">"Origin"</th>
                    {head("Contributors", "number wide-only")}
                    {head("Confidence", "number")}
                    {head("Importance", "wide-only")}
                    {head("Recalls", "number wide-only")}
                    <th scope="col" class="wide-only">"Confirmed"</th>
                    <th scope="col" class="col-more"><span class="sr">"Actions"</span></th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

/// A sortable column head.
#[component]
fn Sorted(column: SortColumn, class: &'static str) -> impl IntoView {
    let SortColumn { name, href, sorted } = column;
    let (on, up) = (sorted.is_some(), sorted.as_deref() == Some("ascending"));
    view! {
        <th scope="col" class=class class:sorted=on aria-sort=sorted>
            <a href=href>{name}{on.then(|| view! { <span class="turn" class:up=up><Icon16 icon=Icon::Chevron /></span> })}</a>
        </th>
    }
}

#[component]
fn Row(row: FactRow, with_status: bool, may_review: bool) -> impl IntoView {
    let FactRow { fact, confirmed, confirmed_on, note: flag } = row;
    let menu = fact.clone();
    let FactFigures { id, version, content, status, kind, origin, importance, contributors, confidence, low, recalls } = fact;
    let pick = view! {
        <td class="col-pick">
            <label class="pick">
                <input
                    type="checkbox"
                    form="bulk"
                    name="ids[]"
                    value=format!("{id}:{version}")
                    data-testid="select-row"
                    aria-label=format!("Select: {content}")
                />
            </label>
        </td>
    };
    view! {
        <tr data-testid="fact-row" data-fact-id=id.clone() data-version=version data-status=status.as_str()>
            {may_review.then_some(pick)}
            <td class="col-fact">
                <a href=format!("/manage/facts/{id}")><Prose text=content.clone() /></a>
                {flag.map(|words| view! { <p><span class="flag"><Icon16 icon=Icon::Warning />{words}</span></p> })}
            </td>
            {with_status.then(|| view! { <td class="wide-only"><Status status by=None /></td> })}
            <td class="wide-only">{kind.label()}</td>
            <td class="wide-only"><Badge origin /></td>
            <td class="number wide-only"><Contributors contributors /></td>
            <td class="number"><Confidence confidence low /></td>
            <td class="wide-only"><Dots importance /></td>
            <td class="number wide-only">{grouped(recalls)}</td>
            <td class="dim wide-only"><time datetime=confirmed_on>{confirmed}</time></td>
            <td class="col-more"><Menu fact=menu may_review /></td>
        </tr>
    }
}

/// Confidence, marked if it is below the recall floor.
#[component]
pub fn Confidence(confidence: String, low: bool) -> impl IntoView {
    if low {
        view! { <span class="low" title="Below the recall floor"><Icon16 icon=Icon::Chevron />{confidence}<span class="sr">" Below the recall floor"</span></span> }.into_any()
    } else {
        view! { {confidence} }.into_any()
    }
}

/// All actions on one row: forms and links that work without script.
#[component]
fn Menu(fact: FactFigures, may_review: bool) -> impl IntoView {
    let FactFigures { id, version, content, status, .. } = fact;
    let verbs = offered(status).map(
        |(verb, words, test)| view! { <button type="submit" name="action" value=verb.as_str() data-testid=test>{words}</button> },
    );
    let fives = (1..=5_u8).map(|n| {
        view! { <button type="submit" name="importance" value=n.to_string() class="button" aria-label=format!("Importance {n}")>{n}</button> }
    });
    let value = format!("{id}:{version}");
    let edits = may_review.then(|| {
        view! {
            <form method="post" action="/calls/decide">
                <input type="hidden" name="ids[]" value=value.clone() />
                {verbs.collect_view()}
            </form>
            <form method="post" action="/calls/decide" class="set-importance">
                <input type="hidden" name="ids[]" value=value />
                <input type="hidden" name="action" value="importance" />
                <span>"Set importance"</span>
                <span class="fives">{fives.collect_view()}</span>
            </form>
            <a href=format!("/manage/facts/{id}?edit=1")>"Edit"</a>
        }
    });
    view! {
        <details class="menu" data-testid="fact-menu">
            <summary class="quiet" aria-label=format!("More: {content}") title="More"><Icon16 icon=Icon::More /></summary>
            <div class="popover">
                {edits}
                <a href=format!("/manage/facts/{id}")>"Open as page"</a>
                <button type="button" class="scripted" data-copies=id.clone()>"Copy id"</button>
                {may_review.then(|| view! { <a href=format!("/manage/facts/{id}/delete") class="danger-text" data-dialog="true" data-testid="delete">"Delete…"</a> })}
            </div>
        </details>
    }
}

/// The verbs for a status: labels and test ids.
pub fn offered(status: FactStatus) -> [(Verb, &'static str, &'static str); 2] {
    let (approve, reject, reopen) =
        ((Verb::Approve, "Approve", "approve"), (Verb::Reject, "Reject", "reject"), (Verb::Reopen, "Re-open", "reopen"));
    match status {
        FactStatus::Pending => [approve, reject],
        FactStatus::Approved => [reopen, reject],
        FactStatus::Rejected => [approve, reopen],
    }
}
