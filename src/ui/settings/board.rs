//! The settings while they are worked on: what is saved, what is typed, and what became of the last save.

use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::calls::settings::{
    ApplySettings, Change, Proposed, Reviewed, Row, SettingsPage, Tuned, Wanted, apply_settings, list_settings, review_settings,
};
use crate::calls::{Notice, Refused};
use crate::domain::problem::Problem;
use crate::domain::settings::{Section, Spec};
use crate::ui::live::Live;
use crate::ui::parts::last::Done;
use crate::ui::shell::Desk;

/// How long typing rests before its effect is asked for.
const RESTS: Duration = Duration::from_millis(250);

/// A value that is not saved.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    pub key: String,
    pub text: String,
    /// The version that it was begun from.
    pub seen: i64,
}

#[derive(Clone, Copy)]
pub struct Board {
    pub desk: Desk,
    pub rows: RwSignal<Vec<Row>>,
    pub drafts: RwSignal<Vec<Draft>>,
    /// Keys of switches on their way.
    pub busy: RwSignal<Vec<String>>,
    /// The switch that could not be changed, and why.
    pub failed: RwSignal<Option<(String, Problem)>>,
    /// Keys that somebody else changed while the page was open.
    pub news: RwSignal<Vec<String>>,
    /// What the drafts would do.
    pub effects: RwSignal<Vec<Proposed>>,
    /// What the dialog shows, while it is open.
    pub asking: RwSignal<Option<Reviewed>>,
    /// Forms that are posted whole: undo, and switches without script.
    pub posts: ServerAction<ApplySettings>,
    /// Counts the questions for effects, so that a late answer is not shown.
    asked: StoredValue<u64>,
}

impl Board {
    pub fn new(page: &SettingsPage) -> Self {
        let desk = expect_context::<Desk>();
        let board = Self {
            desk,
            rows: RwSignal::new(page.rows.clone()),
            drafts: RwSignal::new(Vec::new()),
            busy: RwSignal::new(Vec::new()),
            failed: RwSignal::new(None),
            news: RwSignal::new(Vec::new()),
            effects: RwSignal::new(Vec::new()),
            asking: RwSignal::new(None),
            posts: ServerAction::new(),
            asked: StoredValue::new(0),
        };
        Effect::new(move || {
            if let Some(outcome) = board.posts.value().get() {
                board.settled(None, outcome);
            }
        });
        // What others change while the page is open goes into the cards as it comes.
        if let Some(live) = use_context::<Live>() {
            Effect::new(move |before: Option<u64>| {
                let now = live.settings.get();
                if before.is_some_and(|before| before != now) {
                    board.read_again();
                }
                now
            });
        }
        board
    }

    /// The newest settings: what was not touched follows, what was typed stays.
    pub fn take(self, page: SettingsPage) {
        let old = self.rows.get_untracked();
        let news = page.rows.iter().filter(|row| {
            let before = old.iter().find(|old| old.key == row.key);
            before.is_some_and(|old| old.version < row.version) && row.last.as_ref().is_some_and(|last| !last.own)
        });
        let news: Vec<String> = news.map(|row| row.key.clone()).collect();
        self.news.update(|known| known.extend(news));
        self.desk.may_edit.set(page.may_edit);
        self.rows.set(page.rows);
        self.drop_idle();
    }

    pub fn row(self, key: &str) -> Row {
        let found = self.rows.with(|rows| rows.iter().find(|row| row.key == key).cloned());
        found.unwrap_or_else(|| Row { key: key.to_owned(), value: String::new(), version: 0, last: None })
    }

    /// What the control shows: the draft, else what is saved.
    pub fn text(self, key: &str) -> String {
        let draft = self.drafts.with(|drafts| drafts.iter().find(|draft| draft.key == key).map(|draft| draft.text.clone()));
        draft.unwrap_or_else(|| self.row(key).value)
    }

    pub fn write(self, key: &str, text: String) {
        let version = untrack(|| self.row(key).version);
        self.drafts.update(|drafts| match drafts.iter_mut().find(|draft| draft.key == key) {
            Some(draft) => draft.text = text,
            None => drafts.push(Draft { key: key.to_owned(), text, seen: version }),
        });
        self.drop_idle();
        self.look();
    }

    pub fn discard(self, section: Section) {
        self.drafts.update(|drafts| drafts.retain(|draft| !within(&draft.key, section)));
        self.look();
    }

    /// Drafts of one section.
    pub fn drafts_in(self, section: Section) -> Vec<Draft> {
        self.drafts.with(|drafts| drafts.iter().filter(|draft| within(&draft.key, section)).cloned().collect())
    }

    /// A draft that somebody else overtook.
    pub fn conflict(self, section: Section) -> Option<(Draft, Row)> {
        self.drafts_in(section).into_iter().find_map(|draft| {
            let row = self.row(&draft.key);
            (row.version != draft.seen).then_some((draft, row))
        })
    }

    /// Takes the saved value in place of the draft.
    pub fn use_theirs(self, key: &str) {
        self.drafts.update(|drafts| drafts.retain(|draft| draft.key != key));
        self.look();
    }

    /// Goes on with the draft, knowing what is saved now.
    pub fn keep_mine(self, key: &str) {
        let version = untrack(|| self.row(key).version);
        self.drafts.update(|drafts| drafts.iter_mut().filter(|draft| draft.key == key).for_each(|draft| draft.seen = version));
        self.look();
    }

    pub fn effect(self, key: &str) -> Option<String> {
        self.effects.with(|effects| effects.iter().find(|proposed| proposed.key == key)?.effect.clone())
    }

    /// What must be asked about a draft that is no value.
    pub fn wrong(self, key: &str) -> Option<String> {
        let spec = Spec::find(key).ok()?;
        let text = self.drafts.with(|drafts| drafts.iter().find(|draft| draft.key == key).map(|draft| draft.text.clone()))?;
        spec.read(&text).is_none().then(|| spec.asks())
    }

    /// Turns a switch.
    pub fn flip(self, key: &'static str) {
        let row = untrack(|| self.row(key));
        let value = if row.value == "on" { "off" } else { "on" }.to_owned();
        let change = Change { key: row.key, value, version: row.version };
        self.failed.set(None);
        self.busy.update(|busy| busy.push(key.to_owned()));
        spawn_local(async move {
            let outcome = apply_settings(vec![change], false, false).await;
            self.busy.update(|busy| busy.retain(|other| other != key));
            self.settled(Some(key), outcome);
        });
    }

    /// Opens the dialog over what a section would change, or over one value.
    pub fn ask(self, wanted: Vec<Wanted>) {
        spawn_local(async move {
            match review_settings(wanted).await {
                Ok(reviewed) if reviewed.proposals.iter().any(|proposed| proposed.overtaken.is_some()) => self.read_again(),
                Ok(reviewed) if reviewed.proposals.is_empty() => self.read_again(),
                Ok(reviewed) => self.asking.set(Some(reviewed)),
                Err(Refused(problem)) => self.lost(None, problem),
            }
        });
    }

    /// What a save came to.
    pub fn settled(self, key: Option<&'static str>, outcome: Result<Notice, Refused>) {
        match outcome {
            Ok(notice) => {
                if let Notice::Tuned { changes, .. } = &notice {
                    self.rows.update(|rows| changes.iter().for_each(|change| saved(rows, change)));
                    self.drafts.update(|drafts| drafts.retain(|draft| changes.iter().all(|change| change.key != draft.key)));
                    self.news.update(|news| news.retain(|key| changes.iter().all(|change| change.key != *key)));
                }
                self.failed.set(None);
                self.desk.leftover.set(None);
                self.desk.done.set(Some(Done { notice, text: None }));
                self.asking.set(None);
                self.look();
            }
            Err(Refused(problem)) => self.lost(key, problem),
        }
    }

    fn lost(self, key: Option<&'static str>, problem: Problem) {
        if problem == Problem::ViewOnly {
            self.desk.may_edit.set(false);
        }
        self.asking.set(None);
        match key {
            Some(key) => self.failed.set(Some((key.to_owned(), problem))),
            None => self.desk.leftover.set((!matches!(problem, Problem::SettingChanged { .. })).then_some((problem, None))),
        }
        self.read_again();
    }

    /// Reads the settings again, as after a change elsewhere.
    pub fn read_again(self) {
        spawn_local(async move {
            if let Ok(page) = list_settings().await {
                self.take(page);
            }
        });
    }

    /// Drafts that say what is saved are none.
    fn drop_idle(self) {
        let rows = self.rows.get_untracked();
        self.drafts.update(|drafts| {
            drafts.retain(|draft| {
                rows.iter().find(|row| row.key == draft.key).is_none_or(|row| !same(&row.key, &row.value, &draft.text))
            });
        });
    }

    /// Asks what the drafts would do, once typing rests.
    fn look(self) {
        let turn = self.asked.with_value(|turn| turn + 1);
        self.asked.set_value(turn);
        let latest = move || self.asked.try_with_value(|asked| *asked) == Some(turn);
        let drafts = self.drafts.get_untracked();
        if drafts.is_empty() {
            self.effects.set(Vec::new());
            return;
        }
        set_timeout(
            move || {
                if !latest() {
                    return;
                }
                let wanted = drafts.into_iter().map(|draft| Wanted { key: draft.key, text: draft.text, seen: None }).collect();
                spawn_local(async move {
                    if let Ok(reviewed) = review_settings(wanted).await
                        && latest()
                    {
                        self.effects.set(reviewed.proposals);
                    }
                });
            },
            RESTS,
        );
    }
}

fn saved(rows: &mut [Row], change: &Tuned) {
    if let Some(row) = rows.iter_mut().find(|row| row.key == change.key) {
        row.value.clone_from(&change.to);
        row.version = change.version;
    }
}

pub fn within(key: &str, section: Section) -> bool {
    Spec::find(key).is_ok_and(|spec| spec.section == section)
}

/// Do two texts say the same value?
fn same(key: &str, a: &str, b: &str) -> bool {
    let Ok(spec) = Spec::find(key) else { return false };
    let read = |text: &str| spec.read(text).map(crate::domain::settings::Value::form);
    read(b).is_some() && read(a) == read(b)
}

/// A value as people read it.
pub fn words(key: &str, form: &str) -> String {
    let value = Spec::find(key).ok().and_then(|spec| spec.read(form));
    value.map_or_else(|| form.to_owned(), crate::domain::settings::Value::words)
}
