//! WiBeMT, WinoMT and word scores through the command line.

use std::io::Read;
use std::path::Path;

use crate::support::{Rows, lines, refuse, run, shared, succeed};
use serde_json::Value;

fn unpacked(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap();
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(bytes.as_slice())
        .read_to_string(&mut text)
        .unwrap();
    text
}

#[test]
fn generated_sets_have_the_papers_sizes() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let verbs = succeed(&["generate", "wibemt", "--part", "verb"], here);
    assert_eq!(verbs.lines().count(), 4158);
    let count = succeed(&["generate", "wibemt", "--part", "verb", "--count"], here);
    assert_eq!(count, "4158\n");
    let error = refuse(&["generate", "wibemt", "--part", "adjective"], here);
    assert!(error.contains("--winobias DIR"), "{error}");
    if let Some(winobias) = shared("winobias") {
        let winobias = winobias.to_str().unwrap();
        let arguments = [
            "generate",
            "wibemt",
            "--part",
            "adjective",
            "--winobias",
            winobias,
        ];
        let adjectives = succeed(&arguments, here);
        assert_eq!(adjectives.lines().count(), 66_528);
    }
    if let (Some(templates), Some(original)) = (
        shared("wibemt/verb_templates.tsv"),
        shared("wibemt/verb_sentences.tsv.gz"),
    ) {
        let templates = templates.to_str().unwrap();
        let written = succeed(
            &["generate", "wibemt", "--part", "verb", "--data", templates],
            here,
        );
        assert!(written == unpacked(&original));
    }
}

/// The paper's H1 for DeepL, from its translations.
#[test]
fn wibemt_measures_deepl_as_the_paper_does() {
    let (Some(data), Some(sentences)) = (
        shared("wibemt/verb_deepl_categorised.tsv.gz"),
        shared("wibemt/verb_sentences.tsv.gz"),
    ) else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let categorised = unpacked(&data);
    let translations: Vec<&str> = categorised
        .lines()
        .map(|line| line.split('\t').nth(4).unwrap())
        .collect();
    std::fs::write(here.join("deepl.de.txt"), translations.join("\n")).unwrap();
    let sentences = sentences.to_str().unwrap();
    let arguments = |judge: &'static str| {
        vec![
            "run",
            "wibemt",
            "--interval",
            "published",
            "--data",
            sentences,
            "--mt",
            "file:deepl.de.txt",
            "--lang",
            "de",
            "--judge",
            judge,
            "--unresolved",
            "open.tsv",
            "--format",
            "json",
        ]
    };
    let rows = Rows::parse(&succeed(&arguments("default"), here));
    assert_eq!(rows.value("deepl", "lang:de", "all", "unresolved"), 0.0);
    assert_eq!(lines(&here.join("open.tsv")).len(), 1);
    for (group, metric, expected) in [
        ("verb:F", "female", 242.0),
        ("verb:F", "male", 1784.0),
        ("verb:M", "female", 135.0),
        ("verb:M", "male", 1905.0),
        ("third:F", "female", 337.0),
    ] {
        assert_eq!(
            rows.value("deepl", "lang:de", group, metric),
            expected,
            "{group} {metric}"
        );
    }
    assert!((rows.value("deepl", "lang:de", "H1", "chi2") - 33.66).abs() < 0.01);
    assert!(
        rows.1
            .contains("|judge:wibemt-default|list:german-nouns-1|"),
        "{}",
        rows.1
    );

    // The authors' matching leaves one to a person, whose decision is read back.
    let rows = Rows::parse(&succeed(&arguments("published"), here));
    assert_eq!(rows.value("deepl", "lang:de", "all", "unresolved"), 1.0);
    let open = lines(&here.join("open.tsv"));
    assert_eq!(open.len(), 2);
    assert!(open[1].contains("several-classes") && open[1].contains("Tänzerin oder der Tänzer"));
    let decided = open.join("\n").replacen("\t\tdeepl", "\tneutral\tdeepl", 1);
    std::fs::write(here.join("decisions.tsv"), decided).unwrap();
    let mut again = arguments("published");
    again.extend(["--input", "decisions=decisions.tsv"]);
    let rows = Rows::parse(&succeed(&again, here));
    assert_eq!(rows.value("deepl", "lang:de", "all", "unresolved"), 0.0);
    assert_eq!(rows.value("deepl", "lang:de", "part:verb", "neutral"), 53.0);
    std::fs::write(here.join("decisions.tsv"), "id\tlabel\nVF01OccF01\tmaybe\n").unwrap();
    let error = refuse(&again, here);
    assert!(
        error.contains("decisions.tsv, line 2: the label is `maybe`"),
        "{error}"
    );
}

#[test]
fn verdicts_of_wibemt_name_their_words() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let data = "female\t1\tThe sassy nurse ran because she was late.\tThe nurse\tF\tsassy\tF\t00001nuFsaF\n\
                male\t1\tThe cook ran because he was late.\tThe cook\tF\t---\t---\t00002coFNaNa\n\
                female\t1\tThe clerk ran because she was late.\tThe clerk\tN\t---\t---\t00003clNNaNa\n\
                male\t1\tThe CEO ran because he was late.\tThe CEO\tM\t---\t---\t00004CEMNaNa\n";
    std::fs::write(here.join("ewb.tsv"), data).unwrap();
    let translations = "Der freche Krankenpfleger rannte.\nDie Köchin oder der Koch rannte.\n\
                        Die Angestellte rannte.\nSie traf die CEO.\n";
    std::fs::write(here.join("x.de.txt"), translations).unwrap();
    succeed(
        &[
            "run",
            "wibemt",
            "--interval",
            "published",
            "--data",
            "ewb.tsv",
            "--mt",
            "file:x.de.txt",
            "--lang",
            "de",
            "--out",
            "r",
        ],
        here,
    );
    let items = succeed(&["items", "r"], here);
    let found: Vec<(String, String, String)> = items
        .lines()
        .map(|line| {
            let item: Value = serde_json::from_str(line).unwrap();
            let text = |name: &str| item[name].as_str().unwrap().to_owned();
            (text("verdict"), text("outcome"), text("rule"))
        })
        .collect();
    let expected = [
        ("m", "wrong", "list"),
        ("n", "inconclusive", "both-genders"),
        ("f", "correct", "article"),
        ("f", "wrong", "article"),
    ];
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(
            (found.0.as_str(), found.1.as_str(), found.2.as_str()),
            expected
        );
    }
    let error = refuse(
        &[
            "run",
            "wibemt",
            "--interval",
            "published",
            "--data",
            "ewb.tsv",
            "--mt",
            "file:x.de.txt",
            "--lang",
            "ja",
        ],
        here,
    );
    assert!(
        error.contains("does not measure Japanese (`ja`)") && error.contains("use unambiguous"),
        "{error}"
    );
}

#[test]
fn winomt_runs_end_to_end_on_visible_translations() {
    let (Some(data), Some(translations)) = (
        shared("winomt/en_2019.tsv.gz"),
        shared("winomt/translations/google/en-de.txt.gz"),
    ) else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let spec = format!("google=file:{}", translations.display());
    let arguments = [
        "run",
        "winomt",
        "--interval",
        "published",
        "--data",
        data.to_str().unwrap(),
        "--mt",
        &spec,
        "--lang",
        "de",
        "--judge",
        "published",
        "--bootstrap",
        "50",
        "--format",
        "json",
    ];
    let rows = Rows::parse(&succeed(&arguments, directory.path()));
    for (group, metric, expected) in [
        ("all", "acc", 59.4),
        ("all", "f1_male", 66.4),
        ("all", "f1_female", 53.9),
        ("all", "delta_g", 12.5),
        ("all", "delta_s", 12.5),
        ("set:pro", "acc", 69.1),
        ("set:anti", "acc", 56.6),
        ("gold:male", "male", 1497.0),
        ("gold:female", "neutral", 42.0),
    ] {
        assert_eq!(
            rows.value("google", "lang:de", group, metric),
            expected,
            "{group} {metric}"
        );
    }
    assert!(
        rows.1
            .contains("|judge:winomt-published|aligner:fast-align-forward|"),
        "{}",
        rows.1
    );
}

/// The 2019 files by their original names, in a directory, with the halves that define pro and anti.
#[test]
fn winomt_reads_a_directory_and_refuses_what_it_cannot_use() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let data = here.join("winomt");
    std::fs::create_dir(&data).unwrap();
    let anti = "female\t1\tThe farmer ran because she was late.\tfarmer\n";
    let pro = "female\t1\tThe nurse ran because she was late.\tnurse\n";
    std::fs::write(
        data.join("en.txt"),
        format!("{anti}{pro}neutral\t1\tThe guest ran because they were late.\tguest\n"),
    )
    .unwrap();
    std::fs::write(data.join("en_pro.txt"), pro).unwrap();
    std::fs::write(data.join("en_anti.txt"), anti).unwrap();
    let bars = "The farmer ran because she was late. ||| Der Bauer rannte.\n\
                The nurse ran because she was late. ||| Die Krankenschwester rannte.\n\
                The guest ran because they were late. ||| Der Gast rannte.\n";
    std::fs::write(here.join("m.de.txt"), bars).unwrap();
    std::fs::write(
        here.join("links.txt"),
        "0-0 1-1 2-2\n0-0 1-1 2-2\n0-0 1-1 2-2\n",
    )
    .unwrap();
    let arguments = [
        "run",
        "winomt",
        "--interval",
        "published",
        "--data",
        "./winomt",
        "--mt",
        "file:m.de.txt",
        "--lang",
        "de",
        "--input",
        "align:de=links.txt",
        "--format",
        "json",
    ];
    for judge in ["default", "published"] {
        let mut given = arguments.to_vec();
        given.extend(["--judge", judge]);
        let rows = Rows::parse(&succeed(&given, here));
        assert_eq!(
            rows.value("m", "lang:de", "set:pro", "acc"),
            100.0,
            "{judge}"
        );
        assert_eq!(
            rows.value("m", "lang:de", "set:anti", "acc"),
            0.0,
            "{judge}"
        );
        assert_eq!(
            rows.value("m", "lang:de", "all", "delta_s"),
            100.0,
            "{judge}"
        );
        assert!(rows.1.contains("|aligner:given|"), "{}", rows.1);
    }
    std::fs::write(here.join("links.txt"), "0-0\n").unwrap();
    let error = refuse(&arguments, here);
    assert!(
        error.contains("there is 1 line, the data has 3 items"),
        "{error}"
    );
    std::fs::write(here.join("links.txt"), "0-0\n0:1\n0-0\n").unwrap();
    let error = refuse(&arguments, here);
    assert!(error.contains("links.txt, line 2"), "{error}");
    let error = refuse(
        &[
            "run",
            "winomt",
            "--interval",
            "published",
            "--data",
            "./winomt",
            "--mt",
            "file:m.de.txt",
            "--lang",
            "ru",
            "--judge",
            "published",
        ],
        here,
    );
    assert!(error.contains("lexicon:ru=FILE"), "{error}");
    std::fs::write(here.join("bad.txt"), "boy\t1\tThe nurse ran.\tnurse\n").unwrap();
    let error = refuse(
        &[
            "run",
            "winomt",
            "--interval",
            "published",
            "--data",
            "bad.txt",
            "--mt",
            "file:m.de.txt",
            "--lang",
            "de",
        ],
        here,
    );
    assert!(
        error.contains("bad.txt, line 1: the gender is `boy`"),
        "{error}"
    );
}

#[test]
fn the_small_set_of_our_own_works_for_both_benchmarks() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let rows = Rows::parse(&succeed(
        &[
            "run",
            "winobias",
            "--interval",
            "published",
            "--data",
            "epicene-winograd",
            "--model",
            "always:he",
            "--format",
            "json",
        ],
        here,
    ));
    assert!(rows.0.iter().any(|row| row["metric"] == "ghat_s"));
    // 64 lines of one German sentence with a masculine occupation.
    std::fs::write(
        here.join("x.de.txt"),
        "Der Mechaniker rief an.\n".repeat(64),
    )
    .unwrap();
    let rows = Rows::parse(&succeed(
        &[
            "run",
            "winomt",
            "--interval",
            "published",
            "--data",
            "epicene-winograd",
            "--mt",
            "file:x.de.txt",
            "--lang",
            "de",
            "--format",
            "json",
        ],
        here,
    ));
    assert_eq!(rows.row("x", "lang:de", "all", "acc")["n"], 64);
}

#[test]
fn wordscore_gives_the_toy_scores_and_says_what_is_wrong() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    if let Some(data) = shared("wibemt") {
        let expected: Value = serde_json::from_str(
            &std::fs::read_to_string(data.join("toy_embeddings/expected.json")).unwrap(),
        )
        .unwrap();
        let words: Vec<&str> = expected["targets"]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word.as_str().unwrap())
            .collect();
        std::fs::write(here.join("words.txt"), words.join("\n")).unwrap();
        let file = |name: &str| data.join(name).display().to_string();
        let vectors = ["ft_small", "ft_large", "glove_small", "glove_large"]
            .map(|name| file(&format!("toy_embeddings/{name}.vec")));
        let (feminine, masculine) = (
            file("gender_words_feminine.txt"),
            file("gender_words_masculine.txt"),
        );
        let mut arguments = vec![
            "wordscore",
            "--words",
            "words.txt",
            "--gender-words",
            &feminine,
            &masculine,
        ];
        for path in &vectors {
            arguments.extend(["--vectors", path]);
        }
        let table = succeed(&arguments, here);
        let mut rows = table.lines();
        assert!(
            rows.next()
                .unwrap()
                .starts_with("rank\tword\tscore\tcomplete\tvalues\tft_small/pronouns\t")
        );
        let mut count = 0;
        for row in rows {
            let cells: Vec<&str> = row.split('\t').collect();
            let word = &expected["expected"][cells[1]];
            let score: f64 = cells[2].parse().unwrap();
            assert!(
                (score - word["score"].as_f64().unwrap()).abs() < 2e-5,
                "{row}"
            );
            assert_eq!(cells[3] == "yes", word["complete"].as_bool().unwrap());
            count += 1;
        }
        assert_eq!(count, words.len());
        arguments.extend(["--aggregate", "sum", "--incomplete", "incomplete.tsv"]);
        let sums = succeed(&arguments, here);
        assert_eq!(
            sums.lines().count() + lines(&here.join("incomplete.tsv")).len(),
            words.len() + 2
        );
    }
    std::fs::write(here.join("w.txt"), "nurse\ncook\ndriver\nbaker\nnurse\n").unwrap();
    let vectors = "he 1 0\nshe 0 1\nhis 1 0.1\nher 0 1\nnurse 0.1 2\ncook 1 0.4\nbaker 0.5 1\ndriver 1 0\nnurse 5 5\n";
    std::fs::write(here.join("v.txt"), vectors).unwrap();
    let arguments = [
        "wordscore",
        "--vectors",
        "v.txt",
        "--words",
        "w.txt",
        "--scatter",
        "s.csv",
    ];
    let (code, table, said) = run(&arguments, here);
    assert_eq!(code, 0, "{said}");
    assert!(table.contains("\n1\tnurse\t-1\tyes\t2\t"), "{table}");
    assert!(
        said.contains("1 word is there more than once, the first is kept: nurse"),
        "{said}"
    );
    assert!(
        said.contains("1 word is in the list more than once"),
        "{said}"
    );
    assert!(said.contains("share of women: Pearson r = -"), "{said}");
    assert_eq!(lines(&here.join("s.csv"))[0], "word,score,percent_women");
    for (bad, complaint) in [
        (
            "he 1 0\nshe 0\n",
            "v.txt, line 2: there are 1 numbers, expected 2",
        ),
        (
            "he 1 0\nit NaN 1\n",
            "line 2: number 1 of `it` is not finite",
        ),
        ("he 1 0\nhis 1 0\nher 0 1\n", "there is no vector for `she`"),
        (
            "9 2\nhe 1 0\nshe 0 1\n",
            "the header says 9 words, there are 2",
        ),
    ] {
        std::fs::write(here.join("v.txt"), bad).unwrap();
        let error = refuse(&arguments, here);
        assert!(error.contains(complaint), "{error}");
    }
}

/// Links that lead elsewhere than to the person: the default judge takes the noun's translation nearby, and signs that.
#[test]
fn links_that_are_not_followed_are_signed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    std::fs::write(
        path.join("en.txt"),
        "female\t1\tThe doctor slept .\tdoctor\n",
    )
    .unwrap();
    std::fs::write(path.join("de.txt"), "Die Ärztin schlief .\n").unwrap();
    for (link, signed) in [
        ("1-1", "|aligner:given|"),
        ("1-2", "|aligner:given+nearby|"),
    ] {
        std::fs::write(path.join("links"), format!("{link}\n")).unwrap();
        let command = "run winomt --data en.txt --mt m=file:de.txt --lang de --input align:de=links --fresh --out r --format json";
        let words: Vec<&str> = command.split(' ').collect();
        let rows = Rows::parse(&succeed(&words, path));
        assert!(rows.1.contains(signed), "{link}: {}", rows.1);
    }
}

/// Occupations of one's own, scored as `reproduce wordscore` prints them, in German and in Spanish.
#[test]
fn occupations_of_ones_own_are_measured() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let scores = "rank\tword\tscore\tcomplete\n1\tbeautician\t-0.9\ttrue\n2\tastronaut\t0.1\ttrue\n3\tblacksmith\t0.8\ttrue\n";
    std::fs::write(here.join("scores.tsv"), scores).unwrap();
    std::fs::write(
        here.join("t.tsv"),
        "class\tverb\ttemplate\nF\tdance\tThe {occ} dances.\nM\tbuild\tThe {occ} builds a house.\n",
    )
    .unwrap();
    let set = succeed(
        &[
            "data",
            "make",
            "wibemt",
            "--data",
            "t.tsv",
            "--occupations",
            "scores.tsv",
        ],
        here,
    );
    assert_eq!(
        set.lines()
            .map(|line| line.split('\t').next().unwrap())
            .collect::<Vec<_>>(),
        [
            "VF01OccF01",
            "VF01OccN01",
            "VF01OccM01",
            "VM01OccF01",
            "VM01OccN01",
            "VM01OccM01"
        ]
    );
    std::fs::write(here.join("set.tsv"), &set).unwrap();
    for (language, lines, female) in [
        (
            "de",
            [
                "Die Kosmetikerin tanzt.",
                "Der Astronaut tanzt.",
                "Der Schmied tanzt.",
                "Die Kosmetikerin baut ein Haus.",
                "Die Astronautin baut ein Haus.",
                "Der Schmied baut ein Haus.",
            ],
            3.0,
        ),
        (
            "es",
            [
                "La esteticista baila.",
                "El astronauta baila.",
                "El herrero baila.",
                "La esteticista construye una casa.",
                "El astronauta construye una casa.",
                "El herrero construye una casa.",
            ],
            2.0,
        ),
    ] {
        std::fs::write(here.join("to.txt"), lines.join("\n") + "\n").unwrap();
        let json = succeed(
            &[
                "run",
                "wibemt",
                "--data",
                "set.tsv",
                "--mt",
                "x=file:to.txt",
                "--lang",
                language,
                "--format",
                "json",
                "--trust-language",
                "--fresh",
                "--out",
                language,
            ],
            here,
        );
        let rows: Value = serde_json::from_str(&json).unwrap();
        let mut rows = rows["rows"].as_array().unwrap().iter();
        let row = rows.find(|row| row["group"] == "part:verb" && row["metric"] == "female");
        let row = row.unwrap_or_else(|| panic!("no shares in {json}"));
        println!("{language}: {row}");
        assert_eq!(row["value"].as_f64().unwrap(), female, "{language}");
        // The paper's numbers are of other occupations.
        let table = succeed(&["report", language, "--format", "table"], here);
        assert!(!table.contains("published, "), "{table}");
    }
    std::fs::write(here.join("bad.tsv"), "word\tscore\nastronaut\thigh\n").unwrap();
    let said = refuse(
        &["data", "make", "wibemt", "--occupations", "bad.tsv"],
        here,
    );
    assert!(
        said.contains("bad.tsv, line 2: the score of `astronaut` is `high`"),
        "{said}"
    );
    std::fs::write(
        here.join("row.tsv"),
        "VF01\tThe astronaut dances.\tdance\tastronaut\n",
    )
    .unwrap();
    std::fs::write(here.join("one.txt"), "Der Astronaut tanzt.\n").unwrap();
    let said = refuse(
        &[
            "run",
            "wibemt",
            "--data",
            "row.tsv",
            "--mt",
            "x=file:one.txt",
            "--lang",
            "de",
        ],
        here,
    );
    assert!(said.contains("--occupations FILE"), "{said}");
}
