//! Slack's export: an archive with a folder for each channel, in it a file for each day, and beside them the lists of people and
//! channels. Only what one member wrote is taken in; nobody else's messages are, and there are no replies of an assistant.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::conversations::{Conversation, Maker, Said, moment, text_of};
use super::names::base;
use super::source::{Continuation, Source};
use super::standing;
use crate::cli::Failure;
use domain::facts::provenance::Surface;

/// The surface of what was said to one or a few people only, so that it can be told apart.
pub const DIRECT: &str = "slack-dm";
/// Kinds of messages that people write; every other subtype is a notice, such as that somebody joined.
const WRITTEN: [&str; 4] = ["thread_broadcast", "me_message", "file_share", "reply_broadcast"];

/// Whose messages, and whether those to one or a few people are among them.
pub struct SlackAuthor {
    pub member: String,
    pub direct: bool,
}

pub fn is_export(names: &[String]) -> bool {
    names.iter().any(|name| base(name) == "users.json") && names.iter().any(|name| day(name).is_some())
}

/// The file of a day, and its channel's folder.
fn day(name: &str) -> Option<&str> {
    let mut parts = name.rsplit('/');
    let date = parts.next()?.strip_suffix(".json")?;
    let digits = |at: usize, c: char| if at == 4 || at == 7 { c == '-' } else { c.is_ascii_digit() };
    let is_date = date.len() == 10 && date.chars().enumerate().all(|(at, c)| digits(at, c));
    parts.next().filter(|_| is_date)
}

/// Reads the whole export.
pub fn read(source: &mut Source, whose: &SlackAuthor, maker: &mut Maker<'_>) -> Result<(), Failure> {
    let names = source.names();
    let people = people(source, &names)?;
    if !people.contains_key(&whose.member) {
        return Err(Failure::Said(format!("--member {}: users.json knows nobody with this id", whose.member)));
    }
    let direct = listed(source, &names, &["dms.json", "mpims.json"], |_| true)?;
    let now = maker.now;
    let over = listed(source, &names, &["channels.json", "groups.json"], |one| standing::of_talk(one, now).is_err())?;
    let surface = maker.surface.clone();
    for name in &names {
        let Some(channel) = day(name) else { continue };
        let is_direct = direct.contains(channel) || looks_direct(channel);
        let place = SlackChannel { name: channel, is_direct, is_over: over.contains(channel) };
        maker.surface = if is_direct { Surface::new(DIRECT)? } else { surface.clone() };
        let mut ended = Continuation::More;
        source.each(name, &[], &mut |message| {
            if let Some(conversation) = said(&message, &place, whose, &people, maker) {
                ended = maker.take(conversation)?;
            }
            Ok(ended)
        })?;
        if ended == Continuation::Stop {
            break;
        }
    }
    maker.surface = surface;
    Ok(())
}

/// The name of each member, by id.
fn people(source: &mut Source, names: &[String]) -> Result<HashMap<String, String>, Failure> {
    let mut people = HashMap::new();
    if let Some(list) = names.iter().find(|name| base(name) == "users.json") {
        source.each(list, &["members"], &mut |person| {
            if let Some(id) = text_of(&person["id"]) {
                let name = [&person["profile"]["display_name"], &person["real_name"], &person["name"]];
                let name = name.into_iter().find_map(text_of).unwrap_or(id);
                people.insert(id.to_owned(), name.to_owned());
            }
            Ok(Continuation::More)
        })?;
    }
    Ok(people)
}

/// The folders of those conversations in these lists that are so.
fn listed(
    source: &mut Source,
    names: &[String],
    lists: &[&str],
    is_so: impl Fn(&Value) -> bool,
) -> Result<HashSet<String>, Failure> {
    let mut found = HashSet::new();
    for list in names.iter().filter(|name| lists.contains(&base(name))) {
        source.each(list, &[], &mut |one| {
            if is_so(&one) {
                found.extend([&one["id"], &one["name"]].into_iter().filter_map(text_of).map(str::to_owned));
            }
            Ok(Continuation::More)
        })?;
    }
    Ok(found)
}

/// By its name, if an export lacks the lists: `D024BE91L`, `mpdm-anna--budi-1`.
fn looks_direct(channel: &str) -> bool {
    let is_id = channel.len() >= 9 && channel.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    channel.starts_with("mpdm-") || channel.starts_with('D') && is_id
}

/// Where a message was written.
struct SlackChannel<'a> {
    name: &'a str,
    is_direct: bool,
    /// It was archived.
    is_over: bool,
}

/// One message of the member, as a conversation of its own: in a channel everybody speaks, so what came before is no context.
fn said(
    message: &Value,
    channel: &SlackChannel<'_>,
    whose: &SlackAuthor,
    people: &HashMap<String, String>,
    maker: &mut Maker<'_>,
) -> Option<Conversation> {
    let tally = &mut *maker.tally;
    let subtype = message["subtype"].as_str();
    let reason = if message["type"] != "message" {
        Some("malformed")
    } else if !message["bot_id"].is_null() || subtype == Some("bot_message") {
        Some("bot")
    } else if subtype == Some("tombstone") || message["hidden"] == true {
        Some("deleted")
    } else if subtype.is_some_and(|subtype| !WRITTEN.contains(&subtype)) {
        Some("notice")
    } else if message["user"].as_str() != Some(whose.member.as_str()) {
        Some("other_people")
    } else if channel.is_over {
        Some("archived")
    } else if channel.is_direct && !whose.direct {
        Some("direct_message")
    } else {
        None
    };
    if let Some(reason) = reason {
        tally.skip(reason);
        return None;
    }
    let Some(text) = text_of(&message["text"]).map(|text| plain(text, people)) else {
        let files = message["files"].as_array().is_some_and(|files| !files.is_empty());
        tally.skip(if files { "image_or_file" } else { "empty" });
        return None;
    };
    let Some((ts, at)) = text_of(&message["ts"]).zip(moment(&message["ts"])) else {
        tally.skip("no_date");
        return None;
    };
    // No id names the thread: a message gets one with its first reply, and may be shown in its channel as well.
    let channel = channel.name;
    let thread = text_of(&message["thread_ts"]).map(|thread| format!("slack:{channel}:{thread}"));
    let messages = vec![Said { id: Some(format!("{channel}:{ts}")), at: Some(at), own: true, text }];
    Some(Conversation { id: format!("slack:{channel}"), thread, at: None, messages })
}

/// The text as people see it. Slack writes mentions and links as `<@U1>`, `<#C1|general>`, `<https://…|words>`.
fn plain(text: &str, people: &HashMap<String, String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        let Some((inside, behind)) = after.split_once('>') else {
            out.push('<');
            rest = after;
            continue;
        };
        let (target, words) = inside.split_once('|').map_or((inside, None), |(target, words)| (target, Some(words)));
        match target.chars().next() {
            Some('@') => {
                let id = &target[1..];
                out.push('@');
                out.push_str(people.get(id).map(String::as_str).or(words).unwrap_or(id));
            }
            Some('#') => {
                out.push('#');
                out.push_str(words.unwrap_or(&target[1..]));
            }
            Some('!') => {
                out.push('@');
                out.push_str(words.unwrap_or(&target[1..]).trim_start_matches('@'));
            }
            _ => out.push_str(words.unwrap_or(target)),
        }
        rest = behind;
    }
    out.push_str(rest);
    out.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mentions_links_and_signs_are_read_as_people_see_them() {
        let people = HashMap::from([("U1".to_owned(), "Budi 🦎".to_owned())]);
        for (written, seen) in [
            ("<@U1> knows <@U2>, <@U3|carla>", "@Budi 🦎 knows @U2, @carla"),
            ("in <#C1|general> and <#C2>", "in #general and #C2"),
            ("<!here> <!subteam^S1|@ops>", "@here @ops"),
            ("see <https://example.org/a?b=1|the page> or <https://example.org>", "see the page or https://example.org"),
            ("a &lt; b &amp;&amp; c &gt; d", "a < b && c > d"),
            ("&amp;lt;", "&lt;"),
            ("5 < 6", "5 < 6"),
            ("<>", ""),
        ] {
            assert_eq!(plain(written, &people), seen, "{written}");
        }
    }

    #[test]
    fn the_files_of_days_and_direct_conversations_are_known_by_their_names() {
        assert_eq!(day("general/2026-11-01.json"), Some("general"));
        assert_eq!(day("export/general/2026-11-01.json"), Some("general"));
        for other in ["2026-11-01.json", "general/canvas.json", "general/2026-11-01.txt", "users.json", "general/20261101ab.json"]
        {
            assert_eq!(day(other), None, "{other}");
        }
        assert!(looks_direct("D024BE91L") && looks_direct("mpdm-anna--budi-1"));
        assert!(!looks_direct("general") && !looks_direct("DESIGN") && !looks_direct("Dev-2024"));
    }
}
