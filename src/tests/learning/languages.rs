//! Other languages: requests to the memory, languages that are not read, words in runs without spaces, composed characters, and
//! greetings.

use serde_json::{Value, json};

use crate::learning::pipeline::Talk;

async fn recalled(talk: &Talk, query: &str) -> Value {
    let question = json!({"user_id": "anna", "surface": "web", "query": query, "explain": true});
    let (status, answer) = talk.fixture.call("POST", "/v1/recall", &talk.key, Some(question)).await;
    assert_eq!(status, 200, "{answer}");
    answer
}

#[tokio::test]
async fn what_is_to_be_remembered_is_kept_as_it_was_written_and_forgotten_by_its_words() {
    let talk = Talk::new().await;
    for (said, kept) in [
        ("Hallo! Merk dir bitte, dass ich in Porto wohne.", "ich in Porto wohne"),
        ("Retiens que ma fille s'appelle Zoé.", "ma fille s'appelle Zoé"),
        ("Recuerda que trabajo de noche.", "trabajo de noche"),
        ("Por favor, anote que sou canhoto.", "sou canhoto"),
        ("Ricorda che mio fratello vive a Pisa.", "mio fratello vive a Pisa"),
        ("Onthoud dat ik vegetariër ben.", "ik vegetariër ben"),
        ("Запомни, что у меня две кошки.", "у меня две кошки"),
        ("Şunu not et: kızımın adı Zeynep.", "kızımın adı Zeynep"),
        ("تذكر أن قطاري يغادر الثامنة.", "قطاري يغادر الثامنة"),
        ("你好。请记住我有一条帆船。", "我有一条帆船"),
        ("こんにちは。左利きだと覚えておいてください。", "左利きだ"),
        ("기억해 줘: 여동생 이름은 유나야.", "여동생 이름은 유나야"),
    ] {
        let id = talk.say(Some("anna"), said).await;
        assert_eq!(talk.state(&id).await["reason"], Value::Null, "{said}");
        assert!(talk.memories("anna").await.iter().any(|memory| memory == kept), "{said}: {:?}", talk.memories("anna").await);
    }
    assert_eq!(talk.memories("anna").await.len(), 12);
    talk.say(Some("anna"), "忘掉我的帆船。").await;
    talk.say(Some("anna"), "Забудь про кошки.").await;
    let left = talk.memories("anna").await;
    assert!(left.len() == 10 && left.iter().all(|memory| !memory.contains('船') && !memory.contains("кошки")), "{left:?}");
    let id = talk.say(Some("anna"), "Lösche alles, was du über mich weißt!").await;
    assert_eq!(talk.state(&id).await["reason"], "confirm_forget_all");
    assert_eq!(talk.memories("anna").await.len(), 10);
}

#[tokio::test]
async fn an_exchange_in_a_language_that_is_not_read_says_so_and_is_counted() {
    let talk = Talk::new().await;
    for (said, reason) in [
        ("Meine Schwester hat zwei Katzen und einen alten Hund.", json!("language_not_read")),
        ("妹は神戸の銀行で働いています。", json!("language_not_read")),
        ("I live in Porto with two cats.", Value::Null),
        ("gue lagi nyari tempat makan enak deket kantor", Value::Null),
        ("```\nnur ein kleines Programm in einer Datei\n```", Value::Null),
        ("Danke!", Value::Null),
    ] {
        let id = talk.say(Some("anna"), said).await;
        let state = talk.state(&id).await;
        assert_eq!((&state["status"], &state["reason"]), (&json!("learned"), &reason), "{said}");
    }
    let viewer = talk.operator().await;
    let history =
        talk.fixture.keepsake.insight.counted_in(&viewer, domain::insight::stats::StatsRange::Week).await.expect("read");
    assert_eq!(history.sum(domain::insight::stats::UNREAD), 2);
}

#[tokio::test]
async fn one_of_forty_alike_is_found_by_its_own_word() {
    for (template, question, words) in [
        ("我每周X都要去练习Y", "我什么时候练习Y？", ["书法", "太极", "游泳", "钢琴", "射箭", "围棋", "摄影", "陶艺"]),
        (
            "毎週X曜日にYを習っています",
            "Yを習うのはいつですか？",
            ["書道", "柔道", "水泳", "琵琶", "弓術", "囲碁", "写真", "陶芸"],
        ),
        ("저는 매주 X에 Y를 배웁니다", "Y는 언제 배우나요?", ["서예", "태극", "수영", "기타", "양궁", "바둑", "사진", "도예"]),
    ] {
        let talk = Talk::new().await;
        let days = ["一", "二", "三", "四", "五"];
        let word = |n: usize| format!("{}{}", words[n % 8], words[(n / 8 + n + 1) % 8]);
        for n in 0..40 {
            let text = template.replace('X', days[n % 5]).replace('Y', &word(n));
            let memory =
                json!({"user_id": "anna", "surface": "web", "kind": "episode", "content": text, "tags": [format!("n{n}")]});
            assert_eq!(talk.fixture.call("POST", "/v1/memories", &talk.key, Some(memory)).await.0, 201, "{text}");
        }
        let held = talk.memories("anna").await;
        assert!(held.len() > 30, "{}", held.len());
        for n in [0, 7, 13, 21, 39] {
            let answer = recalled(&talk, &question.replace('Y', &word(n))).await;
            let first: Vec<&str> = answer["personal"]
                .as_array()
                .expect("a list")
                .iter()
                .take(3)
                .filter_map(|item| item["content"].as_str())
                .collect();
            assert!(first.iter().any(|text| text.contains(&word(n))), "{}: {first:?}", word(n));
        }
    }
}

#[tokio::test]
async fn composed_and_decomposed_texts_are_one_memory_and_found_by_either() {
    let talk = Talk::new().await;
    for name in ["Cafe\u{301} Gu\u{308}rtel", "Café Gürtel"] {
        let memory =
            json!({"user_id": "anna", "surface": "web", "kind": "fact", "content": format!("User meets friends at {name}")});
        assert!(talk.fixture.call("POST", "/v1/memories", &talk.key, Some(memory)).await.0 < 300);
    }
    assert_eq!(talk.memories("anna").await, ["User meets friends at Café Gürtel"]);
    talk.say(Some("anna"), "Remember that I keep nine hens.").await;
    for query in ["Who is at the Gu\u{308}rtel?", "Who is at the Gürtel?"] {
        let answer = recalled(&talk, query).await;
        assert_eq!(answer["personal"][0]["legs"].as_array().map(|legs| legs.contains(&json!("words"))), Some(true), "{answer}");
    }
}

#[tokio::test]
async fn a_greeting_recalls_nothing_and_the_explanation_says_why() {
    let talk = Talk::new().await;
    talk.say(Some("anna"), "Remember that I live in Porto.").await;
    for query in ["Hi!", "thanks a lot", "makasih ya", "こんにちは"] {
        let answer = recalled(&talk, query).await;
        assert_eq!((&answer["personal"], &answer["global"], &answer["prompt"]), (&json!([]), &json!([]), &json!("")), "{query}");
        assert_eq!(answer["left_out"][0]["reason"], "greeting", "{query}: {answer}");
    }
    let answer = recalled(&talk, "Hi, where do I live?").await;
    assert_eq!(answer["personal"][0]["content"], "User lives in Porto");
}
