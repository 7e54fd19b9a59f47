//! Claude's export: `conversations.json`, a list of conversations with `chat_messages`. Where messages name their parents and the
//! conversation names its last message, only that branch counts.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::conversations::{Conversation, Said, Tally, is_pasted, moment, text_of};
use super::standing;
use domain::moment::Moment;

/// Reads one conversation; `None`: it is none.
pub fn read(value: &Value, now: Moment, tally: &mut Tally) -> Option<Conversation> {
    let all = value["chat_messages"].as_array()?;
    let id = text_of(&value["uuid"])?;
    let shown = branch(value, all);
    let mut messages = Vec::new();
    for message in all {
        let own_id = message["uuid"].as_str().unwrap_or_default();
        if shown.as_ref().is_some_and(|shown| !shown.contains(own_id)) {
            tally.skip("other_branch");
        } else {
            messages.extend(said(message, now, tally));
        }
    }
    let at = moment(&value["created_at"]).or_else(|| moment(&value["updated_at"]));
    Some(Conversation { id: format!("claude:{id}"), thread: None, at, messages })
}

/// The messages on the way to the last one; `None`: the export names no branches. A message that names none before it follows the
/// one that stands before it.
fn branch<'a>(value: &'a Value, all: &'a [Value]) -> Option<HashSet<&'a str>> {
    let ids: Vec<&str> = all.iter().map(|one| one["uuid"].as_str()).collect::<Option<_>>()?;
    let before = [None].into_iter().chain(ids.iter().copied().map(Some));
    let parent = |(one, before): (&'a Value, Option<&'a str>)| one["parent_message_uuid"].as_str().or(before);
    let parents: HashMap<&str, Option<&str>> = ids.iter().copied().zip(all.iter().zip(before).map(parent)).collect();
    let mut at = value["current_leaf_message_uuid"].as_str().filter(|leaf| parents.contains_key(leaf));
    at?;
    let mut shown = HashSet::new();
    while let Some(id) = at.filter(|id| parents.contains_key(id) && shown.insert(*id)) {
        at = parents[id];
    }
    Some(shown)
}

fn said(message: &Value, now: Moment, tally: &mut Tally) -> Option<Said> {
    if let Err(reason) = standing::of_talk(message, now) {
        tally.skip(reason);
        return None;
    }
    let own = match message["sender"].as_str() {
        Some("human") => true,
        Some("assistant") => false,
        _ => {
            tally.skip("malformed");
            return None;
        }
    };
    // The blocks say what was typed or said aloud and what a tool gave; older exports have only the text.
    let blocks = message["content"].as_array().into_iter().flatten();
    let mut texts: Vec<&str> = blocks.filter_map(told).collect();
    if texts.is_empty() {
        texts.extend(text_of(&message["text"]));
    }
    if own {
        texts.extend(pasted(message));
    }
    let text = (!texts.is_empty()).then(|| texts.join("\n"));
    let Some(text) = text else {
        let holds = |name: &str| message[name].as_array().is_some_and(|list| !list.is_empty());
        tally.skip(if holds("files") || holds("attachments") { "image_or_file" } else { "empty" });
        return None;
    };
    let id = text_of(&message["uuid"]).map(str::to_owned);
    Some(Said { id, at: moment(&message["created_at"]), own, text })
}

/// What a block tells in words, typed or dictated.
fn told(block: &Value) -> Option<&str> {
    match block["type"].as_str()? {
        "text" => text_of(&block["text"]),
        "voice_note" => ["text", "transcript", "transcription"].into_iter().find_map(|name| text_of(&block[name])),
        _ => None,
    }
}

/// The texts that were pasted into a message.
fn pasted(message: &Value) -> impl Iterator<Item = &str> {
    let attachments = message["attachments"].as_array().into_iter().flatten();
    attachments.filter(|file| is_pasted(&file["file_name"])).filter_map(|file| text_of(&file["extracted_content"]))
}
