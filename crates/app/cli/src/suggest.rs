//! What somebody may have meant by a name that does not exist.

use epicene_core::Language;

/// How alike two names must be, from 0 to 1.
const ALIKE: f64 = 0.75;

/// The names most like a wrong one, the best first.
pub fn closest<'a>(
    given: &str,
    known: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Vec<&'a str> {
    let given = given.to_lowercase();
    let mut found: Vec<(f64, &str)> = known
        .into_iter()
        .map(|name| (likeness(&given, &name.to_lowercase()), name))
        .filter(|(alike, _)| *alike >= ALIKE)
        .collect();
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    found.truncate(most);
    found.into_iter().map(|(_, name)| name).collect()
}

/// From 0 to 1. Names that begin alike are alike, the more the fewer letters differ.
fn likeness(one: &str, other: &str) -> f64 {
    let beginning = one.chars().zip(other.chars());
    let beginning = beginning.take_while(|(a, b)| a == b).count();
    let family = match beginning {
        4.. => ALIKE + 0.1 / (1 + strsim::levenshtein(one, other)) as f64,
        _ => 0.0,
    };
    strsim::jaro_winkler(one, other).max(family)
}

/// The language that a wrong code means: another code of it, its name, or a name with a slip.
pub fn language(given: &str) -> Option<Language> {
    let plain = given.to_lowercase();
    let is_meant = |language: &Language| {
        let name = language.name().to_lowercase();
        language.three() == plain || name == plain
    };
    let by_tag = || {
        plain
            .contains(['-', '_'])
            .then(|| Language::closest(&plain))
            .flatten()
    };
    let by_slip = || {
        let names: Vec<&str> = Language::all().map(Language::name).collect();
        let name = *closest(given, names, 1)
            .first()
            .filter(|_| given.len() > 3)?;
        Language::all().find(|language| language.name() == name)
    };
    Language::all()
        .find(is_meant)
        .or_else(by_tag)
        .or_else(by_slip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_understood() {
        for (given, code) in [
            ("slovak", Some("sk")),
            ("Slovak", Some("sk")),
            ("slk", Some("sk")),
            ("sk-SK", Some("sk")),
            ("slovk", Some("sk")),
            ("german", Some("de")),
            ("deu", Some("de")),
            ("ukranian", Some("uk")),
            ("xx", None),
            ("q", None),
            ("zzzzzz", None),
        ] {
            assert_eq!(language(given).map(Language::code), code, "{given}");
        }
        let known = ["gest", "winobias", "winomt", "mbe", "stereoset"];
        assert_eq!(closest("winogender", known, 2), ["winobias", "winomt"]);
        assert_eq!(closest("sterioset", known, 1), ["stereoset"]);
        assert!(closest("bleu", known, 2).is_empty());
    }
}
