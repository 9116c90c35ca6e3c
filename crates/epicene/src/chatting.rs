//! Chat models as a run uses them: opened with their cache, held back where they would cost money nobody agreed to, asked
//! for probabilities where they give them, and summed up at the end.

use std::sync::Arc;

use epicene_bench::{Ask, Benchmark, Options};
use epicene_core::{
    Answer, ModelKind, Query, Question, Scorer, ServerCard, SystemCard, Unit, counted,
};
use epicene_io::http::RetryPolicy;
use epicene_lm::chat::{ChatService, ChatSpec, LocalChat, NullChat};
use epicene_lm::generate::TextGenerator;
use epicene_lm::{EngineOptions, LanguageModel, LmError, SystemSpec};
use epicene_mt::{Cache, CachedChat, ChatBill, TokenPrice};
use epicene_run::RunWriter;

use crate::failure::Failure;
use crate::translating::tell_download;
use crate::{console, datasets};

/// A paid run of more questions than this is not started without the user's word.
const QUESTIONS_WITHOUT_ASKING: u64 = 1000;

/// Whether a benchmark is about chat models alone.
pub fn is_for(benchmark: &dyn Benchmark) -> bool {
    let asks = |kind| !benchmark.asks(kind, &Options::default()).is_empty();
    asks(ModelKind::Chat) && !asks(ModelKind::Masked) && !asks(ModelKind::Causal)
}

/// Opens a service with its cache.
pub fn open(
    spec: &ChatSpec,
    fresh: bool,
    price: Option<TokenPrice>,
) -> Result<CachedChat, Failure> {
    let service = ChatService::open(spec, RetryPolicy::from_environment()?)?;
    let cache = Cache::new(datasets::cache_root()?.join("chat"));
    Ok(CachedChat::new(service, cache, fresh, price))
}

/// A checkpoint that is run here with its chat template; `None` for other systems.
pub fn local(
    spec: &SystemSpec,
    engine: EngineOptions,
    ignored: &[String],
) -> Result<Option<LocalChat>, Failure> {
    let generator = match spec {
        SystemSpec::Checkpoint(spec) => TextGenerator::open(spec, engine, ignored, &tell_download)?,
        SystemSpec::Gguf(path) => TextGenerator::open_gguf(path, engine)?,
        _ => return Ok(None),
    };
    let model = LocalChat::new(generator)?;
    console::place(&model.card().name, model.place(), model.loading());
    Ok(Some(model))
}

/// The null system a command names, where it holds a conversation.
pub fn null(spec: &SystemSpec) -> Option<NullChat> {
    match spec {
        SystemSpec::Random(seed) => Some(NullChat::random(*seed)),
        SystemSpec::AlwaysHe => Some(NullChat::he()),
        SystemSpec::AlwaysShe => Some(NullChat::she()),
        SystemSpec::AlwaysFirst => Some(NullChat::first()),
        SystemSpec::AlwaysNeither => Some(NullChat::neither()),
        _ => None,
    }
}

/// Of units that are offered with and without probabilities, the way the system can be asked.
pub fn able(model: &dyn LanguageModel, asks: Vec<Ask>) -> Result<Vec<Ask>, Failure> {
    let mut kept: Vec<Ask> = Vec::new();
    for ask in &asks {
        let other = match ask.scorer {
            Scorer::ChoiceLogprob => Scorer::ChoiceSampled,
            Scorer::ChoiceSampled => Scorer::ChoiceLogprob,
            _ => {
                kept.push(ask.clone());
                continue;
            }
        };
        let by_probability = ask.scorer == Scorer::ChoiceLogprob;
        let offered = asks
            .iter()
            .any(|one| one.unit == ask.unit && one.scorer == other);
        if !offered && !by_probability {
            kept.push(ask.clone());
            continue;
        }
        let shows = model.option_probabilities(ask.unit.as_str())?;
        if shows == by_probability {
            kept.push(ask.clone());
        } else if !offered {
            let name = &model.card().name;
            return Err(
                Failure::system(format!("{name} gives no probabilities of options")).with_hint(
                    "--choice sampled reads what it writes; a model run here gives probabilities",
                ),
            );
        }
    }
    Ok(kept)
}

/// Of units that are offered with and without probabilities, the way that every system can be asked: nobody knows yet who
/// will answer.
pub fn by_anybody(asks: Vec<Ask>) -> Vec<Ask> {
    let sampled = |unit: &Unit| {
        let mut all = asks.iter();
        all.any(|one| one.unit == *unit && one.scorer == Scorer::ChoiceSampled)
    };
    let kept = |ask: &&Ask| ask.scorer != Scorer::ChoiceLogprob || !sampled(&ask.unit);
    asks.iter().filter(kept).cloned().collect()
}

/// A system that holds a conversation, without a benchmark around it.
pub fn open_alone(
    spec: &SystemSpec,
    engine: EngineOptions,
    ignored: &[String],
    yes: bool,
) -> Result<Box<dyn LanguageModel>, Failure> {
    if let SystemSpec::Chat(spec) = spec {
        let chat = open(spec, false, None)?;
        if chat.is_paid() && !yes {
            return Err(Failure::usage(format!(
                "{} costs money, and how much a stream will ask cannot be known",
                chat.card().name
            ))
            .with_hint("give --yes to ask for whatever comes"));
        }
        return Ok(Box::new(chat));
    }
    if let Some(null) = null(spec) {
        return Ok(Box::new(null));
    }
    match local(spec, engine, ignored)? {
        Some(model) => Ok(Box::new(model)),
        None => Err(Failure::usage(format!("{spec} holds no conversation"))
            .with_hint("chat:MODEL@URL, anthropic:MODEL, gemini:MODEL, dir:PATH, hf:ORG/NAME, gguf:PATH do")),
    }
}

/// Makes sure that the answers a run has are by the models that are asked now: a service may have changed one under its
/// name since. `chats` are in the order of the manifest's systems.
pub fn take_over(writer: &RunWriter, chats: &[Option<Arc<CachedChat>>]) -> Result<(), Failure> {
    if writer.done.count() == 0 || chats.iter().all(Option::is_none) {
        return Ok(());
    }
    let probes = writer.run.plan.probes();
    writer.run.observations(|_, probe, answer| {
        match (&chats[probes[probe].system], answer.plain().0) {
            (Some(chat), Answer::Chat(answer)) => Ok(chat.accept(answer)?),
            _ => Ok::<(), Failure>(()),
        }
    })?;
    Ok(())
}

/// Counts what paid services would be asked, in the whole plan: all shards and services together. Refuses what nobody
/// agreed to. The estimated dollars, where the price is known. `chats` are in the order of the manifest's systems.
pub fn agree_on_cost(
    writer: &RunWriter,
    benchmark: &dyn Benchmark,
    chats: &[Option<Arc<CachedChat>>],
    yes: bool,
) -> Result<Option<f64>, Failure> {
    let plan = &writer.run.plan;
    let (mut lines, mut questions, mut total) = (Vec::new(), 0, Some(0.0));
    for (system, chat) in chats.iter().enumerate() {
        let Some(chat) = chat.as_ref().filter(|chat| chat.is_paid()) else {
            continue;
        };
        let mut bill = ChatBill::default();
        for (place, probe) in plan.probes().iter().enumerate() {
            if probe.system != system {
                continue;
            }
            for index in 0..plan.items().len() {
                // What another shard asks is paid for as well.
                if plan.is_ours(index) && writer.done.has(plan.ordinal(index, place)) {
                    continue;
                }
                let item = plan.items().get(index)?;
                if let Question::Chat(question) = benchmark.question(&item, &probe.ask) {
                    bill.add(chat, &question)?;
                }
            }
        }
        if bill.questions == 0 {
            continue;
        }
        let dollars = chat
            .price()
            .map(|price| price.estimate(bill.tokens_in, bill.tokens_out));
        total = total.zip(dollars).map(|(total, dollars)| total + dollars);
        let cost = match dollars {
            Some(dollars) => format!("at most about {dollars:.2} USD at the price you gave"),
            None => "at a price that is not known here (--price IN,OUT names it)".to_owned(),
        };
        questions += bill.questions;
        lines.push(format!(
            "{}: {} to ask, about {} tokens in and at most {} out, {cost}",
            chat.card().name,
            counted(bill.questions, "question", "questions"),
            bill.tokens_in,
            bill.tokens_out
        ));
    }
    if questions > QUESTIONS_WITHOUT_ASKING && !yes {
        return Err(Failure::usage(lines.join("; ")).with_hint(
            "give --yes to ask them, or --budget USD, or --limit N, --orders N, --frames to ask fewer; what is in the cache is not counted",
        ));
    }
    lines.into_iter().for_each(console::note);
    Ok(total)
}

/// What was asked, for people.
pub fn sum_up(chat: &CachedChat) {
    let spent = chat.spent();
    if spent.asked == 0 && spent.from_cache == 0 {
        return;
    }
    let cost = chat
        .price()
        .map(|price| price.estimate(spent.tokens_in, spent.tokens_out))
        .filter(|_| spent.asked > 0)
        .map_or_else(String::new, |dollars| {
            format!(" (about {dollars:.2} USD, an estimate)")
        });
    console::note(format!(
        "{}: asked {}{cost}; {} in the cache",
        chat.card().name,
        counted(spent.asked, "question", "questions"),
        counted(spent.from_cache, "answer was", "answers were")
    ));
}

/// A chat model that a run asks and a command looks at.
pub struct Shared(pub Arc<CachedChat>);

impl LanguageModel for Shared {
    fn card(&self) -> &SystemCard {
        self.0.card()
    }

    fn batch_size(&self) -> usize {
        self.0.batch_size()
    }

    fn option_probabilities(&self, unit: &str) -> Result<bool, LmError> {
        self.0.option_probabilities(unit)
    }

    fn server(&self) -> Result<Option<ServerCard>, LmError> {
        self.0.server()
    }

    fn observe(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, LmError> {
        self.0.observe(batch)
    }
}
