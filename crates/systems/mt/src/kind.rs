//! What a kind of translator says of itself: how it is written after `--mt`, what `epicene list translators` shows of it, and how
//! it is opened. Each kind has one constant in its own file and one line in [`KINDS`]; nothing else names it.

use epicene_io::http::RetryPolicy;
use epicene_lm::{Download, Dtype, Placement};

use crate::spec::TranslatorSpec;
use crate::{Direction, MtError, Price, Translator};

/// Every kind, in the order of the documentation.
pub(crate) const KINDS: &[&Kind] = &[
    &crate::file::KIND,
    &crate::local::KIND,
    &crate::apertium::KIND,
    &crate::service::deepl::KIND,
    &crate::service::google::KIND,
    &crate::service::microsoft::KIND,
    &crate::service::amazon::KIND,
    &crate::service::libretranslate::KIND,
    &crate::service::chat::KIND,
    &crate::copy::KIND,
];

/// A kind of translator.
pub struct Kind {
    /// What stands before the colon.
    pub(crate) names: &'static [&'static str],
    /// Options after the place, `name=value` or a bare word.
    pub(crate) options: &'static [&'static str],
    pub(crate) forms: &'static [Form],
    /// Refuses what can be seen to be wrong before anything is opened.
    pub(crate) check: fn(&TranslatorSpec) -> Result<(), String>,
    pub(crate) open: fn(&TranslatorSpec, &Opening<'_>) -> Opened,
}

/// A translator that is ready to be asked.
pub(crate) type Opened = Result<Box<dyn Translator>, MtError>;

/// A way of writing a translator.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    pub form: &'static str,
    pub about: &'static str,
    /// What has to be there: variables of the environment, packages.
    pub needs: &'static str,
    /// The list price, where asking costs money.
    pub price: Option<Price>,
}

/// Every way of writing a translator.
pub fn catalogue() -> impl Iterator<Item = &'static Form> {
    KINDS.iter().flat_map(|kind| kind.forms)
}

/// The same in short: without options, each once.
pub fn forms() -> Vec<&'static str> {
    let mut forms = Vec::new();
    for written in catalogue().flat_map(|form| form.form.split(", ")) {
        let short = match written.find(['[', ',']) {
            Some(end) => &written[..end],
            None => written,
        };
        if !forms.contains(&short) {
            forms.push(short);
        }
    }
    forms
}

/// How translators are written, for messages.
pub(crate) fn hint() -> String {
    format!(
        "write a translator as one of {} (see `epicene list translators`)",
        forms().join(", ")
    )
}

/// What a translator is opened for.
pub struct Opening<'a> {
    /// Directions it will be asked for: what cannot be asked is refused now.
    pub directions: &'a [Direction<'a>],
    pub policy: RetryPolicy,
    /// How a model is run here.
    pub threads: usize,
    pub placement: Placement,
    pub dtype: Option<Dtype>,
    /// Fields of a checkpoint's settings, and tensors, that are left out.
    pub ignored: &'a [String],
    /// Told of files that are fetched.
    pub progress: &'a dyn Fn(Download<'_>),
    /// Told what a person may like to know.
    pub tell: &'a dyn Fn(&str),
    /// Told what only somebody who asks for more likes to know.
    pub detail: &'a dyn Fn(&str),
}

impl Opening<'_> {
    /// Says where a model runs, and where the time of loading it went.
    pub(crate) fn say_place(&self, system: &str, place: Option<String>, loading: &[String]) {
        if let Some(place) = place {
            (self.tell)(&format!("{system} runs on {place}"));
        }
        for line in loading {
            (self.detail)(&format!("{system}: {line}"));
        }
    }
}

/// Opens a translator. `file:` is not one: its answers are read with the benchmark's items.
pub fn open(spec: &TranslatorSpec, opening: &Opening<'_>) -> Result<Box<dyn Translator>, MtError> {
    let translator = (spec.kind().open)(spec, opening)?;
    for direction in opening.directions {
        translator.check_direction(*direction)?;
    }
    Ok(translator)
}

/// A check for kinds that take options alone.
pub(crate) fn no_place(spec: &TranslatorSpec) -> Result<(), String> {
    match spec.place() {
        "" => spec.options().rate().map(|_| ()),
        place => {
            let part = place.split([',', '=']).next().unwrap_or(place);
            match spec.kind().options {
                [] => Err(format!("`{}:` takes nothing", spec.name())),
                known => Err(format!("no option `{part}` (known: {})", known.join(", "))),
            }
        }
    }
}
