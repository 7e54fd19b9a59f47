//! The query string of the list of facts: parsed, made canonical, and turned into links.

use crate::facts::shapes::{Chip, FactFilters, SortColumn};
use crate::notice::PageSpan;
use crate::server::conditions::{Conditions, ID_START, QueryPairs, known, pairs_of};
use crate::server::paging::{ListPages, Paging};
use domain::facts::fact::FactStatus;
use domain::facts::rejection::Reason;
use service::{ConfidenceRange, FactFilter, FactOrder, Keepsake, SortKey};

const PAGES: ListPages = ListPages { path: "/manage/facts", usual: 10, others: &[25, 50, 100] };
/// Statuses that have a tab; the first is the default.
const STATES: [&str; 3] = ["approved", "rejected", "all"];
/// Names of sort orders; a leading `-` reverses one. The first is the default.
const ORDERS: [&str; 6] = ["confidence", "newest", "oldest", "contributors", "recalls", "importance"];
/// Sortable columns: label and the name of the order.
const COLUMNS: [(&str, &str); 4] =
    [("Contributors", "contributors"), ("Confidence", "confidence"), ("Importance", "importance"), ("Recalls", "recalls")];

/// The parsed query of the URL.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListQuery {
    conditions: Conditions,
    status: Option<&'static str>,
    conf: Option<&'static str>,
    contradiction: bool,
    reasons: Vec<Reason>,
    /// Name, and whether it is reversed.
    order: Option<(&'static str, bool)>,
    paging: Paging,
}

impl ListQuery {
    /// Parses a query string; unknown parts are ignored.
    #[must_use]
    pub fn read(query: &str) -> Self {
        let mut asked = Self::default();
        for (name, value) in pairs_of(query) {
            match name.as_str() {
                name if asked.conditions.read(name, &value) || asked.paging.read(&PAGES, name, &value) => {}
                "status" => asked.status = known(&STATES[1..], &value),
                "conf" => asked.conf = known(&["low", "ok"], &value),
                "reason" => asked.reasons.extend(Reason::known(&value).filter(|reason| !asked.reasons.contains(reason))),
                "flag" => asked.contradiction = value == "contradiction",
                "sort" => {
                    let (name, turned) = value.strip_prefix('-').map_or((value.as_str(), false), |name| (name, true));
                    asked.order = known(&ORDERS, name).map(|name| (name, turned)).filter(|order| *order != (ORDERS[0], false));
                }
                _ => {}
            }
        }
        asked
    }

    /// Returns the filter of the list, with the current recall floor and time.
    #[must_use]
    pub fn filter(&self, keepsake: &Keepsake) -> FactFilter {
        let (floor, at) = (keepsake.settings.current().recall_min_confidence, keepsake.clock.now());
        let range = |conf: &str| match conf {
            "low" => ConfidenceRange { from: f64::NEG_INFINITY, below: floor, at },
            _ => ConfidenceRange { from: floor, below: f64::INFINITY, at },
        };
        FactFilter {
            status: match self.status {
                None => Some(FactStatus::Approved),
                Some("rejected") => Some(FactStatus::Rejected),
                Some(_) => None,
            },
            contradicted: self.contradiction.then_some(true),
            confidence: self.conf.map(range),
            rejected_for: self.reasons.clone(),
            order: self.order(),
            ..self.conditions.filter()
        }
    }

    fn order(&self) -> FactOrder {
        let (name, turned) = self.order.unwrap_or((ORDERS[0], false));
        let (key, descending) = match name {
            "newest" => (SortKey::Created, true),
            "oldest" => (SortKey::Created, false),
            "contributors" => (SortKey::Contributors, true),
            "recalls" => (SortKey::Recalls, true),
            "importance" => (SortKey::Importance, true),
            _ => (SortKey::Confidence, true),
        };
        FactOrder::by(key, descending != turned)
    }

    #[must_use]
    pub fn per(&self) -> u64 {
        self.paging.per(&PAGES)
    }

    #[must_use]
    pub fn skip(&self) -> u64 {
        self.paging.skip(&PAGES)
    }

    /// Whether the search text looks like an account or an address. Facts contain neither.
    #[must_use]
    pub fn names_a_person(&self) -> bool {
        let q = self.conditions.q.as_str();
        let one_word = !q.is_empty() && !q.contains(char::is_whitespace) && !q.starts_with(ID_START);
        let mixed = q.chars().any(|c| c.is_ascii_digit()) && q.chars().any(char::is_alphabetic);
        one_word && (q.contains(['@', '|']) || q.starts_with("usr_") || q.starts_with("user") || mixed)
    }

    /// The canonical query string, without the page.
    #[must_use]
    pub fn query(&self) -> String {
        let mut pairs = QueryPairs::new();
        pairs.extend(self.status.map(|value| ("status", value.into())));
        pairs.extend(self.conditions.typed());
        pairs.extend(self.conditions.chosen());
        pairs.extend(self.conf.map(|value| ("conf", value.into())));
        pairs.extend(self.contradiction.then_some(("flag", "contradiction".into())));
        pairs.extend(self.reasons.iter().map(|reason| ("reason", reason.as_str().into())));
        pairs.extend(self.order.map(|order| ("sort", order_name(order).into())));
        pairs.extend(self.paging.chosen());
        serde_urlencoded::to_string(pairs).unwrap_or_default()
    }

    fn link(&self) -> String {
        PAGES.link(&self.query(), 1)
    }

    /// Returns the place of this page, which shows `shown` rows of `total`.
    #[must_use]
    pub fn span(&self, shown: u64, total: u64) -> PageSpan {
        self.paging.span(&PAGES, &self.query(), shown, total)
    }

    /// Returns the filters as the page shows them, with links to neighbouring lists.
    #[must_use]
    pub fn shown(&self) -> FactFilters {
        let chips = self.chips();
        let Conditions { q, kinds, origins, importance } = self.conditions.clone();
        let clear = Self { status: self.status, order: self.order, paging: self.paging.first(), ..Self::default() };
        FactFilters {
            clear: (!chips.is_empty() || !q.is_empty()).then(|| clear.link()),
            chips,
            columns: COLUMNS.map(|(name, order)| self.column(name, order)).to_vec(),
            query: self.query(),
            q,
            status: self.status.unwrap_or(STATES[0]).to_owned(),
            kinds,
            origins,
            min_importance: importance.unwrap_or(1),
            conf: self.conf.unwrap_or_default().to_owned(),
            contradiction: self.contradiction,
            reasons: self.reasons.clone(),
            sort: order_name(self.order.unwrap_or((ORDERS[0], false))),
            per: self.per(),
        }
    }

    fn chips(&self) -> Vec<Chip> {
        let mut chips = Vec::new();
        let mut chip = |field: &str, words: String, without: Self| {
            chips.push(Chip { field: field.to_owned(), words, without: without.link() });
        };
        let with = |conditions| Self { conditions, ..self.clone() };
        let all = &self.conditions;
        if let Some(words) = all.kind_words(", ") {
            chip("kind", words, with(Conditions { kinds: Vec::new(), ..all.clone() }));
        }
        if let Some(words) = all.origin_words(", ") {
            chip("origin", words, with(Conditions { origins: Vec::new(), ..all.clone() }));
        }
        if let Some(n) = all.importance {
            let words = if n == 5 { "5".to_owned() } else { format!("{n} or more") };
            chip("min_importance", words, with(Conditions { importance: None, ..all.clone() }));
        }
        if let Some(conf) = self.conf {
            let words = if conf == "low" { "Below the floor" } else { "Above the floor" };
            chip("conf", words.to_owned(), Self { conf: None, ..self.clone() });
        }
        if self.contradiction {
            chip("flag", "Contradictions".to_owned(), Self { contradiction: false, ..self.clone() });
        }
        if !self.reasons.is_empty() {
            let words = self.reasons.iter().map(|reason| reason.label()).collect::<Vec<_>>().join(", ");
            chip("reason", words, Self { reasons: Vec::new(), ..self.clone() });
        }
        chips
    }

    /// Returns a column head: sorts by the column, or reverses the order if it is already sorted by it.
    fn column(&self, name: &str, order: &'static str) -> SortColumn {
        let (current, turned) = self.order.unwrap_or((ORDERS[0], false));
        let here = current == order;
        let next = Some((order, here && !turned)).filter(|next| *next != (ORDERS[0], false));
        SortColumn {
            name: name.to_owned(),
            href: Self { order: next, ..self.clone() }.link(),
            sorted: here.then(|| if turned { "ascending" } else { "descending" }.to_owned()),
        }
    }
}

fn order_name((name, turned): (&str, bool)) -> String {
    if turned { format!("-{name}") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_string_is_read_and_made_canonical() {
        crate::server::is_made_canonical(
            |query| ListQuery::read(query).query(),
            &[
                ("", ""),
                ("?status=approved&sort=confidence&per=10&page=3", ""),
                ("per=25&sort=-recalls&kind=howto&kind=howto&q=+port+", "q=port&kind=howto&sort=-recalls&per=25"),
                ("sort=-confidence&status=all", "status=all&sort=-confidence"),
                ("nonsense=1&kind=poem&min_importance=9&conf=maybe&flag=blue&sort=hue&per=7&status=pending&page=0", ""),
                (
                    "reason=wrong&reason=silly&status=rejected&reason=wrong&reason=other",
                    "status=rejected&reason=wrong&reason=other",
                ),
                (
                    "conf=low&flag=contradiction&min_importance=2&origin=busybro",
                    "origin=assistant&min_importance=2&conf=low&flag=contradiction",
                ),
            ],
        );
    }

    #[test]
    fn pages_and_columns_are_links_that_keep_the_filters() {
        let asked = ListQuery::read("status=rejected&page=2&per=25&sort=recalls");
        assert_eq!((asked.skip(), asked.per()), (25, 25));
        let span = asked.span(25, 60);
        assert_eq!(span.next.as_deref(), Some("/manage/facts?status=rejected&sort=recalls&per=25&page=3"));
        assert_eq!(span.previous.as_deref(), Some("/manage/facts?status=rejected&sort=recalls&per=25"));
        let columns = asked.shown().columns;
        let recalls = columns.iter().find(|column| column.name == "Recalls").expect("there");
        assert_eq!(recalls.sorted.as_deref(), Some("descending"));
        assert_eq!(recalls.href, "/manage/facts?status=rejected&sort=-recalls&per=25");
        let confidence = columns.iter().find(|column| column.name == "Confidence").expect("there");
        assert_eq!((confidence.sorted.as_deref(), confidence.href.as_str()), (None, "/manage/facts?status=rejected&per=25"));
    }

    #[test]
    fn a_chip_leads_to_the_list_without_it() {
        let shown = ListQuery::read("kind=howto&min_importance=2&q=port").shown();
        let links: Vec<_> = shown.chips.iter().map(|chip| (chip.field.as_str(), chip.without.as_str())).collect();
        assert_eq!(
            links,
            [("kind", "/manage/facts?q=port&min_importance=2"), ("min_importance", "/manage/facts?q=port&kind=howto")]
        );
        assert_eq!(shown.clear.as_deref(), Some("/manage/facts"));
        assert_eq!(ListQuery::read("status=all&sort=newest").shown().clear, None);
    }

    #[test]
    fn accounts_and_addresses_are_recognised() {
        for (q, person) in [
            ("usr_7f3a91", true),
            ("dana@example.org", true),
            ("auth0|5f7c", true),
            ("u1", true),
            ("gf_7f3a91", false),
            ("ports", false),
            ("7300", false),
            ("port 7300", false),
            ("", false),
        ] {
            let asked = ListQuery { conditions: Conditions { q: q.to_owned(), ..Conditions::default() }, ..ListQuery::default() };
            assert_eq!(asked.names_a_person(), person, "{q}");
        }
    }
}
