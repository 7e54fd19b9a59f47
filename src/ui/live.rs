//! The live channel of an open page: closed while the tab is hidden, joined again when it is looked at.

use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::wasm_bindgen::prelude::Closure;
use leptos::web_sys::{Event, EventSource, MessageEvent, VisibilityState};

use crate::domain::live::LiveEvent;

/// Silence after which the page says that it is trying, and after which it says that what is seen may be old.
const TRYING_AFTER: Duration = Duration::from_secs(3);
const LOST_AFTER: Duration = Duration::from_secs(30);

/// Is the page told what changes?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// Before the first word, or without script.
    Off,
    On,
    Trying,
    Lost,
}

/// What pages listen to.
#[derive(Clone, Copy)]
pub struct Live {
    pub channel: RwSignal<Channel>,
    /// The newest event.
    pub event: RwSignal<Option<LiveEvent>>,
    /// Rises when facts changed.
    pub facts: RwSignal<u64>,
    /// Rises when settings changed.
    pub settings: RwSignal<u64>,
    /// The open connection.
    source: StoredValue<Option<EventSource>, LocalStorage>,
}

impl Live {
    #[must_use]
    pub fn new() -> Self {
        Self {
            channel: RwSignal::new(Channel::Off),
            event: RwSignal::new(None),
            facts: RwSignal::new(0),
            settings: RwSignal::new(0),
            source: StoredValue::new_local(None),
        }
    }

    /// Listens for as long as the page is looked at. Browser only: call it in an effect.
    pub fn start(self) {
        self.connect(false);
        let seen = window_event_listener(ev::Custom::<Event>::new("visibilitychange"), move |_| {
            if document().visibility_state() == VisibilityState::Visible {
                self.connect(true);
            } else {
                self.close();
            }
        });
        on_cleanup(move || seen.remove());
    }

    /// Opens the channel, and looks again at everything if it was closed before.
    pub fn connect(self, again: bool) {
        self.close();
        let Ok(source) = EventSource::new("/events") else { return };
        let first = StoredValue::new(!again);
        let told = Closure::<dyn FnMut(MessageEvent)>::new(move |message: MessageEvent| {
            self.channel.set(Channel::On);
            let text = message.data().as_string().unwrap_or_default();
            if let Ok(event) = leptos::serde_json::from_str::<LiveEvent>(&text) {
                let hello = first.get_value();
                first.set_value(false);
                if !(hello && event == LiveEvent::Reload) {
                    self.hear(event);
                }
            }
        });
        source.set_onmessage(Some(told.as_ref().unchecked_ref()));
        told.forget();
        let failed = Closure::<dyn FnMut(Event)>::new(move |_: Event| {
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
        self.source.set_value(Some(source));
    }

    fn close(self) {
        self.source.update_value(|source| {
            if let Some(source) = source.take() {
                source.close();
            }
        });
    }

    fn hear(self, event: LiveEvent) {
        match &event {
            LiveEvent::Fact { .. } => self.facts.update(|n| *n += 1),
            LiveEvent::Settings => self.settings.update(|n| *n += 1),
            LiveEvent::Reload => {
                self.facts.update(|n| *n += 1);
                self.settings.update(|n| *n += 1);
            }
            LiveEvent::Queue { .. } => {}
        }
        self.event.set(Some(event));
    }
}

impl Default for Live {
    fn default() -> Self {
        Self::new()
    }
}
