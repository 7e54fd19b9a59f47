//! Audit log export: the rows that match a filter, newest first, streamed as they are read. The log holds no memory text; reasons
//! are as operators typed them.

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{RawQuery, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures::stream;
use serde::Serialize;

use super::export::{no_formula, refused};
use access::operators::Viewer;
use console::audit::shapes::{LogEntry, Target};
use console::audit::work::entry;
use console::audit::work::query::LogAsked;
use service::audit::search::{AuditLine, LogExport, Names};
use service::{Error, Keepsake};

/// Rows read per batch.
const CHUNK: u32 = 500;

/// A row in the file.
#[derive(Debug, Serialize)]
struct AuditExportLine {
    row: i64,
    /// RFC 3339, UTC.
    at: String,
    /// System actions are logged with the hour only.
    hour_only: bool,
    who: String,
    who_kind: String,
    who_id: String,
    action: String,
    what: String,
    target: String,
    /// Keyed digest of the user.
    user_digest: String,
    reason: String,
    detail: String,
}

/// Columns of the file, in the order of [`AuditExportLine`].
const COLUMNS: [&str; 12] =
    ["row", "at", "hour_only", "who", "who_kind", "who_id", "action", "what", "target", "user_digest", "reason", "detail"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AuditExportFormat {
    Csv,
    Jsonl,
}

pub async fn csv(keepsake: State<Keepsake>, viewer: Extension<Viewer>, query: RawQuery) -> Response {
    send(keepsake.0, viewer.0, query, AuditExportFormat::Csv).await
}

pub async fn jsonl(keepsake: State<Keepsake>, viewer: Extension<Viewer>, query: RawQuery) -> Response {
    send(keepsake.0, viewer.0, query, AuditExportFormat::Jsonl).await
}

async fn send(keepsake: Keepsake, viewer: Viewer, RawQuery(query): RawQuery, format: AuditExportFormat) -> Response {
    let asked = LogAsked::read(&query.unwrap_or_default()).query(keepsake.clock.now());
    let (name, kind) = match format {
        AuditExportFormat::Csv => ("csv", "text/csv; charset=utf-8"),
        AuditExportFormat::Jsonl => ("jsonl", "application/jsonl"),
    };
    let export = match keepsake.audit.export_log(&viewer, &asked, name).await {
        Ok(export) => export,
        Err(error) => return refused(error, &keepsake),
    };
    let rows = stream::try_unfold((export, format == AuditExportFormat::Csv), move |(mut export, head)| {
        let (keepsake, viewer) = (keepsake.clone(), viewer.clone());
        async move {
            if head {
                return Ok(Some((written_head(), (export, false))));
            }
            match batch(&keepsake, &viewer, &mut export).await {
                Ok(lines) if lines.is_empty() => Ok(None),
                Ok(lines) => Ok(Some((written(lines, format), (export, false)))),
                // The response has already begun; aborting it is the only way to show that it is incomplete.
                Err(error) => Err(std::io::Error::other(error.outward(keepsake.clock.as_ref()).to_string())),
            }
        }
    });
    let mut response = ([(header::CONTENT_TYPE, kind)], Body::from_stream(rows)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(file) = HeaderValue::from_str(&format!("attachment; filename=\"audit.{name}\"")) {
        headers.insert(header::CONTENT_DISPOSITION, file);
    }
    response
}

async fn batch(keepsake: &Keepsake, viewer: &Viewer, export: &mut LogExport) -> Result<Vec<AuditExportLine>, Error> {
    let lines = keepsake.audit.exported_rows(viewer, export, CHUNK).await?;
    let names = keepsake.audit.names(viewer, &lines).await?;
    Ok(lines.into_iter().map(|each| line(each, &names)).collect())
}

fn line(each: AuditLine, names: &Names) -> AuditExportLine {
    let row = each.row.clone();
    let LogEntry { who, told, target, reason, .. } = entry(each, names);
    let about = match target {
        Some(Target::Operator(name) | Target::Key(name)) => Some(name),
        _ => None,
    };
    let detail: Vec<String> = [about, told.detail.clone()].into_iter().flatten().collect();
    AuditExportLine {
        row: row.seq,
        at: row.at.rfc3339(),
        hour_only: row.actor_kind == "system",
        who,
        who_kind: row.actor_kind,
        who_id: row.actor_id,
        action: row.action,
        what: told.sentence(),
        target: row.target.unwrap_or_default(),
        user_digest: row.user_digest.unwrap_or_default(),
        reason: reason.unwrap_or_default(),
        detail: detail.join(" · "),
    }
}

fn written_head() -> Bytes {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let _ = writer.write_record(COLUMNS);
    Bytes::from(writer.into_inner().unwrap_or_default())
}

fn written(lines: Vec<AuditExportLine>, format: AuditExportFormat) -> Bytes {
    match format {
        AuditExportFormat::Csv => {
            let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
            for line in lines {
                let _ = writer.serialize(AuditExportLine {
                    who: no_formula(line.who),
                    who_id: no_formula(line.who_id),
                    what: no_formula(line.what),
                    target: no_formula(line.target),
                    reason: no_formula(line.reason),
                    detail: no_formula(line.detail),
                    ..line
                });
            }
            Bytes::from(writer.into_inner().unwrap_or_default())
        }
        AuditExportFormat::Jsonl => {
            let objects = lines.iter().filter_map(|line| serde_json::to_string(line).ok());
            Bytes::from(objects.map(|object| object + "\n").collect::<String>())
        }
    }
}
