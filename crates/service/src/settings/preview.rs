//! Previews a change of settings: its effects, counted on the current facts by the same rules, and estimated from the
//! similarities of past writes.

use std::collections::BTreeMap;
use std::fmt;

use crate::Result;
use crate::settings::change::LiveSettings;
use crate::settings::change::PROMOTE;
use access::operators::Viewer;
use domain::access::rights::Right;
use domain::facts::fact::FactStatus;
use domain::facts::promotion::{FEWEST, PromoteAt};
use domain::insight::usage::OverBudget;
use domain::memory::MemoryKind;
use domain::merging::similarity::hundredth;
use domain::moment::{DAY_MS, Moment};
use domain::numbers::grouped;
use domain::settings::{FilePaths, KeepDays, Spec, Value};
use ports::store::facts::{ConfidenceRange, FactFilter, Sources};
use ports::store::memories::{Over, Page};
pub use ports::store::operate::settings::Measure;

/// How many days of merges the estimate uses.
pub const JUDGED_DAYS: i64 = 90;
/// Facts shown as examples.
const EXAMPLES: u32 = 3;
/// How many lower contributor numbers are shown with the chosen one.
const OTHER_NUMBERS: usize = 2;
const FLOOR: &str = "recall.min_confidence";
const ANONYMOUS: &str = domain::access::surfaces::ANONYMOUS.setting;
const HUNDREDTHS: f64 = 100.0;

/// A value sent by a form, and the version that the form was based on.
#[derive(Debug, Clone)]
pub struct Wanted {
    pub key: String,
    pub text: String,
    pub seen: Option<i64>,
}

/// Past judgements of a threshold: how many passed and how many did not, by the hundredth of their similarity.
#[derive(Debug, Clone)]
pub struct NearnessCounts {
    pub measure: Measure,
    pub by_hundredth: BTreeMap<u8, (i64, i64)>,
}

/// One setting that would change.
#[derive(Debug, Clone)]
pub struct Proposal {
    pub spec: &'static Spec,
    pub now: Value,
    pub version: i64,
    /// The text typed, and its value if it is valid.
    pub text: String,
    pub value: Option<Value>,
    pub effect: Option<Effect>,
    /// If it was changed since the operator saw it: who changed it, and the value before.
    pub overtaken: Option<(String, Value)>,
    /// Texts of some affected facts.
    pub examples: Vec<String>,
}

/// The effect of all proposed changes.
#[derive(Debug, Clone)]
pub struct Review {
    pub proposals: Vec<Proposal>,
    /// Pending facts that already qualify, if the number of contributors is lowered.
    pub qualifying: Option<u32>,
}

/// The effect of a change in numbers; `Display` words it.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Pending facts that this number of contributors would promote, and the same for some lower numbers.
    Promote {
        at: PromoteAt,
        due: u32,
        pending: i64,
        lower: Vec<(u32, u32)>,
    },
    /// Approved facts that would leave recall, and those that would return.
    Floor {
        at: f64,
        dropped: u32,
        back: u32,
    },
    /// How many of `of` past writes above, or below, the threshold would have been treated differently.
    Similarity {
        measure: Measure,
        from: f64,
        to: f64,
        other: i64,
        of: i64,
    },
    Size {
        items: &'static str,
        at: u32,
    },
    /// Memories of one kind that would be deleted now with a retention of so many days; `None`: kept for good.
    Keeping {
        kind: MemoryKind,
        days: KeepDays,
        over: u64,
    },
    /// How many preferences a user may have.
    Preferences {
        at: u32,
    },
    /// How long a deleted block can be restored.
    Bin {
        days: u32,
    },
    /// How long a conversation is kept after a reset; `None`: for good.
    Archive {
        days: KeepDays,
    },
    Switch {
        key: &'static str,
        label: &'static str,
        on: bool,
    },
    /// Tokens a day; 0: no limit. `used`: tokens used today.
    Budget {
        at: u32,
        used: i64,
    },
    OverBudget(OverBudget),
    Paths(FilePaths),
    /// Number of messages of a user that are read together; 1: each is read alone.
    Together {
        at: u32,
    },
    /// Seconds for which messages wait for more.
    Idle {
        seconds: u32,
    },
}

impl LiveSettings {
    /// The effect of these values, as far as this operator may know it. Unknown settings and unchanged values are left out.
    pub async fn review_settings(&self, viewer: &Viewer, wanted: &[Wanted]) -> Result<Review> {
        let mut review = Review { proposals: Vec::new(), qualifying: None };
        for state in self.states(viewer).await? {
            let Some(want) = wanted.iter().find(|want| want.key == state.spec.key) else { continue };
            let (spec, now) = (state.spec, state.value);
            let value = spec.read(&want.text);
            if value.is_some_and(|value| value.to_string() == now.to_string()) {
                continue;
            }
            let mut overtaken = None;
            if let Some(seen) = want.seen.filter(|seen| *seen != state.version) {
                let (by, from) = self.changed_since(spec, seen, state.version).await?;
                if value.is_some_and(|value| value.to_string() == from.to_string()) {
                    // Unchanged in the form, so not a request.
                    continue;
                }
                overtaken = Some((by, from));
            }
            // These effects depend on how many people said each fact, which is shown only to operators who may change the
            // setting.
            let counts_people = [PROMOTE, FLOOR].contains(&spec.key);
            let (effect, about) = match value.filter(|_| !counts_people || viewer.may(Right::Manage)) {
                Some(value) => self.effect(spec, now, value).await?,
                None => (None, None),
            };
            if let (PROMOTE, Some(Effect::Promote { due, .. })) = (spec.key, &effect)
                && value.is_some_and(|value| lowers(now, value))
            {
                review.qualifying = Some(*due);
            }
            let examples = match about {
                Some(about) => self.store.list_facts(&about, &Page { after: None, limit: EXAMPLES }).await?,
                None => Vec::new(),
            };
            let examples = examples.into_iter().map(|fact| fact.content).collect();
            let text = want.text.trim().to_owned();
            review.proposals.push(Proposal { spec, now, version: state.version, text, value, effect, overtaken, examples });
        }
        Ok(review)
    }

    /// Approved facts that leave recall, and those that return, when the floor changes.
    #[must_use]
    pub fn floor_moves(&self, from: f64, to: f64) -> (FactFilter, FactFilter) {
        let at = self.clock.now();
        let between = |from: f64, below: f64| FactFilter {
            status: Some(FactStatus::Approved),
            confidence: Some(ConfidenceRange { from, below, at }),
            ..FactFilter::default()
        };
        (between(from, to), between(to, from))
    }

    async fn number_of(&self, filter: &FactFilter) -> Result<u32> {
        Ok(u32::try_from(self.store.count_matching(filter).await?).unwrap_or(u32::MAX))
    }

    /// Returns the effect of a change, and a filter for facts that are examples of it.
    async fn effect(&self, spec: &'static Spec, now: Value, value: Value) -> Result<(Option<Effect>, Option<FactFilter>)> {
        let nobody = None;
        if let Some(measure) = Measure::of(spec.key) {
            return Ok((Some(self.similarity_effect(measure, number(now), number(value)).await?), nobody));
        }
        if let Some(kind) = kept_kind(spec.key) {
            let days = whole(value);
            let over = match days {
                Some(days) => self.aged(kind, days).await?,
                None => 0,
            };
            return Ok((Some(Effect::Keeping { kind, days, over }), nobody));
        }
        Ok(match (spec.key, value) {
            (PROMOTE, value) => {
                let Some(at) = whole(value) else {
                    let pending = self.store.count_facts().await?.pending;
                    return Ok((Some(Effect::Promote { at: None, due: 0, pending, lower: Vec::new() }), nobody));
                };
                let mut lower = Vec::with_capacity(OTHER_NUMBERS);
                for n in (FEWEST..at).rev().take(OTHER_NUMBERS) {
                    lower.push((n, self.number_of(&due(n)).await?));
                }
                let pending = self.store.count_facts().await?.pending;
                let promote = Effect::Promote { at: Some(at), due: self.number_of(&due(at)).await?, pending, lower };
                (Some(promote), Some(due(at)))
            }
            (FLOOR, value) => {
                let (leave, returned) = self.floor_moves(number(now), number(value));
                let (dropped, back) = (self.number_of(&leave).await?, self.number_of(&returned).await?);
                let effect = Effect::Floor { at: number(value), dropped, back };
                (Some(effect), Some(if dropped == 0 { returned } else { leave }))
            }
            (key, Value::Switch(on)) => (Some(Effect::Switch { key, label: spec.label, on }), nobody),
            ("learn.daily_tokens", Value::Whole(at)) => (Some(Effect::Budget { at, used: self.tokens_today().await? }), nobody),
            ("learn.batch_exchanges", Value::Whole(at)) => (Some(Effect::Together { at }), nobody),
            ("learn.batch_idle", Value::Whole(seconds)) => (Some(Effect::Idle { seconds }), nobody),
            (_, Value::Paths(choice)) => (Some(Effect::Paths(choice)), nobody),
            (_, Value::OverBudget(choice)) => (Some(Effect::OverBudget(choice)), nobody),
            ("recall.personal_k", Value::Whole(at)) => (Some(Effect::Size { items: "personal memories", at }), nobody),
            ("recall.global_k", Value::Whole(at)) => (Some(Effect::Size { items: "team facts", at }), nobody),
            ("preferences.max", Value::Whole(at)) => (Some(Effect::Preferences { at }), nobody),
            ("history.archive_days", value) => (Some(Effect::Archive { days: whole(value) }), nobody),
            ("blocks.bin_days", Value::Whole(days)) => (Some(Effect::Bin { days }), nobody),
            _ => (None, nobody),
        })
    }

    /// Tokens that models have used today.
    async fn tokens_today(&self) -> Result<i64> {
        let now = self.clock.now();
        Ok(self.store.tokens_of_day(now.day(), now).await?.used)
    }

    /// Counts the memories of this kind that have not changed for so many days.
    async fn aged(&self, kind: MemoryKind, days: u32) -> Result<u64> {
        let now = self.clock.now();
        // `i64::MIN` excludes explicit expiry; only age counts here.
        let over = Over { now: Moment(i64::MIN), kept_since: vec![(kind, now.plus_ms(-i64::from(days) * DAY_MS))] };
        Ok(self.custody.count_over(&over).await?)
    }

    /// Returns the similarities of the writes and recalls of the last [`JUDGED_DAYS`] days, for each threshold. Merges into team
    /// facts and contradictions of them are left out: from day to day they would reveal whether one more person said something.
    pub async fn nearness(&self, _viewer: &Viewer) -> Result<Vec<NearnessCounts>> {
        let since = self.clock.now().plus_ms(-JUDGED_DAYS * DAY_MS);
        let mut all = Vec::with_capacity(Measure::ALL.len());
        for measure in Measure::ALL {
            let mut by_hundredth = BTreeMap::<u8, (i64, i64)>::new();
            let passed = match measure {
                Measure::Global | Measure::Related => Vec::new(),
                _ => self.store.passed(measure, since).await?,
            };
            for similarity in passed {
                by_hundredth.entry(hundredth(similarity)).or_default().0 += 1;
            }
            for (hundredth, writes) in self.store.near_misses(measure, since).await? {
                // At 0 nothing was near.
                if hundredth > 0 {
                    by_hundredth.entry(hundredth).or_default().1 += writes;
                }
            }
            all.push(NearnessCounts { measure, by_hundredth });
        }
        Ok(all)
    }

    /// A higher threshold is judged by the writes that passed, a lower one by those that stayed separate.
    async fn similarity_effect(&self, measure: Measure, from: f64, to: f64) -> Result<Effect> {
        let since: Moment = self.clock.now().plus_ms(-JUDGED_DAYS * DAY_MS);
        if measure == Measure::Recall {
            let found = self.store.near_misses(measure, since).await?;
            let moved = |hundredth: u8| {
                let similarity = f64::from(hundredth) / HUNDREDTHS;
                similarity >= from.min(to) && similarity < from.max(to)
            };
            let other = found.iter().filter(|(hundredth, _)| moved(*hundredth)).map(|(_, times)| times).sum();
            return Ok(Effect::Similarity { measure, from, to, other, of: found.iter().map(|(_, times)| times).sum() });
        }
        let (other, of) = if to > from {
            let mut passed = self.store.passed(measure, since).await?;
            // Lower ones were found by their words, or passed a lower threshold.
            passed.retain(|similarity| *similarity >= from);
            (passed.iter().filter(|similarity| **similarity < to).map(|_| 1).sum(), passed.iter().map(|_| 1).sum())
        } else {
            let misses = self.store.near_misses(measure, since).await?;
            let reached = |hundredth: u8| f64::from(hundredth) >= (to * HUNDREDTHS).round();
            let other = misses.iter().filter(|(hundredth, _)| reached(*hundredth)).map(|(_, writes)| writes).sum();
            (other, misses.iter().map(|(_, writes)| writes).sum())
        };
        Ok(Effect::Similarity { measure, from, to, other, of })
    }
}

/// Pending facts that this number of contributors would promote now, by the rule
/// [`promotes`](domain::facts::promotion::promotes).
#[must_use]
pub fn due(contributors: u32) -> FactFilter {
    FactFilter {
        status: Some(FactStatus::Pending),
        sources: Some(Sources::AtLeast(contributors)),
        contradicted: Some(false),
        ..FactFilter::default()
    }
}

/// The kind of memories that a setting keeps.
fn kept_kind(key: &str) -> Option<MemoryKind> {
    MemoryKind::parse(key.strip_prefix("keep.")?).ok()
}

/// Whether the change lowers the number of people needed to promote a fact.
fn lowers(now: Value, to: Value) -> bool {
    match (whole(now), whole(to)) {
        (None, Some(_)) => true,
        (Some(now), Some(to)) => to < now,
        _ => false,
    }
}

fn whole(value: Value) -> PromoteAt {
    if let Value::Whole(n) = value { Some(n) } else { None }
}

fn number(value: Value) -> f64 {
    match value {
        Value::Decimal(x) => x,
        Value::Whole(n) => f64::from(n),
        _ => 0.0,
    }
}

/// `none`, or the number.
fn some(n: u32) -> String {
    if n == 0 { "none".to_owned() } else { grouped(n) }
}

fn facts(n: u32, state: &str) -> String {
    if n == 1 { format!("1 {state} fact") } else { format!("{} {state} facts", grouped(n)) }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Promote { at: None, pending, .. } => {
                write!(f, "No fact is promoted by count. {} pending wait for an operator.", grouped(*pending))
            }
            Self::Promote { at: Some(at), due, pending, lower } => {
                write!(f, "At {at}, {} of the {} pending facts would be promoted now.", some(*due), grouped(*pending))?;
                match lower.as_slice() {
                    [] => Ok(()),
                    [(n, due)] => write!(f, " At {n}, {} would.", some(*due)),
                    [(n, due), (m, more), ..] => write!(f, " At {n}, {}; at {m}, {} would.", some(*due), some(*more)),
                }
            }
            Self::Floor { at, dropped: 0, back: 0 } => write!(f, "At {at:.2}, the same approved facts are recalled as now."),
            Self::Floor { at, dropped, back: 0 } => {
                let stop = if *dropped == 1 { "stops" } else { "stop" };
                write!(f, "At {at:.2}, {} {stop} being recalled.", facts(*dropped, "approved"))
            }
            Self::Floor { at, back, .. } => {
                let verb = if *back == 1 { "is" } else { "are" };
                write!(f, "At {at:.2}, {} {verb} recalled again.", facts(*back, "approved"))
            }
            Self::Similarity { measure, from, to, other, of } => {
                let words = SimilarityWords::of(*measure, to > from);
                if *of == 0 {
                    return write!(f, "{} in {JUDGED_DAYS} days: there is nothing to judge this by.", words.nothing);
                }
                let (other, of) = (if *other == 0 { "none".to_owned() } else { grouped(*other) }, grouped(*of));
                write!(f, "At {to:.2} instead of {from:.2}, {other} of the last {of} {} would {}.", words.writes, words.outcome)
            }
            Self::Preferences { at } => {
                write!(f, "A user may have {at} preferences. Those with more keep them, and cannot add one.")
            }
            Self::Bin { days: 0 } => {
                write!(f, "What is in the bin is deleted within minutes, and a deleted block cannot be restored.")
            }
            Self::Bin { days: 1 } => write!(f, "Blocks that have been in the bin for more than a day are deleted."),
            Self::Bin { days } => write!(f, "Blocks that have been in the bin for more than {days} days are deleted."),
            Self::Archive { days: None } | Self::Keeping { days: None, .. } => f.write_str("Kept for good."),
            Self::Archive { days: Some(0) } => write!(f, "What was reset is deleted within minutes."),
            Self::Archive { days: Some(1) } => write!(f, "What was reset more than a day ago is deleted."),
            Self::Archive { days: Some(days) } => write!(f, "What was reset more than {days} days ago is deleted."),
            Self::Size { items, at: 0 } => write!(f, "No {items} are recalled."),
            Self::Size { items, at } => write!(f, "At most {at} {items} in one answer."),
            Self::Keeping { kind, days: Some(days), over } => {
                let what = match (kind, over) {
                    (kind, 1) => format!("1 {}", kind.as_str()),
                    (kind, 0) => format!("no {}", kind.as_str()),
                    (kind, n) => format!("{} {}s", grouped(*n), kind.as_str()),
                };
                let unit = if *days == 1 { "day" } else { "days" };
                write!(f, "At {days} {unit}, {what} would be deleted now. Deleted memories do not come back.")
            }
            Self::Budget { at: 0, .. } => f.write_str("The model may be asked without limit."),
            Self::Budget { at, used } if *used >= i64::from(*at) => {
                write!(f, "Used up at once: the model used {} tokens today. A new budget begins at midnight UTC.", grouped(*used))
            }
            Self::Budget { at, used } => {
                let left = i64::from(*at) - used;
                write!(f, "The model used {} tokens today; {} are left.", grouped(*used), grouped(left))
            }
            Self::Paths(FilePaths::All) => f.write_str("New team facts with the path of a file are refused."),
            Self::Paths(FilePaths::Personal) => {
                f.write_str("New team facts with a path are refused only if it goes through somebody's home.")
            }
            Self::OverBudget(OverBudget::Wait) => f.write_str("Messages wait in the queue until midnight UTC. Nothing is lost."),
            Self::OverBudget(OverBudget::Rules) => {
                f.write_str("The built-in rules read messages until midnight UTC. They find less than a model.")
            }
            Self::Together { at: 1 } => f.write_str("The model reads each message by itself, as soon as it arrives."),
            Self::Together { at } => write!(f, "The model reads up to {at} messages of one user at once."),
            Self::Idle { seconds: 0 } => f.write_str("Messages do not wait for more. Those that are there are read together."),
            Self::Idle { seconds: 1 } => f.write_str("Messages are read 1 second after the last one of their user, or earlier."),
            Self::Idle { seconds } => {
                write!(f, "Messages are read {seconds} seconds after the last one of their user, or earlier.")
            }
            Self::Switch { key: ANONYMOUS, on: true, .. } => {
                f.write_str("Anyone who can reach the service can read approved facts.")
            }
            Self::Switch { label, on, .. } => write!(f, "{label} is turned {}.", if *on { "on" } else { "off" }),
        }
    }
}

/// Wording for the past judgements of a threshold.
struct SimilarityWords {
    nothing: &'static str,
    writes: &'static str,
    outcome: &'static str,
}

impl SimilarityWords {
    fn of(measure: Measure, raised: bool) -> Self {
        let (nothing, writes, outcome) = match (measure, raised) {
            (Measure::Global, true) => ("Nothing was merged", "merges", "have become new pending facts"),
            (Measure::Global, false) => ("No new fact came", "new facts", "have been merged into another"),
            (Measure::Personal, true) => ("Nothing was merged", "merges", "have become memories of their own"),
            (Measure::Personal, false) => ("No new memory came", "new memories", "have been merged into another"),
            (Measure::Correction, true) => ("Nothing was corrected", "corrections", "have been kept beside the old memory"),
            (Measure::Correction, false) => {
                ("Every correction found its memory", "corrections that replaced nothing", "have replaced one")
            }
            (Measure::Change, true) => ("Nothing changed", "changes", "have been kept beside the old memory"),
            (Measure::Change, false) => ("Every change found its memory", "changes that replaced nothing", "have replaced one"),
            (Measure::Related, true) => ("No contradiction was flagged", "flagged contradictions", "not have been flagged"),
            (Measure::Recall, true) => {
                ("Nothing was found by its meaning alone", "items that only their meaning found", "have been left out")
            }
            (Measure::Recall, false) => {
                ("Nothing was found by its meaning alone", "items that only their meaning found", "have been recalled")
            }
            (Measure::Related, false) => ("No new fact came", "new facts", "have been flagged as a contradiction"),
        };
        Self { nothing, writes, outcome }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_are_told_in_numbers() {
        let promote = |at, due, lower: &[(u32, u32)]| Effect::Promote { at, due, pending: 37, lower: lower.to_vec() }.to_string();
        assert_eq!(promote(Some(2), 16, &[]), "At 2, 16 of the 37 pending facts would be promoted now.");
        assert_eq!(
            promote(Some(4), 0, &[(3, 0), (2, 16)]),
            "At 4, none of the 37 pending facts would be promoted now. At 3, none; at 2, 16 would."
        );
        let floor = |dropped, back| Effect::Floor { at: 0.6, dropped, back }.to_string();
        assert_eq!(floor(48, 0), "At 0.60, 48 approved facts stop being recalled.");
        assert_eq!(floor(1, 0), "At 0.60, 1 approved fact stops being recalled.");
        assert_eq!(floor(0, 2), "At 0.60, 2 approved facts are recalled again.");
        let merges = |to, other, of| Effect::Similarity { measure: Measure::Global, from: 0.93, to, other, of }.to_string();
        assert_eq!(
            merges(0.94, 11, 171),
            "At 0.94 instead of 0.93, 11 of the last 171 merges would have become new pending facts."
        );
        assert_eq!(
            merges(0.9, 0, 20),
            "At 0.90 instead of 0.93, none of the last 20 new facts would have been merged into another."
        );
        let budget = |at| Effect::Budget { at, used: 1_200 }.to_string();
        assert_eq!(budget(0), "The model may be asked without limit.");
        assert_eq!(budget(5_000), "The model used 1,200 tokens today; 3,800 are left.");
        assert!(budget(1_200).starts_with("Used up at once"));
        let together = |at| Effect::Together { at }.to_string();
        assert_eq!(together(4), "The model reads up to 4 messages of one user at once.");
        assert_eq!(together(1), "The model reads each message by itself, as soon as it arrives.");
        let idle = |seconds| Effect::Idle { seconds }.to_string();
        assert_eq!(idle(20), "Messages are read 20 seconds after the last one of their user, or earlier.");
        assert!(idle(1).contains("1 second after") && idle(0).contains("do not wait"));
        assert_eq!(merges(0.94, 0, 0), "Nothing was merged in 90 days: there is nothing to judge this by.");
    }

    #[test]
    fn the_effect_of_keeping_is_told_before_anything_goes() {
        let told = |kind, days, over| Effect::Keeping { kind, days, over }.to_string();
        assert_eq!(
            told(MemoryKind::Episode, Some(30), 12),
            "At 30 days, 12 episodes would be deleted now. Deleted memories do not come back."
        );
        assert!(told(MemoryKind::Fact, Some(1), 1).starts_with("At 1 day, 1 fact would"));
        assert!(told(MemoryKind::Fact, Some(2), 0).starts_with("At 2 days, no fact would"));
        assert_eq!(told(MemoryKind::Fact, None, 0), "Kept for good.");
        assert_eq!(kept_kind("keep.preference"), Some(MemoryKind::Preference));
        assert!(kept_kind("keep.nothing").is_none() && kept_kind("recall.web").is_none());
    }

    #[test]
    fn only_fewer_people_than_now_lower_the_number() {
        let two = Value::Whole(2);
        assert!(lowers(Value::Whole(3), two) && lowers(Value::Off(()), two));
        assert!(!lowers(two, two) && !lowers(two, Value::Whole(3)) && !lowers(two, Value::Off(())));
    }
}
