//! Two sets of sentences from a parallel corpus: those whose English side names women, and those
//! whose English side names men (Kaneko et al. 2022, section 2, step 1).
//!
//! A sentence with words of both genders is dropped, one with neither too. The larger set is sampled
//! down to the size of the smaller, with a seed and in the order of the corpus. The kept sentences
//! wait in temporary files, so that memory does not grow with the corpus.

mod corpus;
mod matcher;
mod spill;
mod word_list;

pub use corpus::Corpus;
pub(crate) use corpus::{PairBlock, walk};
pub use matcher::{Matcher, Mention};
pub use word_list::{GenderLists, WordList};

use std::io;

use epicene_core::InputError;
use epicene_lang::Gender;
use epicene_stats::draw::SequentialSample;
use serde::Serialize;

use spill::{Repeats, Spill};

/// How many sentences each step left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ExtractionCounts {
    /// Line pairs read.
    pub pairs: u64,
    pub female: u64,
    pub male: u64,
    /// Dropped: words of both genders.
    pub both: u64,
    pub neither: u64,
    /// Dropped: one gender, but nothing on the other side.
    pub empty: u64,
}

/// What was written, after sampling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Written {
    pub female: u64,
    pub male: u64,
    /// Sentences that repeat one before them in their set.
    pub female_repeats: u64,
    pub male_repeats: u64,
    /// Different sentences that are in both sets.
    pub in_both: u64,
}

/// The sentences found, before sampling.
pub struct Extraction {
    pub counts: ExtractionCounts,
    female: Spill,
    male: Spill,
}

/// One block's share.
#[derive(Default)]
struct Found {
    counts: ExtractionCounts,
    female: Vec<u8>,
    male: Vec<u8>,
}

/// Reads the whole corpus once.
pub fn extract(corpus: Corpus, matcher: &Matcher) -> Result<Extraction, InputError> {
    let stored = |error: io::Error| {
        InputError::new("(temporary file)", error.to_string()).with_hint(
            "the sentences found wait in the system's temporary directory; TMPDIR moves it",
        )
    };
    let mut extraction = Extraction {
        counts: ExtractionCounts::default(),
        female: Spill::new().map_err(stored)?,
        male: Spill::new().map_err(stored)?,
    };
    let pairs = walk(
        corpus,
        |block| sort_out(block, matcher),
        |found: Found| {
            let counts = &mut extraction.counts;
            counts.both += found.counts.both;
            counts.neither += found.counts.neither;
            counts.empty += found.counts.empty;
            counts.female += found.counts.female;
            counts.male += found.counts.male;
            extraction
                .female
                .append(&found.female, found.counts.female)
                .and_then(|()| extraction.male.append(&found.male, found.counts.male))
                .map_err(stored)
        },
    )?;
    extraction.counts.pairs = pairs;
    Ok(extraction)
}

fn sort_out(block: &PairBlock<'_>, matcher: &Matcher) -> Result<Found, InputError> {
    let mut found = Found::default();
    for pair in block.pairs() {
        let (line, english, target) = pair?;
        let mention = matcher.mention(english);
        let (count, sentences) = match mention {
            Mention::Both => {
                found.counts.both += 1;
                continue;
            }
            Mention::Neither => {
                found.counts.neither += 1;
                continue;
            }
            Mention::Female => (&mut found.counts.female, &mut found.female),
            Mention::Male => (&mut found.counts.male, &mut found.male),
        };
        let target = target.trim();
        if target.is_empty() {
            found.counts.empty += 1;
            continue;
        }
        *count += 1;
        spill::record(sentences, line, target);
    }
    Ok(found)
}

impl Extraction {
    /// Hands out the sentences with their lines, female ones first, each set in the order of the
    /// corpus; with `downsample`, as many of the larger set as the smaller has.
    pub fn write(
        &mut self,
        seed: u64,
        downsample: bool,
        mut emit: impl FnMut(Gender, u64, &str) -> io::Result<()>,
    ) -> io::Result<Written> {
        let smaller = self.counts.female.min(self.counts.male);
        let mut written = Written::default();
        let mut taken: [Option<Repeats>; 2] = [None, None];
        let sets = [
            (Gender::Feminine, &mut self.female, "mbe/extract/female"),
            (Gender::Masculine, &mut self.male, "mbe/extract/male"),
        ];
        for (place, (gender, spill, stream)) in sets.into_iter().enumerate() {
            let wanted = if downsample { smaller } else { spill.len() };
            let sample = || SequentialSample::new(seed, stream, wanted, spill.len());
            let mut choice = sample();
            let count = match gender {
                Gender::Feminine => &mut written.female,
                Gender::Masculine => &mut written.male,
            };
            let mut repeats = Repeats::new()?;
            spill.read(|line, text| {
                if choice.takes_next() {
                    *count += 1;
                    repeats.add(text)?;
                    emit(gender, line, text)?;
                }
                Ok(())
            })?;
            taken[place] = Some(repeats);
        }
        if let [Some(female), Some(male)] = &mut taken {
            let counted = spill::count_repeats(female, male)?;
            (
                written.female_repeats,
                written.male_repeats,
                written.in_both,
            ) = counted;
        }
        Ok(written)
    }
}
