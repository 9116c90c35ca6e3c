//! Blanks filled by encoder-decoder models: BART, mBART and T5 as masked language models.
//!
//! BART and mBART write the whole text again; what they think of a blank is read where they write it, as `transformers`'
//! `BartForConditionalGeneration` does when it is asked as a masked model: the encoder and, one index later, the decoder see the
//! text with its masks (Lewis et al. 2020). T5 writes the blanks alone: each run of neighbouring blanks is one sentinel, and what
//! fills it is read behind that sentinel, each token behind those before it (Raffel et al. 2020, section 3.1.4).
//!
//! The decoder is the translators' (`decoder.rs`), told its tokens instead of searching for them; on a GPU, `gpu.rs`.

mod gpu;

use std::collections::BTreeMap;

use epicene_core::{LikelihoodMethod, Query, Question, SystemError};

use super::TransformerModel;
use super::reading::{Position, Read, groups, in_order};
use crate::error::LmError;
use crate::seq2seq::Normaliser;
use epicene_checkpoint::{CheckpointError, Config};
use epicene_cuda::{CudaError, DeviceDecoder};
use epicene_kernels::{self as cpu, Matrix, Workspace};
use epicene_tokenize::{TextTokenizer, sentinel};
use epicene_transformer::{Batch, Decoder, Depth, EncoderDecoder, Sequence, Transformer};
use epicene_transformer::{Kept, Last, Projection};
use gpu::Told;

/// The decoder of an encoder-decoder model that fills blanks.
#[derive(Debug)]
pub(crate) struct Filler {
    decoder: Decoder,
    blanks: Blanks,
    /// The decoder on each GPU, in the order of the encoders.
    pub(super) device_decoders: Vec<DeviceDecoder>,
}

/// How blanks are written.
#[derive(Debug)]
enum Blanks {
    /// With all of the text, behind a token of its own, or (mBART) behind the text's last token.
    InTheText { start: Option<u32> },
    /// By themselves, each run behind its sentinel; the first sentinel is the mask.
    Alone { start: u32, sentinels: Vec<u32> },
}

/// A text with blanks as the two halves of the model read it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Writing {
    pub source: Vec<u32>,
    pub target: Vec<u32>,
    /// For each position asked about, the token of the target behind which it is read.
    pub rows: Vec<usize>,
}

impl Filler {
    /// The halves of a model, the first as the engine's own kind.
    pub(crate) fn of(
        model: EncoderDecoder,
        config: &Config,
        tokenizer: &TextTokenizer,
        device_decoders: Vec<DeviceDecoder>,
    ) -> Result<(Transformer, Filler), CheckpointError> {
        const START: &str = "decoder_start_token_id";
        let start = match config.get(START) {
            None => None,
            Some(token) => {
                let token = token.as_u64().and_then(|token| u32::try_from(token).ok());
                let rows = model.decoder.embedding.tokens.rows;
                let token = token.filter(|token| (*token as usize) < rows);
                Some(token.ok_or_else(|| config.unknown(START))?)
            }
        };
        let needed = || start.ok_or_else(|| config.bad(START, "is missing"));
        let blanks = match config.model_type() {
            Some("t5" | "mt5") => Blanks::Alone {
                start: needed()?,
                sentinels: (0..)
                    .map_while(|number| tokenizer.id_of(&sentinel(number)))
                    .collect(),
            },
            Some("mbart") => Blanks::InTheText { start: None },
            _ => Blanks::InTheText {
                start: Some(needed()?),
            },
        };
        let filler = Filler {
            decoder: model.decoder,
            blanks,
            device_decoders,
        };
        Ok((model.encoder, filler))
    }

    /// Whether a blank is filled behind those before it, so that two fillings of several tokens share no distribution.
    pub(crate) fn writes_on(&self) -> bool {
        matches!(self.blanks, Blanks::Alone { .. })
    }

    /// What has to be written to read the asked positions; what is wrong with the text otherwise.
    fn writing(&self, read: &Read) -> Result<Writing, String> {
        let positions = read.at.iter().map(|(position, _)| *position);
        match &self.blanks {
            Blanks::InTheText { start } => {
                let last = positions.clone().max().unwrap_or(0);
                let last_token = *read.ids.last().expect("a text has tokens");
                let first = start.unwrap_or(last_token);
                Ok(Writing {
                    source: read.ids.clone(),
                    target: [&[first], &read.ids[..last]].concat(),
                    rows: positions.collect(),
                })
            }
            Blanks::Alone { start, sentinels } => {
                let mut writing = Writing {
                    source: Vec::with_capacity(read.ids.len()),
                    target: vec![*start],
                    rows: Vec::with_capacity(read.at.len()),
                };
                let mut asked = read.at.iter().peekable();
                let (mut runs, mut open) = (sentinels.iter(), false);
                for (position, id) in read.ids.iter().enumerate() {
                    let Some((_, tokens)) = asked.next_if(|(place, _)| *place == position) else {
                        if sentinels.contains(id) {
                            return Err("a text with a sentinel of its own".to_owned());
                        }
                        writing.source.push(*id);
                        open = false;
                        continue;
                    };
                    if !open {
                        let Some(sentinel) = runs.next() else {
                            let most = sentinels.len();
                            return Err(format!("more blanks than its {most} sentinels"));
                        };
                        writing.source.push(*sentinel);
                        writing.target.push(*sentinel);
                        open = true;
                    }
                    writing.rows.push(writing.target.len() - 1);
                    writing.target.extend(tokens.first());
                }
                // The last token fills a blank and is not read itself.
                let read = writing.rows.last().map_or(0, |row| row + 1);
                writing.target.truncate(read);
                Ok(writing)
            }
        }
    }

    /// For each text the decoder's states at its rows. Texts are written side by side, a token of each at a time.
    fn states(
        &self,
        workspace: &mut Workspace,
        encoder: &Transformer,
        writings: &[&Writing],
    ) -> Result<Vec<Matrix>, CheckpointError> {
        let mut order: Vec<usize> = (0..writings.len()).collect();
        order.sort_by_key(|place| std::cmp::Reverse(writings[*place].target.len()));
        let sequences = order.iter().map(|place| Sequence {
            ids: writings[*place].source.clone(),
            read: Vec::new(),
        });
        let batch = Batch::of(&sequences.collect::<Vec<_>>());
        let encoded = encoder.forward(workspace, &batch, Depth::All, false)?;
        let decoder = &self.decoder;
        let sources = decoder.read_source(workspace, &encoded.hidden, &batch.starts);
        workspace.give(encoded.hidden);
        let mut live: Vec<Kept> = sources.into_iter().map(Kept::new).collect();
        let width = decoder.embedding.tokens.columns;
        let empty = |writing: &&Writing| Matrix::zeros(writing.rows.len(), width);
        let mut states: Vec<Matrix> = writings.iter().map(empty).collect();
        let longest = order
            .first()
            .map_or(0, |place| writings[*place].target.len());
        for place in 0..longest {
            let running = order.partition_point(|text| writings[*text].target.len() > place);
            let last: Vec<Last> = order[..running]
                .iter()
                .map(|text| Last {
                    token: writings[*text].target[place],
                    index: place,
                })
                .collect();
            let mut kept: Vec<&mut Kept> = live[..running].iter_mut().collect();
            let hidden = decoder.step(workspace, &last, &mut kept)?;
            for (row, text) in order[..running].iter().enumerate() {
                let asked = writings[*text].rows.iter().enumerate();
                for (to, _) in asked.filter(|(_, asked)| **asked == place) {
                    states[*text].row_mut(to).copy_from_slice(hidden.row(row));
                }
            }
            workspace.give(hidden);
        }
        Ok(states)
    }
}

impl TransformerModel {
    /// Questions about words that are no blanks, where the model writes what fills blanks; and the released form of SSS, which
    /// asks for every word at every blank, where a word is written behind those before it.
    pub(crate) fn refuse_what_a_filler_cannot_answer(
        &self,
        batch: &[Query<'_>],
    ) -> Result<(), SystemError> {
        let Some(filler) = &self.filler else {
            return Ok(());
        };
        let cannot = |question: &Question| match question {
            Question::Likelihood { method, .. } => {
                !method.needs_pair()
                    || filler.writes_on() && *method == LikelihoodMethod::SssReleased
            }
            question => !matches!(question, Question::FilledBlank { .. }),
        };
        match batch.iter().position(|query| cannot(&query.question)) {
            None => Ok(()),
            Some(index) => {
                let error = LmError::FillsOnly {
                    system: self.name(),
                    scorer: batch[index].question.scorer().name(),
                };
                Err(error.about(index))
            }
        }
    }

    fn writings(&self, filler: &Filler, reads: &[&Read]) -> Result<Vec<Writing>, LmError> {
        let writing = |read: &&Read| {
            filler.writing(read).map_err(|problem| LmError::NoBlank {
                system: self.name(),
                problem,
            })
        };
        reads.iter().map(writing).collect()
    }

    /// For each text, for each of its rows, natural log-probabilities and the likeliest token.
    fn fill_on_cpu(
        &self,
        filler: &Filler,
        texts: &[Told<'_>],
    ) -> Result<Vec<Vec<Position>>, LmError> {
        let lengths = texts.iter().map(|text| text.writing.source.len());
        let groups = groups(lengths, self.options.threads, self.options.batch_tokens);
        let ran = self.run(&groups, |workspace, group| {
            let writings: Vec<&Writing> = group.iter().map(|text| texts[*text].writing).collect();
            let states = filler.states(workspace, &self.transformer, &writings)?;
            let asked = group.iter().flat_map(|text| &texts[*text].asked);
            let asked: Vec<&[u32]> = asked.map(Vec::as_slice).collect();
            let rows = stacked(workspace, &states);
            let read = read_tokens(&filler.decoder.projection, workspace, &rows, &asked);
            workspace.give(rows);
            let mut read = read.into_iter();
            let part = |(text, states): (&usize, &Matrix)| {
                (*text, read.by_ref().take(states.rows).collect::<Vec<_>>())
            };
            Ok(group.iter().zip(&states).map(part).collect())
        })?;
        Ok(in_order(texts.len(), ran))
    }

    /// Natural log-probabilities of the tokens asked for, as the decoder writes them.
    pub(crate) fn read_filled(
        &self,
        filler: &Filler,
        reads: &[&Read],
    ) -> Result<Vec<Vec<Position>>, LmError> {
        let writings = self.writings(filler, reads)?;
        // What is written alike is written once.
        let mut places: BTreeMap<&Writing, Vec<usize>> = BTreeMap::new();
        for (place, writing) in writings.iter().enumerate() {
            places.entry(writing).or_default().push(place);
        }
        let passes: Vec<Vec<usize>> = places.into_values().collect();
        let asked = |pass: &[usize]| -> Vec<Vec<u32>> {
            let rows = 0..writings[pass[0]].rows.len();
            let of_row = |row: usize| pass.iter().flat_map(move |read| &reads[*read].at[row].1);
            rows.map(|row| of_row(row).copied().collect()).collect()
        };
        let told = passes.iter().map(|pass| Told {
            writing: &writings[pass[0]],
            asked: asked(pass),
        });
        let told: Vec<Told<'_>> = told.collect();
        let found = if self.devices.is_empty() {
            self.fill_on_cpu(filler, &told)?
        } else {
            self.fill_on_devices(filler, &told)?
        };
        let mut out = vec![Vec::new(); reads.len()];
        for (pass, positions) in passes.iter().zip(found) {
            let mut rows: Vec<_> = positions
                .into_iter()
                .map(|position| (position.values.into_iter(), position.likeliest))
                .collect();
            for read in pass {
                let at = reads[*read].at.iter().zip(&mut rows);
                let own = at.map(|((_, tokens), (values, likeliest))| Position {
                    values: values.by_ref().take(tokens.len()).collect(),
                    likeliest: *likeliest,
                });
                out[*read] = own.collect();
            }
        }
        Ok(out)
    }

    /// Logits of the whole vocabulary at positions of a text, each blank filled with the token at its index.
    pub(crate) fn all_filled_logits(
        &self,
        filler: &Filler,
        ids: &[u32],
        positions: &[usize],
    ) -> Result<Vec<Vec<f32>>, LmError> {
        if !self.devices.is_empty() {
            return Err(CudaError::Unsupported("logits of every token at a blank").into());
        }
        let at = positions.iter().map(|place| (*place, vec![ids[*place]]));
        let read = Read {
            ids: ids.to_vec(),
            at: at.collect(),
        };
        let writings = self.writings(filler, &[&read])?;
        let mut workspace = Workspace::default();
        let states = filler.states(&mut workspace, &self.transformer, &[&writings[0]])?;
        let mut logits = vec![Vec::new(); positions.len()];
        let projection = &filler.decoder.projection;
        projection.sweep(&mut workspace, &states[0], |row, _, part| {
            logits[row].extend_from_slice(part);
        });
        Ok(logits)
    }
}

/// Rows of several matrices in one.
fn stacked(workspace: &mut Workspace, parts: &[Matrix]) -> Matrix {
    let columns = parts.first().map_or(0, |part| part.columns);
    let mut all = workspace.matrix(parts.iter().map(|part| part.rows).sum(), columns);
    let mut rest = all.data.as_mut_slice();
    for part in parts {
        let (own, later) = rest.split_at_mut(part.data.len());
        own.copy_from_slice(&part.data);
        rest = later;
    }
    all
}

/// Natural log-probabilities of the tokens asked of each row of `hidden`, and its likeliest token.
fn read_tokens(
    projection: &Projection,
    workspace: &mut Workspace,
    hidden: &Matrix,
    asked: &[&[u32]],
) -> Vec<Position> {
    let mut rows: Vec<(Normaliser, (f32, u32))> = Vec::new();
    rows.resize_with(hidden.rows, || {
        (Normaliser::default(), (f32::NEG_INFINITY, 0))
    });
    let mut found: Vec<Vec<f64>> = asked.iter().map(|tokens| vec![0.0; tokens.len()]).collect();
    projection.sweep(workspace, hidden, |row, first, logits| {
        let (normaliser, likeliest) = &mut rows[row];
        normaliser.add(logits);
        let peak = cpu::highest(logits);
        if peak > likeliest.0 {
            let place = logits.iter().position(|logit| *logit == peak).unwrap_or(0);
            *likeliest = (peak, (first + place) as u32);
        }
        for (token, value) in asked[row].iter().zip(&mut found[row]) {
            if let Some(logit) = (*token as usize)
                .checked_sub(first)
                .and_then(|place| logits.get(place))
            {
                *value = f64::from(*logit);
            }
        }
    });
    let rows = rows.into_iter().zip(found);
    rows.map(|((normaliser, (_, likeliest)), values)| {
        let log = normaliser.log();
        Position {
            values: values.into_iter().map(|value| value - log).collect(),
            likeliest: Some(likeliest),
        }
    })
    .collect()
}
