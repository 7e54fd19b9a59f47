//! Unsaved settings. Their effect is read from the page that asks for confirmation, so that the words and numbers come from the
//! server.
//!
//! A form with `data-drafts` holds settings, each in an element with `data-key`. Inside it:
//!
//! - `data-twin="ID"` links a slider and a number field
//! - `data-steps` is a stepper button for the field that `data-for` names
//! - `data-checks="ID"` selects the choice that the field belongs to
//! - `data-takes` resolves a `data-conflict`, in which `data-called` is the setting's name in its card
//! - `data-near-saved` are examples around the saved value, and `data-near-draft` has room for those around the draft
//! - `data-flips` is a switch, next to the form that does the same without script

use std::cell::Cell;
use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlElement, HtmlFormElement, HtmlInputElement, SubmitEvent};

use crate::document::dom::closest;
use crate::document::dom::query_of;
use crate::document::dom::stop;
use crate::document::dom::within;
use crate::document::fetch::page;
use crate::document::question;
use crate::parts::form::send;

/// How long to wait after typing before the effect is requested.
const RESTS: Duration = Duration::from_millis(250);
const FORM: &str = "form[data-drafts]";

thread_local! {
    /// Counts requests for effects, so that a late answer is ignored.
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

pub fn typed(field: &HtmlInputElement) {
    let Some(form) = form_of(field) else { return };
    if field.has_attribute("aria-valuenow") {
        let _ = field.set_attribute("aria-valuenow", field.value().trim());
    }
    if let Some(twin) = field.get_attribute("data-twin").and_then(|id| input(&id)) {
        let text = field.value().replace(',', ".");
        // While the text is not a number, the slider stays where it was.
        if field.type_() == "range" || text.trim().parse::<f64>().is_ok_and(f64::is_finite) {
            twin.set_value(text.trim());
        }
        place_rail(if field.type_() == "range" { field } else { &twin });
    }
    if let Some(choice) = field.get_attribute("data-checks").and_then(|id| input(&id)) {
        choice.set_checked(true);
    }
    look(form);
}

pub fn changed(at: &Element) {
    let Some(field) = at.dyn_ref::<HtmlInputElement>() else { return };
    if field.has_attribute("data-flips") {
        flip(field);
    } else if field.type_() == "radio"
        && let Some(form) = form_of(field)
    {
        look(form);
    }
}

/// Returns whether a form is reset.
pub fn clicked(ev: &ev::MouseEvent, at: &Element) -> bool {
    if let Some(button) = closest(at, "button[data-steps]") {
        let by = button.get_attribute("data-steps").and_then(|by| by.parse().ok()).unwrap_or(0);
        if let Some(field) = button.get_attribute("data-for").and_then(|id| input(&id)) {
            step(&field, by);
        }
    }
    let reset = closest(at, "button[type=reset]").and_then(|button| form_of(&button));
    let resets = reset.is_some();
    if let Some(form) = reset {
        // This handler runs before the form is reset.
        set_timeout(
            move || {
                within(&form, "input[type=range]").iter().for_each(|slider| place_rail(slider.unchecked_ref()));
                look(form.clone());
                // The button is gone; the focus goes to what it was about.
                if let Some(field) = within(&form, "input:not([type=hidden]), select").first() {
                    let _ = field.focus();
                }
            },
            Duration::ZERO,
        );
    }
    if let Some(link) = closest(at, "[data-takes]").filter(|link| form_of(link).is_some()) {
        stop(ev);
        take(&link);
    }
    resets
}

pub fn pressed(ev: &ev::KeyboardEvent, at: &Element) {
    let Some(field) = at.dyn_ref::<HtmlInputElement>().filter(|at| at.get_attribute("role").as_deref() == Some("spinbutton"))
    else {
        return;
    };
    match ev.key().as_str() {
        "ArrowUp" => step(field, 1),
        "ArrowDown" => step(field, -1),
        _ => return,
    }
    stop(ev);
}

/// Before the form is sent: moves the focus to the first invalid value.
pub fn submitted(ev: &SubmitEvent) {
    let form = ev.target().and_then(|target| target.dyn_into::<HtmlFormElement>().ok());
    let Some(form) = form.filter(|form| form.has_attribute("data-drafts")) else { return };
    if let Some(wrong) = within(&form, "[aria-invalid=true]").first() {
        stop(ev);
        let _ = wrong.focus();
    } else if dirty(&form).is_empty() {
        stop(ev);
    }
}

/// Whether this part has unsaved input.
pub fn any(part: &Element) -> bool {
    within(part, FORM).into_iter().filter_map(|form| form.dyn_into().ok()).any(|form: HtmlFormElement| !dirty(&form).is_empty())
}

/// Whether the part contains this setting.
pub fn holds(part: &Element, key: &str) -> bool {
    part.query_selector(&format!("[data-key='{key}'], [data-flips='{key}']")).ok().flatten().is_some()
}

/// Whether this is a settings field. Such fields may be updated while focused, because what is typed in them is tracked.
pub fn in_form(at: Option<&Element>) -> bool {
    at.is_some_and(|at| form_of(at).is_some())
}

/// Updates a part with unsaved input after somebody changed its saved values. Untouched fields take the new value. For the others
/// a note says who changed them and offers both values.
pub fn overtake(part: &HtmlElement, fresh: &Element) {
    pass_news(part, fresh);
    if let (Ok(Some(said)), Ok(Some(newest))) = (part.query_selector(".settings-said"), fresh.query_selector(".settings-said")) {
        said.set_inner_html(&newest.inner_html());
    }
    let form = part.query_selector(FORM).ok().flatten().and_then(|form| form.dyn_into::<HtmlFormElement>().ok());
    let Some(form) = form.filter(|_| part.get_attribute("data-version") != fresh.get_attribute("data-version")) else { return };
    if let Some(version) = fresh.get_attribute("data-version") {
        let _ = part.set_attribute("data-version", &version);
    }
    let touched = dirty(&form);
    for field in within(&form, "input[id], input[type=hidden]") {
        let Ok(field) = field.dyn_into::<HtmlInputElement>() else { continue };
        let name = if field.id().is_empty() { format!("input[name='{}']", field.name()) } else { format!("#{}", field.id()) };
        let key = closest(&field, "[data-key]").and_then(|at| at.get_attribute("data-key"));
        let key = key.or_else(|| field.name().strip_prefix("v.").map(str::to_owned)).unwrap_or_default();
        let Some(newest) = fresh.query_selector(&name).ok().flatten().filter(|_| !touched.contains(&key)) else { continue };
        let value = newest.get_attribute("value").unwrap_or_default();
        field.set_default_value(&value);
        field.set_value(&value);
        field.set_checked(newest.has_attribute("checked"));
        field.set_default_checked(field.checked());
        place_rail(&field);
    }
    spawn_local(async move {
        let Ok(found) = page(&address(&form)).await else { return };
        let (Ok(Some(slot)), Ok(notes)) = (form.query_selector("[data-conflicts]"), found.query_selector_all("[data-conflict]"))
        else {
            return;
        };
        slot.set_inner_html("");
        for note in (0..notes.length()).filter_map(|at| notes.get(at)) {
            let _ = slot.append_child(&note);
        }
        for name in within(&slot, "[data-called]") {
            name.set_text_content(name.get_attribute("data-called").as_deref());
        }
        settle(&form);
    });
}

/// After a part was replaced, says in its head what others changed.
pub fn pass_news(part: &HtmlElement, fresh: &Element) {
    let of = |root: &Element, key: &str| root.query_selector(&format!("[data-news-of='{key}']")).ok().flatten();
    for news in within(fresh, "[data-news-of]") {
        let key = news.get_attribute("data-news-of").unwrap_or_default();
        let before = of(part, &key).and_then(|before| before.get_attribute("data-version"));
        if before == news.get_attribute("data-version") {
            continue;
        }
        if let Ok(Some(said)) = fresh.query_selector(".settings-said") {
            said.set_inner_html(&news.inner_html());
        }
    }
}

/// Toggles a switch: it shows the wanted state, and its form is sent. A switch that needs confirmation stays as it is.
fn flip(field: &HtmlInputElement) {
    let form = closest(field, ".setting-control").and_then(|control| control.query_selector("form").ok().flatten());
    let Some(form) = form.and_then(|form| form.dyn_into::<HtmlFormElement>().ok()) else { return };
    if form.has_attribute("data-dialog") {
        field.set_checked(!field.checked());
        question::show(address(&form));
    } else {
        let _ = field.set_attribute("aria-busy", "true");
        send(Some(form.into()));
    }
}

/// Resets a switch whose form did not reach the server.
pub fn unflip(form: &HtmlFormElement) {
    let switch = closest(form, ".setting-control").and_then(|control| control.query_selector("[data-flips]").ok().flatten());
    if let Some(switch) = switch.and_then(|switch| switch.dyn_into::<HtmlInputElement>().ok()) {
        switch.set_checked(switch.default_checked());
        let _ = switch.remove_attribute("aria-busy");
    }
}

fn step(field: &HtmlInputElement, by: i64) {
    let bound = |name: &str| field.get_attribute(name).and_then(|bound| bound.parse::<i64>().ok());
    let now = field.value().trim().parse::<i64>().ok().or_else(|| bound("aria-valuemin")).unwrap_or_default();
    let next = (now + by).clamp(bound("aria-valuemin").unwrap_or(i64::MIN), bound("aria-valuemax").unwrap_or(i64::MAX));
    field.set_value(&next.to_string());
    typed(field);
}

/// Resolves a conflict: takes the current saved value, or keeps the typed one, based on the new version.
fn take(link: &Element) {
    let Some((note, form)) = closest(link, "[data-conflict]").zip(form_of(link)) else { return };
    let key = note.get_attribute("data-key").unwrap_or_default();
    let version = note.get_attribute("data-version").unwrap_or_default();
    for field in within(&form, "input[type=hidden]") {
        if field.get_attribute("name").as_deref() == Some(&format!("v.{key}")) {
            field.unchecked_ref::<HtmlInputElement>().set_value(&version);
        }
    }
    if link.get_attribute("data-takes").as_deref() == Some("theirs") {
        let theirs = note.get_attribute("data-theirs").unwrap_or_default();
        for field in fields(&form, &key) {
            match field.type_().as_str() {
                "radio" if matches!(field.value().as_str(), "number" | "never") => {
                    field.set_checked((field.value() == "never") == (theirs == "never"));
                }
                "radio" => field.set_checked(field.value() == theirs),
                _ if theirs != "never" => field.set_value(&theirs),
                _ => {}
            }
            field.set_default_checked(field.checked());
            field.set_default_value(&field.value());
            place_rail(&field);
        }
    }
    note.remove();
    look(form);
}

/// Requests the effect of the drafts once typing pauses.
fn look(form: HtmlFormElement) {
    settle(&form);
    let turn = ASKED.get() + 1;
    ASKED.set(turn);
    let keys = dirty(&form);
    for line in within(&form, "[data-line]") {
        let key = line.get_attribute("data-line").unwrap_or_default();
        if !keys.contains(&key) {
            say(&form, &key, None, None);
            show_near(&form, &key, None);
        }
    }
    if keys.is_empty() {
        return;
    }
    set_timeout(
        move || {
            if ASKED.get() != turn {
                return;
            }
            spawn_local(async move {
                let Ok(found) = page(&address(&form)).await else { return };
                if ASKED.get() != turn {
                    return;
                }
                let told = |what: &str, key: &str| {
                    let found = found.query_selector(&format!("[{what}='{key}']")).ok().flatten();
                    found.and_then(|found| found.text_content()).filter(|words| !words.is_empty())
                };
                for key in &keys {
                    say(&form, key, told("data-wrong", key), told("data-effect", key));
                    let near = found.query_selector(&format!("[data-near='{key}']")).ok().flatten();
                    show_near(&form, key, near.map(|near| near.inner_html()));
                }
            });
        },
        RESTS,
    );
}

/// Shows under a setting what is wrong with its draft, or its effect.
fn say(form: &HtmlFormElement, key: &str, wrong: Option<String>, effect: Option<String>) {
    let Ok(Some(line)) = form.query_selector(&format!("[data-line='{key}']")) else { return };
    let effect = effect.filter(|_| wrong.is_none());
    for (class, words) in [("danger", &wrong), ("effect", &effect)] {
        let Some(part) = within(&line, &format!(".{class}")).into_iter().next() else { continue };
        part.set_hidden(words.is_none());
        if let Ok(Some(text)) = part.query_selector("span") {
            text.set_text_content(words.as_deref());
        }
    }
    for field in fields(form, key).iter().filter(|field| field.type_() == "text") {
        let _ =
            if wrong.is_some() { field.set_attribute("aria-invalid", "true") } else { field.remove_attribute("aria-invalid") };
    }
}

/// Shows the examples around a draft in place of those around the saved value.
fn show_near(form: &HtmlFormElement, key: &str, near: Option<String>) {
    for saved in within(form, &format!("[data-near-saved='{key}']")) {
        saved.set_hidden(near.is_some());
    }
    for draft in within(form, &format!("[data-near-draft='{key}']")) {
        draft.set_hidden(near.is_none());
        draft.set_inner_html(near.as_deref().unwrap_or_default());
    }
}

/// Shows how many drafts there are, and the buttons for them.
fn settle(form: &HtmlFormElement) {
    let count = dirty(form).len();
    if count == 0 {
        within(form, "[data-conflict]").iter().for_each(|note| note.remove());
    }
    let conflict = form.query_selector("[data-conflict]").ok().flatten().is_some();
    for said in within(form, "[data-drafted]") {
        said.set_hidden(count == 0);
        if let Ok(Some(words)) = said.query_selector("span") {
            let text = if count == 1 { "1 unsaved change".to_owned() } else { format!("{count} unsaved changes") };
            words.set_text_content((count > 0).then_some(text.as_str()));
        }
    }
    for button in within(form, "button[type=reset]") {
        button.set_hidden(count == 0);
    }
    for button in within(form, "button[type=submit]") {
        button.set_hidden(conflict);
    }
    for choice in within(form, ".choice") {
        let chosen = choice.query_selector("input[type=radio]").ok().flatten();
        let chosen = chosen.is_some_and(|choice| choice.unchecked_ref::<HtmlInputElement>().checked());
        let _ = choice.class_list().toggle_with_force("chosen", chosen);
    }
}

/// Keys of the settings whose fields differ from the saved values.
fn dirty(form: &HtmlFormElement) -> Vec<String> {
    let keys = within(form, "[data-key]:not([data-conflict])").into_iter().filter_map(|at| at.get_attribute("data-key"));
    keys.filter(|key| {
        let fields = fields(form, key);
        let choice = fields.iter().any(|field| field.type_() == "radio" && field.checked() != field.default_checked());
        // The value of a choice's field counts only while that choice is selected.
        let off = fields.iter().any(|field| field.value() == "never" && field.type_() == "radio" && field.checked());
        choice || !off && fields.iter().any(|field| field.type_() == "text" && !same(&field.value(), &field.default_value()))
    })
    .collect()
}

/// Whether two texts are the same number.
fn same(a: &str, b: &str) -> bool {
    let read = |text: &str| text.replace(',', ".").trim().parse::<f64>().ok();
    a == b || read(a).is_some() && read(a) == read(b)
}

fn fields(form: &HtmlFormElement, key: &str) -> Vec<HtmlInputElement> {
    within(form, &format!("[data-key='{key}'] input")).into_iter().filter_map(|field| field.dyn_into().ok()).collect()
}

/// Sets how far the rail behind a slider is filled.
fn place_rail(slider: &HtmlInputElement) {
    let rail = closest(slider, ".slider").and_then(|slider| slider.query_selector(".rail-on").ok().flatten());
    let (low, high) = (slider.min().parse::<f64>().unwrap_or(0.0), slider.max().parse::<f64>().unwrap_or(1.0));
    if let (Some(rail), Ok(at)) = (rail, slider.value().parse::<f64>()) {
        let _ = rail.set_attribute("width", &format!("{:.2}", (at - low) / (high - low) * 100.0));
    }
}

fn address(form: &HtmlFormElement) -> String {
    format!("{}?{}", form.get_attribute("action").unwrap_or_default(), query_of(form))
}

fn form_of(at: &Element) -> Option<HtmlFormElement> {
    closest(at, FORM).and_then(|form| form.dyn_into().ok())
}

fn input(id: &str) -> Option<HtmlInputElement> {
    document().get_element_by_id(id).and_then(|found| found.dyn_into().ok())
}

#[cfg(test)]
mod tests {
    use super::same;

    #[test]
    fn a_number_is_the_same_however_it_is_written() {
        for (a, b, wanted) in
            [("0.9", "0.90", true), ("0,90", "0.90", true), ("4", "5", false), ("x", "x", true), ("x", "y", false)]
        {
            assert_eq!(same(a, b), wanted, "{a} {b}");
        }
    }
}
