//! Quality of translations against references, by sacrebleu's definitions: corpus BLEU and chrF. Both are sums over segments
//! and a formula on the sums, so that resampling segments is cheap. Held to sacrebleu by `tests/it/quality.rs`.

mod bleu;
mod chrf;

pub use bleu::{Bleu, tokenize_13a};
pub use chrf::Chrf;

/// Sums of a segment from which a corpus score is made.
pub trait CorpusScore: Copy + Default + Send + Sync {
    /// sacrebleu's signature, without its version.
    const SIGNATURE: &'static str;

    fn of(hypothesis: &str, reference: &str) -> Self;

    fn add(&mut self, other: &Self);

    /// 0 to 100.
    fn score(&self) -> f64;
}

/// The score of segments.
pub fn corpus<S: CorpusScore>(segments: impl IntoIterator<Item = S>) -> f64 {
    let mut sums = S::default();
    for segment in segments {
        sums.add(&segment);
    }
    sums.score()
}
