//! Exports everything held about one user, as the inventory defines it, with the reason for each column that is left out.

use serde_json::{Map, Value, json};

use super::audit::{self, Actor, Entry};
use super::{Error, Keepsake, Result};
use crate::access::callers::{self, Caller};
use crate::access::operators::Viewer;
use crate::domain::audit::{Action, Sign};
use crate::domain::html::escaped;
use crate::domain::inventory::{Export, TABLES, table};
use crate::domain::moment::{DAY_MS, Moment};
use crate::domain::people::UserId;
use crate::ports::store::atomically;
use crate::ports::store::audit::AuditLine;
use crate::ports::store::users::{Cell, ExportedTable, Withheld};

/// Version of the JSON.
pub(super) const SCHEMA: u32 = 1;
/// Maximum number of audit log entries that an export lists.
const READS_MAX: u32 = 10_000;

impl Keepsake {
    /// Everything held about a user, for a program: needs the scope, or the user's own key.
    pub async fn export_user(&self, caller: &Caller, user: &UserId) -> Result<Value> {
        if caller.bound_to() != Some(user) {
            caller.needs(callers::Scope::Export)?;
        }
        self.write_export(caller.into(), user).await
    }

    /// Everything held about a user, for an operator who has the record open.
    pub async fn export_user_in_console(&self, viewer: &Viewer, user: &UserId) -> Result<Value> {
        self.opened(viewer, user).await?;
        let manager = viewer.manager()?;
        self.write_export(manager.into(), user).await
    }

    /// Logs the export before any data is returned.
    async fn write_export(&self, by: Actor, user: &UserId) -> Result<Value> {
        self.end_memories_of(user).await?;
        self.empty_bins_of(user).await?;
        let (now, subject) = (self.clock.now(), self.subject(user));
        let entry = Entry::of(by, "user.exported").about(&subject.digest);
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            let entry = entry.clone();
            Box::pin(async move { Ok(audit::append(tx, now, entry).await?) })
        })
        .await?;
        let held = self.store.held(&subject).await?;
        let reads = self.store.audit_about(&subject.digest, None, READS_MAX).await?;
        let tables: Map<String, Value> = held.iter().map(|held| (held.table.to_owned(), rows(held))).collect();
        Ok(json!({
            "schema": SCHEMA,
            "user_id": user.as_str(),
            "exported_at": now.rfc3339(),
            "held": tables,
            "reads": reads.iter().filter_map(read).collect::<Vec<_>>(),
            "withheld": withheld(&self.store.beside()),
        }))
    }
}

fn rows(held: &ExportedTable) -> Value {
    let rows = held.rows.iter().map(|row| {
        let fields = held.columns.iter().zip(row).map(|(column, cell)| ((*column).to_owned(), value(column, cell)));
        Value::Object(read_json(fields.collect()))
    });
    Value::Array(rows.collect())
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

/// A value that is stored as JSON, which its row says, as what it stands for.
fn read_json(mut fields: Map<String, Value>) -> Map<String, Value> {
    let is_json = fields.get("form").is_some_and(|form| form == "json");
    if let Some(value) = fields.get_mut("value").filter(|_| is_json)
        && let Some(read) = value.as_str().and_then(|text| serde_json::from_str(text).ok())
    {
        *value = read;
    }
    fields
}

/// Who looked: log entries of operators who opened, revealed or exported.
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

/// Every column of the user's tables that is not exported, and why, including those that the engine keeps outside the inventory.
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

/// The same as a page for people: no script, no external resources.
#[must_use]
pub fn page(export: &Value) -> String {
    let mut parts = vec![
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>What is held about you</title></head><body>"
            .to_owned(),
        "<h1>What is held about you</h1>".to_owned(),
        format!("<p>User {}. Written {}.</p>", text(&export["user_id"]), text(&export["exported_at"])),
    ];
    for (name, rows) in export["held"].as_object().into_iter().flatten() {
        let (what, why) = table(name).map_or((name.as_str(), ""), |table| (table.what, table.why));
        parts.push(format!("<h2>{}</h2><p>{}</p>", escaped(what), escaped(why)));
        parts.push(listed(rows));
    }
    parts.push("<h2>Access log</h2><p>Operators and programs that opened, read or exported this.</p>".to_owned());
    parts.push(listed(&export["reads"]));
    parts.push("<h2>What is not given, and why</h2>".to_owned());
    parts.push(listed(&export["withheld"]));
    parts.push("</body></html>\n".to_owned());
    parts.concat()
}

fn listed(rows: &Value) -> String {
    let Some(rows) = rows.as_array().filter(|rows| !rows.is_empty()) else { return "<p>Nothing.</p>".to_owned() };
    let columns: Vec<&String> = rows[0].as_object().into_iter().flat_map(Map::keys).collect();
    let line = |tag: &str, cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| format!("<{tag}>{cell}</{tag}>")).collect();
        format!("<tr>{}</tr>", cells.concat())
    };
    let head = line("th", columns.iter().map(|column| escaped(&column.replace('_', " "))).collect());
    let body: Vec<String> =
        rows.iter().map(|row| line("td", columns.iter().map(|column| text(&row[column.as_str()])).collect())).collect();
    format!("<table><thead>{head}</thead><tbody>{}</tbody></table>", body.concat())
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => escaped(text),
        Value::Null => String::new(),
        other => escaped(&other.to_string()),
    }
}
