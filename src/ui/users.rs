//! Users: found by id, never browsed, and opened with a reason.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use super::parts::field::{ErrorSummary, Typed, sentence};
use super::parts::heads::heads;
use super::parts::icon::{Icon, Icon16, Icon24};
use super::parts::load::{load, loaded, missing};
use super::shell::Head;
use crate::calls::users::{People, Person, find_people, in_url, record_path};

/// The id of the field for the reason.
const REASON: &str = "reason";

#[component]
pub fn Users() -> impl IntoView {
    let query = use_query_map().get_untracked();
    let q = query.get("q").unwrap_or_default().trim().to_owned();
    let wanted = query.get("open");
    let (asked, typed) = (q.clone(), q.clone());
    let page =
        load(move || asked.clone(), |q| async move { if q.is_empty() { Ok(None) } else { find_people(q).await.map(Some) } });
    view! {
        <Title text="Users" />
        <Head title="Users" lead=Signal::stored("For support and erasure requests".to_owned()) />
        <div class="column">
            <form class="find" method="get" action="/manage/users" role="search" data-testid="user-search">
                <label for="q">"User id"</label>
                <span class="search-box">
                    <Icon16 icon=Icon::Search />
                    <input id="q" name="q" value=typed autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="q-hint" />
                </span>
                <button type="submit" class="button primary">"Find"</button>
                <p id="q-hint" class="hint-line">"The whole id; with users:edit, its start from 4 characters is enough. There is no list of everyone to browse."</p>
            </form>
            {loaded(page, move |found| found.map(|found| view! { <Found found q=q.clone() wanted=wanted.clone() /> }), missing("The search"))}
        </div>
    }
}

#[component]
fn Found(found: People, q: String, #[prop(into)] wanted: Option<String>) -> impl IntoView {
    let People { people, more, prefix_from } = found;
    if people.is_empty() {
        return view! { <NobodyFound q prefix_from /> }.into_any();
    }
    let wanted = wanted.filter(|id| people.iter().any(|person| person.id == *id && !person.open));
    let heading = if more {
        format!("The first {} are listed. Type more of the id.", people.len())
    } else {
        format!("{} found", people.len())
    };
    let back = format!("/manage/users?q={}", in_url(&q));
    let here = back.clone();
    view! {
        <section class="box">
            <header><h2>{heading}</h2></header>
            <table class="ledger">
                <caption class="sr">"Users that match"</caption>
                <thead>
                    <tr>
                        {heads([("User id", "")])}
                        <th scope="col"><span class="sr">"Open"</span></th>
                    </tr>
                </thead>
                <tbody>{people.into_iter().map(|person| view! { <FoundRow person here=here.clone() /> }).collect_view()}</tbody>
            </table>
        </section>
        {wanted.map(|user| view! { <OpenCard user cancel=back /> })}
    }
    .into_any()
}

#[component]
fn FoundRow(person: Person, here: String) -> impl IntoView {
    let Person { id, open } = person;
    let href = if open { record_path(&id) } else { format!("{here}&open={}", in_url(&id)) };
    let words = if open { "Open" } else { "Open…" };
    let (name, row) = (format!("Open {id}"), id.clone());
    view! {
        <tr data-testid="user-result" data-user-id=row>
            <td><a href=href.clone()><code>{id}</code></a></td>
            <td class="number"><a href=href class="button small" aria-label=name>{words}</a></td>
        </tr>
    }
}

#[component]
fn NobodyFound(
    q: String,
    /// From how many characters a beginning is enough; never for viewers.
    #[prop(into)]
    prefix_from: Option<usize>,
) -> impl IntoView {
    let words = match prefix_from {
        Some(from) if q.chars().count() < from => Some(format!("Below {from} characters only a whole id is found.")),
        Some(_) => None,
        None => Some("With users:view only a whole id is found.".to_owned()),
    };
    view! {
        <section class="panel" data-testid="empty">
            <Icon24 icon=Icon::People />
            <h2>{format!("No user matches “{q}”.")}</h2>
            {words.map(|words| view! { <p>{words}</p> })}
        </section>
    }
}

/// Asks for a reason, and opens the record.
#[component]
pub fn OpenCard(user: String, cancel: String) -> impl IntoView {
    let (problem, typed) = Typed::left(REASON);
    let fresh = problem.is_none();
    let (invalid, described) = if fresh { (None, "reason-hint") } else { (Some("true"), "reason-error reason-hint") };
    let words = problem.as_ref().map(sentence);
    let id = user.clone();
    view! {
        <section class="box">
            <header><h2>{format!("Open {user}")}</h2></header>
            <div class="box-body">
                {problem.map(|problem| view! { <ErrorSummary problem field=REASON /> })}
                <form method="post" action="/calls/users/open" novalidate=true>
                    <input type="hidden" name="user" value=id />
                    <div class="field">
                        <label for=REASON>"Why do you need this record?"</label>
                        {words.map(|words| view! { <p id="reason-error" class="field-error">{words}</p> })}
                        <input id=REASON name=REASON value=typed autocomplete="off" autofocus=fresh aria-required="true" aria-invalid=invalid aria-describedby=described data-testid="open-reason" />
                        <p id="reason-hint" class="hint-line">"A ticket reference is enough. It is written to the audit log with your name."</p>
                    </div>
                    <div class="form-actions">
                        <button type="submit" class="button primary" data-testid="open-record">"Open record"</button>
                        <a href=cancel class="button plain">"Cancel"</a>
                    </div>
                </form>
            </div>
        </section>
    }
}
