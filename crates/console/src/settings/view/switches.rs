//! Switches: with script they act at once; without, a button names the action. Both use the same form.

use leptos::prelude::*;

use crate::parts::icon::{Icon, Icon16};
use crate::settings::view::values::{CurrentValues, Fields, words};
use domain::access::surfaces::{self, Glyph};
use domain::settings::{SPECS, Section, Spec};

/// The switch that needs confirmation before it is turned on.
pub const ANONYMOUS: &str = surfaces::ANONYMOUS.setting;

#[component]
pub fn Switches(saved: CurrentValues, section: Section) -> impl IntoView {
    SPECS.iter().filter(|spec| spec.section == section).map(|spec| view! { <Switch saved spec /> }).collect_view()
}

#[component]
fn Switch(saved: CurrentValues, spec: &'static Spec) -> impl IntoView {
    let key = spec.key;
    let id = id(key);
    let (label_id, help_id) = (format!("{id}-label"), format!("{id}-help"));
    let (named, described) = (label_id.clone(), help_id.clone());
    let row = saved.row(key);
    let on = row.value == "on";
    let state = words(key, if on { "on" } else { "off" });
    view! {
        <div class="setting">
            <div class="setting-text">
                <p class="setting-label" id=label_id>{icon(key).map(|icon| view! { <Icon16 icon /> })}<span>{spec.label}</span></p>
                <p class="setting-help" id=help_id>{spec.help}</p>
            </div>
            <div class="setting-control">
                <span class="setting-state" aria-hidden=saved.may_manage.then_some("true")>{state}</span>
                {saved.may_manage.then(|| view! {
                    <input type="checkbox" role="switch" class="switch scripted-only" id=id data-testid=id aria-labelledby=named aria-describedby=described checked=on data-flips=key />
                    <Turn spec on version=row.version />
                })}
            </div>
        </div>
    }
}

/// One button in a form. An action that needs confirmation leads to a page.
#[component]
fn Turn(spec: &'static Spec, on: bool, version: i64) -> impl IntoView {
    let words = if on { "Turn off" } else { "Turn on" };
    let button = view! { <button type="submit" class="button" aria-label=format!("{words}: {}", spec.label)>{words}</button> };
    if spec.key == ANONYMOUS && !on {
        return view! {
            <form method="get" action="/manage/settings/apply" class="scriptless" data-dialog="true">
                <input type="hidden" name=spec.key value="on" />
                {button}
            </form>
        }
        .into_any();
    }
    view! {
        <form method="post" action="/calls/settings/apply" class="scriptless" data-in-place="true">
            <Fields key=spec.key value=if on { "off" } else { "on" } version />
            {button}
        </form>
    }
    .into_any()
}

fn id(key: &str) -> &'static str {
    match key {
        "learn.personal" => "set-train-personal",
        "learn.global" => "set-train-global",
        key => surfaces::of_setting(key).unwrap_or(&surfaces::OTHER).id,
    }
}

fn icon(key: &str) -> Option<Icon> {
    Some(match surfaces::of_setting(key)?.glyph {
        Glyph::Globe => Icon::Globe,
        Glyph::Paper => Icon::Send,
        Glyph::Plug => Icon::Plug,
        Glyph::Arrow => Icon::Arrow,
        Glyph::Person => Icon::Person,
    })
}
