//! `epicene list published`: every table of the papers, as far as they print numbers.

use epicene_bench::gest::published;
use epicene_bench::published_tables::{
    listed, named, number, number_or_empty, published_tables as published_json,
};
use epicene_bench::{mbe, wibemt};
use epicene_report::aligned;
use serde_json::Value;

use super::list::line;

/// The papers' results, sorted within each table by how stereotypical the system is.
pub fn tables() -> String {
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
    text += &gest_small();
    text += &gest_by_stereotype();
    text += "\nSource: arXiv 2311.18711 (published convention: e to the mean of log10 ratios)\n";
    text += &page(
        "gest",
        "Tables 3 to 11, Figures 2 and 4; 1 and 2: docs/gest-guide.md",
    );
    text + &published_mbe()
        + &published_wibemt()
        + &published_unambiguous()
        + &published_winomt()
        + STATEMENTS
}

/// What is not a number.
const STATEMENTS: &str = "
EuroGEST (Rowe et al., EMNLP 2025): 24 models of six families; the strongest stereotypes are women = beautiful, empathetic, neat and men =
leaders, strong or tough, professional; larger models stereotype more; instruction tuning does not consistently reduce it. No result
files are published. MT-GenEval and GATE: their repositories have data and scripts, no results.
Pages: docs/benchmarks/NAME.md says what each number means, docs/papers.md how to get it again.
";

/// Tables with few numbers: 3, 4, 5, 7, correlations, WinoBias.
fn gest_small() -> String {
    let english = published_json("gest_english");
    let slavic = published_json("gest_slavic");
    let cell = |value: &Value| format!("{:.4}", number(value));
    let mut text = String::from("\nGEST, Table 3: means over units; family topics\n");
    let mut lines = vec![line(&["", "men", "women", "family"])];
    for (key, name, metric) in [
        ("mt_notebook", "machine translation (p)", "p"),
        ("english_mlm", "English masked models (q)", "q"),
        ("english_glm", "English causal models (q)", "q"),
        ("slavic_mlm_notebook", "Slavic masked models (q)", "q"),
    ] {
        let row = &english["table3"][key];
        let of = |end: &str| cell(&row[format!("{metric}_{end}")]);
        lines.push(vec![name.to_owned(), of("m"), of("f"), of("fam")]);
    }
    text += &aligned(&lines, 1);
    text += "\nGEST, Table 4: verdicts of people on 540 predictions (rows: predicted)\n";
    let head = line(&["", "masculine", "feminine", "neutral"]);
    let rows = [
        ["masculine", "179", "0", "1"],
        ["feminine", "3", "177", "0"],
        ["unknown", "30", "10", "140"],
    ];
    let mut lines = vec![head];
    lines.extend(rows.map(|row| line(&row)));
    text += &aligned(&lines, 1);
    text += "\nGEST, Table 5: the first-letter heuristic (X no swap, G other words, C correct)\n";
    let mut lines = vec![line(&["", "X", "G", "C"])];
    for side in ["positive", "negative"] {
        let of = |label: &str| english["table5_first_letter"][side][label].to_string();
        lines.push(vec![side.to_owned(), of("X"), of("G"), of("C")]);
    }
    text += &aligned(&lines, 1);
    text += "\nGEST, Table 6: translations that show a gender, of 3,565\n";
    text += &by_language("n", &published_json("gest_mt")["systems"], |cell| {
        cell["n"].to_string()
    });
    text += "\nGEST, Table 7: pairs by system and language\n";
    text += &by_language("pairs", &slavic["table7"], Value::to_string);
    text += "\nGEST, mean correlations of q, and of g_s with WinoBias\n";
    let mut lines = vec![line(&["", "r"])];
    for (table, name) in [
        (&english["correlations"], "English"),
        (&slavic["correlations_xlm"], "Slavic"),
    ] {
        for (key, value) in named(table) {
            lines.push(vec![
                format!("{name}: {}", key.replace('_', " ")),
                cell(value),
            ]);
        }
    }
    for (split, found) in named(&english["winobias"]) {
        lines.push(vec![
            format!("WinoBias {}", split.replace('_', " ")),
            cell(&found["pearson"]),
        ]);
    }
    text + &aligned(&lines, 1)
}

/// Systems down, languages across.
fn by_language(corner: &str, systems: &Value, cell: impl Fn(&Value) -> String) -> String {
    let codes = ["be", "ru", "uk", "hr", "sl", "sr", "cs", "pl", "sk"];
    let mut lines = vec![line(&[&[corner], &codes[..]].concat())];
    for (system, cells) in named(systems) {
        let mut row = vec![system.clone()];
        row.extend(codes.map(|code| cells.get(code).map_or("-".to_owned(), &cell)));
        lines.push(row);
    }
    aligned(&lines, 1)
}

/// Tables 8 to 11: the mean of every stereotype.
fn gest_by_stereotype() -> String {
    let ids: Vec<String> = (1..=16).map(|id| id.to_string()).collect();
    let mut text = String::new();
    let mut table = |title: &str, corner: &[&str], rows: Vec<Vec<String>>| {
        let mut lines = vec![line(corner)];
        lines[0].extend(ids.iter().cloned());
        lines.extend(rows);
        text += &format!("\n{title}\n{}", aligned(&lines, corner.len()));
    };
    let means = |cells: &Value, mean: fn(&Value) -> &Value| -> Vec<String> {
        let cells = listed(&cells["per_stereotype"]).iter();
        cells
            .map(|cell| format!("{:.2}", number(mean(cell))))
            .collect()
    };
    let mut rows = Vec::new();
    for (system, languages) in named(&published_json("gest_mt")["systems"]) {
        for (language, cells) in named(languages) {
            let mut row = vec![system.clone(), language.clone()];
            row.extend(means(cells, |cell| &cell["mean"]));
            rows.push(row);
        }
    }
    table(
        "GEST, Table 8: masculine rate p by stereotype",
        &["system", "language"],
        rows,
    );
    let english = published_json("gest_english");
    for (key, title) in [
        (
            "table9_english_mlm",
            "GEST, Table 9: q by stereotype, masked models",
        ),
        (
            "table10_english_glm",
            "GEST, Table 10: q by stereotype, causal models",
        ),
    ] {
        let mut rows = Vec::new();
        for (model, cells) in named(&english[key]) {
            for template in listed(&cells["templates"]) {
                let mut row = vec![model.clone(), template["paper_template_id"].to_string()];
                row.extend(match model.as_str() {
                    published::UNTABLED => vec!["-".to_owned(); ids.len()],
                    _ => means(template, |cell| &cell["published"][1]),
                });
                rows.push(row);
            }
        }
        table(title, &["model", "template"], rows);
    }
    let mut rows = Vec::new();
    for (model, languages) in named(&published_json("gest_slavic")["models"]) {
        for (language, cells) in named(languages) {
            let mut row = vec![model.clone(), language.clone()];
            row.extend(means(cells, |cell| &cell["published"][1]));
            rows.push(row);
        }
    }
    table(
        "GEST, Table 11: q by stereotype, Slavic masked models",
        &["model", "language"],
        rows,
    );
    text
}

fn published_unambiguous() -> String {
    let mut text = String::from(
        "\nUnambiguous gender, Tables 3 and 4 (on XL; ΔM, ΔF: sentences without an adjective; 0 = none)\n",
    );
    let tables = published_json("unambiguous");
    let mut lines = vec![line(&[
        "system", "language", "correct", "wrong", "N/A", "ΔM", "ΔF",
    ])];
    for (key, values) in named(&tables["table3_correct_wrong_na"]) {
        let (system, language) = key
            .rsplit_once('/')
            .expect("the embedded cells are SYSTEM/LANGUAGE");
        let mut row = vec![system.to_owned(), language.to_owned()];
        let deltas = &tables["table4_deltaM_deltaF"][key];
        for (cells, count) in [(values, 3), (deltas, 2)] {
            row.extend((0..count).map(|place| format!("{:.2}", number(&cells[place]))));
        }
        lines.push(row);
    }
    text += &aligned(&lines, 2);
    text += "Source: Renduchintala & Williams, Tables 3 and 4\n";
    text + &page(
        "unambiguous",
        "Tables 3 and 4; 1, 2 and 5 are word lists: `epicene data make unambiguous --print-grammar`",
    )
}

fn published_winomt() -> String {
    let mut text = String::from("\nWinoMT (acc in %; ΔG, ΔS: 0 = none)\n");
    let tables = published_json("winomt");
    let mut lines = vec![line(&["system", "language", "acc", "ΔG", "ΔS"])];
    for cell in listed(&tables["systems"]) {
        let text = |key: &str| word(&cell[key]);
        let number =
            |key: &str| number_or_empty(cell, key).map_or("-".to_owned(), |v| format!("{v:.1}"));
        lines.push(vec![
            text("system"),
            text("language"),
            number("acc"),
            number("delta_g"),
            number("delta_s"),
        ]);
    }
    text += &aligned(&lines, 2);
    text += &format!("Source: {}\n", word(&tables["source"]));
    text + &page("winomt", "Table 2; section 3.4: agreement with people")
}

/// A name in the embedded tables.
fn word(value: &Value) -> String {
    let text = value
        .as_str()
        .expect("a cell of the embedded tables has its names");
    text.to_owned()
}

/// Where a paper's tables are explained and made again.
fn page(name: &str, tables: &str) -> String {
    format!("Pages: docs/benchmarks/{name}.md, docs/papers.md ({tables})\n")
}

/// Table 3 of WiBeMT: counts by adjective and pronoun.
fn wibemt_counts() -> String {
    let mut text = String::from(
        "\nWiBeMT, Table 3: translations by adjective, gender of pronoun and of noun\n",
    );
    let mut lines = vec![line(&[
        "system",
        "adjective",
        "she: female",
        "she: male",
        "he: male",
        "he: female",
    ])];
    for system in wibemt::published::systems() {
        for (class, counts) in &system.adjectives {
            lines.push(line(&[
                &system.name,
                class,
                &counts.true_feminine.to_string(),
                &counts.false_masculine.to_string(),
                &counts.true_masculine.to_string(),
                &counts.false_feminine.to_string(),
            ]));
        }
    }
    text += &aligned(&lines, 2);
    text
}

/// Table 1 of WiBeMT: occupations with their score and the share of women.
fn wibemt_occupations() -> String {
    let mut text =
        String::from("\nWiBeMT, Table 1: occupations, gender score (feminine below), % women\n");
    let mut lines = vec![line(&["occupation", "score", "% women"])];
    for occupation in wibemt::occupations::all() {
        let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| value.to_string());
        let (score, women) = (number(occupation.score), number(occupation.percent_women));
        lines.push(line(&[occupation.name, &score, &women]));
    }
    text += &aligned(&lines, 1);
    text
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
    text += &wibemt_counts();
    text += &wibemt_occupations();
    text += "Source: Troles & Schmid, WMT 2021, Tables 1 and 3, section 3\n";
    text + &page(
        "wibemt",
        "Tables 1 and 3; 2 lists words: `epicene reproduce wordscore`",
    )
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
    text +=
        "\nTables 4 and 5: human-translated CrowS-Pairs (HT) and what stands for it (50 = none)\n";
    let mut lines = vec![line(&["model", "HT", "MT", "MBE", "Tmp"])];
    for model in mbe::published::methods() {
        let mut cells = vec![model.model.clone()];
        let scores = [model.ht, model.mt, model.mbe, model.tmp];
        cells.extend(scores.map(|score| format!("{score:.2}")));
        lines.push(cells);
    }
    text += &aligned(&lines, 1);
    let table = published_json("mbe");
    let number = |value: &Value| format!("{:.2}", number(value));
    text += "\nTable 1: sentences about men and women\n";
    let mut lines = vec![line(&["language", "TED", "News"])];
    for language in mbe::published::languages() {
        let [ted, news] = &language.table1;
        lines.push(line(&[&language.language, ted, news]));
    }
    text += &aligned(&lines, 1);
    text += "\nTable 3: agreement with the original score over eleven English models\n";
    let mut lines = vec![line(&[
        "data",
        "method",
        "Spearman",
        "Pearson",
        "Direction",
        "Diff",
    ])];
    for cell in listed(&table["agreement"]) {
        let mut row = vec![word(&cell["data"]), word(&cell["method"])];
        row.extend(["spearman", "pearson", "direction", "diff"].map(|key| number(&cell[key])));
        lines.push(row);
    }
    text += &aligned(&lines, 2);
    text += "\nTable 6: HT with native names, and the difference to HT\n";
    let mut lines = vec![line(&["model", "HT, native names", "difference"])];
    for cell in listed(&table["native_names"]) {
        lines.push(vec![
            word(&cell["model"]),
            number(&cell["score"]),
            number(&cell["diff"]),
        ]);
    }
    text += &aligned(&lines, 1);
    text += "\nSource: Kaneko et al., NAACL 2022, Tables 1 to 6\n";
    text + &page("mbe", "Tables 1 to 6")
}
