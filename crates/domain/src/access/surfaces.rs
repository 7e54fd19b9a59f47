//! The surfaces that have a switch of their own, one row each, and two rows for other surfaces and for anonymous calls, with the
//! setting, the name and the icon of each. Any other surface needs no row.

/// The icon before a surface's name, drawn by the console.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Glyph {
    Globe,
    Paper,
    Plug,
    Arrow,
    Person,
}

/// One row of the table.
#[derive(Debug)]
pub struct SurfaceRow {
    /// The surface's name in calls; `None`: the row is not one surface.
    pub name: Option<&'static str>,
    pub label: &'static str,
    /// Key of the setting that says whether its calls get team facts.
    pub setting: &'static str,
    pub help: &'static str,
    /// Element id of its switch on the page.
    pub id: &'static str,
    pub glyph: Glyph,
}

pub const WEB: SurfaceRow = SurfaceRow {
    name: Some("web"),
    label: "Web",
    setting: "recall.web",
    help: "The dashboard chat.",
    id: "set-recall-web",
    glyph: Glyph::Globe,
};
pub const TELEGRAM: SurfaceRow = SurfaceRow {
    name: Some("telegram"),
    label: "Telegram",
    setting: "recall.telegram",
    help: "The bot.",
    id: "set-recall-telegram",
    glyph: Glyph::Paper,
};
pub const MCP: SurfaceRow = SurfaceRow {
    name: Some("mcp"),
    label: "MCP",
    setting: "recall.mcp",
    help: "Tools that read memory over MCP.",
    id: "set-recall-mcp",
    glyph: Glyph::Plug,
};
pub const OTHER: SurfaceRow = SurfaceRow {
    name: None,
    label: "Other surfaces",
    setting: "recall.other",
    help: "Any surface that is not named here.",
    id: "set-recall-other",
    glyph: Glyph::Arrow,
};
/// Not a surface: calls without a user, which obey this switch alone, whatever their surface.
pub const ANONYMOUS: SurfaceRow = SurfaceRow {
    name: None,
    label: "Anonymous calls",
    setting: "recall.anonymous",
    help: "Callers with no user, on any surface. They get team facts only, never personal ones.",
    id: "set-recall-anon",
    glyph: Glyph::Person,
};

/// Every row, in display order.
pub const ROWS: [SurfaceRow; 5] = [WEB, TELEGRAM, MCP, OTHER, ANONYMOUS];

/// Returns the row whose switch applies to calls from a surface.
#[must_use]
pub fn of(surface: &str) -> &'static SurfaceRow {
    ROWS.iter().find(|row| row.name == Some(surface)).unwrap_or(&OTHER)
}

/// The row of a setting.
#[must_use]
pub fn of_setting(key: &str) -> Option<&'static SurfaceRow> {
    ROWS.iter().find(|row| row.setting == key)
}

/// The console's name of a surface; one without a row keeps its own name.
#[must_use]
pub fn label(surface: &str) -> &str {
    ROWS.iter().find(|row| row.name == Some(surface)).map_or(surface, |row| row.label)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::settings::{MINILM_THRESHOLDS, Section, Settings, Spec, Value};

    #[test]
    fn a_surface_without_a_row_keeps_its_name_and_obeys_the_switch_for_others() {
        assert_eq!([label("mcp"), label("web"), label("slack")], ["MCP", "Web", "slack"]);
        assert_eq!(
            [of("telegram").setting, of("slack").setting, of("").setting],
            ["recall.telegram", "recall.other", "recall.other"]
        );
        assert!(of_setting("recall.mcp").is_some() && of_setting("learn.global").is_none());
    }

    #[test]
    fn each_row_reads_the_setting_that_it_names() {
        assert_eq!(ROWS.iter().map(|row| row.id).collect::<BTreeSet<_>>().len(), ROWS.len());
        for row in &ROWS {
            let spec = Spec::find(row.setting).expect("a setting");
            assert_eq!((spec.label, spec.help, spec.section), (row.label, row.help, Section::Recall));
            for on in [true, false] {
                let mut settings = Settings::defaults(MINILM_THRESHOLDS);
                settings.set(spec, Value::Switch(on)).expect("fits");
                assert_eq!(settings.recalls(row), on, "{}", row.setting);
            }
        }
    }
}
