//! Translators as commands use them: opened with their cache, held back where they would cost
//! money nobody agreed to, and summed up at the end.

use std::sync::Arc;

use epicene_core::{Answer, Query, ServerCard, SystemCard, counted};
use epicene_io::http::RetryPolicy;
use epicene_io::stop;
use epicene_lm::{Download, LanguageModel, LmError, Placement};
use epicene_mt::{
    Bill, Cache, CachedTranslator, Direction, Named, Opening, SENTENCES_WITHOUT_ASKING, Translated,
};

use crate::args::AskingArgs;
use crate::failure::Failure;
use crate::{console, datasets, signals};

/// Opens a translator from every one of these languages into every other.
pub fn open(
    named: &Named,
    from: &[&str],
    to: &[String],
    asking: &AskingArgs,
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
    ))
}

/// Says what is fetched from the hub, once for each file.
pub fn tell_download(download: Download<'_>) {
    if download.done == 0 {
        console::note(format!("fetching {}", download.file));
    }
}

/// Refuses to spend money on more sentences than a try takes, in all, unless the user said so. The estimated dollars,
/// where all prices are known.
pub fn agree(bills: &[(&CachedTranslator, Bill)], yes: bool) -> Result<Option<f64>, Failure> {
    let mut lines = Vec::new();
    let (mut sentences, mut total) = (0, Some(0.0));
    for (translator, bill) in bills {
        let Some(price) = translator.price().filter(|_| bill.sentences > 0) else {
            continue;
        };
        let dollars = price.estimate(bill.characters);
        total = total.zip(dollars).map(|(total, dollars)| total + dollars);
        let cost = match dollars {
            Some(dollars) => format!(
                "about {dollars:.2} USD by the price list of {}, an estimate",
                price.as_of
            ),
            None => "at a price that is not known here".to_owned(),
        };
        sentences += bill.sentences;
        lines.push(format!(
            "{}: {} to ask for, {} characters, {cost}",
            translator.card().name,
            counted(bill.sentences, "sentence", "sentences"),
            bill.characters
        ));
    }
    if sentences > SENTENCES_WITHOUT_ASKING && !yes {
        return Err(Failure::usage(lines.join("; ")).with_hint(
            "give --yes to ask for them, or --budget USD, or --limit N to try a few first; all shards, languages and services are counted, what is in the cache is not",
        ));
    }
    lines.into_iter().for_each(console::note);
    Ok(total)
}

/// What was asked, for people.
pub fn sum_up(translator: &CachedTranslator) {
    let spent = translator.spent();
    let name = &translator.card().name;
    if spent.missing > 0 {
        console::warn(format!(
            "{name}: {} as missing",
            counted(
                spent.missing,
                "sentence has no translation; it counts",
                "sentences have no translation; they count"
            )
        ));
    }
    for note in translator.notes() {
        console::warn(format!("{name}: {note}"));
    }
    if spent.asked == 0 && spent.from_cache == 0 {
        return;
    }
    let cost = translator
        .price()
        .and_then(|price| price.estimate(spent.characters))
        .filter(|_| spent.asked > 0)
        .map_or_else(String::new, |dollars| {
            format!(" (about {dollars:.2} USD, an estimate)")
        });
    console::note(format!(
        "{name}: asked for {}, {} characters{cost}; {} in the cache",
        counted(spent.asked, "sentence", "sentences"),
        spent.characters,
        counted(spent.from_cache, "was", "were")
    ));
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
    agree(&[(translator, bill)], yes)?;
    let progress = console::progress(texts.len() as u64, &translator.card().name);
    let _finishing = signals::finishing();
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

/// A translator that a run asks and a command looks at.
pub struct Shared(pub Arc<CachedTranslator>);

impl LanguageModel for Shared {
    fn card(&self) -> &SystemCard {
        self.0.card()
    }

    fn batch_size(&self) -> usize {
        self.0.batch_size()
    }

    fn server(&self) -> Result<Option<ServerCard>, LmError> {
        self.0.server()
    }

    fn check_server(&self) -> Result<(), LmError> {
        self.0.check_server()
    }

    fn observe(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, LmError> {
        self.0.observe(batch)
    }
}
