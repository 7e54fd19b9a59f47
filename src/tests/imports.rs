//! What other products exported, through the command line: recognised, counted, taken in with its dates, once.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::process::Home;

fn data(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/data/import").join(name);
    std::fs::read_to_string(path).expect("a fixture")
}

/// An archive of these files, in the home's folder.
fn archive(home: &Home, name: &str, files: &[(String, Vec<u8>)]) -> String {
    let mut zip = ZipWriter::new(std::fs::File::create(home.path(name)).expect("made"));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in files {
        zip.start_file(name.as_str(), options).expect("begun");
        zip.write_all(bytes).expect("written");
    }
    zip.finish().expect("closed");
    home.path(name).display().to_string()
}

fn slack(home: &Home, folder: &str) -> String {
    let names = [
        "users.json",
        "channels.json",
        "dms.json",
        "mpims.json",
        "general/2026-10-01.json",
        "general/2026-10-02.json",
        "D024BE91L/2026-10-02.json",
        "mpdm-anna--budi-1/2026-10-02.json",
    ];
    let files: Vec<_> =
        names.iter().map(|name| (format!("{folder}{name}"), data(&format!("slack/{name}")).into_bytes())).collect();
    archive(home, "slack.zip", &files)
}

/// Messages and replies in the database, oldest first, before they are learned.
fn query(home: &Home, sql: &str) -> Vec<String> {
    tokio::runtime::Runtime::new().expect("a runtime").block_on(home.ask(sql))
}

fn memories(home: &Home) -> Vec<String> {
    query(home, "SELECT content FROM memories ORDER BY created_at, content")
}

/// The date on which each memory was made.
fn dates(home: &Home) -> Vec<String> {
    query(
        home,
        "SELECT strftime('%Y-%m-%dT%H:%M:%S', created_at / 1000, 'unixepoch') || ' ' || surface FROM memories ORDER BY created_at, content",
    )
}

#[test]
fn a_chatgpt_export_is_counted_and_taken_in_once_with_its_dates() {
    let home = Home::new();
    for file in [
        home.file("conversations.json", &data("chatgpt.json")),
        archive(
            &home,
            "chatgpt.zip",
            &[
                ("user.json".to_owned(), b"{}".to_vec()),
                ("chat.html".to_owned(), b"<html>".to_vec()),
                ("conversations.json".to_owned(), data("chatgpt.json").into_bytes()),
            ],
        ),
    ] {
        let counts = home.run(&["import", &file, "--user", "anna", "--dry-run"]).json();
        let expected = json!({
            "format": "chatgpt", "conversations": 2, "exchanges": 3, "messages": 6,
            "from": "2025-11-01T10:00:20Z", "to": "2025-11-02T10:00:01Z",
            "skipped": {"hidden": 1, "image_or_file": 1, "malformed": 4, "other_branch": 3, "system": 1, "tool": 2}, "stored": 0
        });
        assert_eq!(counts, expected);
    }
    assert!(!home.path("data/keepsake.db").exists(), "a dry run stored something");
    let file = home.path("chatgpt.zip").display().to_string();
    for _ in 0..2 {
        let summary = home.run(&["import", &file, "--user", "anna"]).json();
        assert_eq!([&summary["exchanges"], &summary["learned"], &summary["parked"]], [&json!(3), &json!(3), &json!(0)]);
        let kept = memories(&home).join("|");
        assert!(kept.contains("axolotls") && kept.contains("Lyon") && !kept.contains("newts"), "{kept}");
        assert!(dates(&home).contains(&"2025-11-01T10:00:20 chatgpt".to_owned()), "{:?}", dates(&home));
        assert_eq!(query(&home, "SELECT COUNT(*) || '' FROM exchanges"), ["3"]);
        assert_eq!(query(&home, "SELECT value || '' FROM daily_counters WHERE name = 'exchanges.received'"), ["3"]);
        assert_eq!(query(&home, "SELECT COUNT(*) || '' FROM memory_merges"), ["0"], "nothing was learned twice");
    }
    // For somebody else it is another import.
    home.run(&["import", &file, "--user", "budi"]).json();
    assert_eq!(query(&home, "SELECT COUNT(*) || '' FROM exchanges"), ["6"]);
}

#[test]
fn a_claude_export_is_counted_and_taken_in_once_with_its_dates() {
    let home = Home::new();
    let file = home.file("claude.json", &data("claude.json"));
    let counts = home.run(&["import", &file, "--user", "anna", "--dry-run"]).json();
    let expected = json!({
        "format": "claude", "conversations": 2, "exchanges": 3, "messages": 5,
        "from": "2026-10-01T06:02:00Z", "to": "2026-10-02T08:00:00Z",
        "skipped": {"empty": 1, "image_or_file": 1, "malformed": 3, "other_branch": 1}, "stored": 0
    });
    assert_eq!(counts, expected);
    for _ in 0..2 {
        let summary = home.run(&["import", &file, "--user", "anna", "--format", "claude"]).json();
        assert_eq!([&summary["learned"], &summary["parked"]], [&json!(3), &json!(0)]);
        assert!(memories(&home).join("|").contains("cello"), "{:?}", memories(&home));
        assert_eq!(query(&home, "SELECT COUNT(*) || '' FROM exchanges"), ["3"]);
    }
}

#[test]
fn of_a_slack_export_only_the_named_members_messages_are_taken_in() {
    let home = Home::new();
    for folder in ["", "my-team export/"] {
        let file = slack(&home, folder);
        let counts = home.run(&["import", &file, "--user", "anna", "--member", "U1", "--dry-run"]).json();
        let expected = json!({
            "format": "slack", "conversations": 4, "exchanges": 4, "messages": 4,
            "from": "2025-10-01T10:00:01Z", "to": "2025-10-02T10:00:00Z",
            "skipped": {
                "bot": 1, "deleted": 1, "direct_message": 2, "empty": 1, "image_or_file": 1, "malformed": 2, "no_date": 1,
                "notice": 1, "other_people": 3
            },
            "stored": 0
        });
        assert_eq!(counts, expected);
    }
    let file = home.path("slack.zip").display().to_string();
    home.run(&["import", &file, "--user", "anna"]).fails_saying("--member");
    home.run(&["import", &file, "--member", "U1"]).fails_saying("--user");
    home.run(&["import", &file, "--user", "anna", "--member", "U7"]).fails_saying("users.json knows nobody");
    for _ in 0..2 {
        let summary = home.run(&["import", &file, "--user", "anna", "--member", "U1"]).json();
        assert_eq!([&summary["exchanges"], &summary["learned"]], [&json!(4), &json!(4)]);
        let kept = memories(&home).join("|");
        assert!(kept.contains("cello") && kept.contains("Zürich"), "{kept}");
        assert!(!kept.contains("snakes") && !kept.contains("peanut") && !kept.contains("Finnish"), "{kept}");
    }
    let summary = home.run(&["import", &file, "--user", "anna", "--member", "U1", "--dms"]).json();
    assert_eq!((&summary["exchanges"], summary["skipped"].get("direct_message")), (&json!(6), None));
    assert!(memories(&home).join("|").contains("peanut"));
    let surfaces =
        query(&home, "SELECT DISTINCT surface FROM memories WHERE content LIKE '%peanut%' OR content LIKE '%Zürich%' ORDER BY 1");
    assert_eq!(surfaces, ["slack", "slack-dm"]);
}

#[test]
fn a_message_that_got_its_first_reply_is_not_learned_again() {
    let home = Home::new();
    let message = |thread: &str| {
        format!(r#"[{{"type": "message", "user": "U1", "text": "I play the cello.", "ts": "1759312804.000500"{thread}}}]"#)
    };
    let export = |thread: &str| {
        let files = [("users.json", data("slack/users.json")), ("general/2026-10-01.json", message(thread))];
        archive(&home, "slack.zip", &files.map(|(name, text)| (name.to_owned(), text.into_bytes())))
    };
    for thread in ["", r#", "thread_ts": "1759312804.000500", "reply_count": 1"#] {
        let file = export(thread);
        let summary = home.run(&["import", &file, "--user", "anna", "--member", "U1"]).json();
        assert_eq!(summary["exchanges"], 1);
        assert_eq!(query(&home, "SELECT CAST(COUNT(*) AS TEXT) FROM exchanges"), ["1"], "it is the same exchange: {thread}");
    }
}

#[test]
fn lists_of_memories_are_taken_in_word_for_word_and_once() {
    let home = Home::new();
    let file = home.file("mem0.json", &data("mem0.json"));
    let counts = home.run(&["import", &file, "--user", "anna", "--dry-run"]).json();
    assert_eq!((&counts["format"], &counts["memories"], &counts["stored"]), (&json!("mem0"), &json!(7), &json!(0)));
    assert_eq!(counts["skipped"], json!({"date_in_the_future": 1, "empty": 2, "malformed": 1}));
    let first = home.run(&["import", &file, "--user", "anna"]).json();
    assert_eq!([&first["stored"], &first["known"], &first["refused"]], [&json!(4), &json!(1), &json!(2)]);
    let again = home.run(&["import", &file, "--user", "anna"]).json();
    assert_eq!([&again["stored"], &again["known"], &again["refused"]], [&json!(0), &json!(5), &json!(2)]);
    let kept = query(&home, "SELECT kind || ' ' || importance || ' ' || content FROM memories ORDER BY content");
    let expected = [
        "preference 3 Likes smoked tea",
        "correction 3 Moved to Lyon",
        "fact 3 Speaks 日本語 at home",
        "fact 4 Works on the iOS app",
    ];
    assert_eq!(kept, expected);
    assert!(dates(&home).contains(&"2025-03-01T17:00:00 mem0".to_owned()), "{:?}", dates(&home));

    let file = home.file("memories.json", &data("memories.json"));
    assert_eq!(home.run(&["import", &file, "--user", "anna"]).json()["stored"], 2);
    assert!(memories(&home).contains(&"Prefers short answers".to_owned()));

    let two = r#"[{"memory":"Likes tea","user_id":"a"},{"memory":"Likes milk","user_id":"b"}]"#;
    let file = home.file("two.json", two);
    home.run(&["import", &file, "--user", "carla"]).fails_saying("--member");
    let taken = home.run(&["import", &file, "--user", "carla", "--member", "b"]).json();
    assert_eq!((&taken["stored"], &taken["skipped"]), (&json!(1), &json!({"other_people": 1})));
}

#[test]
fn an_archive_that_means_harm_is_refused_and_nothing_is_stored() {
    let home = Home::new();
    let good = data("chatgpt.json").into_bytes();
    let file = |name: &str, bytes: &[u8]| (name.to_owned(), bytes.to_vec());
    for name in ["../conversations.json", "/etc/conversations.json", "a/../../x.json"] {
        let zip = archive(&home, "bad.zip", &[file("conversations.json", &good), file(name, &good)]);
        home.run(&["import", &zip, "--user", "anna"]).fails_saying("leads out of it");
    }
    // Twenty megabytes of blanks are some twenty kilobytes.
    let mut bomb = b"[{\"mapping\":{},\"id\":\"x\"}, ".to_vec();
    bomb.resize(20 << 20, b' ');
    bomb.extend(b"{\"id\":\"y\",\"mapping\":{}}]");
    let zip = archive(&home, "bomb.zip", &[("conversations.json".to_owned(), bomb)]);
    home.run(&["import", &zip, "--user", "anna"]).fails_saying("unpacks to far more");
    let zip = home.file("cut.zip", "PK\u{3}\u{4}");
    home.run(&["import", &zip, "--user", "anna"]).fails_saying("cannot be read");
    let zip = archive(&home, "other.zip", &[file("photo.txt", b"x")]);
    home.run(&["import", &zip, "--user", "anna"]).fails_saying("--format");
    let cut = home.file("cut.json", &data("chatgpt.json")[..2000]);
    home.run(&["import", &cut, "--user", "anna", "--format", "chatgpt"]).fails_saying("not a list that can be read");
    assert!(!home.path("data/keepsake.db").exists(), "something was stored");
}

/// An export of so many conversations of one message each.
fn large(conversations: usize) -> String {
    let conversation = |n: usize| {
        json!({
            "id": format!("c-{n}"), "create_time": 1_761_991_200 + n, "current_node": "m",
            "mapping": {"m": {"parent": null, "children": [], "message": {
                "id": "m", "author": {"role": "user"}, "create_time": 1_761_991_200 + n,
                "content": {"content_type": "text", "parts": [format!("Remember that I keep the key of locker {n} at home.")]}
            }}}
        })
    };
    Value::Array((0..conversations).map(conversation).collect()).to_string()
}

#[test]
fn an_import_that_was_killed_goes_on_where_it_was() {
    let home = Home::new();
    const ALL: usize = 400;
    let file = home.file("large.json", &large(ALL));
    let mut child = home
        .command()
        .args(["import", &file, "--user", "anna"])
        .stderr(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("starts");
    let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let taken = || -> usize {
        if !home.path("data/keepsake.db").exists() {
            return 0;
        }
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime
            .block_on(home.try_ask("SELECT COUNT(*) || '' FROM exchange_ids"))
            .and_then(|rows| rows[0].parse().ok())
            .unwrap_or(0)
    };
    while taken() < 20 && std::time::Instant::now() < until {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
    let before = taken();
    assert!(before >= 20, "{before}");
    let summary = home.run(&["import", &file, "--user", "anna"]).json();
    assert_eq!((&summary["exchanges"], &summary["learned"]), (&json!(ALL), &json!(ALL)));
    assert_eq!(query(&home, "SELECT COUNT(*) || '' FROM exchange_ids"), [ALL.to_string()]);
    assert_eq!(query(&home, "SELECT COUNT(*) || '' FROM memories"), [ALL.to_string()]);
}

#[test]
fn progress_is_told_in_lines_where_there_is_no_terminal() {
    let home = Home::new();
    let file = home.file("claude.json", &data("claude.json"));
    let ended = home.run(&["import", &file, "--user", "anna"]);
    let lines: Vec<Value> = ended.err.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let expected = [json!({"step": "taking_in", "done": 3, "of": 3}), json!({"step": "learning", "done": 3, "of": 3})];
    assert_eq!(lines, expected, "{}", ended.err);
}
