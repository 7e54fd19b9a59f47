//! Failing storage and unusual sockets: the real program on a full disk, a read-only folder, a damaged file, a lock held by
//! another process, and clients that never read.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use futures::future::join_all;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::robustness::disk::Recorder;
use crate::robustness::process::{DEADLINE, Home, Server, until};

/// How soon writing resumes once there is space; part of the contract.
const RESUMES_WITHIN: Duration = Duration::from_secs(5);
const PAGE: u64 = 4096;

fn memory(n: usize) -> Value {
    json!({ "user_id": "anna", "surface": "web", "kind": "fact", "content": format!("Keeps the key of locker {n} at home.") })
}

async fn save(server: &Server, key: &str, n: usize) -> (u16, Value) {
    server.call("POST", "/v1/memories", key, Some(memory(n))).await
}

/// A command that runs this script in its own mount namespace. `$KEEPSAKE` is the program.
fn apart(home: &Home, script: &str) -> Command {
    let plain = home.command();
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-ec", script]).env("KEEPSAKE", plain.get_program());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_full_disk_reading_goes_on_and_writing_resumes_by_itself() {
    let home = Home::new();
    fs::create_dir_all(home.path("data")).expect("made");
    let script = format!(
        "mount -t tmpfs -o size=12m tmpfs \"$KEEPSAKE_DATA_DIR\"; \"$KEEPSAKE\" key add test --scope read,write > {}; exec \"$KEEPSAKE\" serve",
        home.path("key.json").display()
    );
    let server = home.serve_by(apart(&home, &script)).await;
    let key: Value = serde_json::from_str(&fs::read_to_string(home.path("key.json")).expect("written")).expect("JSON");
    let key = key["key"].as_str().expect("a key");
    assert_eq!(save(&server, key, 0).await.0, 201);
    // The folder as the server sees it.
    let root = PathBuf::from(format!("/proc/{}/root", server.child.id().expect("running")));
    let filler = root.join(home.path("data").strip_prefix("/").expect("absolute")).join("filler");
    let fill = fs::File::create(&filler).expect("made");
    let mut at = 0;
    while fill.write_all_at(&[0; 4096], at).is_ok() {
        at += PAGE;
    }
    let mut refused = None;
    for n in 1..1_000 {
        let (status, problem) = save(&server, key, n).await;
        if status != 201 {
            refused = Some((status, problem["code"].as_str().map(str::to_owned), n));
            break;
        }
    }
    let Some((status, code, first)) = refused else { panic!("the disk was never full") };
    assert_eq!((status, code.as_deref()), (507, Some("storage_full")));
    assert_eq!(server.recall(key, "anna", "locker").await["personal"].as_array().map(Vec::len), Some(8.min(first)));
    // Also when a small write still finds room: the next one of usual size does not.
    for look in 0..6 {
        assert_eq!(server.call("GET", "/readyz", "", None).await.0, 503, "look {look}");
        save(&server, key, 1_500 + look).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    drop(fill);
    fs::remove_file(&filler).expect("removed");
    until("writing resumes", RESUMES_WITHIN, async || save(&server, key, 2_000).await.0 == 201).await;
    until("ready", RESUMES_WITHIN, async || server.call("GET", "/readyz", "", None).await.0 == 200).await;
    assert_eq!(save(&server, key, 2_001).await.0, 201, "and goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn after_an_i_o_error_reading_goes_on_and_writing_resumes_by_itself() {
    let home = Home::new();
    let key = home.key("read,write");
    let mut command = home.command();
    let recorder = Recorder::of(&home, &mut command, None);
    let broken = recorder.breaks(&mut command);
    command.arg("serve");
    let server = home.serve_by(command).await;
    assert_eq!(save(&server, &key, 0).await.0, 201);
    fs::write(&broken, "").expect("broken");
    for n in 1..4 {
        assert_eq!(save(&server, &key, n).await.0, 500, "an internal failure, with a number that is in the log");
    }
    assert_eq!(server.recall(&key, "anna", "locker").await["personal"].as_array().map(Vec::len), Some(1));
    until("not ready", DEADLINE, async || server.call("GET", "/readyz", "", None).await.0 == 503).await;
    fs::remove_file(&broken).expect("mended");
    until("writing resumes", RESUMES_WITHIN, async || save(&server, &key, 5).await.0 == 201).await;
    until("ready", RESUMES_WITHIN, async || server.call("GET", "/readyz", "", None).await.0 == 200).await;
    assert_eq!(save(&server, &key, 6).await.0, 201, "and goes on");
    assert_eq!(server.stop().await, Some(0));
    assert_eq!(home.run(&["doctor"]).json()["ok"], true);
}

#[test]
fn a_folder_that_can_only_be_read_is_told_in_one_line() {
    let home = Home::new();
    home.key("read");
    let script = "mount --bind \"$KEEPSAKE_DATA_DIR\" \"$KEEPSAKE_DATA_DIR\"; mount -o remount,bind,ro \"$KEEPSAKE_DATA_DIR\"; \
                  exec \"$KEEPSAKE\" serve";
    let output = apart(&home, script).output().expect("runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot be written: Read-only file system"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    for command in ["key add another --scope read", "settings set recall.k 5", "recall anna tea", "backup copy.db", "doctor"] {
        let script = script.replace("exec \"$KEEPSAKE\" serve", &format!("exec \"$KEEPSAKE\" {command}"));
        let output = apart(&home, &script).output().expect("runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{command}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_file_is_told_at_the_start_and_by_the_doctor() {
    let home = Home::new();
    let key = home.key("read,write");
    let server = home.serve().await;
    for n in 0..60 {
        save(&server, &key, n).await;
    }
    let beside = home.run(&["doctor"]).json();
    assert_eq!((&beside["ok"], beside["checks"].as_array().map(Vec::len)), (&json!(true), Some(7)), "beside a running server");
    assert_eq!(server.stop().await, Some(0));

    // A page of the memories in the middle of the file.
    let page: Vec<String> = home.ask("SELECT CAST(rootpage AS TEXT) FROM sqlite_schema WHERE name = 'memories'").await;
    let page: u64 = page[0].parse().expect("a number");
    let file = fs::OpenOptions::new().write(true).open(home.path("data/keepsake.db")).expect("there");
    file.write_all_at(&[0xff; 64], (page - 1) * PAGE).expect("written");
    for command in [["serve"], ["doctor"]] {
        let ended = home.run(&command);
        assert_eq!(ended.code, Some(1), "{}", ended.err);
        assert!(format!("{}{}", ended.out, ended.err).contains("keepsake restore"), "{command:?}: {}{}", ended.out, ended.err);
        assert_eq!(ended.err.lines().filter(|line| line.starts_with("keepsake: ")).count(), 1, "{}", ended.err);
    }
}

#[test]
fn the_doctor_names_what_is_not_in_order() {
    let home = Home::new();
    home.key("read");
    assert_eq!(home.run(&["doctor"]).json()["ok"], true);
    fs::write(home.path("data/erasures.jsonl"), "{\"torn").expect("written");
    let ended = home.run(&["doctor"]);
    ended.fails_saying("not in order: ledger");
    let said: Value = serde_json::from_str(&ended.out).expect("JSON");
    assert!(said["checks"][4]["detail"].as_str().is_some_and(|detail| !detail.is_empty()));
    fs::remove_file(home.path("data/erasures.jsonl")).expect("removed");
    fs::remove_file(home.path("data/ledger.key")).expect("removed");
    home.run(&["doctor"]).fails_saying("not in order: key");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lock_that_somebody_holds_answers_503_and_reading_goes_on() {
    let home = Home::new();
    let key = home.key("read,write");
    let server = home.serve().await;
    assert_eq!(save(&server, &key, 1).await.0, 201);
    let url = format!("sqlite://{}", home.path("data/keepsake.db").display());
    let mut holder = SqliteConnection::connect(&url).await.expect("connects");
    sqlx::query(AssertSqlSafe("BEGIN IMMEDIATE")).execute(&mut holder).await.expect("held");
    // Each of the waiting requests is refused before it runs out of time, however many there are.
    let saves = join_all((2..10).map(|n| save(&server, &key, n)));
    let (refused, recalled) = tokio::join!(saves, server.recall(&key, "anna", "locker"));
    for (status, said) in refused {
        assert_eq!((status, said["code"].as_str()), (503, Some("busy")));
        assert!(said["retry_after_s"].as_u64().is_some_and(|seconds| seconds > 0), "{said}");
    }
    assert_eq!(recalled["personal"].as_array().map(Vec::len), Some(1));
    sqlx::query(AssertSqlSafe("ROLLBACK")).execute(&mut holder).await.expect("released");
    assert_eq!(save(&server, &key, 2).await.0, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_taken_while_others_write_is_whole() {
    let home = Home::new();
    let key = home.key("read,write");
    let server = home.serve().await;
    let mut acknowledged = 0;
    for n in 0..20 {
        acknowledged += usize::from(save(&server, &key, n).await.0 == 201);
    }
    let file = home.path("copy.db").display().to_string();
    let backup = tokio::task::spawn_blocking({
        let (mut command, file) = (home.command(), file.clone());
        move || command.args(["backup", &file]).output().expect("runs")
    });
    let mut written = acknowledged;
    while !backup.is_finished() {
        written += usize::from(save(&server, &key, 1_000 + written).await.0 == 201);
    }
    assert!(backup.await.expect("ended").status.success());
    assert!(written > acknowledged, "others wrote meanwhile");
    let mut copy = SqliteConnection::connect(&format!("sqlite://{file}")).await.expect("opens");
    let sound: String = sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut copy).await.expect("checked");
    let held: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM memories").fetch_one(&mut copy).await.expect("counted");
    assert_eq!(sound, "ok");
    assert!((acknowledged..=written).contains(&usize::try_from(held).expect("small")), "{acknowledged} {held} {written}");
}

/// The network sockets of a process: local port, remote port.
fn sockets(server: &Server) -> Vec<(u16, u16)> {
    let pid = server.child.id().expect("running");
    let handles = fs::read_dir(format!("/proc/{pid}/fd")).expect("listed");
    let links = handles.filter_map(|handle| fs::read_link(handle.ok()?.path()).ok());
    let own: Vec<String> =
        links.filter_map(|link| Some(link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned())).collect();
    let port = |address: &str| address.rsplit(':').next().and_then(|port| u16::from_str_radix(port, 16).ok());
    let mut found = Vec::new();
    for table in ["tcp", "tcp6", "udp", "udp6"] {
        for line in fs::read_to_string(format!("/proc/{pid}/net/{table}")).unwrap_or_default().lines().skip(1) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            if own.iter().any(|inode| inode == fields[9]) {
                found.extend(port(fields[1]).zip(port(fields[2])));
            }
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn with_the_rules_it_has_no_socket_but_its_listeners() {
    let home = Home::new();
    let key = home.key("read,write");
    let server = home.serve().await;
    let said = json!({ "user_id": "anna", "surface": "web", "user": "I play the cello.", "assistant": "Noted." });
    let id = server.call("POST", "/v1/exchanges", &key, Some(said)).await.1["id"].as_str().expect("an id").to_owned();
    let path = format!("/v1/exchanges/{id}");
    until("learned", DEADLINE, async || {
        let elsewhere: Vec<_> = sockets(&server).into_iter().filter(|(local, _)| *local != server.address.port()).collect();
        assert!(elsewhere.is_empty(), "{elsewhere:?}");
        server.call("GET", &path, &key, None).await.1["status"] == "learned"
    })
    .await;
    assert!(sockets(&server).contains(&(server.address.port(), 0)), "the listener is seen");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_never_reads_is_let_go() {
    let home = Home::new();
    let server = home.serve().await;
    let mut client = TcpStream::connect(server.address).await.expect("connects");
    let port = client.local_addr().expect("bound").port();
    let request = format!("GET /openapi.json HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
    // Answers wait in the kernel until its buffers are full, and then in the server.
    let flood = async {
        loop {
            if client.write_all(request.as_bytes()).await.is_err() {
                break;
            }
        }
    };
    let _ = tokio::time::timeout(Duration::from_secs(3), flood).await;
    assert!(sockets(&server).contains(&(server.address.port(), port)), "it is connected");
    until("it is let go", DEADLINE, async || !sockets(&server).contains(&(server.address.port(), port))).await;
    assert_eq!(server.call("GET", "/healthz", "", None).await.0, 200);
}
