//! WiBeMT (WMT 2021): `verb_sentences.tsv.gz`, `verb_{deepl,microsoft}_categorised.tsv.gz`, WinoBias' base sentences.

use epicene_core::Unit;

use std::path::Path;

use epicene_bench::published_tables::{number, published_tables};
use epicene_bench::wibemt::{base, challenge, occupations, published};
use epicene_stats::{chi_square, pearson, spearman};

use super::{Reproduced, Workshop, words};
use crate::failure::Failure;
use crate::source;

/// Section 3's tests with the classes they compare.
const TESTS: [(&str, &str, &str); 3] = [
    ("H2a", "F", "none"),
    ("H2b", "M", "none"),
    ("H2c", "F", "M"),
];

pub fn reproduce(workshop: &Workshop) -> Result<Reproduced, Failure> {
    let mut done = Reproduced::default();
    let tables = published_tables("wibemt");
    let paper = &tables["paper_values"];
    for system in published::systems() {
        let counts = |class: &str| &system.adjectives[class];
        for class in ["F", "M", "none"] {
            let (feminine, classified) = (counts(class).feminine(), counts(class).classified());
            let share = 100.0 * feminine as f64 / classified as f64;
            let printed = number(&paper["tfg"][class][&system.name]);
            let what = format!("{} %TFG, adjective {class}", system.name);
            done.check(
                "Figure 3, from Table 3's counts",
                what,
                (printed, Some(share)),
                1,
            );
        }
        for (test, one, other) in TESTS {
            let table = [one, other].map(|class| {
                let feminine = counts(class).feminine();
                [feminine, counts(class).classified() - feminine]
            });
            let ours = chi_square(&table, true).ok().map(|test| test.statistic);
            let printed = number(&paper[test][&system.name]);
            done.check(
                "Section 3, H2, from Table 3's counts",
                format!("{} {test} chi2", system.name),
                (printed, ours),
                1,
            );
        }
        let order = [
            ("F", true),
            ("F", false),
            ("M", true),
            ("M", false),
            ("none", true),
            ("none", false),
        ];
        for (place, (class, feminine)) in order.into_iter().enumerate() {
            let c = counts(class);
            let (right, wrong) = if feminine {
                (c.true_feminine, c.false_masculine)
            } else {
                (c.true_masculine, c.false_feminine)
            };
            let ours = 100.0 * right as f64 / (right + wrong) as f64;
            let printed = number(&paper["figure4_tcg_rounded_1dp"][&system.name][place]);
            let pronoun = if feminine { "feminine" } else { "masculine" };
            let what = format!("{} %TCG, adjective {class}, {pronoun} pronoun", system.name);
            done.check(
                "Figure 4, from Table 3's counts",
                what,
                (printed, Some(ours)),
                1,
            );
        }
    }
    let known: Vec<(f64, f64)> = occupations::scored()
        .filter_map(|occupation| Some((occupation.score?, occupation.percent_women?)))
        .collect();
    let (scores, women): (Vec<f64>, Vec<f64>) = known.into_iter().unzip();
    let r = pearson(&scores, &women).ok().map(|found| found.r);
    done.check(
        "Section 2.1, occupations",
        "Pearson r with % women, 66 occupations",
        (-0.8091, r),
        4,
    );
    let rho = spearman(&scores, &women).ok().map(|found| found.r);
    done.check(
        "Section 2.1, occupations",
        "Spearman rho",
        (-0.8316, rho),
        4,
    );
    sets(workshop, &mut done)?;
    verbs(workshop, &mut done)?;
    done.notes.push("H2b of DeepL: 9.01 with Yates' correction, as everywhere else; the printed 9.1 is 9.13 without it.".to_owned());
    done.cannot("Table 3", "the translations of the 66,528 sentences are not published: the printed counts are taken as they are");
    done.cannot("Figure 1, Table 2", "word scores: `epicene reproduce wordscore --vectors … --figures DIR` with the four embeddings draws and lists them");
    Ok(done)
}

fn sets(workshop: &Workshop, done: &mut Reproduced) -> Result<(), Failure> {
    let templates = challenge::embedded_templates()?;
    let verbs = challenge::write_verb_sentences(&templates, &mut std::io::sink())?;
    done.check(
        "Section 2.2, sizes",
        "verb sentences",
        (4158.0, Some(verbs as f64)),
        0,
    );
    if let Some(file) = workshop.need(
        "winobias_base_3168.tsv.gz",
        "Section 2.2, extended WinoBias",
        done,
    ) {
        let sentences = base::from_table(&source::read(Path::new(&file))?)?;
        let made = challenge::write_extended_winobias(
            &sentences,
            &challenge::adjectives(),
            &mut std::io::sink(),
        )?;
        done.check(
            "Section 2.2, sizes",
            "extended WinoBias",
            (66_528.0, Some(made as f64)),
            0,
        );
        done.check(
            "Section 2.2, sizes",
            "together",
            (70_686.0, Some((made + verbs) as f64)),
            0,
        );
    }
    Ok(())
}

fn verbs(workshop: &Workshop, done: &mut Reproduced) -> Result<(), Failure> {
    let table = "Section 3, H1 (verbs)";
    let Some(data) = workshop.need("verb_sentences.tsv.gz", table, done) else {
        return Ok(());
    };
    let mut line = words(&["wibemt", "--data", &data, "--lang", "de", "--column", "2,5"]);
    line.extend(words(&["--interval", "published"]));
    let mut systems = Vec::new();
    for (system, name) in [("DeepL", "deepl"), ("Microsoft", "microsoft")] {
        if let Some(file) = workshop.need(&format!("verb_{name}_categorised.tsv.gz"), table, done) {
            line.extend(words(&["--mt", &format!("{system}=file:{file}")]));
            systems.push(system);
        }
    }
    if systems.is_empty() {
        return Ok(());
    }
    let rows = workshop.rows(done, &line)?;
    let published = published_tables("wibemt");
    let german = Unit::into_language("de");
    for system in &systems {
        let paper = &published["paper_values"]["H1"][*system];
        for (key, group) in [("tfg_F", "verb:F"), ("tfg_M", "verb:M")] {
            let printed = number(&paper[key]);
            done.row(table, &rows, [system, &german, group], "tfg", (printed, 1));
        }
        let chi2 = number(&paper["chi2"]);
        done.row(table, &rows, [system, &german, "H1"], "chi2", (chi2, 1));
    }
    for (system, share) in [("DeepL", 25.1), ("Microsoft", 19.0)] {
        if systems.contains(&system) {
            done.row(
                "Section 3, occupation thirds",
                &rows,
                [system, &german, "third:F"],
                "tfg",
                (share, 1),
            );
        }
    }
    done.notes.push("Verbs: the default judge gives the authors' label to all 8,316 translations. By their rules alone (--judge published) two plurals count as men, which people had called wrong: chi2 is 33.60 and 8.34.".to_owned());
    Ok(())
}
