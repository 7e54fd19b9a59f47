//! Numbers: how many people promote, where the thresholds lie, how much an answer holds. Each card is a form that leads to
//! a review of what it would do: a dialog with script, a page without.

use leptos::prelude::*;

use super::board::{Board, Draft, words};
use crate::calls::settings::{Row, Wanted};
use crate::domain::settings::{Range, SPECS, Section, Spec};
use crate::ui::parts::focus::focus;
use crate::ui::parts::icon::{Icon, Icon16};

const PROMOTE: &str = "promote.contributors";
/// What the stepper shows while nothing promotes by count.
const SUGGESTED: u32 = 2;

/// A form over one section: by script it opens the dialog, without it leads to the page of the same words.
#[component]
fn ReviewForm(board: Board, section: Section, testid: &'static str, children: Children) -> impl IntoView {
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let drafts = untrack(|| board.drafts_in(section));
        if let Some(wrong) = drafts.iter().find(|draft| untrack(|| board.wrong(&draft.key)).is_some()) {
            focus(&field(&wrong.key));
            return;
        }
        if !drafts.is_empty() {
            board.ask(
                drafts.into_iter().map(|draft| Wanted { key: draft.key, text: draft.text, seen: Some(draft.seen) }).collect(),
            );
        }
    };
    view! {
        <form method="get" action="/manage/settings/apply" novalidate data-testid=testid on:submit=submit>
            {SPECS
                .iter()
                .filter(|spec| spec.section == section)
                .map(|spec| view! { <input type="hidden" name=format!("v.{}", spec.key) value=move || board.row(spec.key).version /> })
                .collect_view()}
            {children()}
        </form>
    }
}

/// Somebody else changed what is being edited.
#[component]
fn Conflict(board: Board, section: Section) -> impl IntoView {
    let conflict = Memo::new(move |_| board.conflict(section));
    move || {
        conflict.get().map(|(draft, row)| {
            let Draft { key, text, .. } = draft;
            let Row { value, last, .. } = row;
            let (by, from) = last.map_or_else(|| ("Somebody".to_owned(), String::new()), |last| (last.by, words(&key, &last.from)));
            let label = Spec::find(&key).map_or("", |spec| spec.label);
            let what = if section == Section::AutoPromote { "this".to_owned() } else { label.to_owned() };
            let (theirs, mine) = (words(&key, &value), words(&key, &text));
            let (use_key, keep_key) = (key.clone(), key);
            view! {
                <div class="note warn" role="alert" data-testid="conflict">
                    <Icon16 icon=Icon::Warning />
                    <div class="note-text">
                        <p class="note-title">{format!("{by} changed {what} from {from} to {theirs} while you were editing")}</p>
                        <p>{format!("Your value, {mine}, has not been saved.")}</p>
                        <div class="note-actions">
                            <button type="button" class="button" data-testid="use-theirs" on:click=move |_| board.use_theirs(&use_key)>{format!("Use {theirs}")}</button>
                            <button type="button" class="button" data-testid="keep-mine" on:click=move |_| board.keep_mine(&keep_key)>{format!("Keep mine: {mine}")}</button>
                        </div>
                    </div>
                </div>
            }
        })
    }
}

/// How many drafts there are, and the buttons. They go while a conflict is open.
#[component]
fn Foot(board: Board, section: Section, testid: &'static str, words: &'static str) -> impl IntoView {
    let unsaved = Memo::new(move |_| board.drafts_in(section).len());
    let open = Memo::new(move |_| board.conflict(section).is_none());
    view! {
        <Show when=move || board.desk.may_edit.get()>
            <div class="settings-foot">
                <p class="drafted" aria-live="polite">
                    {move || match unsaved.get() {
                        0 => None,
                        n => Some(view! { <Icon16 icon=Icon::Pending />{if n == 1 { "1 unsaved change".to_owned() } else { format!("{n} unsaved changes") }} }),
                    }}
                </p>
                <Show when=move || { unsaved.get() > 0 }>
                    <button type="button" class="button plain" on:click=move |_| board.discard(section)>"Discard"</button>
                </Show>
                <Show when=move || open.get()>
                    <button type="submit" class="button primary" data-testid=testid>{words}</button>
                </Show>
            </div>
        </Show>
    }
}

/// What a draft would do, or why it is no value.
#[component]
fn Line(board: Board, key: &'static str) -> impl IntoView {
    let wrong = Memo::new(move |_| board.wrong(key));
    let effect = Memo::new(move |_| board.effect(key));
    view! {
        <p class="impact-line" id=line(key) aria-live="polite" data-testid="impact">
            {move || match (wrong.get(), effect.get()) {
                (Some(wrong), _) => Some(view! { <span class="danger"><Icon16 icon=Icon::Warning />{wrong}</span> }.into_any()),
                (None, Some(effect)) => Some(view! { <span><Icon16 icon=Icon::Info />{effect}</span> }.into_any()),
                (None, None) => None,
            }}
        </p>
    }
}

#[component]
pub fn AutoPromote(board: Board) -> impl IntoView {
    let never = Memo::new(move |_| board.text(PROMOTE) == "never");
    // What the stepper holds, also while Never is chosen.
    let held = RwSignal::new(match untrack(|| board.text(PROMOTE)).as_str() {
        "never" => SUGGESTED.to_string(),
        text => text.to_owned(),
    });
    Effect::new(move || {
        let text = board.text(PROMOTE);
        if text != "never" {
            held.set(text);
        }
    });
    let (low, high) = bounds();
    let number = move |text: String| {
        held.set(text.clone());
        board.write(PROMOTE, text);
    };
    let step = move |by: i64| {
        let now: i64 = held.get_untracked().trim().parse().unwrap_or_else(|_| i64::from(SUGGESTED));
        number((now + by).clamp(i64::from(low), i64::from(high)).to_string());
    };
    let saved = move || match board.row(PROMOTE).value.as_str() {
        "never" => "Never: an operator approves everything".to_owned(),
        n => format!("After {n} separate contributors agree"),
    };
    view! {
        <Show
            when=move || board.desk.may_edit.get()
            fallback=move || view! { <div class="setting"><p class="setting-label">"Auto-promote"</p><p class="setting-state" data-testid="set-autopromote">{saved}</p></div> }
        >
            <ReviewForm board section=Section::AutoPromote testid="set-autopromote">
                <div class="settings-body">
                    <Conflict board section=Section::AutoPromote />
                    <div class="choices" role="radiogroup" aria-labelledby="auto-promote-title">
                        <div class="choice" class:chosen=move || !never.get()>
                            <input
                                type="radio"
                                id="n-after"
                                name=PROMOTE
                                value="number"
                                checked=!never.get_untracked()
                                prop:checked=move || !never.get()
                                on:change=move |_| board.write(PROMOTE, held.get_untracked())
                            />
                            <div class="choice-text">
                                <label for="n-after">"After separate contributors agree"</label>
                                <p>"Each must reach the same fact in a conversation of their own."</p>
                            </div>
                            <div class="stepper">
                                <span class="stepper-box">
                                    <button type="button" class="scripted-only" aria-label="Fewer contributors" on:click=move |_| step(-1)>"−"</button>
                                    <input
                                        type="text"
                                        inputmode="numeric"
                                        role="spinbutton"
                                        id=field(PROMOTE)
                                        name="n"
                                        autocomplete="off"
                                        data-testid="n-value"
                                        aria-label="Contributors"
                                        aria-valuemin=low
                                        aria-valuemax=high
                                        aria-valuenow=move || held.get()
                                        aria-describedby=line(PROMOTE)
                                        aria-invalid=move || board.wrong(PROMOTE).map(|_| "true")
                                        value=held.get_untracked()
                                        prop:value=move || held.get()
                                        on:input=move |event| number(event_target_value(&event))
                                        on:keydown=move |event| match event.key().as_str() {
                                            "ArrowUp" => { event.prevent_default(); step(1); }
                                            "ArrowDown" => { event.prevent_default(); step(-1); }
                                            _ => {}
                                        }
                                    />
                                    <button type="button" class="scripted-only" aria-label="More contributors" on:click=move |_| step(1)>"+"</button>
                                </span>
                                <span aria-hidden="true">"contributors"</span>
                            </div>
                        </div>
                        <div class="choice" class:chosen=move || never.get()>
                            <input
                                type="radio"
                                id="n-never"
                                name=PROMOTE
                                value="never"
                                data-testid="n-never"
                                checked=never.get_untracked()
                                prop:checked=move || never.get()
                                on:change=move |_| board.write(PROMOTE, "never".to_owned())
                            />
                            <div class="choice-text">
                                <label for="n-never">"Never"</label>
                                <p>"An operator approves everything."</p>
                            </div>
                        </div>
                    </div>
                    <Line board key=PROMOTE />
                </div>
                <Foot board section=Section::AutoPromote testid="apply-n" words="Apply" />
            </ReviewForm>
        </Show>
    }
}

#[component]
pub fn Thresholds(board: Board) -> impl IntoView {
    view! {
        <ReviewForm board section=Section::Thresholds testid="set-thresholds">
            <Conflict board section=Section::Thresholds />
            {SPECS.iter().filter(|spec| spec.section == Section::Thresholds).map(|spec| view! { <Threshold board spec /> }).collect_view()}
            <Foot board section=Section::Thresholds testid="apply-thresholds" words="Review and apply" />
        </ReviewForm>
    }
}

#[component]
fn Threshold(board: Board, spec: &'static Spec) -> impl IntoView {
    let key = spec.key;
    let (low, high) = match spec.range {
        Range::Decimal(low, high) => (low, high),
        _ => (0.0, 1.0),
    };
    let text = Memo::new(move |_| board.text(key));
    // The slider stays where it was while what is typed is no number.
    let place = Memo::new(move |before: Option<&f64>| {
        let typed = text.get().replace(',', ".").trim().parse::<f64>().ok().filter(|x| x.is_finite());
        typed.map(|x| x.clamp(low, high)).or(before.copied()).unwrap_or(low)
    });
    let share = move || format!("{:.2}", (place.get() - low) / (high - low) * 100.0);
    let label = format!("{}-label", field(key));
    let (group_label, slider_label, box_label) = (label.clone(), label.clone(), label.clone());
    let (more, less) = spec.ends.unwrap_or_default();
    view! {
        <div class="setting threshold" data-testid=testid(key) role="group" aria-labelledby=group_label>
            <div class="setting-text">
                <p class="setting-label" id=label>{spec.label}</p>
                <p class="setting-help">{spec.help}</p>
            </div>
            <Show
                when=move || board.desk.may_edit.get()
                fallback=move || view! { <p class="setting-state">{move || text.get()}</p> }
            >
                <div class="slider scripted-only">
                    <svg class="rail" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                        <rect class="rail-all" x="0" y="0" width="100" height="4" />
                        <rect class="rail-on" x="0" y="0" height="4" width=share />
                    </svg>
                    <input
                        type="range"
                        min=format!("{low:.2}")
                        max=format!("{high:.2}")
                        step="0.01"
                        aria-labelledby=slider_label.clone()
                        value=format!("{:.2}", place.get_untracked())
                        prop:value=move || format!("{:.2}", place.get())
                        on:input=move |event| board.write(key, event_target_value(&event))
                    />
                    <p class="slider-ends" aria-hidden="true"><span>{more}</span><span>{less}</span></p>
                </div>
                <input
                    type="text"
                    inputmode="decimal"
                    class="number"
                    id=field(key)
                    name=key
                    autocomplete="off"
                    aria-labelledby=box_label.clone()
                    aria-describedby=line(key)
                    aria-invalid=move || board.wrong(key).map(|_| "true")
                    value=text.get_untracked()
                    prop:value=move || text.get()
                    on:input=move |event| board.write(key, event_target_value(&event))
                />
            </Show>
            <Line board key />
        </div>
    }
}

#[component]
pub fn RecallSize(board: Board) -> impl IntoView {
    view! {
        <ReviewForm board section=Section::RecallSize testid="set-recall-size">
            <Conflict board section=Section::RecallSize />
            {SPECS.iter().filter(|spec| spec.section == Section::RecallSize).map(|spec| view! { <Size board spec /> }).collect_view()}
            <Foot board section=Section::RecallSize testid="apply-recall-size" words="Apply" />
        </ReviewForm>
    }
}

#[component]
fn Size(board: Board, spec: &'static Spec) -> impl IntoView {
    let key = spec.key;
    let text = Memo::new(move |_| board.text(key));
    view! {
        <div class="setting" data-testid=testid(key)>
            <div class="setting-text">
                <label class="setting-label" for=field(key)>{spec.label}</label>
                <p class="setting-help">{spec.help}</p>
                <Line board key />
            </div>
            <Show
                when=move || board.desk.may_edit.get()
                fallback=move || view! { <p class="setting-state">{move || text.get()}</p> }
            >
                <input
                    type="text"
                    inputmode="numeric"
                    class="number"
                    id=field(key)
                    name=key
                    autocomplete="off"
                    aria-describedby=line(key)
                    aria-invalid=move || board.wrong(key).map(|_| "true")
                    value=text.get_untracked()
                    prop:value=move || text.get()
                    on:input=move |event| board.write(key, event_target_value(&event))
                />
            </Show>
        </div>
    }
}

fn bounds() -> (u32, u32) {
    match Spec::find(PROMOTE).map(|spec| spec.range) {
        Ok(Range::WholeOrOff(low, high)) => (low, high),
        _ => (SUGGESTED, SUGGESTED),
    }
}

/// The id of a setting's field; no dots, which are classes to a selector.
fn field(key: &str) -> String {
    format!("set-{}", key.replace('.', "-"))
}

fn line(key: &str) -> String {
    format!("{}-line", field(key))
}

fn testid(key: &str) -> &'static str {
    match key {
        "merge.global" => "thr-merge-global",
        "merge.personal" => "thr-merge-personal",
        "merge.correction" => "thr-merge-correction",
        "merge.related" => "thr-merge-related",
        "recall.personal_k" => "size-personal",
        "recall.global_k" => "size-global",
        _ => "thr-confidence",
    }
}
