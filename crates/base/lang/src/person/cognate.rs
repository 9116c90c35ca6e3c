//! Words that two languages share: "sprinters" and "спринтерш", "quadruplets" and "quadruplées". Lexicons lack many of them.

/// Letters in common from the first, at least.
const COMMON: usize = 4;

/// Letters that the word may have behind those in common: endings and suffixes.
const BEHIND: usize = 5;

/// Whether the word begins like the English noun, in most of the noun's letters. A capital inside a sentence in Cyrillic is a
/// country or a name, not a person; `first` says that the word opens the sentence.
pub(super) fn is_cognate(noun: &str, word: &str, first: bool) -> bool {
    let name = word.chars().next().is_some_and(is_cyrillic_capital);
    if name && !first {
        return false;
    }
    let noun = noun.strip_suffix("'s").unwrap_or(noun);
    let noun = skeleton(noun.strip_suffix('s').unwrap_or(noun));
    let word = skeleton(word);
    let letters = noun.iter().zip(&word);
    let common = letters.take_while(|(one, other)| one == other).count();
    common >= COMMON && 5 * common >= 3 * noun.len() && word.len() <= common + BEHIND
}

fn is_cyrillic_capital(letter: char) -> bool {
    ('\u{400}'..='\u{42f}').contains(&letter)
}

/// The letters without what languages spell each in its way: accents, double letters, c and k, i and y, h.
fn skeleton(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = Vec::new();
    for letter in word.chars().flat_map(char::to_lowercase) {
        let letter = match letter {
            'а' | 'á' | 'à' | 'â' | 'ã' | 'ä' => 'a',
            'б' => 'b',
            'в' | 'w' => 'v',
            'г' | 'х' | 'h' => 'g',
            'д' => 'd',
            'е' | 'ё' | 'э' | 'é' | 'è' | 'ê' | 'ë' => 'e',
            'з' | 'с' | 'z' => 's',
            'и' | 'й' | 'ы' | 'y' | 'j' | 'í' | 'ì' | 'î' | 'ï' => 'i',
            'к' | 'ц' | 'c' | 'q' | 'ç' => 'k',
            'л' => 'l',
            'м' => 'm',
            'н' | 'ñ' => 'n',
            'о' | 'ó' | 'ò' | 'ô' | 'õ' | 'ö' => 'o',
            'п' => 'p',
            'р' => 'r',
            'т' => 't',
            'у' | 'ú' | 'ù' | 'û' | 'ü' => 'u',
            'ф' => 'f',
            other => other,
        };
        match (letters.last(), letter) {
            (Some('p'), 'g') => {
                letters.pop();
                letters.push('f');
            }
            (Some('t'), 'g') => {}
            (Some(last), letter) if *last == letter => {}
            _ => letters.push(letter),
        }
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_origin_are_cognates() {
        for (noun, word) in [
            ("sprinters", "спринтерш"),
            ("Honduran", "гондурасец"),
            ("cadets", "кадетов"),
            ("Mennonites", "меннонитки"),
            ("quadruplets", "quadruplées"),
            ("Qatari", "qatariens"),
        ] {
            assert!(is_cognate(noun, word, false), "{noun} {word}");
        }
        for (noun, word) in [
            ("passenger", "пациентка"),
            ("worker", "рабочий"),
            ("Jordanian's", "Иордании"),
            ("cook", "cocina"),
            ("nurse", "enfermera"),
        ] {
            assert!(!is_cognate(noun, word, false), "{noun} {word}");
        }
        assert!(is_cognate("Recidivist", "Рецидивистка", true));
    }
}
