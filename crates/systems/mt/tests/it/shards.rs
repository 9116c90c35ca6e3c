//! Shards that share a cache ask a paid translator side by side, and nobody pays twice.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use epicene_core::{ModelKind, SystemCard};
use epicene_mt::{
    Cache, CachedTranslator, Direction, Limits, MtError, Price, Translated, Translator,
};

const SLOVAK: Direction<'static> = Direction {
    from: "en",
    to: "sk",
};

/// What all shards together have asked for.
#[derive(Default)]
struct Service {
    asked: Mutex<BTreeMap<String, usize>>,
    busy: AtomicUsize,
    busiest: AtomicUsize,
    /// No request is answered before so many were under way at once.
    together: usize,
    /// Requests that are refused before one is answered.
    refusals: AtomicUsize,
}

struct Paid {
    card: SystemCard,
    service: Arc<Service>,
}

impl Translator for Paid {
    fn card(&self) -> &SystemCard {
        &self.card
    }

    fn limits(&self) -> Limits {
        Limits {
            texts: 10,
            characters: 10_000,
            bytes: usize::MAX,
            requests: 1,
        }
    }

    fn price(&self) -> Option<Price> {
        Some(Price {
            dollars_per_million: Some(20.0),
            as_of: "2026-11",
        })
    }

    fn translate(&self, batch: &[&str], _: Direction<'_>) -> Result<Vec<Translated>, MtError> {
        let service = &self.service;
        let busy = service.busy.fetch_add(1, Ordering::SeqCst) + 1;
        service.busiest.fetch_max(busy, Ordering::SeqCst);
        let patience = Instant::now() + Duration::from_secs(60);
        while service.busiest.load(Ordering::SeqCst) < service.together && Instant::now() < patience
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        service.busy.fetch_sub(1, Ordering::SeqCst);
        let left = service.refusals.load(Ordering::SeqCst);
        if left > 0 {
            service.refusals.store(left - 1, Ordering::SeqCst);
            return Err(MtError::Server {
                service: "paid".to_owned(),
                message: "not now".to_owned(),
            });
        }
        let mut asked = service.asked.lock().unwrap();
        let translate = |text: &&str| {
            *asked.entry((*text).to_owned()).or_default() += 1;
            Translated::Text(format!("[{text}]"))
        };
        Ok(batch.iter().map(translate).collect())
    }
}

fn shard(directory: &std::path::Path, service: &Arc<Service>) -> CachedTranslator {
    let paid = Paid {
        card: SystemCard {
            name: "paid".to_owned(),
            source: "paid:".to_owned(),
            revision: None,
            dtype: None,
            tokenizer: None,
            kind: ModelKind::Translator,
        },
        service: Arc::clone(service),
    };
    CachedTranslator::new(
        Box::new(paid),
        None,
        Some(Cache::new(directory.to_owned())),
        false,
        1,
        None,
    )
}

#[test]
fn shards_ask_side_by_side_and_nobody_pays_twice() {
    let directory = tempfile::tempdir().unwrap();
    let service = Arc::new(Service {
        together: 2,
        ..Service::default()
    });
    std::thread::scope(|scope| {
        for number in 0..3 {
            let (directory, service) = (directory.path(), &service);
            scope.spawn(move || {
                let shard = shard(directory, service);
                // Every shard wants the first hundred, in another order, and a hundred of its own.
                let mut texts: Vec<String> = (0..100)
                    .map(|i| format!("shared {}", (i * 37 + number * 11) % 100))
                    .collect();
                texts.extend((0..100).map(|i| format!("own {number} {i}")));
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                let answers = shard.translate(&texts, SLOVAK).unwrap();
                for (text, answer) in texts.iter().zip(answers) {
                    assert_eq!(answer, Translated::Text(format!("[{text}]")));
                }
            });
        }
    });
    let asked = service.asked.lock().unwrap();
    assert_eq!((asked.len(), asked.values().sum::<usize>()), (400, 400));
    assert!(
        service.busiest.load(Ordering::SeqCst) > 1,
        "one waited for the other"
    );
}

#[test]
fn what_one_could_not_have_another_asks_for() {
    let directory = tempfile::tempdir().unwrap();
    let service = Arc::new(Service::default());
    service.refusals.store(1, Ordering::SeqCst);
    let (first, second) = (
        shard(directory.path(), &service),
        shard(directory.path(), &service),
    );
    assert!(first.translate(&["one", "two"], SLOVAK).is_err());
    // Its claims ended with its request.
    assert_eq!(second.translate(&["two"], SLOVAK).unwrap().len(), 1);
    assert_eq!(first.translate(&["one", "two"], SLOVAK).unwrap().len(), 2);
    let asked = service.asked.lock().unwrap();
    assert_eq!(asked.values().sum::<usize>(), 2);
}
