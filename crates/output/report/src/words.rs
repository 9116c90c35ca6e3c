//! Names in rows, for people.

use epicene_core::{Language, Unit};

/// Whether a system is a control whose result is known beforehand.
pub fn is_control(system: &str) -> bool {
    system.starts_with("random:") || system.starts_with("always:")
}

/// Whether a unit stands for all of a system's units.
pub fn is_joint(unit: &str) -> bool {
    unit == "all"
}

/// A unit for people: `template 3`, `into Slovak`.
pub fn unit(unit: &str) -> String {
    if is_joint(unit) {
        return "overall".to_owned();
    }
    let part = |part: &str| match Unit::language_code(part) {
        Some(code) => match Language::find(code) {
            Some(language) => format!("into {}", language.name()),
            None => format!("into {code}"),
        },
        None => part.replacen(':', " ", 1),
    };
    let parts: Vec<String> = unit.split('+').map(part).collect();
    parts.join(", ")
}

/// A unit where there is little room: `sk`, `template 3`.
pub fn short_unit(unit: &str) -> String {
    Unit::language_code(unit).map_or_else(|| unit.replace(':', " "), str::to_owned)
}

/// A system in a unit: `deepl into Slovak`; a system by itself where the unit stands for all.
pub fn contestant(system: &str, name: &str) -> String {
    if is_joint(name) {
        system.to_owned()
    } else {
        format!("{system} {}", unit(name))
    }
}

/// The text with a capital letter at its beginning.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// A number of things: `1 item`, `2 items`, `1,536 answers`.
pub fn count(number: usize, thing: &str) -> String {
    let shown = grouped(number);
    match number {
        1 => format!("{shown} {thing}"),
        _ => format!("{shown} {thing}s"),
    }
}

/// `1,536`
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_counts_read_as_words() {
        assert_eq!(unit("lang:sk"), "into Slovak");
        assert_eq!(unit("prompt:2+order:ba"), "prompt 2, order ba");
        assert_eq!(contestant("x", "all"), "x");
        assert_eq!(contestant("x", "lang:qq"), "x into qq");
        assert_eq!(count(1, "item"), "1 item");
        assert_eq!(count(1_800_000, "item"), "1,800,000 items");
        assert_eq!(count(100, "system"), "100 systems");
    }
}
