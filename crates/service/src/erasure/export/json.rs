//! The export for programs: the exported columns of every table, who looked, and the omitted columns with their reasons.

use serde_json::{Map, Value, json};

use super::{Cover, Part, SCHEMA, Writes};
use domain::audit::{Action, Sign};
use domain::erasure::inventory::{Export, TABLES, Table, table};
use domain::moment::{DAY_MS, Moment};
use ports::store::operate::audit::AuditLine;
use ports::store::people::{Cell, HeldPage, Withheld};

/// Writes the objects of a list.
#[derive(Default)]
pub(super) struct Writer {
    /// Whether the list has an object already.
    has_any: bool,
}

impl Writer {
    fn listed(&mut self, objects: impl Iterator<Item = Value>) -> String {
        let mut text = String::new();
        for object in objects {
            if self.has_any {
                text.push(',');
            }
            self.has_any = true;
            text.push_str(&object.to_string());
        }
        text
    }
}

impl Writes for Writer {
    fn rows(&mut self, _: &Table, page: &HeldPage) -> String {
        self.listed(page.rows.iter().map(|row| {
            let fields = page.columns.iter().zip(row).map(|(column, cell)| ((*column).to_owned(), value(column, cell)));
            Value::Object(read_json(fields.collect()))
        }))
    }

    fn log(&mut self, lines: &[AuditLine]) -> String {
        self.listed(lines.iter().filter_map(read))
    }

    fn close(&mut self) -> String {
        self.has_any = false;
        "]".to_owned()
    }
}

/// All parts of the JSON, from the first brace to the last.
pub(super) fn parts(cover: &Cover<'_>) -> Vec<Part> {
    let name = |text: &str| Value::from(text).to_string();
    let (user, at) = (name(cover.user.as_str()), name(&cover.at.rfc3339()));
    let mut parts = vec![Part::Text(format!("{{\"schema\":{SCHEMA},\"user_id\":{user},\"exported_at\":{at},\"held\":{{"))];
    let tables = cover.counts.iter().filter_map(|(name, _)| table(name));
    for (n, table) in tables.enumerate() {
        let comma = if n == 0 { "" } else { "," };
        parts.extend([Part::Text(format!("{comma}{}:[", name(table.name))), Part::Rows(table), Part::Close]);
    }
    let withheld = Value::from(withheld(cover.beside));
    parts.extend([Part::Text("},\"reads\":[".to_owned()), Part::Log, Part::Close]);
    parts.push(Part::Text(format!(",\"withheld\":{withheld}}}\n")));
    parts
}

/// Times as RFC 3339, days as dates, tags as a list; everything else as stored.
fn value(column: &str, cell: &Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Integer(at) if column == "at" || column.ends_with("_at") => Moment(*at).rfc3339().into(),
        Cell::Integer(day) if column == "day" => Moment(day * DAY_MS).rfc3339()[..10].into(),
        Cell::Integer(number) => (*number).into(),
        Cell::Real(number) => (*number).into(),
        Cell::Text(list) if column == "tags" || column.ends_with("_tags") => {
            serde_json::from_str(list).unwrap_or_else(|_| list.clone().into())
        }
        Cell::Text(text) => text.clone().into(),
    }
}

/// Parses `value` if its row says that it is stored as JSON.
fn read_json(mut fields: Map<String, Value>) -> Map<String, Value> {
    let is_json = fields.get("form").is_some_and(|form| form == "json");
    if let Some(value) = fields.get_mut("value").filter(|_| is_json)
        && let Some(read) = value.as_str().and_then(|text| serde_json::from_str(text).ok())
    {
        *value = read;
    }
    fields
}

/// Returns the JSON of a log entry of opening, revealing or exporting data; `None`: any other entry.
fn read(row: &AuditLine) -> Option<Value> {
    let action = Action::find(&row.row.action)?;
    let looked = matches!(action.sign, Sign::Looked | Sign::Revealed);
    looked.then(|| {
        json!({
            "at": row.row.at.rfc3339(),
            "by": row.row.actor_kind,
            "action": action.name,
            "words": action.words,
            "reason": row.reason,
        })
    })
}

/// Lists every column of the user's tables that is not exported, and why, including those that the engine keeps outside the
/// inventory.
fn withheld(beside: &[Withheld]) -> Vec<Value> {
    let line = |table: &str, column: &str, why: &str| json!({ "table": table, "column": column, "why": why });
    let mut lines = Vec::new();
    for table in TABLES.iter().filter(|table| table.is_about_users()) {
        let own = beside.iter().filter(|own| own.table == table.name);
        lines.extend(own.map(|own| line(table.name, own.column, own.why)));
        lines.extend(table.columns.iter().filter_map(|column| match column.export {
            Export::Given => None,
            Export::Withheld(why) => Some(line(table.name, column.name, why)),
        }));
    }
    lines
}
