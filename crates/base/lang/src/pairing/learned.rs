//! Which words translate which, learned from the file itself, and the blocks of lines where they do not.
//!
//! Most of a file with a fault is still in order, so its own lines say how its words are translated. A block that was moved
//! then fits the sources further on better than its own, and a block of other sentences fits none. Every line is scored as
//! if nothing had been learned from it.

use std::ops::RangeInclusive;

use super::signs::Signs;

/// Lines that a word must be in before something is learned of it.
const LEAST_COUNT: u32 = 3;
/// Translations of a word that are kept.
const PARTNERS: usize = 3;
/// How much commoner than by chance a translation must be, as a logarithm.
const LEAST_WEIGHT: f64 = 0.7;
/// What one word and one line can weigh.
const WORD_CAP: f64 = 4.0;
const LINE_CAP: f64 = 5.0;
/// Orders nearby that a block is tried in: a line lost or doubled moves all that follow.
const NEAR: isize = 6;
/// Those of generated sentences, which share most words with others far away, at every so many lines.
const FAR: isize = 64;
const STEP: usize = 2;
/// So many lines that fit the sources of the next ones are generated sentences.
const CHUNK: usize = 50;
/// What a line of a block has to weigh at least, so that noise does not add up.
const MOVED_MARGIN: f64 = 0.3;
const UNRELATED_MARGIN: f64 = 0.5;
/// Shares of what a line is expected to fit its source by, below which it speaks against it.
const UNRELATED_SHARE: f64 = 0.35;
const OWN_WORDS_SHARE: f64 = 0.45;
/// Sum over a block that published files never reach when they are in order.
const LEAST_MOVED: f64 = 40.0;
/// Below this mean fit, in standard deviations, nothing was learned.
const LEAST_SURE: f64 = 0.7;
/// Below this nothing speaks against an order, either.
const LITTLE_SURE: f64 = 0.25;
/// Fewer lines may be bad translations.
const LEAST_LINES: usize = 20;

/// A block of lines that is not in order, without its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Block {
    Moved { by: isize, lines: (usize, usize) },
    Unrelated { lines: (usize, usize) },
}

/// What the whole file looks like by the words that it taught.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Fit {
    /// Nothing was learned.
    Unknown,
    InOrder,
    Not(Block),
}

/// Looks for the heaviest block of lines that are not in order.
pub(super) fn look(sources: &Signs, targets: &Signs) -> Fit {
    let count = sources.lines.len().min(targets.lines.len());
    let same = sources.same_in(targets);
    let learned = Learned::from(sources, targets, &same);
    let sure = learned.sure();
    // Where most lines are moved they teach their own order.
    if count < 1_000 || sure < LEAST_SURE {
        let order = (-NEAR..=NEAR).filter(|by| *by != 0);
        let best = order
            .map(|by| (by, Learned::from(&sources.moved(by), targets, &same).sure()))
            .fold(
                (0, sure),
                |best, next| if next.1 > best.1 { next } else { best },
            );
        if best.1 > LEAST_SURE && best.1 > sure + 0.5 {
            let lines = (0, count);
            return Fit::Not(Block::Moved { by: best.0, lines });
        }
    }
    match learned.block() {
        // A short file of which most was moved teaches little, and that little speaks against it.
        Some(block) if sure > LITTLE_SURE => Fit::Not(block),
        None if sure > LEAST_SURE => Fit::InOrder,
        _ => Fit::Unknown,
    }
}

/// One translation of a word.
struct Partner {
    sign: u32,
    weight: f64,
    /// The same without the line that is looked at.
    weight_elsewhere: f64,
}

/// What is known of one word.
#[derive(Default)]
struct Word {
    partners: Vec<Partner>,
    absent: f64,
    expected: f64,
}

/// How well lines fit one another.
struct Learned<'a> {
    words: Vec<Word>,
    sources: &'a Signs,
    targets: &'a Signs,
    /// Mean and spread of the ratio of lengths, as a logarithm.
    ratio: (f64, f64),
}

/// The signs of one target at a time, to be asked for often.
struct Marks(Vec<u32>);

impl Marks {
    fn of(targets: &Signs) -> Marks {
        Marks(vec![u32::MAX; targets.counts.len()])
    }

    fn set(&mut self, targets: &Signs, line: usize) {
        for &sign in &targets.lines[line] {
            self.0[sign as usize] = line as u32;
        }
    }

    fn has(&self, sign: u32, line: usize) -> bool {
        self.0[sign as usize] == line as u32
    }
}

impl<'a> Learned<'a> {
    fn from(sources: &'a Signs, targets: &'a Signs, same: &[Option<u32>]) -> Learned<'a> {
        let lengths = sources.lengths.iter().zip(&targets.lengths);
        let mut ratios: Vec<f64> = lengths.map(|(source, target)| target - source).collect();
        ratios.sort_by(f64::total_cmp);
        let at = |share: f64| ratios[((ratios.len() - 1) as f64 * share) as usize];
        Learned {
            words: learn(sources, targets, same),
            sources,
            targets,
            // The quartiles of a normal distribution are 1.35 standard deviations apart.
            ratio: (at(0.5), ((at(0.75) - at(0.25)) / 1.35).max(0.05)),
        }
    }

    fn lines(&self) -> usize {
        self.sources.lines.len().min(self.targets.lines.len())
    }

    /// How much likelier a marked target is as the translation of this source than as that of any other, by the words that are
    /// wanted, and how much that would be if it were its translation.
    fn fit(
        &self,
        source: usize,
        target: usize,
        marks: &Marks,
        wanted: impl Fn(u32) -> bool,
    ) -> (f64, f64) {
        let (mut score, mut expected) = (0.0, 0.0);
        for &sign in &self.sources.lines[source] {
            let word = &self.words[sign as usize];
            if word.partners.is_empty() || !wanted(sign) {
                continue;
            }
            let there = word
                .partners
                .iter()
                .filter(|one| marks.has(one.sign, target));
            let weights = there.map(|one| {
                if source == target {
                    one.weight_elsewhere
                } else {
                    one.weight
                }
            });
            score += weights.reduce(f64::max).unwrap_or(word.absent);
            expected += word.expected;
        }
        (score, expected)
    }

    /// The words of a source that neither neighbour has: generated sentences share the others.
    fn is_own(&self, line: usize, sign: u32) -> bool {
        let has = |line: Option<usize>| {
            let other = line.and_then(|line| self.sources.lines.get(line));
            other.is_some_and(|other| other.contains(&sign))
        };
        !has(line.checked_sub(1)) && !has(Some(line + 1))
    }

    /// How badly the lengths go together.
    fn misfit(&self, source: usize, target: usize) -> f64 {
        let ratio = self.targets.lengths[target] - self.sources.lengths[source];
        let off = (ratio - self.ratio.0) / self.ratio.1;
        (off * off / 2.0).min(WORD_CAP)
    }

    /// How much better lines fit their own sources than far ones, in standard deviations.
    fn sure(&self) -> f64 {
        let count = self.lines();
        let mut marks = Marks::of(self.targets);
        let gaps: Vec<f64> = (0..count)
            .map(|line| {
                marks.set(self.targets, line);
                let fit =
                    |source| self.fit(source, line, &marks, |_| true).0 - self.misfit(source, line);
                fit(line) - fit((line + count / 2) % count)
            })
            .collect();
        let mean = gaps.iter().sum::<f64>() / count as f64;
        let squares: f64 = gaps.iter().map(|gap| (gap - mean).powi(2)).sum();
        mean / (squares / count as f64).sqrt().max(1e-9)
    }

    /// The heaviest block that is not in order, if there is one.
    fn block(&self) -> Option<Block> {
        let count = self.lines();
        let (mut unrelated, mut of_own_words) = (Heaviest::default(), Heaviest::default());
        let (mut beside, mut is_generated) = (0.0, false);
        let mut marks = Marks::of(self.targets);
        for line in 0..count {
            marks.set(self.targets, line);
            let (fit, expected) = self.fit(line, line, &marks, |_| true);
            let own = fit - self.misfit(line, line);
            unrelated.add(line, UNRELATED_SHARE * expected - own - UNRELATED_MARGIN);
            beside += self.fit((line + 1) % count, line, &marks, |_| true).0;
            let (fit, expected) = self.fit(line, line, &marks, |sign| self.is_own(line, sign));
            of_own_words.add(line, OWN_WORDS_SHARE * expected - fit);
            if line % CHUNK == CHUNK - 1 || line + 1 == count {
                is_generated |= beside > 0.0;
                beside = 0.0;
            }
        }
        // The more lines there are, the heavier noise can be; and generated sentences have few words of their own.
        let least = (18.0 + count as f64 / 60.0).min(110.0);
        if is_generated || unrelated.sum > least {
            let near = self.moved(1..=NEAR, 1, &mut marks);
            let far = is_generated.then(|| self.moved(NEAR + 1..=FAR, STEP, &mut marks));
            let found = [(near, LEAST_MOVED)].into_iter();
            let found = found.chain(far.map(|far| (far, 2.0 * LEAST_MOVED)));
            let found = found.filter(|((_, moved), least)| moved.sum > *least);
            let best = found.max_by(|((_, a), _), ((_, b), _)| a.sum.total_cmp(&b.sum));
            if let Some(((by, moved), _)) = best
                && (is_generated || moved.sum > 0.8 * unrelated.sum)
            {
                let (start, end) = moved.lines;
                let lines = (start, end.min(count));
                return Some(Block::Moved { by, lines });
            }
        }
        let found = [(unrelated, least), (of_own_words, 1.4 * least)];
        let found = found.iter().find(|(heaviest, least)| {
            let (start, end) = heaviest.lines;
            heaviest.sum > *least && end - start >= LEAST_LINES
        });
        found.map(|(heaviest, _)| Block::Unrelated {
            lines: heaviest.lines,
        })
    }

    /// The order, among these and their opposites, that the heaviest block of lines fits better than its own; every so many
    /// lines are looked at.
    fn moved(
        &self,
        by: RangeInclusive<isize>,
        step: usize,
        marks: &mut Marks,
    ) -> (isize, Heaviest) {
        let count = self.lines();
        let orders: Vec<isize> = by.flat_map(|by| [by, -by]).collect();
        let mut moved = vec![Heaviest::default(); orders.len()];
        for line in (0..count).step_by(step) {
            marks.set(self.targets, line);
            let fit =
                |source| self.fit(source, line, marks, |_| true).0 - self.misfit(source, line);
            let own = fit(line);
            for (by, heaviest) in orders.iter().zip(&mut moved) {
                let other = line.checked_add_signed(*by).filter(|other| *other < count);
                let value = other.map_or(0.0, |other| fit(other) - own - MOVED_MARGIN);
                heaviest.add(line, value);
            }
        }
        let each = orders.into_iter().zip(moved);
        each.max_by(|a, b| a.1.sum.total_cmp(&b.1.sum))
            .expect("there are orders to try")
    }
}

fn learn(sources: &Signs, targets: &Signs, same: &[Option<u32>]) -> Vec<Word> {
    let total = sources.lines.len() as f64;
    let mut met = vec![0u32; targets.counts.len()];
    let mut beside: Vec<u32> = Vec::new();
    let mut words = Vec::with_capacity(sources.counts.len());
    for (sign, (lines, &count)) in sources.having.iter().zip(&sources.counts).enumerate() {
        let mut word = Word::default();
        if count < LEAST_COUNT {
            if let Some(same) = same[sign] {
                word.anchor(same, total / f64::from(targets.counts[same as usize]));
            }
        } else {
            for &line in lines {
                for &sign in &targets.lines[line as usize] {
                    if met[sign as usize] == 0 {
                        beside.push(sign);
                    }
                    met[sign as usize] += 1;
                }
            }
            let met = beside
                .drain(..)
                .map(|sign| (sign, std::mem::take(&mut met[sign as usize])));
            word.learn(met, (count, total), lines, targets);
        }
        words.push(word);
    }
    words
}

impl Word {
    /// A word that is too rare to be learned and that both texts write: a name, a number, a loan.
    fn anchor(&mut self, sign: u32, rarity: f64) {
        let weight = (0.7 * rarity).ln().clamp(0.0, WORD_CAP);
        self.partners.push(Partner {
            sign,
            weight,
            weight_elsewhere: weight,
        });
        self.absent = -1.2;
        self.expected = 0.7 * weight + 0.3 * self.absent;
    }

    /// Takes the words that stand beside this one more often than by chance.
    fn learn(
        &mut self,
        met: impl Iterator<Item = (u32, u32)>,
        (count, total): (u32, f64),
        lines: &[u32],
        targets: &Signs,
    ) {
        let own = f64::from(count);
        let mut found: Vec<(f64, u32, f64)> = Vec::new();
        for (sign, together) in met.filter(|(_, together)| *together >= LEAST_COUNT) {
            let together = f64::from(together);
            let theirs = f64::from(targets.counts[sign as usize]);
            let weight = (together * total / (own * theirs)).ln();
            if weight > LEAST_WEIGHT {
                found.push((together * weight, sign, together));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        found.truncate(PARTNERS);
        for (_, sign, together) in found {
            let theirs = f64::from(targets.counts[sign as usize]);
            let weight = |together: f64, own: f64| {
                let rate = (together + 0.2) / (own + 0.5);
                (rate * total / theirs).ln().clamp(0.0, WORD_CAP)
            };
            self.partners.push(Partner {
                sign,
                weight: weight(together, own),
                // Without this line it would not have been learned.
                weight_elsewhere: if together > f64::from(LEAST_COUNT) {
                    weight(together - 1.0, own - 1.0)
                } else {
                    0.0
                },
            });
        }
        if let Some(first) = self.partners.first() {
            let has = |line: &&u32| {
                let beside = &targets.lines[**line as usize];
                self.partners
                    .iter()
                    .any(|partner| beside.contains(&partner.sign))
            };
            let present = lines.iter().filter(has).count() as f64;
            let rate = (present + 0.5) / (own + 1.0);
            self.absent = (1.0 - rate).ln().max(-WORD_CAP);
            self.expected = rate * first.weight_elsewhere + (1.0 - rate) * self.absent;
        }
    }
}

/// The run of lines whose sum is largest, without its end.
#[derive(Debug, Clone, Copy, Default)]
struct Heaviest {
    sum: f64,
    lines: (usize, usize),
    running: f64,
    start: usize,
}

impl Heaviest {
    fn add(&mut self, line: usize, value: f64) {
        if self.running <= 0.0 {
            (self.running, self.start) = (0.0, line);
        }
        self.running += value.clamp(-LINE_CAP, LINE_CAP);
        if self.running > self.sum {
            (self.sum, self.lines) = (self.running, (self.start, line + 1));
        }
    }
}
