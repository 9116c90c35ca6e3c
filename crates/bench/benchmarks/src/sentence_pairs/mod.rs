//! Benchmarks of sentence pairs, one stereotypical and one anti-stereotypical: CrowS-Pairs (Nangia et
//! al. 2020), StereoSet's intrasentence part (Nadeem et al. 2021), and any pair file in one of their
//! layouts (human or machine translations, templates), scored as in Kaneko et al. 2022, Eq. 3. One
//! room, because all are counted alike.

mod benchmark;
mod clustered;
mod crows_pairs;
pub(crate) mod likelihood_table;
mod measures;
pub(crate) mod noted;
mod options;
mod pair_score;
mod stereoset;
mod stereoset_score;

pub(crate) use benchmark::{CrowsPairs, StereoSet};
pub(crate) use benchmark::{method_of, unit};
pub use crows_pairs::read_pairs;
pub use pair_score::{PairScore, rounded};
pub use stereoset_score::{StereosetItem, StereosetScores};

/// A stereotypical and an anti-stereotypical sentence, with what the file says about them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SentencePair {
    pub id: String,
    pub stereotypical: String,
    pub anti_stereotypical: String,
    /// `stereo` or `antistereo`; empty where the file does not say.
    pub direction: String,
    pub bias_type: String,
}
