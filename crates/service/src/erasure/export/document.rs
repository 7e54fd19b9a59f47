//! The export for the person: the stored data in sentences and with dates, as the law grants it. It has no internal values: no id
//! but the user's own, no score, digest or column name. Those are in the JSON, which [`super::json`] writes.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{Cover, Part, Writes};
use domain::audit::Action;
use domain::erasure::inventory::{Export, INSIDE, MADE, NOT_ABOUT, TABLES, Table, WORKINGS, table};
use domain::erasure::people::UserId;
use domain::html::escaped;
use domain::insight::days::{day_long, minute_long};
use domain::moment::{DAY_MS, Moment};
use domain::numbers::grouped;
use ports::store::operate::audit::AuditLine;
use ports::store::people::{Cell, HeldPage};

const TITLE: &str = "The personal data we hold about you";
/// The last words of a whole document.
const END: &str = "End of the copy";
const STYLE: &str = "@page{size:A4;margin:18mm}body{max-width:44rem;margin:2rem auto;padding:0 1rem;font:15px/1.5 system-ui,sans-serif;\
                     color:#111;background:#fff}h1{font-size:1.5rem}h2{font-size:1.05rem;margin-top:2rem}ul{list-style:none;padding:0}\
                     li{padding:.4rem 0;border-top:1px solid #ddd;break-inside:avoid}.said{white-space:pre-wrap;overflow-wrap:anywhere}\
                     small{display:block;color:#555}dt{font-weight:600}dd{margin:0 0 .6rem}.end{margin-top:3rem;color:#555}";

/// A section with the tables that it reads.
struct DocumentSection {
    title: &'static str,
    lead: &'static str,
    tables: &'static [&'static str],
}

const fn section(title: &'static str, lead: &'static str, tables: &'static [&'static str]) -> DocumentSection {
    DocumentSection { title, lead, tables }
}

/// The sections with lists, in order. Every table that is exported is in one of them, or is the log.
const SECTIONS: &[DocumentSection] = &[
    section("What the assistant remembers about you", "In these sentences, “User” is you.", &["memories"]),
    section("What it remembered before", "Sentences that were changed or replaced since.", &["memory_merges"]),
    section(
        "What you asked us to keep",
        "Your profile, your wishes for every answer, and your notes, in your words.",
        &["profile_fields", "preferences", "notes"],
    ),
    section("Your messages", "What you wrote to assistants, as far as it is still held.", &["exchanges", "turns", "questions"]),
    section(
        "What is kept for the team, without your name",
        "These statements about the work came up in your conversations. Nothing in the record of each says who said it. We can list \
         them for you because a key stored with your account fits your own statements only.",
        &["facts", "fact_merges", "merged_facts", "contributions", "arrivals"],
    ),
    section(
        "Texts that assistants keep for you",
        "Notes, lists and other texts that an assistant reads again and edits, with what they said before.",
        &["block_stores", "blocks", "block_versions", "block_refusals"],
    ),
    section(
        "Your account, and what acts for you",
        "When you were first seen, and the programs and chats that speak for you.",
        &["users", "keys", "chat_links", "link_codes", "idempotency"],
    ),
    section("Erasures", "What was erased at your request or at that of others.", &["erasures"]),
];

/// Tables counted in the summary, with singular and plural wording.
const COUNTED: [(&[&str], &str, &str); 7] = [
    (&["memories"], "memory about you", "memories about you"),
    (&["memory_merges"], "earlier version of them", "earlier versions of them"),
    (&["profile_fields", "preferences", "notes"], "thing that you asked us to keep", "things that you asked us to keep"),
    (&["exchanges"], "message", "messages"),
    (&["turns"], "line of conversation", "lines of conversation"),
    (&["blocks"], "text that assistants keep for you", "texts that assistants keep for you"),
    (&["facts"], "statement for the team, without your name", "statements for the team, without your name"),
];

/// Totals of rows that are summarised together.
#[derive(Default)]
struct Sum {
    rows: u64,
    /// Rows without their text.
    empty: u64,
    days: Option<(Moment, Moment)>,
    places: BTreeMap<String, u64>,
}

/// Writes the lines of one section after another.
#[derive(Default)]
pub(super) struct Writer {
    has_any: bool,
    sums: BTreeMap<&'static str, Sum>,
}

impl Writer {
    fn line(&mut self, text: &mut String, line: &DocumentLine) {
        if !self.has_any {
            text.push_str("<ul>");
        }
        self.has_any = true;
        let small = if line.note.is_empty() { String::new() } else { format!("<small>{}</small>", escaped(&line.note)) };
        // Writing to a string cannot fail.
        let _ = write!(text, "<li><span class=\"said\">{}</span>{small}</li>", escaped(&line.text));
    }
}

impl Writes for Writer {
    fn rows(&mut self, table: &Table, page: &HeldPage) -> String {
        let mut text = String::new();
        for cells in &page.rows {
            let row = TableRow { page, cells };
            if let Some((name, at, place)) = row.summed(table.name) {
                let sum = self.sums.entry(name).or_default();
                sum.rows += 1;
                sum.empty += u64::from(row.line(table.name).is_none());
                sum.days = at.map(|at| sum.days.map_or((at, at), |(first, last)| (first.min(at), last.max(at)))).or(sum.days);
                *sum.places.entry(place.to_owned()).or_default() += 1;
            }
            if let Some(line) = row.line(table.name) {
                self.line(&mut text, &line);
            }
        }
        text
    }

    fn log(&mut self, lines: &[AuditLine]) -> String {
        let mut text = String::new();
        for line in lines.iter().filter_map(logged) {
            self.line(&mut text, &line);
        }
        text
    }

    fn close(&mut self) -> String {
        let mut text = if self.has_any { "</ul>".to_owned() } else { String::new() };
        let sums = std::mem::take(&mut self.sums);
        text.extend(sums.iter().map(|(name, sum)| format!("<p>{}</p>", escaped(&summary(name, sum)))));
        if text.is_empty() {
            text.push_str("<p>Nothing.</p>");
        }
        self.has_any = false;
        text
    }
}

/// A sentence with a note, such as its date, place or expiry.
struct DocumentLine {
    text: String,
    note: String,
}

/// One row, with its values by the names of their columns.
struct TableRow<'a> {
    page: &'a HeldPage,
    cells: &'a [Cell],
}

impl TableRow<'_> {
    /// The text of a column; empty if it has none.
    fn text(&self, column: &str) -> &str {
        match self.page.cell(self.cells, column) {
            Cell::Text(text) => text,
            _ => "",
        }
    }

    fn at(&self, column: &str) -> Option<Moment> {
        match self.page.cell(self.cells, column) {
            Cell::Integer(at) => Some(Moment(*at)),
            _ => None,
        }
    }

    fn number(&self, column: &str) -> i64 {
        self.at(column).unwrap_or_default().0
    }

    /// `since 2 November 2026`; nothing without a date.
    fn when(&self, word: &str, column: &str) -> String {
        self.at(column).map(|at| format!("{word} {}", day_long(at))).unwrap_or_default()
    }

    /// Like `when`, for the column `day`, which counts days.
    fn day(&self, word: &str) -> String {
        self.at("day").map(|day| format!("{word} {}", day_long(Moment(day.0 * DAY_MS)))).unwrap_or_default()
    }

    /// `on web`; nothing without a place.
    fn place(&self, column: &str) -> String {
        Some(self.text(column)).filter(|place| !place.is_empty()).map(|place| format!("on {place}")).unwrap_or_default()
    }

    /// The name, time and place under which a row is summarised; `None`: its table is not summarised.
    fn summed(&self, table: &str) -> Option<(&'static str, Option<Moment>, &str)> {
        match table {
            "exchanges" => Some(("exchanges", self.at("said_at"), self.text("surface"))),
            "contributions" => Some(("contributions", self.at("day").map(|day| Moment(day.0 * DAY_MS)), self.text("surface"))),
            "idempotency" => Some(("idempotency", self.at("answered_at"), "")),
            _ => None,
        }
    }

    /// Words a row as a line; `None`: it has no text, and is only counted.
    fn line(&self, table: &str) -> Option<DocumentLine> {
        let line = |text: String, notes: &[String]| {
            let notes: Vec<&str> = notes.iter().map(String::as_str).filter(|note| !note.is_empty()).collect();
            Some(DocumentLine { text, note: notes.join(", ") })
        };
        let own = |column: &str| self.text(column).to_owned();
        let quoted = |who: &str, column: &str| format!("{who}: “{}”", self.text(column));
        match table {
            "memories" => {
                let is_changed = self.at("updated_at").map(Moment::day) > self.at("created_at").map(Moment::day);
                let since = if is_changed { self.when("changed on", "updated_at") } else { self.when("said on", "created_at") };
                line(own("content"), &[since, self.when("kept until", "expires_at")])
            }
            "memory_merges" => {
                let came = Some(self.text("incoming_content")).filter(|text| !text.is_empty());
                let came = came.map(|text| format!("when this came: “{text}”")).unwrap_or_default();
                line(own("before_content"), &[self.when("until", "merged_at"), came])
            }
            "profile_fields" => {
                line(format!("{}: {}", self.text("name"), self.text("value")), &[self.when("since", "updated_at")])
            }
            "preferences" => line(own("content"), &[self.when("since", "created_at"), self.place("platform")]),
            "notes" => line(own("content"), &[self.when("written on", "created_at"), self.place("surface")]),
            "exchanges" => {
                let told = [("You", "message"), ("The assistant", "reply")];
                let told: Vec<String> =
                    told.iter().filter(|(_, said)| !self.text(said).is_empty()).map(|(who, said)| quoted(who, said)).collect();
                (!told.is_empty()).then(|| line(told.join("\n"), &[self.when("on", "said_at"), self.place("surface")])).flatten()
            }
            "turns" => {
                let who = if self.text("role") == "user" { "You" } else { "The assistant" };
                line(
                    quoted(who, "content"),
                    &[self.when("on", "said_at"), self.place("surface"), self.when("put away on", "archived_at")],
                )
            }
            "questions" => {
                line("An assistant asked you to confirm what it is to forget.".to_owned(), &[self.when("on", "asked_at")])
            }
            "facts" => {
                let stands = match self.text("status") {
                    "approved" => "in use",
                    "rejected" => "not used: it was rejected",
                    _ => "not used yet: it waits for a decision",
                };
                line(own("content"), &[stands.to_owned()])
            }
            "fact_merges" => line(quoted("You", "content"), &[self.day("on")]),
            "merged_facts" => line(quoted("You", "content"), &[self.day("on"), "now part of another statement".to_owned()]),
            "arrivals" => line(own("content"), &[self.when("said on", "said_at"), "waits to be given to the team".to_owned()]),
            "block_stores" => {
                let about = Some(self.text("description")).filter(|text| !text.is_empty()).map(|text| format!(": {text}"));
                line(
                    format!("A place for texts, “{}”{}", self.text("name"), about.unwrap_or_default()),
                    &[self.when("since", "created_at")],
                )
            }
            "blocks" => {
                let notes = [self.when("written on", "updated_at"), self.when("in the bin since", "deleted_at")];
                line(format!("{}\n{}", self.text("path"), self.text("content")), &notes)
            }
            "block_versions" => {
                let notes = [self.when("as written on", "written_at"), self.when("emptied on", "redacted_at")];
                line(format!("{}, before\n{}", self.text("path"), self.text("content")), &notes)
            }
            "block_refusals" => {
                let times = many(self.number("count").unsigned_abs(), "time", "times");
                line(format!("A text that an assistant wanted to keep for you was refused {times}."), &[self.day("on")])
            }
            "users" => line("You were first seen.".to_owned(), &[self.when("on", "first_seen_at")]),
            "keys" => {
                let notes = [
                    self.when("since", "created_at"),
                    self.when("last used on", "last_used_at"),
                    self.when("until", "expires_at"),
                    self.when("ended on", "revoked_at"),
                ];
                line(format!("A program speaks for you with the key “{}”.", self.text("name")), &notes)
            }
            "chat_links" => line(
                format!("The chat {} on {} is yours.", self.text("chat"), self.text("surface")),
                &[self.when("since", "linked_at")],
            ),
            "link_codes" => {
                line("A code is open with which a chat becomes yours.".to_owned(), &[self.when("until", "expires_at")])
            }
            "erasures" => {
                let what =
                    if self.text("scope") == "contributions" { "Your part in statements for the team" } else { "Everything" };
                let state = if self.at("erased_at").is_some() { "was erased" } else { "is to be erased" };
                line(format!("{what} {state}, on this request: “{}”", self.text("reason")), &[self.when("on", "confirmed_at")])
            }
            _ => None,
        }
    }
}

/// Words the totals of a summarised table.
fn summary(table: &str, sum: &Sum) -> String {
    let days = match sum.days {
        Some((first, last)) if first.day() == last.day() => format!(" on {}", day_long(first)),
        Some((first, last)) => format!(" between {} and {}", day_long(first), day_long(last)),
        None => String::new(),
    };
    let places: Vec<String> = sum
        .places
        .iter()
        .filter(|(place, _)| !place.is_empty())
        .map(|(place, rows)| format!("{} on {place}", grouped(*rows)))
        .collect();
    let places = if places.is_empty() { String::new() } else { format!(": {}", places.join(", ")) };
    match table {
        "exchanges" => {
            let gone = match sum.empty {
                0 => String::new(),
                empty if empty == sum.rows => {
                    " Each was read to find what is listed here. Their texts are deleted; the dates are held.".to_owned()
                }
                empty => format!(" The texts of {} are deleted; the dates are held.", grouped(empty)),
            };
            format!("You wrote {}{days}{places}.{gone}", many(sum.rows, "message", "messages"))
        }
        "contributions" => {
            let stand = if sum.rows == 1 { "entry stands" } else { "entries stand" };
            format!(
                "{} {stand} beside these statements for the day and the channel of what you said{days}{places}.",
                grouped(sum.rows)
            )
        }
        _ => format!("{} to programs that asked for you can be given again for a day.", many(sum.rows, "answer", "answers")),
    }
}

/// Words an entry of the audit log for the person it is about.
fn logged(line: &AuditLine) -> Option<DocumentLine> {
    let action = Action::find(&line.row.action)?;
    let who = match line.row.actor_kind.as_str() {
        "operator" => "A member of staff",
        "caller" => "A program",
        "cli" => "Somebody at the server",
        _ => "The system",
    };
    let mut letters = action.words.chars();
    let words: String = letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect();
    let words = words.replace("a user record", "your record").replace("a user’s", "your");
    let words = words
        .replace("a user was", "you were")
        .replace("erased a user", "erased what was held about you")
        .replace("a user", "you");
    let is_narrower = line.row.detail.as_deref().is_some_and(|detail| detail.contains("scope=contributions"));
    let narrower = "your part in statements for the team";
    let words = if is_narrower { words.replace("what was held about you", narrower) } else { words };
    let reason = line.reason.as_deref().map(|reason| format!(", for this reason: “{reason}”")).unwrap_or_default();
    Some(DocumentLine { text: format!("{who} {words}{reason}"), note: minute_long(line.row.at) })
}

/// All parts of the document, from the head to the last line.
pub(super) fn parts(cover: &Cover<'_>) -> Vec<Part> {
    let mut heading = Headings(1);
    let mut parts = vec![Part::Text(head(cover.user, cover.at) + &heading.next("In short") + &in_short(cover))];
    for DocumentSection { title, lead, tables } in SECTIONS {
        parts.push(Part::Text(format!("{}<p>{}</p>", heading.next(title), escaped(lead))));
        parts.extend(tables.iter().filter_map(|name| table(name)).map(Part::Rows));
        parts.push(Part::Close);
    }
    let lead = "Whoever opened, read, changed or exported what is held about you, newest first. Staff are not named.";
    parts.push(Part::Text(format!("{}<p>{lead}</p>", heading.next("Who has seen it"))));
    parts.extend([Part::Log, Part::Close]);
    parts.push(Part::Text(heading.next("How your data is used") + &used(cover)));
    parts.push(Part::Text(heading.next("What is left out of this copy, and why") + &left_out(cover)));
    parts.push(Part::Text(heading.next("What you can do") + RIGHTS));
    parts.push(Part::Text(format!("<p class=\"end\">{END}</p></body></html>\n")));
    parts
}

const RIGHTS: &str = "<p>You may ask us to correct or to erase any of this, to stop learning about you, or to give it to you as a file \
                      for another service. You can also tell the assistant, for example “forget that I …”. If you think that we do \
                      not keep to the law, you may complain to the data protection authority of your country.</p>";

/// Numbers the headings.
struct Headings(u32);

impl Headings {
    fn next(&mut self, title: &str) -> String {
        let number = self.0;
        self.0 += 1;
        format!("<h2>{number}. {}</h2>", escaped(title))
    }
}

fn head(user: &UserId, at: Moment) -> String {
    format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{TITLE}</title><style>{STYLE}</style></head><body><h1>{TITLE}</h1>\
         <p>This is all that the memory of our assistant, Keepsake, holds about the account <strong>{}</strong>, as it stood on {}. You \
         have the right to this copy under Article 15 of the General Data Protection Regulation. Its last line is “{END}”: if that \
         line is missing, the copy was cut off, and you should ask for it again.</p>",
        escaped(user.as_str()),
        minute_long(at)
    )
}

fn in_short(cover: &Cover<'_>) -> String {
    let rows = |names: &[&str]| cover.counts.iter().filter(|(name, _)| names.contains(name)).map(|(_, rows)| rows).sum::<u64>();
    let counts: Vec<String> = COUNTED
        .iter()
        .map(|(names, one, more)| (rows(names), one, more))
        .filter(|(rows, ..)| *rows > 0)
        .map(|(rows, one, more)| many(rows, one, more))
        .collect();
    match counts.split_last() {
        None => "<p>We hold no memory, no message and no other text about you.</p>".to_owned(),
        Some((only, [])) => format!("<p>We hold {only}.</p>"),
        Some((last, others)) => format!("<p>We hold {} and {last}.</p>", others.join(", ")),
    }
}

/// States the purpose of the data, and the retention of each kind that is held.
fn used(cover: &Cover<'_>) -> String {
    let mut text = "<p>Assistants use it to answer you without asking again. It came from your conversations with them and from \
                    programs that you use. Ask us who else receives it: this copy does not know which companies work for us. How long \
                    it is kept:</p><dl>"
        .to_owned();
    for table in cover.counts.iter().filter(|(_, rows)| *rows > 0).filter_map(|(name, _)| table(name)) {
        // The text after a colon is about database internals.
        let how_long = table.how_long.split(':').next().unwrap_or_default().trim_end_matches('.');
        let _ = write!(text, "<dt>{}</dt><dd>{}.</dd>", escaped(table.what), escaped(how_long));
    }
    text + "</dl>"
}

/// Reasons for leaving a column out, as worded in the inventory and as worded for the person.
const LEFT_OUT: [(&str, &str); 7] = [
    (MADE, "What a model computed from these texts. It says nothing that the texts do not say."),
    (WORKINGS, "What only serves the database."),
    ("names a member of staff; the kind of actor is given", "The names of members of staff."),
    ("a secret of the key", "The secrets of keys, with which anybody could act for you."),
    (
        "whoever has it can tell which team facts the user contributed to",
        "The mark that ties you to your statements for the team: whoever has it can tell which ones are yours.",
    ),
    (
        "fingerprints of what was erased, until its absence is proved",
        "What proves that erased texts are gone, until it is proved.",
    ),
    ("held for the moment between the confirmation and the erasure only", "What is held only for the moment of an erasure."),
];

/// Lists the reasons, each once. Columns that are not about the user are outside the right of access; internal pseudonyms add
/// nothing.
fn left_out(cover: &Cover<'_>) -> String {
    let beside = cover.beside.iter().map(|own| own.why);
    let mut reasons: Vec<&str> = reasons().chain(beside).filter(|why| ![INSIDE, NOT_ABOUT].contains(why)).collect();
    reasons.sort_unstable();
    reasons.dedup();
    let mut text =
        "<p>Numbers, dates of use, and names that the program made for itself are in the copy for programs (JSON), which you \
                    may ask for as well. Neither copy has:</p><ul>"
            .to_owned();
    for why in reasons {
        let words = LEFT_OUT.iter().find(|(reason, _)| *reason == why).map_or(why, |(_, words)| *words);
        let _ = write!(text, "<li>{}</li>", escaped(words));
    }
    text + "</ul>"
}

/// Returns the reasons why columns of the user's tables are left out.
fn reasons() -> impl Iterator<Item = &'static str> {
    let columns = TABLES.iter().filter(|table| table.is_about_users()).flat_map(|table| table.columns);
    columns.filter_map(|column| match column.export {
        Export::Given => None,
        Export::Withheld(why) => Some(why),
    })
}

/// `1 message`, `1,203 messages`
fn many(count: u64, one: &str, more: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { more })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use domain::erasure::inventory::Belongs;

    #[test]
    fn every_table_that_is_exported_is_in_the_document_once() {
        let exported = TABLES.iter().filter(|table| !matches!(table.belongs, Belongs::Nobody | Belongs::GoneFact(_)));
        let exported: BTreeSet<&str> =
            exported.filter(|table| table.exported().next().is_some()).map(|table| table.name).collect();
        // The audit log is read separately, together with its reasons.
        let told: Vec<&str> =
            SECTIONS.iter().flat_map(|section| section.tables).chain(&["audit", "audit_reasons"]).copied().collect();
        assert_eq!(told.iter().copied().collect::<BTreeSet<_>>(), exported);
        assert_eq!(told.len(), exported.len(), "none is told twice");
    }

    #[test]
    fn every_reason_to_leave_something_out_is_said_for_a_person() {
        for why in reasons().filter(|why| ![INSIDE, NOT_ABOUT].contains(why)) {
            assert!(LEFT_OUT.iter().any(|(reason, _)| *reason == why), "{why}");
        }
    }

    #[test]
    fn many_messages_are_one_sentence() {
        let day = |n: i64| Moment(n * DAY_MS);
        let places = [("web".to_owned(), 1_200), ("telegram".to_owned(), 3)].into();
        let sum = Sum { rows: 1_203, empty: 1_203, days: Some((day(20_000), day(20_030))), places };
        assert_eq!(
            summary("exchanges", &sum),
            "You wrote 1,203 messages between 4 October 2024 and 3 November 2024: 3 on telegram, 1,200 on web. Each was read to find \
             what is listed here. Their texts are deleted; the dates are held."
        );
    }
}
