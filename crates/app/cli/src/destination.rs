//! Where results go: a page, a file in some format, or the screen. Files are opened before the work, so
//! that a bad path does not cost it; what they replace goes only when the new one is whole.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use epicene_io::OutputFile;
use epicene_report::{Format, Report, Results, Style};

use crate::failure::Failure;
use crate::{console, host, outputs, results};

pub struct Destination {
    place: Target,
    style: Style,
}

enum Target {
    Page(NewFile),
    File(Format, NewFile),
    Screen(Format),
}

impl Destination {
    /// What `-o FILE` and `--format` mean together; the file's extension speaks where the format does not.
    pub fn open(path: Option<&Path>, format: Option<Format>) -> Result<Destination, Failure> {
        Ok(Destination {
            place: Destination::place(path, format)?,
            style: Style::default(),
        })
    }

    /// With the sizes of a paper.
    pub fn in_style(mut self, style: Style) -> Destination {
        self.style = style;
        self
    }

    fn place(path: Option<&Path>, format: Option<Format>) -> Result<Target, Failure> {
        let Some(path) = path else {
            return Ok(Target::Screen(format.unwrap_or_default()));
        };
        let extension = path.extension().and_then(|extension| extension.to_str());
        match (extension, format) {
            (Some("html" | "htm"), None) => Ok(Target::Page(NewFile::create(path)?)),
            (_, Some(format)) => Ok(Target::File(format, NewFile::create(path)?)),
            (extension, None) => {
                let format = extension.and_then(Format::of_extension).ok_or_else(|| {
                    Failure::usage(format!("{}: the extension names no format", path.display()))
                        .with_hint("use .html, .txt, .json, .csv, .md or .tex, or give --format")
                })?;
                Ok(Target::File(format, NewFile::create(path)?))
            }
        }
    }

    /// The format of results; a page has none.
    pub fn format(&self) -> Option<Format> {
        match &self.place {
            Target::Page(_) => None,
            Target::File(format, _) | Target::Screen(format) => Some(*format),
        }
    }

    pub fn is_page(&self) -> bool {
        matches!(self.place, Target::Page(_))
    }

    /// Whether sentences are shown beside numbers.
    pub fn shows_items(&self) -> bool {
        self.is_page() || self.format() == Some(Format::Markdown)
    }

    /// Writes the page, or the results in their format; machines get one table.
    pub fn write(self, report: Report, results: Vec<Results>) -> Result<(), Failure> {
        let style = self.style;
        match self.place {
            Target::Page(mut file) => {
                report.write(&mut file.out)?;
                file.finish()
            }
            Target::File(Format::Markdown, mut file) if !report.parts.is_empty() => {
                report.write_markdown(&results, &mut file.out)?;
                file.finish()
            }
            Target::Screen(Format::Markdown)
                if !report.parts.is_empty() && host::current().is_none() =>
            {
                console::print(|out| report.write_markdown(&results, out))
            }
            Target::File(format, mut file) => {
                for results in for_format(results, format) {
                    let exporter = format.exporter(results::FILE, style);
                    exporter.write(&results, &mut file.out)?;
                }
                file.finish()
            }
            Target::Screen(format) => for_format(results, format)
                .iter()
                .try_for_each(|results| results::show_in(results, format, style)),
        }
    }
}

fn for_format(parts: Vec<Results>, format: Format) -> Vec<Results> {
    match format {
        Format::Json | Format::Csv if parts.len() > 1 => vec![join(parts)],
        _ => parts,
    }
}

/// One tidy table for machines; the signatures stand side by side.
fn join(parts: Vec<Results>) -> Results {
    let signatures: Vec<String> = parts.iter().map(|part| part.signature.clone()).collect();
    let mut warnings: Vec<String> = parts.iter().flat_map(Results::warned).collect();
    warnings.extend(namesakes(&parts));
    Results {
        signature: signatures.join(" + "),
        warnings,
        partial: None,
        rows: parts.into_iter().flat_map(|part| part.rows).collect(),
        notes: Vec::new(),
        views: Vec::new(),
    }
}

/// Systems of several runs under one name whose rows nothing tells apart.
fn namesakes(parts: &[Results]) -> Option<String> {
    let mut values: BTreeMap<[&str; 5], f64> = BTreeMap::new();
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for row in parts.iter().flat_map(|part| &part.rows) {
        let place = [
            row.benchmark.as_str(),
            row.system.as_str(),
            row.unit.as_str(),
            row.group.as_str(),
            row.metric.as_str(),
        ];
        let before = *values.entry(place).or_insert(row.value);
        if before != row.value && row.system != "all" {
            names.insert(&row.system);
        }
    }
    let names: Vec<&str> = names.into_iter().collect();
    (!names.is_empty()).then(|| {
        format!(
            "several runs have rows of {} with other values: nothing in this table tells them apart; report each run alone",
            names.join(", ")
        )
    })
}

/// A file on its way, with the name messages give it.
pub struct NewFile {
    out: OutputFile,
    path: PathBuf,
}

impl NewFile {
    pub fn create(path: &Path) -> Result<NewFile, Failure> {
        Ok(NewFile {
            out: outputs::create(path)?,
            path: path.to_owned(),
        })
    }

    fn finish(self) -> Result<(), Failure> {
        outputs::finish(&self.path, self.out)?;
        console::note(format!("{}: written", self.path.display()));
        Ok(())
    }
}
