//! Runs the rules over their own texts, and the heads over left-out lines. The gate as a whole is judged on blind lines, in
//! `src/tests/facts/gate.rs` of the product.

use language::{Line, Split};

use super::{check, check_note, lessons, redact_secrets, rules, rules_fired, secrets};

#[test]
fn every_rule_catches_what_it_must_and_leaves_what_it_must_not() {
    let mut wrong = Vec::new();
    for rule in rules() {
        for text in &rule.must {
            let fired = rules_fired(&check(text));
            // A text that resembles a person may also be caught by another rule.
            if !(fired.contains(&rule.name) || rule.name == super::LIKENESS && !fired.is_empty()) {
                wrong.push(format!("{} misses, {fired:?}: {text}", rule.name));
            }
        }
        for text in &rule.must_not {
            let fired = rules_fired(&check(text));
            if !fired.is_empty() {
                wrong.push(format!("{} trap fires {fired:?}: {text}", rule.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The heads learn from the table, so it must not contain the lines that judge them.
#[test]
fn no_text_of_the_table_is_a_left_out_line() {
    let same = |text: &str| text.to_lowercase().split(|c: char| !c.is_alphanumeric()).collect::<String>();
    let left_out: std::collections::HashSet<String> =
        language::gate().iter().filter(|line| line.split != Split::Train).map(|line| same(&line.text)).collect();
    let told = rules().iter().flat_map(|rule| rule.must.iter().chain(&rule.must_not));
    assert_eq!(told.filter(|text| left_out.contains(&same(text))).collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
fn the_program_holds_what_the_lines_teach() {
    let held: [&[u8]; 2] = [include_bytes!("../weights/identities.weights"), include_bytes!("../weights/orders.weights")];
    for (held, (name, learned)) in held.into_iter().zip(lessons::weights()) {
        assert!(held == learned, "{name}: a line, a list or a feature was changed; run `make weights`");
    }
}

/// Percentage of the left-out lines of a source and a class that is refused.
#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn refused(lines: &[Line], source: &str, class: &str, refuses: impl Fn(&str) -> bool) -> f64 {
    let of: Vec<&Line> =
        lines.iter().filter(|line| line.split == Split::Dev && line.source == source && line.class == class).collect();
    assert!(!of.is_empty(), "no lines of {source} that {class}");
    100.0 * of.iter().filter(|line| refuses(&line.text)).count() as f64 / of.len() as f64
}

#[test]
fn left_out_lines_are_told_apart() {
    let (facts, notes) = (language::gate(), language::notes());
    let (fact, note) = (|text: &str| !check(text).is_empty(), |text: &str| !check_note(text).is_empty());
    for (what, caught, least, wrongly, most) in [
        ("cases", refused(&facts, "gate-cases", "reject", fact), 90.0, refused(&facts, "gate-cases", "pass", fact), 6.0),
        // Names that are also towns or words: only their neighbours tell, so many are missed.
        ("cities", refused(&facts, "cities", "reject", fact), 55.0, refused(&facts, "cities", "pass", fact), 25.0),
        ("hidden", refused(&facts, "identities", "reject", fact), 80.0, refused(&facts, "identities", "pass", fact), 9.0),
        ("orders", refused(&notes, "notes", "reject", note), 74.0, refused(&notes, "notes", "pass", note), 3.0),
    ] {
        assert!(caught >= least && wrongly <= most, "{what}: {caught:.1} % caught, {wrongly:.1} % refused wrongly");
    }
}

#[test]
fn spans_point_into_the_original_text() {
    let text = "“Ｅmail” ｄａｎａ＠ｅｘａｍｐｌｅ．ｏｒｇ – now";
    let finding = check(text).into_iter().find(|finding| finding.rule == "email").expect("the address is found");
    assert_eq!(&text[finding.start..finding.end], "ｄａｎａ＠ｅｘａｍｐｌｅ．ｏｒｇ");
    for text in
        ["I\u{200b} é 👩‍💻 Dana", "ß@ß", "", " ", "\u{202e}", "Ⓓana’s", "é.é.é", "`", "@", "'s", "a'", "Dana'", "0 1 2", "+"]
    {
        for finding in check(text) {
            assert!(text.get(finding.start..finding.end).is_some(), "{text:?}: {finding:?}");
        }
    }
}

#[test]
fn long_and_reordered_text_is_refused_unread() {
    assert_eq!(rules_fired(&check(&"a".repeat(4097))), ["too_long"]);
    assert_eq!(check_note(&"a ".repeat(250)), ["too_long"]);
    assert!(rules_fired(&check("The \u{202e}key\u{202c} is here")).contains(&"hidden_text".to_owned()));
}

#[test]
fn no_text_is_refused_for_its_script_alone() {
    for text in [
        "Сборка идёт каждую ночь на сервере",
        "Ο έλεγχος τρέχει κάθε νύχτα στις δύο",
        "يتم حذف الملفات المؤقتة كل أسبوع",
        "प्रमाणपत्र हर तिमाही बदला जाता है",
        "การสำรองข้อมูลเริ่มตอนตีสอง",
        "백업은 매일 새벽 두 시에 시작된다",
        "缓存在部署之后清空",
        "ログは三十日後に削除される",
    ] {
        assert_eq!(check(text), [], "{text}");
    }
    for text in [
        "У кота белые лапы",
        "Дочка вчиться грати на скрипці",
        "Το σπίτι βλέπει στη θάλασσα",
        "أشرب الشاي بلا سكر كل صباح",
        "عندي حساسية من البيض",
        "صبح‌ها پیاده به سر کار می‌روم",
        "مجھے مچھلی پسند نہیں",
        "ฉันเลี้ยงแมวสองตัว",
        "아침에는 커피를 마시지 않는다",
        "週末は山に登る",
        "周末去爬山",
        "मुझे पहाड़ पसंद हैं",
    ] {
        assert_eq!(check_note(text), Vec::<&str>::new(), "{text}");
    }
    assert!(rules_fired(&check("Ключи пишите на lager@example.org")).contains(&"email".to_owned()));
}

#[test]
fn paths_of_files_are_found_and_routes_and_names_of_files_are_not() {
    for text in [
        "The config is /etc/importer/rules.yaml",
        "Logs are under /var/log/etl.",
        "Keys are read from ~/.ssh/config",
        r"The sheet is D:\Kasse\preise.xlsx",
        r"Scans land on \\nas07\scans\new",
        "The dump is at file:///srv/dump.sql",
        "(/opt/tool/bin) is on the path",
    ] {
        assert_eq!(super::paths(text).len(), 1, "{text}: {:?}", super::paths(text));
    }
    for text in [
        "GET /users/42 returns it",
        "The entry is in src/main.rs",
        "/v1/recall answers in 20 ms",
        "Either/or is fine",
        "See /home",
    ] {
        assert_eq!(super::paths(text), [], "{text}");
    }
}

#[test]
fn secrets_are_redacted_and_everything_else_is_left() {
    assert_eq!(redact_secrets("password is hunter2, ok?"), "password is [secret removed], ok?");
    assert_eq!(redact_secrets("clé: AKIAIOSFODNN7EXAMPLE."), "clé: [secret removed].");
    assert_eq!(redact_secrets("The password is rotated every 90 days"), "The password is rotated every 90 days");
    for (text, clean) in [
        ("The card is 4539 1488 0343 6467.", "The card is [secret removed]."),
        ("the alarm code 0428-K", "the alarm code [secret removed]"),
        ("password wifi kantornya Melati#2291kebun", "password wifi kantornya [secret removed]"),
        ("kode pintu gudang 4471, ya", "kode pintu gudang [secret removed], ya"),
        ("Ini kode OTP saya 482913, kok ditolak?", "Ini kode OTP saya [secret removed], kok ditolak?"),
        ("The OTP is 300 seconds old", "The OTP is 300 seconds old"),
        ("The verification code endpoint returns 404", "The verification code endpoint returns 404"),
        ("The security code review of 2025 is done", "The security code review of 2025 is done"),
        ("The PIN of the token is 7 3 9 1.", "The PIN of the token is [secret removed]."),
        (
            "My recovery phrase is: able acid also army aunt away baby back ball band bank base",
            "My recovery phrase is: [secret removed]",
        ),
        ("Order 4000 rows at 12:30 and 2024-01-15", "Order 4000 rows at 12:30 and 2024-01-15"),
    ] {
        assert_eq!(redact_secrets(text), clean);
    }
    let long = format!("{} ghp_16C7e42F292c6912E7710c838347Ae178B4a", "word ".repeat(200_000));
    assert_eq!(secrets(&long).len(), 1);
}
