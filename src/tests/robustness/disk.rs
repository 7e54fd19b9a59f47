//! A folder as it is when a process is killed, or the machine loses power, at any moment: the steps of a real process are
//! recorded once (`data/recorder.c`) and repeated up to that moment.
//!
//! After a kill the kernel still has everything, so the folder has the result of all steps so far. After a loss of power it has
//! everything that was synced, and a random part of the rest: each page of an unsynced write may be there, missing or torn, and
//! so may each name that was added or removed in a folder that was not synced. Syncing a file does not sync its name, as in
//! POSIX.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;

use rand::rngs::StdRng;
use rand::seq::index;
use rand::{Rng, SeedableRng};

use crate::robustness::process::Home;

/// Bytes that reach the disk together.
const PAGE: u64 = 4096;
const SECTOR: usize = 512;
/// How often the power is lost right after a rename.
const DRAWS_OF_A_RENAME: usize = 20;

/// Everything below a folder: the bytes of each file; `None` is a folder. The index of a log is left out: it is mapped into
/// memory, and made anew after a crash.
pub type Tree = BTreeMap<String, Option<Vec<u8>>>;

fn left_out(name: &str) -> bool {
    name.ends_with("-shm")
}

pub fn read_tree(root: &Path) -> Tree {
    fn walk(root: &Path, folder: &Path, tree: &mut Tree) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(root).expect("below").to_str().expect("UTF-8").to_owned();
            if path.is_dir() {
                tree.insert(name, None);
                walk(root, &path, tree);
            } else if !left_out(&name) {
                tree.insert(name, Some(fs::read(&path).expect("read")));
            }
        }
    }
    let mut tree = Tree::new();
    walk(root, root, &mut tree);
    tree
}

pub fn lay(tree: &Tree, root: &Path) {
    for (name, bytes) in tree {
        let path = root.join(name);
        match bytes {
            None => fs::create_dir_all(&path).expect("made"),
            Some(bytes) => {
                fs::create_dir_all(path.parent().expect("in a folder")).expect("made");
                fs::write(&path, bytes).expect("written");
            }
        }
    }
}

/// The names and lengths of files whose bytes differ.
pub fn difference(one: &Tree, other: &Tree) -> Vec<String> {
    let length = |tree: &Tree, name: &String| tree.get(name).map(|bytes| bytes.as_ref().map_or(0, Vec::len));
    let names = one.keys().chain(other.keys()).filter(|name| one.get(*name) != other.get(*name));
    let mut told: Vec<String> = names.map(|name| format!("{name}: {:?} {:?}", length(one, name), length(other, name))).collect();
    told.dedup();
    told
}

#[derive(Clone)]
pub enum Step {
    Create(String),
    Write {
        name: String,
        at: u64,
        bytes: Vec<u8>,
    },
    Truncate {
        name: String,
        length: u64,
    },
    Sync(String),
    Rename(String, String),
    Link(String, String),
    Unlink(String),
    Folder(String),
    /// Sent to another process; recorded before it was sent.
    Said(Vec<u8>),
}

impl Step {
    /// Whether a folder looks different after it.
    fn changes(&self) -> bool {
        !matches!(self, Self::Sync(_) | Self::Said(_))
    }
}

/// The recorded steps of a process.
pub struct Recording {
    pub before: Tree,
    pub after: Tree,
    /// A write of many pages is a step for each, because a kill interrupts it between two.
    pub steps: Vec<Step>,
    /// The recorder's count up to and with each step.
    counted: Vec<u64>,
    /// The recorder's count at the end.
    count: u64,
    status: Option<ExitStatus>,
}

/// The recorder, compiled once.
fn recorder() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/data/recorder.c");
        let (new, made) =
            ["new.so", "so"].map(|ending| Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("recorder.{ending}"))).into();
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-pthread", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&new).arg(&source);
        assert!(compiler.status().expect("a C compiler").success());
        fs::rename(&new, &made).expect("named");
        made
    })
}

/// A process that is being recorded.
pub struct Recorder {
    folder: tempfile::TempDir,
    root: PathBuf,
    before: Tree,
}

impl Recorder {
    /// Records everything that this command does below the home.
    pub fn of(home: &Home, command: &mut Command, kill_at: Option<u64>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let root = home.path("").canonicalize().expect("there");
        let before = read_tree(&root);
        command.env("LD_PRELOAD", recorder()).env("RECORDER_LOG", folder.path().join("log")).env("RECORDER_UNDER", &root);
        command.env("RECORDER_KILL", kill_at.unwrap_or(0).to_string());
        Self { folder, root, before }
    }

    /// Lets every write and sync fail with an I/O error while this file is there.
    pub fn breaks(&self, command: &mut Command) -> PathBuf {
        let file = self.folder.path().join("broken");
        command.env("RECORDER_BREAK", &file);
        file
    }

    /// The process has ended. What is recorded must lead to the folder that is there.
    pub fn ended(self, status: Option<ExitStatus>) -> Recording {
        let log = fs::read(self.folder.path().join("log")).expect("a log");
        let (steps, counted, count) = read_log(&log, self.root.to_str().expect("UTF-8"));
        let recording = Recording { before: self.before, after: read_tree(&self.root), steps, counted, count, status };
        let mut disk = Disk::new(&recording.before);
        recording.steps.iter().for_each(|step| disk.take(step));
        let missed = difference(&disk.now(), &recording.after);
        assert!(missed.is_empty(), "a call that changes files is not recorded: {missed:#?}");
        recording
    }
}

/// Runs a command of this home to its end, or kills it after so many steps.
pub fn record(home: &Home, args: &[&str], kill_at: Option<u64>) -> Recording {
    let mut command = home.command();
    command.args(args);
    record_by(home, command, kill_at)
}

/// The same for this command.
pub fn record_by(home: &Home, command: Command, kill_at: Option<u64>) -> Recording {
    let (recording, errors) = recorded(home, command, kill_at);
    match kill_at {
        None => assert!(recording.status.is_some_and(|status| status.success()), "{errors}"),
        Some(kill_at) => recording.was_killed(kill_at),
    }
    recording
}

/// Runs this command, and kills it after so many steps if it has not ended before. [`Recording::was_killed_or_ended_before`] says
/// which.
pub fn record_until(home: &Home, command: Command, kill_at: u64) -> Recording {
    recorded(home, command, Some(kill_at)).0
}

fn recorded(home: &Home, mut command: Command, kill_at: Option<u64>) -> (Recording, String) {
    command.stdin(Stdio::null());
    let recorder = Recorder::of(home, &mut command, kill_at);
    let output = command.output().expect("runs");
    (recorder.ended(Some(output.status)), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn read_log(log: &[u8], root: &str) -> (Vec<Step>, Vec<u64>, u64) {
    let mut rest = log;
    let mut take = |length: usize| {
        let (taken, left) = rest.split_at_checked(length)?;
        rest = left;
        Some(taken)
    };
    let mut steps = Vec::new();
    let mut counted = Vec::new();
    let mut count = 0;
    while let Some(head) = take(32) {
        let small = |at: usize| u32::from_le_bytes(*head[at..].first_chunk().expect("long enough")) as usize;
        let large = |at: usize| u64::from_le_bytes(*head[at..].first_chunk().expect("long enough"));
        let mut text = |length: usize| String::from_utf8(take(length).expect("whole").to_vec()).expect("UTF-8");
        let (first, second) = (text(small(4)), text(small(8)));
        let bytes = take(usize::try_from(large(24)).expect("small")).expect("whole").to_vec();
        let below = |path: &str| path.strip_prefix(root).unwrap_or_default().trim_start_matches('/').to_owned();
        let kind = small(0);
        count += u64::from(kind != 10);
        let (at, before) = (large(16), steps.len());
        let name = below(&first);
        match kind {
            10 => steps.push(Step::Said(bytes)),
            _ if left_out(&name) => {}
            1 => steps.push(Step::Create(name)),
            2 => steps.extend(pages(at, &bytes).map(|(at, bytes)| Step::Write { name: name.clone(), at, bytes: bytes.to_vec() })),
            3 => steps.push(Step::Truncate { name, length: at }),
            4 => steps.push(Step::Sync(name)),
            5 => steps.push(Step::Rename(name, below(&second))),
            6 => steps.push(Step::Link(name, below(&second))),
            7 | 9 => steps.push(Step::Unlink(name)),
            8 => steps.push(Step::Folder(name)),
            other => panic!("a record of kind {other}"),
        }
        counted.resize(counted.len() + steps.len() - before, count);
    }
    (steps, counted, count)
}

/// A run of bytes, cut where pages begin.
fn pages(at: u64, bytes: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    let (mut at, mut rest) = (at, bytes);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let room = usize::try_from(PAGE - at % PAGE).expect("small").min(rest.len());
        let (page, left) = rest.split_at(room);
        let piece = (at, page);
        (at, rest) = (at + room as u64, left);
        Some(piece)
    })
}

impl Recording {
    /// Numbers of steps after which the operation has written something and will write more.
    fn middle(&self) -> Vec<usize> {
        let changing: Vec<usize> = (0..self.steps.len()).filter(|at| self.steps[*at].changes()).map(|at| at + 1).collect();
        let (first, last) = (changing[0], changing[changing.len() - 1]);
        (first..last).collect()
    }

    /// So many different moments in the middle of it, at random and in order, as the number of steps done.
    pub fn moments(&self, count: usize, seed: u64) -> Vec<usize> {
        let changing: Vec<usize> = self.middle().into_iter().filter(|done| self.steps[done - 1].changes()).collect();
        assert!(changing.len() >= count, "only {} moments", changing.len());
        drawn(&changing, count, seed)
    }

    /// So many moments at which the power may be lost. Half of them are at random; the others are where most is at stake, each of
    /// them several times: before a sync, after a change of names, and at the end. Most of these are after a rename. With
    /// `KEEPSAKE_EVERY_BOUNDARY` in the environment, it is every moment after the first change, once.
    pub fn boundaries(&self, count: usize, seed: u64) -> Vec<usize> {
        if std::env::var_os("KEEPSAKE_EVERY_BOUNDARY").is_some() {
            return (self.middle()[0]..=self.steps.len()).collect();
        }
        let mut chance = StdRng::seed_from_u64(seed);
        let renames = (1..=self.steps.len()).filter(|done| matches!(self.steps[done - 1], Step::Rename(..)));
        let mut chosen: Vec<usize> = renames.flat_map(|done| [done; DRAWS_OF_A_RENAME]).collect();
        let at_stake = |done: &usize| {
            let named = !matches!(self.steps[done - 1], Step::Write { .. } | Step::Truncate { .. } | Step::Sync(_));
            *done == self.steps.len() || named || matches!(self.steps[*done], Step::Sync(_))
        };
        let at_stake: Vec<usize> = (1..=self.steps.len()).filter(at_stake).collect();
        while chosen.len() < count / 2 {
            chosen.push(at_stake[chance.random_range(0..at_stake.len())]);
        }
        chosen.extend(drawn(&self.middle(), count - chosen.len(), seed));
        chosen.sort_unstable();
        chosen
    }

    /// The recorder's counts at moments in the middle, for runs that are killed for real.
    pub fn kills(&self, count: usize, seed: u64) -> Vec<u64> {
        self.moments(count, seed).into_iter().map(|done| self.counted[done - 1]).collect()
    }

    /// The same, while it answers: not before the first answer with this status line, and not after the last.
    pub fn kills_between_answers(&self, line: &str, count: usize, seed: u64) -> Vec<u64> {
        let accepts = |step: &Step| matches!(step, Step::Said(bytes) if bytes.starts_with(line.as_bytes()));
        let first = self.steps.iter().position(accepts).expect("an answer");
        let last = self.steps.iter().rposition(accepts).expect("an answer");
        drawn(&(first..last).collect::<Vec<_>>(), count, seed).into_iter().map(|at| self.counted[at]).collect()
    }

    /// Fails unless the process was killed after exactly so many steps.
    pub fn was_killed(&self, kill_at: u64) {
        assert_eq!(self.status.and_then(|status| status.signal()), Some(9), "it was killed");
        assert_eq!(self.count, kill_at, "nothing was done after it");
    }

    /// Like [`Self::was_killed`], but returns `false` if the process succeeded before that step.
    pub fn was_killed_or_ended_before(&self, kill_at: u64) -> bool {
        let ended = self.status.is_some_and(|status| status.success());
        if ended {
            assert!(self.count < kill_at, "it ended after {} steps and was to be killed after {kill_at}", self.count);
        } else {
            self.was_killed(kill_at);
        }
        !ended
    }

    /// Data sent before this moment.
    pub fn said(&self, done: usize) -> Vec<String> {
        let said = self.steps[..done].iter().filter_map(|step| match step {
            Step::Said(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
            _ => None,
        });
        said.collect()
    }

    /// The folder at each of these moments, if the process was killed.
    pub fn killed<'r>(&'r self, moments: &'r [usize]) -> impl Iterator<Item = (usize, Tree)> + 'r {
        self.at(moments).map(|(done, disk)| (done, disk.now()))
    }

    /// The folder at each of these moments, if the machine lost its power.
    pub fn without_power<'r>(&'r self, moments: &'r [usize], seed: u64) -> impl Iterator<Item = (usize, Tree)> + 'r {
        let mut chance = StdRng::seed_from_u64(seed);
        self.at(moments).map(move |(done, disk)| (done, disk.without_power(&mut chance)))
    }

    fn at<'r>(&'r self, moments: &'r [usize]) -> impl Iterator<Item = (usize, Disk)> + 'r {
        let (mut disk, mut done) = (Disk::new(&self.before), 0);
        moments.iter().map(move |moment| {
            self.steps[done..*moment].iter().for_each(|step| disk.take(step));
            done = *moment;
            (*moment, disk.clone())
        })
    }
}

fn drawn(from: &[usize], count: usize, seed: u64) -> Vec<usize> {
    let mut chance = StdRng::seed_from_u64(seed);
    let mut drawn: Vec<usize> =
        index::sample(&mut chance, from.len(), count.min(from.len())).into_iter().map(|at| from[at]).collect();
    drawn.sort_unstable();
    drawn
}

#[derive(Clone, PartialEq, Eq)]
enum Node {
    Folder,
    File(usize),
}

/// A change of a file that is not synced.
#[derive(Clone)]
enum Change {
    Write { at: u64, bytes: Vec<u8> },
    Length(u64),
}

/// A change of names that is not synced.
#[derive(Clone)]
enum Naming {
    Given(String, Node),
    Taken(String, Node),
    Changed(String, String, Node),
}

#[derive(Clone, Default)]
struct File {
    now: Vec<u8>,
    synced: Vec<u8>,
    since: Vec<Change>,
}

/// Files and names: as a running system sees them, and as synced.
#[derive(Clone)]
pub struct Disk {
    files: Vec<File>,
    names: BTreeMap<String, Node>,
    synced: BTreeMap<String, Node>,
    since: Vec<Naming>,
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Length(length) => bytes.resize(usize::try_from(*length).expect("small"), 0),
            Self::Write { at, bytes: new } => {
                let at = usize::try_from(*at).expect("small");
                bytes.resize(bytes.len().max(at + new.len()), 0);
                bytes[at..at + new.len()].copy_from_slice(new);
            }
        }
    }

    /// Keeps some of its sectors at random.
    fn torn(&self, chance: &mut StdRng) -> Vec<Self> {
        match self {
            Self::Length(_) => vec![self.clone()],
            Self::Write { at, bytes } => {
                let sectors = bytes.chunks(SECTOR).enumerate().filter(|_| chance.random_bool(0.5));
                sectors.map(|(n, bytes)| Self::Write { at: at + (n * SECTOR) as u64, bytes: bytes.to_vec() }).collect()
            }
        }
    }
}

impl Naming {
    fn apply(&self, names: &mut BTreeMap<String, Node>) {
        match self {
            Self::Given(name, node) => drop(names.insert(name.clone(), node.clone())),
            Self::Taken(name, node) => {
                if names.get(name) == Some(node) {
                    names.remove(name);
                }
            }
            Self::Changed(from, to, node) => {
                if names.get(from) == Some(node) {
                    names.remove(from);
                }
                names.insert(to.clone(), node.clone());
            }
        }
    }

    /// Whether it is a change of this folder.
    fn of(&self, folder: &str) -> bool {
        let parent = |name: &str| name.rsplit_once('/').map_or("", |(parent, _)| parent) == folder;
        match self {
            Self::Given(name, _) | Self::Taken(name, _) => parent(name),
            Self::Changed(from, to, _) => parent(from) || parent(to),
        }
    }
}

/// The changes since the last sync that survive a loss of power, at random.
fn survivors<T: Clone>(since: &[T], chance: &mut StdRng) -> Vec<T> {
    match chance.random_range(0..5) {
        0 => Vec::new(),
        1 => since.to_vec(),
        2 => since[..chance.random_range(0..=since.len())].to_vec(),
        3 => since.iter().filter(|_| chance.random_bool(0.5)).cloned().collect(),
        // All but one.
        _ => {
            let mut kept = since.to_vec();
            if !kept.is_empty() {
                kept.remove(chance.random_range(0..kept.len()));
            }
            kept
        }
    }
}

impl Disk {
    fn new(tree: &Tree) -> Self {
        let mut files = Vec::new();
        let names: BTreeMap<String, Node> = tree
            .iter()
            .map(|(name, bytes)| {
                let node = bytes.as_ref().map_or(Node::Folder, |bytes| {
                    files.push(File { now: bytes.clone(), synced: bytes.clone(), since: Vec::new() });
                    Node::File(files.len() - 1)
                });
                (name.clone(), node)
            })
            .collect();
        Self { files, synced: names.clone(), names, since: Vec::new() }
    }

    fn file(&mut self, name: &str) -> &mut File {
        match self.names.get(name) {
            Some(Node::File(at)) => &mut self.files[*at],
            _ => panic!("{name} was made by a call that is not recorded"),
        }
    }

    fn change(&mut self, name: &str, change: Change) {
        let file = self.file(name);
        change.apply(&mut file.now);
        file.since.push(change);
    }

    fn rename(&mut self, naming: Naming) {
        naming.apply(&mut self.names);
        self.since.push(naming);
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Create(name) => {
                self.files.push(File::default());
                self.rename(Naming::Given(name.clone(), Node::File(self.files.len() - 1)));
            }
            Step::Folder(name) => self.rename(Naming::Given(name.clone(), Node::Folder)),
            Step::Write { name, at, bytes } => self.change(name, Change::Write { at: *at, bytes: bytes.clone() }),
            Step::Truncate { name, length } => self.change(name, Change::Length(*length)),
            Step::Rename(from, to) => self.rename(Naming::Changed(from.clone(), to.clone(), self.node(from))),
            Step::Link(from, to) => self.rename(Naming::Given(to.clone(), self.node(from))),
            Step::Unlink(name) => self.rename(Naming::Taken(name.clone(), self.node(name))),
            Step::Sync(name) if matches!(self.names.get(name), Some(Node::File(_))) => {
                let file = self.file(name);
                file.synced.clone_from(&file.now);
                file.since.clear();
            }
            Step::Sync(folder) => {
                let (synced, left): (Vec<_>, Vec<_>) = self.since.drain(..).partition(|naming| naming.of(folder));
                synced.iter().for_each(|naming| naming.apply(&mut self.synced));
                self.since = left;
            }
            Step::Said(_) => {}
        }
    }

    fn node(&self, name: &str) -> Node {
        self.names.get(name).unwrap_or_else(|| panic!("{name} was made by a call that is not recorded")).clone()
    }

    fn tree(names: &BTreeMap<String, Node>, mut bytes: impl FnMut(usize) -> Vec<u8>) -> Tree {
        let mut bytes = |node: &Node| match node {
            Node::Folder => None,
            Node::File(at) => Some(bytes(*at)),
        };
        names.iter().map(|(name, node)| (name.clone(), bytes(node))).collect()
    }

    fn now(&self) -> Tree {
        Self::tree(&self.names, |at| self.files[at].now.clone())
    }

    fn without_power(&self, chance: &mut StdRng) -> Tree {
        let mut names = self.synced.clone();
        survivors(&self.since, chance).iter().for_each(|naming| naming.apply(&mut names));
        Self::tree(&names, |at| {
            let file = &self.files[at];
            let mut bytes = file.synced.clone();
            let torn = chance.random_bool(0.5);
            for change in survivors(&file.since, chance) {
                if torn && chance.random_bool(0.2) {
                    change.torn(chance).iter().for_each(|part| part.apply(&mut bytes));
                } else {
                    change.apply(&mut bytes);
                }
            }
            bytes
        })
    }
}
