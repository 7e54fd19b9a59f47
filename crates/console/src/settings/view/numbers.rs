//! Numbers: how many people promote a fact, the thresholds, and the size of an answer. Each card is a form that leads to a review
//! of its effect: a dialog with script, a page without.

use leptos::prelude::*;

use crate::parts::icon::{Icon, Icon16};
use crate::settings::shapes::ThresholdSpread;
use crate::settings::view::alike::AlikeHere;
use crate::settings::view::values::{CurrentValues, PROMOTE, words};
use domain::insight::usage::OverBudget;
use domain::settings::{FilePaths, SPECS, Section, SettingRange, Spec};

/// Value of the stepper while promotion by count is off.
const SUGGESTED: u32 = 2;

/// A form over one section.
#[component]
fn ReviewForm(saved: CurrentValues, section: Section, testid: &'static str, children: Children) -> impl IntoView {
    view! {
        <form method="get" action="/manage/settings/apply" novalidate data-testid=testid data-drafts="true" data-dialog="true" autocomplete="off">
            {saved
                .rows_in(section)
                .into_iter()
                .map(|row| view! { <input type="hidden" name=format!("v.{}", row.key) value=row.version /> })
                .collect_view()}
            {children()}
        </form>
    }
}

/// Container for notes about conflicting changes by other operators.
#[component]
fn Conflicts() -> impl IntoView {
    view! { <div class="contents" data-conflicts="true"></div> }
}

/// The number of drafts, and the buttons, which are hidden while there is a conflict.
#[component]
fn Foot(saved: CurrentValues, testid: &'static str, words: &'static str) -> impl IntoView {
    saved.may_manage.then(|| {
        view! {
            <div class="settings-foot">
                <p class="drafted" aria-live="polite"><span class="contents" data-drafted="true" hidden><Icon16 icon=Icon::Pending /><span></span></span></p>
                <button type="reset" class="button plain" hidden>"Discard"</button>
                <button type="submit" class="button primary" data-testid=testid>{words}</button>
            </div>
        }
    })
}

/// The effect of a draft, or why its value is not allowed.
#[component]
fn Line(key: &'static str) -> impl IntoView {
    view! {
        <p class="impact-line" id=line(key) aria-live="polite" data-testid="impact" data-line=key>
            <span class="danger" hidden><Icon16 icon=Icon::Warning /><span></span></span>
            <span class="effect" hidden><Icon16 icon=Icon::Info /><span></span></span>
        </p>
    }
}

#[component]
pub fn AutoPromote(saved: CurrentValues) -> impl IntoView {
    let value = saved.row(PROMOTE).value;
    let never = value == "never";
    if !saved.may_manage {
        let saved = if never {
            "Never: an operator approves everything".to_owned()
        } else {
            format!("After {value} separate contributors agree")
        };
        return view! { <div class="setting"><p class="setting-label">"Auto-promote"</p><p class="setting-state" data-testid="set-autopromote">{saved}</p></div> }.into_any();
    }
    let held = if never { SUGGESTED.to_string() } else { value };
    let (low, high) = bounds();
    view! {
        <ReviewForm saved section=Section::AutoPromote testid="set-autopromote">
            <div class="settings-body" data-key=PROMOTE>
                <Conflicts />
                <div class="choices" role="radiogroup" aria-labelledby="auto-promote-title">
                    <div class="choice" class:chosen=!never>
                        <input type="radio" id="n-after" name=PROMOTE value="number" checked=!never />
                        <div class="choice-text">
                            <label for="n-after">"After separate contributors agree"</label>
                            <p>"Each must state the fact in a separate conversation."</p>
                        </div>
                        <div class="stepper">
                            <span class="stepper-box">
                                <button type="button" class="scripted-only" aria-label="Fewer contributors" data-steps="-1" data-for=field(PROMOTE)>"−"</button>
                                <input
                                    type="text"
                                    inputmode="numeric"
                                    role="spinbutton"
                                    id=field(PROMOTE)
                                    name="n"
                                    autocomplete="off"
                                    data-testid="n-value"
                                    data-checks="n-after"
                                    aria-label="Contributors"
                                    aria-valuemin=low
                                    aria-valuemax=high
                                    aria-valuenow=held.clone()
                                    aria-describedby=line(PROMOTE)
                                    value=held
                                />
                                <button type="button" class="scripted-only" aria-label="More contributors" data-steps="1" data-for=field(PROMOTE)>"+"</button>
                            </span>
                            <span aria-hidden="true">"contributors"</span>
                        </div>
                    </div>
                    <div class="choice" class:chosen=never>
                        <input type="radio" id="n-never" name=PROMOTE value="never" data-testid="n-never" checked=never />
                        <div class="choice-text">
                            <label for="n-never">"Never"</label>
                            <p>"An operator approves everything."</p>
                        </div>
                    </div>
                </div>
                <Line key=PROMOTE />
            </div>
            <Foot saved testid="apply-n" words="Apply" />
        </ReviewForm>
    }
    .into_any()
}

#[component]
pub fn Thresholds(saved: CurrentValues) -> impl IntoView {
    let each = move |spec| view! { <Threshold saved spec /> };
    view! { <Numbers saved section=Section::Thresholds form="set-thresholds" apply="apply-thresholds" words="Review and apply" each /> }
}

#[component]
pub fn RecallSize(saved: CurrentValues) -> impl IntoView {
    let each = move |spec| view! { <Size saved spec /> };
    view! { <Numbers saved section=Section::RecallSize form="set-recall-size" apply="apply-recall-size" words="Apply" each /> }
}

#[component]
pub fn Keeping(saved: CurrentValues) -> impl IntoView {
    let each = move |spec| view! { <Size saved spec /> };
    view! { <Numbers saved section=Section::Keeping form="set-keeping" apply="apply-keeping" words="Review and apply" each /> }
}

#[component]
pub fn ChatLimits(saved: CurrentValues) -> impl IntoView {
    let each = move |spec| view! { <Size saved spec /> };
    view! { <Numbers saved section=Section::Chat form="set-chat" apply="apply-chat" words="Apply" each /> }
}

#[component]
pub fn ModelUse(saved: CurrentValues) -> impl IntoView {
    let each = move |spec: &'static Spec| {
        if spec.range == SettingRange::OverBudget {
            view! { <Choice saved spec options=OverBudget::ALL.map(|one| (one.as_str(), one.label())) /> }.into_any()
        } else {
            view! { <Size saved spec /> }.into_any()
        }
    };
    view! { <Numbers saved section=Section::ModelUse form="set-model-use" apply="apply-model-use" words="Apply" each /> }
}

#[component]
pub fn GateLimits(saved: CurrentValues) -> impl IntoView {
    let each = move |spec| {
        view! { <Choice saved spec options=FilePaths::ALL.map(|one| (one.as_str(), one.label())) /> }
    };
    view! { <Numbers saved section=Section::Gate form="set-gate" apply="apply-gate" words="Apply" each /> }
}

/// A choice of two words, each with its label.
#[component]
fn Choice(saved: CurrentValues, spec: &'static Spec, options: [(&'static str, &'static str); 2]) -> impl IntoView {
    let key = spec.key;
    let held = saved.row(key).value;
    let (label_id, named) = (format!("{}-label", field(key)), format!("{}-label", field(key)));
    let option = |(word, label): (&'static str, &'static str)| {
        let id = format!("{}-{word}", field(key));
        view! {
            <label>
                <input type="radio" id=id name=key value=word checked=held == word aria-describedby=line(key) />
                {label}
            </label>
        }
    };
    view! {
        <div class="setting" data-testid=testid(key) data-key=key>
            <div class="setting-text">
                <p class="setting-label" id=label_id>{spec.label}</p>
                <p class="setting-help">{spec.help}</p>
                <Line key />
            </div>
            {if saved.may_manage {
                view! { <div class="either" role="radiogroup" aria-labelledby=named>{options.map(option).collect_view()}</div> }.into_any()
            } else {
                view! { <p class="setting-state">{words(key, &held)}</p> }.into_any()
            }}
        </div>
    }
}

/// The form of a section whose settings are numbers.
#[component]
fn Numbers<V: IntoView + 'static>(
    saved: CurrentValues,
    section: Section,
    /// Test ids of the form, and of its button.
    form: &'static str,
    apply: &'static str,
    /// Label of the button.
    words: &'static str,
    each: impl Fn(&'static Spec) -> V + Send + 'static,
) -> impl IntoView {
    view! {
        <ReviewForm saved section testid=form>
            <Conflicts />
            {SPECS.iter().filter(|spec| spec.section == section).map(each).collect_view()}
            <Foot saved testid=apply words />
        </ReviewForm>
    }
}

/// The similarities that a threshold judged, over its slider: those that passed are dark.
#[component]
fn Judged(spread: ThresholdSpread) -> impl IntoView {
    let bar = |class: &'static str, x: f64, width: f64, from: f64, height: f64| {
        (height > 0.0).then(|| {
            view! { <rect class=class x=format!("{x:.2}") width=format!("{width:.2}") y=format!("{:.2}", 100.0 - from - height) height=format!("{height:.2}") /> }
        })
    };
    view! {
        <svg class="spread" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" data-testid="spread">
            {spread
                .bars
                .into_iter()
                .map(|one| (bar("spread-passed", one.x, one.width, 0.0, one.passed), bar("spread-others", one.x, one.width, one.passed, one.others)))
                .collect_view()}
        </svg>
    }
}

#[component]
fn Threshold(saved: CurrentValues, spec: &'static Spec) -> impl IntoView {
    let key = spec.key;
    let (low, high) = match spec.range {
        SettingRange::Decimal(low, high) => (low, high),
        _ => (0.0, 1.0),
    };
    let text = saved.row(key).value;
    let place = text.parse::<f64>().map_or(low, |x| x.clamp(low, high));
    let label = format!("{}-label", field(key));
    let (group_label, slider_label, box_label) = (label.clone(), label.clone(), label.clone());
    let (more, less) = spec.ends.unwrap_or_default();
    let slider = format!("{}-slider", field(key));
    let state = text.clone();
    let spread = saved.spread(key);
    let said =
        spread.as_ref().map(|spread| view! { <p class="spread-said" data-testid="spread-said">{spread.sentence.clone()}</p> });
    view! {
        <div class="setting threshold" data-testid=testid(key) data-key=key role="group" aria-labelledby=group_label>
            <div class="setting-text">
                <p class="setting-label" id=label>{spec.label}</p>
                <p class="setting-help">{spec.help}</p>
                {said}
            </div>
            {if saved.may_manage {
                view! {
                    <div class="slider scripted-only">
                        {spread.map(|spread| view! { <Judged spread /> })}
                        <svg class="rail" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                            <rect class="rail-all" x="0" y="0" width="100" height="4" />
                            <rect class="rail-on" x="0" y="0" height="4" width=format!("{:.2}", (place - low) / (high - low) * 100.0) />
                        </svg>
                        <input
                            type="range"
                            id=slider.clone()
                            min=format!("{low:.2}")
                            max=format!("{high:.2}")
                            step="0.01"
                            aria-labelledby=slider_label
                            value=format!("{place:.2}")
                            data-twin=field(key)
                        />
                        <p class="slider-ends" aria-hidden="true"><span>{more}</span><span>{less}</span></p>
                    </div>
                    <input type="text" inputmode="decimal" class="number" id=field(key) name=key autocomplete="off" aria-labelledby=box_label aria-describedby=line(key) value=text data-twin=slider />
                }
                .into_any()
            } else {
                view! { <p class="setting-state">{state}</p> }.into_any()
            }}
            <Line key />
            {saved.near(key).map(|near| view! { <AlikeHere near /> })}
        </div>
    }
}

#[component]
fn Size(saved: CurrentValues, spec: &'static Spec) -> impl IntoView {
    let key = spec.key;
    let text = saved.row(key).value;
    view! {
        <div class="setting" data-testid=testid(key) data-key=key>
            <div class="setting-text">
                <label class="setting-label" for=field(key)>{spec.label}</label>
                <p class="setting-help">{spec.help}</p>
                <Line key />
            </div>
            {if saved.may_manage {
                view! { <input type="text" inputmode="numeric" class="number" id=field(key) name=key autocomplete="off" aria-describedby=line(key) value=text /> }.into_any()
            } else {
                view! { <p class="setting-state">{text}</p> }.into_any()
            }}
        </div>
    }
}

fn bounds() -> (u32, u32) {
    match Spec::find(PROMOTE).map(|spec| spec.range) {
        Ok(SettingRange::WholeOrOff(low, high)) => (low, high),
        _ => (SUGGESTED, SUGGESTED),
    }
}

/// The id of a setting's field; without dots, which mean classes in a selector.
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
        "merge.change" => "thr-merge-change",
        "merge.related" => "thr-merge-related",
        "recall.min_similarity" => "thr-relevance",
        "recall.personal_k" => "size-personal",
        "recall.global_k" => "size-global",
        "keep.fact" => "keep-fact",
        "keep.preference" => "keep-preference",
        "keep.correction" => "keep-correction",
        "keep.episode" => "keep-episode",
        "preferences.max" => "size-preferences",
        "history.archive_days" => "size-archive",
        "blocks.bin_days" => "size-bin",
        "learn.daily_tokens" => "use-tokens",
        "learn.over_budget" => "use-over-budget",
        "gate.paths" => "gate-paths",
        "learn.batch_exchanges" => "use-batch",
        "learn.batch_idle" => "use-idle",
        _ => "thr-confidence",
    }
}
