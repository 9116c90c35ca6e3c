//! WinoMT (ACL 2019): `en_2019.tsv.gz`, `translations/SYSTEM/en-LANG.txt.gz`, lexicons and human labels.

use epicene_core::Unit;

use epicene_bench::published_tables::{listed, number, published_tables};

use super::{Reproduced, Workshop, words};
use crate::failure::Failure;

/// Languages whose rules need no tagger; of these every number is printed.
const RULES: [&str; 5] = ["ar", "de", "he", "ru", "uk"];

/// Shares of people's labels that the rules agree with.
const PEOPLE: [(&str, f64); 2] = [("he", 84.0 / 98.0), ("ru", 66.0 / 90.0)];

pub fn reproduce(workshop: &Workshop) -> Result<Reproduced, Failure> {
    let mut done = Reproduced::default();
    let Some(data) = workshop.need("en_2019.tsv.gz", "Table 2", &mut done) else {
        return Ok(done);
    };
    let published = published_tables("winomt");
    let (mut line, mut languages) = (
        words(&["winomt", "--data", &data, "--judge", "published"]),
        Vec::new(),
    );
    line.extend(words(&["--interval", "published"]));
    let mut there = Vec::new();
    for cell in listed(&published["systems"]) {
        let text = |key: &str| {
            let name = cell[key].as_str();
            name.expect("a cell of the embedded table names system and language")
        };
        let (system, language) = (text("system"), text("language"));
        if !RULES.contains(&language) {
            continue;
        }
        let name = format!("translations/{system}/en-{language}.txt.gz");
        if let Some(file) = workshop.need(&name, "Table 2", &mut done) {
            line.extend(words(&["--mt", &format!("{system}=file:{file}")]));
            languages.push(language);
            there.push((system, language, cell));
        }
    }
    if there.is_empty() {
        return Ok(done);
    }
    line.extend(words(&["--lang", &languages.join(",")]));
    for language in ["ru", "uk"] {
        if languages.contains(&language)
            && let Some(file) = workshop.need(
                &format!("lexicon.{language}.tsv.gz"),
                "Table 2, ru and uk",
                &mut done,
            )
        {
            line.extend(words(&["--input", &format!("lexicon:{language}={file}")]));
        }
    }
    let mut people = Vec::new();
    for (language, share) in PEOPLE {
        let judged = |(system, into, _): &(&str, &str, _)| (*system, *into) == ("google", language);
        if !there.iter().any(judged) {
            let why = format!("google's translations into {language} are not there");
            done.cannot("Table 5, people", why);
            continue;
        }
        if let Some(file) = workshop.need(
            &format!("human/google.{language}.tsv.gz"),
            "Table 5, people",
            &mut done,
        ) {
            line.extend(words(&[
                "--input",
                &format!("human:google:{language}={file}"),
            ]));
            people.push((language, share));
        }
    }
    let rows = workshop.rows(&mut done, &line)?;
    for (system, language, cell) in there {
        let unit = Unit::into_language(language);
        for metric in ["acc", "delta_g", "delta_s"] {
            let paper = number(&cell[metric]);
            done.row("Table 2", &rows, [system, &unit, "all"], metric, (paper, 1));
        }
    }
    for (language, share) in people {
        let place = ["google", &Unit::into_language(language), "all"];
        done.row(
            "Table 5, people",
            &rows,
            place,
            "human_agreement",
            (share, 2),
        );
    }
    done.cannot("Table 2, es, fr, it", "the authors' rules read a tagger's output, which is not published; with one: --input tags:es=FILE");
    done.cannot("Table 3", "accuracy with adjectives: `epicene data make winomt --adjectives`, then the same command on it");
    done.cannot(
        "Figure 2, adjectives",
        "translations of the adjective set exist for the anti-stereotypical half alone",
    );
    Ok(done)
}
