//! SentencePiece models (`spiece.model`, `sentencepiece.bpe.model`, `spm.model`, `tokenizer.model`) of masked and causal
//! models: each family numbers the pieces and frames a text in its own way.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::parts::{Parts, Processor, around};
use super::special::named;
use super::{OldFiles, Plan, bad, needed};
use crate::sentencepiece::{ModelProto, ModelType, PieceType, parse_model};
use epicene_checkpoint::CheckpointError;

const MARK: &str = "\u{2581}";

/// A model with its pieces numbered anew.
struct Pieces {
    file: &'static str,
    proto: ModelProto,
    /// In the order of their numbers.
    vocabulary: Vec<(String, f64)>,
    unknown: usize,
    byte_fallback: bool,
}

impl Pieces {
    fn of(files: &OldFiles<'_>, plan: &Plan) -> Result<Pieces, CheckpointError> {
        let file = plan.files[0];
        let proto = parse_model(&needed(files, file)?).map_err(|error| bad(file, error.0))?;
        Ok(Pieces {
            file,
            vocabulary: pieces(&proto, 0),
            unknown: proto.unknown_id,
            byte_fallback: false,
            proto,
        })
    }

    /// With other pieces in front of those from `first` on, `more` behind them, and the unknown one at 3.
    fn fairseq(mut self, before: &[(&str, f64)], first: usize, more: &[&str]) -> Pieces {
        let own = |(piece, score): &(&str, f64)| ((*piece).to_owned(), *score);
        self.vocabulary = before.iter().map(own).collect();
        self.vocabulary.extend(pieces(&self.proto, first));
        let more = more.iter().map(|piece| ((*piece).to_owned(), 0.0));
        self.vocabulary.extend(more);
        self.unknown = 3;
        self
    }

    /// The table of the normaliser, where the model has one.
    fn charsmap(&self) -> Option<Value> {
        let map = &self.proto.normalizer.charsmap;
        (!map.is_empty())
            .then(|| json!({"type": "Precompiled", "precompiled_charsmap": STANDARD.encode(map)}))
    }

    fn build(
        self,
        normalizers: Vec<Value>,
        blank: bool,
        scheme: &str,
    ) -> Result<Parts, CheckpointError> {
        let ids: BTreeMap<String, u32> = self
            .vocabulary
            .iter()
            .map(|(piece, _)| piece.clone())
            .zip(0..)
            .collect();
        let model = match self.proto.kind {
            ModelType::Unigram => json!({
                "type": "Unigram",
                "unk_id": self.unknown,
                "vocab": self.vocabulary,
                "byte_fallback": self.byte_fallback,
            }),
            ModelType::Bpe => json!({
                "type": "BPE",
                "dropout": null,
                "unk_token": self.proto.unknown_piece,
                "continuing_subword_prefix": null,
                "end_of_word_suffix": null,
                "fuse_unk": true,
                "byte_fallback": self.byte_fallback,
                "vocab": ids,
                "merges": self.merges(),
            }),
        };
        if self.vocabulary.len() <= self.unknown {
            return Err(bad(self.file, "no unknown piece"));
        }
        let found_first = self
            .proto
            .pieces
            .iter()
            .filter_map(|piece| match piece.kind {
                PieceType::Control => Some((piece.text.clone(), true)),
                PieceType::UserDefined => Some((piece.text.clone(), false)),
                _ => None,
            })
            .collect();
        let scheme = if blank { scheme } else { "never" };
        let space = json!({
            "type": "Metaspace", "replacement": MARK, "prepend_scheme": scheme, "split": true
        });
        Ok(Parts {
            normalizer: json!({"type": "Sequence", "normalizers": normalizers}),
            pre_tokenizer: space.clone(),
            decoder: space,
            found_first,
            ..Parts::new(model, ids)
        })
    }

    /// Every way to make a piece of two, by the piece's score, then by the lengths of the two, the longest first.
    fn merges(&self) -> Vec<[&str; 2]> {
        let places: BTreeMap<&str, usize> = self
            .proto
            .pieces
            .iter()
            .enumerate()
            .map(|(place, piece)| (piece.text.as_str(), place))
            .collect();
        let scores: BTreeMap<&str, f64> = self
            .vocabulary
            .iter()
            .map(|(piece, score)| (piece.as_str(), *score))
            .collect();
        let mut seen = std::collections::BTreeSet::new();
        let mut all = Vec::new();
        for (piece, _) in &self.vocabulary {
            if !seen.insert(piece) {
                continue;
            }
            let mut local = Vec::new();
            for (at, _) in piece.char_indices().skip(1) {
                let (left, right) = piece.split_at(at);
                if let (Some(l), Some(r)) = (places.get(left), places.get(right)) {
                    local.push((*l, *r, left, right));
                }
            }
            local.sort_unstable_by_key(|(l, r, _, _)| (*l, *r));
            let score = scores[piece.as_str()];
            all.extend(local.into_iter().map(|(_, _, left, right)| {
                (
                    score,
                    left.chars().count(),
                    right.chars().count(),
                    [left, right],
                )
            }));
        }
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then((b.1, b.2).cmp(&(a.1, a.2))));
        all.into_iter().map(|(_, _, _, pair)| pair).collect()
    }
}

fn pieces(proto: &ModelProto, first: usize) -> Vec<(String, f64)> {
    let all = proto.pieces.iter().skip(first);
    all.map(|piece| (piece.text.clone(), f64::from(piece.score)))
        .collect()
}

fn replace(pattern: Value, content: &str) -> Value {
    json!({"type": "Replace", "pattern": pattern, "content": content})
}

/// Several blanks as `with`.
fn blanks(with: &str) -> Value {
    replace(json!({"Regex": " {2,}"}), with)
}

/// What most families do.
fn usual(pieces: &Pieces) -> Vec<Value> {
    let mut all: Vec<Value> = pieces.charsmap().into_iter().collect();
    all.push(json!({"type": "Strip", "strip_left": false, "strip_right": true}));
    all.push(blanks(MARK));
    all
}

/// Quotes, accents and case, as ALBERT's class and its like settle them.
fn quotes_and_case(
    files: &OldFiles<'_>,
    lower: bool,
    keep: bool,
) -> Result<[Vec<Value>; 2], CheckpointError> {
    let quotes = ["``", "''"].map(|quote| replace(json!({"String": quote}), "\""));
    let mut case = Vec::new();
    if !files.settings.flag("keep_accents", keep)? {
        case.push(json!({"type": "NFKD"}));
        case.push(json!({"type": "StripAccents"}));
    }
    if files.settings.flag("do_lower_case", lower)? {
        case.push(json!({"type": "Lowercase"}));
    }
    Ok([quotes.to_vec(), case])
}

fn blank(files: &OldFiles<'_>) -> Result<bool, CheckpointError> {
    files.settings.flag("add_prefix_space", true)
}

/// Where the blank in front is put, by the `legacy` of Llama's and T5's classes.
fn scheme(files: &OldFiles<'_>) -> Result<&'static str, CheckpointError> {
    let stated = files.settings.stored("legacy").is_some();
    Ok(if stated && !files.settings.flag("legacy", true)? {
        "first"
    } else {
        "always"
    })
}

pub fn albert(files: &OldFiles<'_>, plan: &Plan) -> Result<Parts, CheckpointError> {
    let mut pieces = Pieces::of(files, plan)?;
    for (piece, score) in &mut pieces.vocabulary {
        let mut last = piece.chars().rev();
        if last.next() == Some(',') && last.next().is_some_and(char::is_numeric) {
            *score -= 100.0;
        }
    }
    let [mut all, case] = quotes_and_case(files, true, false)?;
    all.extend(case);
    all.extend(pieces.charsmap());
    all.push(blanks(" "));
    let parts = pieces.build(all, true, "always")?;
    Ok(Parts {
        processor: around("[CLS]", "[SEP]"),
        ..parts
    })
}

pub fn rembert(files: &OldFiles<'_>, plan: &Plan) -> Result<Parts, CheckpointError> {
    let pieces = Pieces::of(files, plan)?;
    let [mut all, case] = quotes_and_case(files, false, true)?;
    all.push(blanks(" "));
    all.extend(case);
    all.extend(pieces.charsmap());
    let parts = pieces.build(all, true, "always")?;
    Ok(Parts {
        processor: around("[CLS]", "[SEP]"),
        ..parts
    })
}

pub fn big_bird(files: &OldFiles<'_>, plan: &Plan) -> Result<Parts, CheckpointError> {
    let pieces = Pieces::of(files, plan)?;
    let all = usual(&pieces);
    let parts = pieces.build(all, true, "always")?;
    Ok(Parts {
        processor: around("[CLS]", "[SEP]"),
        ..parts
    })
}

pub fn deberta_v2(files: &OldFiles<'_>, plan: &Plan) -> Result<Parts, CheckpointError> {
    let pieces = Pieces::of(files, plan)?;
    let mut all = Vec::new();
    if files.settings.flag("do_lower_case", false)? {
        all.push(json!({"type": "Lowercase"}));
    }
    all.push(json!({"type": "Strip", "strip_left": true, "strip_right": true}));
    all.extend(pieces.charsmap());
    all.push(blanks(" "));
    let parts = pieces.build(all, true, "always")?;
    let mut steps = Vec::new();
    if files.settings.flag("split_by_punct", false)? {
        steps.push(json!({"type": "Punctuation", "behavior": "Isolated"}));
    }
    steps.push(parts.pre_tokenizer);
    Ok(Parts {
        pre_tokenizer: json!({"type": "Sequence", "pretokenizers": steps}),
        processor: around("[CLS]", "[SEP]"),
        ..parts
    })
}

pub fn xlm_roberta(files: &OldFiles<'_>, plan: &Plan) -> Result<Parts, CheckpointError> {
    let before = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)];
    let pieces = Pieces::of(files, plan)?.fairseq(&before, 3, &["<mask>"]);
    let all = usual(&pieces);
    let parts = pieces.build(all, blank(files)?, "always")?;
    Ok(Parts {
        processor: around("<s>", "</s>"),
        ..parts
    })
}

/// Pieces and languages; `frame` stands around a text, with English for the language until the settings are read.
fn with_languages(
    files: &OldFiles<'_>,
    plan: &Plan,
    frame: [Option<&str>; 3],
) -> Result<Parts, CheckpointError> {
    let before = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)];
    let more = [plan.marks.more, &["<mask>"]].concat();
    let pieces = Pieces::of(files, plan)?.fairseq(&before, 3, &more);
    let all = usual(&pieces);
    let parts = pieces.build(all, blank(files)?, "always")?;
    let frame = frame.map(|token| token.map(str::to_owned));
    Ok(Parts {
        processor: Processor::Frame(frame.to_vec()),
        ..parts
    })
}

pub fn mbart(files: &OldFiles<'_>, plan: &Plan) -> Result<Parts, CheckpointError> {
    with_languages(files, plan, [None, Some("</s>"), Some("en_XX")])
}

pub fn mbart_50(files: &OldFiles<'_>, plan: &Plan) -> Result<Parts, CheckpointError> {
    with_languages(files, plan, [Some("en_XX"), None, Some("</s>")])
}

pub fn barthez(files: &OldFiles<'_>, plan: &Plan) -> Result<Parts, CheckpointError> {
    let mut pieces = Pieces::of(files, plan)?;
    pieces.unknown = 3;
    let all = usual(&pieces);
    let parts = pieces.build(all, blank(files)?, "always")?;
    Ok(Parts {
        processor: around("<s>", "</s>"),
        ..parts
    })
}

pub fn camembert(files: &OldFiles<'_>, plan: &Plan) -> Result<Parts, CheckpointError> {
    let before = [
        ("<s>NOTUSED", 0.0),
        ("<pad>", 0.0),
        ("</s>NOTUSED", 0.0),
        ("<unk>", 0.0),
        ("<unk>NOTUSED", -100.0),
    ];
    let pieces = Pieces::of(files, plan)?.fairseq(&before, 1, &["<mask>"]);
    let all = usual(&pieces);
    let parts = pieces.build(all, blank(files)?, "always")?;
    Ok(Parts {
        processor: around("<s>", "</s>"),
        ..parts
    })
}

pub fn t5(files: &OldFiles<'_>, plan: &Plan) -> Result<Parts, CheckpointError> {
    let mut pieces = Pieces::of(files, plan)?;
    let extra = files.settings.size_or("extra_ids", 100)?;
    let names = (0..extra.min(1 << 16)).rev();
    let names: Vec<(String, f64)> = names.map(|i| (format!("<extra_id_{i}>"), 0.0)).collect();
    pieces.vocabulary.extend(names.iter().cloned());
    let all = usual(&pieces);
    let mut parts = pieces.build(all, blank(files)?, scheme(files)?)?;
    let marks = names.into_iter().map(|(name, _)| (name, true));
    parts.found_first.extend(marks);
    parts.processor = Processor::Frame(vec![None, Some("</s>".to_owned())]);
    Ok(parts)
}

pub fn llama(files: &OldFiles<'_>, plan: &Plan) -> Result<Parts, CheckpointError> {
    let mut pieces = Pieces::of(files, plan)?;
    pieces.unknown = 0;
    pieces.byte_fallback = true;
    for (_, score) in pieces.vocabulary.iter_mut().take(3) {
        *score = 0.0;
    }
    let blank = blank(files)?;
    let scheme = scheme(files)?;
    let parts = pieces.build(Vec::new(), blank, scheme)?;
    let mut decoders = vec![
        replace(json!({"String": MARK}), " "),
        json!({"type": "ByteFallback"}),
        json!({"type": "Fuse"}),
    ];
    if blank {
        decoders.push(json!({"type": "Strip", "content": " ", "start": 1, "stop": 0}));
    }
    let (normalizer, pre_tokenizer) = match scheme {
        "first" => {
            let mut space = parts.pre_tokenizer;
            space["split"] = json!(false);
            (Value::Null, space)
        }
        _ => {
            let mut all = Vec::new();
            if blank {
                all.push(json!({"type": "Prepend", "prepend": MARK}));
            }
            all.push(replace(json!({"String": " "}), MARK));
            (json!({"type": "Sequence", "normalizers": all}), Value::Null)
        }
    };
    Ok(Parts {
        normalizer,
        pre_tokenizer,
        decoder: json!({"type": "Sequence", "decoders": decoders}),
        ..parts
    })
}

pub fn gemma(files: &OldFiles<'_>, plan: &Plan) -> Result<Parts, CheckpointError> {
    let mut pieces = Pieces::of(files, plan)?;
    pieces.unknown = 3;
    pieces.byte_fallback = true;
    for (place, field) in ["pad_token", "eos_token", "bos_token"].iter().enumerate() {
        let token = named(files, &plan.marks, field)
            .ok_or_else(|| bad(plan.files[0], format!("no `{field}`")))?;
        if let Some(piece) = pieces.vocabulary.get_mut(place) {
            *piece = (token, 0.0);
        }
    }
    // Older files have no piece for a tab.
    if !pieces.vocabulary.iter().any(|(piece, _)| piece == "\t")
        && let Some(piece) = pieces
            .vocabulary
            .iter_mut()
            .find(|(piece, _)| piece == "<0x09>")
    {
        *piece = ("\t".to_owned(), 0.0);
    }
    let parts = pieces.build(Vec::new(), true, "always")?;
    let turns = ["<start_of_turn>", "<end_of_turn>"];
    let found_first = parts.found_first.into_iter();
    Ok(Parts {
        found_first: found_first
            .map(|(piece, special)| (piece.clone(), special || turns.contains(&piece.as_str())))
            .collect(),
        normalizer: replace(json!({"String": " "}), MARK),
        pre_tokenizer: json!({
            "type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious", "invert": false
        }),
        decoder: json!({"type": "Sequence", "decoders": [
            replace(json!({"String": MARK}), " "),
            {"type": "ByteFallback"},
            {"type": "Fuse"},
        ]}),
        ..parts
    })
}
