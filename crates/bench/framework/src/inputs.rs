//! Further files a benchmark uses beside its data (`--input ROLE=FILE`): what each is, and which run reads it. What a run does
//! not read is refused before the asking where that can be known, and signed never.

use epicene_core::{Ask, InputError, Language, Scorer, TextFile};

use crate::{BenchError, Card, Judged, Options, Verdicts};

/// A further file a benchmark uses.
#[derive(Debug)]
pub struct InputSpec {
    pub role: &'static str,
    /// Whether there is one for each language (`align:de`), or for one system (`align:deepl:de`).
    pub by: By,
    /// A flag of its own (`--winobias`).
    pub flag: Option<&'static str>,
    pub help: &'static str,
    /// Whether it has one line for each item, in the order of the data.
    pub by_line: bool,
    /// The file as a finished run of this benchmark has it, where a run may be given instead.
    pub of_run: Option<OfRun>,
    /// Refuses, before any asking, what could not be used.
    pub check: CheckInput,
    /// What it belongs to, where a run with these options and columns does not read it.
    pub unread: fn(&Asking<'_>, Option<Language>) -> Option<&'static str>,
    /// What it belongs to, where a column was judged without it.
    pub unused: fn(&Verdicts) -> Option<&'static str>,
}

/// Looks at a file, for the language of its role.
pub type CheckInput = fn(&TextFile, Option<Language>) -> Result<(), InputError>;

/// How a run becomes a file that another benchmark reads.
#[derive(Debug)]
pub struct OfRun {
    pub benchmarks: &'static [&'static str],
    pub text: fn(&Judged<'_>) -> Result<String, BenchError>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    Run,
    Language,
    /// The language's, or one system's own.
    System,
}

impl InputSpec {
    /// A file that every run reads.
    pub const fn new(
        role: &'static str,
        by: By,
        help: &'static str,
        check: CheckInput,
    ) -> InputSpec {
        InputSpec {
            role,
            by,
            flag: None,
            help,
            by_line: false,
            of_run: None,
            check,
            unread: |_, _| None,
            unused: |_| None,
        }
    }
}

/// What a run asks, and with which options and files.
pub struct Asking<'a> {
    pub options: &'a Options,
    pub columns: Vec<AskedColumn<'a>>,
}

/// A system and what it is asked.
#[derive(Debug, Clone)]
pub struct AskedColumn<'a> {
    /// Where nobody is named yet, it may be anybody.
    pub system: Option<&'a str>,
    pub ask: Ask,
}

impl Asking<'_> {
    /// What the file of a role belongs to, if this run does not read it.
    pub fn unread(&self, card: &Card, role: &str) -> Option<String> {
        let Some(spec) = card.input(role) else {
            return Some(format!("no rule that {} has", card.name));
        };
        if let Some(place) = self.columns_of(spec, role).next() {
            let language = match spec.by {
                By::Run => None,
                By::Language | By::System => self.columns[place].ask.unit.language(),
            };
            return (spec.unread)(self, language).map(str::to_owned);
        }
        let parts: Vec<&str> = role.split(':').skip(1).collect();
        let name =
            |code: &str| Language::find(code).map_or(code.to_owned(), |l| l.name().to_owned());
        Some(match parts[..] {
            [] => "systems that are asked".to_owned(),
            [code] if self.into(code).next().is_some() => {
                "systems without a file of their own".to_owned()
            }
            [code] => format!("translations into {}", name(code)),
            [system, code, ..] => format!("translations by `{system}` into {}", name(code)),
        })
    }

    /// The columns that a file is for.
    pub fn columns_of(&self, spec: &InputSpec, role: &str) -> impl Iterator<Item = usize> {
        let parts: Vec<String> = role.split(':').skip(1).map(str::to_owned).collect();
        let is_own = |system: &str, code: &str| {
            let own = format!("{}:{system}:{code}", spec.role);
            self.options.inputs.contains_key(&own)
        };
        let is_for = |column: &AskedColumn<'_>| match &parts[..] {
            [] => true,
            [code] => {
                let own = spec.by == By::System && column.system.is_some_and(|s| is_own(s, code));
                column.is_into(code) && !own
            }
            [system, code, ..] => {
                column.is_into(code) && column.system.is_none_or(|name| name == system)
            }
        };
        let places = (0..self.columns.len()).filter(|place| is_for(&self.columns[*place]));
        places.collect::<Vec<_>>().into_iter()
    }

    fn into<'s>(&'s self, code: &'s str) -> impl Iterator<Item = &'s AskedColumn<'s>> {
        self.columns
            .iter()
            .filter(move |column| column.is_into(code))
    }
}

impl AskedColumn<'_> {
    fn is_into(&self, code: &str) -> bool {
        let language = self.ask.unit.language();
        self.ask.scorer == Scorer::Translate
            && language.is_some()
            && language == Language::find(code)
    }
}
