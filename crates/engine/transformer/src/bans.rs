//! Tokens that may not come next, or are weighed otherwise, given what was written: the settings of `generate` that
//! translations and texts share.

/// What forbids or disfavours tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct Bans {
    /// Length of the runs of tokens that may not come twice; 0 is none.
    pub no_repeat_ngram: usize,
    /// No end before this many tokens.
    pub min_length: usize,
    /// 1 is none.
    pub repetition_penalty: f32,
    /// Token sequences that must not appear; single tokens and longer ones.
    pub bad_words: Vec<Vec<u32>>,
    pub suppressed: Vec<u32>,
    /// Tokens that end a text.
    pub ends: Vec<u32>,
}

impl Bans {
    pub fn is_end(&self, token: u32) -> bool {
        self.ends.contains(&token)
    }

    /// The score of a token that was there before.
    pub fn penalised(&self, score: f32) -> f32 {
        if score < 0.0 {
            score * self.repetition_penalty
        } else {
            score / self.repetition_penalty
        }
    }
}

/// What is forbidden or weighed otherwise after one text.
#[derive(Debug, Default)]
pub struct Rules {
    /// In ascending order.
    pub forbidden: Vec<u32>,
    /// Tokens whose score is penalised, in ascending order (none unless there is a repetition penalty).
    pub penalised: Vec<u32>,
}

impl Rules {
    /// After `ids`, no end before `min_length` tokens.
    pub fn of(bans: &Bans, ids: &[u32], min_length: usize) -> Rules {
        let mut forbidden = bans.suppressed.clone();
        for word in &bans.bad_words {
            let Some((last, before)) = word.split_last() else {
                continue;
            };
            // The end of a sentence cannot be forbidden, a sequence only where it fits into what was written.
            let end = before.is_empty() && bans.is_end(*last);
            let fits = before.is_empty() || word.len() <= ids.len();
            if !end && fits && ids.ends_with(before) {
                forbidden.push(*last);
            }
        }
        let size = bans.no_repeat_ngram;
        if size > 0 && ids.len() + 1 >= size {
            let present = &ids[ids.len() + 1 - size..];
            for gram in ids.windows(size) {
                if gram.starts_with(present) {
                    forbidden.extend(gram.last());
                }
            }
        }
        if ids.len() < min_length {
            forbidden.extend(&bans.ends);
        }
        let mut penalised = Vec::new();
        if bans.repetition_penalty != 1.0 {
            penalised.extend(ids);
        }
        for list in [&mut forbidden, &mut penalised] {
            list.sort_unstable();
            list.dedup();
        }
        Rules {
            forbidden,
            penalised,
        }
    }
}
