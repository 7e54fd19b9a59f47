//! The recall inspector: a question, what it recalls with the parts of each score, and the near misses.
//!
//! The form is posted to this page, with or without script. The answer may contain personal text, so it is shown on this page
//! alone.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::inspect::call::open_inspector;
use crate::inspect::shapes::{AskedBy, Explanation, FactProspect, InspectForm, Inspector, Miss, ScoredItem};
use crate::notice::grouped;
use crate::parts::field::Wrong;
use crate::parts::icon::{Icon, Icon16};
use crate::parts::load::{headed, load, loaded};
use crate::parts::prose::Prose;
use crate::screens;
use crate::shell::Head;
use domain::access::surfaces;
use domain::facts::provenance::Origin;
use domain::memory::MemoryKind;
use domain::problem::{Field, Problem};

const TITLE: &str = screens::RECALL.title;
const HERE: &str = screens::RECALL.path;
const LEAD: &str = "What an assistant is given for a question, and why";
/// Suggested after the surfaces that have a switch; any other may be typed.
const MORE_SURFACES: [&str; 2] = ["slack", "cli"];

#[component]
pub fn Inspect() -> impl IntoView {
    let fact = use_query_map().read_untracked().get("fact").unwrap_or_default();
    let page = load(move || fact.clone(), open_inspector);
    loaded(page, |inspector| view! { <Page inspector /> }, headed(TITLE, "The inspector"))
}

/// Returns the id of the field that a problem is about.
fn field_of(problem: &Problem) -> &'static str {
    match problem {
        Problem::Invalid { field: Field::Surface, .. } => "surface",
        Problem::Invalid { field: Field::K, .. } => "k",
        Problem::Invalid { field: Field::Budget, .. } => "budget",
        Problem::Invalid { field: Field::AsOf, .. } => "as-of",
        Problem::Invalid { field: Field::UserId, .. } => "user",
        Problem::Invalid { field: Field::Reason, .. } => "reason",
        _ => "question",
    }
}

#[component]
fn Page(inspector: Inspector) -> impl IntoView {
    let Inspector { asked, outcome, about, may_manage } = inspector;
    let (explanation, problem) = match outcome {
        Some(Ok(explanation)) => (Some(explanation), None),
        Some(Err(problem)) => (None, Some(problem)),
        None => (None, None),
    };
    let wrong = Wrong::new(problem.as_ref(), field_of);
    let (surface, asked_by) = (asked.surface.clone(), asked.asked_by);
    let of_fact = explanation.as_ref().and_then(|explanation| explanation.about.clone());
    view! {
        <Title text=if problem.is_some() { format!("Error: {TITLE}") } else { TITLE.to_owned() } />
        <Head title=TITLE lead=Signal::stored(LEAD.to_owned()) />
        <div class="tool">
            {wrong.summary()}
            {about.map(|about| view! { <Asked about of_fact /> })}
            <Question asked may_manage wrong />
            {explanation.map(|explanation| view! { <Answer explanation surface asked_by may_manage /> })}
        </div>
    }
}

/// The fact that the page asks about, whether it can be recalled at all, and its outcome for this question.
#[component]
fn Asked(about: FactProspect, of_fact: Option<String>) -> impl IntoView {
    let FactProspect { id, content, prospect } = about;
    view! {
        <section class="tool-card" aria-labelledby="about-title" data-testid="recall-about">
            <header><h2 id="about-title">"Would this be recalled?"</h2></header>
            <div class="tool-body">
                <p class="statement"><a href=format!("/manage/facts/{id}")><Prose text=content /></a></p>
                {of_fact.is_none().then(|| view! { <p class="would" data-testid="would-recall">{prospect}</p> })}
                {of_fact.map(|words| view! { <p class="would" role="status" data-testid="try-result"><strong>{words}</strong></p> })}
                <p class="tool-hint"><a class="link" href=HERE>"Ask without this fact"</a></p>
            </div>
        </section>
    }
}

#[component]
fn Question(asked: InspectForm, may_manage: bool, wrong: Wrong) -> impl IntoView {
    let InspectForm { question, surface, asked_by, user, reason, k, origin, budget, as_of, kinds, fact } = asked;
    let suggested = surfaces::ROWS.iter().filter_map(|row| row.name).chain(MORE_SURFACES);
    let chosen = [&k, &origin, &budget, &as_of].iter().any(|field| !field.is_empty()) || !kinds.is_empty();
    let whom = AskedBy::ALL.into_iter().filter(|who| may_manage || *who != AskedBy::User);
    let whom = whom.map(|who| view! { <option value=who.as_str() selected=who == asked_by>{who.label()}</option> });
    view! {
        <form method="post" action=HERE class="tool-form" novalidate data-testid="recall-form">
            {(!fact.is_empty()).then(|| view! { <input type="hidden" name="fact" value=fact /> })}
            <div class="field wide">
                <label for="question">"Question"</label>
                {wrong.at("question")}
                <textarea id="question" name="question" rows="2" maxlength="2000" aria-required="true" aria-invalid=wrong.invalid("question") aria-describedby=wrong.described("question", false) data-testid="try-q">{question}</textarea>
            </div>
            <div class="field">
                <label for="asked-by">"Asked by"</label>
                <select id="asked-by" name="asked_by" data-testid="asked-by">{whom.collect_view()}</select>
            </div>
            <div class="field">
                <label for="surface">"On"</label>
                {wrong.at("surface")}
                <input id="surface" name="surface" list="surfaces" autocomplete="off" value=surface aria-invalid=wrong.invalid("surface") aria-describedby=wrong.described("surface", false) data-testid="inspect-surface" />
                <datalist id="surfaces">{suggested.map(|name| view! { <option value=name></option> }).collect_view()}</datalist>
            </div>
            {may_manage.then(|| view! {
                <div class="field one-user">
                    <label for="user">"User id"</label>
                    {wrong.at("user")}
                    <input id="user" name="user" autocomplete="off" autocapitalize="none" spellcheck="false" value=user aria-invalid=wrong.invalid("user") aria-describedby=wrong.described("user", false) data-testid="inspect-user" />
                </div>
                <div class="field one-user">
                    <label for="reason">"Why do you need this?"</label>
                    {wrong.at("reason")}
                    <input id="reason" name="reason" autocomplete="off" value=reason aria-invalid=wrong.invalid("reason") aria-describedby=wrong.described("reason", true) data-testid="inspect-reason" />
                    <small id="reason-hint">"The user’s memories are shown on this page once. That is written to the audit log with your reason, without the question."</small>
                </div>
            })}
            <details class="wide more-options" open=chosen data-testid="more-options">
                <summary><span class="link">"More options"</span><span class="dim">" origin, size, time, kinds"</span></summary>
                <div class="tool-form">
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
                        {wrong.at("k")}
                        <input id="k" name="k" inputmode="numeric" autocomplete="off" placeholder="Default" value=k aria-invalid=wrong.invalid("k") aria-describedby=wrong.described("k", false) data-testid="inspect-k" />
                    </div>
                    <div class="field">
                        <label for="budget">"Token budget"</label>
                        {wrong.at("budget")}
                        <input id="budget" name="budget" inputmode="numeric" autocomplete="off" placeholder="No limit" value=budget aria-invalid=wrong.invalid("budget") aria-describedby=wrong.described("budget", false) data-testid="inspect-budget" />
                    </div>
                    <div class="field">
                        <label for="as-of">"As of (UTC)"</label>
                        {wrong.at("as-of")}
                        <input id="as-of" name="as_of" type="datetime-local" step="1" value=as_of aria-invalid=wrong.invalid("as-of") aria-describedby=wrong.described("as-of", true) data-testid="inspect-as-of" />
                        <small id="as-of-hint">"What was known then. Empty: now."</small>
                    </div>
                    {may_manage.then(|| view! {
                        <fieldset class="kinds wide one-user" data-testid="inspect-kinds">
                            <legend>"Kinds of memories"</legend>
                            {MemoryKind::ALL.map(|kind| {
                                let name = kind.as_str();
                                let on = kinds.iter().any(|chosen| chosen == name);
                                view! { <label class="check"><input type="checkbox" name="kinds" value=name checked=on />{kind.label()}</label> }
                            })}
                            <small>"Personal memories only. None ticked: all kinds."</small>
                        </fieldset>
                    })}
                </div>
            </details>
            <div class="tool-actions">
                <button type="submit" class="button primary" data-testid="inspect-submit">"Ask"</button>
                {(!may_manage).then(|| view! { <p class="tool-hint">"Team facts only. Asking as one user needs users:edit."</p> })}
            </div>
        </form>
    }
}

#[component]
fn Answer(explanation: Explanation, surface: String, asked_by: AskedBy, may_manage: bool) -> impl IntoView {
    let Explanation { sentence, personal, global, missed, personal_k, global_k, prompt_tokens, prompt, .. } = explanation;
    let tokens = grouped(prompt_tokens);
    let hidden = (asked_by == AskedBy::Anyone).then_some(if may_manage {
        " Personal memories are not shown here: ask as one user, with a reason."
    } else {
        " Personal memories are not shown here."
    });
    view! {
        <div class="recalled" role="status">
            <p class="statement" data-testid="recall-sentence">{sentence}</p>
            <p class="tool-hint" data-testid="inspect-tokens">{format!("The block for the prompt takes about {tokens} tokens.")}{hidden}</p>
        </div>
        {personal.map(|hits| view! { <Hits id="personal" title="Personal memories" room=personal_k hits /> })}
        <Hits id="global" title="Team facts" room=global_k hits=global />
        <section class="tool-card" aria-labelledby="missed-title" data-testid="inspect-missed">
            <header><h2 id="missed-title">"Close, but not recalled"</h2><p>{format!("The nearest that {surface} was not given, and what would change it")}</p></header>
            {if missed.is_empty() {
                view! { <p class="tool-none">"Nothing else came near."</p> }.into_any()
            } else {
                view! { <ul class="hits">{missed.into_iter().map(|miss| view! { <Missed miss /> }).collect_view()}</ul> }.into_any()
            }}
        </section>
        {(!prompt.is_empty()).then(|| view! {
            <details class="tool-card given" data-testid="given">
                <summary><span class="link">"What the assistant is given"</span><span class="dim">{format!(" the exact text, about {tokens} tokens")}</span></summary>
                <pre>{prompt}</pre>
            </details>
        })}
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
                view! { <ol class="hits">{hits.into_iter().map(|hit| (hit.id.clone(), hit)).map(|(id, hit)| view! { <li data-id=id data-testid="recall-hit"><Row hit /></li> }).collect_view()}</ol> }.into_any()
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
        <li data-id=id data-why=code data-testid="recall-miss">
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
    let reason = (!found_by.is_empty()).then(|| format!("Found by its {}.", found_by.to_lowercase().replace(", ", " and its ")));
    view! {
        <p class="row-text">{text}</p>
        {reason.map(|words| view! { <p class="quiet-text">{words}</p> })}
        <details class="numbers" data-testid="numbers">
            <summary><span class="link">"Numbers"</span></summary>
            <dl class="parts">
                <div class="score"><dt>"Score"</dt><dd>{format!("{:.3}", parts.score())}</dd></div>
                {figure("Distance", "", parts.distance)}
                {figure("Importance", "−", parts.importance)}
                {figure("Recency", "−", parts.recency)}
                {parts.confidence.map(|value| figure("Confidence", "+", value))}
                {(!day.is_empty()).then(|| view! { <div><dt>"Said"</dt><dd><time datetime=datetime>{day}</time></dd></div> })}
            </dl>
        </details>
    }
}
