//! Texts that are no translations of anything: refusals of models, and text whose encoding was mistaken.

use std::sync::OnceLock;

/// Whether a text declines the request; what the source says itself is a translation.
pub fn is_refusal(source: &str, text: &str) -> bool {
    static PARTS: OnceLock<Vec<Vec<&'static str>>> = OnceLock::new();
    let known = PARTS.get_or_init(|| {
        let rows = include_str!("../data/refusals.txt").lines();
        let rows = rows.filter(|row| !row.starts_with('#') && !row.is_empty());
        rows.map(|row| row.split('+').collect()).collect()
    });
    let plain = |text: &str| text.to_lowercase().replace('’', "'");
    let text = plain(text);
    let has = |text: &str, parts: &Vec<&str>| parts.iter().all(|part| text.contains(part));
    let Some(parts) = known.iter().find(|parts| has(&text, parts)) else {
        return false;
    };
    !has(&plain(source), parts)
}

/// Whether a text is UTF-8 that was read as Windows-1252 or Latin-1 (`Å¡` for `š`), is in a code page that was taken for
/// another (`v¹ak` for `však`), or lost letters (`�`).
pub fn is_garbled(text: &str) -> bool {
    if text.is_ascii() {
        return false;
    }
    if text.contains('\u{fffd}') {
        return true;
    }
    let bytes: Option<Vec<u8>> = text.chars().map(byte).collect();
    if bytes.is_some_and(|bytes| std::str::from_utf8(&bytes).is_ok()) {
        return true;
    }
    // Where other code pages have letters, Latin-1 has signs, which no word has inside.
    let letters: Vec<char> = text.chars().collect();
    let is_inside = |three: &[char]| {
        "¹²³¼½¾µ¶£¤¥¦©¬®±¸".contains(three[1])
            && three[0].is_alphabetic()
            && three[2].is_lowercase()
    };
    if letters.windows(3).any(is_inside) {
        return true;
    }
    // Bytes that Windows-1252 has no letter for may be lost; a capital before such a sign is never written.
    let mut last = ' ';
    text.chars().any(|letter| {
        let lead = std::mem::replace(&mut last, letter);
        let follows =
            !letter.is_alphabetic() && byte(letter).is_some_and(|b| (0x80..0xc0).contains(&b));
        follows && matches!(lead, 'Â'..='Å' | 'Î' | 'Ï' | 'Ð' | 'Ñ' | '×'..='Ú')
    })
}

/// The byte that Windows-1252 writes a letter as; bytes without a letter stand for themselves.
fn byte(letter: char) -> Option<u8> {
    const HIGH: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
    match letter {
        '\0'..='\u{ff}' => Some(letter as u8),
        _ => HIGH
            .chars()
            .position(|one| one == letter)
            .map(|at| 0x80 + at as u8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a program shows that takes UTF-8 for Windows-1252.
    fn mistaken(text: &str) -> String {
        const HIGH: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
        let letter = |byte: &u8| match byte {
            0x80..0xa0 => HIGH.chars().nth(usize::from(byte - 0x80)).unwrap(),
            byte => char::from(*byte),
        };
        text.as_bytes().iter().map(letter).collect()
    }

    #[test]
    fn mistaken_encodings_are_seen_and_texts_are_not() {
        for text in [
            "Bol som veľmi unavený.",
            "Řekla jsem mu, že nemám čas.",
            "Ich war müde.",
            "J’étais là, « fatiguée ».",
            "Я была дома.",
            "Ήμουν κουρασμένη.",
            "הייתי עייפה",
            "كنت متعبة",
            "मैं थक गई थी",
            "我很累。",
            "ÂNGELA É ÚNICA, SÃO JOÃO!",
            "Það var Ísland.",
        ] {
            assert!(!is_garbled(text), "{text}");
            assert!(is_garbled(&mistaken(text)), "{}", mistaken(text));
        }
        assert!(is_garbled("Bol som ve�mi unaven�."));
        // Latin-2 and Windows-1250 that were read as Latin-1.
        for text in [
            "V¹ak u¾ som bol doma.",
            "Powiedzia³am, ¿e wróci³am.",
            "Pø¾e¾il jsem to.",
            "hµadal",
        ] {
            assert!(is_garbled(text), "{text}");
        }
        for text in [
            "100 m² a 3 km³.",
            "l´amie",
            "col·lega",
            "½ kg",
            "5 µm",
            "Vitamín B¹², «áno»",
        ] {
            assert!(!is_garbled(text), "{text}");
        }
        assert!(!is_garbled("plain"));
    }

    #[test]
    fn refusals_are_seen_and_translations_are_not() {
        let source = "I am sorry that I could not help you.";
        for text in [
            "I'm sorry, but I can't assist with that request.",
            "As an AI language model, I cannot translate this sentence.",
            "I’m unable to translate this.",
            "Es tut mir leid, das kann ich nicht übersetzen.",
            "Je suis désolé, mais je ne peux pas traduire cette phrase.",
            "Ako jazykový model to nemôžem preložiť.",
            "Lo siento, no puedo ayudar con eso.",
            "我无法翻译这句话。",
        ] {
            assert!(is_refusal(source, text), "{text}");
        }
        for text in [
            "Je mi ľúto, že som ti nemohla pomôcť.",
            "Es tut mir leid, dass ich dir nicht helfen konnte.",
            "Lo siento, no pude ayudarte.",
            "Ich kann nicht übersetzen.",
        ] {
            assert!(
                !is_refusal("I cannot translate. Ich kann nicht übersetzen.", text),
                "{text}"
            );
        }
    }
}
