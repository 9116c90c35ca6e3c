//! An encoder as an aligner: opened once, before anything that costs, and asked for links pair by pair.

use std::collections::BTreeMap;

use epicene_bench::{Benchmark, Card};
use epicene_core::System as _;
use epicene_core::{Answer, Column, short_hash};
use epicene_lang::align::{Alignments, EncoderThreshold, SubwordVectors, from_vectors};
use epicene_lm::{EngineOptions, ModelSpec, TransformerModel, WordPieces};
use epicene_run::{Manifest, RunDirectory};
use rayon::prelude::*;

use crate::args::Aligner;
use crate::failure::Failure;
use crate::{console, effects, translating};

/// Pairs an encoder reads before their links are handed over.
const BATCH: usize = 256;

/// The role of given links, which go before an encoder's.
const ALIGN: &str = "align";

pub struct Encoder {
    model: TransformerModel,
    layer: usize,
    threshold: EncoderThreshold,
}

impl Encoder {
    /// Opens the model and looks whether it has the layer.
    pub fn open(
        spec: &ModelSpec,
        layer: usize,
        threshold: EncoderThreshold,
    ) -> Result<Encoder, Failure> {
        let options = EngineOptions {
            threads: rayon::current_num_threads(),
            ..EngineOptions::default()
        };
        let mut model = spec.open(options, &translating::tell_download)?;
        model.cut_after(layer)?;
        Ok(Encoder {
            model,
            layer,
            threshold,
        })
    }

    /// The encoder a command names, if it names one.
    pub fn of(aligner: &Aligner) -> Result<Option<Encoder>, Failure> {
        match aligner {
            Aligner::BuiltIn => Ok(None),
            Aligner::Encoder { spec, layer } => {
                Encoder::open(spec, *layer, EncoderThreshold::default()).map(Some)
            }
        }
    }

    /// As the signature names it.
    pub fn name(&self) -> String {
        let card = self.model.card();
        let revision = card.revision.as_deref().map_or("", short_hash);
        let threshold = if self.threshold == EncoderThreshold::default() {
            String::new()
        } else {
            format!(",p>{}", self.threshold.0)
        };
        let layer = self.layer;
        format!("encoder({},{revision},layer-{layer}{threshold})", card.name)
    }

    /// Links of tokenised pairs, handed over batch by batch.
    pub fn links(
        &self,
        pairs: &[(Vec<String>, Vec<String>)],
        mut take: impl FnMut(&Alignments) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let progress = console::progress(pairs.len() as u64, "align");
        for batch in pairs.chunks(BATCH) {
            let sides: Vec<Vec<String>> = batch
                .iter()
                .flat_map(|(source, target)| [source.clone(), target.clone()])
                .collect();
            let vectors: Vec<SubwordVectors> = self
                .model
                .word_pieces(&sides)?
                .into_iter()
                .map(|WordPieces { values, words }| SubwordVectors { values, words })
                .collect();
            let links: Vec<_> = vectors
                .par_chunks_exact(2)
                .map(|pair| from_vectors(&pair[0], &pair[1], self.threshold))
                .collect();
            let mut alignments = Alignments::default();
            for links in links {
                alignments.push(links);
            }
            take(&alignments)?;
            progress.inc(batch.len() as u64);
        }
        progress.finish_and_clear();
        Ok(())
    }

    /// Links every translation of a run whose links nobody gave, and keeps them with the run. Made of the words
    /// between white space, as `epicene align` makes them of lines, so that both are one.
    pub fn link_run(
        &self,
        run: &mut RunDirectory,
        benchmark: &dyn Benchmark,
    ) -> Result<(), Failure> {
        check(benchmark)?;
        let table = epicene_pipeline::load(run)?;
        let answered = |column: &Column| column.answers.iter().all(Option::is_some);
        if !table.columns.iter().all(answered) {
            let path = run.path().display();
            return Err(Failure::input(format!("{path}: the run lacks answers"))
                .with_hint("finish it with the command that began it, then link it"));
        }
        let mut made = BTreeMap::new();
        for (probe, column) in table.columns.iter().enumerate() {
            if is_given(&run.manifest, probe) {
                continue;
            }
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
            let pair = |item: usize| -> (Vec<String>, Vec<String>) {
                match column.answers[item].as_ref().map(|answer| answer.plain().0) {
                    Some(Answer::Translation(text)) => {
                        (words(table.items.get(item).text), words(text))
                    }
                    _ => Default::default(),
                }
            };
            let pairs: Vec<_> = (0..table.items.len()).map(pair).collect();
            if pairs.iter().all(|(_, target)| target.is_empty()) {
                continue;
            }
            let mut text = Vec::new();
            self.links(&pairs, |batch| Ok(write_links(batch, &mut text)?))?;
            let text = String::from_utf8(text).expect("links are digits, dashes and spaces");
            made.insert(probe, text);
        }
        if made.is_empty() {
            return Err(Failure::input(format!(
                "{}: there is no translation without given links to align",
                run.path().display()
            )));
        }
        Ok(run.write_links(&self.name(), &made)?)
    }
}

/// Refuses a benchmark that reads no links.
fn check(benchmark: &dyn Benchmark) -> Result<(), Failure> {
    let card = benchmark.card();
    if reads_links(card) {
        return Ok(());
    }
    let owners = effects::owners(reads_links);
    Err(Failure::usage(format!(
        "{} does not link words; --aligner is an option of {owners}",
        card.name
    )))
}

/// Whether a benchmark links words of a translation to those of its source.
pub fn reads_links(card: &Card) -> bool {
    card.inputs.iter().any(|spec| spec.role == ALIGN)
}

/// Refuses an encoder that would find no translation to link, before anybody is asked.
pub fn refuse_idle(manifest: &Manifest) -> Result<(), Failure> {
    let mut probes = 0..manifest.probes().len();
    if probes.all(|probe| is_given(manifest, probe)) {
        return Err(Failure::usage(
            "--aligner has no effect here; it is for translations without given links or tags",
        ));
    }
    Ok(())
}

/// Whether somebody gave links, or verdicts, for a column.
fn is_given(manifest: &Manifest, probe: usize) -> bool {
    let probe = &manifest.probes()[probe];
    let Some(language) = probe.ask.unit.language() else {
        return true;
    };
    let system = &manifest.systems[probe.system].card.name;
    let has = |role: &str| manifest.inputs.contains_key(role);
    has(&format!("{ALIGN}:{system}:{language}"))
        || [ALIGN, "aligned", "result"]
            .iter()
            .any(|role| has(&format!("{role}:{language}")))
}

/// Links in Pharaoh's form, a line for each pair.
pub fn write_links(alignments: &Alignments, out: &mut impl std::io::Write) -> std::io::Result<()> {
    for links in alignments.iter() {
        for (place, link) in links.iter().enumerate() {
            let space = if place > 0 { " " } else { "" };
            write!(out, "{space}{link}")?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}
