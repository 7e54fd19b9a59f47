//! Keyboard shortcuts of the queue: single letters, only outside of text input, and only if the operator has turned them on.

use leptos::ev;
use leptos::prelude::*;

use crate::document::close_menus;
use crate::parts::focus::{focus, focused, follow, in_dialog, typing};
use crate::review::view::board::Board;
use domain::access::rights::Right;
use domain::facts::decision::Verb;
use domain::facts::rejection::Reason;
use domain::memory::Importance;

/// Listens while the list is shown.
pub fn listen(board: Board) {
    Effect::new(move || {
        let listening = window_event_listener(ev::keydown, move |ev| pressed(board, &ev));
        on_cleanup(move || listening.remove());
    });
}

fn pressed(board: Board, ev: &ev::KeyboardEvent) {
    let key = ev.key();
    let in_list = focused().is_some_and(|id| id.starts_with("row-"));
    if (ev.ctrl_key() || ev.meta_key()) && key == "a" && in_list {
        if board.selected.with_untracked(std::collections::BTreeSet::len) >= board.open_rows().len() {
            board.all.set(true);
        }
        board.select_page();
        ev.prevent_default();
        return;
    }
    if key == "Escape" {
        board.console.asks_why.set(false);
        if !ev.default_prevented() && !in_dialog() && close_layer(board) {
            ev.prevent_default();
        }
        return;
    }
    if board.console.asks_why.get_untracked()
        && !ev.default_prevented()
        && !typing()
        && !ev.ctrl_key()
        && !ev.meta_key()
        && !ev.alt_key()
    {
        let canned = key.parse::<usize>().ok().and_then(|n| Reason::CANNED.get(n.wrapping_sub(1)).copied());
        if canned.is_some() {
            ev.prevent_default();
            board.console.said_why.set(canned);
            return;
        }
        // Any other letter is a command for the list again, so the question is closed.
        if key.chars().count() == 1 && key != " " {
            board.console.asks_why.set(false);
            close_menus(None);
        }
    }
    if ev.ctrl_key()
        || ev.meta_key()
        || ev.alt_key()
        || typing()
        || ev.default_prevented()
        || ev.repeat() && !key.starts_with(['j', 'k', 'A'])
        || in_dialog()
    {
        return;
    }
    let single = board.console.single_keys.get_untracked();
    let moved = match key.as_str() {
        "ArrowDown" => step(board, 1, ev.shift_key()),
        "ArrowUp" => step(board, -1, ev.shift_key()),
        "Home" if in_list => edge(board, true),
        "End" if in_list => edge(board, false),
        "Enter" if in_list => open(board),
        " " if in_list => choose(board),
        "j" | "J" if single => step(board, 1, ev.shift_key()),
        "k" | "K" if single => step(board, -1, ev.shift_key()),
        "o" if single => open(board),
        "x" if single => choose(board),
        "i" if single => {
            board.inspecting.set(true);
            focus("inspector");
            true
        }
        _ if single && board.console.may_now(Right::Review) => decision(board, &key),
        _ => false,
    };
    if moved {
        ev.prevent_default();
    }
}

/// Closes what lies on top: a menu, a question, the inspector, then the selection. One at a time.
fn close_layer(board: Board) -> bool {
    if close_menus(None) {
        return true;
    }
    if board.asking.with_untracked(Option::is_some) {
        board.put_aside();
        return true;
    }
    let inside = focused().as_deref() == Some("inspector");
    if board.inspecting.get_untracked() || inside {
        board.inspecting.set(false);
        if let Some(id) = board.current.get_untracked() {
            board.go_to(id);
        }
        return true;
    }
    let chosen = board.all.get_untracked() || !board.selected.with_untracked(std::collections::BTreeSet::is_empty);
    if chosen && !typing() {
        board.clear();
        return true;
    }
    false
}

/// Keys that change something.
fn decision(board: Board, key: &str) -> bool {
    let verb = match key {
        "a" => Verb::Approve,
        "r" => Verb::Reject,
        "w" => return board.ask_why(),
        "e" => {
            board.editing.set(board.current.get_untracked());
            return true;
        }
        digit => match digit.parse().ok().and_then(|n: i64| Importance::new(n).ok()) {
            Some(importance) => Verb::Importance(importance),
            None => return false,
        },
    };
    if board.all.get_untracked() || !board.selected.with_untracked(std::collections::BTreeSet::is_empty) {
        board.bulk(verb);
    } else if let Some(id) = board.current.get_untracked() {
        board.decide(&id, verb);
    }
    true
}

fn step(board: Board, by: isize, select: bool) -> bool {
    let rows = board.open_rows();
    let place = board.current.get_untracked().and_then(|id| rows.iter().position(|row| row.id == id));
    let next = match place {
        Some(place) => place.checked_add_signed(by).filter(|next| *next < rows.len()).or(Some(place)),
        None => Some(0),
    };
    let Some(row) = next.and_then(|place| rows.get(place)) else { return true };
    if select {
        for id in [board.current.get_untracked(), Some(row.id.clone())].into_iter().flatten() {
            board.selected.update(|selected| {
                selected.insert(id);
            });
        }
    }
    board.go_to(row.id.clone());
    true
}

fn edge(board: Board, first: bool) -> bool {
    let rows = board.open_rows();
    if let Some(row) = if first { rows.first() } else { rows.last() } {
        board.go_to(row.id.clone());
    }
    true
}

fn choose(board: Board) -> bool {
    if let Some(id) = board.current.get_untracked() {
        board.toggle(&id);
    }
    true
}

fn open(board: Board) -> bool {
    if board.current.with_untracked(Option::is_some) {
        follow(".row.current .row-text");
    }
    true
}
