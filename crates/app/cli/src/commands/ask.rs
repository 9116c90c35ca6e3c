//! `epicene export-questions`: the questions of a benchmark as lines, for whoever answers elsewhere.

use std::collections::BTreeMap;
use std::io::Write;

use epicene_bench::{AskedColumn, Benchmark};
use epicene_core::{Item, ModelKind, TextFile};
use epicene_pipeline::exchange::{plan_hash, question_fields, question_id};
use epicene_run::{Asked, Coverage, Manifest, Probe, RunDirectory, RunWriter, Shard};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::args::{AskArgs, RunArgs};
use crate::commands::run;
use crate::failure::{Failure, Outcome};
use crate::{console, effects, host, systems};

/// The first line: what is asked, and how to make the run it belongs to.
#[derive(Serialize, Deserialize)]
pub struct Header {
    pub epicene: String,
    pub plan: String,
    benchmark: String,
    kind: ModelKind,
    data: Value,
    questions: usize,
    /// Arguments of `ask`, without the shard and the run directory.
    pub command: Vec<String>,
}

/// Everything about the questions of a plan.
pub struct Base {
    pub benchmark: &'static dyn Benchmark,
    /// Without a system.
    pub manifest: Manifest,
    pub items: Vec<Item>,
    pub inputs: BTreeMap<String, TextFile>,
    pub probes: Vec<Probe>,
    pub kind: ModelKind,
}

pub fn run(args: AskArgs) -> Result<Outcome, Failure> {
    effects::check(&args, &())?;
    if let Some(path) = &args.rest {
        return rest(&RunDirectory::open(path)?, args.shard);
    }
    let shard = args.shard;
    let base = base(&args, command())?;
    let questions = Questions {
        plan: plan_hash(&base.manifest, &base.probes),
        benchmark: base.benchmark,
        manifest: &base.manifest,
        probes: &base.probes,
        kind: base.kind,
    };
    if let Some(out) = &args.out {
        let manifest = base.manifest.clone();
        let items = base.items.iter().cloned();
        RunWriter::open(out, manifest, items, &base.inputs, false)?.finish()?;
        console::note(format!(
            "{}: tell it the answers with `epicene import-answers`",
            out.display()
        ));
    }
    let items = base.items.iter().enumerate();
    questions.write(
        items.map(|(index, item)| Ok((index, item.clone()))),
        shard,
        |_, _| true,
    )
}

/// The questions a run has no answer to.
fn rest(run: &RunDirectory, shard: Option<Shard>) -> Result<Outcome, Failure> {
    let (probes, kind) = asked_of(&run.manifest)?;
    let done = if run.manifest.systems.is_empty() {
        Coverage::new(run.plan.items().len() * probes.len())
    } else {
        run.observations(|_, _, _| Ok::<(), Failure>(()))?
    };
    let questions = Questions {
        plan: plan_hash(&run.manifest, &probes),
        benchmark: epicene_pipeline::benchmark(&run.manifest.benchmark)?,
        manifest: &run.manifest,
        probes: &probes,
        kind,
    };
    let items = run.plan.items();
    let read = (0..items.len()).map(|index| Ok((index, items.get(index)?)));
    questions.write(read, shard, |index, probe| {
        !done.has(index * probes.len() + probe)
    })
}

/// What the one system of a run is asked.
pub fn asked_of(manifest: &Manifest) -> Result<(Vec<Probe>, ModelKind), Failure> {
    let kind = match (&manifest.asked, manifest.systems.as_slice()) {
        (_, [system]) => system.card.kind,
        (Some(asked), []) => asked.kind,
        _ => {
            return Err(Failure::usage(
                "answers can be told to a run of one system; this one has several",
            ));
        }
    };
    Ok((manifest.asked_probes(), kind))
}

struct Questions<'a> {
    plan: String,
    benchmark: &'a dyn Benchmark,
    manifest: &'a Manifest,
    probes: &'a [Probe],
    kind: ModelKind,
}

impl Questions<'_> {
    fn write(
        &self,
        items: impl Iterator<Item = Result<(usize, Item), Failure>>,
        shard: Option<Shard>,
        wanted: impl Fn(usize, usize) -> bool,
    ) -> Result<Outcome, Failure> {
        let mut out = console::stdout();
        let header = Header {
            epicene: env!("CARGO_PKG_VERSION").to_owned(),
            plan: self.plan.clone(),
            benchmark: self.manifest.benchmark.clone(),
            kind: self.kind,
            data: serde_json::to_value(&self.manifest.data).map_err(std::io::Error::from)?,
            questions: self
                .manifest
                .data
                .items
                .min(self.manifest.limit.unwrap_or(usize::MAX))
                * self.probes.len(),
            command: self.manifest.command.clone(),
        };
        serde_json::to_writer(&mut out, &header).map_err(std::io::Error::from)?;
        out.write_all(b"\n")?;
        let mut count = 0u64;
        for item in items {
            let (index, item) = item?;
            if shard.is_some_and(|shard| !shard.has(index)) {
                continue;
            }
            for (place, probe) in self.probes.iter().enumerate() {
                if !wanted(index, place) {
                    continue;
                }
                let question = self.benchmark.question(&item, &probe.ask);
                let Some(mut fields) = question_fields(&question) else {
                    return Err(nobody(self.benchmark, self.kind));
                };
                for (name, value) in [
                    ("id", question_id(&self.plan, index, &item, probe)),
                    ("item", item.id.clone()),
                    ("unit", probe.ask.unit.to_string()),
                ] {
                    fields.insert(name.to_owned(), Value::String(value));
                }
                serde_json::to_writer(&mut out, &fields).map_err(std::io::Error::from)?;
                out.write_all(b"\n")?;
                count += 1;
            }
        }
        out.flush()?;
        console::note(console::count(count, "question"));
        Ok(Outcome::Done)
    }
}

fn nobody(benchmark: &dyn Benchmark, kind: ModelKind) -> Failure {
    let name = benchmark.card().name;
    Failure::usage(format!("{name} asks nothing of a {kind} system"))
}

/// The questions that `ask` means, with all that a run needs.
pub fn base(args: &AskArgs, command: Vec<String>) -> Result<Base, Failure> {
    let kind = args.kind.expect("clap requires it");
    let translator = kind == ModelKind::Translator;
    let stand_in = translator.then(|| "copy:".parse().expect("`copy:` is a translator"));
    let run = RunArgs {
        benchmark: args.benchmark.clone().expect("clap requires it"),
        // Languages are chosen as for any translator.
        translators: stand_in.into_iter().collect(),
        lang: args.lang.clone(),
        data: args.data.clone(),
        size: args.size.clone(),
        pairs: args.pairs.clone(),
        input: args.input.clone(),
        sentences: args.sentences.clone(),
        limit: args.limit,
        choices: args.choices.clone(),
        ..RunArgs::default()
    };
    let mut prepared = run::prepare(&run)?;
    let benchmark = prepared.benchmark;
    let probes = systems::probes(&run, benchmark, kind, (&prepared.options, &prepared.inputs))?;
    if probes.is_empty() {
        return Err(nobody(benchmark, kind));
    }
    let columns = probes
        .iter()
        .cloned()
        .map(|ask| AskedColumn { system: None, ask });
    prepared.refuse_unread(&run, columns.collect())?;
    let asked = Asked {
        kind,
        probes,
        told_by: None,
    };
    let (mut manifest, items, inputs) = prepared.into_manifest(&run, Vec::new());
    manifest.asked = Some(asked);
    manifest.command = command;
    Ok(Base {
        benchmark,
        probes: manifest.asked_probes(),
        manifest,
        items,
        inputs,
        kind,
    })
}

/// The arguments of this command that say what is asked.
fn command() -> Vec<String> {
    let mut kept = Vec::new();
    let mut arguments = host::command().into_iter().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--shard" | "--out" => {
                arguments.next();
            }
            other if other.starts_with("--shard=") || other.starts_with("--out=") => {}
            _ => kept.push(argument),
        }
    }
    kept
}
