//! `keepsake hook` and `keepsake mcp` as processes beside a served binary, with recorded inputs of coding agents.

use std::io::{BufRead, BufReader, Write};
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::robustness::process::{DEADLINE, Home};

const CLAUDE: &str = include_str!("../data/hooks/claude-code.jsonl");
const CODEX: &str = include_str!("../data/hooks/codex.jsonl");

/// Runs a command with this environment and input, without blocking the runtime on which the server's output is read.
async fn run(home: &Home, args: &[&str], env: &[(&str, &str)], stdin: &(impl AsRef<[u8]> + ?Sized)) -> Output {
    let mut command = home.command();
    command.args(args).envs(env.iter().copied()).env("XDG_STATE_HOME", home.path("state"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let stdin = stdin.as_ref().to_owned();
    tokio::task::spawn_blocking(move || {
        let mut child = command.spawn().expect("starts");
        // A command that reads no stdin may have ended already.
        let _ = child.stdin.take().expect("piped").write_all(&stdin);
        child.wait_with_output().expect("ends")
    })
    .await
    .expect("ends")
}

fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

fn err(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}

fn transcript(home: &Home, text: &str) -> String {
    home.file("transcript.jsonl", text)
}

fn key(home: &Home, user: &str) -> String {
    let scopes = ["--scope", "read", "--scope", "write"];
    home.run(&[&["key", "add", "test", "--user", user][..], &scopes].concat()).json()["key"].as_str().expect("a key").to_owned()
}

/// Waits until the server has learned everything that it accepted.
async fn learned(home: &Home, number: usize) {
    let started = Instant::now();
    loop {
        let rows = home.ask("SELECT CAST(count(*) AS TEXT) FROM exchanges WHERE status = 'learned'").await;
        if rows == [number.to_string()] {
            return;
        }
        assert!(started.elapsed() < DEADLINE, "learned {rows:?} of {number}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn what_was_said_in_a_session_is_there_in_the_next() {
    let home = Home::new();
    let server = home.serve().await;
    let (url, key) = (format!("http://{}", server.address), key(&home, "anna"));
    let env = [("KEEPSAKE_URL", url.as_str()), ("KEEPSAKE_KEY", key.as_str())];
    let path = transcript(&home, CLAUDE);
    let stop = json!({"session_id": "5f3c", "transcript_path": path, "cwd": "/home/ana/shop", "hook_event_name": "Stop",
        "stop_hook_active": false});
    let sent = run(&home, &["hook", "session-end"], &env, &stop.to_string()).await;
    assert_eq!((sent.status.code(), out(&sent), err(&sent)), (Some(0), "", ""));
    learned(&home, 2).await;
    // Once more, and once without the note of what was sent: nothing is learned twice.
    run(&home, &["hook", "session-end"], &env, &stop.to_string()).await;
    std::fs::remove_dir_all(home.path("state")).expect("there");
    run(&home, &["hook", "session-end"], &env, &stop.to_string()).await;
    // The last message has no reply yet when a turn ends, but may stay without one when the session does.
    let end = json!({"session_id": "5f3c", "transcript_path": path, "hook_event_name": "SessionEnd", "reason": "exit"});
    run(&home, &["hook", "session-end"], &env, &end.to_string()).await;
    learned(&home, 3).await;

    let prompt = json!({"session_id": "9a01", "hook_event_name": "UserPromptSubmit", "prompt": "Tabs or spaces here?"});
    let recalled = run(&home, &["hook", "user-prompt"], &env, &prompt.to_string()).await;
    let told: Value = serde_json::from_str(out(&recalled)).expect("JSON");
    let context = told["hookSpecificOutput"]["additionalContext"].as_str().expect("a block");
    assert_eq!(told["hookSpecificOutput"]["hookEventName"], "UserPromptSubmit");
    assert!(context.starts_with("<keepsake_memories>") && context.contains("tabs over spaces"), "{context}");
    let start = json!({"session_id": "9a01", "hook_event_name": "SessionStart", "source": "startup", "cwd": "/home/ana/shop"});
    let recalled = run(&home, &["hook", "session-start"], &env, &start.to_string()).await;
    let told: Value = serde_json::from_str(out(&recalled)).expect("JSON");
    assert_eq!(told["hookSpecificOutput"]["hookEventName"], "SessionStart");
    assert!(told["hookSpecificOutput"]["additionalContext"].as_str().expect("a block").contains("tabs over spaces"));
    server.stop().await;
}

#[tokio::test]
async fn a_session_of_codex_is_sent_too_and_the_last_reply_may_come_with_the_input() {
    let home = Home::new();
    let server = home.serve().await;
    let (url, key) = (format!("http://{}", server.address), key(&home, "anna"));
    let env = [("KEEPSAKE_URL", url.as_str()), ("KEEPSAKE_KEY", key.as_str())];
    let cut: Vec<&str> = CODEX.lines().collect();
    let path = transcript(&home, &cut[..cut.len() - 1].join("\n"));
    let stop = json!({"session_id": "0199", "turn_id": "t2", "transcript_path": path, "cwd": "/home/ana/shop", "hook_event_name": "Stop",
        "model": "gpt", "last_assistant_message": "The build works again."});
    let sent = run(&home, &["hook", "session-end", "--surface", "codex"], &env, &stop.to_string()).await;
    assert_eq!((sent.status.code(), err(&sent)), (Some(0), ""));
    learned(&home, 2).await;
    let memories = home.ask("SELECT surface FROM memories").await;
    assert!(memories.contains(&"codex".to_owned()), "{memories:?}");
    server.stop().await;
}

#[test]
fn a_hook_whose_input_never_ends_ends_in_time() {
    let home = Home::new();
    let mut command = home.command();
    command
        .args(["hook", "user-prompt", "--timeout-ms", "200"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let started = Instant::now();
    let mut child = command.spawn().expect("starts");
    let open = child.stdin.take().expect("piped");
    let ended = child.wait_with_output().expect("ends");
    drop(open);
    assert_eq!(ended.status.code(), Some(0));
    assert!(err(&ended).contains("in time"), "{}", err(&ended));
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_hook_never_stops_or_breaks_the_agent() {
    let home = Home::new();
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let waiting = format!("http://{}", silent.local_addr().expect("an address"));
    let prompt = json!({"hook_event_name": "UserPromptSubmit", "prompt": "Tabs or spaces?"}).to_string();
    let missing = json!({"session_id": "s", "transcript_path": home.path("none"), "hook_event_name": "Stop"}).to_string();
    let nothing = "http://127.0.0.1:9";
    let cases: [(&[&str], &str, &str, &str, &str); 8] = [
        (&["hook", "user-prompt"], nothing, "ks_x", &prompt, "cannot be reached"),
        (&["hook", "user-prompt", "--timeout-ms", "300"], &waiting, "ks_x", &prompt, "did not answer in time"),
        (&["hook", "user-prompt"], nothing, "", &prompt, "a key is needed"),
        (&["hook", "user-prompt"], "localhost", "ks_x", &prompt, "must look like"),
        (&["hook", "user-prompt"], nothing, "ks_x", "not JSON", "not the JSON of a hook"),
        (&["hook", "session-end"], nothing, "ks_x", &missing, "transcript cannot be read"),
        (&["hook", "session-end"], nothing, "ks_x", "{}", "names no transcript"),
        (&["hook", "session-start", "--surface", "No Surface"], nothing, "ks_x", "{}", "must match"),
    ];
    for (args, url, key, stdin, words) in cases {
        let started = Instant::now();
        let ended = run(&home, args, &[("KEEPSAKE_URL", url), ("KEEPSAKE_KEY", key)], stdin).await;
        assert_eq!((ended.status.code(), out(&ended)), (Some(0), ""), "{words}");
        assert!(err(&ended).contains(words) && err(&ended).lines().count() == 1, "{}", err(&ended));
        assert!(!err(&ended).contains("ks_x"), "{}", err(&ended));
        assert!(started.elapsed() < Duration::from_secs(8), "{words}");
    }
    // Code 2 would stop the agent.
    for args in [&["hook", "user-prompt", "--no-such-flag"][..], &["--data-dir", "x", "hook", "no-such-moment"]] {
        let misused = run(&home, args, &[], "").await;
        assert!(misused.status.code() == Some(1) && !err(&misused).is_empty(), "{args:?}");
    }
}

#[tokio::test]
async fn a_refused_exchange_does_not_hold_up_the_others() {
    let home = Home::new();
    let server = home.serve().await;
    let (url, key) = (format!("http://{}", server.address), key(&home, "anna"));
    let env = [("KEEPSAKE_URL", url.as_str()), ("KEEPSAKE_KEY", key.as_str())];
    let future = CLAUDE.replacen(
        "2026-11-20T09:00:00.000Z\"}\n{\"parentUuid\":\"u-1\"",
        "2999-01-01T00:00:00.000Z\"}\n{\"parentUuid\":\"u-1\"",
        1,
    );
    assert_ne!(future, CLAUDE);
    let path = transcript(&home, &future);
    let stop = json!({"session_id": "5f3c", "transcript_path": path, "hook_event_name": "Stop"}).to_string();
    let sent = run(&home, &["hook", "session-end"], &env, &stop).await;
    assert!(sent.status.code() == Some(0) && err(&sent).contains("must not lie in the future"), "{}", err(&sent));
    learned(&home, 1).await;
    let again = run(&home, &["hook", "session-end"], &env, &stop).await;
    assert_eq!(err(&again), "", "it is not sent again");
    server.stop().await;
}

#[tokio::test]
async fn half_a_character_loses_no_turn_and_a_turn_that_is_lost_is_told() {
    let home = Home::new();
    let server = home.serve().await;
    let (url, key) = (format!("http://{}", server.address), key(&home, "anna"));
    let env = [("KEEPSAKE_URL", url.as_str()), ("KEEPSAKE_KEY", key.as_str())];
    let half = CLAUDE.replacen("over spaces.", "over spaces. \\udc1d", 1);
    assert_ne!(half, CLAUDE);
    let path = transcript(&home, &half);
    // A stray byte of another encoding, and half a character, in the input itself.
    let mut stop = json!({"session_id": "5f3c", "transcript_path": path, "hook_event_name": "Stop"}).to_string().into_bytes();
    stop.truncate(stop.len() - 1);
    stop.extend_from_slice(b",\"cwd\":\"/home/caf\xe9/\\ud83d\"}");
    let sent = run(&home, &["hook", "session-end"], &env, &stop).await;
    assert_eq!((sent.status.code(), err(&sent)), (Some(0), ""));
    learned(&home, 2).await;
    let prompt = b"{\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"Tabs or spaces? \\udfff\\u0000\xff\"}";
    let recalled = run(&home, &["hook", "user-prompt"], &env, prompt).await;
    assert!(out(&recalled).contains("tabs over spaces") && err(&recalled).is_empty(), "{}", err(&recalled));

    let broken = CLAUDE.replacen("\"Thanks\"", "\"Thanks", 1).trim_end().to_owned() + "\n{}\n";
    let path = transcript(&home, &broken);
    let end = json!({"session_id": "5f3c", "transcript_path": path, "hook_event_name": "SessionEnd"}).to_string();
    let told = run(&home, &["hook", "session-end"], &env, &end).await;
    assert_eq!(told.status.code(), Some(0));
    assert!(err(&told).contains("cannot be read") && err(&told).lines().count() == 1, "{}", err(&told));
    assert!(!err(&told).contains("Thanks"), "nothing of what was said");
    server.stop().await;
}

fn older() -> String {
    [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "remember",
            "arguments": {"content": "User likes tea"}}}),
    ]
    .map(|message| format!("{message}\n"))
    .concat()
}

fn answer(output: &Output, id: u64) -> Value {
    let lines = out(output).lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON alone on stdout"));
    lines.into_iter().find(|line| line["id"] == id).unwrap_or_else(|| panic!("no answer {id}: {} {}", out(output), err(output)))
}

#[tokio::test]
async fn the_tools_are_served_on_stdio_for_a_server_and_for_the_database_itself() {
    let home = Home::new();
    let server = home.serve().await;
    let (url, key) = (format!("http://{}", server.address), key(&home, "anna"));
    let passed = run(&home, &["mcp", "--url", &url, "--key", &key], &[], &older()).await;
    assert_eq!(answer(&passed, 1)["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(answer(&passed, 2)["result"]["structuredContent"]["outcome"], "inserted");
    assert_eq!(out(&passed).lines().count(), 2, "a notification has no answer");
    let own = run(&home, &["mcp", "--user", "anna"], &[], &older()).await;
    assert_eq!(answer(&own, 2)["result"]["structuredContent"]["outcome"], "merged", "both see the same memories");
    let other = run(&home, &["mcp", "--user", "budi"], &[], &older()).await;
    assert_eq!(answer(&other, 2)["result"]["structuredContent"]["outcome"], "inserted");
    server.stop().await;
}

#[tokio::test]
async fn on_stdio_a_bad_line_costs_no_other_and_every_request_is_answered() {
    let home = Home::new();
    let server = home.serve().await;
    let (url, key) = (format!("http://{}", server.address), key(&home, "anna"));
    let call = |id: &str, rest: &str| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},{rest}}}\n").into_bytes();
    let remember = |content: &str| {
        format!("\"method\":\"tools/call\",\"params\":{{\"name\":\"remember\",\"arguments\":{{\"content\":\"{content}\"}}}}")
    };
    let sent = [
        b"\xfe\xff\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/early\"}\n".to_vec(),
        older().into_bytes(),
        b"\x80\n[1\n\n".to_vec(),
        call("3", &remember("a cut \\ud801 letter")),
        call("4.5", "\"method\":\"ping\""),
        call("5", "\"method\":\"tools/call\",\"params\":{}"),
        call("6", &format!("\"method\":\"{}\"", "x".repeat(1 << 20))),
        call("7", "\"method\":\"ping\",\"params\":null"),
        // The end of the last line is missing.
        call("8", &remember("User keeps bees")).strip_suffix(b"\n").expect("a line").to_vec(),
    ]
    .concat();
    for args in [vec!["mcp", "--url", &url, "--key", &key], vec!["mcp", "--user", "budi"]] {
        let answered = run(&home, &args, &[], &sent).await;
        assert_eq!(answered.status.code(), Some(0), "{args:?}: {}", err(&answered));
        assert_eq!(answer(&answered, 1)["result"]["protocolVersion"], "2025-11-25");
        for (id, code) in [(3, -32_700), (5, -32_602), (6, -32_600)] {
            assert_eq!(answer(&answered, id)["error"]["code"], code, "{id}");
        }
        assert_eq!(answer(&answered, 7)["result"], json!({}));
        assert_eq!(answer(&answered, 8)["result"]["structuredContent"]["outcome"], "inserted");
        let lines: Vec<Value> = out(&answered).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert!(lines.iter().any(|line| line["id"] == 4.5 && line["error"]["code"] == -32_600), "{lines:?}");
        assert_eq!(lines.iter().filter(|line| line["id"].is_null()).count(), 3, "one for each line that is no message");
    }
    server.stop().await;
}

#[tokio::test]
async fn nothing_replaces_the_database_under_a_client_or_a_bot() {
    let home = Home::new();
    key(&home, "anna");
    let copy = home.path("copy.db").display().to_string();
    home.run(&["backup", &copy]).json();
    let refused = || {
        for replacing in [&["restore", copy.as_str()][..], &["reembed"]] {
            home.run(replacing).fails_saying("stop it first");
        }
        home.run(&["recall", "anna", "tea"]).json();
    };
    let mut command = home.command();
    let mut client =
        command.args(["mcp", "--user", "anna"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("starts");
    let (mut input, mut output) = (client.stdin.take().expect("piped"), BufReader::new(client.stdout.take().expect("piped")));
    input.write_all(older().as_bytes()).expect("written");
    let mut line = String::new();
    output.read_line(&mut line).expect("answered");
    refused();
    drop(input);
    assert_eq!(client.wait().expect("ends").code(), Some(0));

    // A bot that waits for Telegram, which takes the call and does not answer.
    let telegram = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let api = format!("http://{}", telegram.local_addr().expect("an address"));
    let mut command = home.command();
    let mut bot = command.args(["telegram", "--token", "1:try", "--api", &api]).spawn().expect("starts");
    let _waits = telegram.accept().expect("it calls");
    refused();
    let (started, id) = (Instant::now(), bot.id().to_string());
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().expect("runs").success());
    assert_eq!(bot.wait().expect("ends").code(), Some(0));
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    assert_eq!(home.run(&["restore", &copy]).code, Some(0));
}

#[tokio::test]
async fn what_is_proposed_beside_a_server_or_without_one_waits_for_the_next_batch() {
    const BATCH: [(&str, &str); 1] = [("KEEPSAKE_ARRIVAL_BATCH", "300")];
    let home = Home::new();
    let propose = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "propose_global_memory",
        "arguments": {"content": "The staging database is reset every Sunday night"}}});
    let propose = format!("{}{propose}\n", older());
    let count = async |table: &str| home.ask(&format!("SELECT CAST(COUNT(*) AS TEXT) FROM {table}")).await.remove(0);
    for who in ["anna", "budi"] {
        let said = run(&home, &["mcp", "--user", who], &BATCH, &propose).await;
        // An id, or a hint that it was said before, would tell who was faster.
        assert_eq!(answer(&said, 3)["result"]["structuredContent"], json!({"outcome": "pending"}));
    }
    assert_eq!((count("facts").await, count("arrivals").await), ("0".to_owned(), "2".to_owned()));
    let line = json!({"user_id": "carla", "surface": "web", "at": "2026-11-01T10:02:03Z", "assistant": "Noted.",
        "user": "Remember this for the team: invoices go out on the third."});
    let imported = run(&home, &["import", &home.file("one.jsonl", &line.to_string())], &BATCH, "").await;
    let imported: Value = serde_json::from_str(out(&imported)).expect("JSON");
    assert_eq!((&imported["learned"], &imported["facts"]["pending"]), (&json!(1), &json!(2)), "a file is a batch");
    assert_eq!((count("facts").await, count("arrivals").await), ("2".to_owned(), "0".to_owned()));
    let exact = home.ask("SELECT id FROM facts WHERE created_at % 300000 <> 0 OR updated_at % 300000 <> 0").await;
    assert!(exact.is_empty(), "the time of a fact is that of its batch");
}

#[tokio::test]
async fn a_server_that_is_away_or_refuses_the_key_is_told_to_the_client() {
    let home = Home::new();
    let server = home.serve().await;
    let url = format!("http://{}", server.address);
    let refused = run(&home, &["mcp", "--url", &url, "--key", "ks_wrong"], &[], &older()).await;
    assert!(answer(&refused, 1)["error"]["message"].as_str().expect("words").contains("valid key"));
    assert_eq!(answer(&refused, 2)["result"]["isError"], true);
    server.stop().await;
    let away = run(&home, &["mcp", "--url", &url, "--key", "ks_wrong"], &[], &older()).await;
    assert!(answer(&away, 2)["result"]["content"][0]["text"].as_str().expect("words").contains("cannot be reached"));
    let nobody = run(&home, &["mcp"], &[], "").await;
    assert!(nobody.status.code() == Some(1) && err(&nobody).contains("--user"));
}
