//! Blanks filled on a GPU: the translators' decoder reads the texts' tokens and scores the tokens asked for.

use std::cmp::Reverse;

use super::{Filler, Writing};
use crate::error::LmError;
use crate::model::TransformerModel;
use crate::model::reading::{Position, in_order};
use crate::seq2seq::batch_of;
use epicene_cuda::{Choosing, CudaError, DeviceDecoder, DeviceModel, Rows, Slots};
use epicene_transformer::Rules;

/// A text as it is written, and for each of its rows the tokens asked for.
#[derive(Debug)]
pub(super) struct Told<'a> {
    pub writing: &'a Writing,
    pub asked: Vec<Vec<u32>>,
}

impl Told<'_> {
    fn longest(&self) -> usize {
        self.writing.source.len().max(self.writing.target.len())
    }
}

impl TransformerModel {
    /// For each text, for each of its rows, natural log-probabilities and the likeliest token.
    pub(super) fn fill_on_devices(
        &self,
        filler: &Filler,
        texts: &[Told<'_>],
    ) -> Result<Vec<Vec<Position>>, LmError> {
        let lengths = texts.iter().map(|text| text.writing.source.len());
        let found = self.dealt_out(lengths, |device, groups| {
            let own = |other: &DeviceModel| std::ptr::eq(other, device);
            let place = self.devices.iter().position(own);
            let decoder = &filler.device_decoders[place.expect("work is dealt out to these")];
            // Keys and values of source and target, and as much again for growing.
            let slot: usize = decoder.kept_widths().iter().sum();
            let tokens = device.free / (4 * slot).max(1);
            let mut found = Vec::new();
            for group in groups {
                let longest = group.iter().map(|text| texts[*text].longest());
                let most = tokens / longest.max().unwrap_or(1).max(1);
                for part in group.chunks(most.max(1)) {
                    let told: Vec<&Told<'_>> = part.iter().map(|text| &texts[*text]).collect();
                    let filled = fill(device, decoder, &told)?;
                    found.extend(part.iter().copied().zip(filled));
                }
            }
            Ok(found)
        })?;
        Ok(in_order(texts.len(), found))
    }
}

/// Texts are written side by side, a token of each at a time, the longest first.
fn fill(
    encoder: &DeviceModel,
    decoder: &DeviceDecoder,
    texts: &[&Told<'_>],
) -> Result<Vec<Vec<Position>>, CudaError> {
    let mut order: Vec<usize> = (0..texts.len()).collect();
    let target = |text: usize| texts[text].writing.target.as_slice();
    order.sort_by_key(|text| Reverse(target(*text).len()));
    let sources = order
        .iter()
        .map(|text| texts[*text].writing.source.as_slice());
    let sources: Vec<&[u32]> = sources.collect();
    let mut slots = Slots::default();
    let read: Vec<Vec<u32>> = sources
        .iter()
        .map(|ids| ids.iter().map(|_| slots.take()).collect())
        .collect();
    let (mut kept, mut written) = (decoder.slots(0)?, decoder.slots(0)?);
    let alone = encoder.device().alone();
    let encoded = encoder.encode(&batch_of(&sources))?;
    decoder.read_source(&encoded, &read.concat(), &mut kept, slots.used())?;
    drop(alone);

    let empty = |text: &&Told<'_>| vec![Position::default(); text.writing.rows.len()];
    let mut found: Vec<Vec<Position>> = texts.iter().map(empty).collect();
    let mut own: Vec<Vec<u32>> = vec![Vec::new(); order.len()];
    let mut slots = Slots::default();
    let longest = order.first().map_or(0, |text| target(*text).len());
    for place in 0..longest {
        let running = order.partition_point(|text| target(*text).len() > place);
        let mut rows = Rows::default();
        let (mut pairs, mut asked) = (Vec::new(), Vec::new());
        for (row, text) in order[..running].iter().enumerate() {
            let (slot, token) = (slots.take(), target(*text)[place]);
            own[row].push(slot);
            rows.tokens.push(token as usize);
            rows.positions.push(decoder.position(token, place));
            rows.slots.push(slot as usize);
            rows.written.push(&own[row]);
            rows.sources.push(&read[row]);
            rows.sentences.push(row);
            let Told {
                writing,
                asked: wanted,
            } = texts[*text];
            let asked_rows = writing.rows.iter().zip(wanted).enumerate();
            for (at, (_, tokens)) in asked_rows.filter(|(_, (at, _))| **at == place) {
                pairs.extend(tokens.iter().map(|token| (row, *token)));
                asked.push((row, *text, at, tokens.len()));
            }
        }
        let rules: Vec<Rules> = rows.tokens.iter().map(|_| Rules::default()).collect();
        let choosing = Choosing {
            rules: &rules,
            wanted: 1,
            repetition_penalty: 1.0,
            greedy: true,
            renormalize: false,
            pairs: &pairs,
        };
        let choosing = (!asked.is_empty()).then_some(choosing);
        let best = decoder.step(&rows, &mut written, slots.used(), &kept, choosing)?;
        let mut values = best.pairs.into_iter();
        for (row, text, at, count) in asked {
            found[text][at] = Position {
                values: values.by_ref().take(count).collect(),
                likeliest: best.tokens[row].first().map(|(token, _)| *token),
            };
        }
    }
    Ok(found)
}
