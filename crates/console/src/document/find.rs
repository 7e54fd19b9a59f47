//! The command palette: opened by `⌘K` or its button, and searched while the operator types.

use std::cell::Cell;
use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlElement, HtmlInputElement};

use crate::document::dom::closest;
use crate::document::dom::within;
use crate::document::fetch::lost;
use crate::document::fetch::page;
use crate::document::question;
use crate::screens;

const PAGE: &str = screens::FIND.path;
/// Delay after typing before the search.
const RESTS: Duration = Duration::from_millis(120);

thread_local! {
    /// Incremented with every letter, so that a late answer is ignored.
    static TURN: Cell<u64> = const { Cell::new(0) };
}

pub fn pressed(ev: &ev::KeyboardEvent, at: &Element) {
    if (ev.ctrl_key() || ev.meta_key()) && !ev.shift_key() && !ev.alt_key() && ev.key().eq_ignore_ascii_case("k") {
        ev.prevent_default();
        question::show(PAGE.to_owned());
        return;
    }
    let Some(palette) = closest(at, ".palette") else { return };
    let links = within(&palette, "#found a");
    let here = links.iter().position(|link| **link == *at);
    let next = match (ev.key().as_str(), here) {
        ("ArrowDown", None) | ("Enter", None) => links.first(),
        ("ArrowDown", Some(here)) => links.get(here + 1),
        ("ArrowUp", Some(0)) => None,
        ("ArrowUp", Some(here)) => links.get(here - 1),
        _ => return,
    };
    ev.prevent_default();
    match next {
        Some(link) if ev.key() == "Enter" => link.click(),
        Some(link) => drop(link.focus()),
        None if ev.key() == "ArrowUp" => {
            let field = palette.query_selector("input").ok().flatten().and_then(|field| field.dyn_into::<HtmlElement>().ok());
            if let Some(field) = field {
                let _ = field.focus();
            }
        }
        None => {}
    }
}

/// Replaces the results under a field with those of what is typed now.
pub fn typed(field: &HtmlInputElement) {
    let Some(shown) = field.get_attribute("data-finds").and_then(|id| document().get_element_by_id(&id)) else { return };
    let turn = TURN.get() + 1;
    TURN.set(turn);
    let asked = field.value();
    set_timeout(
        move || {
            if TURN.get() != turn {
                return;
            }
            spawn_local(async move {
                let query = String::from(leptos::web_sys::js_sys::encode_uri_component(&asked));
                match page(&format!("{PAGE}?q={query}")).await {
                    Ok(found) if TURN.get() == turn => {
                        if let Some(found) = found.get_element_by_id(&shown.id()) {
                            shown.set_inner_html(&found.inner_html());
                        }
                    }
                    Ok(_) => {}
                    Err(why) => lost(&why),
                }
            });
        },
        RESTS,
    );
}
