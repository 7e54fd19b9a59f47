//! Standard input and output: one message is one line.

use std::io;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::messages;
use crate::api::BODY_MAX_BYTES;

/// Answers that wait for a client that does not read.
const WAITING: usize = 64;

/// Reads the messages of a client.
pub struct Lines<R> {
    reader: BufReader<R>,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub fn of(reader: R) -> Self {
        Self { reader: BufReader::new(reader) }
    }

    /// The next message, or the answer to a line that is none. A line costs no other, whatever is in it. `None`: the client has
    /// closed its end. A call that is not waited for loses what it has read.
    pub async fn next(&mut self) -> io::Result<Option<Result<Value, Value>>> {
        while let Some((line, whole)) = self.line().await? {
            if !whole {
                return Ok(Some(Err(messages::too_long(&line))));
            }
            if !line.trim_ascii().is_empty() {
                return Ok(Some(messages::read(&line)));
            }
        }
        Ok(None)
    }

    /// The next line, or the beginning of one that is too long. The last one may lack its end.
    async fn line(&mut self) -> io::Result<Option<(Vec<u8>, bool)>> {
        let (mut line, mut whole) = (Vec::new(), true);
        loop {
            let part = self.reader.fill_buf().await?;
            if part.is_empty() {
                return Ok((!line.is_empty()).then_some((line, whole)));
            }
            let end = part.iter().position(|byte| *byte == b'\n');
            let (text, taken) = (&part[..end.unwrap_or(part.len())], end.map_or(part.len(), |end| end + 1));
            let room = BODY_MAX_BYTES - line.len();
            whole &= text.len() <= room;
            line.extend_from_slice(&text[..text.len().min(room)]);
            self.reader.consume(taken);
            if end.is_some() {
                return Ok(Some((line, whole)));
            }
        }
    }
}

/// Writes each answer as one line until all senders are gone.
#[must_use]
pub fn answering() -> (mpsc::Sender<String>, JoinHandle<io::Result<()>>) {
    let (answers, mut answered) = mpsc::channel::<String>(WAITING);
    let writing = tokio::spawn(async move {
        let mut out = tokio::io::stdout();
        while let Some(line) = answered.recv().await {
            out.write_all(line.as_bytes()).await?;
            out.write_all(b"\n").await?;
            out.flush().await?;
        }
        Ok(())
    });
    (answers, writing)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn a_line_that_is_no_message_costs_no_other() {
        let ping = |id: u32| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}");
        let long = format!("{{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"{}\"}}", "x".repeat(BODY_MAX_BYTES));
        let sent =
            [ping(1).as_bytes(), b"\xfe\xff", b"  \r", ping(2).as_bytes(), long.as_bytes(), ping(4).as_bytes()].join(&b'\n');
        let (mut lines, mut read) = (Lines::of(sent.as_slice()), Vec::new());
        while let Some(message) = lines.next().await.expect("readable") {
            read.push(match message {
                Ok(message) => (true, message["id"].clone()),
                Err(answer) => (false, answer["id"].clone()),
            });
        }
        let expected = [(true, json!(1)), (false, Value::Null), (true, json!(2)), (false, json!(3)), (true, json!(4))];
        assert_eq!(read, expected);
    }
}
