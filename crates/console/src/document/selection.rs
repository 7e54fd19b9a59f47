//! Selection in a table: checkboxes of the form `bulk`, counted in its bar. The action itself is a form post, as without script.
//! This file only shows how many rows are selected, and selects everything that matches.
//!
//! In the bar, `data-one`, `data-many` and `data-every` are words for a count. `data-selects` is `page`, `every` or `none` on a
//! button, and `toggle` on the checkbox in the table head. `data-adds="name=value"` is a field that a button adds.

use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlFieldSetElement, HtmlInputElement};

use crate::document::dom::all;
use crate::document::dom::closest;
use crate::document::dom::within;
use crate::parts::focus::{in_dialog, typing};

const BOXES: &str = "input[form=bulk][name='ids[]']";

/// After going back to a page, checkboxes may be checked.
pub fn begin() {
    if bar().is_some() {
        count();
    }
}

pub fn changed(at: &Element) {
    if at.get_attribute("data-selects").as_deref() == Some("toggle") {
        let some = boxes().iter().any(HtmlInputElement::checked);
        select(!some, false);
    } else if at.matches(BOXES).unwrap_or(false) {
        every(false);
        count();
    }
}

pub fn clicked(at: &Element) {
    if let Some(button) = closest(at, "button[data-selects]") {
        match button.get_attribute("data-selects").as_deref() {
            Some("every") => select(true, true),
            Some("page") => select(true, false),
            _ => select(false, false),
        }
    }
    if let Some(button) = closest(at, "#bulk button[type=submit]") {
        all("#bulk [data-added]").iter().for_each(|field| field.remove());
        add(&button);
    }
}

pub fn pressed(ev: &ev::KeyboardEvent) {
    let in_dialog = in_dialog();
    if ev.key() == "Escape" && bar().is_some() && !ev.default_prevented() && !typing() && !in_dialog {
        select(false, false);
    }
}

fn add(button: &Element) {
    let pair = button.get_attribute("data-adds").unwrap_or_default();
    let (Some((name, value)), Some(form)) = (pair.split_once('='), closest(button, "form")) else { return };
    let field = document().create_element("input").ok().and_then(|field| field.dyn_into::<HtmlInputElement>().ok());
    if let Some(field) = field {
        let _ = field.set_attribute("data-added", "");
        field.set_type("hidden");
        field.set_name(name);
        field.set_value(value);
        let _ = form.append_child(&field);
    }
}

fn bar() -> Option<Element> {
    document().get_element_by_id("bulk").filter(|bar| bar.has_attribute("data-total"))
}

fn boxes() -> Vec<HtmlInputElement> {
    all(BOXES).into_iter().filter_map(|found| found.dyn_into().ok()).collect()
}

fn select(checked: bool, everything: bool) {
    if bar().is_none() {
        return;
    }
    for found in boxes() {
        found.set_checked(checked);
    }
    every(everything);
    count();
}

/// The fields for everything that matches are sent only if that is selected.
fn every(chosen: bool) {
    for fields in all("[data-everything]") {
        if let Ok(fields) = fields.dyn_into::<HtmlFieldSetElement>() {
            fields.set_disabled(!chosen);
        }
    }
}

fn count() {
    let Some(bar) = bar() else { return };
    let boxes = boxes();
    let checked = boxes.iter().filter(|found| found.checked()).count();
    let everything = bar.query_selector("[data-everything]:not([disabled])").ok().flatten().is_some();
    let total = bar.get_attribute("data-total").and_then(|total| total.parse().ok()).unwrap_or(checked);
    let chosen = if everything { total } else { checked };
    let _ = bar.class_list().toggle_with_force("shown", chosen > 0);
    for said in within(&bar, "[data-many]") {
        let template = match (everything, chosen) {
            (true, _) => said.get_attribute("data-every"),
            (false, 1) => said.get_attribute("data-one"),
            _ => None,
        };
        let template = template.or_else(|| said.get_attribute("data-many")).unwrap_or_default();
        said.set_text_content(Some(&template.replace("{}", &chosen.to_string())));
    }
    for button in within(&bar, "[data-selects=every], [data-selects=page]") {
        let for_every = button.get_attribute("data-selects").as_deref() == Some("every");
        button.set_hidden(for_every == everything);
    }
    for found in &boxes {
        if let Some(row) = closest(found, "tr") {
            let _ = row.class_list().toggle_with_force("chosen", found.checked());
        }
    }
    for head in all("[data-selects=toggle]") {
        if let Ok(head) = head.dyn_into::<HtmlInputElement>() {
            head.set_checked(checked > 0);
            head.set_indeterminate(checked > 0 && checked < boxes.len());
        }
    }
}
