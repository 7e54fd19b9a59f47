//! What an export holds, on its way to exchanges: messages in their order, and the counts that are told in the end.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Iso8601;

use super::source::Continuation;
use crate::cli::Failure;
use access::digest::sha256_hex;
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::memory::exchange::{Exchange, THREAD_MAX_BYTES, check_at};
use domain::moment::Moment;

/// The longest message that is taken in, in bytes: as over HTTP.
pub const MESSAGE_MAX: usize = 1 << 20;
/// How much of a reply is kept, in characters: it is read only beside the message.
const REPLY_CHARS: usize = 20_000;
/// Numbers from here on are milliseconds, below it seconds: the year 5138 as seconds.
const MILLISECONDS_FROM: f64 = 1e11;

/// One message.
pub struct Said {
    /// Its id in the export. Absent: made from its text and its time.
    pub id: Option<String>,
    pub at: Option<Moment>,
    /// By the person, not by the assistant.
    pub own: bool,
    pub text: String,
}

/// One conversation, oldest message first.
pub struct Conversation {
    /// With the name of the format: `chatgpt:…`. The ids of its messages begin with it.
    pub id: String,
    /// Its thread, if that is another one.
    pub thread: Option<String>,
    /// Stands for the time of a message that has none.
    pub at: Option<Moment>,
    pub messages: Vec<Said>,
}

/// Where a message is.
#[derive(Clone, Copy)]
struct MessagePlace<'a> {
    id: &'a str,
    thread: &'a str,
}

/// The counts.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub conversations: u64,
    pub exchanges: u64,
    /// Messages of both sides in these exchanges.
    pub messages: u64,
    pub memories: u64,
    pub first: Option<Moment>,
    pub last: Option<Moment>,
    /// What was left out, by reason.
    pub skipped: BTreeMap<String, u64>,
}

impl Tally {
    pub fn skip(&mut self, reason: &str) {
        self.skip_all(reason, 1);
    }

    pub fn skip_all(&mut self, reason: &str, count: usize) {
        if count > 0 {
            *self.skipped.entry(reason.to_owned()).or_default() += count as u64;
        }
    }

    /// Nothing was found, and nothing left out.
    pub fn is_empty(&self) -> bool {
        self.exchanges == 0 && self.memories == 0 && self.skipped.is_empty()
    }

    pub fn date(&mut self, at: Moment) {
        self.first = Some(self.first.map_or(at, |first| first.min(at)));
        self.last = Some(self.last.map_or(at, |last| last.max(at)));
    }

    pub fn json(&self, format: &str) -> Map<String, Value> {
        let mut counts = json!({
            "format": format,
            "conversations": self.conversations,
            "exchanges": self.exchanges,
            "messages": self.messages,
            "from": self.first.map(Moment::rfc3339),
            "to": self.last.map(Moment::rfc3339),
            "skipped": self.skipped,
        });
        if self.memories > 0 {
            counts["memories"] = self.memories.into();
        }
        if let Value::Object(counts) = counts { counts } else { Map::new() }
    }
}

/// Gets the exchanges.
pub type Sink<'a> = dyn FnMut(Exchange) -> Result<Continuation, Failure> + 'a;

/// Makes exchanges of one person from conversations: a message, and all that the assistant answered before the next.
pub struct Maker<'a> {
    pub user: UserId,
    pub surface: Surface,
    pub now: Moment,
    pub tally: &'a mut Tally,
    pub sink: &'a mut Sink<'a>,
}

impl Maker<'_> {
    pub fn take(&mut self, conversation: Conversation) -> Result<Continuation, Failure> {
        let Conversation { id, thread, at, messages } = conversation;
        let of = MessagePlace { id: &id, thread: thread.as_deref().unwrap_or(&id) };
        let before = self.tally.exchanges;
        let mut open: Option<(Said, Vec<String>)> = None;
        // A message without a time has that of the one before it.
        let mut at = at;
        for mut said in messages {
            at = said.at.or(at);
            said.at = at;
            if said.own {
                if self.close(of, open.replace((said, Vec::new())))? == Continuation::Stop {
                    return Ok(Continuation::Stop);
                }
            } else if let Some((_, reply)) = &mut open {
                reply.push(said.text);
            } else {
                self.tally.skip("reply_without_message");
            }
        }
        let next = self.close(of, open)?;
        self.tally.conversations += u64::from(self.tally.exchanges > before);
        Ok(next)
    }

    fn close(&mut self, of: MessagePlace<'_>, open: Option<(Said, Vec<String>)>) -> Result<Continuation, Failure> {
        let Some((said, reply)) = open else { return Ok(Continuation::More) };
        let Some(at) = said.at else {
            self.tally.skip("no_date");
            return Ok(Continuation::More);
        };
        if check_at(at, self.now).is_err() {
            self.tally.skip("date_in_the_future");
            return Ok(Continuation::More);
        }
        if said.text.len() > MESSAGE_MAX {
            self.tally.skip("too_long");
            return Ok(Continuation::More);
        }
        let own = said.id.unwrap_or_else(|| sha256_hex(format!("{}\n{}", at.0, said.text).as_bytes()));
        let answers = reply.len() as u64;
        let reply = reply.join("\n\n");
        let exchange = Exchange {
            external_id: Some(short(&format!("{}:{own}", of.id))),
            user: Some(self.user.clone()),
            surface: self.surface.clone(),
            thread: Some(short(of.thread)),
            at,
            message: said.text,
            reply: reply.char_indices().nth(REPLY_CHARS).map_or(reply.as_str(), |(end, _)| &reply[..end]).to_owned(),
        };
        self.tally.exchanges += 1;
        self.tally.messages += 1 + answers;
        self.tally.date(at);
        (self.sink)(exchange)
    }
}

/// An id or a thread that fits; a longer one is replaced by its digest.
fn short(id: &str) -> String {
    if id.len() <= THREAD_MAX_BYTES { id.to_owned() } else { sha256_hex(id.as_bytes()) }
}

/// A time as exports write it: RFC 3339, the same without a zone (then it is UTC) or without a time of day, or seconds or milliseconds since 1970 as a
/// number or as a text.
pub fn moment(value: &Value) -> Option<Moment> {
    match value {
        Value::Number(number) => since_1970(number.as_f64()?),
        Value::String(text) => {
            let text = text.trim();
            if let Ok(number) = text.parse::<f64>() {
                return since_1970(number);
            }
            let whole = text.replacen(' ', "T", 1);
            let zoned = Moment::parse(&whole).or_else(|| Moment::parse(&format!("{whole}Z")));
            zoned.or_else(|| Moment::parse(&format!("{whole}T00:00:00Z"))).or_else(|| {
                let at = OffsetDateTime::parse(&whole, &Iso8601::DEFAULT).ok()?;
                i64::try_from(at.unix_timestamp_nanos() / 1_000_000).ok().map(Moment)
            })
        }
        _ => None,
    }
}

#[allow(clippy::cast_possible_truncation, reason = "checked to be within the years that a time can have")]
fn since_1970(number: f64) -> Option<Moment> {
    let ms = if number.abs() >= MILLISECONDS_FROM { number } else { number * 1000.0 };
    (ms.is_finite() && ms.abs() < 2.5e14 && ms != 0.0).then(|| Moment(ms.round() as i64))
}

/// Whether an attachment is a text that was pasted into a message, by its name: it became an attachment because it is long. One that has
/// a name of its own is a file, which somebody else may have written.
pub fn is_pasted(name: &Value) -> bool {
    text_of(name).is_none_or(|name| name.to_lowercase().contains("paste"))
}

/// A text that says something.
pub fn text_of(value: &Value) -> Option<&str> {
    value.as_str().map(str::trim).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_exports_write_them() {
        let at = Moment::parse("2026-11-01T10:00:00Z");
        for written in [
            json!("2026-11-01T10:00:00Z"),
            json!("2026-11-01T11:00:00+01:00"),
            json!("2026-11-01T10:00:00.000000Z"),
            json!("2026-11-01T10:00:00"),
            json!("2026-11-01 10:00:00"),
            json!(1_793_527_200),
            json!(1_793_527_200.000_4),
            json!(1_793_527_200_000_i64),
            json!("1793527200.000000"),
        ] {
            assert_eq!(moment(&written), at, "{written}");
        }
        assert_eq!(moment(&json!("2026-11-01")), Moment::parse("2026-11-01T00:00:00Z"));
        for wrong in [json!(null), json!("yesterday"), json!(""), json!(true), json!([1]), json!(1e300), json!(0), json!("NaN")] {
            assert_eq!(moment(&wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_message_and_its_answers_are_one_exchange() {
        let said = |own: bool, text: &str, at: Option<i64>| Said {
            id: Some(text.to_owned()),
            at: at.map(Moment),
            own,
            text: text.to_owned(),
        };
        let messages = vec![
            said(false, "welcome", Some(1)),
            said(true, "a", Some(2)),
            said(false, "b", None),
            said(false, "c", Some(3)),
            said(true, "d", None),
            said(true, "e", Some(9_000_000_000_000)),
            said(true, &"x".repeat(MESSAGE_MAX + 1), Some(4)),
        ];
        let (mut tally, mut made) = (Tally::default(), Vec::new());
        let mut sink = |exchange| {
            made.push(exchange);
            Ok(Continuation::More)
        };
        let mut maker = Maker {
            user: UserId::new("anna").expect("valid"),
            surface: Surface::new("chatgpt").expect("valid"),
            now: Moment(1_800_000_000_000),
            tally: &mut tally,
            sink: &mut sink,
        };
        maker.take(Conversation { id: "chatgpt:1".to_owned(), thread: None, at: None, messages }).expect("made");
        let short = |exchange: &Exchange| (exchange.message.clone(), exchange.reply.clone(), exchange.at.0);
        let made: Vec<_> = made.iter().map(short).collect();
        assert_eq!(made, [("a".to_owned(), "b\n\nc".to_owned(), 2), ("d".to_owned(), String::new(), 3)]);
        let skipped = [("date_in_the_future", 1), ("reply_without_message", 1), ("too_long", 1)];
        assert_eq!(tally.skipped, skipped.map(|(reason, count)| (reason.to_owned(), count)).into());
        assert_eq!((tally.conversations, tally.exchanges, tally.messages), (1, 2, 4));
        assert_eq!((tally.first, tally.last), (Some(Moment(2)), Some(Moment(3))));
    }
}
