//! The person judge on people of real translations (`../shared/data/gold/persons`): with the right word
//! given, and with the built-in aligner.
//!
//!     cargo run -p epicene-lang --example judge_accuracy -- persons [de,fr] [--errors 40] [--links given|built-in]
//!
//! `persons write` renews `data/person_accuracy.tsv`, the figures in docs/occupation-judge.md and in the benchmarks' cards.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use epicene_lang::occupation::OccupationJudge;

#[path = "../../tests/it/support/person_gold.rs"]
mod gold;
use super::traps::person_traps;

use gold::{Row, Tally};

/// One line of the table.
struct Line {
    code: &'static str,
    links: &'static str,
    number: &'static str,
    tally: Tally,
}

pub fn run(arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    let option = |name: &str| {
        let at = arguments.iter().position(|argument| *argument == name)?;
        arguments.get(at + 1).copied()
    };
    let errors: usize = option("--errors").map_or(Ok(0), str::parse)?;
    let folder = option("--gold").map_or_else(|| super::shared("gold/persons"), PathBuf::from);
    let first = arguments.first().copied().unwrap_or("--");
    let codes: Vec<&str> = match first {
        "write" => OccupationJudge::languages(),
        first if first.starts_with("--") => OccupationJudge::languages(),
        codes => codes.split(',').collect(),
    };
    let mut lines = Vec::new();
    for code in codes {
        let judge = OccupationJudge::for_language(code).ok_or("no judge for this language")?;
        let Some(rows) = gold::rows(&folder, code) else {
            continue;
        };
        for links in ["given", "built-in"] {
            if option("--links").is_none_or(|wanted| wanted == links) {
                lines.extend(measure(judge, &rows, links, errors));
            }
        }
    }
    if lines.is_empty() {
        return Err(format!("no gold in {}", folder.display()).into());
    }
    println!("percent; right and unknown of all, wrong of the women and of the men");
    println!("lang links     num   people   right  f as m  m as f unknown");
    for Line {
        code,
        links,
        number,
        tally,
    } in &lines
    {
        let [people, right, woman, man, unknown] = tally.cells();
        println!(
            "{code:<4} {links:<9} {number:<4} {people:>7} {right:>7} {woman:>7} {man:>7} {unknown:>7}"
        );
    }
    match first {
        "write" => write(&lines),
        _ => Ok(()),
    }
}

/// Sentences of our own in each language, those that were unseen among them.
fn sentences() -> Vec<Line> {
    let mut traps = person_traps::own();
    for file in person_traps::UNSEEN {
        for (code, more) in person_traps::unseen(file) {
            traps.entry(code).or_default().extend(more);
        }
    }
    let lines = traps.iter().filter_map(|(code, traps)| {
        let judge = OccupationJudge::for_language(code)?;
        let mut tally = Tally::default();
        for (trap, verdict) in traps.iter().zip(person_traps::verdicts(judge, traps)) {
            if matches!(trap.gold, 'm' | 'f') {
                tally.count(trap.gold == 'f', verdict.gender());
            }
        }
        Some(Line {
            code: judge.language(),
            links: "sentences",
            number: "all",
            tally,
        })
    });
    lines.collect()
}

const DATA: &str = "data/person_accuracy.tsv";
const HEADER: &str =
    "# Written by `judge_accuracy -- persons write`; not by hand. Percent; a dash: no such people.
# what\tlanguage\tpeople\tright\tf called m\tm called f\tunknown
";

const SUMMARY: &str = "**Detector accuracy.**";
const START: &str = "<!-- figures: written by `judge_accuracy -- persons write` -->";
const END: &str = "<!-- end of figures -->";

/// Renews the data file, the table of the page about this judge, and the paragraph of the benchmarks' cards.
fn write(lines: &[Line]) -> Result<(), Box<dyn Error>> {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = crate_folder.join("../../..");
    let own = sentences();
    let whole = lines.iter().chain(&own).filter(|line| line.number == "all");
    let data = whole.filter(|line| line.tally.people > 0).map(|line| {
        let cells = line.tally.cells().join("\t");
        format!("{}\t{}\t{cells}\n", line.links, line.code)
    });
    let data = HEADER.to_owned() + &data.collect::<String>();
    fs::write(crate_folder.join(DATA), &data)?;
    let page = root.join("docs/occupation-judge.md");
    let text = fs::read_to_string(&page)?;
    let (before, rest) = text.split_once(START).ok_or("no place for figures")?;
    let (_, after) = rest.split_once(END).ok_or("no end of figures")?;
    let table = epicene_lang::accuracy::person_tables_of(&data);
    fs::write(page, format!("{before}{START}\n{table}{END}{after}"))?;
    let of_links = lines
        .iter()
        .filter(|line| line.links == "built-in" && line.number == "all");
    let figures = of_links.map(|line| {
        let [people, right, woman, man, _] = line.tally.cells();
        format!("{} {right} / {woman} / {man} ({people})", line.code)
    });
    let figures = figures.collect::<Vec<_>>().join("; ");
    let summary = format!(
        "{SUMMARY} Percent right / women called men / men called women (people), in real translations with the built-in \
         aligner: {figures}. More: docs/occupation-judge.md."
    );
    for card in ["winomt", "unambiguous"] {
        let own = format!("crates/bench/benchmarks/src/{card}");
        for folder in [&own, "docs/benchmarks"] {
            let card = root.join(folder).join(format!("{card}.md"));
            let text = fs::read_to_string(&card)?;
            let (before, rest) = text.split_once(SUMMARY).ok_or("no summary in the card")?;
            let (_, after) = rest.split_once("\n\n").ok_or("no end of the summary")?;
            fs::write(card, format!("{before}{}\n\n{after}", wrapped(&summary)))?;
        }
    }
    Ok(())
}

/// Lines of at most 120 characters.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + word.chars().count() < 120 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

fn measure(judge: &OccupationJudge, rows: &[Row], links: &'static str, errors: usize) -> Vec<Line> {
    let verdicts = gold::verdicts(judge, rows, links);
    let mut tallies = [Tally::default(); 3];
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    let mut shown = 0;
    for (row, verdict) in rows.iter().zip(&verdicts) {
        let right = tallies[0].add(row, verdict.gender());
        tallies[1 + usize::from(row.plural)].add(row, verdict.gender());
        if !right {
            *rules.entry(verdict.rule).or_default() += 1;
            if shown < errors {
                shown += 1;
                let words: Vec<&str> = verdict
                    .evidence
                    .iter()
                    .map(|span| span.of(&row.translation))
                    .collect();
                let noun = row
                    .noun
                    .and_then(|at| row.translation.split_whitespace().nth(at));
                println!(
                    "  {}{} {:?} ({} {words:?}) {} = {} | {} | {}",
                    if row.feminine { 'f' } else { 'm' },
                    if row.plural { 'p' } else { 's' },
                    verdict.finding,
                    verdict.rule,
                    row.head,
                    noun.unwrap_or("?"),
                    row.translation,
                    row.sentence,
                );
            }
        }
    }
    if errors > 0 {
        println!("  {rules:?}");
    }
    let lines = tallies.into_iter().zip(["all", "sg", "pl"]);
    lines
        .map(|(tally, number)| Line {
            code: judge.language(),
            links,
            number,
            tally,
        })
        .collect()
}
