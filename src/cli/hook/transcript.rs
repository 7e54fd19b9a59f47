//! The transcript of a coding agent as exchanges: what the user typed, and what the agent said to it.
//!
//! A transcript is JSON, one record a line. Claude Code writes `{"type":"user"|"assistant","message":{…},"uuid",…}`; Codex writes
//! `{"type":"event_msg","payload":{"type":"user_message"|"agent_message","message"},"timestamp"}`. Everything else is left out:
//! calls of tools and their output, thoughts, the talk of sub-agents, and what the program itself inserts. Lines that cannot be
//! read are skipped and counted, but for the last one, which may still be written.

use serde_json::Value;

use domain::loose::without_half_characters;
use domain::memory::own_words::own_words;

/// Longest message and reply in characters; nothing that a person types, or wants remembered, is longer.
const TEXT_MAX_CHARS: usize = 60_000;

/// One message and the reply to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranscriptExchange {
    /// The same in every reading of the transcript, also if the session is resumed.
    pub id: String,
    /// As the agent wrote it.
    pub at: Option<String>,
    pub message: String,
    /// Empty while there is none.
    pub reply: String,
}

impl TranscriptExchange {
    /// Adds the end of the reply, unless it is there.
    pub fn continue_with(&mut self, text: &str) {
        if !self.reply.contains(text) {
            let gap = if self.reply.is_empty() { "" } else { "\n\n" };
            self.reply = short(&format!("{}{gap}{text}", self.reply));
        }
    }
}

/// Who said something.
enum Utterance {
    User { id: Option<String>, text: String },
    Agent(String),
}

/// What is in a transcript.
pub struct Transcript {
    /// Oldest first.
    pub exchanges: Vec<TranscriptExchange>,
    /// For each line that is no JSON, how many exchanges began before it.
    pub unreadable: Vec<usize>,
}

impl Transcript {
    pub fn read(text: &str, session: &str) -> Self {
        let (mut found, mut unreadable): (Vec<TranscriptExchange>, _) = (Vec::new(), Vec::new());
        let mut lines = text.lines().filter(|line| !line.trim().is_empty()).peekable();
        while let Some(line) = lines.next() {
            let Ok(record) = serde_json::from_str::<Value>(&without_half_characters(line)) else {
                // The last line may still be written; the next call reads it.
                if lines.peek().is_some() {
                    unreadable.push(found.len());
                }
                continue;
            };
            match claude(&record).or_else(|| codex(&record)) {
                Some(Utterance::User { id, text }) => {
                    // Commands, their output and reminders are blocks with tags of the program.
                    let text = without_inserted(&text);
                    if text.is_empty() {
                        continue;
                    }
                    let at = record["timestamp"].as_str().map(str::to_owned);
                    // Codex gives messages no id; nobody types two in one millisecond.
                    let moment = || at.clone().unwrap_or_else(|| found.len().to_string());
                    let id = id.map_or_else(|| format!("codex:{session}:{}", moment()), |id| format!("claude-code:{id}"));
                    found.push(TranscriptExchange { id, at, message: text, reply: String::new() });
                }
                Some(Utterance::Agent(text)) => {
                    if let Some(last) = found.last_mut() {
                        last.continue_with(&without_inserted(&text));
                    }
                }
                None => {}
            }
        }
        Self { exchanges: found, unreadable }
    }
}

fn claude(record: &Value) -> Option<Utterance> {
    let kind = record["type"].as_str()?;
    let inserted = ["isSidechain", "isMeta", "isCompactSummary", "isApiErrorMessage"].iter().any(|mark| record[*mark] == true);
    if inserted || !["user", "assistant"].contains(&kind) {
        return None;
    }
    let text = text_of(&record["message"]["content"])?;
    if kind == "assistant" {
        return Some(Utterance::Agent(text));
    }
    let id = record["uuid"].as_str().map(str::to_owned);
    (!text.trim_start().starts_with("[Request interrupted")).then_some(Utterance::User { id, text })
}

fn codex(record: &Value) -> Option<Utterance> {
    if record["type"] != "event_msg" {
        return None;
    }
    let payload = &record["payload"];
    let text = payload["message"].as_str()?.to_owned();
    match payload["type"].as_str()? {
        "user_message" => Some(Utterance::User { id: None, text }),
        "agent_message" => Some(Utterance::Agent(text)),
        _ => None,
    }
}

/// The text of a message: itself, or its blocks of text. `None`: it has none, such as the result of a tool.
fn text_of(content: &Value) -> Option<String> {
    if let Some(text) = content.as_str() {
        return Some(text.to_owned());
    }
    let blocks = content.as_array()?.iter().filter(|block| block["type"] == "text");
    let texts: Vec<&str> = blocks.filter_map(|block| block["text"].as_str()).collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

/// A text without the blocks that a program put in: reminders, selections, and recalled memories, which would otherwise be learned again.
pub fn without_inserted(text: &str) -> String {
    short(own_words(text).trim())
}

fn short(text: &str) -> String {
    text.chars().take(TEXT_MAX_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLAUDE: &str = include_str!("../../tests/data/hooks/claude-code.jsonl");
    const CODEX: &str = include_str!("../../tests/data/hooks/codex.jsonl");

    fn exchanges(text: &str, session: &str) -> Vec<TranscriptExchange> {
        Transcript::read(text, session).exchanges
    }

    fn said(exchanges: &[TranscriptExchange]) -> Vec<(&str, &str, &str)> {
        exchanges.iter().map(|e| (e.id.as_str(), e.message.as_str(), e.reply.as_str())).collect()
    }

    #[test]
    fn a_transcript_of_claude_code_is_what_was_typed_and_what_was_said() {
        let found = exchanges(CLAUDE, "5f3c");
        assert_eq!(
            said(&found),
            [
                ("claude-code:u-1", "Remember that I prefer tabs over spaces.", "I will use tabs.\n\nDone."),
                ("claude-code:u-2", "Run the tests", "All tests pass."),
                ("claude-code:u-3", "Thanks", ""),
            ]
        );
        assert_eq!(found[0].at.as_deref(), Some("2026-11-20T09:00:00.000Z"));
    }

    #[test]
    fn a_transcript_of_codex_is_what_was_typed_and_what_was_said() {
        assert_eq!(
            said(&exchanges(CODEX, "0199")),
            [
                ("codex:0199:2026-11-20T10:00:01.000Z", "I work mostly on the iOS app.", "Noted."),
                ("codex:0199:2026-11-20T10:01:00.000Z", "Fix the build", "The build works again."),
            ]
        );
    }

    #[test]
    fn a_cut_or_foreign_transcript_is_read_as_far_as_it_goes() {
        assert!(exchanges("not JSON\n[1,2]\n{\"type\":\"user\"}\n{\"type\":7}\nnull\n", "s").is_empty());
        let cut = &CLAUDE[..CLAUDE.len() - 20];
        assert_eq!(exchanges(cut, "5f3c").len(), 2);
    }

    #[test]
    fn half_a_character_costs_no_line_and_a_line_that_is_lost_is_counted() {
        let half = CLAUDE.replacen("tabs over spaces", "tabs \\udc4d over spaces", 1);
        let read = Transcript::read(&half, "s");
        assert_eq!(
            (read.exchanges[0].message.as_str(), read.unreadable),
            ("Remember that I prefer tabs \u{fffd} over spaces.", vec![])
        );
        let lost =
            CLAUDE.replacen("\"Thanks\"", "\"Thanks", 1).replacen("Run the tests\"", "Run the tests", 1) + "\n{\"type\":\"us";
        let read = Transcript::read(&lost, "s");
        assert_eq!((read.exchanges.len(), read.unreadable), (1, vec![1, 1]));
    }

    #[test]
    fn what_was_typed_beside_a_reminder_or_a_selection_stays() {
        let line = |content: Value| {
            let record = serde_json::json!({"type": "user", "uuid": "u", "message": {"role": "user", "content": content}});
            exchanges(&record.to_string(), "s").into_iter().map(|exchange| exchange.message).collect::<Vec<_>>()
        };
        let text = |text: &str| serde_json::json!({"type": "text", "text": text});
        assert_eq!(
            line(Value::from("I squash commits.\n<system-reminder>\nThe user merges.\n</system-reminder>")),
            ["I squash commits."]
        );
        let (reminder, own) = (text("<system-reminder>Be brief.</system-reminder>"), text("I squash commits."));
        assert_eq!(line(Value::from(vec![reminder.clone(), own.clone()])), ["I squash commits."]);
        assert_eq!(line(Value::from(vec![text("<ide_selection>I live on Mars.</ide_selection>"), own])), ["I squash commits."]);
        assert!(line(Value::from(vec![reminder])).is_empty());
        assert!(line(Value::from("<command-name>/clear</command-name>\n<command-args></command-args>")).is_empty());
    }

    #[test]
    fn recalled_memories_are_not_learned_again() {
        let text = "before <keepsake_memories>\n- User likes tea\n</keepsake_memories> after";
        assert_eq!(without_inserted(text), "before  after");
        assert_eq!(without_inserted("a <keepsake_memories> never closed"), "a");
        assert_eq!(without_inserted("<keepsake_memories>x</keepsake_memories>"), "");
    }
}
