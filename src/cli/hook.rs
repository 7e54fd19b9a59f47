//! `keepsake hook`: connects a coding agent that runs commands at certain moments, such as Claude Code and Codex.
//!
//! At the start of a session and before each message it prints what is remembered; after a reply it sends what was said. It must
//! never stop or break the agent: whatever happens, it ends in time and with 0, and says one line on stderr.

mod sent;
mod transcript;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueEnum};
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;

use super::remote::{Remote, Server};
use super::{Exit, Failure, complain};
use domain::facts::provenance::Surface;
use domain::loose::without_half_characters;
use sent::SessionNote;
use service::recall::QUERY_MAX_CHARS;
use transcript::{Transcript, TranscriptExchange};

/// Longest input that is read from an agent.
const INPUT_MAX_BYTES: u64 = 4 << 20;
/// Longest transcript that is read: its end, if it is longer.
const TRANSCRIPT_MAX_BYTES: u64 = 64 << 20;
const DEFAULT_URL: &str = "http://127.0.0.1:3000";

/// The moment at which the agent calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum HookMoment {
    /// Prints what is remembered that fits the project.
    SessionStart,
    /// Prints what is remembered that fits the message.
    UserPrompt,
    /// Sends what was said since the last time. Also for the end of a turn.
    SessionEnd,
}

#[derive(Args)]
pub struct Hook {
    moment: HookMoment,
    #[command(flatten)]
    server: Server,
    /// The surface on which all this is said.
    #[arg(long, default_value = "coding-agent")]
    surface: String,
    /// Milliseconds after which it gives up.
    #[arg(long, default_value_t = 2_000)]
    timeout_ms: u64,
}

/// What agents put into their input; other fields are ignored.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Input {
    session_id: Option<String>,
    transcript_path: Option<PathBuf>,
    cwd: Option<PathBuf>,
    hook_event_name: Option<String>,
    prompt: Option<String>,
    last_assistant_message: Option<String>,
}

/// Always ends well: an agent would take another exit code for a wish to stop it.
pub async fn run(command: Hook) -> Exit {
    let done = async {
        let input = input().await?;
        command.carry_out(input).await
    };
    match tokio::time::timeout(Duration::from_millis(command.timeout_ms), done).await {
        Ok(Ok(())) => {}
        Ok(Err(failure)) => drop(complain(&failure)),
        Err(_) => drop(complain(&Failure::Said("the server did not answer in time".to_owned()))),
    }
    Ok(ExitCode::SUCCESS)
}

async fn input() -> Result<Input, Failure> {
    let mut bytes = Vec::new();
    tokio::io::stdin().take(INPUT_MAX_BYTES).read_to_end(&mut bytes).await?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    serde_json::from_str(&without_half_characters(text))
        .map_err(|_| Failure::Said("the agent's input on stdin is not the JSON of a hook".to_owned()))
}

impl Hook {
    async fn carry_out(&self, input: Input) -> Result<(), Failure> {
        let url = self.server.url.as_deref().unwrap_or(DEFAULT_URL);
        let remote = Remote::new(url, &self.server, Duration::from_millis(self.timeout_ms))?;
        let surface = Surface::new(&self.surface)?;
        match self.moment {
            HookMoment::SessionStart => self.recall(&remote, &surface, "SessionStart", &about(input.cwd.as_deref())).await,
            HookMoment::UserPrompt => match input.prompt.filter(|prompt| !prompt.trim().is_empty()) {
                Some(prompt) => self.recall(&remote, &surface, "UserPromptSubmit", &prompt).await,
                None => Ok(()),
            },
            HookMoment::SessionEnd => self.send(&remote, &surface, input).await,
        }
    }

    /// Prints what is remembered as the agent expects it; nothing if nothing is.
    async fn recall(&self, remote: &Remote, surface: &Surface, event: &str, query: &str) -> Result<(), Failure> {
        // NUL is in no word, and a search that has it is refused.
        let query: String = query.chars().filter(|c| *c != '\0').take(QUERY_MAX_CHARS).collect();
        let question = json!({"user_id": self.server.user, "surface": surface.as_str(), "query": query});
        let answer = self.post(remote, "/v1/recall", &question).await?;
        if let Some(block) = answer["prompt"].as_str().filter(|block| !block.is_empty()) {
            super::print_json(&json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": block}}))?;
        }
        Ok(())
    }

    /// Sends the exchanges of the transcript that were not sent before, oldest first. Each has an id of its own, so that none
    /// is learned twice even if the note of what was sent is lost.
    async fn send(&self, remote: &Remote, surface: &Surface, input: Input) -> Result<(), Failure> {
        let Some(path) = input.transcript_path else {
            return Err(Failure::Said("the agent's input names no transcript".to_owned()));
        };
        let text = tail(&path).map_err(|error| Failure::Said(format!("the transcript cannot be read: {error}")))?;
        let session = input.session_id.unwrap_or_default();
        let Transcript { mut exchanges, unreadable } = Transcript::read(&text, &session);
        // The reply may still be missing in the file, or its end; it comes with the input, or with the next call.
        let last_said = input.last_assistant_message.map(|reply| transcript::without_inserted(&reply)).unwrap_or_default();
        if let Some(last) = exchanges.last_mut() {
            last.continue_with(&last_said);
            if last.reply.is_empty() && input.hook_event_name.as_deref() != Some("SessionEnd") {
                exchanges.pop();
            }
        }
        let mut sent = SessionNote::of(&session)?;
        let rest = sent.rest(&exchanges);
        let before = exchanges.len() - rest.len();
        let lost = unreadable.iter().filter(|at| **at >= before).count();
        if lost > 0 {
            let _ = complain(&Failure::Said(format!(
                "lines of the transcript that cannot be read, and were left out with what was said in them: {lost}"
            )));
        }
        for exchange in rest {
            let record = self.record(surface, &session, exchange);
            let answer = self.post(remote, "/v1/exchanges", &record).await;
            // What the server refuses once it would refuse each time: it is not sent again.
            match answer {
                Ok(_) => {}
                Err(ServerRefusal::Final(why)) => drop(complain(&why)),
                Err(ServerRefusal::Passing(why)) => return Err(why),
            }
            sent.mark(&exchange.id)?;
        }
        Ok(())
    }

    fn record(&self, surface: &Surface, session: &str, exchange: &TranscriptExchange) -> Value {
        let thread = Some(session).filter(|session| !session.is_empty() && session.len() <= 256);
        json!({"id": exchange.id, "user_id": self.server.user, "surface": surface.as_str(), "thread": thread, "at": exchange.at,
            "user": exchange.message, "assistant": exchange.reply})
    }

    async fn post(&self, remote: &Remote, path: &str, body: &Value) -> Result<Value, ServerRefusal> {
        let answer = remote.post(path, body.to_string().into_bytes(), HeaderMap::new()).await.map_err(ServerRefusal::Passing)?;
        let value: Value = serde_json::from_slice(&answer.body).unwrap_or(Value::Null);
        if (200..300).contains(&answer.status) {
            return Ok(value);
        }
        let detail = value["detail"].as_str().map(str::to_owned);
        let why = Failure::Said(detail.unwrap_or_else(|| format!("the server answered with status {}", answer.status)));
        Err(if [400, 413, 422].contains(&answer.status) { ServerRefusal::Final(why) } else { ServerRefusal::Passing(why) })
    }
}

/// Why the server did not take something.
enum ServerRefusal {
    /// It never will.
    Final(Failure),
    /// It may, later.
    Passing(Failure),
}

impl From<ServerRefusal> for Failure {
    fn from(refusal: ServerRefusal) -> Self {
        match refusal {
            ServerRefusal::Final(why) | ServerRefusal::Passing(why) => why,
        }
    }
}

/// What to ask when a session starts and nothing was said yet.
fn about(folder: Option<&Path>) -> String {
    let project = folder.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    format!("How this user works, and what they prefer, in the project {project}").trim_end().to_owned()
}

/// The text of a file, or the whole lines at the end of a long one.
fn tail(path: &Path) -> std::io::Result<String> {
    use std::io::{Read, Seek, SeekFrom};
    let mut file = std::fs::File::open(path)?;
    let length = file.metadata()?.len();
    let skipped = length.saturating_sub(TRANSCRIPT_MAX_BYTES);
    file.seek(SeekFrom::Start(skipped))?;
    let mut bytes = Vec::new();
    file.take(TRANSCRIPT_MAX_BYTES).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(if skipped == 0 { text } else { text.split_once('\n').map(|(_, rest)| rest.to_owned()).unwrap_or_default() })
}
