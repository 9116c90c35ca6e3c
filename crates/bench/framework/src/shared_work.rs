//! Work that many pairs of systems share, where all answered everything: the estimates of each system, and its sums under random
//! signs. A test of two systems draws the same signs as one of any other two, so that 34 systems are summed 34 times, not for each
//! of their 561 pairs.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use epicene_stats::{Linearised, SignedTotals};

use crate::{Estimate, Options};

/// Sums that are kept at most: 256 MB of them.
const MOST: usize = 32 << 20;

/// Clusters below which all patterns of signs may be tried, and nothing is drawn.
const FEWEST: usize = 64;

/// By stream and system, and the clusters that take part.
type Totals = BTreeMap<(String, usize), (Vec<bool>, Arc<SignedTotals>)>;

/// By unit, group and system.
type Estimates = BTreeMap<(String, String, usize), Arc<Option<Estimate>>>;

/// What comparisons of the same answers share.
#[derive(Debug, Default)]
pub struct SharedWork {
    totals: Mutex<Totals>,
    estimates: Mutex<Estimates>,
}

impl SharedWork {
    /// A system's estimate, which is made once.
    pub fn estimate(
        &self,
        (unit, group, system): (&str, &str, usize),
        make: impl FnOnce() -> Option<Estimate>,
    ) -> Option<Estimate> {
        let key = (unit.to_owned(), group.to_owned(), system);
        let known = lock(&self.estimates).get(&key).map(Arc::clone);
        let estimate = known.unwrap_or_else(|| {
            let made = Arc::new(make());
            lock(&self.estimates).insert(key, Arc::clone(&made));
            made
        });
        (*estimate).clone()
    }

    /// The p-value of the difference between two systems' estimates; `None` where it has to be tested by itself.
    pub fn p_value(
        &self,
        both: &[Estimate; 2],
        systems: [usize; 2],
        options: &Options,
        stream: &str,
    ) -> Option<f64> {
        let [first, second] = [0, 1].map(|side| both[side].flipped());
        let (first, second) = (first?, second?);
        if first.present() != second.present() || first.clusters() < FEWEST {
            return None;
        }
        let first = self.totals(&first, systems[0], options, stream)?;
        let second = self.totals(&second, systems[1], options, stream)?;
        Some(second.less(&first).p_value)
    }

    fn totals(
        &self,
        side: &Linearised,
        system: usize,
        options: &Options,
        stream: &str,
    ) -> Option<Arc<SignedTotals>> {
        let key = (stream.to_owned(), system);
        {
            let kept = lock(&self.totals);
            if let Some((present, known)) = kept.get(&key) {
                return (present == side.present()).then(|| Arc::clone(known));
            }
            if kept.len() * options.rounds >= MOST {
                return None;
            }
        }
        let rounds = options.rounds as u64;
        let made = SignedTotals::new(side.added(), rounds, options.seed, stream).ok()?;
        let made = Arc::new(made);
        let known = (side.present().to_vec(), Arc::clone(&made));
        lock(&self.totals).entry(key).or_insert(known);
        Some(made)
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
