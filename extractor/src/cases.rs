//! Whole messages through all steps. What the program promises is judged on blind dialogues, in `src/tests/dialogues.rs` of the
//! product; these say what each step is for.

use crate::{Audience, Kind, Reading, Takes, read};

/// What is kept: `+` for the user, `*` for the team, `-` to forget; with the words of the memory that it replaces, or `?` for the
/// nearest one.
fn kept(reading: &Reading) -> Vec<String> {
    let told = reading.kept.iter().map(|kept| {
        let mark = if kept.audience == Audience::User { '+' } else { '*' };
        match &kept.takes {
            Takes::Nothing => format!("{mark} {}", kept.text),
            Takes::Nearest => format!("{mark} {} ← ?", kept.text),
            Takes::Words(words) => format!("{mark} {} ← {words}", kept.text),
        }
    });
    told.chain(reading.forget.iter().map(|query| format!("- {query}"))).collect()
}

fn learns(known: &[&str], cases: &[(&str, &[&str])]) {
    for (message, wanted) in cases {
        let reading = read(message, known);
        assert_eq!(kept(&reading), *wanted, "{message}: {:?}", reading.steps);
    }
}

#[test]
fn what_is_said_to_the_memory_is_obeyed() {
    learns(
        &[],
        &[
            ("Remember that I keep the spare key at my sister's.", &["+ User keeps the spare key at their sister's"]),
            ("I'm allergic to nuts, please remember that.", &["+ User is allergic to nuts"]),
            ("I have a parrot. Keep that in mind please.", &["+ User has a parrot"]),
            ("Remember these:\n- I live in Porto\n- I have two cats", &["+ User lives in Porto", "+ User has two cats"]),
            ("Forget what I told you about the marathon.", &["- The marathon"]),
            ("Forget everything you know about me.", &[]),
            ("forget it", &[]),
            ("For the team: invoices go out on the 3rd.", &["* Invoices go out on the 3rd"]),
            ("Backups are kept for 30 days, share that with the others.", &["* Backups are kept for 30 days"]),
            ("From now on answer in French.", &["+ User wants the assistant to answer in French"]),
            ("jangan inget lagi soal alergi gue", &["- Alergi Pengguna"]),
            ("Remember that I do code review at 14:30.", &["+ User does code review at 14:30"]),
            ("I have a dog but my wife has two cats.", &["+ User has a dog but their wife has two cats"]),
            ("Remember these:\n- I live in Porto\n\nNow write a poem about the sea. Thanks!", &["+ User lives in Porto"]),
            ("Remember that I'm allergic to nuts. Suggest a snack? lol ok", &["+ User is allergic to nuts"]),
            ("catat buat tim: rilis tiap Selasa", &["* Rilis tiap Selasa"]),
            ("ingat ya, gue alergi udang", &["+ Pengguna alergi udang"]),
        ],
    );
}

#[test]
fn what_is_not_meant_or_not_said_by_the_user_is_left_out() {
    for (message, rule) in [
        ("Suppose I live in Oslo. How cold is it?", "hypothetical"),
        ("Let's role-play: I am a king. I live in a castle.", "fiction"),
        ("I am the king of Spain lol", "joke"),
        ("My boss said I am late.", "quoted"),
        ("They moved to Oslo.", "others"),
        ("Just this once answer in French.", "one_off"),
        ("Don't save this, but I am moving to Oslo.", "asked_not_to"),
        ("Translate this: I live in Oslo.", "aside"),
        ("For the team: Dana has epilepsy.", "private"),
        ("They are getting divorced. Share that with the team.", "others"),
        ("Ana is pregnant, don't share it with the team.", "asked_not_to"),
        ("My password changed. Bluewhale from now on.", "secret"),
        ("Remember my passwords:\n- bank bluewhale\n- mail redfish", "secret"),
        ("My password is hunter2 and I live in Oslo.", "secret"),
    ] {
        let reading = read(message, &[]);
        assert!(kept(&reading).is_empty(), "{message}: {reading:?}");
        assert!(reading.steps.iter().any(|step| step.dropped && step.decided == rule), "{message}: {:?}", reading.steps);
    }
    assert!(kept(&read("I live in Oslo. Just kidding!", &[])).is_empty());
}

#[test]
fn what_lasts_is_kept_in_the_third_person_and_talk_is_not() {
    learns(
        &[],
        &[
            ("I bake sourdough every weekend, how do I keep a starter alive?", &["+ User bakes sourdough every weekend"]),
            ("We have two daughters, 4 and 7.", &["+ User has two daughters, 4 and 7"]),
            ("We deploy with Argo CD.", &["* The team deploys with Argo CD"]),
            ("Call me Dee.", &["+ User wants the assistant to call them Dee"]),
            ("The build is red again.", &[]),
            ("Perfect, the second one.", &[]),
            ("Print the numbers 1 to 10 in Rust.", &[]),
            ("I'm so tired.", &[]),
        ],
    );
    assert_eq!(read("Call me Dee.", &[]).kept[0].kind, Kind::Wish);
}

#[test]
fn a_change_names_the_memory_that_it_replaces() {
    let known = ["User plays the cello", "User takes ramipril", "User drinks espresso"];
    learns(
        &known,
        &[
            ("I gave up espresso.", &["+ User gave up espresso ← espresso"]),
            ("I've switched to decaf.", &["+ User has switched to decaf ← ?"]),
            (
                "They took me off the ramipril. It's losartan now.",
                &["+ They took User off the ramipril. It's losartan now ← ramipril"],
            ),
            (
                "I no longer play the cello. It's the accordion these days.",
                &["+ User no longer plays the cello. It's the accordion these days ← cello"],
            ),
            ("Forget the cello, I'm learning the accordion now.", &["+ User is learning the accordion now ← cello"]),
            ("I also play the oboe.", &["+ User also plays the oboe"]),
        ],
    );
}

#[test]
fn a_secret_may_be_told_in_the_next_sentence() {
    for message in
        ["My password changed. It's bluewhale now.", "The PIN is new. I hope you like it. It's the year of the bluewhale."]
    {
        let reading = read(message, &["User plays chess"]);
        assert!(kept(&reading).iter().all(|text| !text.contains("bluewhale")), "{message}: {reading:?}");
    }
}

#[test]
fn long_and_odd_messages_are_read() {
    for message in ["", " ", "\u{202e}", "....", "\"", "```", ":", "I", "I, I, I", &"a, ".repeat(20_000), &"(".repeat(30_000)] {
        assert!(read(message, &["User plays chess"]).kept.len() < 100);
    }
}
