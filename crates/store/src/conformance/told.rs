//! Data that users give an assistant in chats: notes, preferences, profiles, conversations and questions.

use super::Database;
use super::sample::{NOW, erase, insert, memory, user, web, wording, write};
use domain::chat::profile::{FieldValue, ProfileField};
use domain::chat::talk::{Question, QuestionTopic, Role, Talk, ToForget, Turn};
use domain::erasure::ErasureScope;
use domain::facts::provenance::Surface;
use domain::moment::{DAY_MS, MINUTE_MS, Moment};
use ports::store::Store;
use ports::store::chat::notes::NewNote;
use ports::store::chat::preferences::Preference;
use ports::store::people::ToldCounts;

fn telegram() -> Surface {
    Surface::new("telegram").expect("valid")
}

fn note(id: &str) -> NewNote {
    NewNote { id: id.to_owned(), content: format!("note {id}"), surface: web(), at: NOW, memory: None }
}

fn preference(id: &str, platform: Option<Surface>) -> Preference {
    Preference { id: id.to_owned(), platform, content: format!("preference {id}"), created_at: NOW }
}

fn field(name: &str, value: &str) -> ProfileField {
    ProfileField { name: name.to_owned(), value: FieldValue::Text(value.to_owned()), updated_at: NOW }
}

fn talk(surface: Surface, thread: Option<&str>) -> Talk {
    Talk::new(surface, thread).expect("short")
}

fn said(texts: &[&str]) -> Vec<Turn> {
    texts.iter().map(|text| Turn { role: Role::Tool, content: (*text).to_owned(), at: NOW }).collect()
}

fn ids(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| (*id).to_owned()).collect()
}

pub async fn notes_are_their_users_and_in_the_order_of_writing(store: &dyn Store) {
    let (anna, budi) = (&user("anna"), &user("budi"));
    write!(store, |tx| {
        for id in ["note_2", "note_1", "note_3"] {
            tx.insert_note(anna, &note(id)).await?;
        }
        tx.insert_note(budi, &note("note_4")).await
    });
    let notes = store.notes(anna).await.expect("read");
    assert_eq!(notes.iter().map(|note| note.id.as_str()).collect::<Vec<_>>(), ["note_2", "note_1", "note_3"]);
    assert_eq!((notes[0].content.as_str(), notes[0].surface.as_str(), notes[0].created_at), ("note note_2", "web", NOW));
    assert_eq!(notes[0].last_used_at, None);
    let later = NOW.plus_ms(DAY_MS);
    let (known, gone, others) = write!(store, |tx| {
        tx.use_notes(anna, &ids(&["note_1", "note_4", "note_9"]), later).await?;
        let others = tx.delete_notes(budi, &ids(&["note_1"])).await?;
        let gone = tx.delete_notes(anna, &ids(&["note_2", "note_4", "note_9"])).await?;
        Ok((tx.known_notes(anna).await?, gone, others))
    });
    assert_eq!((gone, others), (1, 0), "nobody deletes another user's");
    assert!(known == store.notes(anna).await.expect("read"));
    assert_eq!(known.iter().map(|note| note.last_used_at).collect::<Vec<_>>(), [Some(later), None]);
    assert_eq!(store.notes(budi).await.expect("read")[0].last_used_at, None, "nobody uses another user's");
    assert!(store.notes(&user("carla")).await.expect("read").is_empty());
}

pub async fn a_learned_note_goes_with_the_text_of_its_memory(store: &dyn Store) {
    let anna = &user("anna");
    insert(store, anna, &[memory("mem_1", 1), memory("mem_2", 2)]).await;
    let of = |id: &str, memory: &str| NewNote { memory: Some(memory.to_owned()), ..note(id) };
    write!(store, |tx| {
        tx.insert_note(anna, &note("note_1")).await?;
        tx.insert_note(anna, &of("note_2", "mem_1")).await?;
        tx.insert_note(anna, &of("note_3", "mem_2")).await
    });
    let notes = async || store.notes(anna).await.expect("read").into_iter().map(|note| note.id).collect::<Vec<_>>();
    // Writing the same text, as after a merge, keeps the note.
    let same = &wording("statement mem_1", 1);
    write!(store, |tx| tx.reword_memory(anna, "mem_1", same, NOW).await);
    assert_eq!(notes().await, ["note_1", "note_2", "note_3"]);
    let other = &wording("something else", 1);
    write!(store, |tx| tx.reword_memory(anna, "mem_1", other, NOW).await);
    assert_eq!(notes().await, ["note_1", "note_3"]);
    write!(store, |tx| tx.delete_memory(anna, "mem_2").await);
    assert_eq!(notes().await, ["note_1"]);
}

pub async fn preferences_hold_on_one_platform_or_on_all(store: &dyn Store) {
    let (anna, budi) = (&user("anna"), &user("budi"));
    write!(store, |tx| {
        tx.insert_preference(anna, &preference("pref_1", None)).await?;
        tx.insert_preference(anna, &preference("pref_2", Some(telegram()))).await?;
        tx.insert_preference(budi, &preference("pref_3", None)).await
    });
    let own = store.preferences(anna).await.expect("read");
    assert!(own == [preference("pref_1", None), preference("pref_2", Some(telegram()))]);
    assert!(own[0].holds_on(&web()) && own[1].holds_on(&telegram()) && !own[1].holds_on(&web()));
    let (known, gone) = write!(store, |tx| {
        let gone = tx.delete_preferences(anna, &ids(&["pref_1", "pref_3"])).await?;
        Ok((tx.known_preferences(anna).await?, gone))
    });
    assert_eq!(gone, 1);
    assert!(known == [preference("pref_2", Some(telegram()))]);
    assert_eq!(store.preferences(budi).await.expect("read").len(), 1);
}

pub async fn a_field_is_replaced_under_its_name(store: &dyn Store) {
    let (anna, budi) = (&user("anna"), &user("budi"));
    let (known, gone, again, others) = write!(store, |tx| {
        tx.set_profile_field(anna, &field("user_name", "Ana")).await?;
        tx.set_profile_field(anna, &field("preferred_language", "id")).await?;
        tx.set_profile_field(anna, &ProfileField { updated_at: NOW.plus_ms(1), ..field("user_name", "Anna") }).await?;
        let others = tx.delete_profile_field(budi, "user_name").await?;
        let known = tx.known_profile(anna).await?;
        let gone = tx.delete_profile_field(anna, "preferred_language").await?;
        let again = tx.delete_profile_field(anna, "preferred_language").await?;
        Ok((known, gone, again, others))
    });
    let renamed = ProfileField { updated_at: NOW.plus_ms(1), ..field("user_name", "Anna") };
    assert!(known == [field("preferred_language", "id"), renamed.clone()]);
    assert_eq!((gone, again, others), (true, false, false));
    assert!(store.profile(anna).await.expect("read") == [renamed]);
    assert!(store.profile(budi).await.expect("read").is_empty());
}

pub async fn a_field_is_a_text_or_a_value_of_another_form(store: &dyn Store) {
    let anna = &user("anna");
    let of = |name: &str, value: FieldValue| ProfileField { value, ..field(name, "") };
    let list = FieldValue::new(serde_json::json!(["id", { "since": 2024 }])).expect("fits");
    // A text that looks like JSON stays a text.
    let told = &[of("languages", list), of("quote", FieldValue::Text("[1]".to_owned()))];
    write!(store, |tx| {
        for field in told {
            tx.set_profile_field(anna, field).await?;
        }
        Ok(())
    });
    assert!(store.profile(anna).await.expect("read") == *told);
    let turned = &of("languages", FieldValue::Text("id".to_owned()));
    write!(store, |tx| tx.set_profile_field(anna, turned).await);
    assert!(store.profile(anna).await.expect("read") == [turned.clone(), told[1].clone()]);
}

pub async fn what_was_reset_is_read_back_by_its_user_and_conversation(store: &dyn Store) {
    let (anna, budi) = (&user("anna"), &user("budi"));
    let (here, there) = (&talk(web(), Some("t1")), &talk(telegram(), Some("t1")));
    let at = |n: i64| NOW.plus_ms(n * MINUTE_MS);
    write!(store, |tx| {
        for n in 1..=3_i64 {
            tx.append_turns(anna, here, &said(&[&format!("{n}a"), &format!("{n}b")])).await?;
            tx.archive_turns(anna, here, at(n)).await?;
        }
        tx.append_turns(anna, here, &said(&["now"])).await?;
        tx.append_turns(anna, there, &said(&["there"])).await?;
        tx.append_turns(budi, here, &said(&["budi"])).await?;
        tx.archive_turns(anna, there, at(1)).await?;
        tx.archive_turns(budi, here, at(1)).await
    });
    let read = async |user, talk, before, limit| {
        let talks = store.archived_turns(user, talk, before, limit).await.expect("read");
        let texts = |turns: Vec<Turn>| turns.into_iter().map(|turn| turn.content).collect::<Vec<_>>().join(" ");
        talks.into_iter().map(|talk| (talk.at, texts(talk.turns))).collect::<Vec<_>>()
    };
    let of = |n: i64| (at(n), format!("{n}a {n}b"));
    assert_eq!(read(anna, here, None, 9).await, [of(3), of(2), of(1)]);
    assert_eq!(read(anna, here, None, 1).await, [of(3)]);
    assert_eq!(read(anna, here, Some(at(3)), 1).await, [of(2)]);
    assert_eq!(read(anna, there, None, 9).await, [(at(1), "there".to_owned())]);
    assert_eq!(read(budi, here, None, 9).await, [(at(1), "budi".to_owned())]);
    let (unnamed, carla) = (&talk(web(), None), &user("carla"));
    assert!(read(anna, unnamed, None, 9).await.is_empty());
    assert!(read(carla, here, None, 9).await.is_empty());
}

pub async fn a_conversation_keeps_its_last_turns_and_what_was_reset(store: &dyn Store) {
    let (anna, budi) = (&user("anna"), &user("budi"));
    let (here, named, there) = (&talk(web(), None), &talk(web(), Some("t1")), &talk(telegram(), None));
    write!(store, |tx| {
        tx.append_turns(anna, here, &said(&["1", "2"])).await?;
        tx.append_turns(anna, named, &said(&["named"])).await?;
        tx.append_turns(anna, there, &said(&["there"])).await?;
        tx.append_turns(budi, here, &said(&["budi"])).await?;
        tx.append_turns(anna, here, &[]).await?;
        tx.append_turns(anna, here, &said(&["3"])).await
    });
    let texts = async |talk: &Talk, limit| {
        store.turns(anna, talk, limit).await.expect("read").into_iter().map(|turn| turn.content).collect::<Vec<_>>()
    };
    assert_eq!(texts(here, 9).await, ["1", "2", "3"]);
    assert_eq!(texts(here, 2).await, ["2", "3"], "the last ones, oldest first");
    assert_eq!((texts(named, 9).await, texts(there, 9).await), (ids(&["named"]), ids(&["there"])));
    assert!(store.turns(anna, here, 1).await.expect("read")[0] == said(&["3"])[0]);

    let archived_at = NOW.plus_ms(MINUTE_MS);
    let (trimmed, archived, none) = write!(store, |tx| {
        let trimmed = tx.trim_turns(anna, here, 2).await?;
        let archived = tx.archive_turns(anna, here, archived_at).await?;
        let none = tx.archive_turns(anna, here, archived_at).await?;
        tx.append_turns(anna, here, &said(&["4"])).await?;
        tx.trim_turns(anna, here, 1).await?;
        Ok((trimmed, archived, none))
    });
    assert_eq!((trimmed, archived, none), (1, 2, 0));
    assert_eq!(texts(here, 9).await, ["4"]);
    let all = store.turns_of(anna, 9).await.expect("read");
    let shown: Vec<_> = all.iter().map(|placed| (placed.turn.content.as_str(), placed.archived_at)).collect();
    let expected = [("4", None), ("3", Some(archived_at)), ("there", None), ("named", None), ("2", Some(archived_at))];
    assert_eq!(shown, expected, "what is archived is not trimmed");
    assert_eq!((store.turns_of(anna, 2).await.expect("read").len(), all[2].surface.as_str()), (2, "telegram"));
    let (early, late) = write!(store, |tx| {
        let early = tx.purge_turns(archived_at).await?;
        Ok((early, tx.purge_turns(archived_at.plus_ms(1)).await?))
    });
    assert_eq!((early, late), (0, 2));
    assert_eq!(store.turns_of(anna, 9).await.expect("read").len(), 3);
    assert_eq!(store.turns(budi, here, 9).await.expect("read").len(), 1);
}

pub async fn a_question_is_taken_once_and_grows_old(store: &dyn Store) {
    let (anna, budi) = (&user("anna"), &user("budi"));
    let (here, there) = (&talk(web(), Some("t1")), &talk(web(), None));
    let later = NOW.plus_ms(5);
    let (early, late) = (&everything(NOW), &everything(later));
    let some = &Question { about: QuestionTopic::Forget(ToForget::Memories(ids(&["mem_1", "mem_2"]))), asked_at: NOW };
    let notes = &Question { about: QuestionTopic::Notes, asked_at: NOW };
    let (asked, taken) = write!(store, |tx| {
        tx.ask(anna, here, some).await?;
        let mut asked = vec![tx.question(anna, here).await?, tx.question(anna, there).await?, tx.question(budi, here).await?];
        tx.ask(anna, here, notes).await?;
        asked.push(tx.question(anna, here).await?);
        tx.ask(anna, here, late).await?;
        asked.push(tx.question(anna, here).await?);
        let taken = [
            tx.take_question(anna, there).await?,
            tx.take_question(budi, here).await?,
            tx.take_question(anna, here).await?,
            tx.take_question(anna, here).await?,
        ];
        asked.push(tx.question(anna, here).await?);
        Ok((asked, taken))
    });
    assert_eq!(
        asked,
        [Some(some.clone()), None, None, Some(notes.clone()), Some(late.clone()), None],
        "a newer one replaces it whole"
    );
    assert_eq!(taken, [false, false, true, false]);
    let taken = write!(store, |tx| {
        tx.ask(anna, here, early).await?;
        tx.ask(anna, there, late).await?;
        tx.purge_questions(later).await?;
        Ok([tx.take_question(anna, here).await?, tx.take_question(anna, there).await?])
    });
    assert_eq!(taken, [false, true]);
}

fn everything(asked_at: Moment) -> Question {
    Question { about: QuestionTopic::Forget(ToForget::Everything), asked_at }
}

pub async fn what_was_told_is_counted_and_goes_with_its_user(store: &dyn Database) {
    let (anna, budi) = (&user("anna"), &user("budi"));
    let here = &talk(telegram(), Some("t1"));
    let last = Moment(NOW.0 + 9);
    for (who, name) in [(anna, "a"), (budi, "b")] {
        write!(store, |tx| {
            tx.insert_note(who, &note(&format!("note_{name}"))).await?;
            tx.insert_preference(who, &preference(&format!("pref_{name}"), None)).await?;
            tx.set_profile_field(who, &field("user_name", "x")).await?;
            tx.set_profile_field(who, &field("city", "x")).await?;
            tx.append_turns(who, here, &said(&["1", "2"])).await?;
            tx.archive_turns(who, here, NOW).await?;
            tx.append_turns(who, here, &[Turn { at: last, ..said(&["3"]).remove(0) }]).await?;
            tx.ask(who, here, &everything(NOW)).await
        });
    }
    let held = store.holdings(anna).await.expect("read").expect("there");
    assert_eq!(held.told, ToldCounts { preferences: 1, notes: 1, fields: 2, turns: 3 });
    assert_eq!((held.told.sum(), held.last_active_at), (7, Some(last)));
    assert_eq!(held.surfaces, ["telegram", "web"]);
    let lighter = erase(store, "anna", ErasureScope::Contributions).await;
    assert_eq!((lighter.found["turns"], lighter.found["notes"]), (3, 1));
    assert_eq!(store.holdings(anna).await.expect("read").expect("there").told.sum(), 7, "it stays");
    let all = erase(store, "anna", ErasureScope::Everything).await;
    for (table, rows) in [("notes", 1), ("preferences", 1), ("profile_fields", 2), ("turns", 3), ("questions", 1)] {
        assert_eq!((all.found[table], all.left[table]), (rows, 0), "{table}");
    }
    assert_eq!(store.holdings(budi).await.expect("read").expect("there").told.sum(), 7);
}
