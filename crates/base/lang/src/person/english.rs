//! The English noun as callers give it: what it is looked up by, and its number.

use super::lexicon::Number;

/// Names to look a noun up by, the best first, and the number its form shows.
pub(crate) struct English {
    pub(crate) names: Vec<String>,
    pub(crate) number: Number,
    /// Written with a capital letter.
    pub(crate) capital: bool,
}

/// Plurals that no rule makes, with their singulars.
const IRREGULAR: &[(&str, &str)] = &[
    ("men", "man"),
    ("women", "woman"),
    ("children", "child"),
    ("people", "person"),
    ("wives", "wife"),
    ("housewives", "housewife"),
    ("midwives", "midwife"),
    ("thieves", "thief"),
    ("alumni", "alumnus"),
    ("alumnae", "alumna"),
    ("kids", "kid"),
];

/// Words in -s that are singular; so are those in -ss and -us.
const SINGULAR: &[&str] = &["his", "boss", "chaos", "swiss", "series"];

/// Nouns for a man or a woman alone: beside each other they are two people, not two forms ("a brother or sister").
const OF_ONE_GENDER: &[&str] = &[
    "actress",
    "aunt",
    "boy",
    "boyfriend",
    "bride",
    "bridegroom",
    "brother",
    "businessman",
    "businesswoman",
    "dad",
    "daughter",
    "duchess",
    "duke",
    "father",
    "gentleman",
    "girl",
    "girlfriend",
    "grandfather",
    "grandmother",
    "groom",
    "heroine",
    "hostess",
    "husband",
    "king",
    "lady",
    "lord",
    "male",
    "female",
    "man",
    "mom",
    "monk",
    "mother",
    "mum",
    "nephew",
    "niece",
    "nun",
    "policeman",
    "policewoman",
    "prince",
    "princess",
    "queen",
    "sister",
    "son",
    "stepfather",
    "stepmother",
    "uncle",
    "waitress",
    "widow",
    "widower",
    "wife",
    "woman",
];

/// Nouns for groups and institutions: no gender of their translation is a person's.
const GROUPS: &[&str] = &[
    "administration",
    "agency",
    "army",
    "assembly",
    "association",
    "audience",
    "authority",
    "band",
    "bank",
    "board",
    "brigade",
    "bureau",
    "cabinet",
    "choir",
    "church",
    "class",
    "clergy",
    "club",
    "commission",
    "committee",
    "community",
    "company",
    "congress",
    "council",
    "court",
    "crew",
    "crowd",
    "delegation",
    "department",
    "electorate",
    "embassy",
    "ensemble",
    "faculty",
    "family",
    "firm",
    "fleet",
    "gang",
    "government",
    "group",
    "household",
    "jury",
    "leadership",
    "management",
    "ministry",
    "municipality",
    "navy",
    "office",
    "opposition",
    "orchestra",
    "organisation",
    "organization",
    "panel",
    "parliament",
    "party",
    "personnel",
    "police",
    "population",
    "press",
    "prosecution",
    "public",
    "senate",
    "society",
    "squad",
    "staff",
    "team",
    "tribunal",
    "union",
    "workforce",
];

const SPELLINGS: &[(&str, &str)] = &[
    ("adviser", "advisor"),
    ("chief executive officer", "ceo"),
    ("counsellor", "counselor"),
    ("dietician", "dietitian"),
    ("fire fighter", "firefighter"),
    ("labourer", "laborer"),
    ("salesman", "salesperson"),
    ("salespeople", "salesperson"),
    ("saleswoman", "salesperson"),
    ("vet", "veterinarian"),
];

impl English {
    pub(crate) fn new(given: &str) -> English {
        // Most nouns are one word in lower case that is no plural.
        let plain = given.bytes().all(|letter| letter.is_ascii_lowercase())
            && !given.ends_with(['s', 'n', 'e', 'i'])
            && !given.is_empty();
        if plain {
            let mut names = vec![given.to_owned()];
            let usual = usual_spelling(given);
            if usual != given {
                names.push(usual.to_owned());
            }
            return English {
                names,
                number: Number::SINGULAR,
                capital: false,
            };
        }
        let lower = given.trim().to_lowercase();
        let bare = without_article(&lower)
            .trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '\'');
        let bare = bare
            .strip_suffix("'s")
            .or_else(|| bare.strip_suffix("’s"))
            .unwrap_or(bare)
            .trim_end_matches(['\'', '’'])
            .trim();
        let mut english = English {
            names: Vec::with_capacity(4),
            number: Number::EITHER,
            capital: given.trim().starts_with(char::is_uppercase),
        };
        if bare.is_empty() {
            return english;
        }
        english.add(bare);
        let singular = singular(bare);
        english.number = match &singular {
            Some(_) => Number::PLURAL,
            None => Number::SINGULAR,
        };
        if let Some(singular) = &singular {
            english.add(singular);
        }
        let whole = singular.as_deref().unwrap_or(bare);
        if let Some((first, rest)) = whole.split_once(' ') {
            // "drug dealer" has its head last, "director general" first.
            english.add(rest.rsplit(' ').next().unwrap_or(rest));
            if let Some(one) = self::singular(first) {
                english.number = Number::PLURAL;
                english.add(&one);
            }
            english.add(first);
        }
        english
    }

    /// Whether the noun itself says a gender.
    pub(crate) fn is_of_one_gender(&self) -> bool {
        let mut names = self.names.iter();
        names.any(|name| OF_ONE_GENDER.contains(&name.as_str()))
    }

    /// Whether the noun names a group: by its head, which comes last ("police officer" is none).
    pub(crate) fn is_of_group(&self) -> bool {
        let mut names = self.names.iter().take(2);
        names.any(|name| {
            let head = name.rsplit(' ').next().unwrap_or(name);
            GROUPS.contains(&head)
        })
    }

    fn add(&mut self, name: &str) {
        for name in [name, usual_spelling(name)] {
            if !self.names.iter().any(|known| known == name) {
                self.names.push(name.to_owned());
            }
        }
    }
}

/// The noun without "the", "a" or "an".
pub(crate) fn without_article(noun: &str) -> &str {
    let mut articles = ["the ", "an ", "a "].iter();
    articles
        .find_map(|article| noun.strip_prefix(article))
        .unwrap_or(noun)
}

/// The spelling the lexicons have.
pub(crate) fn usual_spelling(noun: &str) -> &str {
    let found = SPELLINGS.iter().find(|(known, _)| *known == noun);
    found.map_or(noun, |(_, usual)| usual)
}

/// The singular of a plural, `None` of what is no plural.
fn singular(noun: &str) -> Option<String> {
    let (before, last) = match noun.rfind([' ', '-']) {
        Some(at) => noun.split_at(at + 1),
        None => ("", noun),
    };
    if let Some((_, one)) = IRREGULAR.iter().find(|(many, _)| *many == last) {
        return Some(format!("{before}{one}"));
    }
    if let Some(stem) = last.strip_suffix("men").filter(|stem| stem.len() > 2) {
        return Some(format!("{before}{stem}man"));
    }
    if let Some(stem) = last.strip_suffix("people").filter(|stem| !stem.is_empty()) {
        return Some(format!("{before}{stem}person"));
    }
    let one = last.strip_suffix('s')?;
    if SINGULAR.contains(&last) || one.ends_with(['s', 'u', 'i']) || one.len() < 2 {
        return None;
    }
    if let Some(stem) = last.strip_suffix("ies").filter(|stem| stem.len() > 2) {
        let ie = ["cookie", "rookie", "zombie", "newbie", "junkie", "hippie"];
        let kept = ie.contains(&one);
        return Some(if kept {
            format!("{before}{one}")
        } else {
            format!("{before}{stem}y")
        });
    }
    for hissing in ["sses", "shes", "ches", "xes", "zes"] {
        if last.ends_with(hissing) {
            return Some(format!("{before}{}", &last[..last.len() - 2]));
        }
    }
    if let Some(stem) = last.strip_suffix("oes") {
        return Some(format!("{before}{stem}o"));
    }
    Some(format!("{before}{one}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_are_known_in_any_form() {
        for (given, name, number) in [
            ("The lawyer", "lawyer", Number::SINGULAR),
            ("lawyers", "lawyer", Number::PLURAL),
            ("nannies", "nanny", Number::PLURAL),
            ("firemen", "fireman", Number::PLURAL),
            ("salespeople", "salesperson", Number::PLURAL),
            ("wife's", "wife", Number::SINGULAR),
            ("wives", "wife", Number::PLURAL),
            ("bosses", "boss", Number::PLURAL),
            ("boss", "boss", Number::SINGULAR),
            ("police officers", "officer", Number::PLURAL),
            ("directors general", "director", Number::PLURAL),
            ("witness", "witness", Number::SINGULAR),
            ("witnesses", "witness", Number::PLURAL),
            ("heroes", "hero", Number::PLURAL),
            ("vets", "veterinarian", Number::PLURAL),
        ] {
            let english = English::new(given);
            assert_eq!(english.number, number, "{given}");
            assert!(english.names.iter().any(|known| known == name), "{given}");
        }
        assert!(English::new("").names.is_empty());
    }
}
