//! Unambiguous gender (Renduchintala & Williams): authors' tags (`s_m2m1.2B_ru.result.gz`, `pipeline_14976/LANG.result.gz`) on the
//! sentences they were made of; printed tables are of XL.

use epicene_core::Unit;

use epicene_bench::published_tables::{number, published_tables};
use epicene_bench::unambiguous::sets::SetName;

use super::{Reproduced, Workshop, words};
use crate::failure::Failure;

pub fn reproduce(workshop: &Workshop) -> Result<Reproduced, Failure> {
    let mut done = Reproduced::default();
    for (size, count) in [("xs", 1_536.0), ("s", 59_520.0), ("xl", 1_800_006.0)] {
        let set: SetName = size.parse().map_err(Failure::usage)?;
        let made = set.grammar().map(|grammar| grammar.count() as f64);
        done.check(
            "Section 3, sizes",
            format!("sentences of {}", size.to_uppercase()),
            (count, made.ok()),
            0,
        );
    }
    let table = "Tables 3 and 4 (printed on XL; ours on S)";
    let published = published_tables("unambiguous");
    let compare =
        |done: &mut Reproduced, rows: &[epicene_core::Row], language: &str, table: &'static str| {
            let key = format!("m2m_100_1.2B/{language}");
            let unit = Unit::into_language(language);
            let printed = &published["table3_correct_wrong_na"][&key];
            for (place, metric) in ["correct", "wrong", "na"].into_iter().enumerate() {
                let paper = number(&printed[place]);
                done.row(table, rows, ["m2m", &unit, "all"], metric, (paper, 2));
            }
            // Without sentences that have no adjective there is no Table 4.
            if !rows
                .iter()
                .any(|row| row.unit == unit && row.group == "no-adjective")
            {
                return;
            }
            let printed = &published["table4_deltaM_deltaF"][&key];
            for (place, metric) in ["delta_m_rounded", "delta_f_rounded"]
                .into_iter()
                .enumerate()
            {
                let (place, paper) = (["m2m", &unit, "no-adjective"], number(&printed[place]));
                done.row(table, rows, place, metric, (paper, 2));
            }
        };
    if let Some(tags) = workshop.need("s_m2m1.2B_ru.result.gz", table, &mut done)
        && let Some(data) = workshop.need("source_s_58032.tsv.gz", table, &mut done)
    {
        let mut line = words(&[
            "unambiguous",
            "--data",
            &data,
            "--lang",
            "ru",
            "--interval",
            "published",
        ]);
        line.extend(words(&["--mt", &format!("m2m=file:{tags}")]));
        let rows = workshop.rows(&mut done, &line)?;
        compare(&mut done, &rows, "ru", table);
        // The authors' own counts on S.
        let russian = Unit::into_language("ru");
        for (metric, count) in [("correct", 34_942.0), ("wrong", 21_821.0), ("na", 1_269.0)] {
            let found = rows
                .iter()
                .find(|row| row.unit == russian && row.group == "all" && row.metric == metric);
            let ours = found.and_then(|row| Some((row.value * row.n? as f64).round()));
            done.check(
                "Analysis of S, Russian",
                format!("m2m ru {metric}, sentences"),
                (count, ours),
                0,
            );
        }
    }
    let table = "Table 3 (printed on XL; ours on the first 14,976 of S)";
    let languages = [
        "be", "ca", "cs", "de", "el", "es", "fr", "he", "hi", "hr", "it", "lt", "lv", "pl", "pt",
        "ro", "ru", "sr", "uk", "ur",
    ];
    let there: Vec<(&str, String)> = languages
        .into_iter()
        .filter_map(|language| {
            Some((
                language,
                workshop.file(&format!("pipeline_14976/{language}.result.gz"))?,
            ))
        })
        .collect();
    if there.is_empty() {
        done.cannot(table, "there are no pipeline_14976/LANG.result.gz");
    } else {
        let mut line = words(&[
            "unambiguous",
            "--size",
            "s",
            "--limit",
            "14976",
            "--interval",
            "published",
        ]);
        if let Some(data) = workshop.file("source_s_58032.tsv.gz") {
            line = words(&[
                "unambiguous",
                "--data",
                &data,
                "--limit",
                "14976",
                "--interval",
                "published",
            ]);
        }
        for (_, file) in &there {
            line.extend(words(&["--mt", &format!("m2m=file:{file}")]));
        }
        let codes: Vec<&str> = there.iter().map(|(language, _)| *language).collect();
        line.extend(words(&["--lang", &codes.join(",")]));
        let rows = workshop.rows(&mut done, &line)?;
        for (language, _) in &there {
            compare(&mut done, &rows, language, table);
        }
        done.cannot(
            "Table 4 in these languages",
            "it is of sentences without an adjective, and the first 14,976 of S all have one",
        );
    }
    done.notes.push("The printed tables were computed on 1.8 million sentences whose translations are not published: shares of S differ by about 0.01.".to_owned());
    done.cannot(
        "Figures 1 to 4, 6, 7",
        "drawn by `epicene report RUN --figures DIR`; the paper prints no numbers",
    );
    done.cannot("Figure 5", "the invented occupations and their translations are not published; `epicene data make unambiguous --nonce 22` makes such");
    Ok(done)
}
