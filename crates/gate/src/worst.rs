//! Texts made from a pattern to keep it busy, and the time that reading them takes. Used by tests only, here and in the package
//! `extractor`.
//!
//! From each pattern: a match of it, repeated; each beginning of the match, repeated; and each beginning followed by input for
//! the next repetition, for as long as the text is, so that the end never comes.

use std::collections::HashSet;
use std::time::Duration;

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};
use rustix::time::{ClockId, clock_gettime};

/// Maximum ratio of the times for a text and for one of a quarter of its length: 4 is linear and 16 quadratic, and this is
/// equally far from both.
pub const LINEAR: f64 = 8.0;
/// Maximum number of measurements while a text looks worse than that: beside other tests, most take too long.
const ROUNDS: usize = 24;
/// Branches of an alternative that are followed; lists of words have hundreds, all alike.
const BRANCHES: usize = 4;
/// Number of repetitions, within a unit, of a repetition without a limit.
const AGAIN: usize = 300;
/// Longest unit; a longer one is repeated too rarely to find anything.
const LONGEST_UNIT: usize = 2_000;

/// A text of any length: the head, then the unit again and again.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Seed {
    pub head: String,
    pub unit: String,
}

impl Seed {
    pub fn new(head: &str, unit: &str) -> Self {
        Self { head: head.to_owned(), unit: unit.to_owned() }
    }

    /// Returns this many bytes of it, or a few less.
    pub fn grown(&self, bytes: usize) -> String {
        let times = bytes.saturating_sub(self.head.len()).div_ceil(self.unit.len());
        let mut text = format!("{}{}", self.head, self.unit.repeat(times));
        text.truncate(text.floor_char_boundary(bytes));
        text
    }
}

impl std::fmt::Debug for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let short = |text: &str| text.chars().take(120).collect::<String>();
        write!(f, "{:?} then {:?} ({} bytes) again and again", short(&self.head), short(&self.unit), self.unit.len())
    }
}

/// The texts made from a pattern, each once.
pub fn seeds(pattern: &str, unicode: bool) -> Vec<Seed> {
    let mut parser = ParserBuilder::new().unicode(unicode).utf8(unicode).build();
    let hir = parser.parse(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
    let mut found = Vec::new();
    walk(&hir, &mut String::new(), &mut found);
    let whole = sample(&hir);
    found.extend(["", " ", "\n", ". ", "="].map(|between| Seed::new("", &format!("{whole}{between}"))));
    let mut known = HashSet::new();
    found.retain(|seed| !seed.unit.is_empty() && seed.unit.len() <= LONGEST_UNIT && known.insert(seed.clone()));
    found
}

fn walk(hir: &Hir, before: &mut String, found: &mut Vec<Seed>) {
    match hir.kind() {
        HirKind::Concat(parts) => {
            for part in parts {
                walk(part, before, found);
                found.extend([Seed::new("", before), Seed::new("", &format!("{before} "))]);
            }
        }
        HirKind::Alternation(branches) => {
            let first = branches.iter().take(BRANCHES - 1).chain(branches.iter().skip(BRANCHES - 1).last());
            first.for_each(|branch| walk(branch, &mut before.clone(), found));
            before.push_str(&sample(hir));
        }
        HirKind::Capture(group) => walk(&group.sub, before, found),
        HirKind::Repetition(repetition) => {
            let most = repetition.max.map_or(AGAIN, |most| most as usize).min(AGAIN);
            for body in bodies(&repetition.sub) {
                found.push(Seed::new(before, &body));
                found.push(Seed::new("", &format!("{before}{}", body.repeat(most))));
            }
            walk(&repetition.sub, &mut before.clone(), found);
            before.push_str(&sample(&repetition.sub).repeat(repetition.min as usize));
        }
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => before.push_str(&sample(hir)),
    }
}

/// Texts that a repetition may take: of a class, a character of each kind.
fn bodies(hir: &Hir) -> Vec<String> {
    let HirKind::Class(class) = hir.kind() else { return vec![sample(hir)] };
    let kinds = [char::is_alphanumeric, char::is_whitespace, |c: char| !c.is_alphanumeric() && !c.is_whitespace()];
    let of = |kind: fn(char) -> bool| members(class).find(|c| kind(*c)).map(String::from);
    kinds.into_iter().filter_map(of).collect()
}

/// Returns a short text that the pattern matches, ignoring assertions about its surroundings.
fn sample(hir: &Hir) -> String {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => String::new(),
        HirKind::Literal(literal) => String::from_utf8_lossy(&literal.0).into_owned(),
        HirKind::Class(class) => {
            members(class).find(|c| c.is_alphanumeric()).or_else(|| members(class).next()).map(String::from).unwrap_or_default()
        }
        HirKind::Repetition(repetition) => sample(&repetition.sub).repeat(repetition.min as usize),
        HirKind::Capture(group) => sample(&group.sub),
        HirKind::Concat(parts) => parts.iter().map(sample).collect(),
        HirKind::Alternation(branches) => branches.first().map(sample).unwrap_or_default(),
    }
}

/// Characters of a class: those of ASCII, and the first of each range.
fn members(class: &Class) -> impl Iterator<Item = char> {
    let ranges: Vec<(u32, u32)> = match class {
        Class::Unicode(class) => class.iter().map(|range| (range.start().into(), range.end().into())).collect(),
        Class::Bytes(class) => class.iter().map(|range| (range.start().into(), range.end().into())).collect(),
    };
    let known = |c: char| ranges.iter().any(|(from, to)| (*from..=*to).contains(&u32::from(c)));
    let ascii: Vec<char> = (' '..='~').chain(['\n', '\t']).filter(|c| known(*c)).collect();
    let others: Vec<char> = ranges.iter().filter(|(from, _)| *from > 127).filter_map(|(from, _)| char::from_u32(*from)).collect();
    // Small letters first: they are what most texts are made of.
    let small: Vec<char> = ascii.iter().copied().filter(char::is_ascii_lowercase).collect();
    small.into_iter().chain(ascii).chain(others)
}

/// Returns the processor time of this thread for the work, so that other threads do not count.
pub fn cost(work: impl FnOnce()) -> Duration {
    let spent = || {
        let spent = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(spent.tv_sec.try_into().unwrap_or(0), spent.tv_nsec.try_into().unwrap_or(0))
    };
    let before = spent();
    work();
    spent().saturating_sub(before)
}

/// Returns the lowest of several costs: whatever disturbed the others is no property of the work.
pub fn least(times: usize, mut work: impl FnMut()) -> Duration {
    (0..times.max(1)).map(|_| cost(&mut work)).min().unwrap_or_default()
}

/// A text and the estimated cost of the work on it at full length.
#[derive(Debug)]
pub struct Suspect {
    pub seed: Seed,
    pub expected: Duration,
}

/// Orders texts by the estimated cost of work on `full` bytes of them, the worst first. The estimate adds a linear and a
/// quadratic part, fitted to the costs on `size` bytes and on a quarter of them.
pub fn suspects(seeds: Vec<Seed>, size: usize, full: usize, work: impl Fn(&str)) -> Vec<Suspect> {
    #[expect(clippy::cast_precision_loss, reason = "texts are far shorter than 2^52 bytes")]
    let expected = |seed: &Seed| {
        let (short, long) = (seed.grown(size / 4), seed.grown(size));
        let (short_s, long_s) = (least(2, || work(&short)).as_secs_f64(), least(2, || work(&long)).as_secs_f64());
        let (a, b, n) = (short.len() as f64, long.len() as f64, full as f64);
        // long = linear * b + square * b², and the same for short.
        let square = ((long_s / b - short_s / a) / (b - a)).max(0.0);
        let linear = (long_s / b - square * b).max(0.0);
        Duration::from_secs_f64(linear * n + square * n * n)
    };
    let mut found: Vec<Suspect> = seeds.into_iter().map(|seed| Suspect { expected: expected(&seed), seed }).collect();
    found.sort_by_key(|suspect| std::cmp::Reverse(suspect.expected));
    found
}

/// Returns the ratio of the costs at full length and at a quarter of it, which is 4 if the work is linear, and the cost at full
/// length. Measured again while it looks worse than linear, because a single measurement says little.
pub fn growth(seed: &Seed, full: usize, work: impl Fn(&str)) -> (f64, Duration) {
    let (short, long) = (seed.grown(full / 4), seed.grown(full));
    let (mut short_least, mut long_least) = (Duration::MAX, Duration::MAX);
    let mut ratio = f64::MAX;
    for _ in 0..ROUNDS {
        short_least = short_least.min(least(2, || work(&short)));
        long_least = long_least.min(cost(|| work(&long)));
        ratio = long_least.as_secs_f64() / short_least.as_secs_f64().max(1e-6);
        if ratio <= LINEAR {
            break;
        }
    }
    (ratio, long_least)
}
