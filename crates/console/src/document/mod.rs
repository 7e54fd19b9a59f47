//! Progressive enhancement: behaviour that scripts add to a document. A view requests it with attributes, so that it stays plain
//! HTML that works without script:
//!
//! - `data-submits` on a control: sends its form when it changes
//! - `data-dialog` on a link, a button or a GET form: shows the question of the target page (`data-question` there, `data-wide`
//!   for a table) in a dialog; `data-cancels` closes it: `question`
//! - `data-in-place` on a POST form: sends it without leaving the page, and inserts the changed parts of the response: `in_place`
//! - `data-copies="TEXT"`, `data-prints` on a button: copies the text to the clipboard; prints the page
//! - `data-matches="TEXT"` on a field: shows the element that `data-matches-in` names when exactly this text is typed, and
//!   removes the field's error
//! - `class="menu"` on a `details`: closes it with Esc and with a click outside; the choices ticked in it are sent when it
//!   closes, and reset by Esc: `menus`
//! - `data-keeps` on a `details`: tells the server whether it is open
//! - `data-filtering` on folded filters: keeps them open on a phone while filters are active
//! - `data-readout` on a plot: makes it readable point by point with arrow keys and the pointer: `readout`
//! - `data-live="facts settings erasures keys undone"` on a part with an id: reloads it when something of that kind changes:
//!   `reread`. It is not replaced while its `data-version` stays the same. Inside it, `data-announces` is announced to screen
//!   readers, and a new `data-stage` moves the focus to the heading
//! - `data-news` on a link: shows it when a row of the page changed
//! - `form="bulk"` on checkboxes: counts the selected rows: `selection`
//! - `data-finds="ID"` on a field: searches while the operator types, and shows the results in that element: `find`
//! - a form that posts: asks first whether the session is still valid: `session`
//! - `data-drafts` on a form: shows the effect of its values before they are saved: `drafts`

mod dom;
mod drafts;
pub mod fetch;
mod find;
mod in_place;
mod menus;
pub mod question;
mod readout;
mod reread;
mod selection;
mod session;
mod waiting;

use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlElement, HtmlInputElement};

pub use menus::close_menus;
pub use reread::{aim, leave_editor, news, reread, runs, waits};

use crate::document::dom::{CONSOLE, all, closest, element, within};
use crate::parts::focus::copy_text;
use crate::parts::form::send;
use crate::state::ConsoleState;
use crate::stats::call::keep_how;

/// Listens on the whole document, including parts inserted later.
pub fn begin(console: ConsoleState) {
    CONSOLE.set(Some(console));
    drop(window_event_listener(ev::click, |ev| {
        if let Some(at) = element(ev.target()) {
            clicked(&ev, &at);
        }
    }));
    drop(window_event_listener(ev::input, |ev| {
        if let Some(field) = ev.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok()) {
            compare(&field);
            drafts::typed(&field);
            find::typed(&field);
        }
    }));
    drop(window_event_listener(ev::change, |ev| {
        let Some(at) = element(ev.target()) else { return };
        if at.has_attribute("data-submits") {
            send(at.get_attribute("form").and_then(|id| document().get_element_by_id(&id)).or_else(|| closest(&at, "form")));
        }
        selection::changed(&at);
        drafts::changed(&at);
    }));
    drop(window_event_listener(ev::submit, |ev| {
        drafts::submitted(&ev);
        in_place::submitted(&ev);
        question::submitted(&ev);
        waiting::submitted(&ev);
        session::submitted(&ev);
    }));
    drop(window_event_listener(ev::keydown, |ev| {
        let Some(at) = element(ev.target()) else { return };
        menus::pressed(&ev);
        selection::pressed(&ev);
        readout::pressed(&ev, &at);
        find::pressed(&ev, &at);
        drafts::pressed(&ev, &at);
    }));
    readout::begin();
    selection::begin();
    waiting::begin();
    fold_on_phones();
    show_current_tab();
}

fn clicked(ev: &ev::MouseEvent, at: &Element) {
    menus::clicked(at);
    if let Some(text) = closest(at, "[data-copies]").and_then(|button| button.get_attribute("data-copies")) {
        copy_text(&text);
        if let Some(console) = CONSOLE.get() {
            console.announce("Copied");
        }
    }
    if closest(at, "[data-prints]").is_some() {
        let _ = window().print();
    }
    if let Some(details) = closest(at, "summary").and_then(|summary| closest(&summary, "[data-keeps]")) {
        // This handler runs before the click takes effect.
        let open = !details.has_attribute("open");
        spawn_local(async move { drop(keep_how(open).await) });
    }
    selection::clicked(at);
    if drafts::clicked(ev, at) {
        // The saved value may differ from the one that this page was rendered with.
        reread("settings");
    }
    question::clicked(ev, at);
    waiting::clicked(ev, at);
}

/// Shows the element once the required text is typed.
fn compare(field: &HtmlInputElement) {
    let Some(wanted) = field.get_attribute("data-matches") else { return };
    let said = field.get_attribute("data-matches-in").and_then(|id| document().get_element_by_id(&id));
    if let Some(said) = said {
        let _ = said.toggle_attribute_with_force("hidden", field.value().trim() != wanted);
    }
    if field.value().trim() == wanted {
        settle(field);
    }
}

/// Removes the error of a field once its value is right.
fn settle(field: &HtmlInputElement) {
    let id = field.id();
    if let Some(error) = document().get_element_by_id(&format!("{id}-error")) {
        error.remove();
    }
    for name in ["aria-invalid", "aria-describedby"] {
        let _ = field.remove_attribute(name);
    }
    let link = document().query_selector(&format!(".error-summary a[href='#{id}']")).ok().flatten();
    let Some(link) = link else { return };
    let summary = closest(&link, ".error-summary");
    closest(&link, "li").unwrap_or(link).remove();
    if let Some(summary) = summary.filter(|summary| within(summary, "a").is_empty()) {
        summary.remove();
    }
}

/// On a phone, filters start folded, unless some are active.
fn fold_on_phones() {
    /// Maximum width of a phone in CSS pixels, as in the style sheet.
    const NARROW_PX: f64 = 760.0;
    let narrow = window().inner_width().ok().and_then(|width| width.as_f64()).is_some_and(|width| width <= NARROW_PX);
    if narrow {
        for folded in all("details.folded:not([data-filtering])") {
            let _ = folded.remove_attribute("open");
        }
    }
}

/// Scrolls the tabs of Manage, which are wider than a phone, to the current one.
fn show_current_tab() {
    /// The edge of the tab before stays visible.
    const BEFORE_PX: i32 = 40;
    let tab = document().query_selector(".manage-tabs [aria-current=page]").ok().flatten();
    let tab = tab.and_then(|tab| tab.dyn_into::<HtmlElement>().ok());
    if let Some((tab, tabs)) = tab.and_then(|tab| Some((tab.clone(), tab.parent_element()?))) {
        tabs.set_scroll_left(tab.offset_left() - BEFORE_PX);
    }
}
