//! Claude's export: `conversations.json`, a list of conversations with `chat_messages`. Where messages name their parents and the
//! conversation names its last message, only that branch counts.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::conversations::{Conversation, Said, Tally, moment, text_of};

/// Reads one conversation; `None`: it is none.
pub fn read(value: &Value, tally: &mut Tally) -> Option<Conversation> {
    let all = value["chat_messages"].as_array()?;
    let id = text_of(&value["uuid"])?;
    let shown = branch(value, all);
    let mut messages = Vec::new();
    for message in all {
        let own_id = message["uuid"].as_str().unwrap_or_default();
        if shown.as_ref().is_some_and(|shown| !shown.contains(own_id)) {
            tally.skip("other_branch");
        } else {
            messages.extend(said(message, tally));
        }
    }
    let at = moment(&value["created_at"]).or_else(|| moment(&value["updated_at"]));
    Some(Conversation { id: format!("claude:{id}"), thread: None, at, messages })
}

/// The messages on the way to the last one; `None`: the export names no branches.
fn branch<'a>(value: &'a Value, all: &'a [Value]) -> Option<HashSet<&'a str>> {
    let parents: HashMap<&str, Option<&str>> =
        all.iter().filter_map(|one| Some((one["uuid"].as_str()?, one["parent_message_uuid"].as_str()))).collect();
    let mut at = value["current_leaf_message_uuid"].as_str().filter(|leaf| parents.contains_key(leaf));
    at?;
    let mut shown = HashSet::new();
    while let Some(id) = at.filter(|id| parents.contains_key(id) && shown.insert(*id)) {
        at = parents[id];
    }
    Some(shown)
}

fn said(message: &Value, tally: &mut Tally) -> Option<Said> {
    let own = match message["sender"].as_str() {
        Some("human") => true,
        Some("assistant") => false,
        _ => {
            tally.skip("malformed");
            return None;
        }
    };
    // The blocks say what was text and what a tool gave; older exports have only the text.
    let blocks = message["content"].as_array().into_iter().flatten();
    let texts: Vec<&str> = blocks.filter(|block| block["type"] == "text").filter_map(|block| text_of(&block["text"])).collect();
    let text = if texts.is_empty() { text_of(&message["text"]).map(str::to_owned) } else { Some(texts.join("\n")) };
    let Some(text) = text else {
        let holds = |name: &str| message[name].as_array().is_some_and(|list| !list.is_empty());
        tally.skip(if holds("files") || holds("attachments") { "image_or_file" } else { "empty" });
        return None;
    };
    let id = text_of(&message["uuid"]).map(str::to_owned);
    Some(Said { id, at: moment(&message["created_at"]), own, text })
}
