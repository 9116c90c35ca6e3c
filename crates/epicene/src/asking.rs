//! Puts the questions of a plan to the systems, for people to watch: progress, costs, signals.

use std::path::Path;
use std::sync::Arc;

use epicene_bench::{Ask, Benchmark};
use epicene_core::{Question, counted};
use epicene_io::stop;
use epicene_lm::LanguageModel;
use epicene_mt::{Bill, Budget, CachedChat, CachedTranslator, Direction};
use epicene_pipeline::Event;
use epicene_run::{RunWriter, Shard};
use indicatif::ProgressBar;

use crate::failure::Failure;
use crate::{signals, translating};

/// Asks what has no answer yet. `models` are in the order of the manifest's systems.
pub fn ask_all(
    writer: &mut RunWriter,
    benchmark: &dyn Benchmark,
    models: &[Box<dyn LanguageModel>],
    progress: &ProgressBar,
) -> Result<(), Failure> {
    let _finishing = signals::finishing();
    let batches: Vec<usize> = models.iter().map(|model| model.batch_size()).collect();
    let asked = epicene_pipeline::ask(
        writer,
        benchmark,
        &batches,
        |system, batch, on| Ok(models[system].observe_each(batch, on)?),
        |event| match event {
            Event::Started { done } => {
                progress.set_position(done);
                Ok(())
            }
            Event::Answered { count, done } => {
                progress.inc(count);
                stop::check().map_err(|stopped| Failure::stopped(stopped, &kept(done)))
            }
        },
    );
    if asked.is_ok() {
        progress.finish_and_clear();
    }
    // A request that was broken off says nothing of what came before it.
    asked.map_err(|failure| failure.or_stopped_keeping(&kept(writer.done.count())))
}

fn kept(answers: u64) -> String {
    format!(
        "{} kept, and the same command continues",
        counted(answers, "answer is", "answers are")
    )
}

/// Counts what paid translators would be asked for, in the whole plan: all shards, languages and services together.
/// Refuses what nobody agreed to. The estimated dollars, where prices are known. `translators` are in the order of the manifest's systems.
pub fn agree_on_cost(
    writer: &RunWriter,
    benchmark: &dyn Benchmark,
    translators: &[Option<Arc<CachedTranslator>>],
    yes: bool,
) -> Result<Option<f64>, Failure> {
    let plan = &writer.run.plan;
    let mut bills = Vec::new();
    for (system, translator) in translators.iter().enumerate() {
        let Some(translator) = translator.as_ref().filter(|t| t.price().is_some()) else {
            continue;
        };
        let probes: Vec<(usize, Ask)> = plan
            .probes()
            .iter()
            .enumerate()
            .filter(|(_, probe)| probe.system == system)
            .map(|(place, probe)| (place, probe.ask.clone()))
            .collect();
        let mut bill = Bill::default();
        for index in 0..plan.items().len() {
            // What another shard asks is paid for as well.
            let open = |(probe, _): &&(usize, Ask)| {
                !plan.is_ours(index) || !writer.done.has(plan.ordinal(index, *probe))
            };
            let mut open = probes.iter().filter(open).peekable();
            if open.peek().is_none() {
                continue;
            }
            let item = plan.items().get(index)?;
            for (_, ask) in open {
                let question = benchmark.question(&item, ask);
                if let Question::Translate { text, from, to } = &question {
                    bill.add(translator, text, Direction { from, to })?;
                }
            }
        }
        bills.push((translator.as_ref(), bill));
    }
    translating::agree(&bills, yes)
}

/// Keeps paid systems within a budget for the whole plan: an N-th of it for a shard of N, what the run spent before
/// included. Refuses at once what cannot be enough, and systems whose price nobody knows. `costs` are estimates.
pub fn keep_within(
    budget: f64,
    costs: &[Option<f64>],
    (run, shard): (&Path, Option<Shard>),
    translators: &[Option<Arc<CachedTranslator>>],
    chats: &[Option<Arc<CachedChat>>],
) -> Result<(), Failure> {
    let costs_money = |translator: &&Arc<CachedTranslator>| translator.price().is_some();
    let mut paid = translators.iter().flatten().filter(costs_money);
    if paid.next().is_none() && chats.iter().flatten().next().is_none() {
        return Err(Failure::usage(
            "--budget has no effect here; it is for services that cost money, and none is asked",
        ));
    }
    let costs: Option<Vec<f64>> = costs.iter().copied().collect();
    let Some(costs) = costs else {
        return Err(Failure::usage(
            "--budget needs a price, and that of a system is not known here",
        )
        .with_hint("--price IN,OUT says what a million tokens of a chat model cost in dollars"));
    };
    let parts = shard.map_or(1, |shard| shard.of);
    let own = Budget::open(run.join("spent.json"), budget / f64::from(parts))?;
    let own = Arc::new(own);
    let estimate: f64 = costs.iter().sum();
    // What other shards spent is not known here; their answers are in a common cache, or are counted as open.
    if estimate + own.spent() > budget {
        return Err(Failure::usage(format!(
            "what is left to ask costs up to about {estimate:.2} USD, {:.2} are spent, and the budget is {budget:.2}",
            own.spent()
        ))
        .with_hint("give a larger --budget, or ask fewer with --limit N"));
    }
    for translator in translators.iter().flatten() {
        translator.keep_within(&own);
    }
    for chat in chats.iter().flatten() {
        chat.keep_within(&own);
    }
    Ok(())
}
