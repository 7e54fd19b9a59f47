//! The query in the URL of the review queue, and the filter that it means.

use crate::server::SignedIn;
use crate::server::conditions::{Conditions, QueryPairs, known, pairs_of};
use crate::server::paging::{ListPages, Paging};
use domain::facts::fact::FactStatus;
use service::{FactFilter, FactOrder, SortKey, Sources};

pub(crate) const PAGES: ListPages = ListPages { path: "/review", usual: 50, others: &[10, 25, 100] };

/// Names and query strings of the built-in views.
pub(crate) const BUILT_IN: [(&str, &str); 5] = [
    ("All pending", ""),
    ("Single-source", "sources=single"),
    ("One short of promotion", "sources=one-short"),
    ("Contradictions", "flag=contradiction"),
    ("From teammates", "origin=user"),
];

/// Sort orders of the queue: name in the URL, label, meaning. The first is the default.
pub(crate) const ORDERS: [(&str, FactOrder); 4] = [
    ("oldest", FactOrder::OLDEST),
    ("newest", FactOrder::NEWEST),
    ("contributors", FactOrder::by(SortKey::Contributors, true)),
    ("importance", FactOrder::by(SortKey::Importance, true)),
];

/// The query in the URL of the queue.
#[derive(Debug, Clone, Default)]
pub(crate) struct QueueQuery {
    pub(super) conditions: Conditions,
    pub(super) sources: Option<&'static str>,
    pub(super) flag: Option<&'static str>,
    pub(super) order: Option<&'static str>,
    pub(super) mine: bool,
    pub(super) paging: Paging,
}

impl QueueQuery {
    /// Parses a query string; unknown parts are ignored.
    pub(crate) fn read(query: &str) -> Self {
        let mut asked = Self::default();
        for (name, value) in pairs_of(query) {
            match name.as_str() {
                name if asked.conditions.read(name, &value) || asked.paging.read(&PAGES, name, &value) => {}
                "sources" => asked.sources = known(&["single", "multi", "one-short"], &value),
                "flag" => asked.flag = known(&["contradiction", "resubmitted"], &value),
                "sort" => asked.order = ORDERS.iter().skip(1).map(|(name, _)| *name).find(|name| *name == value),
                "view" => asked.mine = value == "mine",
                _ => {}
            }
        }
        asked
    }

    /// The canonical query string, without paging.
    pub(super) fn query(&self) -> String {
        let mut pairs = QueryPairs::new();
        if self.mine {
            pairs.extend([("view", "mine".into()), ("when", "today".into())]);
        }
        pairs.extend(self.conditions.typed());
        pairs.extend(self.sources.map(|value| ("sources", value.into())));
        pairs.extend(self.flag.map(|value| ("flag", value.into())));
        pairs.extend(self.conditions.chosen());
        pairs.extend(self.order.map(|value| ("sort", value.into())));
        pairs.extend(self.paging.chosen());
        serde_urlencoded::to_string(pairs).unwrap_or_default()
    }

    /// The filters in words.
    pub(super) fn words(&self) -> Option<String> {
        let mut words = Vec::new();
        let all = &self.conditions;
        if !all.q.is_empty() {
            words.push(format!("text “{}”", all.q));
        }
        words.extend(self.sources.map(|sources| match sources {
            "single" => "single-source only".to_owned(),
            "multi" => "more than one contributor".to_owned(),
            _ => "one short of promotion".to_owned(),
        }));
        words.extend(
            self.flag
                .map(|flag| if flag == "contradiction" { "contradictions" } else { "proposed again since rejected" }.to_owned()),
        );
        words.extend(all.kind_words(" or ").map(|kinds| format!("kind {kinds}")));
        words.extend(all.origin_words(" or ").map(|origins| format!("origin {origins}")));
        words.extend(all.importance.map(|n| format!("importance {n} or more")));
        (!words.is_empty()).then(|| words.join(", "))
    }
}

pub(crate) fn queue_filter(operator: &SignedIn, asked: &QueueQuery) -> FactFilter {
    let keepsake = &operator.console.keepsake;
    let resubmitted = asked.flag == Some("resubmitted");
    let one_short = keepsake.settings.current().promote_contributors.map_or(u32::MAX, |needed| needed.saturating_sub(1));
    FactFilter {
        status: (!resubmitted && !asked.mine).then_some(FactStatus::Pending),
        sources: asked.sources.map(|sources| match sources {
            "single" => Sources::Single,
            "multi" => Sources::Multi,
            _ => Sources::Exactly(one_short),
        }),
        contradicted: (asked.flag == Some("contradiction")).then_some(true),
        resubmitted,
        decided: asked.mine.then(|| (operator.viewer.id().to_owned(), keepsake.clock.today())),
        order: ORDERS.iter().find(|(name, _)| Some(*name) == asked.order).map_or(FactOrder::OLDEST, |(_, order)| *order),
        ..asked.conditions.filter()
    }
}
