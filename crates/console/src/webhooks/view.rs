//! Webhooks: the addresses that are notified of events, and the deliveries to them.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::notice::grouped;
use crate::parts::field::Wrong;
use crate::parts::heads::heads;
use crate::parts::icon::{Icon, Icon16};
use crate::parts::load::{load, loaded, missing};
use crate::screens;
use crate::shell::{Head, LeftoverHere};
use crate::webhooks::call::list_webhooks;
use crate::webhooks::shapes::{HookState, Hooks, PostedHook, WebhookEntry, WebhookMessage};
use domain::problem::{Field, Problem};
use domain::webhook::Event;

/// The path of the page.
const HERE: &str = screens::WEBHOOKS.path;

#[component]
pub fn Webhooks() -> impl IntoView {
    let query = use_query_map();
    let remove = query.get_untracked().get("remove");
    let page = load(move || query.read().get("of").unwrap_or_default(), list_webhooks);
    view! {
        <Title text=screens::WEBHOOKS.title />
        <Head title=screens::WEBHOOKS.title lead=Signal::stored("Notify other programs about facts and erasures".to_owned()) />
        <LeftoverHere />
        {loaded(page, move |hooks| view! { <Page hooks remove=remove.clone() /> }, missing("The list"))}
    }
}

#[component]
fn Page(hooks: Hooks, #[prop(into)] remove: Option<String>) -> impl IntoView {
    let Hooks { hooks, may_manage, of, sent, posted } = hooks;
    let question = remove.filter(|_| may_manage).and_then(|id| hooks.iter().find(|hook| hook.id == id).cloned());
    let shown = of.and_then(|id| hooks.iter().find(|hook| hook.id == id).cloned());
    let (added, refused) = match posted {
        Some(PostedHook::Refused { problem, url, events }) => (None, Some((problem, url, events))),
        Some(PostedHook::Added { url, secret }) => (Some((url, secret)), None),
        None => (None, None),
    };
    let title = match hooks.len() {
        1 => "1 webhook".to_owned(),
        n => format!("{} webhooks", grouped(n)),
    };
    view! {
        <div class="column wide">
            {added.map(|(url, secret)| view! { <Secret url secret /> })}
            {question.map(|hook| view! { <Ask hook /> })}
            <section class="box">
                <header><h2>{title}</h2></header>
                {if hooks.is_empty() {
                    view! { <p class="box-empty" data-testid="empty">"No webhook yet. A webhook tells another program about facts and erasures, without their text."</p> }.into_any()
                } else {
                    view! {
                        <table class="ledger" data-testid="webhooks-table">
                            <caption class="sr">"Webhooks"</caption>
                            <thead>
                                <tr>
                                    {heads([("Address", ""), ("Events", "spare"), ("State", "")])}
                                    <th scope="col"><span class="sr">"Actions"</span></th>
                                </tr>
                            </thead>
                            <tbody>{hooks.into_iter().map(|hook| view! { <Row hook may_manage /> }).collect_view()}</tbody>
                        </table>
                    }.into_any()
                }}
            </section>
            {shown.map(|hook| view! { <Deliveries hook sent may_manage /> })}
            {may_manage.then(|| view! { <Add refused /> })}
        </div>
    }
}

#[component]
fn Row(hook: WebhookEntry, may_manage: bool) -> impl IntoView {
    let WebhookEntry { id, url, events, state } = hook;
    let off = matches!(state, HookState::Gone(_) | HookState::Disabled(_));
    let words = match state {
        HookState::Working => "Working".to_owned(),
        HookState::Failing(since) => format!("Failing since {since}"),
        HookState::Gone(at) => format!("Disabled {at}: the receiver answered 410 Gone"),
        HookState::Disabled(at) => format!("Disabled {at}: it failed for 5 days"),
    };
    let (log, remove) = (format!("{HERE}?of={id}"), format!("{HERE}?remove={id}"));
    let (log_name, remove_name) = (format!("Deliveries to {url}"), format!("Remove {url}"));
    let act = {
        let id = id.clone();
        may_manage.then(|| {
            let (action, words) =
                if off { ("/calls/webhooks/enable", "Enable") } else { ("/calls/webhooks/test", "Send a test") };
            view! {
                <form method="post" action=action>
                    <input type="hidden" name="webhook" value=id />
                    <button type="submit" class="button small">{words}</button>
                </form>
                <a href=remove class="button small danger" data-dialog="true" aria-label=remove_name>"Remove…"</a>
            }
        })
    };
    view! {
        <tr data-testid="webhook-row" data-webhook-id=id class:off=off>
            <td><code>{url}</code></td>
            <td class="dim spare">{events.join(", ")}</td>
            <td data-testid="webhook-state">{words}</td>
            <td class="number"><div class="row-actions"><a href=log class="button small" aria-label=log_name>"Deliveries"</a>{act}</div></td>
        </tr>
    }
}

#[component]
fn Ask(hook: WebhookEntry) -> impl IntoView {
    view! {
        <section class="box" aria-labelledby="question-title" data-question="true" data-testid="dialog">
            <header><h2 id="question-title">"Remove this webhook?"</h2></header>
            <div class="box-body">
                <p><code>{hook.url}</code></p>
                <p>"It receives no more messages, and queued messages are deleted."</p>
                <form method="post" action="/calls/webhooks/remove">
                    <input type="hidden" name="webhook" value=hook.id />
                    <div class="form-actions">
                        <button type="submit" class="button danger" data-testid="dialog-confirm">"Remove webhook"</button>
                        <a href=HERE class="button plain" autofocus=true data-cancels="true" data-testid="dialog-cancel">"Cancel"</a>
                    </div>
                </form>
            </div>
        </section>
    }
}

#[component]
fn Secret(url: String, secret: String) -> impl IntoView {
    view! {
        <div class="note wide ok" role="status" data-testid="webhook-added">
            <Icon16 icon=Icon::Lock />
            <div class="note-text">
                <p class="note-title">"The webhook was added"</p>
                <p><code>{url}</code></p>
                <p class="secret"><code data-testid="webhook-secret">{secret}</code></p>
                <p>"This secret is shown once. The receiver needs it to check the signatures."</p>
            </div>
        </div>
    }
}

#[component]
fn Deliveries(hook: WebhookEntry, sent: Vec<WebhookMessage>, may_manage: bool) -> impl IntoView {
    let title = format!("Deliveries to {}", hook.url);
    let id = hook.id;
    view! {
        <section class="box" data-testid="deliveries">
            <header><h2>{title}</h2></header>
            {if sent.is_empty() {
                view! { <p class="box-empty">"Nothing in the last 30 days."</p> }.into_any()
            } else {
                view! {
                    <table class="ledger">
                        <caption class="sr">"Deliveries, newest first"</caption>
                        <thead>
                            <tr>
                                {heads([("Event", ""), ("Last tried", "spare"), ("State", ""), ("Answer", ""), ("Took", "spare")])}
                                {may_manage.then(|| view! { <th scope="col"><span class="sr">"Actions"</span></th> })}
                            </tr>
                        </thead>
                        <tbody>{sent.into_iter().map(|sent| view! { <Line sent webhook=id.clone() may_manage /> }).collect_view()}</tbody>
                    </table>
                }.into_any()
            }}
        </section>
    }
}

#[component]
fn Line(sent: WebhookMessage, webhook: String, may_manage: bool) -> impl IntoView {
    let state = match (sent.state.as_str(), sent.attempts) {
        ("delivered", _) => "Delivered".to_owned(),
        ("given_up", tries) => format!("Given up after {tries} tries"),
        (_, 0) => "Waiting".to_owned(),
        (_, 1) => "Waiting after 1 try".to_owned(),
        (_, tries) => format!("Waiting after {tries} tries"),
    };
    let name = format!("Send {} again, {}", sent.event, sent.at);
    view! {
        <tr data-testid="delivery-row">
            <td><code>{sent.event}</code></td>
            <td class="dim spare">{sent.at}</td>
            <td>{state}</td>
            <td>{sent.answer}</td>
            <td class="dim spare">{sent.duration}</td>
            {may_manage.then(|| view! {
                <td class="number">
                    <form method="post" action="/calls/webhooks/resend">
                        <input type="hidden" name="webhook" value=webhook />
                        <input type="hidden" name="delivery" value=sent.id />
                        <button type="submit" class="button small" aria-label=name>"Send again"</button>
                    </form>
                </td>
            })}
        </tr>
    }
}

#[component]
fn Add(#[prop(into)] refused: Option<(Problem, String, Vec<Event>)>) -> impl IntoView {
    let (problem, url, events) = match refused {
        Some((problem, url, events)) => (Some(problem), url, events),
        None => (None, String::new(), Event::ALL.to_vec()),
    };
    let wrong = Wrong::new(problem.as_ref(), |problem| match problem {
        Problem::Invalid { field: Field::Event, .. } => "new-events",
        _ => "new-url",
    });
    view! {
        <section class="box">
            <header><h2>"Add a webhook"</h2></header>
            <div class="box-body">
                {wrong.summary()}
                <form method="post" action=HERE novalidate=true data-testid="add-webhook">
                    <div class="field">
                        <label for="new-url">"Address"</label>
                        {wrong.at("new-url")}
                        <input id="new-url" name="url" type="url" value=url autocomplete="off" aria-required="true" aria-invalid=wrong.invalid("new-url") aria-describedby=wrong.described("new-url", false) />
                    </div>
                    <fieldset class="radios" id="new-events" tabindex="-1" aria-describedby=wrong.described("new-events", false)>
                        <legend>"Events"</legend>
                        {wrong.at("new-events")}
                        {Event::ALL.into_iter().map(|event| view! {
                            <label>
                                <input type="checkbox" name=event.as_str() value="on" checked=events.contains(&event) />
                                {event.words()}
                                <small>{event.as_str()}</small>
                            </label>
                        }).collect_view()}
                    </fieldset>
                    <button type="submit" class="button primary">"Add webhook"</button>
                    <p class="hint-line">"Messages hold ids, never a text or a user. A secret for their signatures is made and shown to you once."</p>
                </form>
            </div>
        </section>
    }
}
