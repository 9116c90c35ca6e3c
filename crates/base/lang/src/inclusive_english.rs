//! English words that name both genders of one person: "he or she", "his/her", "(s)he", "s/he".

/// Pronouns by case: masculine, feminine.
const PAIRS: [(&str, &str); 5] = [
    ("he", "she"),
    ("him", "her"),
    ("his", "her"),
    ("his", "hers"),
    ("himself", "herself"),
];

/// The spans, in characters, of every place where an English text names both genders of one person.
pub fn english_pairs(text: &str) -> Vec<(usize, usize)> {
    let characters: Vec<char> = text.chars().collect();
    let mut words: Vec<(usize, usize, String)> = Vec::new();
    let mut place = 0;
    while place < characters.len() {
        let start = place;
        while place < characters.len() && characters[place].is_alphabetic() {
            place += 1;
        }
        if place > start {
            let word: String = characters[start..place].iter().collect();
            words.push((start, place, word.to_lowercase()));
        } else {
            place += 1;
        }
    }
    let gap = |first: usize, second: usize| -> String {
        characters[words[first].1..words[second].0].iter().collect()
    };
    let is_pair = |one: &str, other: &str| {
        let is = |(m, f): &(&str, &str)| one == *m && other == *f || one == *f && other == *m;
        PAIRS.iter().any(is)
    };
    let mut found: Vec<(usize, usize)> = Vec::new();
    for index in 0..words.len() {
        let (start, _, word) = &words[index];
        let slash = |first: usize, second: usize| {
            let gap = gap(first, second);
            matches!(gap.trim(), "/" | "(" | "|" | "-") && gap != " - " || gap == "/"
        };
        if let Some((_, end, next)) = words.get(index + 1) {
            // "(s)he", "s/he"
            let split =
                word == "s" && next == "he" && matches!(gap(index, index + 1).as_str(), ")" | "/");
            if split {
                let start = start.saturating_sub(usize::from(gap(index, index + 1) == ")"));
                found.push((start, *end));
                continue;
            }
            if is_pair(word, next) && slash(index, index + 1) {
                found.push((*start, *end));
                continue;
            }
        }
        if let Some((_, end, last)) = words.get(index + 2) {
            let joins = matches!(words[index + 1].2.as_str(), "or" | "and");
            let close = gap(index, index + 1) == " " && gap(index + 1, index + 2) == " ";
            // "him and her" are two people.
            let one_person = words[index + 1].2 == "or";
            if joins && close && one_person && is_pair(word, last) {
                found.push((*start, *end));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::english_pairs;

    #[test]
    fn both_genders_of_one_person_are_found() {
        for (text, expected) in [
            ("He or she is here.", vec!["He or she"]),
            ("she or he", vec!["she or he"]),
            ("(s)he said", vec!["(s)he"]),
            ("(S)he", vec!["(S)he"]),
            ("s/he", vec!["s/he"]),
            ("he/she and his/her dog", vec!["he/she", "his/her"]),
            ("her/his", vec!["her/his"]),
            ("himself or herself", vec!["himself or herself"]),
            ("him (her)", vec!["him (her"]),
            ("he and she met", vec![]),
            ("she/her", vec![]),
            ("he/him", vec![]),
            ("He said she left.", vec![]),
            ("She, he said, or he", vec![]),
        ] {
            let found: Vec<String> = english_pairs(text)
                .into_iter()
                .map(|(start, end)| text.chars().skip(start).take(end - start).collect())
                .collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
