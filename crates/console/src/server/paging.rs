//! Paging of a list: the page that a URL asks for, and the links to those beside it.

use crate::notice::PageSpan;
use crate::server::conditions::QueryPairs;

/// Highest page number accepted.
const PAGE_MAX: u64 = 1_000_000;

/// The pages of one list.
pub(crate) struct ListPages {
    pub path: &'static str,
    /// Rows per page, unless the URL names one of the others.
    pub usual: u64,
    pub others: &'static [u64],
}

impl ListPages {
    /// Returns the link to a page, from 1, of the list with this canonical query string.
    pub fn link(&self, query: &str, page: u64) -> String {
        let path = self.path;
        match (page, query.is_empty()) {
            (..=1, true) => path.to_owned(),
            (..=1, false) => format!("{path}?{query}"),
            (page, true) => format!("{path}?page={page}"),
            (page, false) => format!("{path}?{query}&page={page}"),
        }
    }
}

/// The paging parameters of a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Paging {
    page: u64,
    per: Option<u64>,
}

impl Default for Paging {
    fn default() -> Self {
        Self { page: 1, per: None }
    }
}

impl Paging {
    /// Reads one pair of a query string; an invalid value means the default. Returns `false` if the pair is not about paging.
    pub fn read(&mut self, pages: &ListPages, name: &str, value: &str) -> bool {
        let number = value.parse().ok();
        match name {
            "page" => self.page = number.filter(|page| (1..=PAGE_MAX).contains(page)).unwrap_or(1),
            "per" => self.per = number.filter(|per| pages.others.contains(per)),
            _ => return false,
        }
        true
    }

    /// Returns the parameters as pairs of a query string, without the page.
    pub fn chosen(&self) -> QueryPairs<'_> {
        self.per.map(|per| ("per", per.to_string().into())).into_iter().collect()
    }

    /// Returns the same page size, starting at the first page.
    pub fn first(&self) -> Self {
        Self { page: 1, per: self.per }
    }

    pub fn per(&self, pages: &ListPages) -> u64 {
        self.per.unwrap_or(pages.usual)
    }

    /// Returns the number of rows before this page.
    pub fn skip(&self, pages: &ListPages) -> u64 {
        (self.page - 1) * self.per(pages)
    }

    /// Returns the place of this page, which shows `shown` rows of `total`.
    pub fn span(&self, pages: &ListPages, query: &str, shown: u64, total: u64) -> PageSpan {
        let skip = self.skip(pages);
        PageSpan {
            from: skip + 1,
            shown,
            total,
            previous: (self.page > 1).then(|| pages.link(query, self.page - 1)),
            next: (skip + shown < total).then(|| pages.link(query, self.page + 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: ListPages = ListPages { path: "/list", usual: 50, others: &[10, 25] };

    fn read(pairs: &[(&str, &str)]) -> Paging {
        let mut paging = Paging::default();
        for (name, value) in pairs {
            assert!(paging.read(&LIST, name, value), "{name}");
        }
        paging
    }

    #[test]
    fn a_page_that_is_no_number_is_the_first() {
        for wrong in ["x", "0", "-1", "", "1000001"] {
            assert_eq!(read(&[("page", wrong)]), Paging::default(), "{wrong}");
        }
        assert!(!Paging::default().read(&LIST, "q", "3"));
    }

    #[test]
    fn links_keep_the_query() {
        let links = [LIST.link("", 1), LIST.link("", 2), LIST.link("kind=howto", 1), LIST.link("kind=howto", 3)];
        assert_eq!(links, ["/list", "/list?page=2", "/list?kind=howto", "/list?kind=howto&page=3"]);
    }

    #[test]
    fn a_span_leads_to_the_pages_beside_it() {
        let paging = read(&[("page", "2"), ("per", "10")]);
        assert_eq!((paging.skip(&LIST), paging.per(&LIST), paging.first().skip(&LIST)), (10, 10, 0));
        let span = paging.span(&LIST, "per=10", 10, 35);
        assert_eq!(
            (span.from, span.previous.as_deref(), span.next.as_deref()),
            (11, Some("/list?per=10"), Some("/list?per=10&page=3"))
        );
        assert_eq!(read(&[("page", "4"), ("per", "10")]).span(&LIST, "per=10", 5, 35).next, None);
        assert_eq!(read(&[("per", "7")]).per(&LIST), 50);
    }
}
