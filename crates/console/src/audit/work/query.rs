//! The query string of the audit log: parsed, made canonical, and turned into links.

use crate::audit::shapes::LogFilters;
use crate::facts::shapes::Chip;
use crate::screens;
use crate::server::conditions::{QueryPairs, pairs_of};
use domain::audit::{Action, Group, When};
use domain::insight::days::{day_iso, day_words, read_day};
use domain::moment::{DAY_MS, Moment};
use service::audit::search::AuditQuery;

/// The path of the log.
const PATH: &str = screens::AUDIT.path;
/// Maximum length of a search in characters.
const Q_MAX_CHARS: usize = 200;
/// Maximum number of actors in one query.
const ACTORS_MAX: usize = 50;

/// The parsed query of the URL.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogAsked {
    q: String,
    groups: Vec<Group>,
    /// Actions in addition to those of the groups.
    actions: Vec<&'static str>,
    actors: Vec<String>,
    target: String,
    when: When,
    /// First and last day; they take precedence over `when`.
    from: Option<Moment>,
    to: Option<Moment>,
    pub before: Option<i64>,
    pub verify: bool,
}

impl LogAsked {
    /// Parses a query string; unknown parts are ignored.
    #[must_use]
    pub fn read(query: &str) -> Self {
        let mut asked = Self::default();
        for (name, value) in pairs_of(query) {
            let value = value.trim();
            let typed = || value.chars().take(Q_MAX_CHARS).collect::<String>();
            match name.as_str() {
                "q" => asked.q = typed(),
                "group" => asked.groups.extend(Group::parse(value).filter(|group| !asked.groups.contains(group))),
                "action" => {
                    let action = Action::find(value).map(|action| action.name);
                    asked.actions.extend(action.filter(|name| !asked.actions.contains(name)));
                }
                "operator" => {
                    let actor = Some(typed()).filter(|id| !id.is_empty() && !asked.actors.contains(id));
                    asked.actors.extend(actor.filter(|_| asked.actors.len() < ACTORS_MAX));
                }
                "target" => asked.target = typed(),
                "when" => asked.when = When::parse(value),
                "from" => asked.from = read_day(value),
                "to" => asked.to = read_day(value),
                "before" => asked.before = value.parse().ok().filter(|seq| *seq > 0),
                "verify" => asked.verify = true,
                _ => {}
            }
        }
        if asked.from.is_some() || asked.to.is_some() {
            asked.when = When::Any;
        }
        asked
    }

    /// Returns the query for the log; `when` is relative to `now`.
    #[must_use]
    pub fn query(&self, now: Moment) -> AuditQuery {
        let of_groups = self.groups.iter().flat_map(|group| group.actions());
        let mut actions: Vec<String> = of_groups.chain(self.actions.iter().copied()).map(str::to_owned).collect();
        actions.sort_unstable();
        actions.dedup();
        AuditQuery {
            text: self.q.clone(),
            actions,
            actors: self.actors.clone(),
            target: self.target.clone(),
            since: self.from.or_else(|| self.when.since(now)),
            until: self.to.map(|last| last.plus_ms(DAY_MS)),
        }
    }

    /// The canonical query string, without the page.
    #[must_use]
    pub fn canonical(&self) -> String {
        let mut pairs = QueryPairs::new();
        let typed = |name, text: &'_ str| (!text.is_empty()).then(|| (name, text.to_owned().into()));
        pairs.extend(typed("q", &self.q));
        pairs.extend(self.groups.iter().map(|group| ("group", group.as_str().into())));
        pairs.extend(self.actions.iter().map(|action| ("action", (*action).into())));
        pairs.extend(self.actors.iter().map(|actor| ("operator", actor.as_str().into())));
        pairs.extend(typed("target", &self.target));
        pairs.extend(typed("when", self.when.as_str()));
        pairs.extend(self.from.map(|day| ("from", day_iso(day).into())));
        pairs.extend(self.to.map(|day| ("to", day_iso(day).into())));
        serde_urlencoded::to_string(pairs).unwrap_or_default()
    }

    /// Returns the link to this list, with `more` at the end of its query.
    #[must_use]
    pub fn link(&self, more: &str) -> String {
        let query = self.canonical();
        let parts: Vec<&str> = [query.as_str(), more].into_iter().filter(|part| !part.is_empty()).collect();
        if parts.is_empty() { PATH.to_owned() } else { format!("{PATH}?{}", parts.join("&")) }
    }

    /// Returns the filters as the page shows them. `actors`: id and name of each actor that can be chosen.
    #[must_use]
    pub fn shown(&self, actors: &[(String, String)]) -> LogFilters {
        let chips = self.chips(actors);
        LogFilters {
            clear: (!chips.is_empty() || !self.q.is_empty()).then(|| PATH.to_owned()),
            chips,
            query: self.canonical(),
            q: self.q.clone(),
            groups: self.groups.clone(),
            actions: self.actions.iter().map(|action| (*action).to_owned()).collect(),
            operators: self.actors.clone(),
            when: self.when.as_str().to_owned(),
            from: self.from.map(day_iso).unwrap_or_default(),
            to: self.to.map(day_iso).unwrap_or_default(),
            target: self.target.clone(),
        }
    }

    fn chips(&self, actors: &[(String, String)]) -> Vec<Chip> {
        let mut chips = Vec::new();
        let mut chip = |field: &str, words: String, without: Self| {
            chips.push(Chip { field: field.to_owned(), words, without: Self { before: None, ..without }.link("") });
        };
        let called = |id: &String| actors.iter().find(|(actor, _)| actor == id).map_or(id.as_str(), |(_, name)| name).to_owned();
        let groups = self.groups.iter().map(|group| group.label().to_owned());
        let actions = self.actions.iter().filter_map(|name| Action::find(name)).map(|action| action.words.to_owned());
        let what: Vec<String> = groups.chain(actions).collect();
        if !what.is_empty() {
            chip("group", what.join(", "), Self { groups: Vec::new(), actions: Vec::new(), ..self.clone() });
        }
        if !self.actors.is_empty() {
            let names: Vec<String> = self.actors.iter().map(called).collect();
            chip("operator", names.join(", "), Self { actors: Vec::new(), ..self.clone() });
        }
        let period = match (self.from, self.to) {
            (Some(from), Some(to)) if from == to => Some(day_words(from)),
            (Some(from), Some(to)) => Some(format!("{} to {}", day_words(from), day_words(to))),
            (Some(from), None) => Some(format!("From {}", day_words(from))),
            (None, Some(to)) => Some(format!("Until {}", day_words(to))),
            (None, None) => Some(self.when).filter(|when| *when != When::Any).map(|when| when.label().to_owned()),
        };
        if let Some(words) = period {
            chip("when", words, Self { when: When::Any, from: None, to: None, ..self.clone() });
        }
        if !self.target.is_empty() {
            chip("target", self.target.clone(), Self { target: String::new(), ..self.clone() });
        }
        chips
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_string_is_read_and_made_canonical() {
        crate::server::is_made_canonical(
            |query| LogAsked::read(query).canonical(),
            &[
                ("", ""),
                ("?before=7&verify=1&when=whenever&group=poems&action=poem.written&from=yesterday", ""),
                (
                    "operator=op_2&operator=op_1&operator=op_2&group=facts&group=erasures&q=+SUP+1+",
                    "q=SUP+1&group=facts&group=erasures&operator=op_2&operator=op_1",
                ),
                ("when=today&from=2026-11-01&to=2026-11-20", "from=2026-11-01&to=2026-11-20"),
                ("action=fact.approved&target=gf_1&when=7d", "action=fact.approved&target=gf_1&when=7d"),
            ],
        );
    }

    #[test]
    fn groups_and_actions_are_joined_and_the_last_day_is_whole() {
        let now = Moment(30 * DAY_MS);
        let asked = LogAsked::read("group=settings&action=fact.approved&from=1970-01-02&to=1970-01-03").query(now);
        assert_eq!(asked.actions, ["fact.approved", "setting.changed"]);
        assert_eq!((asked.since, asked.until), (Some(Moment(DAY_MS)), Some(Moment(3 * DAY_MS))));
        assert_eq!(LogAsked::read("when=today").query(now).since, Some(now));
    }

    #[test]
    fn a_chip_names_several_and_leads_to_the_list_without_it() {
        let actors = [("op_1".to_owned(), "Priya Raman".to_owned())];
        let asked =
            LogAsked::read("group=facts&action=user.opened&operator=op_1&operator=op_9&from=2026-11-01&to=2026-11-20&before=9");
        let chips: Vec<_> = asked.shown(&actors).chips.into_iter().map(|chip| (chip.words, chip.without)).collect();
        let wanted = [
            ("Team facts, Opened a user record", "/audit?operator=op_1&operator=op_9&from=2026-11-01&to=2026-11-20"),
            ("Priya Raman, op_9", "/audit?group=facts&action=user.opened&from=2026-11-01&to=2026-11-20"),
            ("1 Nov 2026 to 20 Nov 2026", "/audit?group=facts&action=user.opened&operator=op_1&operator=op_9"),
        ];
        assert_eq!(chips, wanted.map(|(words, link)| (words.to_owned(), link.to_owned())));
        assert_eq!(asked.link("before=4"), format!("/audit?{}&before=4", asked.canonical()));
        assert_eq!(LogAsked::read("verify=1").shown(&actors).clear, None);
    }
}
