//! `epicene cite`: what to cite for a benchmark or a run, as BibTeX.

use std::path::Path;

use epicene_run::RunDirectory;

use crate::args::CiteArgs;
use crate::failure::{Failure, Outcome};
use crate::{console, datasets};

const CITATIONS: &str = include_str!("../../data/citations.bib");

/// This program.
const OWN: &str = "@software{epicene,
  title = {epicene: gender bias in language models and machine translation},
  author = {{The epicene developers}},
  version = {VERSION},
  license = {MIT OR Apache-2.0},
  url = {https://github.com/epicene/epicene}
}
";

pub fn run(args: CiteArgs) -> Result<Outcome, Failure> {
    let mut named_ones = Vec::new();
    for name in &args.what {
        named_ones.push(named(name)?);
    }
    let text = bibtex(&named_ones);
    console::print(|out| out.write_all(text.as_bytes()))?;
    Ok(Outcome::Done)
}

/// What to cite for benchmarks and the data they asked about, and this program.
pub fn bibtex(named: &[(String, Option<String>)]) -> String {
    let mut keys: Vec<&str> = Vec::new();
    for (benchmark, data) in named {
        for key in keys_of(benchmark)
            .into_iter()
            .chain(data.iter().flat_map(|d| keys_of(d)))
        {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
    }
    let entries: String = keys
        .iter()
        .map(|key| format!("{}\n\n", entry(key)))
        .collect();
    entries + &OWN.replace("VERSION", env!("CARGO_PKG_VERSION"))
}

/// A benchmark by its name, or a run by its directory with the data it asked about.
fn named(name: &str) -> Result<(String, Option<String>), Failure> {
    if Path::new(name).join("manifest.json").exists() {
        let run = RunDirectory::open(Path::new(name))?;
        let manifest = &run.manifest;
        return Ok((manifest.benchmark.clone(), Some(manifest.data.name.clone())));
    }
    let benchmark = epicene_pipeline::benchmark(name).map_err(|error| {
        Failure::from(error)
            .with_hint("give a run directory or a benchmark (see `epicene list benchmarks`)")
    })?;
    Ok((benchmark.card().name.to_owned(), None))
}

/// The keys of a benchmark or data set.
fn keys_of(name: &str) -> Vec<&'static str> {
    let benchmark = epicene_bench::find(name);
    let own = benchmark.map_or(&[][..], |benchmark| benchmark.card().cites);
    let of_data = datasets::citations(name).into_iter().flatten();
    own.iter().copied().chain(of_data).collect()
}

/// The entry of a key. Cards and the registry of data sets name none that is not there.
fn entry(key: &str) -> &'static str {
    let found = CITATIONS.find(&format!("{{{key},"));
    let key = found.unwrap_or_else(|| unreachable!("citations.bib has no entry `{key}`"));
    let start = CITATIONS[..key].rfind('@');
    let entry = &CITATIONS[start.expect("an entry begins with @")..];
    let end = entry.find("\n}").expect("an entry ends with }");
    &entry[..end + 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_benchmark_can_be_cited() {
        for benchmark in epicene_bench::ALL {
            let keys = keys_of(benchmark.card().name);
            // A benchmark of our own cites what it builds on, on its card.
            for key in keys {
                assert!(entry(key).starts_with('@'), "{key}");
            }
        }
        for dataset in datasets::licensed(&[]).unwrap() {
            for key in keys_of(dataset) {
                assert!(entry(key).starts_with('@'), "{key}");
            }
        }
        for name in [
            "gest",
            "gest-pairs",
            "winobias-means",
            "mbe",
            "eurogest",
            "mtgeneval",
            "gate",
        ] {
            assert!(!keys_of(name).is_empty(), "{name}");
        }
    }
}
