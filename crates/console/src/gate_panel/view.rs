//! The gate panel: try a text, and see whether the known attacks are stopped.
//!
//! The text is posted to this page and shown only in its answer.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::gate_panel::call::open_gate;
use crate::gate_panel::shapes::{AttackGroup, FiredRule, GatePage, TextVerdict};
use crate::parts::field::ErrorSummary;
use crate::parts::icon::{Icon, Icon16};
use crate::parts::load::{headed, load, loaded};
use crate::screens;
use crate::shell::Head;

const TITLE: &str = screens::GATE.title;
const HERE: &str = screens::GATE.path;
const WITH_VECTORS: &str = "The gate reads the words of a text and the encoder’s vector of it.";
const WORDS_ALONE: &str = "The gate reads only the words of a text: it has no weights for this encoder. With all-MiniLM-L6-v2 it \
    catches more people who are described but not named.";
const LEAD: &str = "What may not become a team fact";

#[component]
pub fn GatePanel() -> impl IntoView {
    let page = load(|| (), |()| open_gate());
    loaded(page, |page| view! { <Page page /> }, headed(TITLE, "The gate"))
}

#[component]
fn Page(page: GatePage) -> impl IntoView {
    let GatePage { text, outcome, trials, reads_vectors } = page;
    let failed = matches!(outcome, Some(Err(_)));
    let (summary, verdict) = match outcome {
        Some(Err(problem)) => (Some(problem), None),
        Some(Ok(verdict)) => (None, Some(verdict)),
        None => (None, None),
    };
    view! {
        <Title text=if failed { format!("Error: {TITLE}") } else { TITLE.to_owned() } />
        <Head title=TITLE lead=Signal::stored(LEAD.to_owned()) />
        <div class="tool">
            {summary.map(|problem| view! { <ErrorSummary problem field="text" /> })}
            <form method="post" action=HERE class="tool-form" novalidate data-testid="gate-form">
                <div class="field wide">
                    <label for="text">"Text to try"</label>
                    <textarea id="text" name="text" rows="3" data-testid="gate-text">{text}</textarea>
                </div>
                <div class="tool-actions">
                    <button type="submit" class="button primary" data-testid="gate-submit">"Try it"</button>
                    <p class="tool-hint">"The text is not stored or logged."</p>
                </div>
            </form>
            <p class="tool-hint" data-testid="gate-reads">{if reads_vectors { WITH_VECTORS } else { WORDS_ALONE }}</p>
            {verdict.map(|verdict| view! { <Judged verdict /> })}
            <Attacks trials />
        </div>
    }
}

#[component]
fn Judged(verdict: TextVerdict) -> impl IntoView {
    let TextVerdict { fact_rules, note_rules, reading } = verdict;
    let refused = !fact_rules.is_empty() || !note_rules.is_empty();
    let title = if refused { "Refused as a team fact" } else { "Passes as a team fact" };
    let note = if note_rules.is_empty() {
        "No injected instruction was found in it as a note."
    } else {
        "As a note it contains an injected instruction."
    };
    view! {
        <section class="tool-card" aria-labelledby="verdict-title" data-testid="gate-verdict" data-reject=refused.to_string()>
            <header>
                <h2 id="verdict-title" class=if refused { "verdict-no" } else { "verdict-yes" }>
                    <Icon16 icon=if refused { Icon::Rejected } else { Icon::Approved } />{title}
                </h2>
                <p>{note}</p>
            </header>
            <div class="tool-body">
                <h3>"Text as the rules see it"</h3>
                <p class="reading" data-testid="gate-reading">
                    {reading
                        .into_iter()
                        .map(|(piece, rules)| if rules.is_empty() {
                            view! { {piece} }.into_any()
                        } else {
                            view! { <mark title=rules.join(", ")>{piece}<span class="sr">{format!(" ({})", rules.join(", "))}</span></mark> }.into_any()
                        })
                        .collect_view()}
                </p>
                <ul class="rules">
                    {fact_rules.into_iter().map(|rule| view! { <Rule rule /> }).collect_view()}
                    {note_rules
                        .into_iter()
                        .map(|name| view! { <li data-testid="gate-note-rule"><code>{name}</code><span>"a pattern of injected instructions, in the whole note"</span></li> })
                        .collect_view()}
                </ul>
            </div>
        </section>
    }
}

#[component]
fn Rule(rule: FiredRule) -> impl IntoView {
    let FiredRule { name, catches, pieces } = rule;
    let rule_name = name.clone();
    view! {
        <li data-testid="gate-rule" data-rule=rule_name>
            <code>{name}</code>
            <span>{catches}</span>
            {(!pieces.is_empty()).then(|| view! { <span class="pieces">{pieces.into_iter().map(|piece| format!("“{piece}”")).collect::<Vec<_>>().join(" ")}</span> })}
        </li>
    }
}

#[component]
fn Attacks(trials: Vec<AttackGroup>) -> impl IntoView {
    let total: usize = trials.iter().map(|trial| trial.texts.len()).sum();
    let stopped: usize = trials.iter().map(stopped).sum();
    view! {
        <section class="tool-card" aria-labelledby="attacks-title" data-testid="gate-attacks">
            <header>
                <h2 id="attacks-title">"Known attacks"</h2>
                <p data-testid="gate-stopped">{format!("{stopped} of {total} stopped")}</p>
            </header>
            {trials.into_iter().map(|trial| view! { <Group trial /> }).collect_view()}
        </section>
    }
}

fn stopped(trial: &AttackGroup) -> usize {
    trial.texts.iter().filter(|(_, rules)| !rules.is_empty()).count()
}

#[component]
fn Group(trial: AttackGroup) -> impl IntoView {
    let (passed, all) = (stopped(&trial), trial.texts.len());
    let AttackGroup { name, note, texts } = trial;
    let whole = passed == all;
    view! {
        <details class="attack" data-testid="gate-attack" data-stopped=whole.to_string() open=!whole>
            <summary>
                <span class=if whole { "verdict-yes" } else { "verdict-no" }><Icon16 icon=if whole { Icon::Approved } else { Icon::Warning } /></span>
                <span class="attack-name">{name}</span>
                <span class="attack-check">{if note { "Note" } else { "Team fact" }}</span>
                <span class="attack-count">{format!("{passed} of {all} stopped")}</span>
            </summary>
            <ul>
                {texts
                    .into_iter()
                    .map(|(text, rules)| {
                        let through = rules.is_empty();
                        view! {
                            <li>
                                <span class="attack-text">{text}</span>
                                {if through {
                                    view! { <strong class="verdict-no">"Not blocked"</strong> }.into_any()
                                } else {
                                    view! { <code>{rules.join(", ")}</code> }.into_any()
                                }}
                            </li>
                        }
                    })
                    .collect_view()}
            </ul>
        </details>
    }
}
