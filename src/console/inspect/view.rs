//! The recall inspector: a question, what it recalls with the parts of each score, and the near misses.
//!
//! The form is posted to this page, with or without script. The answer may contain personal text, so it is shown on this page
//! alone.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::console::inspect::call::{Explanation, Form, Inspector, Miss, ScoredItem, open_inspector};
use crate::console::parts::icon::{Icon, Icon16};
use crate::console::parts::load::{headed, load, loaded};
use crate::console::parts::prose::Prose;
use crate::console::shell::Head;
use crate::console::users::record::kind_label;
use crate::domain::memory::MemoryKind;
use crate::domain::problem::Problem;
use crate::domain::provenance::Origin;
use crate::domain::surfaces;

const TITLE: &str = "Recall inspector";
const HERE: &str = "/manage/recall";
const LEAD: &str = "What a question recalls, and why";
/// Suggested after the surfaces that have a switch; any other may be typed.
const MORE_SURFACES: [&str; 2] = ["slack", "cli"];

#[component]
pub fn Inspect() -> impl IntoView {
    let page = load(|| (), |()| open_inspector());
    loaded(page, |inspector| view! { <Page inspector /> }, headed(TITLE, "The inspector"))
}

#[component]
fn Page(inspector: Inspector) -> impl IntoView {
    let Inspector { asked, outcome, may_manage } = inspector;
    let failed = matches!(outcome, Some(Err(_)));
    let surface = asked.surface.clone();
    view! {
        <Title text=if failed { format!("Error: {TITLE}") } else { TITLE.to_owned() } />
        <Head title=TITLE lead=Signal::stored(LEAD.to_owned()) />
        <div class="tool">
            {match &outcome {
                Some(Err(problem)) => Some(view! { <Summary problem=problem.clone() /> }),
                _ => None,
            }}
            <Form asked may_manage />
            {match outcome {
                Some(Ok(explanation)) => Some(view! { <Answer explanation surface /> }),
                _ => None,
            }}
        </div>
    }
}

/// Why there is no answer, above the form.
#[component]
pub fn Summary(problem: Problem) -> impl IntoView {
    view! {
        <div class="error-summary" role="alert" tabindex="-1" data-testid="error-summary">
            <h2>"There is a problem"</h2>
            <p>{problem.to_string()}</p>
        </div>
    }
}

#[component]
fn Form(asked: Form, may_manage: bool) -> impl IntoView {
    let Form { question, surface, user, reason, k, origin, budget, as_of, kinds } = asked;
    let suggested = surfaces::ROWS.iter().filter_map(|row| row.name).chain(MORE_SURFACES);
    view! {
        <form method="post" action=HERE class="tool-form" novalidate data-testid="inspect-form">
            <div class="field wide">
                <label for="question">"Question"</label>
                <textarea id="question" name="question" rows="2" maxlength="2000" data-testid="inspect-question">{question}</textarea>
            </div>
            <div class="field">
                <label for="surface">"Surface"</label>
                <input id="surface" name="surface" list="surfaces" autocomplete="off" value=surface data-testid="inspect-surface" />
                <datalist id="surfaces">{suggested.map(|name| view! { <option value=name></option> }).collect_view()}</datalist>
            </div>
            <div class="field">
                <label for="origin">"Origin"</label>
                <select id="origin" name="origin">
                    <option value="">"Any"</option>
                    {Origin::ALL
                        .map(|one| view! { <option value=one.as_str() selected=origin == one.as_str()>{format!("Only {}", one.label())}</option> })
                        .collect_view()}
                </select>
            </div>
            <div class="field">
                <label for="k">"Maximum results"</label>
                <input id="k" name="k" inputmode="numeric" autocomplete="off" placeholder="Default" value=k data-testid="inspect-k" />
            </div>
            <div class="field">
                <label for="budget">"Token budget"</label>
                <input id="budget" name="budget" inputmode="numeric" autocomplete="off" placeholder="No limit" value=budget data-testid="inspect-budget" />
            </div>
            <div class="field">
                <label for="as-of">"As of (UTC)"</label>
                <input id="as-of" name="as_of" type="datetime-local" step="1" value=as_of aria-describedby="as-of-hint" data-testid="inspect-as-of" />
                <small id="as-of-hint">"What was known then. Empty: now."</small>
            </div>
            {may_manage.then(|| view! {
                <fieldset class="kinds wide" data-testid="inspect-kinds">
                    <legend>"Kinds of memories"</legend>
                    {MemoryKind::ALL.map(|kind| {
                        let name = kind.as_str();
                        let on = kinds.iter().any(|chosen| chosen == name);
                        view! { <label class="check"><input type="checkbox" name="kinds" value=name checked=on />{kind_label(kind)}</label> }
                    })}
                    <small>"Personal memories only. None ticked: all kinds."</small>
                </fieldset>
                <div class="field">
                    <label for="user">"Run as user"</label>
                    <input id="user" name="user" autocomplete="off" placeholder="anonymous" value=user data-testid="inspect-user" />
                </div>
                <div class="field reason">
                    <label for="reason">"Why do you need this?"</label>
                    <input id="reason" name="reason" autocomplete="off" aria-describedby="reason-hint" value=reason data-testid="inspect-reason" />
                </div>
            })}
            <div class="tool-actions">
                <button type="submit" class="button primary" data-testid="inspect-submit">"Show what is recalled"</button>
                <p class="tool-hint" id="reason-hint">
                    {if may_manage {
                        "As a user, personal memories are shown on this page once. That is written to the audit log with your reason, without the question."
                    } else {
                        "Run as anonymous: team facts only. Running as a user needs users:edit."
                    }}
                </p>
            </div>
        </form>
    }
}

#[component]
fn Answer(explanation: Explanation, surface: String) -> impl IntoView {
    let Explanation { personal, global, missed, personal_k, global_k, prompt_tokens } = explanation;
    view! {
        <p class="tool-hint" data-testid="inspect-tokens">{format!("The block for the prompt takes about {prompt_tokens} tokens.")}</p>
        {personal.map(|hits| view! { <Hits id="personal" title="Personal memories" room=personal_k hits /> })}
        <Hits id="global" title="Team facts" room=global_k hits=global />
        <section class="tool-card" aria-labelledby="missed-title" data-testid="inspect-missed">
            <header><h2 id="missed-title">"Left out"</h2><p>{format!("The nearest that {surface} was not given, and what would change it")}</p></header>
            {if missed.is_empty() {
                view! { <p class="tool-none">"Nothing else came near."</p> }.into_any()
            } else {
                view! { <ul class="hits">{missed.into_iter().map(|miss| view! { <Missed miss /> }).collect_view()}</ul> }.into_any()
            }}
        </section>
    }
}

#[component]
fn Hits(id: &'static str, title: &'static str, room: u32, hits: Vec<ScoredItem>) -> impl IntoView {
    let heading = format!("{id}-title");
    let named = heading.clone();
    view! {
        <section class="tool-card" aria-labelledby=named data-testid=format!("inspect-{id}")>
            <header><h2 id=heading>{title}</h2><p>{format!("{} recalled, room for {room}", hits.len())}</p></header>
            {if hits.is_empty() {
                view! { <p class="tool-none">"Nothing is recalled."</p> }.into_any()
            } else {
                view! { <ol class="hits">{hits.into_iter().map(|hit| (hit.id.clone(), hit)).map(|(id, hit)| view! { <li data-id=id><Row hit /></li> }).collect_view()}</ol> }.into_any()
            }}
        </section>
    }
}

#[component]
fn Missed(miss: Miss) -> impl IntoView {
    let Miss { hit, code, why, change, place } = miss;
    let id = hit.id.clone();
    let link = place.map(|href| view! { " "<a href=href class="link">"Open"</a> });
    view! {
        <li data-id=id data-reason=code>
            <Row hit />
            <p class="missed-why"><Icon16 icon=Icon::Info /><span><strong>{why}</strong>". "{change}{link}</span></p>
        </li>
    }
}

/// A text with its score and the parts of it.
#[component]
fn Row(hit: ScoredItem) -> impl IntoView {
    let ScoredItem { id, content, day, parts, found_by, fact } = hit;
    let href = format!("/manage/facts/{id}");
    let datetime = day.clone();
    let text = if fact {
        view! { <a href=href><Prose text=content /></a> }.into_any()
    } else {
        view! { <Prose text=content /> }.into_any()
    };
    let figure = |name: &'static str, sign: &'static str, value: f64| view! { <div><dt>{name}</dt><dd>{format!("{sign}{value:.3}")}</dd></div> };
    view! {
        <p class="row-text">{text}</p>
        <dl class="parts">
            <div class="score"><dt>"Score"</dt><dd>{format!("{:.3}", parts.score())}</dd></div>
            {figure("Distance", "", parts.distance)}
            {figure("Importance", "−", parts.importance)}
            {figure("Recency", "−", parts.recency)}
            {parts.confidence.map(|value| figure("Confidence", "+", value))}
            {(!day.is_empty()).then(|| view! { <div><dt>"Said"</dt><dd><time datetime=datetime>{day}</time></dd></div> })}
            {(!found_by.is_empty()).then(|| view! { <div><dt>"Found by"</dt><dd>{found_by}</dd></div> })}
        </dl>
    }
}
