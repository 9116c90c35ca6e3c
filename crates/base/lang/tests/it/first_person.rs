//! The first-person detector on sentences written for it, and what must hold for any text.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use epicene_core::{Finding, Language};
use epicene_lang::first_person::{Detector, Mode};
use epicene_lang::{Gender, Verdict};
use proptest::prelude::*;

struct Fixture {
    line: usize,
    published: char,
    extended: char,
    rule: String,
    text: String,
}

fn fixtures(language: Language) -> Vec<Fixture> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let file = fs::read_to_string(folder.join(format!("{language}.tsv"))).expect("fixture file");
    let letter = |field: &str| field.chars().next().expect("a verdict");
    file.lines()
        .enumerate()
        .filter(|(_, line)| !line.starts_with('#'))
        .map(|(number, line)| {
            let fields: Vec<&str> = line.split('\t').collect();
            assert_eq!(fields.len(), 4, "{language}.tsv:{}", number + 1);
            Fixture {
                line: number + 1,
                published: letter(fields[0]),
                extended: letter(fields[1]),
                rule: fields[2].to_owned(),
                text: fields[3].to_owned(),
            }
        })
        .collect()
}

/// The languages with a published list; the others are read strictly in every mode.
fn published() -> impl Iterator<Item = Language> {
    let mut languages = Detector::languages().into_iter();
    std::iter::from_fn(move || {
        languages.find(|&language| {
            Detector::of(language, Mode::Published)
                .expect("a judge")
                .mode()
                == Mode::Published
        })
    })
}

fn letter(verdict: &Verdict) -> char {
    verdict.gender().map_or('u', Gender::letter)
}

#[test]
fn fixtures_get_their_verdicts() {
    let mut faults = Vec::new();
    for language in published() {
        let published = Detector::of(language, Mode::Published).unwrap();
        let extended = Detector::of(language, Mode::Extended).unwrap();
        for fixture in fixtures(language) {
            let (narrow, wide) = (
                published.judge(&fixture.text),
                extended.judge(&fixture.text),
            );
            let rule = if wide.rule.is_empty() { "-" } else { wide.rule };
            let found = (letter(&narrow), letter(&wide), rule);
            let wanted = (fixture.published, fixture.extended, fixture.rule.as_str());
            if found != wanted {
                faults.push(format!(
                    "{language}.tsv:{}: {found:?}: {}",
                    fixture.line, fixture.text
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Lines of `strict/<code>.tsv`: verdict, rule, text.
#[test]
fn strict_fixtures_get_their_verdicts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/strict");
    let mut faults = Vec::new();
    for language in Detector::languages() {
        let file = fs::read_to_string(folder.join(format!("{language}.tsv"))).expect("fixtures");
        let mut counts = [0; 3];
        let strict = Detector::of(language, Mode::Strict).unwrap();
        for (number, line) in file.lines().enumerate() {
            if line.starts_with('#') {
                continue;
            }
            let fields: Vec<&str> = line.split('\t').collect();
            let [wanted, rule, text] = fields[..] else {
                faults.push(format!("{language}.tsv:{}: not three fields", number + 1));
                continue;
            };
            let place = "mfu".find(wanted).expect("m, f or u");
            counts[place] += 1;
            let verdict = strict.judge(text);
            let found = letter(&verdict).to_string();
            let decided = match verdict.rule {
                "" => "-",
                rule => rule,
            };
            if (found.as_str(), decided) != (wanted, rule) {
                faults.push(format!(
                    "strict/{language}.tsv:{}: {found} {decided}: {text}",
                    number + 1
                ));
            }
        }
        assert!(
            counts.iter().all(|&count| count >= 12) && counts.iter().sum::<usize>() >= 60,
            "strict/{language}.tsv: too few fixtures: {counts:?}"
        );
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_language_has_enough_fixtures_of_each_kind() {
    for language in published() {
        let fixtures = fixtures(language);
        assert!(
            fixtures.len() >= 60,
            "{language}: {} fixtures",
            fixtures.len()
        );
        for verdict in ['m', 'f', 'u'] {
            let count = fixtures
                .iter()
                .filter(|fixture| fixture.published == verdict)
                .count();
            assert!(count >= 15, "{language}: {count} fixtures are {verdict}");
        }
        let distinct: BTreeSet<&str> = fixtures
            .iter()
            .map(|fixture| fixture.text.as_str())
            .collect();
        assert_eq!(
            distinct.len(),
            fixtures.len(),
            "{language}: repeated fixtures"
        );
    }
}

#[test]
fn languages_without_a_published_list_have_enough_strict_fixtures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/strict");
    let published: Vec<Language> = published().collect();
    for language in Detector::languages()
        .into_iter()
        .filter(|language| !published.contains(language))
    {
        let file = fs::read_to_string(folder.join(format!("{language}.tsv"))).expect("fixtures");
        let lines: Vec<&str> = file.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(lines.len() >= 80, "{language}: {} fixtures", lines.len());
        for verdict in ["m\t", "f\t", "u\t"] {
            let count = lines
                .iter()
                .filter(|line| line.starts_with(verdict))
                .count();
            assert!(count >= 25, "{language}: {count} fixtures are {verdict}");
        }
        let distinct: BTreeSet<&str> = lines.iter().copied().collect();
        assert_eq!(distinct.len(), lines.len(), "{language}: repeated fixtures");
    }
}

#[test]
fn extended_only_adds() {
    for language in published() {
        for fixture in fixtures(language) {
            let same = fixture.published == fixture.extended || fixture.published == 'u';
            assert!(same, "{language}.tsv:{}", fixture.line);
        }
    }
}

/// The registry's languages that have no judge of the first person have none, whatever the mode.
#[test]
fn a_language_without_a_judge_has_none() {
    let german = Language::find("de").unwrap();
    assert!(Detector::of(german, Mode::Strict).is_none());
    let codes: Vec<&str> = Detector::languages().iter().map(|one| one.code()).collect();
    let published = ["be", "ru", "uk", "hr", "sl", "sr", "cs", "pl", "sk", "bg"];
    assert_eq!(codes[..10], published);
    assert_eq!(codes.len(), codes.iter().collect::<BTreeSet<_>>().len());
}

#[test]
fn a_detector_is_shared_between_threads() {
    fn shared<T: Send + Sync + Copy>(_: T) {}
    shared(Detector::of(Language::find("pl").unwrap(), Mode::Published).unwrap());
}

#[test]
fn a_line_without_end_is_judged_in_little_time() {
    let started = std::time::Instant::now();
    for language in Detector::languages() {
        let detector = Detector::of(language, Mode::Extended).unwrap();
        for piece in [
            "som sam sem jsem я съм ",
            "я, ",
            "a.",
            ".",
            "\n",
            "som bola a ",
        ] {
            detector.judge(&piece.repeat(100_000));
        }
    }
    assert!(started.elapsed().as_secs() < 30);
}

#[test]
fn serbian_reads_both_scripts_alike() {
    for mode in [Mode::Published, Mode::Extended] {
        let detector = Detector::of(Language::find("sr").unwrap(), mode).unwrap();
        for fixture in fixtures(Language::find("sr").unwrap()) {
            let cyrillic = detector.judge(&to_cyrillic(&fixture.text));
            let original = detector.judge(&fixture.text);
            assert_eq!(
                (cyrillic.gender(), cyrillic.rule),
                (original.gender(), original.rule),
                "{}",
                fixture.text
            );
        }
    }
}

#[test]
fn decomposed_accents_are_read_as_composed() {
    let czech = Detector::of(Language::find("cs").unwrap(), Mode::Published).unwrap();
    let verdict = czech.judge("Ra\u{301}da vari\u{30c}m.");
    assert_eq!((letter(&verdict), verdict.rule), ('f', "pair(rád, ráda)"));
    assert_eq!((verdict.evidence[0].start, verdict.evidence[0].end), (0, 5));
}

#[test]
fn stress_marks_and_soft_hyphens_do_not_hide_a_word() {
    let russian = Detector::of(Language::find("ru").unwrap(), Mode::Published).unwrap();
    assert_eq!(letter(&russian.judge("Я уста\u{301}ла.")), 'f');
    assert_eq!(letter(&russian.judge("Я уста\u{ad}ла.")), 'f');
}

#[test]
fn capitals_change_nothing() {
    for language in published() {
        let detector = Detector::of(language, Mode::Published).unwrap();
        for fixture in fixtures(language) {
            // One sentence only, since capitals also mark where a sentence begins; an acronym
            // ("BiH") is told from a word by its capitals.
            let sentences = fixture
                .text
                .trim_end_matches(['.', '!', '?', '“', '«'])
                .matches(['.', '?'])
                .count();
            if sentences > 0 || fixture.text.contains("BiH") || fixture.text.contains("БиХ") {
                continue;
            }
            let verdict = detector.judge(&fixture.text.to_uppercase());
            assert_eq!(
                letter(&verdict),
                fixture.published,
                "{language}.tsv:{}",
                fixture.line
            );
        }
    }
}

/// Serbian Latin in Cyrillic; the digraphs are one letter each.
fn to_cyrillic(text: &str) -> String {
    let pairs = [
        ("lj", 'љ'),
        ("nj", 'њ'),
        ("dž", 'џ'),
        ("Lj", 'Љ'),
        ("Nj", 'Њ'),
        ("Dž", 'Џ'),
    ];
    let latin = "abvgdđežzijklmnoprstćufhcčšABVGDĐEŽZIJKLMNOPRSTĆUFHCČŠ";
    let cyrillic = "абвгдђежзијклмнопрстћуфхцчшАБВГДЂЕЖЗИЈКЛМНОПРСТЋУФХЦЧШ";
    let mut text = text.to_owned();
    for (digraph, letter) in pairs {
        text = text.replace(digraph, &letter.to_string());
    }
    let swap = |letter: char| {
        let place = latin.chars().position(|known| known == letter);
        place
            .and_then(|place| cyrillic.chars().nth(place))
            .unwrap_or(letter)
    };
    text.chars().map(swap).collect()
}

/// Words that make the rules run, mixed with anything at all.
fn text() -> impl Strategy<Value = String> {
    let words = [
        "som",
        "jsem",
        "sam",
        "sem",
        "bych",
        "bih",
        "bi",
        "я",
        "Я",
        "съм",
        "gdybym",
        "soy",
        "me",
        "j'",
        "suis",
        "mi",
        "sono",
        "estava",
        "era",
        "síntome",
        "m-am",
        "είμαι",
        "μόνη",
        "sola",
        "stanca",
        "cansado/a",
        "una",
        "que",
        "czuję",
        "быть",
        "byť",
        "bola",
        "byla",
        "bila",
        "была",
        "robil",
        "robila",
        "сделала",
        "зробив",
        "rád",
        "rada",
        "sama",
        "один",
        "dobrý",
        "dobrá",
        "učiteľ",
        "žena",
        "в",
        "v",
        "na",
        "a",
        "i",
        "и",
        ",",
        ".",
        "-",
        "\"",
        "že",
        "da",
        "что",
        "aš",
        "esu",
        "eidama",
        "laimingas",
        "vienas",
        "kaip",
        "mokytoja",
        "esmu",
        "bijis",
        "אני",
        "עייפה",
        "כותב",
        "להיות",
        "أنا",
        "كنت",
        "سعيدة",
        "मैं",
        "हूँ",
        "गया",
        "जाऊँगी",
        "сум",
        "уморна",
    ];
    let piece = prop_oneof![3 => prop::sample::select(words.to_vec()).prop_map(str::to_owned), 1 => any::<String>()];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.join(" "))
}

proptest! {
    #[test]
    fn any_text_is_judged_and_evidence_points_at_it(text in text()) {
        for language in Detector::languages() {
            for mode in [Mode::Published, Mode::Extended, Mode::Strict] {
                let verdict = Detector::of(language, mode).unwrap().judge(&text);
                // Words that show both genders are evidence, too, though of none.
                let both = verdict.finding == Finding::Both;
                let shows = verdict.gender().is_some() || both || verdict.rule == "both";
                prop_assert_eq!(shows, !verdict.evidence.is_empty());
                prop_assert_eq!(shows, !verdict.rule.is_empty());
                for span in &verdict.evidence {
                    prop_assert!(span.start < span.end && span.end as usize <= text.chars().count());
                    // "Byl / byla" is one word.
                    prop_assert!(both || verdict.rule == "both" || !span.of(&text).contains(' '));
                }
                prop_assert!(verdict.evidence.windows(2).all(|pair| pair[0].end <= pair[1].start));
            }
        }
    }

    // Without q, w, x and y: Serbian does not have them, so they stay Latin in the Cyrillic text.
    #[test]
    fn serbian_verdicts_do_not_depend_on_the_script(text in "[a-pr-vzčćđšž ,.]{0,80}", tail in 0usize..60) {
        let fixtures = fixtures(Language::find("sr").unwrap());
        let text = format!("{text} {}", fixtures[tail % fixtures.len()].text);
        let detector = Detector::of(Language::find("sr").unwrap(), Mode::Extended).unwrap();
        let (latin, cyrillic) = (detector.judge(&text), detector.judge(&to_cyrillic(&text)));
        prop_assert_eq!((latin.gender(), latin.rule), (cyrillic.gender(), cyrillic.rule));
    }

    #[test]
    fn what_follows_the_first_sentence_changes_nothing(rest in any::<String>(), place in 0usize..600) {
        let languages: Vec<Language> = published().collect();
        let language = languages[place % languages.len()];
        let fixtures = fixtures(language);
        let text = &fixtures[place % fixtures.len()].text;
        if text.ends_with('.') {
            let detector = Detector::of(language, Mode::Published).unwrap();
            let longer = detector.judge(&format!("{text} Xyz {rest}"));
            prop_assert_eq!(longer, detector.judge(text));
        }
    }
}
