//! `epicene list`: what this build knows.

use epicene_bench::gest::{published, stereotypes};
use epicene_bench::{mbe, wibemt};
use epicene_core::Language;
use epicene_lang::first_person::{Detector, Mode};
use epicene_lang::occupation::OccupationJudge;
use epicene_lm::ARCHITECTURES;
use epicene_report::aligned;

use crate::args::{ListArgs, Listing};
use crate::failure::{Failure, Outcome};
use crate::{console, datasets};

pub fn run(args: ListArgs) -> Result<Outcome, Failure> {
    let text = match args.what {
        Listing::Benchmarks => benchmarks(),
        Listing::Stereotypes => stereotype_table(),
        Listing::Published => published_tables(),
        Listing::Architectures => architectures(),
        Listing::Translators => translators(),
        Listing::Languages => languages(),
        Listing::Data => datasets::listing(),
    };
    console::print(|out| out.write_all(text.as_bytes()))?;
    Ok(Outcome::Done)
}

fn line(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

fn benchmarks() -> String {
    let lines: Vec<Vec<String>> = epicene_bench::ALL
        .iter()
        .map(|benchmark| line(&[benchmark.card().name, benchmark.card().summary]))
        .collect();
    aligned(&lines, 2)
}

fn stereotype_table() -> String {
    let mut lines = vec![line(&["id", "about", "name", "definition"])];
    for stereotype in stereotypes::all() {
        lines.push(line(&[
            &stereotype.id.to_string(),
            stereotype.about,
            stereotype.name,
            stereotype.definition,
        ]));
    }
    aligned(&lines, 4)
}

fn architectures() -> String {
    let mut lines = vec![line(&[
        "architecture",
        "kind",
        "model_type in config.json",
        "well-known checkpoints",
    ])];
    for architecture in ARCHITECTURES {
        lines.push(line(&[
            architecture.name,
            architecture.kind.name(),
            &architecture.model_types.join(", "),
            &architecture.known(),
        ]));
    }
    aligned(&lines, 4)
}

fn translators() -> String {
    let mut lines = vec![line(&["--mt", "what", "needs", "list price"])];
    for form in epicene_mt::catalogue() {
        let price = form.price.and_then(|price| price.words());
        lines.push(line(&[
            form.form,
            form.about,
            form.needs,
            &price.unwrap_or_default(),
        ]));
    }
    aligned(&lines, 4)
}

fn languages() -> String {
    let mut lines = vec![line(&[
        "code",
        "language",
        "script",
        "first person",
        "occupations",
        "benchmarks",
    ])];
    let yes = |known: bool| if known { "yes" } else { "" };
    for language in Language::all() {
        let measures = epicene_bench::ALL.iter().map(|benchmark| benchmark.card());
        let measures = measures.filter(|card| (card.languages)().contains(&language));
        let measures: Vec<&str> = measures.map(|card| card.name).collect();
        let speaker = Detector::of(language, Mode::Published).is_some();
        let occupations = OccupationJudge::of(language).is_some();
        if measures.is_empty() && !speaker && !occupations {
            continue;
        }
        let scripts: Vec<&str> = language
            .scripts()
            .iter()
            .map(|script| script.code())
            .collect();
        lines.push(line(&[
            language.code(),
            language.name(),
            &scripts.join(", "),
            yes(speaker),
            yes(occupations),
            &measures.join(", "),
        ]));
    }
    aligned(&lines, 6)
}

/// The papers' results, sorted within each table by how stereotypical the system is.
fn published_tables() -> String {
    let mut text =
        String::from("GEST, English language models (g_s, mean over templates; 1 = none)\n");
    let mut models: Vec<_> = published::english_models().iter().collect();
    models.sort_by(|a, b| b.g_s.total_cmp(&a.g_s));
    let mut lines = vec![line(&["model", "kind", "g_s"])];
    for model in models {
        lines.push(line(&[
            &model.name,
            model.kind.name(),
            &format!("{:.4}", model.g_s),
        ]));
    }
    text += &aligned(&lines, 2);

    text += "\nGEST, machine translation (f_s: 0 = none; f_m: share of masculine)\n";
    let mut pairs: Vec<_> = published::translation_pairs().iter().collect();
    pairs.sort_by(|a, b| b.f_s.total_cmp(&a.f_s));
    let mut lines = vec![line(&["system", "language", "f_s", "f_m", "p_f", "p_m"])];
    for pair in pairs {
        let number = |value: f64| format!("{value:.4}");
        lines.push(line(&[
            &pair.system,
            &pair.language,
            &number(pair.f_s),
            &number(pair.f_m),
            &number(pair.p_f),
            &number(pair.p_m),
        ]));
    }
    text += &aligned(&lines, 2);

    text += "\nGEST, Slavic masked language models (g_s; 1 = none)\n";
    let mut models: Vec<_> = published::slavic_models().iter().collect();
    models.sort_by(|a, b| b.g_s.total_cmp(&a.g_s));
    let mut lines = vec![line(&["model", "language", "g_s", "q_m", "q_f"])];
    for model in models {
        let number = |value: f64| format!("{value:.4}");
        lines.push(line(&[
            &model.model,
            &model.language,
            &number(model.g_s),
            &number(model.q_m),
            &number(model.q_f),
        ]));
    }
    text += &aligned(&lines, 2);
    text += "\nSource: arXiv 2311.18711 (published convention: e to the mean of log10 ratios)\n";
    text + &published_mbe() + &published_wibemt()
}

fn published_wibemt() -> String {
    let mut text = String::from(
        "\nWiBeMT, English to German (tfg: % female, tcg: % of the right gender; by adjective or verb)\n",
    );
    let mut lines = vec![line(&[
        "system", "tfg F", "tfg M", "tfg none", "tcg F", "tcg M", "tcg none", "verbs F", "verbs M",
    ])];
    for system in wibemt::published::systems() {
        let cell = |class: &str, share: fn(&wibemt::Counts) -> (u64, u64)| {
            let counts = system.adjectives[class];
            let (part, whole) = share(&counts);
            format!("{:.1}", 100.0 * part as f64 / whole as f64)
        };
        let female = |class: &str| cell(class, |counts| (counts.feminine(), counts.classified()));
        let right = |class: &str| cell(class, wibemt::Counts::correct);
        lines.push(line(&[
            &system.name,
            &female("F"),
            &female("M"),
            &female("none"),
            &right("F"),
            &right("M"),
            &right("none"),
            &format!("{:.1}", system.feminine_verbs),
            &format!("{:.1}", system.masculine_verbs),
        ]));
    }
    text += &aligned(&lines, 1);
    text + "Source: Troles & Schmid, WMT 2021, Table 3 and section 3\n"
}

fn published_mbe() -> String {
    let mut text =
        String::from("\nMBE, one masked model for each language (50 = none; above 50: male)\n");
    let mut lines = vec![line(&["language", "TED", "News"])];
    for language in mbe::published::languages() {
        let score = |value: f64| format!("{value:.2}");
        lines.push(line(&[
            &language.language,
            &score(language.ted),
            &score(language.news),
        ]));
    }
    text += &aligned(&lines, 1);
    text += "\nHuman-translated CrowS-Pairs (HT) and what stands for it (50 = none)\n";
    let mut lines = vec![line(&["model", "HT", "MT", "MBE", "Tmp"])];
    for model in mbe::published::methods() {
        let mut cells = vec![model.model.clone()];
        let scores = [model.ht, model.mt, model.mbe, model.tmp];
        cells.extend(scores.map(|score| format!("{score:.2}")));
        lines.push(cells);
    }
    text += &aligned(&lines, 1);
    text + "\nSource: Kaneko et al., NAACL 2022, Tables 2 and 4-6\n"
}
