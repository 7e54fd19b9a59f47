//! Live parts of a page: the page is fetched again, and the parts that changed are replaced.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::{JsCast, JsValue};
use leptos::web_sys::{Element, HtmlElement};

use crate::document::dom::CONSOLE;
use crate::document::dom::all;
use crate::document::dom::here;
use crate::document::dom::within;
use crate::document::drafts;
use crate::document::fetch::Lost;
use crate::document::fetch::lost;
use crate::document::fetch::page;
use crate::document::readout;
use crate::document::selection;
use crate::parts::focus::{HEADING, focus, typing};
use domain::insight::live::LiveEvent;

/// How long to wait before fetching a page, because changes come in bursts.
const RESTS: Duration = Duration::from_millis(150);
/// Delay before the next attempt on a part that the operator was working in.
const AGAIN_AFTER: Duration = Duration::from_secs(2);

thread_local! {
    /// Kinds of change that no fetch has covered yet.
    static WANTED: RefCell<BTreeSet<&'static str>> = const { RefCell::new(BTreeSet::new()) };
    /// Facts, the first of which on the page is to receive the focus.
    static AIMED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    /// Incremented with every request, so that a late response is ignored.
    static TURN: Cell<u64> = const { Cell::new(0) };
}

/// Requests the focus for the first of these facts that is on the page after it is reloaded.
pub fn aim(ids: &[String]) {
    AIMED.set(ids.to_vec());
}

/// Moves the focus to the first requested fact on the page.
fn hit() {
    let aimed = AIMED.take();
    let at = |id: &String| {
        document().query_selector(&format!("tr[data-fact-id='{id}'] a, .detail[data-fact-id='{id}'] a")).ok().flatten()
    };
    if let Some(found) = aimed.iter().find_map(at).and_then(|found| found.dyn_into::<HtmlElement>().ok()) {
        let _ = found.focus();
    }
}

/// Reloads the parts that depend on this kind of change: `facts`, `settings`, `erasures`, `keys`, `undone`.
pub fn reread(what: &'static str) {
    WANTED.with_borrow_mut(|wanted| wanted.insert(what));
    after(RESTS);
}

/// Whether the page is visible and shows something in progress.
pub fn runs() -> bool {
    !document().hidden() && document().query_selector("[data-stage=running]").ok().flatten().is_some()
}

/// Whether the page is visible and waits for the first call with a key.
pub fn waits() -> bool {
    !document().hidden() && document().query_selector("[data-waits=keys]").ok().flatten().is_some()
}

/// Replaces this page with the one without an editor: what was typed is saved, or discarded.
pub fn leave_editor(address: String) {
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&address));
    }
    spawn_local(async move {
        let Ok(newest) = page(&address).await else { return drop(window().location().set_href(&address)) };
        for part in all("[data-live]") {
            if let Some(fresh) = newest.get_element_by_id(&part.id()) {
                put_anew(&part, &fresh);
            }
        }
        focus(HEADING);
    });
}

/// Shows above a list that one of its rows changed. Rows never move by themselves.
pub fn news(event: &LiveEvent) {
    let changed = match event {
        LiveEvent::Fact { id, version, status, .. } => all(&format!("[data-fact-id=\"{id}\"]")).iter().any(|row| {
            let seen = row.get_attribute("data-version").and_then(|seen| seen.parse::<i64>().ok());
            status.is_none() || seen.is_some_and(|seen| seen < *version)
        }),
        LiveEvent::Reload => true,
        LiveEvent::Queue { .. } | LiveEvent::Settings | LiveEvent::Keys | LiveEvent::Erasure { .. } => false,
    };
    if changed {
        for said in all("[data-news]") {
            let _ = said.remove_attribute("hidden");
        }
    }
}

fn after(pause: Duration) {
    let turn = TURN.get() + 1;
    TURN.set(turn);
    let wish = move || {
        if TURN.get() == turn {
            spawn_local(read(turn));
        }
    };
    set_timeout(wish, pause);
}

async fn read(turn: u64) {
    let wanted = WANTED.take();
    let again = || WANTED.with_borrow_mut(|later| later.extend(wanted.iter().copied()));
    let selector = wanted.iter().map(|what| format!("[data-live~={what}]")).collect::<Vec<_>>().join(",");
    let parts = if selector.is_empty() { Vec::new() } else { all(&selector) };
    if parts.is_empty() || document().hidden() {
        // When the user comes back to the page, it is updated again.
        return;
    }
    if parts.iter().all(at_work) {
        again();
        return after(AGAIN_AFTER);
    }
    let found = page(&here()).await;
    if TURN.get() != turn {
        // Something else changed meanwhile: one more fetch covers both.
        again();
        return after(RESTS);
    }
    let newest = match found {
        Ok(newest) => newest,
        Err(why @ Lost::SignedOut) => return lost(&why),
        // The live channel reports the lost connection, and everything is fetched again once it is back.
        Err(Lost::Unreached) => return,
    };
    let mut waits = false;
    for part in all(&selector) {
        match newest.get_element_by_id(&part.id()) {
            Some(fresh) if at_work(&part) => waits |= !same(&part, &fresh),
            Some(fresh) if drafts::any(&part) => drafts::overtake(&part, &fresh),
            Some(fresh) if same(&part, &fresh) => {}
            Some(fresh) => put_anew(&part, &fresh),
            // Its subject was deleted; the reloaded page says so.
            None if !at_work(&part) => return drop(window().location().reload()),
            None => {}
        }
    }
    document().set_title(&newest.title());
    hit();
    if waits {
        again();
        after(AGAIN_AFTER);
    }
}

/// Whether the operator is working in this part. If so, it stays unchanged for a while.
fn at_work(part: &HtmlElement) -> bool {
    let asked = document().query_selector("dialog[open]").ok().flatten().is_some();
    let active = document().active_element().filter(|active| part.contains(Some(active)));
    let typing = typing() && active.is_some() && !drafts::in_form(active.as_ref());
    asked || typing || part.query_selector(".editor, details.menu[open], .reading").ok().flatten().is_some()
}

fn same(part: &HtmlElement, fresh: &Element) -> bool {
    let version = part.get_attribute("data-version");
    if version.is_some() {
        return version == fresh.get_attribute("data-version");
    }
    // The script made the plots focusable, so that attribute is ignored.
    part.inner_html().replace(" tabindex=\"0\"", "") == fresh.inner_html()
}

/// Replaces a part with its current version. The focus stays where it was, if that element still exists.
pub fn put_anew(part: &HtmlElement, fresh: &Element) {
    let held = held(part);
    let open: Vec<bool> = within(part, "details").iter().map(|details| details.has_attribute("open")).collect();
    let (stage, told) = (stage(part), told(part));
    drafts::pass_news(part, fresh);
    part.set_inner_html(&fresh.inner_html());
    if let Some(version) = fresh.get_attribute("data-version") {
        let _ = part.set_attribute("data-version", &version);
    }
    let details = within(part, "details");
    if details.len() == open.len() {
        for (details, open) in details.iter().zip(open) {
            let _ = details.toggle_attribute_with_force("open", open);
        }
    }
    readout::settle();
    selection::begin();
    if let Some(held) = held {
        match held.find(part) {
            Some(found) => drop(found.focus()),
            None => focus(HEADING),
        }
    }
    if stage != self::stage(part) {
        focus(HEADING);
    }
    let words = self::told(part).filter(|words| !words.is_empty() && Some(words) != told.as_ref());
    if let (Some(words), Some(console)) = (words, CONSOLE.get()) {
        console.announce(&words);
    }
}

/// Removes the message about an action that failed before.
pub fn forget_leftover() {
    if let Some(console) = CONSOLE.get() {
        console.leftover.set(None);
    }
}

/// Focusable elements.
const REACHABLE: &str = "a, button, input, select, summary, [tabindex]";

/// The element that had the focus in a part: by its id, else by its position and text.
struct Focus {
    id: String,
    place: usize,
    words: String,
}

fn held(part: &HtmlElement) -> Option<Focus> {
    let active = document().active_element().filter(|active| part.contains(Some(active)))?;
    let place = within(part, REACHABLE).iter().position(|found| found.is_same_node(Some(&active)))?;
    Some(Focus { id: active.id(), place, words: words_of(&active) })
}

impl Focus {
    fn find(&self, part: &HtmlElement) -> Option<HtmlElement> {
        let mut found = within(part, REACHABLE).into_iter();
        if self.id.is_empty() {
            found.nth(self.place).filter(|found| words_of(found) == self.words)
        } else {
            found.find(|found| found.id() == self.id)
        }
    }
}

fn words_of(found: &Element) -> String {
    found.get_attribute("aria-label").or_else(|| found.text_content()).unwrap_or_default()
}

fn stage(part: &HtmlElement) -> Option<String> {
    part.query_selector("[data-stage]").ok().flatten().and_then(|at| at.get_attribute("data-stage"))
}

fn told(part: &HtmlElement) -> Option<String> {
    part.query_selector("[data-announces], .settings-said").ok().flatten().and_then(|at| at.text_content())
}
