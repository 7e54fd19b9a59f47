//! Users: found by id, never browsed, and opened with a reason.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::erasures::view::EntryTable;
use crate::notice::grouped;
use crate::parts::field::{ErrorSummary, Typed, Wrong, sentence};
use crate::parts::heads::heads;
use crate::parts::icon::{Icon, Icon24};
use crate::parts::load::{load, loaded, missing};
use crate::parts::pager::PostedPager;
use crate::screens;
use crate::shell::Head;
use crate::users::call::open_user_search;
use crate::users::shapes::{People, Person, UserSearch, UserSearchReport, record_path};
use domain::problem::{Field, Problem};

/// The id of the field for the reason.
const REASON: &str = "reason";

#[component]
pub fn Users() -> impl IntoView {
    let page = load(|| (), |()| open_user_search());
    view! {
        <Title text=screens::USERS.title />
        <Head title=screens::USERS.title lead=Signal::stored("For support and erasure requests".to_owned()) />
        {loaded(page, |search| view! { <div class="column"><Search search /></div> }, missing("The search"))}
    }
}

/// The search, posted, so that no id is in a URL, and its results.
#[component]
fn Search(search: UserSearch) -> impl IntoView {
    let UserSearch { may_manage, sought } = search;
    let (q, reason, outcome) = match sought {
        Some(UserSearchReport { q, reason, outcome }) => (q, reason, Some(outcome)),
        None => (String::new(), String::new(), None),
    };
    let (found, problem) = match outcome {
        Some(Ok(found)) => (Some(found), None),
        Some(Err(problem)) => (None, Some(problem)),
        None => (None, None),
    };
    let wrong = Wrong::new(problem.as_ref(), |problem| match problem {
        Problem::Invalid { field: Field::Reason, .. } => REASON,
        _ => "q",
    });
    let (typed, given) = (q.clone(), reason.clone());
    view! {
        <section class="box">
            <div class="box-body">
                {wrong.summary()}
                <form method="post" action="/manage/users" role="search" novalidate=true data-testid="user-search">
                    <div class="two-fields">
                        <div class="field">
                            <label for="q">"User id"</label>
                            {wrong.at("q")}
                            <input id="q" name="q" value=typed autocomplete="off" autocapitalize="none" spellcheck="false" aria-required="true" aria-invalid=wrong.invalid("q") aria-describedby=wrong.described("q", true) />
                            <p id="q-hint" class="hint-line">{if may_manage { "The whole id, or its start from 4 characters. There is no list of everyone to browse." } else { "The whole id. You see counts, days and kinds; text and everything else needs users:edit." }}</p>
                        </div>
                        <div class="field">
                            <label for=REASON>"Reason"</label>
                            {wrong.at(REASON)}
                            <input id=REASON name=REASON value=reason autocomplete="off" aria-required="true" aria-invalid=wrong.invalid(REASON) aria-describedby=wrong.described(REASON, true) data-testid="find-reason" />
                            <p id="reason-hint" class="hint-line">"A ticket reference is enough. It is written to the audit log with your name."</p>
                        </div>
                    </div>
                    <div class="form-actions"><button type="submit" class="button primary">"Find"</button></div>
                </form>
            </div>
        </section>
        {found.map(|found| view! { <Found found q reason=given may_manage /> })}
    }
}

#[component]
fn Found(found: People, q: String, reason: String, may_manage: bool) -> impl IntoView {
    let People { people, span, erasures, prefix_from } = found;
    let erased = (!erasures.is_empty()).then(|| {
        view! {
            <section class="box" data-testid="found-erasures">
                <header><h2>{format!("Erasures of “{q}”")}</h2></header>
                <EntryTable rows=erasures none="" />
            </section>
        }
    });
    if people.is_empty() {
        let was_erased = erased.is_some();
        return view! { {erased}<NobodyFound q prefix_from was_erased may_manage /> }.into_any();
    }
    let total = grouped(i64::try_from(span.total).unwrap_or(i64::MAX));
    let pages = span.previous.is_some() || span.next.is_some();
    let heading = if pages { format!("{total} found. Type more of the id to find fewer.") } else { format!("{total} found") };
    let fields = vec![("q", q), ("reason", reason)];
    view! {
        {erased}
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
                <tbody>{people.into_iter().map(|person| view! { <FoundRow person /> }).collect_view()}</tbody>
            </table>
            {pages.then(|| view! { <PostedPager span action="/manage/users" fields /> })}
        </section>
    }
    .into_any()
}

#[component]
fn FoundRow(person: Person) -> impl IntoView {
    let Person { id, open } = person;
    let href = record_path(&id);
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
fn NobodyFound(q: String, prefix_from: usize, was_erased: bool, may_manage: bool) -> impl IntoView {
    let short = q.chars().count() < prefix_from;
    view! {
        <section class="panel" data-testid="empty">
            <Icon24 icon=Icon::People />
            <h2>{format!("No user matches “{q}”.")}</h2>
            {short.then(|| view! { <p>{format!("Below {prefix_from} characters only a whole id is found.")}</p> })}
            {if !may_manage {
                view! { <p>"Ids are compared letter by letter. A user who was first seen today is found from tomorrow on."</p> }.into_any()
            } else if was_erased {
                view! { <p>"The receipts above are what is left: an erased user has no record."</p> }.into_any()
            } else {
                view! {
                    <p data-testid="not-erased">"No erasure of exactly this id is on record either."</p>
                    <p>"Ids are compared letter by letter, so check capitals and spaces, and ask the assistant’s team for the id that it sends. Receipts are kept for 3 years; the newest are under "<a href="/manage/erasures" class="link">"Erasures"</a>"."</p>
                }
                .into_any()
            }}
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
