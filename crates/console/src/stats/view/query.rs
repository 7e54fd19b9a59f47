//! The address of a page with charts.

/// The address of a page with charts, and the chart that is open as a table.
#[derive(Debug, Clone)]
pub struct ChartQuery {
    /// The address of the page without the name of the table.
    pub here: String,
    /// The chart whose numbers are shown as a table.
    pub table: Option<String>,
}

impl ChartQuery {
    pub(super) fn is_open(&self, id: &str) -> bool {
        self.table.as_deref() == Some(id)
    }

    /// The address with the table of this chart open or closed.
    pub(super) fn with_table(&self, id: &str, open: bool) -> String {
        let here = &self.here;
        let mark = if here.contains('?') { '&' } else { '?' };
        if open { format!("{here}{mark}table={id}#{id}") } else { format!("{here}#{id}") }
    }
}
