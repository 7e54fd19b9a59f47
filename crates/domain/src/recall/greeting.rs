//! Detects texts that are only a greeting, thanks or an "ok". They ask nothing, so nothing is recalled for them.

use super::words::composed;

/// Maximum size in bytes; a longer text says something else too.
const LONGEST_BYTES: usize = 120;

/// Greetings, thanks and agreement, in small letters; separated by `|`.
const SAID: &str = "hi|hii|hello|hello there|hey|heya|hiya|yo|howdy|greetings|good morning|good afternoon|good evening|good day|good night|morning|evening|\
    how are you|how's it going|what's up|sup|nice to meet you|thanks|thank you|thx|ty|tysm|cheers|much appreciated|great|perfect|nice|cool|awesome|\
    ok|okay|okey|k|kk|alright|all right|got it|sounds good|fine|bye|goodbye|see you|see you later|cya|take care|you're welcome|no problem|\
    halo|hai|hei|pagi|siang|sore|malam|selamat pagi|selamat siang|selamat sore|selamat malam|assalamualaikum|permisi|apa kabar|gimana kabarnya|\
    makasih|makasi|terima kasih|terimakasih|trims|tq|suwun|matur nuwun|nuwun|sama-sama|sama sama|oke|okee|sip|siap|mantap|baik|dadah|sampai jumpa|\
    hallo|guten morgen|guten tag|guten abend|gute nacht|moin|servus|grüß dich|grüß gott|wie geht's|wie geht es dir|danke|dankeschön|vielen dank|bitte|alles klar|tschüss|\
    bonjour|bonsoir|bonne nuit|salut|coucou|ça va|merci|merci beaucoup|d'accord|au revoir|de rien|à bientôt|\
    hola|buenos días|buenas tardes|buenas noches|buenas|qué tal|cómo estás|gracias|muchas gracias|vale|de nada|adiós|hasta luego|\
    olá|oi|bom dia|boa tarde|boa noite|tudo bem|obrigado|obrigada|valeu|tchau|até logo|\
    ciao|buongiorno|buonasera|buonanotte|salve|come stai|grazie|grazie mille|va bene|prego|arrivederci|\
    hoi|goedemorgen|goedemiddag|goedenavond|hoe gaat het|dank je|dank je wel|dankjewel|bedankt|prima|tot ziens|doei|\
    привет|здравствуй|здравствуйте|доброе утро|добрый день|добрый вечер|спокойной ночи|как дела|спасибо|большое спасибо|хорошо|ок|окей|пока|до свидания|\
    merhaba|selam|günaydın|iyi günler|iyi akşamlar|iyi geceler|nasılsın|teşekkürler|teşekkür ederim|sağ ol|sağol|tamam|görüşürüz|hoşça kal|\
    مرحبا|أهلا|اهلا|السلام عليكم|صباح الخير|مساء الخير|كيف حالك|شكرا|شكرا جزيلا|شكرًا|حسنا|تمام|مع السلامة|\
    你好|您好|嗨|哈喽|早|早安|早上好|上午好|下午好|晚上好|晚安|你好吗|谢谢|謝謝|多谢|谢谢你|非常感谢|好|好的|好吧|再见|拜拜|\
    こんにちは|こんばんは|おはよう|おはようございます|おやすみ|やあ|もしもし|元気ですか|ありがとう|ありがとうございます|どうも|どうもありがとう|了解|了解です|はい|さようなら|またね|よろしく|よろしくお願いします|\
    안녕|안녕하세요|안녕하십니까|좋은 아침|좋은 아침이에요|잘 지내|잘 지내세요|고마워|고마워요|감사합니다|고맙습니다|네|알겠어|알겠습니다|잘 자|안녕히 계세요";

/// Words that may accompany them and say nothing alone.
const BESIDE: &str = "a lot|so much|very much|a bunch|very|so|many|again|all|everyone|there|team|guys|friend|my friend|for the help|for your help|for that|for everything|you|and|to you|\
    then|please|haha|lol|ya|yah|yaa|kak|min|bro|sis|bang|gan|mas|mbak|pak|bu|banyak|banget|atas bantuannya|bantuannya|semua|semuanya|semuanya|dong|deh|nih|\
    schön|sehr|dir|euch|ihnen|für die hilfe|und|nochmal|beaucoup|bien|à toi|pour l'aide|et|mucho|por la ayuda|por tu ayuda|y|muito|pela ajuda|e|mille|molto|per l'aiuto|hoor|wel|voor de hulp|en|\
    большое|тебе|вам|за помощь|и|çok|ederim|ve|جزيلا|لك|و|你|您|了|啊|呀|哦|啦|ね|よ|です|ございます|요|정말|모두";

/// Whether a text is nothing but a greeting, thanks or agreement.
#[must_use]
pub fn is_greeting(text: &str) -> bool {
    if text.len() > LONGEST_BYTES {
        return false;
    }
    let lower = composed(text).to_lowercase().replace('’', "'");
    let plain: String = lower.chars().map(|c| if c.is_alphanumeric() || "'-".contains(c) { c } else { ' ' }).collect();
    let mut rest = plain.trim();
    let mut greets = false;
    while !rest.is_empty() {
        let (said, beside) = (longest(SAID, rest), longest(BESIDE, rest));
        greets |= said > 0;
        match said.max(beside) {
            0 => return false,
            end => rest = rest[end..].trim_start_matches(|c: char| c.is_whitespace() || c == '-'),
        }
    }
    greets
}

/// Length in bytes of the longest of these phrases with which a text begins; 0: none.
fn longest(phrases: &str, text: &str) -> usize {
    let begins = |phrase: &&str| {
        // In scripts without spaces the next phrase may follow at once.
        let ends = |rest: &str| rest.is_empty() || rest.starts_with([' ', '-']) || !phrase.chars().all(|c| c < '\u{3000}');
        text.strip_prefix(phrase).is_some_and(ends)
    };
    phrases.split('|').map(str::trim).filter(begins).map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greetings_and_thanks_ask_nothing() {
        for text in [
            "hi",
            "Good morning!",
            "thanks a lot",
            "OK",
            "ok 👍",
            "Hello there, how are you?",
            "Thank you so much for your help!",
            "halo kak",
            "makasih ya",
            "Selamat pagi, apa kabar?",
            "oke sip",
            "Danke",
            "Guten Morgen!",
            "Vielen Dank und tschüss",
            "merci beaucoup",
            "Salut, ça va ?",
            "¡Hola! ¿Qué tal?",
            "muchas gracias",
            "Bom dia",
            "Obrigada!",
            "Buongiorno",
            "grazie mille",
            "Goedemorgen",
            "dank je wel",
            "Привет!",
            "Спасибо большое",
            "Merhaba",
            "çok teşekkürler",
            "مرحبا",
            "شكرا لك",
            "你好！",
            "谢谢你啊",
            "こんにちは",
            "ありがとうございます！",
            "안녕하세요",
            "정말 고마워요",
        ] {
            assert!(is_greeting(text), "{text}");
        }
        for text in [
            "Hi, where do I live?",
            "What do I drink?",
            "thanks, and what's my dog called?",
            "good coffee nearby",
            "bike",
            "so",
            "",
            "?",
            "你好，我住在哪里？",
            "こんにちは、私の犬の名前は？",
            "안녕, 내 이름이 뭐야?",
            "Danke, wo wohne ich?",
            "morning routine",
            "okra recipe",
            "kopi pagi",
            "很好吃的店",
            "hey remember my boat",
            "selamat ulang tahun",
        ] {
            assert!(!is_greeting(text), "{text}");
        }
    }
}
