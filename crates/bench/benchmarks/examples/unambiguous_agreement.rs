//! How often the judge, from raw translations and the built-in aligner, finds the gender that the
//! paper's tagger and aligner found: the table of docs/benchmarks/unambiguous.md.
//!
//! `cargo run --release -p epicene-bench --example unambiguous_agreement -- DIRECTORY [LANG…]`, the
//! directory holding `LANG.mt.gz` and `LANG.result.gz`. With `DISAGREEMENTS=N` every N-th
//! disagreement is printed.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use epicene_bench::options::DETECTOR;
use epicene_bench::unambiguous::Unambiguous;
use epicene_bench::{Benchmark, Options, judge};
use epicene_core::{Answer, AnswerTable, Language, ModelKind, Scorer, SystemCard, Unit};
use flate2::read::MultiGzDecoder;

const LANGUAGES: &str = "be ca de el es fr hi hr lv pl ro ru ur";

fn lines(path: &Path) -> Vec<String> {
    let mut text = String::new();
    MultiGzDecoder::new(File::open(path).unwrap())
        .read_to_string(&mut text)
        .unwrap();
    text.lines().map(str::to_owned).collect()
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().unwrap();
    let directory = Path::new(&directory);
    let mut languages: Vec<String> = arguments.collect();
    if languages.is_empty() {
        languages = LANGUAGES.split(' ').map(str::to_owned).collect();
    }
    let every = std::env::var("DISAGREEMENTS").ok();
    let every: Option<usize> = every.and_then(|n| n.parse().ok());
    println!(
        "| language | tagged | same | opposite | undecided | not tagged | decided here | by lexicon |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for language in languages {
        let translations = lines(&directory.join(format!("{language}.mt.gz")));
        let tags = lines(&directory.join(format!("{language}.result.gz")));
        let set = Unambiguous.make_data("s-without-nanny", &Options::default());
        let mut items = set.unwrap().unwrap().items;
        items.truncate(tags.len());
        let system = SystemCard {
            name: "m2m".to_owned(),
            source: String::new(),
            revision: None,
            dtype: None,
            tokenizer: None,
            kind: ModelKind::Translator,
        };
        let unit = Unit::into_language(Language::find(&language).unwrap());
        let column = (0, unit, Scorer::Translate);
        let mut table = AnswerTable::new(items.iter().collect(), vec![system], [column]);
        for (index, text) in translations.iter().enumerate() {
            table.put(index, 0, Answer::Translation(text.clone()));
        }
        let options = Options::default().with(&DETECTOR, "published");
        let judged = judge(&Unambiguous, &table, &options).unwrap().remove(0);
        let (mut same, mut opposite, mut undecided, mut extra, mut rest) = (0, 0, 0, 0, 0);
        let mut shown = 0;
        let mut rules: BTreeMap<(String, &str), usize> = BTreeMap::new();
        for index in 0..items.len() {
            let found = judged.cells[index].as_ref().unwrap();
            let letter = found.finding.letter();
            let published = match tags[index].trim() {
                "Masc" => 'm',
                "Fem" => 'f',
                _ => {
                    rest += 1;
                    extra += usize::from(matches!(letter, 'm' | 'f'));
                    continue;
                }
            };
            match letter {
                verdict if verdict == published => same += 1,
                'm' | 'f' => opposite += 1,
                _ => undecided += 1,
            }
            if letter != published {
                let kind = format!("{published}>{letter}");
                shown += 1;
                if every.is_some_and(|every| shown % every == 0) {
                    let (source, target) = (&items[index].text, &translations[index]);
                    let (rule, evidence) = (found.rule, &found.evidence);
                    println!("  {kind} {rule} {evidence:?}\t{source}\t{target}");
                }
                *rules.entry((kind, found.rule)).or_default() += 1;
            }
        }
        let tagged = same + opposite + undecided;
        let share = |count: usize| count as f64 / tagged as f64;
        let by_lexicon = judged.counts.get("found_by_lexicon");
        println!(
            "| {language} | {tagged} | {:.4} | {:.4} | {:.4} | {rest} | {extra} | {} |",
            share(same),
            share(opposite),
            share(undecided),
            by_lexicon.copied().unwrap_or(0),
        );
        if every.is_some() {
            let mut rules: Vec<_> = rules.into_iter().collect();
            rules.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            for ((kind, rule), count) in rules.iter().take(6) {
                println!("    {kind} {rule}: {count}");
            }
        }
    }
}
