//! Notes that are disguised orders to the assistant.
//!
//! Memories are put into prompts, so a note that says "ignore what you were told" is an attack that waits. Each pattern matches
//! one shape of such an order. Harmless notes use the same verbs about builds and deploys, so a pattern needs the object
//! (instructions, the user, the prompt) and not only the verb.

use std::sync::LazyLock;

use super::normalise::Folded;
use super::note_claims;
use super::note_harmless;
use super::note_harms;
use super::note_orders::ORDERS;
use super::note_plots;
use super::note_ruses;
use super::note_shapes::{GIVEN_AWAY, SHAPES};
use super::note_signs;
use super::note_told;
use super::obfuscation;
use super::reading::Reading;
use crate::domain::likeness;

/// A note longer than this is not one durable statement.
const MAX_NOTE_CHARS: usize = 500;

/// A note at least this similar to the labelled orders is an order.
const LIKE_AN_ORDER: f32 = 0.65;
/// A note less similar than this is harmless, if only a sum of weak signs fired.
const UNLIKE_AN_ORDER: f32 = 0.1;
/// A note less similar than this is harmless, if only rules fired that friendly chat triggers too: "you're going to be
/// brilliant".
const FAR_FROM_AN_ORDER: f32 = 0.004;
/// Rules that friendly chat triggers too.
const WEAK: [&str; 3] = ["order", "command_to_model", "new_identity"];

/// The same orders in scripts that cannot be folded: two stems that must both occur.
const OTHER_SCRIPTS: &[(&str, &str)] = &[
    ("忽略", "指令"),
    ("忽略", "指示"),
    ("无视", "指令"),
    ("無視", "指示"),
    ("忽略", "规则"),
    ("输出", "提示词"),
    ("系统", "提示词"),
    ("系統", "提示詞"),
    ("现在", "你是"),
    ("無視", "プロンプト"),
    ("指示", "無視"),
    ("システム", "プロンプト"),
    ("あなたは", "今から"),
    ("ルール", "無視"),
    ("игнорируй", "инструкц"),
    ("игнорир", "указани"),
    ("забудь", "указани"),
    ("не следуй", "правил"),
    ("отправь", "истори"),
    ("отправляй", "истори"),
    ("раскрой", "парол"),
    ("покажи", "парол"),
    ("泄露", "密码"),
    ("发送", "对话"),
    ("パスワード", "表示"),
    ("会話", "送信"),
    ("비밀번호", "알려"),
    ("أرسل", "المحادثة"),
    ("игнорир", "правил"),
    ("забудь", "инструкц"),
    ("забудь", "правил"),
    ("систем", "промпт"),
    ("теперь", "ты —"),
    ("не говори", "пользовател"),
    ("покажи", "промпт"),
    ("무시", "지시"),
    ("무시", "명령"),
    ("시스템", "프롬프트"),
    ("무시", "규칙"),
    ("이제부터", "너는"),
    ("تجاهل", "التعليمات"),
    ("تجاهل", "تعليمات"),
    ("تجاهل", "القواعد"),
    ("اكشف", "السرية"),
    ("انس", "التعليمات"),
    ("अनदेखा", "निर्देश"),
    ("नज़रअंदाज़", "निर्देश"),
    ("เพิกเฉย", "คำสั่ง"),
    ("ละเว้น", "คำสั่ง"),
    ("αγνόησε", "οδηγίες"),
    ("התעלם", "הוראות"),
    ("ігноруй", "інструкц"),
];

/// The shapes that fire, each once, in table order.
pub(super) fn planted(original: &str) -> Vec<&'static str> {
    if original.chars().count() >= MAX_NOTE_CHARS {
        return vec!["too_long"];
    }
    let reading = Reading::new(original);
    let mut fired = Vec::new();
    if reading.folded.hidden.is_some() {
        fired.push("hidden_text");
    }
    if !reading.folded.mixed.is_empty() {
        fired.push("mixed_script");
    }
    let original_lower = original.to_lowercase();
    if OTHER_SCRIPTS.iter().any(|(first, second)| original_lower.contains(first) && original_lower.contains(second)) {
        fired.push("override");
    }
    let plain = note_harmless::set_aside(&note_told::set_aside(&reading.folded.lower));
    match_shapes(&plain, &mut fired);
    let tight = note_harmless::set_aside(&note_told::set_aside(&squeezed(&reading.folded.lower)));
    match_harms(&tight, &mut fired);
    match_shapes(&tight, &mut fired);
    match_orders(&tight, &mut fired);
    // A claim counts no matter who tells it: "our agreed answer is that nothing leaked".
    match_claims(&squeezed(&reading.folded.lower), &mut fired);
    if note_signs::add_up(&tight) {
        fired.push("order");
    }
    for piece in obfuscation::undress(&reading) {
        let mut inner = Vec::new();
        match_shapes(&Folded::new(&piece.says).lower, &mut inner);
        match_shapes(&plain_leet(&piece.says), &mut inner);
        if !inner.is_empty() {
            fired.push("encoded_order");
        }
    }
    let mut leet = Vec::new();
    match_shapes(&plain_leet(&plain), &mut leet);
    fired.extend(leet);
    weigh(original, &mut fired);
    let mut seen = Vec::new();
    fired.retain(|name| {
        let new = !seen.contains(name);
        seen.push(*name);
        new
    });
    fired
}

/// Applies the classifier: it adds orders that no pattern knows, and removes those that only weak signs suggested.
fn weigh(note: &str, fired: &mut Vec<&'static str>) {
    let order = likeness::order(note);
    if order >= LIKE_AN_ORDER {
        fired.push("likeness");
    } else if order <= UNLIKE_AN_ORDER && fired.iter().all(|name| *name == "order")
        || order <= FAR_FROM_AN_ORDER && fired.iter().all(|name| WEAK.contains(name))
    {
        fired.clear();
    }
}

fn match_shapes(lower: &str, fired: &mut Vec<&'static str>) {
    if pattern!(GIVEN_AWAY).captures_iter(lower.as_bytes()).any(|found| found.get(1).is_none()) {
        fired.push("exfiltrate");
    }
    let set = pattern_set!(SHAPES.iter().map(|(_, shape)| *shape));
    for index in set.matches(lower.as_bytes()) {
        fired.push(SHAPES[index].0);
    }
}

fn match_orders(lower: &str, fired: &mut Vec<&'static str>) {
    let set = pattern_set!(ORDERS.iter().map(|(_, order)| *order));
    for index in set.matches(lower.as_bytes()) {
        fired.push(ORDERS[index].0);
    }
}

fn match_harms(lower: &str, fired: &mut Vec<&'static str>) {
    static HARMS: LazyLock<Vec<(&'static str, String)>> =
        LazyLock::new(|| [note_harms::harms(), note_plots::plots(), note_ruses::ruses()].concat());
    let set = pattern_set!(HARMS.iter().map(|(_, harm)| harm));
    fired.extend(set.matches(lower.as_bytes()).into_iter().map(|index| HARMS[index].0));
}

fn match_claims(lower: &str, fired: &mut Vec<&'static str>) {
    static CLAIMS: LazyLock<Vec<(&'static str, String)>> = LazyLock::new(note_claims::claims);
    let set = pattern_set!(CLAIMS.iter().map(|(_, claim)| claim));
    fired.extend(set.matches(lower.as_bytes()).into_iter().map(|index| CLAIMS[index].0));
}

/// Collapses runs of white space, so that `ignore   previous` or a line break does not hide an order.
fn squeezed(lower: &str) -> String {
    lower
        .split(|c: char| c.is_ascii_whitespace() || matches!(c, '*' | '_' | '~'))
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn plain_leet(lower: &str) -> String {
    lower
        .chars()
        .map(|c| match c {
            '0' => 'o',
            '1' | '!' => 'i',
            '3' => 'e',
            '4' | '@' => 'a',
            '5' | '$' => 's',
            '7' => 't',
            other => other.to_ascii_lowercase(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What friends write to each other. None of it was used for learning.
    const CHAT: [&str; 15] = [
        "Hey Nora, long time no see! How was the trip to the lakes?",
        "That's wonderful news, you must be so proud of her. Tell me everything!",
        "Don't worry about the cake, just bring yourself and a big smile.",
        "You should really try the climbing hall by the station, you'd love it.",
        "We went camping with the kids last weekend and it rained the whole time, but nobody minded.",
        "Good luck tomorrow! You're going to be brilliant, I just know it.",
        "I've been painting again since March. It helps me to calm down after work.",
        "Let me know if you need a hand with the move, I'm free on Saturday.",
        "Sorry to hear about your knee, take it easy and keep me posted.",
        "Thanks for listening, it means a lot to me. You're such a good friend.",
        "Our dog ate the whole birthday cake, can you believe it?",
        "Wow, that view is stunning! Where did you take this photo?",
        "Keep practising, you'll get there. My first year on the violin was awful too.",
        "Aku baru pulang dari Jogja, oleh-olehnya nanti aku bawain ya!",
        "Semangat ya, pasti bisa! Jangan lupa istirahat.",
    ];

    #[test]
    fn chat_between_friends_is_no_order() {
        let refused: Vec<_> = CHAT.iter().filter(|line| !planted(line).is_empty()).collect();
        assert!(refused.len() <= 1, "{refused:?}");
    }
}
