//! What a change would do, and the button that makes it: in a dialog over the settings, or as a page of the same words.

use leptos::form::ActionForm;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::A;
use leptos_router::hooks::use_query_map;

use super::board::{Board, words};
use super::switches::ANONYMOUS;
use crate::calls::Refused;
use crate::calls::settings::{ApplySettings, Proposed, Reviewed, Wanted, review_settings};
use crate::domain::settings::{SPECS, Spec};
use crate::ui::parts::icon::{Icon, Icon16, Icon24};
use crate::ui::parts::load::load;
use crate::ui::parts::problem::ProblemPanel;
use crate::ui::parts::top::Top;
use crate::ui::shell::Leftover;

const SETTINGS: &str = "/manage/settings";
const PROMOTE: &str = "promote.contributors";

/// The question in one line.
fn title(reviewed: &Reviewed) -> String {
    match reviewed.proposals.as_slice() {
        [] => "Nothing to apply".to_owned(),
        [one] if opens_anonymous(one) => "Give team facts to anonymous callers?".to_owned(),
        [_] => "Apply 1 change?".to_owned(),
        several => format!("Apply {} changes?", several.len()),
    }
}

fn opens_anonymous(proposed: &Proposed) -> bool {
    proposed.key == ANONYMOUS && proposed.text == "on"
}

/// The dialog of the settings page.
#[component]
pub fn AskDialog(board: Board) -> impl IntoView {
    let dialog = NodeRef::<leptos::html::Dialog>::new();
    Effect::new(move || {
        let Some(dialog) = dialog.get() else { return };
        match (board.asking.with(Option::is_some), dialog.open()) {
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    view! {
        <dialog node_ref=dialog class="dialog wide-dialog" aria-labelledby="dialog-title" data-testid="dialog" on:close=move |_| board.asking.set(None)>
            {move || board.asking.get().map(|reviewed| {
                let heading = title(&reviewed);
                view! {
                    <h2 id="dialog-title">{heading}</h2>
                    <Body reviewed board=Some(board) />
                }
            })}
        </dialog>
    }
}

/// The table, the choice about what qualifies already, and the buttons.
#[component]
fn Body(reviewed: Reviewed, board: Option<Board>) -> impl IntoView {
    let Reviewed { proposals, qualifying, .. } = reviewed;
    let action = board.map_or_else(ServerAction::<ApplySettings>::new, |board| board.posts);
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
        <ActionForm action=action attr:class="review-form">
            {fields}
            {board.is_none().then(|| view! { <input type="hidden" name="leave" value="true" /> })}
            {table}
            {qualifying.filter(|n| *n > 0).map(|n| view! { <Qualifying n /> })}
            <div class="dialog-actions">
                {match board {
                    Some(board) => view! {
                        <button type="button" class="button" autofocus data-testid="dialog-cancel" on:click=move |_| board.asking.set(None)>{no}</button>
                    }
                    .into_any(),
                    None => view! { <A href=SETTINGS attr:class="button" attr:data-testid="dialog-cancel">{no}</A> }.into_any(),
                }}
                <button type="submit" class="button primary" data-testid="dialog-confirm" aria-busy=move || action.pending().get().then_some("true")>{yes}</button>
            </div>
        </ActionForm>
    }
}

/// What becomes of facts that a lower number would promote.
#[component]
fn Qualifying(n: u32) -> impl IntoView {
    let also = if n == 1 {
        "Also promote the 1 fact that already qualifies".to_owned()
    } else {
        format!("Also promote the {n} facts that already qualify")
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
fn Changes(proposals: Vec<Proposed>) -> impl IntoView {
    view! {
        <table class="changes" data-testid="changes">
            <thead>
                <tr><th scope="col">"Setting"</th><th scope="col">"Now"</th><th scope="col">"New"</th><th scope="col">"Effect"</th></tr>
            </thead>
            <tbody>
                {proposals
                    .into_iter()
                    .map(|proposed| {
                        let label = Spec::find(&proposed.key).map_or("", |spec| spec.label);
                        let examples = proposed.examples;
                        view! {
                            <tr>
                                <th scope="row">{label}</th>
                                <td class="figure">{words(&proposed.key, &proposed.now)}</td>
                                <td class="figure"><strong>{words(&proposed.key, &proposed.text)}</strong></td>
                                <td data-testid="impact">
                                    {proposed.effect}
                                    {(!examples.is_empty()).then(|| view! {
                                        <ul class="examples">{examples.into_iter().map(|text| view! { <li>{format!("“{text}”")}</li> }).collect_view()}</ul>
                                    })}
                                </td>
                            </tr>
                        }
                    })
                    .collect_view()}
            </tbody>
        </table>
    }
}

/// The same as a page: without script, and where a link leads to a change.
#[component]
pub fn ApplyPage() -> impl IntoView {
    let query = use_query_map();
    let wanted = Memo::new(move |_| {
        let query = query.read();
        let of = |spec: &Spec| {
            let text = query.get(spec.key)?;
            let text = if spec.key == PROMOTE && text == "number" { query.get("n")? } else { text };
            let seen = query.get(&format!("v.{}", spec.key)).and_then(|version| version.parse().ok());
            Some(Wanted { key: spec.key.to_owned(), text, seen })
        };
        SPECS.iter().filter_map(of).collect::<Vec<_>>()
    });
    let page = load(move || wanted.get(), review_settings);
    view! {
        <Transition fallback=|| view! { <Top title="Settings".to_owned() /> }>
            {move || Suspend::new(async move {
                match page.await {
                    Ok(reviewed) => view! { <Question reviewed /> }.into_any(),
                    Err(Refused(problem)) => view! {
                        <Title text="Settings" />
                        <Top title="Settings".to_owned() above=("/manage/settings", "Settings") />
                        <ProblemPanel problem missing="The change" />
                    }
                    .into_any(),
                }
            })}
        </Transition>
    }
}

#[component]
fn Question(reviewed: Reviewed) -> impl IntoView {
    let heading = title(&reviewed);
    let wrong: Vec<Proposed> = reviewed.proposals.iter().filter(|proposed| !proposed.valid).cloned().collect();
    let overtaken: Vec<Proposed> = reviewed.proposals.iter().filter(|proposed| proposed.overtaken.is_some()).cloned().collect();
    let prefix = if wrong.is_empty() { "" } else { "Error: " };
    let body = if reviewed.proposals.is_empty() {
        view! {
            <section class="panel" data-testid="empty">
                <Icon24 icon=Icon::Approved />
                <h2>"These are the values in force"</h2>
                <A href=SETTINGS attr:class="button">"Back to Settings"</A>
            </section>
        }
        .into_any()
    } else if !reviewed.may_edit {
        view! { <div class="settings"><Changes proposals=reviewed.proposals /></div> }.into_any()
    } else if !wrong.is_empty() {
        view! {
            <div class="settings">
                <div class="error-summary" role="alert" tabindex="-1" data-testid="error-summary">
                    <h2>"There is a problem"</h2>
                    {wrong
                        .into_iter()
                        .map(|proposed| {
                            let spec = Spec::find(&proposed.key).ok();
                            let words = spec.map_or_else(String::new, |spec| format!("{}: {}. It is “{}”.", spec.label, spec.asks(), proposed.text));
                            view! { <p><A href=SETTINGS>{words}</A></p> }
                        })
                        .collect_view()}
                </div>
                <p><A href=SETTINGS attr:class="button">"Go back"</A></p>
            </div>
        }
        .into_any()
    } else if !overtaken.is_empty() {
        let all = reviewed.proposals;
        view! { <div class="settings">{overtaken.into_iter().map(|one| view! { <Overtaken one all=all.clone() /> }).collect_view()}</div> }.into_any()
    } else {
        view! { <div class="settings question"><Body reviewed board=None /></div> }.into_any()
    };
    view! {
        <Title text=format!("{prefix}{heading}") />
        <Top title=heading above=("/manage/settings", "Settings") />
        <Leftover />
        {body}
    }
}

/// Somebody changed a setting between the form and this page.
#[component]
fn Overtaken(one: Proposed, all: Vec<Proposed>) -> impl IntoView {
    let (by, from) = one.overtaken.clone().unwrap_or_default();
    let label = Spec::find(&one.key).map_or("", |spec| spec.label);
    let (theirs, mine) = (words(&one.key, &one.now), words(&one.key, &one.text));
    let others: Vec<String> =
        all.iter().filter(|other| other.key != one.key).map(|other| format!("{}={}", other.key, other.text)).collect();
    let link =
        |pairs: Vec<String>| if pairs.is_empty() { SETTINGS.to_owned() } else { format!("{SETTINGS}/apply?{}", pairs.join("&")) };
    let keep = link(others.iter().cloned().chain([format!("{}={}", one.key, one.text)]).collect());
    view! {
        <div class="note warn" role="alert" data-testid="conflict">
            <Icon16 icon=Icon::Warning />
            <div class="note-text">
                <p class="note-title">{format!("{by} changed {label} from {from} to {theirs} while you were editing")}</p>
                <p>{format!("Your value, {mine}, has not been saved.")}</p>
                <div class="note-actions">
                    <A href=link(others) attr:class="button" attr:data-testid="use-theirs">{format!("Use {theirs}")}</A>
                    <A href=keep attr:class="button" attr:data-testid="keep-mine">{format!("Keep mine: {mine}")}</A>
                </div>
            </div>
        </div>
    }
}
