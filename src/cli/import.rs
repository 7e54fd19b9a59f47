//! `keepsake import`: exchanges, an export of our own, or what another product exported.

mod attached;
mod chatgpt;
mod claude;
mod conversations;
mod format;
mod memories;
mod names;
mod progress;
mod slack;
mod source;
mod standing;
mod text;

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use self::attached::Attached;
use self::conversations::{Maker, Tally};
use self::format::Format;
use self::memories::MemorySelection;
use self::names::UNDER;
use self::progress::Progress;
use self::slack::SlackAuthor;
use self::source::{Continuation, Source};
use super::{Exit, Failure, opening, print_json};
use crate::api::wire::ExchangeRecord;
use crate::config::{Config, ExtractorName};
use access::callers::Caller;
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::memory::exchange::{Exchange, ExchangeStatus};
use domain::moment::Moment;
use ports::clock::{Clock, SystemClock};
use service::Keepsake;
use service::transfer::import_foreign::{AT_A_TIME, DatedStatement, StatementCounts, TakenIn};
use service::transfer::import_own::TakenBack;

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
    let mut source = Source::open(&command.file)?;
    let format = match command.format {
        Format::Auto => format::detect(&mut source)?,
        named => named,
    };
    if matches!(format, Format::Exchanges | Format::Export) && !source.is_plain() {
        let path = command.file.display();
        return Err(Failure::Said(format!("{path}: this is an archive or a folder; give the file of {} in it", format.name())));
    }
    match format {
        Format::Auto | Format::Exchanges => exchanges(config, command).await,
        Format::Export => take_back(config, command).await,
        Format::Mem0 => take_in_memories(config, command).await,
        Format::Chatgpt | Format::Claude | Format::Slack => take_in_conversations(config, command, format).await,
    }
}

async fn exchanges(config: &Config, command: &Import) -> Exit {
    let exchanges = check(&command.file, SystemClock.now())?;
    if exchanges.is_empty() {
        return Err(Failure::Said(format!(
            "{}: it holds no exchange; give a file with one on each line",
            command.file.display()
        )));
    }
    let mut summary = Map::new();
    summary.insert("exchanges".to_owned(), exchanges.len().into());
    let Some(mut import) = Taking::begin(config, command.dry_run, exchanges.len() as u64).await? else {
        return dry(summary);
    };
    for exchange in exchanges {
        import.take(exchange).await?;
    }
    import.end(summary).await
}

async fn take_back(config: &Config, command: &Import) -> Exit {
    let said = |error: std::io::Error| Failure::Said(format!("{}: {error}", command.file.display()));
    let mut export = String::new();
    File::open(&command.file).and_then(text::json).and_then(|mut file| file.read_to_string(&mut export)).map_err(said)?;
    let (keepsake, _) = opening::open(config, None).await?;
    let taken = keepsake.transfer.import_export(&Caller::command_line(), &export, command.dry_run).await?;
    if taken == TakenBack::default() {
        return Err(Failure::Said(format!("{}: the export holds nothing of this user", command.file.display())));
    }
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
    fn walk(&self, tally: &mut Tally, sink: &mut dyn FnMut(Exchange) -> Result<Continuation, Failure>) -> Result<(), Failure> {
        let mut source = Source::open(&self.file)?;
        let surface = Surface::new(self.format.name())?;
        let mut maker = Maker { user: self.user.clone(), surface, now: self.now, tally, sink };
        if self.format == Format::Slack {
            let member = self.member.clone();
            let member = member.ok_or_else(|| {
                Failure::Said("name whose messages are taken in with --member; users.json lists the ids".to_owned())
            })?;
            if !slack::is_export(&source.names()) {
                return Err(source.unknown());
            }
            return slack::read(&mut source, &SlackAuthor { member, direct: self.dms }, &mut maker);
        }
        let mut attached = if self.format == Format::Chatgpt { Some(Attached::of(&self.file)?) } else { None };
        for name in format::conversations(&source) {
            let mut ended = Continuation::More;
            source.each(&name, &UNDER, &mut |value| {
                if let Err(reason) = standing::of_talk(&value, maker.now) {
                    maker.tally.skip(reason);
                    return Ok(ended);
                }
                let read = match &mut attached {
                    Some(attached) => chatgpt::read(&value, maker.now, maker.tally, attached),
                    None => claude::read(&value, maker.now, maker.tally),
                };
                match read {
                    Some(conversation) => ended = maker.take(conversation)?,
                    None => maker.tally.skip("malformed"),
                }
                Ok(ended)
            })?;
            if ended == Continuation::Stop {
                break;
            }
        }
        Ok(())
    }

    /// Reads all memories: of a list, or beside the conversations of a person. What stands beside them and is no memory is left out
    /// under the name of its file.
    fn walk_memories(
        &self,
        tally: &mut Tally,
        take: &mut dyn FnMut(DatedStatement) -> Result<Continuation, Failure>,
    ) -> Result<(), Failure> {
        let mut source = Source::open(&self.file)?;
        if self.format == Format::Mem0 {
            let which = MemorySelection { member: self.member.as_deref(), now: self.now, unknown: None };
            let names = format::lists(&source);
            return names.iter().try_for_each(|name| memories::read(&mut source, name, &which, tally, take));
        }
        let known = format::memories(&source);
        for name in format::memory_files(&source) {
            let which = MemorySelection { member: None, now: self.now, unknown: Some(names::base(&name)) };
            if !known.contains(&name) || memories::read(&mut source, &name, &which, tally, take).is_err() {
                tally.skip(names::base(&name));
            }
        }
        Ok(())
    }

    /// Reads everything, and counts it.
    fn count(&self) -> Result<Tally, Failure> {
        let mut tally = Tally::default();
        if self.format != Format::Mem0 {
            self.walk(&mut tally, &mut |_| Ok(Continuation::More))?;
        }
        if self.format != Format::Slack {
            self.walk_memories(&mut tally, &mut |_| Ok(Continuation::More))?;
        }
        let source = Source::open(&self.file)?;
        if tally.is_empty() {
            return Err(source.unknown());
        }
        tally.skip_all("archive", source.names().iter().filter(|name| names::is_archive(name)).count());
        Ok(tally)
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
    let tally = apart(move || counting.count()).await?;
    let mut summary = tally.json(format.name());
    let Some(mut import) = Taking::begin(config, command.dry_run, tally.exchanges).await? else { return dry(summary) };
    let (send, mut ahead) = mpsc::channel(AHEAD);
    let walker = foreign.clone();
    let walking = tokio::spawn(apart(move || {
        walker.walk(&mut Tally::default(), &mut |exchange| {
            Ok(if send.blocking_send(exchange).is_ok() { Continuation::More } else { Continuation::Stop })
        })
    }));
    while let Some(exchange) = ahead.recv().await {
        import.take(exchange).await?;
    }
    walking.await.map_err(|error| Failure::Said(error.to_string()))??;
    if tally.memories > 0 && !command.dry_run {
        tell(take_in(&import.keepsake, foreign, tally.memories).await?, &mut summary);
    }
    import.end(summary).await
}

async fn take_in_memories(config: &Config, command: &Import) -> Exit {
    let foreign = Foreign::of(command, Format::Mem0)?;
    let counting = foreign.clone();
    let tally = apart(move || counting.count()).await?;
    let mut summary = Map::new();
    summary.insert("format".to_owned(), Format::Mem0.name().into());
    summary.insert("memories".to_owned(), tally.memories.into());
    summary.insert("from".to_owned(), json!(tally.first.map(Moment::rfc3339)));
    summary.insert("to".to_owned(), json!(tally.last.map(Moment::rfc3339)));
    summary.insert("skipped".to_owned(), json!(tally.skipped));
    if command.dry_run {
        return dry(summary);
    }
    let (keepsake, _) = opening::open(config, None).await?;
    tell(take_in(&keepsake, foreign, tally.memories).await?, &mut summary);
    print_json(&summary)
}

/// The end of a dry run.
fn dry(mut summary: Map<String, Value>) -> Exit {
    summary.insert("stored".to_owned(), 0.into());
    print_json(&summary)
}

fn tell(taken: TakenIn, summary: &mut Map<String, Value>) {
    for (name, count) in [("stored", taken.memories), ("known", taken.known), ("refused", taken.refused)] {
        summary.insert(name.to_owned(), count.into());
    }
}

/// Stores the memories of an export.
async fn take_in(keepsake: &Keepsake, foreign: Foreign, total: u64) -> Result<TakenIn, Failure> {
    let (user, surface) = (foreign.user.clone(), Surface::new(foreign.format.name())?);
    let (send, mut ahead) = mpsc::channel(AHEAD);
    let walking = tokio::spawn(apart(move || {
        foreign.walk_memories(&mut Tally::default(), &mut |told| {
            Ok(if send.blocking_send(told).is_ok() { Continuation::More } else { Continuation::Stop })
        })
    }));
    let (mut progress, mut part) = (Progress::of("taking_in", total), Vec::new());
    let mut all = TakenIn::default();
    loop {
        let next = ahead.recv().await;
        let over = next.is_none();
        part.extend(next);
        if part.len() >= AT_A_TIME || over && !part.is_empty() {
            let count = part.len() as u64;
            let taken =
                keepsake.transfer.take_in_memories(&Caller::command_line(), &user, &surface, std::mem::take(&mut part)).await?;
            all.memories += taken.memories;
            all.known += taken.known;
            all.refused += taken.refused;
            progress.advance(count);
        }
        if over {
            break;
        }
    }
    walking.await.map_err(|error| Failure::Said(error.to_string()))??;
    progress.end();
    Ok(all)
}

/// Exchanges on their way into the inbox, and then learned.
struct Taking {
    keepsake: Keepsake,
    /// The process with the lock does the learning: this command, or a running server.
    lock: Option<opening::Lock>,
    /// The folder of the database of a dry run, which is deleted with it.
    scratch: Option<TempDir>,
    before: StatementCounts,
    ids: Vec<String>,
    progress: Progress,
}

impl Taking {
    /// A dry run learns in a database of its own, so that it can tell what merges. `None`: it does not, because there is nothing to
    /// learn or it would have to ask a model, which costs.
    async fn begin(config: &Config, dry_run: bool, total: u64) -> Result<Option<Self>, Failure> {
        if dry_run && (total == 0 || config.extractor != ExtractorName::Rules) {
            return Ok(None);
        }
        let scratch = if dry_run { Some(tempfile::tempdir()?) } else { None };
        let (keepsake, lock) = if let Some(folder) = &scratch {
            (opening::scratch(config, folder.path()).await?, None)
        } else {
            let lock = opening::lock(config)?;
            (opening::open(config, lock.as_ref()).await?.0, lock)
        };
        let before = keepsake.transfer.kept_so_far().await?;
        Ok(Some(Self { keepsake, lock, scratch, before, ids: Vec::new(), progress: Progress::of("taking_in", total) }))
    }

    async fn take(&mut self, exchange: Exchange) -> Result<(), Failure> {
        self.ids.push(self.keepsake.inbox.accept_imported(&Caller::command_line(), exchange).await?);
        self.progress.advance(1);
        Ok(())
    }

    /// Waits until all are learned, and prints the counts. What waits for another day is not waited for.
    async fn end(self, mut summary: Map<String, Value>) -> Exit {
        let Self { keepsake, lock, scratch, before, ids, progress } = self;
        let mine = lock.is_some() || scratch.is_some();
        progress.end();
        let mut progress = Progress::of("learning", ids.len() as u64);
        let (mut parked, mut waiting) = (0, 0);
        for id in &ids {
            let status = settled(&keepsake, id, mine).await?;
            parked += usize::from(status == ExchangeStatus::Parked);
            waiting += usize::from(status == ExchangeStatus::Queued);
            progress.advance(1);
        }
        progress.end();
        let kept = keepsake.transfer.kept_so_far().await?.since(before);
        for (name, count) in [("kept_apart", kept.apart), ("merged", kept.merged), ("replaced", kept.replaced)] {
            summary.insert(name.to_owned(), count.into());
        }
        if scratch.is_some() {
            return dry(summary);
        }
        if mine {
            keepsake.proposals.arrive_now().await?;
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
            Some(_) if mine && keepsake.learning.learn_due(&never).await? > 0 => {}
            Some(_) if keepsake.model_budget.waits_for_budget().await?.is_some() => return Ok(ExchangeStatus::Queued),
            Some(_) => sleep(ASK_EVERY).await,
        }
    }
}

/// Reads the whole file before anything is stored. Every bad line is reported on stderr.
fn check(path: &Path, now: Moment) -> Result<Vec<Exchange>, Failure> {
    let said = |error: std::io::Error| Failure::Said(format!("{}: {error}", path.display()));
    let file = File::open(path).map_err(said)?;
    let mut exchanges = Vec::new();
    let mut bad = 0;
    text::lines(file, |n, line| {
        let read = match line {
            Some(line) if line.trim_ascii().is_empty() => return Ok(()),
            Some(line) => exchange(line, now),
            None => Err(format!("is longer than {} MiB, which is the most for one exchange", text::LINE_MAX >> 20)),
        };
        match read {
            Ok(exchange) => exchanges.push(exchange),
            Err(why) => {
                bad += 1;
                writeln!(std::io::stderr(), "line {n}: {why}")?;
            }
        }
        Ok(())
    })
    .map_err(said)?;
    if bad > 0 {
        return Err(Failure::Said(format!("{bad} lines cannot be imported; nothing was stored")));
    }
    Ok(exchanges)
}

fn exchange(line: &[u8], now: Moment) -> Result<Exchange, String> {
    let record: ExchangeRecord = serde_json::from_slice(&text::json_line(line)).map_err(|error| error.to_string())?;
    let user = record.user_id.clone().map(UserId::new).transpose().map_err(|problem| problem.to_string())?;
    record.into_exchange(user, now).map_err(|problem| problem.to_string())
}
