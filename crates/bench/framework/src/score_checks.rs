//! Whether scores that name no items belong to the rows they are in: beside what is known of the items by other means, they
//! show another order and a reversed sign.

use std::collections::HashMap;

/// Items below which nothing is said.
const LEAST: usize = 100;
/// Standard deviations of chance that no order reaches by chance, of all that are tried.
const SURE: f64 = 6.0;
/// Those that scores in order have in any case, where so many items are known.
const FOUND: f64 = 2.0;
const MANY: usize = 1_500;
/// Rows that tell whether one way of asking goes with the others.
const WINDOW: usize = 400;
/// Parts that are looked at: their rows, the least that is expected of them, in standard deviations of chance, and the share
/// of it below which they are odd. The weakest parts of published models have 0.73, 0.61 and 0.47 of it.
const PARTS: [(usize, f64, f64); 3] = [(400, 8.0, 0.35), (200, 8.0, 0.35), (100, 6.0, 0.2)];

/// Scores beside a baseline of the same items; what either lacks is left out.
pub struct Beside {
    scores: Vec<f64>,
    baseline: Vec<f64>,
    /// Items that both have.
    known: usize,
}

impl Beside {
    /// The columns of one system, item by item, beside the baseline.
    pub fn new(columns: &[Vec<Option<f64>>], baseline: &[Option<f64>]) -> Beside {
        let mut scores = vec![0.0; baseline.len()];
        for column in columns {
            for (sum, score) in scores.iter_mut().zip(standardised(column)) {
                *sum += score;
            }
        }
        let there = |item: &usize| columns.iter().any(|column| column[*item].is_some());
        let known = (0..baseline.len())
            .filter(there)
            .filter(|item| baseline[*item].is_some());
        Beside {
            known: known.count(),
            scores: standardised(&scores.into_iter().map(Some).collect::<Vec<_>>()),
            baseline: standardised(baseline),
        }
    }

    /// Whether there is enough to tell.
    pub fn is_checked(&self) -> bool {
        self.known >= LEAST
    }

    /// The correlation of the scores `by` rows further on with the baseline.
    fn correlation(&self, by: usize) -> f64 {
        let (end, start) = self.scores.split_at(by % self.scores.len().max(1));
        let moved = start.iter().chain(end);
        let product: f64 = moved.zip(&self.baseline).map(|(a, b)| a * b).sum();
        product / self.known.max(1) as f64
    }

    /// What is odd about the order or the sign, in a sentence.
    pub fn odd(&self, baseline: &str, meaning: &str) -> Option<String> {
        if !self.is_checked() {
            return None;
        }
        let root = (self.known as f64).sqrt();
        let own = self.correlation(0);
        if own * root < -SURE {
            return Some(format!(
                "the scores go against {baseline} (correlation {own:.2} over {} items): the sign looks reversed; they are taken for {meaning}",
                self.known
            ));
        }
        if own * root < 1.5 * SURE {
            let rows = self.scores.len();
            let each = (1..rows).map(|by| (by, self.correlation(by)));
            let best = each.fold(
                (0, own),
                |best, next| if next.1 > best.1 { next } else { best },
            );
            let (by, other) = best;
            if other * root > SURE && (other - own) * root > SURE / 2.0 {
                let (by, where_) = if by > rows / 2 {
                    (rows - by, "further on")
                } else {
                    (by, "before")
                };
                let rows = if by == 1 { "row" } else { "rows" };
                return Some(format!(
                    "the scores fit the items {by} {rows} {where_} (correlation {other:.2} with {baseline}, {own:.2} as they are): the rows are not in the order of the data"
                ));
            }
            let reversed = self.scores.iter().rev().zip(&self.baseline);
            let reversed = reversed.map(|(a, b)| a * b).sum::<f64>() / self.known as f64;
            let hardly = own * root < FOUND && self.known >= MANY;
            if hardly || reversed * root > SURE && (reversed - own) * root > SURE / 2.0 {
                return Some(format!(
                    "the scores hardly go with {baseline} (correlation {own:.2} over {} items): are the rows in the order of the data?",
                    self.known
                ));
            }
        }
        self.odd_part(own, baseline)
    }

    /// Rows that do not go with the baseline although the others do.
    fn odd_part(&self, own: f64, baseline: &str) -> Option<String> {
        let count = self.scores.len();
        let part = |start: usize, window: usize| {
            let rows = start..start + window;
            let product = self.scores[rows.clone()].iter().zip(&self.baseline[rows]);
            product.map(|(a, b)| a * b).sum::<f64>() / (window as f64).sqrt()
        };
        let found = PARTS.iter().find_map(|&(window, least, share)| {
            let expected = own * (window as f64).sqrt();
            let mut starts = (0..count.saturating_sub(window)).step_by(window / 4);
            let is_odd = |start: &usize| part(*start, window) < share * expected;
            starts
                .find(is_odd)
                .filter(|_| expected >= least)
                .map(|start| (start, window))
        });
        let (start, window) = found?;
        Some(format!(
            "the scores of rows {} to {} hardly go with {baseline}, those of the others do (correlation {own:.2}): are these rows in the order of the data?",
            start + 1,
            start + window
        ))
    }

    /// Whether these scores hardly go with the baseline although they are enough to tell, and all of the system's do.
    pub fn hardly_goes(&self, all: &Beside) -> bool {
        let root = (self.known as f64).sqrt();
        self.known >= WINDOW && all.correlation(0) > 0.5 && self.correlation(0) * root < FOUND
    }
}

/// Values with mean 0 and standard deviation 1; 0 where there is none.
fn standardised(values: &[Option<f64>]) -> Vec<f64> {
    let there = || values.iter().flatten();
    let count = there().count().max(1) as f64;
    let mean = there().sum::<f64>() / count;
    let squares: f64 = there().map(|value| (value - mean).powi(2)).sum();
    let spread = (squares / count).sqrt();
    let one = |value: &Option<f64>| match value {
        Some(value) if spread > 0.0 => (value - mean) / spread,
        _ => 0.0,
    };
    values.iter().map(one).collect()
}

/// Mean and standard deviation.
pub fn moments(values: &[f64]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / count).sqrt())
}

/// Likelihoods of sentences beside the lengths and the words of the sentences: what a model finds likely goes with both, in
/// either direction, and in no other order.
pub struct Sentences {
    likelihoods: Vec<f64>,
    lengths: Vec<f64>,
    commonness: Vec<f64>,
}

/// Twice the logarithm of the likelihood ratio of two features that no order reaches by chance.
const SURE_OF_TWO: f64 = 36.0;

impl Sentences {
    pub fn new(texts: &[&str], likelihoods: &[Option<f64>]) -> Sentences {
        let words: Vec<Vec<String>> = texts.iter().map(|text| words(text)).collect();
        let mut counts: HashMap<&str, f64> = HashMap::new();
        for word in words.iter().flatten() {
            *counts.entry(word).or_default() += 1.0;
        }
        let length = |words: &Vec<String>| Some((words.len() as f64 + 1.0).ln());
        let commonness = |words: &Vec<String>| {
            let logs = words.iter().map(|word| counts[word.as_str()].ln());
            Some(logs.sum::<f64>() / words.len().max(1) as f64)
        };
        Sentences {
            likelihoods: standardised(likelihoods),
            lengths: standardised(&words.iter().map(length).collect::<Vec<_>>()),
            commonness: standardised(&words.iter().map(commonness).collect::<Vec<_>>()),
        }
    }

    /// How well both features together explain the likelihoods `by` rows further on: the number of rows times the share of
    /// the variance.
    fn explained(&self, by: usize) -> f64 {
        let rows = self.likelihoods.len().max(1) as f64;
        let (end, start) = self.likelihoods.split_at(by);
        let (mut of_length, mut of_words, mut both) = (0.0, 0.0, 0.0);
        let features = self.lengths.iter().zip(&self.commonness);
        for (likelihood, (length, common)) in start.iter().chain(end).zip(features) {
            of_length += likelihood * length / rows;
            of_words += likelihood * common / rows;
            both += length * common / rows;
        }
        let square = of_length.powi(2) + of_words.powi(2) - 2.0 * of_length * of_words * both;
        rows * square / (1.0 - both * both).max(0.05)
    }

    /// What is odd about the order, in a sentence.
    pub fn odd(&self) -> Option<String> {
        let own = self.explained(0);
        if own > SURE_OF_TWO / 2.0 {
            return None;
        }
        let rows = self.likelihoods.len();
        let each = (1..rows).map(|by| (by, self.explained(by)));
        let (by, best) = each.fold(
            (0, own),
            |best, next| if next.1 > best.1 { next } else { best },
        );
        (best > SURE_OF_TWO && best > 3.0 * own).then(|| {
            let (by, direction) = if by > rows / 2 { (rows - by, "further on") } else { (by, "before") };
            let rows = if by == 1 { "row" } else { "rows" };
            format!(
                "by the lengths and words of the sentences the likelihoods fit those {by} {rows} {direction}: the rows are not in the order of the data"
            )
        })
    }
}

/// Words in small letters; letters where a script has no spaces.
fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let mut words = Vec::new();
    for word in lower.split(|letter: char| !letter.is_alphanumeric()) {
        match word.chars().any(|letter| letter > '\u{2e80}') {
            true => words.extend(word.chars().map(String::from)),
            false if word.is_empty() => {}
            false => words.push(word.to_owned()),
        }
    }
    words
}
