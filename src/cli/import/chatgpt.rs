//! ChatGPT's export: `conversations.json`, a list of conversations. The messages of each are a tree, because a message that was
//! edited and an answer that was asked for again are branches. What counts is the branch that was shown last.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::attached::Attached;
use super::conversations::{Conversation, Said, Tally, is_pasted, moment, text_of};
use super::standing;
use domain::moment::Moment;

/// Reads one conversation; `None`: it is none.
pub fn read(value: &Value, now: Moment, tally: &mut Tally, attached: &mut Attached) -> Option<Conversation> {
    let nodes = value["mapping"].as_object()?;
    let id = text_of(&value["conversation_id"]).or_else(|| text_of(&value["id"]))?;
    let shown = shown(value, nodes);
    let messages = shown.iter().filter_map(|id| said(&nodes.get(*id)?["message"], now, tally, attached)).collect();
    let shown: HashSet<&str> = shown.into_iter().collect();
    let others = nodes.iter().filter(|(id, node)| !shown.contains(id.as_str()) && is_talk(&node["message"]));
    tally.skip_all("other_branch", others.count());
    let at = moment(&value["create_time"]).or_else(|| moment(&value["update_time"]));
    Some(Conversation { id: format!("chatgpt:{id}"), thread: None, at, messages })
}

/// The nodes of the branch that was shown last, oldest first. A node that does not name the one above it is named there; where none
/// names another, all are shown, in the order of their times.
fn shown<'a>(value: &'a Value, nodes: &'a Map<String, Value>) -> Vec<&'a str> {
    let answered = |(id, node): (&'a String, &'a Value)| answers(node).map(|answer| (answer, id.as_str())).collect::<Vec<_>>();
    let holders: HashMap<&str, &str> = nodes.iter().flat_map(answered).collect();
    let above = |id: &str, node: &'a Value| {
        let named = node["parent"].as_str().filter(|parent| nodes.contains_key(*parent));
        named.or_else(|| holders.get(id).copied())
    };
    if !nodes.iter().any(|(id, node)| above(id, node).is_some()) {
        let mut all: Vec<&String> = nodes.keys().collect();
        all.sort_by_key(|id| moment(&nodes[*id]["message"]["create_time"]));
        return all.into_iter().map(String::as_str).collect();
    }
    let mut path = Vec::new();
    let mut seen = HashSet::new();
    let mut at = value["current_node"].as_str().filter(|id| nodes.contains_key(*id)).or_else(|| last_leaf(value));
    // A damaged tree may run in a circle.
    while let Some(id) = at.filter(|id| seen.insert(*id)) {
        path.push(id);
        at = nodes.get(id).and_then(|node| above(id, node));
    }
    path.reverse();
    path
}

fn answers(node: &Value) -> impl Iterator<Item = &str> {
    node["children"].as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// The newest message without an answer, where an export does not say which branch was shown.
fn last_leaf(value: &Value) -> Option<&str> {
    let leaves = value["mapping"].as_object()?.iter().filter(|(_, node)| node["children"].as_array().is_none_or(Vec::is_empty));
    let at = |node: &Value| moment(&node["message"]["create_time"]);
    leaves.max_by_key(|(_, node)| at(node)).map(|(id, _)| id.as_str())
}

fn is_talk(message: &Value) -> bool {
    matches!(message["author"]["role"].as_str(), Some("user" | "assistant")) && written(message).is_some()
}

/// A message of the person or the assistant. Everything else is counted and left out.
fn said(message: &Value, now: Moment, tally: &mut Tally, attached: &mut Attached) -> Option<Said> {
    if message.is_null() {
        // The root of the tree.
        return None;
    }
    let own = match message["author"]["role"].as_str() {
        Some("user") => true,
        Some("assistant") => false,
        Some("system") => return left_out(tally, "system"),
        Some("tool") => return left_out(tally, "tool"),
        _ => return left_out(tally, "malformed"),
    };
    if message["metadata"]["is_visually_hidden_from_conversation"] == true || message["weight"].as_f64() == Some(0.0) {
        return left_out(tally, "hidden");
    }
    if let Err(reason) = standing::of_talk(message, now) {
        return left_out(tally, reason);
    }
    // What the assistant sends to a tool.
    if !own && message["recipient"].as_str().is_some_and(|recipient| recipient != "all") {
        return left_out(tally, "tool");
    }
    let mut texts: Vec<String> = written(message).into_iter().collect();
    if own {
        texts.extend(pasted(message, tally, attached));
    }
    if texts.is_empty() {
        let parts = message["content"]["parts"].as_array();
        let holds_media = parts.is_some_and(|parts| parts.iter().any(Value::is_object)) || attachments(message).next().is_some();
        return left_out(tally, if holds_media { "image_or_file" } else { "empty" });
    }
    let text = texts.join("\n");
    let id = text_of(&message["id"]).map(str::to_owned);
    Some(Said { id, at: moment(&message["create_time"]), own, text })
}

fn left_out(tally: &mut Tally, reason: &str) -> Option<Said> {
    tally.skip(reason);
    None
}

fn attachments(message: &Value) -> impl Iterator<Item = &Value> {
    message["metadata"]["attachments"].as_array().into_iter().flatten()
}

/// The texts that were pasted into a message, from their own files. One whose file is missing or is no text is counted.
fn pasted(message: &Value, tally: &mut Tally, attached: &mut Attached) -> Vec<String> {
    let mut texts = Vec::new();
    for file in attachments(message).filter(|file| is_pasted(&file["name"]) && is_text(file)) {
        match text_of(&file["id"]).and_then(|id| attached.text(id)) {
            Some(text) => texts.push(text),
            None => tally.skip("missing_paste"),
        }
    }
    texts
}

/// Whether an attachment is text, as far as the export says what it is.
fn is_text(file: &Value) -> bool {
    let kind = text_of(&file["mimeType"]).or_else(|| text_of(&file["mime_type"]));
    kind.is_none_or(|kind| kind.starts_with("text/"))
}

/// The text: what was typed, and what was said aloud and written down. Images, and what a model thought or ran, are no text.
fn written(message: &Value) -> Option<String> {
    let content = &message["content"];
    if !matches!(content["content_type"].as_str(), Some("text" | "multimodal_text") | None) {
        return None;
    }
    let part = |part: &Value| match part {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Object(_) if part["content_type"] == "audio_transcription" => text_of(&part["text"]).map(str::to_owned),
        _ => None,
    };
    let parts: Vec<String> = content["parts"].as_array()?.iter().filter_map(part).filter(|text| !text.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join("\n"))
}
