//! Classes of characters as sacremoses has them stored: Perl's of an old Unicode, in the basic plane, without Chinese characters and
//! Korean syllables, with a few signs of Indian scripts more. As patterns in brackets, to stand alone or in other brackets.

/// Letters that were none when the classes were stored.
const LATER: &str = r"[\x{363}-\x{36F}\x{F82}\x{F83}\x{1063}\x{1064}\x{1069}-\x{106D}\x{1087}-\x{108D}\x{108F}\x{109A}\x{109B}\x{1C36}\x{1DD3}-\x{1DE6}\x{A802}\x{A80B}\x{A9E5}\x{AA7B}-\x{AA7D}]";

/// Viramas and nuktas, which join letters, and two marks that were letters once.
const JOINING: &str = r"\x{93C}\x{94D}\x{9BC}\x{9CD}\x{A3C}\x{A4D}\x{ABC}\x{ACD}\x{AFD}-\x{AFF}\x{B3C}\x{B4D}\x{BCD}\x{C4D}\x{CBC}\x{CCD}\x{D3B}\x{D3C}\x{D4D}\x{DCA}\x{EBA}\x{1039}\x{135F}\x{1714}\x{1BAB}\x{1C37}\x{25CC}\x{A8C4}\x{A953}\x{AAF6}\x{10A3F}\x{11046}\x{110B9}\x{110BA}\x{11133}\x{11173}\x{111C0}\x{111CA}\x{11235}\x{11236}\x{112E9}\x{112EA}\x{1133C}\x{1134D}\x{11442}\x{11446}\x{114C2}\x{114C3}\x{115BF}\x{115C0}\x{1163F}\x{116B6}\x{116B7}\x{11839}\x{1183A}\x{119E0}\x{11A34}\x{11C3F}\x{11D42}\x{11D45}\x{11D97}\x{1E94A}";

/// Numbers of any kind. (The stored class has the line end too, which no text has by then.)
pub const NUMBER: &str = r"[\p{N}&&\p{age:7.0}&&[\x{0}-\x{FFFF}]--\p{Han}]";

pub const LOWER: &str = r"[[\p{Lowercase}&&\p{age:9.0}--[\x{10D0}-\x{10FF}]]\x{25CC}]";

/// What is joined to letters in Korean.
pub const HANGUL: &str = r"\p{scx:Hangul}";

/// White space as Python has it.
pub const SPACE: &str = r"[\s\x{1C}-\x{1F}]";

/// Letters.
pub fn alpha(more: &str) -> String {
    stored(r"\p{Alphabetic}", more)
}

/// Letters and digits.
pub fn alnum(more: &str) -> String {
    stored(r"[\p{Alphabetic}\p{Nd}]", more)
}

fn stored(property: &str, more: &str) -> String {
    format!(
        r"[[{property}&&\p{{age:7.0}}&&[\x{{0}}-\x{{FFFF}}]--\p{{Han}}--[\x{{AC00}}-\x{{D7A3}}]--{LATER}]{JOINING}{more}]"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use regex::Regex;
    use serde_json::Value;

    /// Every character is in the classes that sacremoses, or Python, has it in (tools/reference/moses_data.py).
    #[test]
    fn classes_are_those_of_sacremoses() {
        let golden: Value =
            serde_json::from_str(include_str!("../../../../engine/tests/moses/classes.json"))
                .unwrap();
        let has = |class: &str, letter: char| {
            let ranges = golden[class].as_array().unwrap();
            let code = u64::from(u32::from(letter));
            let bound = |range: &Value, side: usize| range[side].as_u64().unwrap();
            let at = ranges.partition_point(|range| bound(range, 1) < code);
            ranges.get(at).is_some_and(|range| bound(range, 0) <= code)
        };
        for (class, pattern) in [
            ("alnum", alnum("")),
            ("alpha", alpha("")),
            ("number", NUMBER.to_owned()),
            ("lower", LOWER.to_owned()),
            ("hangul", HANGUL.to_owned()),
            ("space", SPACE.to_owned()),
            ("unprinted", r"\p{C}".to_owned()),
            ("accent", r"\p{Mn}".to_owned()),
        ] {
            let pattern = Regex::new(&pattern).unwrap();
            for letter in (0..=0x10FFFF).filter_map(char::from_u32) {
                let ours = pattern.is_match(letter.encode_utf8(&mut [0; 4]));
                // Python 3.11 does not know characters of Unicode 15 and later; one sign changed since.
                let later = matches!(class, "unprinted" | "accent")
                    && (has("unassigned", letter) || letter == '\u{1171e}');
                let line_end = class == "number" && letter == '\n';
                if !later && !line_end {
                    assert_eq!(ours, has(class, letter), "{class}: {letter:?}");
                }
                if class == "space" {
                    assert_eq!(ours, super::super::placed::is_space(letter));
                }
            }
        }
    }
}
