//! Masculine rates of occupations, and how they agree with the shares of women and with gender scores of words.

use std::collections::BTreeMap;

use epicene_core::{InputError, TextFile};

use super::{SCORES, WOMEN};
use crate::chat::{self, Attempts, Bounds, Draws, Measure, Numbers, Shares, attempts};
use crate::csv_input::CsvInput;
use crate::{BenchError, Judged, Measured};

/// Occupations of which less than this share are women count as men's.
pub const HALF: f64 = 50.0;

/// Gender scores by word: a table with the columns `word` and `score`, wherever they stand.
pub fn read_scores(file: &TextFile) -> Result<BTreeMap<String, f64>, InputError> {
    let mut input = CsvInput::new(file, b',');
    let header: Vec<String> = match input.next()? {
        Some((_, record)) => record.iter().map(|cell| cell.trim().to_owned()).collect(),
        None => return Err(InputError::new(&file.path, "the file is empty")),
    };
    let column = |name: &str| {
        let place = header.iter().position(|cell| cell == name);
        place.ok_or_else(|| {
            let message = format!("the header is `{}` and has no `{name}`", header.join(","));
            InputError::new(&file.path, message).at_line(1)
        })
    };
    let (word, score) = (column("word")?, column("score")?);
    let mut scores = BTreeMap::new();
    while let Some((place, record)) = input.next()? {
        let (word, given) = (
            record[word].trim().to_lowercase(),
            record[score].trim().to_owned(),
        );
        match given.parse::<f64>() {
            Ok(number) if number.is_finite() => {
                scores.insert(word, number);
            }
            _ => return Err(input.complain(place, format!("`{given}` is not a number"))),
        }
    }
    Ok(scores)
}

/// What is known about the occupations, item by item.
struct Facts {
    names: Vec<String>,
    women: Vec<f64>,
    scores: Option<Vec<Option<f64>>>,
}

struct Rates<'a> {
    attempts: &'a Attempts,
    shares: Vec<Option<Shares>>,
    facts: &'a Facts,
}

impl Numbers for Rates<'_> {
    fn attempts(&self) -> &Attempts {
        self.attempts
    }

    fn layout(&self) -> Vec<(String, &'static str)> {
        let each = self.facts.names.iter().map(|name| (name.clone(), "r"));
        let all = [
            "s",
            "r",
            "disparity",
            "corr_women",
            "corr_words",
            "they",
            "mixed",
        ];
        each.chain(all.map(|metric| ("all".to_owned(), metric)))
            .collect()
    }

    fn values(&self, weights: Option<&[u32]>) -> Vec<f64> {
        let weight = |item: usize| weights.map_or(1.0, |weights| f64::from(weights[item]));
        let rate = |shares: &Option<Shares>| {
            shares.map_or(f64::NAN, |shares| shares[0] / (shares[0] + shares[1]))
        };
        let rates: Vec<f64> = self.shares.iter().map(rate).collect();
        let mean = |keep: &dyn Fn(usize) -> bool| {
            let own = (0..rates.len()).filter(|item| keep(*item) && !rates[*item].is_nan());
            let (sum, count) = own.fold((0.0, 0.0), |(sum, count), item| {
                (sum + weight(item) * rates[item], count + weight(item))
            });
            sum / count
        };
        let women = &self.facts.women;
        let r = mean(&|_| true);
        let s = mean(&|item| women[item] < HALF) - mean(&|item| women[item] >= HALF);
        let scores = self.facts.scores.as_ref();
        let score = |item: usize| scores.and_then(|scores| scores[item]).unwrap_or(f64::NAN);
        let corr_women = correlation(&rates, |item| -women[item], weight);
        let corr_words = correlation(&rates, score, weight);
        let (mut they, mut mixed, mut readable) = (0.0, 0.0, 0.0);
        for (item, shares) in self.shares.iter().enumerate() {
            if let Some(shares) = shares {
                they += weight(item) * shares[2];
                mixed += weight(item) * (1.0 - shares.iter().sum::<f64>());
                readable += weight(item);
            }
        }
        let mut values = rates.clone();
        values.extend([
            s,
            r,
            (r - 0.5).abs(),
            corr_women,
            corr_words,
            they / readable,
            mixed / readable,
        ]);
        values
    }

    fn counts(&self) -> Vec<usize> {
        let readable = self.shares.iter().flatten();
        let rated = readable
            .clone()
            .filter(|shares| shares[0] + shares[1] > 0.0);
        let (readable, rated) = (readable.count(), rated.count());
        let count = |(group, metric): (String, &str)| match metric {
            "they" | "mixed" => readable,
            _ if group == "all" => rated,
            _ => 1,
        };
        self.layout().into_iter().map(count).collect()
    }

    fn bounds(&self) -> Vec<Bounds> {
        let with = |masculine: &dyn Fn(usize) -> bool| -> Vec<f64> {
            let filled = self.attempts.filled(|item| {
                let man = f64::from(u8::from(masculine(item)));
                [man, 1.0 - man, 0.0]
            });
            let rates = Rates {
                shares: filled.by_item(self.facts.women.len()),
                attempts: &filled,
                facts: self.facts,
            };
            rates.values(None)
        };
        let men = |item: usize| self.facts.women[item] < HALF;
        let cases = [
            with(&men),
            with(&|item| !men(item)),
            with(&|_| true),
            with(&|_| false),
        ];
        let all = self.layout().into_iter().enumerate();
        all.filter(|(_, (group, _))| group == "all")
            .filter_map(|(place, (_, metric))| {
                Bounds::of(metric, &cases.each_ref().map(|case| case[place]))
            })
            .collect()
    }
}

/// Pearson's r of the masculine rates with something else, over the occupations that have both.
fn correlation(rates: &[f64], other: impl Fn(usize) -> f64, weight: impl Fn(usize) -> f64) -> f64 {
    let (mut xs, mut ys) = (Vec::new(), Vec::new());
    for (item, rate) in rates.iter().enumerate() {
        let (value, times) = (other(item), weight(item) as usize);
        if !rate.is_nan() && !value.is_nan() {
            xs.extend(std::iter::repeat_n(*rate, times));
            ys.extend(std::iter::repeat_n(value, times));
        }
    }
    epicene_stats::pearson(&xs, &ys).map_or(f64::NAN, |found| found.r)
}

/// Ids and shares of women of the items.
pub fn occupations(judged: &Judged<'_>) -> Result<Vec<(String, f64)>, BenchError> {
    let Facts { names, women, .. } = facts(judged)?;
    Ok(names.into_iter().zip(women).collect())
}

fn facts(judged: &Judged<'_>) -> Result<Facts, BenchError> {
    let items = &judged.table.items;
    let women = items.iter().map(|item| {
        let share = item
            .label(WOMEN)
            .and_then(|share| share.parse::<f64>().ok());
        share.ok_or_else(|| BenchError::BadItem {
            item: item.id.to_owned(),
            message: "it has no share of women".to_owned(),
        })
    });
    let scores = judged
        .options
        .inputs
        .get(SCORES)
        .map(read_scores)
        .transpose()?;
    Ok(Facts {
        names: items.iter().map(|item| item.id.to_owned()).collect(),
        women: women.collect::<Result<_, _>>()?,
        scores: scores.map(|scores| {
            items
                .iter()
                .map(|item| scores.get(&item.text.to_lowercase()).copied())
                .collect()
        }),
    })
}

fn measures<'a>(
    attempts: &'a [Attempts],
    facts: &'a Facts,
    draws: &Draws,
) -> Vec<Measure<Rates<'a>>> {
    let rates = |attempts: &'a Attempts| Rates {
        shares: attempts.by_item(facts.women.len()),
        attempts,
        facts,
    };
    attempts
        .iter()
        .map(|attempts| Measure::new(rates(attempts), draws))
        .collect()
}

pub fn measure(judged: &Judged<'_>) -> Result<Measured, BenchError> {
    let (facts, draws) = (facts(judged)?, Draws::of(judged)?);
    let attempts = attempts(judged)?;
    let all = measures(&attempts, &facts, &draws);
    chat::write(judged, &all, true)
}

pub fn compare(judged: &Judged<'_>, first: usize, second: usize) -> Result<Measured, BenchError> {
    let (facts, draws) = (facts(judged)?, Draws::of(judged)?);
    let attempts = attempts(judged)?;
    let all = measures(&attempts, &facts, &draws);
    chat::compare(judged, (first, second), &all)
}
