//! `keepsake import`: exchanges, an export of our own, or what another product exported.

mod chatgpt;
mod claude;
mod conversations;
mod format;
mod memories;
mod progress;
mod slack;
mod source;

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use self::conversations::{Maker, Tally};
use self::format::Format;
use self::progress::Progress;
use self::slack::Whose;
use self::source::{Next, Source};
use super::{Exit, Failure, print_json, wiring};
use crate::access::callers::Caller;
use crate::api::wire::ExchangeRecord;
use crate::config::Config;
use crate::domain::exchange::{Exchange, ExchangeStatus};
use crate::domain::moment::Moment;
use crate::domain::people::UserId;
use crate::domain::provenance::Surface;
use crate::ports::clock::{Clock, SystemClock};
use crate::service::Keepsake;
use crate::service::take_in::{AT_A_TIME, Dated};

/// How often a running server is asked for its progress.
const ASK_EVERY: Duration = Duration::from_millis(100);
/// How much is read ahead of what is stored.
const AHEAD: usize = 64;

#[derive(Args)]
pub struct Import {
    file: PathBuf,
    /// Checks the file, counts what it holds, and stores nothing.
    #[arg(long)]
    dry_run: bool,
    #[arg(long, value_enum, default_value = "auto")]
    format: Format,
    /// Whose memories and conversations they are, for what another product exported.
    #[arg(long)]
    user: Option<String>,
    /// Whose messages or memories are taken in, by the id in the export: of a Slack workspace, or of a list of memories of several
    /// users.
    #[arg(long)]
    member: Option<String>,
    /// Also takes in what the member wrote in Slack to one or a few people.
    #[arg(long)]
    dms: bool,
}

pub async fn run(config: &Config, command: &Import) -> Exit {
    let format = match command.format {
        Format::Auto => format::detect(&mut Source::open(&command.file)?)?,
        named => named,
    };
    match format {
        Format::Auto | Format::Exchanges => exchanges(config, command).await,
        Format::Export => take_back(config, command).await,
        Format::Mem0 => take_in_memories(config, command).await,
        Format::Chatgpt | Format::Claude | Format::Slack => take_in_conversations(config, command, format).await,
    }
}

async fn exchanges(config: &Config, command: &Import) -> Exit {
    let exchanges = check(&command.file, SystemClock.now())?;
    if command.dry_run {
        return print_json(&json!({ "exchanges": exchanges.len(), "stored": 0 }));
    }
    let mut import = Taking::begin(config, exchanges.len() as u64).await?;
    for exchange in exchanges {
        import.take(exchange).await?;
    }
    import.end(Map::new()).await
}

async fn take_back(config: &Config, command: &Import) -> Exit {
    let export =
        std::fs::read_to_string(&command.file).map_err(|error| Failure::Said(format!("{}: {error}", command.file.display())))?;
    let (keepsake, _) = wiring::open(config, None).await?;
    let taken = keepsake.import_export(&Caller::command_line(), &export, command.dry_run).await?;
    print_json(&json!({
        "memories": taken.memories,
        "notes": taken.notes,
        "preferences": taken.preferences,
        "profile_fields": taken.fields,
        "known": taken.known,
        "no_room": taken.no_room,
        "not_imported": taken.left,
    }))
}

/// What another product exported, and for whom.
#[derive(Clone)]
struct Foreign {
    file: PathBuf,
    format: Format,
    user: UserId,
    member: Option<String>,
    dms: bool,
    now: Moment,
}

impl Foreign {
    fn of(command: &Import, format: Format) -> Result<Self, Failure> {
        let user = command.user.clone();
        let user = user.ok_or_else(|| Failure::Said(format!("name whose {} export this is with --user", format.name())))?;
        Ok(Self {
            file: command.file.clone(),
            format,
            user: UserId::new(user)?,
            member: command.member.clone(),
            dms: command.dms,
            now: SystemClock.now(),
        })
    }

    /// Reads all conversations and gives their exchanges, oldest of each conversation first.
    fn walk(&self, tally: &mut Tally, sink: &mut dyn FnMut(Exchange) -> Result<Next, Failure>) -> Result<(), Failure> {
        let mut source = Source::open(&self.file)?;
        let surface = Surface::new(self.format.name())?;
        let mut maker = Maker { user: self.user.clone(), surface, now: self.now, tally, sink };
        if self.format == Format::Slack {
            let member = self.member.clone();
            let member = member.ok_or_else(|| {
                Failure::Said("name whose messages are taken in with --member; users.json lists the ids".to_owned())
            })?;
            if !slack::is_export(&source.names()) {
                return Err(Failure::Said(format!("{}: this is no archive that Slack exported", self.file.display())));
            }
            return slack::read(&mut source, &Whose { member, direct: self.dms }, &mut maker);
        }
        let read = if self.format == Format::Chatgpt { chatgpt::read } else { claude::read };
        for name in format::lists(&source) {
            let mut ended = Next::More;
            source.each(&name, &[], &mut |value| {
                match read(&value, maker.tally) {
                    Some(conversation) => ended = maker.take(conversation)?,
                    None => maker.tally.skip("malformed"),
                }
                Ok(ended)
            })?;
            if ended == Next::Stop {
                break;
            }
        }
        Ok(())
    }

    /// Reads all memories.
    fn walk_memories(&self, tally: &mut Tally, take: &mut dyn FnMut(Dated) -> Result<Next, Failure>) -> Result<(), Failure> {
        let mut source = Source::open(&self.file)?;
        for name in format::lists(&source) {
            memories::read(&mut source, &name, self.member.as_deref(), self.now, tally, take)?;
        }
        Ok(())
    }
}

/// Runs work on files where it keeps nobody waiting.
async fn apart<T: Send + 'static>(work: impl FnOnce() -> Result<T, Failure> + Send + 'static) -> Result<T, Failure> {
    spawn_blocking(work).await.map_err(|error| Failure::Said(error.to_string()))?
}

/// The whole file is read first, so that one that is damaged is refused before anything is stored; then again, as fast as it can be
/// stored.
async fn take_in_conversations(config: &Config, command: &Import, format: Format) -> Exit {
    let foreign = Foreign::of(command, format)?;
    let counting = foreign.clone();
    let tally = apart(move || {
        let mut tally = Tally::default();
        counting.walk(&mut tally, &mut |_| Ok(Next::More))?;
        Ok(tally)
    })
    .await?;
    let mut summary = tally.json(format.name());
    if command.dry_run {
        summary.insert("stored".to_owned(), 0.into());
        return print_json(&summary);
    }
    let mut import = Taking::begin(config, tally.exchanges).await?;
    let (send, mut ahead) = mpsc::channel(AHEAD);
    let walking = apart(move || {
        foreign.walk(&mut Tally::default(), &mut |exchange| {
            Ok(if send.blocking_send(exchange).is_ok() { Next::More } else { Next::Stop })
        })
    });
    let walking = tokio::spawn(walking);
    while let Some(exchange) = ahead.recv().await {
        import.take(exchange).await?;
    }
    walking.await.map_err(|error| Failure::Said(error.to_string()))??;
    import.end(summary).await
}

async fn take_in_memories(config: &Config, command: &Import) -> Exit {
    let foreign = Foreign::of(command, Format::Mem0)?;
    let counting = foreign.clone();
    let tally = apart(move || {
        let mut tally = Tally::default();
        counting.walk_memories(&mut tally, &mut |_| Ok(Next::More))?;
        Ok(tally)
    })
    .await?;
    let total = tally.messages;
    let mut summary = json!({
        "format": Format::Mem0.name(),
        "memories": total,
        "from": tally.first.map(Moment::rfc3339),
        "to": tally.last.map(Moment::rfc3339),
        "skipped": tally.skipped,
    });
    if command.dry_run {
        summary["stored"] = 0.into();
        return print_json(&summary);
    }
    let (keepsake, _) = wiring::open(config, None).await?;
    let (user, surface) = (foreign.user.clone(), Surface::new(Format::Mem0.name())?);
    let (send, mut ahead) = mpsc::channel(AHEAD);
    let walking = tokio::spawn(apart(move || {
        foreign.walk_memories(&mut Tally::default(), &mut |told| {
            Ok(if send.blocking_send(told).is_ok() { Next::More } else { Next::Stop })
        })
    }));
    let (mut progress, mut part) = (Progress::of("taking_in", total), Vec::new());
    let (mut stored, mut known, mut refused) = (0, 0, 0);
    loop {
        let next = ahead.recv().await;
        let over = next.is_none();
        part.extend(next);
        if part.len() >= AT_A_TIME || over && !part.is_empty() {
            let count = part.len() as u64;
            let taken = keepsake.take_in_memories(&Caller::command_line(), &user, &surface, std::mem::take(&mut part)).await?;
            stored += taken.memories;
            known += taken.known;
            refused += taken.refused;
            progress.advance(count);
        }
        if over {
            break;
        }
    }
    walking.await.map_err(|error| Failure::Said(error.to_string()))??;
    progress.end();
    summary["stored"] = stored.into();
    summary["known"] = known.into();
    summary["refused"] = refused.into();
    print_json(&summary)
}

/// Exchanges on their way into the inbox, and then learned.
struct Taking {
    keepsake: Keepsake,
    /// The process with the lock does the learning: this command, or a running server.
    lock: Option<wiring::Lock>,
    ids: Vec<String>,
    progress: Progress,
}

impl Taking {
    async fn begin(config: &Config, total: u64) -> Result<Self, Failure> {
        let lock = wiring::lock(config)?;
        let (keepsake, _) = wiring::open(config, lock.as_ref()).await?;
        Ok(Self { keepsake, lock, ids: Vec::new(), progress: Progress::of("taking_in", total) })
    }

    async fn take(&mut self, exchange: Exchange) -> Result<(), Failure> {
        self.ids.push(self.keepsake.accept_imported(&Caller::command_line(), exchange).await?);
        self.progress.advance(1);
        Ok(())
    }

    /// Waits until all are learned, and prints the counts. What waits for another day is not waited for.
    async fn end(self, mut summary: Map<String, Value>) -> Exit {
        let Self { keepsake, lock, ids, progress } = self;
        progress.end();
        let mut progress = Progress::of("learning", ids.len() as u64);
        let (mut parked, mut waiting) = (0, 0);
        for id in &ids {
            let status = settled(&keepsake, id, lock.is_some()).await?;
            parked += usize::from(status == ExchangeStatus::Parked);
            waiting += usize::from(status == ExchangeStatus::Queued);
            progress.advance(1);
        }
        progress.end();
        if lock.is_some() {
            keepsake.arrive_now().await?;
        }
        let counts = keepsake.store.count_facts().await?;
        let mut tell = |name: &str, value: Value| summary.insert(name.to_owned(), value);
        tell("exchanges", ids.len().into());
        tell("learned", (ids.len() - parked - waiting).into());
        tell("parked", parked.into());
        if waiting > 0 {
            tell("waiting", waiting.into());
        }
        tell("facts", json!({ "pending": counts.pending, "approved": counts.approved, "rejected": counts.rejected }));
        print_json(&summary)
    }
}

/// Waits until this exchange has left the queue; learns meanwhile if that is this process's task. It may stay in the queue if the
/// budget of the day is used up: a server, or the next import, learns it later.
async fn settled(keepsake: &Keepsake, id: &str, mine: bool) -> Result<ExchangeStatus, Failure> {
    let never = CancellationToken::new();
    loop {
        match keepsake.store.exchange_state(id).await? {
            None => return Ok(ExchangeStatus::Learned),
            Some(state) if state.status != ExchangeStatus::Queued => return Ok(state.status),
            Some(_) if mine && keepsake.learn_due(&never).await? > 0 => {}
            Some(_) if keepsake.waits_for_budget().await?.is_some() => return Ok(ExchangeStatus::Queued),
            Some(_) => sleep(ASK_EVERY).await,
        }
    }
}

/// Reads the whole file before anything is stored. Every bad line is reported on stderr.
fn check(path: &Path, now: Moment) -> Result<Vec<Exchange>, Failure> {
    let file = File::open(path).map_err(|error| Failure::Said(format!("{}: {error}", path.display())))?;
    let mut exchanges = Vec::new();
    let mut bad = 0;
    for (n, line) in BufReader::new(file).lines().enumerate() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        match exchange(&line, now) {
            Ok(exchange) => exchanges.push(exchange),
            Err(why) => {
                bad += 1;
                writeln!(std::io::stderr(), "line {}: {why}", n + 1)?;
            }
        }
    }
    if bad > 0 {
        return Err(Failure::Said(format!("{bad} lines cannot be imported; nothing was stored")));
    }
    Ok(exchanges)
}

fn exchange(line: &str, now: Moment) -> Result<Exchange, String> {
    let record: ExchangeRecord = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let user = record.user_id.clone().map(UserId::new).transpose().map_err(|problem| problem.to_string())?;
    record.into_exchange(user, now).map_err(|problem| problem.to_string())
}
