//! Sequence-to-sequence models run here: `hf:ORG/NAME[@REVISION]`, `dir:PATH`, with options of the search after a comma
//! (`hf:Helsinki-NLP/opus-mt-en-sk,beam=1`).

use std::sync::atomic::{AtomicU64, Ordering};

use epicene_core::{SystemCard, counted};
use epicene_engine::{ModelSpec, ModelSpecError};
use epicene_lm::seq2seq::{Decoding, EarlyStopping, Seq2Seq, Seq2SeqOptions};

use crate::kind::{Form, Kind, Opened, Opening};
use crate::prompted;
use crate::spec::{Options, TranslatorSpec};
use crate::{Direction, Limits, MtError, Translated, Translator};

pub(crate) const KIND: Kind = Kind {
    names: &["hf", "dir"],
    // What the checkpoint's own generation settings are overridden with.
    options: &[
        "beam",
        "early-stopping",
        "length-penalty",
        "max-length",
        "no-repeat-ngram",
        "prompt",
    ],
    forms: &[
        Form {
            form: "hf:ORG/NAME[@REV][,beam=N…], dir:PATH[,beam=N…]",
            about: "a sequence-to-sequence model that epicene runs",
            needs: "",
            price: None,
        },
        Form {
            form: "hf:ORG/NAME,prompt=chat|tower|eurollm|alma|mittens|FILE|chat:FILE",
            about: "a causal model that epicene runs and asks to translate",
            needs: "",
            price: None,
        },
    ],
    check: |spec| {
        match spec.options().get("prompt") {
            Some(prompt) => prompted::check(spec, prompt)?,
            None => drop(decoding(spec.options())?),
        }
        model(spec).map(|_| ())
    },
    open,
};

fn model(spec: &TranslatorSpec) -> Result<ModelSpec, String> {
    let model = format!("{}:{}", spec.name(), spec.place()).parse();
    model.map_err(|error: ModelSpecError| error.to_string())
}

/// A model as a translator.
struct Local {
    card: SystemCard,
    model: Seq2Seq,
    cut: AtomicU64,
    blanks: AtomicU64,
    unfinished: AtomicU64,
}

/// What the options say about the search.
fn decoding(options: &Options) -> Result<Decoding, String> {
    let bad = |name: &str, value: &str| format!("`{name}={value}` makes no sense");
    let size = |name: &str, least: usize| match options.get(name) {
        None => Ok(None),
        Some(value) => match value.parse::<usize>() {
            Ok(size) if size >= least => Ok(Some(size)),
            _ => Err(bad(name, value)),
        },
    };
    Ok(Decoding {
        beams: size("beam", 1)?,
        max_length: size("max-length", 2)?,
        no_repeat_ngram: size("no-repeat-ngram", 0)?,
        length_penalty: match options.get("length-penalty") {
            None => None,
            Some(value) => match value.parse::<f32>() {
                Ok(penalty) if penalty.is_finite() => Some(penalty),
                _ => return Err(bad("length-penalty", value)),
            },
        },
        early_stopping: match options.get("early-stopping") {
            None => None,
            Some("yes") => Some(EarlyStopping::Yes),
            Some("no") => Some(EarlyStopping::No),
            Some("never") => Some(EarlyStopping::Never),
            Some(value) => return Err(bad("early-stopping", value)),
        },
        ..Decoding::default()
    })
}

/// Opens a model of `epicene_lm::seq2seq` as a translator.
fn open(spec: &TranslatorSpec, opening: &Opening<'_>) -> Opened {
    let refused = |message| spec.refused(message);
    let model = model(spec).map_err(refused)?;
    if let Some(prompt) = spec.options().get("prompt") {
        return prompted::open(spec, &model, prompt, opening);
    }
    let decoding = decoding(spec.options()).map_err(refused)?;
    let options = Seq2SeqOptions {
        threads: opening.threads.max(1),
        decoding,
        placement: opening.placement,
        dtype: opening.dtype,
        ignored: opening.ignored.to_vec(),
        ..Seq2SeqOptions::default()
    };
    let model = Seq2Seq::load(&model, options, opening.progress)?;
    opening.say_place(&model.card().name, model.place(), model.loading());
    // How the search goes decides what is found, wherever its settings came from.
    let card = SystemCard {
        source: format!("{},{}", model.card().source, model.decoding()),
        ..model.card().clone()
    };
    Ok(Box::new(Local {
        card,
        model,
        cut: AtomicU64::new(0),
        blanks: AtomicU64::new(0),
        unfinished: AtomicU64::new(0),
    }))
}

impl Translator for Local {
    fn card(&self) -> &SystemCard {
        &self.card
    }

    fn limits(&self) -> Limits {
        Limits::of_batches(self.model.batch_size())
    }

    fn check_direction(&self, Direction { from, to }: Direction<'_>) -> Result<(), MtError> {
        self.model.translate(&[], from, to)?;
        Ok(())
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let cut = self.cut.load(Ordering::Relaxed);
        if cut > 0 {
            notes.push(counted(
                cut,
                "sentence was longer than the model reads and was cut before it was translated",
                "sentences were longer than the model reads and were cut before they were translated",
            ));
        }
        let blanks = self.blanks.load(Ordering::Relaxed);
        if blanks > 0 {
            let counted = counted(
                blanks,
                "sentence has blanks at its end that versions 4 and 5 of transformers read differently",
                "sentences have blanks at their ends that versions 4 and 5 of transformers read differently",
            );
            notes.push(format!(
                "{counted} (read as the one that wrote the checkpoint)"
            ));
        }
        let unfinished = self.unfinished.load(Ordering::Relaxed);
        if unfinished > 0 {
            notes.push(unfinished_translations(unfinished));
        }
        notes
    }

    fn translate(
        &self,
        batch: &[&str],
        Direction { from, to }: Direction<'_>,
    ) -> Result<Vec<Translated>, MtError> {
        let found = self.model.translate(batch, from, to)?;
        let mut out = Vec::with_capacity(found.len());
        for hypothesis in found {
            self.cut
                .fetch_add(u64::from(hypothesis.source_cut), Ordering::Relaxed);
            self.blanks
                .fetch_add(u64::from(hypothesis.blanks_in_doubt), Ordering::Relaxed);
            self.unfinished
                .fetch_add(u64::from(hypothesis.unfinished), Ordering::Relaxed);
            out.push(Translated::Text(hypothesis.text));
        }
        Ok(out)
    }
}

/// What a model says of texts that it did not end itself.
pub(crate) fn unfinished_translations(count: u64) -> String {
    let counted = counted(
        count,
        "translation reached the longest length and was cut off",
        "translations reached the longest length and were cut off",
    );
    format!("{counted} (max-length=N allows more)")
}
