//! The live channel of an open page: closed while the tab is hidden, and opened again when it is visible.

use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::prelude::Closure;
use leptos::wasm_bindgen::{JsCast, JsValue};
use leptos::web_sys::js_sys::{Function, Promise, Reflect};
use leptos::web_sys::{BroadcastChannel, Event, EventSource, MessageEvent, VisibilityState};

use domain::insight::live::LiveEvent;

/// Name of the broadcast channel by which the pages of one browser find each other.
const CHANNEL: &str = "keepsake-live";
/// Silence after which the page says that it is reconnecting, and after which it warns that it may be out of date.
const TRYING_AFTER: Duration = Duration::from_secs(3);
const LOST_AFTER: Duration = Duration::from_secs(30);

/// Whether the page receives live updates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// Before the first message, or without script.
    Off,
    On,
    Trying,
    Lost,
}

/// Live updates that pages listen to.
#[derive(Clone, Copy)]
pub struct LiveSignals {
    pub channel: RwSignal<Channel>,
    /// The newest event.
    pub event: RwSignal<Option<LiveEvent>>,
    /// Incremented when facts change.
    pub facts: RwSignal<u64>,
    /// Incremented when settings change.
    pub settings: RwSignal<u64>,
    /// Incremented when an erasure makes progress.
    pub erasures: RwSignal<u64>,
    /// Incremented when keys change, and with the first call of each.
    pub keys: RwSignal<u64>,
    /// Incremented when the server refuses the connection, as it does once the session ended.
    pub refused: RwSignal<u64>,
    /// Created only in the browser. The server may drop a page on another thread than it was created on, which thread-local
    /// values do not survive.
    held: StoredValue<Option<Browser>>,
    /// Incremented with every join and leave, so that a lock granted too late is released.
    turn: StoredValue<u64>,
}

/// Browser objects of a listening page.
#[derive(Clone, Copy)]
struct Browser {
    /// The connection to the server, if this page has it.
    source: StoredValue<Option<EventSource>, LocalStorage>,
    /// The channel to the other listening pages of this browser.
    others: StoredValue<Option<BroadcastChannel>, LocalStorage>,
    /// Releases the lock on the connection.
    release: StoredValue<Option<Function>, LocalStorage>,
}

impl Browser {
    fn new() -> Self {
        Self { source: StoredValue::new_local(None), others: StoredValue::new_local(None), release: StoredValue::new_local(None) }
    }
}

impl LiveSignals {
    #[must_use]
    pub fn new() -> Self {
        Self {
            channel: RwSignal::new(Channel::Off),
            event: RwSignal::new(None),
            facts: RwSignal::new(0),
            settings: RwSignal::new(0),
            erasures: RwSignal::new(0),
            keys: RwSignal::new(0),
            refused: RwSignal::new(0),
            held: StoredValue::new(None),
            turn: StoredValue::new(0),
        }
    }

    /// Listens while the page is visible. Browser only: call it in an effect.
    pub fn start(self) {
        self.held.set_value(Some(Browser::new()));
        self.join(false);
        let seen = window_event_listener(ev::Custom::<Event>::new("visibilitychange"), move |_| {
            if document().visibility_state() == VisibilityState::Visible {
                self.join(true);
            } else {
                self.part();
            }
        });
        on_cleanup(move || seen.remove());
    }

    /// Joins the listening pages of this browser; with `again`, reloads everything after an absence. A browser opens only a few
    /// connections to one server, so one page holds the connection and forwards its messages to the others.
    pub fn join(self, again: bool) {
        self.part();
        let Some(held) = self.held.get_value() else { return };
        let Ok(others) = BroadcastChannel::new(CHANNEL) else { return };
        let told = Closure::<dyn FnMut(MessageEvent)>::new(move |message: MessageEvent| self.listen(&message));
        others.set_onmessage(Some(told.as_ref().unchecked_ref()));
        told.forget();
        held.others.set_value(Some(others));
        if again {
            self.hear(LiveEvent::Reload);
        }
        // Another page may already hold the connection; it then forwards messages to this one.
        self.channel.set(Channel::On);
        let turn = self.turn.get_value();
        let holding = Closure::once_into_js(move || {
            Promise::new(&mut |done, _| {
                if self.turn.try_get_value() == Some(turn) {
                    held.release.set_value(Some(done));
                    self.connect();
                } else {
                    let _ = done.call0(&JsValue::NULL);
                }
            })
        });
        let locks = Reflect::get(&window().navigator(), &"locks".into()).unwrap_or(JsValue::UNDEFINED);
        let request = Reflect::get(&locks, &"request".into()).ok().and_then(|request| request.dyn_into::<Function>().ok());
        match request {
            Some(request) => drop(request.call2(&locks, &CHANNEL.into(), &holding)),
            // An insecure origin has no locks, so every page has its own connection.
            None => self.connect(),
        }
    }

    /// Opens the connection to the server.
    fn connect(self) {
        let Some(held) = self.held.get_value() else { return };
        let Ok(source) = EventSource::new("/events") else { return };
        let first = StoredValue::new(true);
        let told = Closure::<dyn FnMut(MessageEvent)>::new(move |message: MessageEvent| {
            self.channel.set(Channel::On);
            // The first message is only a greeting.
            if first.get_value() {
                first.set_value(false);
                return;
            }
            held.others.with_value(|others| {
                if let Some(others) = others {
                    let _ = others.post_message(&message.data());
                }
            });
            self.listen(&message);
        });
        source.set_onmessage(Some(told.as_ref().unchecked_ref()));
        told.forget();
        let connection = source.clone();
        let failed = Closure::<dyn FnMut(Event)>::new(move |_: Event| {
            // A lost connection is tried again; a refused one is closed.
            if connection.ready_state() == EventSource::CLOSED {
                self.refused.update(|n| *n += 1);
            }
            let silent = move || matches!(self.channel.get_untracked(), Channel::Off | Channel::Trying);
            if self.channel.get_untracked() == Channel::On {
                self.channel.set(Channel::Off);
                set_timeout(
                    move || {
                        if silent() {
                            self.channel.set(Channel::Trying)
                        }
                    },
                    TRYING_AFTER,
                );
                set_timeout(
                    move || {
                        if silent() {
                            self.channel.set(Channel::Lost)
                        }
                    },
                    LOST_AFTER,
                );
            }
        });
        source.set_onerror(Some(failed.as_ref().unchecked_ref()));
        failed.forget();
        held.source.set_value(Some(source));
    }

    /// Leaves, and lets another page take the connection.
    fn part(self) {
        self.turn.update_value(|turn| *turn += 1);
        let Some(held) = self.held.try_get_value().flatten() else { return };
        if let Some(source) = held.source.try_update_value(Option::take).flatten() {
            source.close();
        }
        if let Some(others) = held.others.try_update_value(Option::take).flatten() {
            others.close();
        }
        if let Some(done) = held.release.try_update_value(Option::take).flatten() {
            let _ = done.call0(&JsValue::NULL);
        }
    }

    fn listen(self, message: &MessageEvent) {
        let text = message.data().as_string().unwrap_or_default();
        if let Ok(event) = leptos::serde_json::from_str::<LiveEvent>(&text) {
            self.hear(event);
        }
    }

    fn hear(self, event: LiveEvent) {
        match &event {
            LiveEvent::Fact { .. } => self.facts.update(|n| *n += 1),
            LiveEvent::Settings => self.settings.update(|n| *n += 1),
            LiveEvent::Keys => self.keys.update(|n| *n += 1),
            LiveEvent::Reload => {
                self.facts.update(|n| *n += 1);
                self.settings.update(|n| *n += 1);
                self.erasures.update(|n| *n += 1);
                self.keys.update(|n| *n += 1);
            }
            LiveEvent::Erasure { .. } => self.erasures.update(|n| *n += 1),
            LiveEvent::Queue { .. } => {}
        }
        self.event.set(Some(event));
    }
}

impl Default for LiveSignals {
    fn default() -> Self {
        Self::new()
    }
}
