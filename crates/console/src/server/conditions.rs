//! The conditions that the URLs of the queue and of the list of facts share.

use std::borrow::Cow;

use domain::facts::fact::FactKind;
use domain::facts::provenance::Origin;
use domain::memory::Importance;
use service::{FactFilter, TextFilter};

/// Prefix of every fact's id.
pub(crate) const ID_START: &str = "gf_";
/// Maximum length of a search in characters.
const Q_MAX_CHARS: usize = 200;

/// Names and values in the order of a query string.
pub(crate) type QueryPairs<'a> = Vec<(&'static str, Cow<'a, str>)>;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Conditions {
    pub q: String,
    pub kinds: Vec<FactKind>,
    pub origins: Vec<Origin>,
    /// Minimum importance, from 2.
    pub importance: Option<u8>,
}

impl Conditions {
    /// Reads one pair of a query string; an invalid value is ignored. Returns `false` if the name is none of these conditions.
    pub fn read(&mut self, name: &str, value: &str) -> bool {
        match name {
            "q" => self.q = value.trim().chars().take(Q_MAX_CHARS).collect(),
            "kind" => self.kinds.extend(FactKind::parse(value).ok().filter(|kind| !self.kinds.contains(kind))),
            "origin" => self.origins.extend(Origin::parse(value).ok().filter(|origin| !self.origins.contains(origin))),
            "min_importance" => self.importance = value.parse().ok().filter(|n| (2..=5).contains(n)),
            _ => return false,
        }
        true
    }

    /// Returns the typed conditions as pairs of a query string.
    pub fn typed(&self) -> QueryPairs<'_> {
        if self.q.is_empty() { Vec::new() } else { vec![("q", self.q.as_str().into())] }
    }

    /// Returns the chosen conditions as pairs of a query string.
    pub fn chosen(&self) -> QueryPairs<'_> {
        let kinds = self.kinds.iter().map(|kind| ("kind", kind.as_str().into()));
        let origins = self.origins.iter().map(|origin| ("origin", origin.as_str().into()));
        kinds.chain(origins).chain(self.importance.map(|n| ("min_importance", n.to_string().into()))).collect()
    }

    pub fn kind_words(&self, between: &str) -> Option<String> {
        joined(self.kinds.iter().map(|kind| kind.label()), between)
    }

    pub fn origin_words(&self, between: &str) -> Option<String> {
        joined(self.origins.iter().map(|origin| origin.label()), between)
    }

    /// Returns the filter for facts that meet all conditions.
    pub fn filter(&self) -> FactFilter {
        FactFilter {
            search: search(&self.q),
            kinds: self.kinds.clone(),
            origins: self.origins.clone(),
            min_importance: self.importance.and_then(|n| Importance::new(n.into()).ok()),
            ..FactFilter::default()
        }
    }
}

/// Returns the pairs of a query string.
pub(crate) fn pairs_of(query: &str) -> Vec<(String, String)> {
    serde_urlencoded::from_str(query.trim_start_matches('?')).unwrap_or_default()
}

pub(crate) fn known(names: &[&'static str], value: &str) -> Option<&'static str> {
    names.iter().copied().find(|name| *name == value)
}

fn joined<'a>(labels: impl Iterator<Item = &'a str>, between: &str) -> Option<String> {
    let labels: Vec<&str> = labels.collect();
    (!labels.is_empty()).then(|| labels.join(between))
}

/// Parses a search: words, or the start of an id.
fn search(q: &str) -> Option<TextFilter> {
    let search = if q.starts_with(ID_START) { TextFilter::Id(q.to_owned()) } else { TextFilter::Words(q.to_owned()) };
    Some(search).filter(|_| !q.is_empty())
}
