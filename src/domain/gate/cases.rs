//! Runs the rules over their own texts and over the work cases, and checks figures that show at once what a change of a rule breaks.
//! What the gate promises is judged on blind cases.

use language::Line;

use super::{check, check_note, redact_secrets, rules, rules_fired, secrets};

/// The minimum share of texts that must be rejected, and the maximum share that may be rejected wrongly, in percent.
const PLAIN_RECALL: f64 = 99.0;
const HARD_RECALL: f64 = 90.0;
const PLAIN_FALSE_REJECTS: f64 = 2.0;
const HARD_FALSE_REJECTS: f64 = 8.0;
const NOTES_CAUGHT: f64 = 85.0;
const NOTES_FALSE_ALARMS: f64 = 5.0;

#[test]
fn every_rule_catches_what_it_must_and_leaves_what_it_must_not() {
    let mut wrong = Vec::new();
    for rule in rules() {
        for text in rule.must {
            if !check(text).iter().any(|finding| finding.rule == rule.name) {
                wrong.push(format!("{} misses: {text}", rule.name));
            }
        }
        for text in rule.must_not {
            let fired = rules_fired(&check(text));
            if !fired.is_empty() {
                wrong.push(format!("{} trap fires {fired:?}: {text}", rule.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Judges a list of texts; returns the share rejected and the texts whose verdict differs from `expect_reject`.
fn rejected(lines: &[Line], expect_reject: bool, judge: impl Fn(&str) -> Vec<String>) -> (f64, Vec<String>) {
    let (mut all, mut hits, mut wrong) = (0.0, 0.0, Vec::new());
    for Line { text, .. } in lines {
        let fired = judge(text);
        all += 1.0;
        hits += if fired.is_empty() { 0.0 } else { 1.0 };
        if fired.is_empty() == expect_reject {
            wrong.push(format!("{text}  {fired:?}"));
        }
    }
    (100.0 * hits / f64::max(all, 1.0), wrong)
}

fn of(lines: Vec<Line>, source: &str, tier: &str, class: &str) -> Vec<Line> {
    let wanted = |line: &Line| (line.source, line.tier, line.class) == (source, tier, class);
    lines.into_iter().filter(wanted).collect()
}

#[test]
fn the_cases_keep_their_floors() {
    // Patterns alone: `likeness` was learned from lines like these.
    let judge = |text: &str| -> Vec<String> { rules_fired(&check(text)).into_iter().filter(|rule| rule != "likeness").collect() };
    for (class, tier, least, most) in [
        ("reject", "plain", PLAIN_RECALL, 100.0),
        ("reject", "hard", HARD_RECALL, 100.0),
        ("pass", "plain", 0.0, PLAIN_FALSE_REJECTS),
        ("pass", "hard", 0.0, HARD_FALSE_REJECTS),
    ] {
        let cases = of(language::gate(), "gate-cases", tier, class);
        assert!(!cases.is_empty(), "no {tier} cases for {class}");
        let (share, wrong) = rejected(&cases, class == "reject", judge);
        assert!(share >= least && share <= most, "{class} {tier}: {share:.1}% rejected; judged wrongly:\n{}", wrong.join("\n"));
    }
}

#[test]
fn planted_orders_are_caught_and_harmless_notes_pass() {
    let judge = |text: &str| check_note(text).into_iter().map(str::to_owned).collect();
    let (caught, missed) = rejected(&of(language::notes(), "gate-notes", "-", "reject"), true, judge);
    assert!(caught >= NOTES_CAUGHT, "{caught:.1}% caught; missed:\n{}", missed.join("\n"));
    let (alarms, false_alarms) = rejected(&of(language::notes(), "gate-notes", "-", "pass"), false, judge);
    assert!(alarms <= NOTES_FALSE_ALARMS, "{alarms:.1}% false alarms:\n{}", false_alarms.join("\n"));
    assert_eq!(check_note(&"a ".repeat(250)), ["too_long"]);
}

#[test]
fn a_name_is_a_city_only_where_places_are_spoken_of() {
    for text in [
        "Nobody believes in Tyler.",
        "HR saw depression in Leslie.",
        "Depresi terlihat di Sari.",
        "In the third quarter Madison owns billing.",
        "Penyakit Ratna kambuh lagi.",
        "Davenport approves the invoices.",
    ] {
        assert!(rules_fired(&check(text)).contains(&"person_name".to_owned()), "{text}");
    }
    for text in [
        "The new depot in Florence opens in May.",
        "Flights to Livingstone leave at noon.",
        "Offices in Washington, Houston and Columbus share one calendar.",
        "Servers are hosted in Frankfurt and Madison.",
    ] {
        assert_eq!(rules_fired(&check(text)), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn spans_point_into_the_original_text() {
    let text = "“Ｅmail” ｄａｎａ＠ｅｘａｍｐｌｅ．ｏｒｇ – now";
    let finding = check(text).into_iter().find(|finding| finding.rule == "email").expect("the address is found");
    assert_eq!(&text[finding.start..finding.end], "ｄａｎａ＠ｅｘａｍｐｌｅ．ｏｒｇ");
    for text in ["I\u{200b} é 👩‍💻 Dana", "ß@ß", "", " ", "\u{202e}", "Ⓓana’s", "é.é.é", "`", "@", "'s", "a'", "Dana'"]
    {
        for finding in check(text) {
            assert!(text.get(finding.start..finding.end).is_some(), "{text:?}: {finding:?}");
        }
    }
}

#[test]
fn long_and_reordered_text_is_refused_unread() {
    assert_eq!(rules_fired(&check(&"a".repeat(4097))), ["too_long"]);
    assert!(rules_fired(&check("The \u{202e}key\u{202c} is here")).contains(&"hidden_text".to_owned()));
    assert!(rules_fired(&check("Сборка идёт каждую ночь на сервере")).contains(&"unreadable_script".to_owned()));
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
