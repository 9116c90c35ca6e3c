//! Languages and orders of files are told apart, on sentences of our own and on the reference data.

use crate::support::shared;
use std::io::Read;
use std::path::Path;

use epicene_lang::identify::{Finding, identify, knows};
use epicene_lang::pairing::{Pairing, pairing};
use flate2::read::GzDecoder;

fn found(lines: &[&str], claimed: &str) -> Finding {
    identify(lines.iter().copied(), claimed).finding
}

fn other(lines: &[&str], claimed: &str) -> String {
    match found(lines, claimed) {
        Finding::Other(evidence) => evidence.languages(),
        finding => format!("{finding:?}"),
    }
}

const CZECH: [&str; 6] = [
    "Byl jsem velmi unavený, protože jsem celou noc nespal.",
    "Když jsem přišla domů, řekla jsem mu, že nemám čas.",
    "Není to můj problém, ale pomůžu ti.",
    "Vždycky jsem chtěl být učitelem.",
    "Mám ráda svou práci a své kolegy.",
    "Nevím, co se stalo s mým autem.",
];
const SLOVAK: [&str; 6] = [
    "Bol som veľmi unavený, pretože som celú noc nespal.",
    "Keď som prišla domov, povedala som mu, že nemám čas.",
    "Nie je to môj problém, ale pomôžem ti.",
    "Vždy som chcel byť učiteľom.",
    "Mám rada svoju prácu a svojich kolegov.",
    "Neviem, čo sa stalo s mojím autom.",
];
const ENGLISH: [&str; 5] = [
    "I was very tired because I had not slept all night.",
    "When I came home I told him that I had no time.",
    "It is not my problem, but I will help you.",
    "I have always wanted to be a teacher.",
    "I like my work and my colleagues.",
];

#[test]
fn close_languages_are_told_apart_and_evidence_is_given() {
    assert_eq!(found(&SLOVAK, "sk"), Finding::Agrees);
    assert_eq!(found(&CZECH, "cs"), Finding::Agrees);
    assert_eq!(other(&CZECH, "sk"), "Czech");
    assert_eq!(other(&SLOVAK, "cs"), "Slovak");
    assert_eq!(other(&ENGLISH, "sk"), "English");
    let Finding::Other(evidence) = found(&CZECH, "ru") else {
        panic!("Czech is not Russian");
    };
    assert!(evidence.script.is_some_and(|(_, share)| share > 0.99));
    let Finding::Other(evidence) = found(&CZECH, "sk") else {
        panic!("Czech is not Slovak");
    };
    assert!(
        evidence.words.contains(&"jsem".to_owned()),
        "{:?}",
        evidence.words
    );
    assert!(evidence.speak_for >= 5 && evidence.speak_against == 0);
}

#[test]
fn too_little_is_not_enough() {
    assert_eq!(found(&CZECH[..3], "sk"), Finding::Unchecked);
    assert_eq!(found(&CZECH, "xx"), Finding::Unchecked);
    let names = ["Ana", "Boris", "Klára", "Petr", "Otto"];
    assert_eq!(found(&names, "cs"), Finding::Unclear);
}

/// Croatian, Bosnian and Serbian in Latin letters are one for this purpose; Cyrillic is not Croatian.
#[test]
fn languages_that_files_do_not_tell_apart_are_one() {
    let latin = [
        "Bila sam jako umorna jer nisam spavala.",
        "Kad sam došao kući, rekao sam mu da nemam vremena.",
        "To nije moj problem, ali pomoći ću ti.",
        "Uvijek sam htio biti učitelj.",
        "Ne znam što se dogodilo s mojim autom.",
    ];
    for code in ["hr", "bs", "sr"] {
        assert_eq!(found(&latin, code), Finding::Agrees, "{code}");
    }
    let cyrillic = [
        "Била сам веома уморна јер нисам спавала.",
        "Кад сам дошао кући, рекао сам му да немам времена.",
        "То није мој проблем, али помоћи ћу ти.",
        "Увек сам хтео да будем учитељ.",
        "Не знам шта се десило са мојим колима.",
    ];
    assert_eq!(found(&cyrillic, "sr"), Finding::Agrees);
    assert_eq!(other(&cyrillic, "hr"), "Serbian or Bosnian");
    assert_eq!(other(&latin, "sl"), "Croatian, Bosnian or Serbian");
}

#[test]
fn every_language_with_rules_can_be_told() {
    let judges = epicene_lang::occupation::OccupationJudge::languages();
    for code in judges.into_iter().chain([
        "fa", "fi", "hu", "id", "ja", "ko", "nl", "no", "sv", "ta", "tr", "zh",
    ]) {
        assert!(knows(code), "{code}");
    }
}

fn gest(path: &Path) -> (Vec<String>, Vec<String>) {
    let mut text = String::new();
    let file = std::fs::File::open(path).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    let rows = rows.records().map(|row| row.unwrap());
    rows.map(|row| (row[0].to_owned(), row[1].to_owned()))
        .unzip()
}

/// The published translations, each read as each of the languages.
#[test]
fn published_translations_are_of_their_language_and_in_their_order() {
    let Some(root) = shared::shared("gest/translations") else {
        return;
    };
    let languages = ["be", "cs", "hr", "pl", "ru", "sk", "sl", "sr", "uk"];
    for (system, language) in [
        ("deepl", "sk"),
        ("google_translate", "cs"),
        ("google_translate", "be"),
        ("google_translate", "hr"),
        ("nllb_3b", "uk"),
        ("deepl", "ru"),
        ("deepl", "sl"),
        ("amazon_translate", "sr"),
        ("deepl", "pl"),
    ] {
        let (from, to) = gest(&root.join(system).join(language).join("translations.csv.gz"));
        let from: Vec<&str> = from.iter().map(String::as_str).collect();
        let to: Vec<&str> = to.iter().map(String::as_str).collect();
        for size in [20, 1000] {
            for claimed in languages {
                let finding = found(&to[100..100 + size], claimed);
                let same = claimed == language
                    || ["hr", "sr"].contains(&claimed) && ["hr", "sr"].contains(&language);
                match same {
                    true if claimed == "hr"
                        && matches!(&finding, Finding::Other(e) if e.script.is_some()) => {}
                    true => {
                        assert_eq!(finding, Finding::Agrees, "{system} {language} as {claimed}")
                    }
                    false => assert!(
                        matches!(finding, Finding::Other(_)),
                        "{language} as {claimed}: {finding:?}"
                    ),
                }
            }
        }
        let (s, t) = (&from[100..500], &to[100..500]);
        assert_eq!(
            pairing(s, t, language, &[]),
            Pairing::InOrder,
            "{system} {language}"
        );
        let mut moved = t.to_vec();
        moved.rotate_left(1);
        assert!(
            matches!(
                pairing(s, &moved, language, &[]),
                Pairing::Moved { by: 1, .. }
            ),
            "{system} {language}: {:?}",
            pairing(s, &moved, language, &[])
        );
        moved.reverse();
        assert!(
            matches!(pairing(s, &moved, language, &[]), Pairing::Unrelated { .. }),
            "{system} {language}"
        );
    }
}

/// Generated sentences are as regular when they are moved by a line: words that are known tell.
#[test]
fn a_generated_set_moved_by_a_line_is_found_out() {
    let (mut english, mut german) = (Vec::new(), Vec::new());
    let kin = [
        ("brother", "Bruder"),
        ("father", "Vater"),
        ("sister", "Schwester"),
        ("mother", "Mutter"),
    ];
    for (job, beruf) in [
        ("editor", "Redakteur"),
        ("nurse", "Pfleger"),
        ("clerk", "Angestellte"),
        ("cook", "Koch"),
    ] {
        for (adjective, wort) in [
            ("tough", "zäher"),
            ("pretty", "hübscher"),
            ("logical", "logischer"),
            ("strong", "starker"),
        ] {
            for (one, other) in kin {
                english.push(format!("The {job} is her {adjective} {one} ."));
                german.push(format!("Der {beruf} ist ihr {wort} {other}."));
            }
        }
    }
    let english: Vec<&str> = english.iter().map(String::as_str).collect();
    let mut german: Vec<&str> = german.iter().map(String::as_str).collect();
    assert_eq!(pairing(&english, &german, "de", &[]), Pairing::InOrder);
    german.rotate_left(1);
    assert!(matches!(
        pairing(&english, &german, "de", &[]),
        Pairing::Moved { by: 1, .. }
    ));
}
