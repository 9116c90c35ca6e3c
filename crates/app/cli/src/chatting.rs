//! Chat models as a run uses them: opened with their cache, and asked for probabilities where they give them.

use std::sync::Arc;

use epicene_bench::{Ask, Benchmark, Options};
use epicene_core::{ModelKind, Scorer, System, Unit};
use epicene_io::http::RetryPolicy;
use epicene_lm::chat::{ChatService, ChatSpec, LocalChat, NullChat};
use epicene_lm::generate::TextGenerator;
use epicene_lm::{EngineOptions, SystemSpec};
use epicene_mt::{Budget, Cache, CachedChat, TokenPrice};

use crate::failure::Failure;
use crate::translating::tell_download;
use crate::{console, datasets};

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
    budget: Option<Arc<Budget>>,
) -> Result<CachedChat, Failure> {
    let service = ChatService::open(spec, RetryPolicy::from_environment()?)?;
    let cache = Cache::new(datasets::cache_root()?.join("chat"));
    Ok(CachedChat::new(service, cache, fresh, price, budget))
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
pub fn able(model: &dyn System, asks: Vec<Ask>) -> Result<Vec<Ask>, Failure> {
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
                    "--choice sampled reads what it writes; a model that epicene runs gives probabilities",
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

/// Refuses a system that costs money where nobody can know how much, unless the user agreed.
pub fn refuse_costs(system: &dyn System, yes: bool) -> Result<(), Failure> {
    if yes || system.cost(&mut std::iter::empty())?.is_none() {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{} costs money, and how much a stream will ask cannot be known",
        system.card().name
    ))
    .with_hint("give --yes to ask for whatever comes"))
}

/// A system that holds a conversation, without a benchmark around it.
pub fn open_alone(
    spec: &SystemSpec,
    engine: EngineOptions,
    ignored: &[String],
    yes: bool,
) -> Result<Box<dyn System>, Failure> {
    if let SystemSpec::Chat(spec) = spec {
        let chat = open(spec, false, None, None)?;
        refuse_costs(&chat, yes)?;
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
