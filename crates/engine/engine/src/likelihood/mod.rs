//! Sentence likelihoods of masked models, given what an engine computed: pure functions over slices.
//!
//! AUL and AULA are those of "Unmasking the Mask" (Kaneko & Bollegala 2022) and of "Gender Bias in
//! Masked Language Models for Multiple Languages" (Kaneko et al. 2022), section 2; CPS is that of
//! CrowS-Pairs (Nangia et al. 2020) and SSS that of StereoSet (Nadeem et al. 2021) in the forms both
//! papers compare with. An engine supplies log-probabilities and attentions; which positions to mask
//! and how to add up is decided here, in f64.

mod alignment;
mod pair;
mod sentence;

pub use alignment::opcodes;
pub use pair::{PairSpans, cps_positions};
pub(crate) use pair::{cps, filled_blank, sss, sss_released};
pub(crate) use sentence::truncated;
pub use sentence::{attention_received, aul, aula, mean_embedding};
