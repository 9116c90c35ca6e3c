//! Translators as commands use them: opened with their cache, and held back where they would cost money nobody agreed to.

use std::sync::Arc;

use epicene_core::{Answer, System};
use epicene_io::http::RetryPolicy;
use epicene_io::stop;
use epicene_lm::{Download, Placement};
use epicene_mt::{Bill, Budget, Cache, CachedTranslator, Direction, Named, Opening, Translated};

use crate::args::AskingArgs;
use crate::failure::Failure;
use crate::{asking, console, datasets};

/// Opens a translator from every one of these languages into every other.
pub fn open(
    named: &Named,
    from: &[&str],
    to: &[String],
    asking: &AskingArgs,
    budget: Option<Arc<Budget>>,
) -> Result<CachedTranslator, Failure> {
    let into = |from| to.iter().map(move |to| Direction { from, to });
    let directions: Vec<Direction<'_>> = from.iter().copied().flat_map(into).collect();
    let opening = Opening {
        directions: &directions,
        policy: RetryPolicy::from_environment()?,
        threads: rayon::current_num_threads(),
        placement: asking.device.unwrap_or(Placement::Auto),
        dtype: asking.dtype,
        ignored: &asking.ignore_config,
        progress: &tell_download,
        tell: &|text| console::note(text),
        detail: &|text| console::detail(text),
    };
    let translator = epicene_mt::open(&named.spec, &opening)?;
    let cache = Cache::new(datasets::cache_root()?.join("translations"));
    let name = named.name.as_deref();
    Ok(CachedTranslator::new(
        translator,
        name,
        Some(cache),
        asking.fresh,
        directions.len(),
        budget,
    ))
}

/// Says what is fetched from the hub, once for each file.
pub fn tell_download(download: Download<'_>) {
    if download.done == 0 {
        console::note(format!("fetching {}", download.file));
    }
}

/// Translates texts in batches, with a bar for people.
pub fn translate_all(
    translator: &CachedTranslator,
    texts: &[&str],
    direction: Direction<'_>,
    yes: bool,
) -> Result<Vec<Answer>, Failure> {
    let mut bill = Bill::default();
    for text in texts {
        bill.add(translator, text, direction)?;
    }
    if let Some(cost) = translator.cost_of(&bill) {
        asking::agree(&[(translator, cost)], yes)?;
    }
    let progress = console::progress(texts.len() as u64, &translator.card().name);
    let _finishing = stop::stoppable();
    let mut answers = Vec::with_capacity(texts.len());
    for batch in texts.chunks(translator.batch()) {
        let translated = translator.translate(batch, direction)?;
        answers.extend(translated.into_iter().map(|translated| match translated {
            Translated::Text(text) => Answer::Translation(text),
            Translated::Missing => Answer::Missing,
        }));
        progress.inc(batch.len() as u64);
        stop::check().map_err(|stopped| {
            Failure::stopped(
                stopped,
                "translations so far are in the cache, and the same command continues",
            )
        })?;
    }
    translator.check_server()?;
    progress.finish_and_clear();
    Ok(answers)
}
