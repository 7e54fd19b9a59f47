//! The effect of a change and the button that applies it: in a dialog over the settings, or as a page with the same words.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::notice::grouped;
use crate::parts::icon::{Icon, Icon16, Icon24};
use crate::parts::load::{below, load, loaded};
use crate::parts::top::Top;
use crate::screens;
use crate::settings::call::review_settings;
use crate::settings::shapes::{Reviewed, SettingProposal, Wanted};
use crate::settings::view::alike::AlikeThere;
use crate::settings::view::switches::ANONYMOUS;
use crate::settings::view::values::{PROMOTE, called, label, words};
use crate::shell::LeftoverHere;
use domain::settings::{SPECS, Spec};

const SETTINGS: &str = screens::SETTINGS.path;

/// The question in one line.
fn title(reviewed: &Reviewed) -> String {
    match reviewed.proposals.as_slice() {
        [] => "Nothing to apply".to_owned(),
        [one] if opens_anonymous(one) => "Give team facts to anonymous callers?".to_owned(),
        [_] => "Apply 1 change?".to_owned(),
        several => format!("Apply {} changes?", several.len()),
    }
}

fn opens_anonymous(proposed: &SettingProposal) -> bool {
    proposed.key == ANONYMOUS && proposed.text == "on"
}

/// The table, the choice about facts that already qualify, and the buttons.
#[component]
fn Body(reviewed: Reviewed) -> impl IntoView {
    let Reviewed { proposals, qualifying, .. } = reviewed;
    let asks_anonymous = matches!(proposals.as_slice(), [one] if opens_anonymous(one));
    let (yes, no) = if asks_anonymous { ("Turn on", "Cancel") } else { ("Apply", "Go back") };
    let fields = proposals
        .iter()
        .enumerate()
        .map(|(n, proposed)| {
            view! {
                <input type="hidden" name=format!("changes[{n}][key]") value=proposed.key.clone() />
                <input type="hidden" name=format!("changes[{n}][value]") value=proposed.text.clone() />
                <input type="hidden" name=format!("changes[{n}][version]") value=proposed.version />
            }
        })
        .collect_view();
    let table = if asks_anonymous {
        view! { <p>"Anyone who can reach the service can read approved facts."</p> }.into_any()
    } else {
        view! { <Changes proposals /> }.into_any()
    };
    view! {
        <form method="post" action="/calls/settings/apply" class="review-form" data-in-place="true">
            {fields}
            <input type="hidden" name="leave" value="true" />
            {table}
            {qualifying.filter(|n| *n > 0).map(|n| view! { <Qualifying n /> })}
            <div class="dialog-actions">
                <a href=SETTINGS class="button" autofocus=true data-cancels="true" data-testid="dialog-cancel">{no}</a>
                <button type="submit" class="button primary" data-testid="dialog-confirm">{yes}</button>
            </div>
        </form>
    }
}

/// Offers to promote the facts that already qualify under a lower number.
#[component]
fn Qualifying(n: u32) -> impl IntoView {
    let also = if n == 1 {
        "Also promote the 1 fact that already qualifies".to_owned()
    } else {
        format!("Also promote the {} facts that already qualify", grouped(n))
    };
    view! {
        <fieldset class="qualifying" data-testid="qualifying">
            <legend class="sr">"Facts that already qualify"</legend>
            <label><input type="radio" name="promote" value="false" checked=true />"Only from now on"</label>
            <label><input type="radio" name="promote" value="true" />{also}</label>
        </fieldset>
    }
}

#[component]
fn Changes(proposals: Vec<SettingProposal>) -> impl IntoView {
    view! {
        <table class="changes" data-testid="changes">
            <thead>
                <tr><th scope="col">"Setting"</th><th scope="col">"Now"</th><th scope="col">"New"</th><th scope="col">"Effect"</th></tr>
            </thead>
            <tbody>
                {proposals
                    .into_iter()
                    .map(|proposed| {
                        let label = label(&proposed.key);
                        let examples = proposed.examples;
                        view! {
                            <tr>
                                <th scope="row">{label}</th>
                                <td class="figure">{words(&proposed.key, &proposed.now)}</td>
                                <td class="figure"><strong>{words(&proposed.key, &proposed.text)}</strong></td>
                                <td data-testid="impact">
                                    <span data-effect=proposed.key.clone()>{proposed.effect}</span>
                                    {(!examples.is_empty()).then(|| view! {
                                        <ul class="examples">{examples.into_iter().map(|text| view! { <li>{format!("“{text}”")}</li> }).collect_view()}</ul>
                                    })}
                                    {proposed.near.map(|near| view! { <AlikeThere near /> })}
                                </td>
                            </tr>
                        }
                    })
                    .collect_view()}
            </tbody>
        </table>
    }
}

/// The confirmation as a page: without script, and for links that lead to a change.
#[component]
pub fn ApplyPage() -> impl IntoView {
    let query = use_query_map();
    let query = query.read_untracked();
    let of = |spec: &Spec| {
        let text = query.get(spec.key)?;
        let text = if spec.key == PROMOTE && text == "number" { query.get("n")? } else { text };
        let seen = query.get(&format!("v.{}", spec.key)).and_then(|version| version.parse().ok());
        Some(Wanted { key: spec.key.to_owned(), text, seen })
    };
    let wanted: Vec<Wanted> = SPECS.iter().filter_map(of).collect();
    let page = load(move || wanted.clone(), review_settings);
    loaded(
        page,
        |reviewed| view! { <Question reviewed /> },
        below(screens::SETTINGS.title, screens::SETTINGS.link(), "The change"),
    )
}

#[component]
fn Question(reviewed: Reviewed) -> impl IntoView {
    let heading = title(&reviewed);
    let (right, wrong): (Vec<SettingProposal>, Vec<SettingProposal>) =
        reviewed.proposals.iter().cloned().partition(|proposed| proposed.valid);
    let overtaken: Vec<SettingProposal> =
        reviewed.proposals.iter().filter(|proposed| proposed.overtaken.is_some()).cloned().collect();
    let prefix = if wrong.is_empty() { "" } else { "Error: " };
    let body = if reviewed.proposals.is_empty() {
        view! {
            <section class="panel" data-testid="empty">
                <Icon24 icon=Icon::Approved />
                <h2>"These are the values in force"</h2>
                <a href=SETTINGS class="button">"Back to Settings"</a>
            </section>
        }
        .into_any()
    } else if !reviewed.may_manage {
        view! { <div class="settings"><Changes proposals=reviewed.proposals /></div> }.into_any()
    } else if !overtaken.is_empty() {
        let all = reviewed.proposals;
        view! { <div class="settings">{overtaken.into_iter().map(|one| view! { <Overtaken one all=all.clone() /> }).collect_view()}</div> }.into_any()
    } else if !wrong.is_empty() {
        view! {
            <div class="settings">
                <div class="error-summary" role="alert" tabindex="-1" data-testid="error-summary">
                    <h2>"There is a problem"</h2>
                    {wrong
                        .into_iter()
                        .map(|proposed| {
                            let asks = Spec::find(&proposed.key).map_or_else(|_| String::new(), Spec::asks);
                            view! { <p><a href=SETTINGS>{label(&proposed.key)}": "<span data-wrong=proposed.key.clone()>{asks}</span>{format!(". It is “{}”.", proposed.text)}</a></p> }
                        })
                        .collect_view()}
                </div>
                {(!right.is_empty()).then(|| view! { <Changes proposals=right /> })}
                <p><a href=SETTINGS class="button" data-cancels="true">"Go back"</a></p>
            </div>
        }
        .into_any()
    } else {
        view! { <div class="settings question"><Body reviewed /></div> }.into_any()
    };
    let question = heading.clone();
    view! {
        <Title text=format!("{prefix}{heading}") />
        <Top title=heading above=screens::SETTINGS.link() />
        <LeftoverHere />
        <div class="contents" data-question="true" data-testid="dialog" data-wide="true" aria-labelledby="question-title">
            <h2 id="question-title" class="of-dialog">{question}</h2>
            {body}
        </div>
    }
}

/// Warns that another operator changed a setting between the form and this page.
#[component]
fn Overtaken(one: SettingProposal, all: Vec<SettingProposal>) -> impl IntoView {
    let (by, from) = one.overtaken.clone().unwrap_or_default();
    let name = label(&one.key);
    // In its own card, a setting may have a shorter name.
    let in_card = Spec::find(&one.key).map_or_else(|_| name.to_owned(), |spec| called(&one.key, spec.section));
    let (theirs, mine) = (words(&one.key, &one.now), words(&one.key, &one.text));
    let others: Vec<String> =
        all.iter().filter(|other| other.key != one.key).map(|other| format!("{}={}", other.key, other.text)).collect();
    let link =
        |pairs: Vec<String>| if pairs.is_empty() { SETTINGS.to_owned() } else { format!("{SETTINGS}/apply?{}", pairs.join("&")) };
    let keep = link(others.iter().cloned().chain([format!("{}={}", one.key, one.text)]).collect());
    view! {
        <div class="note warn" role="alert" data-testid="conflict" data-conflict="true" data-key=one.key data-version=one.version data-theirs=one.now>
            <Icon16 icon=Icon::Warning />
            <div class="note-text">
                <p class="note-title">{by}" changed "<span data-called=in_card>{name}</span>{format!(" from {from} to {theirs} while you were editing")}</p>
                <p>{format!("Your value, {mine}, has not been saved.")}</p>
                <div class="note-actions">
                    <a href=link(others) class="button" data-takes="theirs" data-testid="use-theirs">{format!("Use {theirs}")}</a>
                    <a href=keep class="button" data-takes="mine" data-testid="keep-mine">{format!("Keep mine: {mine}")}</a>
                </div>
            </div>
        </div>
    }
}
