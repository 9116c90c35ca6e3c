//! Verdicts of any judge as JSON lines: sampled, labelled, corrected without a run. Numbers are the share of each verdict,
//! over all and within what the sample was stratified by, and the mean where verdicts are numbers.

use std::collections::{BTreeMap, BTreeSet};

use epicene_audit::{
    Cell, Choice, Choices, Corrected, Design, ESTIMATOR, Header, LabelFile, Needed, Ratio, Sheet,
    SheetRow, Strata, VerdictLine, VerdictLines, agreement, estimate, from_error, from_pilot,
    label_files, summarise,
};
use epicene_bench::BenchError;
use epicene_core::{CellStyle, Field, Filter, InputError, Results, Row, TextFile, View};
use epicene_io::digest::Sha256Digest;

use super::words;
use crate::args::{AuditPlanArgs, AuditReadArgs, AuditSampleArgs};
use crate::failure::{Failure, Outcome};
use crate::{results, source};

const VERDICT: &str = "verdict";

/// A number made of the verdicts of some lines.
struct Number<'a> {
    group: String,
    metric: &'static str,
    /// Added to the ratio's value.
    base: f64,
    ratio: Ratio<'a, u32>,
}

/// Lines with the labels they may have.
struct Population {
    name: String,
    lines: VerdictLines,
    choices: Choices,
}

/// A verdict without case, and as the head of a label file writes it: what differs in these alone is one answer.
fn folded(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() { c } else { '_' };
    name.trim().to_lowercase().chars().map(plain).collect()
}

impl Population {
    fn read(path: &std::path::Path, given: &[String]) -> Result<Population, Failure> {
        let file = source::read(path)?;
        let lines = VerdictLines::read(&file)?;
        let mut names = lines.verdicts.clone();
        names.extend(given.iter().map(|name| name.trim().to_owned()));
        let mut seen = BTreeSet::new();
        names.retain(|name| seen.insert(folded(name)));
        Ok(Population {
            name: file.stem().to_owned(),
            choices: Choices::of_verdicts(&names)?,
            lines,
        })
    }

    fn stratum(&self, line: &VerdictLine, by: &[String]) -> Result<String, Failure> {
        let parts = by.iter().map(|field| {
            let value = line.fields.get(field).ok_or_else(|| {
                Failure::usage(format!(
                    "{} has no field `{field}` to make strata of",
                    line.id
                ))
                .with_hint(format!("it has {}", list(line.fields.keys())))
            });
            value.map(|value| format!("{field}={value}"))
        });
        Ok(parts.collect::<Result<Vec<_>, Failure>>()?.join(" "))
    }

    fn draw(&self, header: &Header, labels: usize) -> Result<(Strata, Design), Failure> {
        let names = self.lines.lines.iter();
        let names = names.map(|line| self.stratum(line, &header.by));
        let strata = Strata::collect(names.collect::<Result<Vec<_>, _>>()?);
        let design = strata.draw(labels, header.seed).map_err(|error| {
            Failure::input(error.to_string()).with_hint("give more labels, or fewer fields to --by")
        })?;
        Ok((strata, design))
    }

    fn sheet(&self, mut header: Header, design: &Design, show: bool) -> Sheet {
        let rows = design.cells.iter().map(|cell| {
            let line = &self.lines.lines[*cell];
            let mut digest = Sha256Digest::default();
            digest.update_field(header.population.as_bytes());
            digest.update_field(line.id.as_bytes());
            let system = line.fields.get("system").cloned().unwrap_or_default();
            SheetRow {
                key: digest.hex()[..12].to_owned(),
                unit: line.fields.get("unit").cloned().unwrap_or_default(),
                question: "Which verdict is right?".to_owned(),
                source: line.source.clone(),
                answer: line.text.clone(),
                shown: show.then(|| [system, line.verdict.clone()]),
            }
        });
        let rows = rows.collect();
        header.strata = design.strata.clone();
        Sheet {
            header,
            choices: self.choices.clone(),
            rows,
        }
    }

    /// The lines as cells, with the labels that are there.
    fn cells(&self, strata: &Strata, labels: &BTreeMap<usize, Vec<u32>>) -> Vec<Cell<u32>> {
        let lines = self.lines.lines.iter().enumerate();
        lines
            .map(|(place, line)| Cell {
                stratum: strata.of[place],
                cluster: place as u32,
                judged: self.label(&line.verdict),
                human: labels.get(&place).cloned().unwrap_or_default(),
            })
            .collect()
    }

    fn label(&self, verdict: &str) -> u32 {
        let named = |choice: &Choice| folded(&choice.name) == folded(verdict);
        let place = self.choices.0.iter().position(named);
        place.expect("every verdict is a choice") as u32
    }

    fn others(&self, label: u32) -> Vec<u32> {
        let labels = 0..self.choices.0.len() as u32;
        labels.filter(|other| *other != label).collect()
    }

    /// The shares of all verdicts, and the mean where they are numbers; of everything and of the groups.
    fn numbers<'a>(&'a self, by: &[String]) -> Vec<Number<'a>> {
        let mut groups: BTreeSet<Option<(String, String)>> = BTreeSet::from([None]);
        for field in by.iter().filter(|field| *field != VERDICT) {
            for line in &self.lines.lines {
                if let Some(value) = line.fields.get(field) {
                    groups.insert(Some((field.clone(), value.clone())));
                }
            }
        }
        let values: Option<Vec<f64>> = self
            .choices
            .0
            .iter()
            .map(|choice| {
                choice
                    .name
                    .parse()
                    .ok()
                    .filter(|value: &f64| value.is_finite())
            })
            .collect();
        let mut numbers = Vec::new();
        for group in groups {
            let holds = |group: Option<(String, String)>| {
                move |place: usize| {
                    let fields = &self.lines.lines[place].fields;
                    let own = |(field, value): &(String, String)| fields.get(field) == Some(value);
                    f64::from(u8::from(group.as_ref().is_none_or(own)))
                }
            };
            let name = group
                .as_ref()
                .map(|(field, value)| format!("{field}:{value}"));
            for (label, choice) in self.choices.0.iter().enumerate() {
                let parts = [name.clone(), Some(format!("verdict:{}", choice.name))];
                let parts: Vec<String> = parts.into_iter().flatten().collect();
                let holds = holds(group.clone());
                numbers.push(Number {
                    group: parts.join("/"),
                    metric: "share",
                    base: 0.0,
                    ratio: Ratio {
                        weight: 1.0,
                        offset: [0.0; 2],
                        counts: Box::new(move |place, verdict| {
                            let here = holds(place);
                            let is = f64::from(u8::from(verdict == label as u32));
                            [here * is, here]
                        }),
                    },
                });
            }
            if let Some(values) = values.clone() {
                let low = values.iter().copied().fold(f64::INFINITY, f64::min);
                let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let range = (high - low).max(f64::MIN_POSITIVE);
                let holds = holds(group);
                numbers.push(Number {
                    group: name.unwrap_or_else(|| "all".to_owned()),
                    metric: "mean",
                    base: low,
                    ratio: Ratio {
                        weight: range,
                        offset: [0.0; 2],
                        counts: Box::new(move |place, verdict| {
                            let here = holds(place);
                            [here * (values[verdict as usize] - low) / range, here]
                        }),
                    },
                });
            }
        }
        numbers
    }
}

fn list<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(String::as_str).collect::<Vec<_>>().join(", ")
}

pub fn sample(args: &AuditSampleArgs, seed: u64) -> Result<Sheet, Failure> {
    if !args.only.is_empty() {
        return Err(Failure::usage(
            "--only is for runs; sample the lines you mean",
        ));
    }
    let population = Population::read(&args.population, &args.choices_given)?;
    let header = Header {
        population: population.lines.key(),
        seed,
        by: if args.by.is_empty() {
            vec![VERDICT.to_owned()]
        } else {
            args.by.clone()
        },
        only: Vec::new(),
        strata: Vec::new(),
    };
    let (_, design) = population.draw(&header, args.count as usize)?;
    Ok(population.sheet(header, &design, args.show))
}

/// A sample that was read back.
struct Labelled {
    population: Population,
    header: Header,
    files: Vec<LabelFile>,
    cells: Vec<Cell<u32>>,
}

fn labelled(path: &std::path::Path, files: &[TextFile]) -> Result<Labelled, Failure> {
    let header = Header::read(&files[0])?;
    let choices: Vec<String> = epicene_audit::named_labels(&files[0]);
    let population = Population::read(path, &choices)?;
    for file in files {
        let own = Header::read(file)?;
        let complain = |message: &str| InputError::new(&file.path, message).at_line(2);
        if own.population != population.lines.key() {
            return Err(complain("these labels are of other verdicts")
                .with_hint("give the JSON lines that were sampled, unchanged")
                .into());
        }
        if own != header {
            return Err(
                complain("these labels are of another sample than the first file's").into(),
            );
        }
    }
    let wanted = header.strata.iter().map(|stratum| stratum.drawn).sum();
    let (strata, design) = population.draw(&header, wanted)?;
    let sheet = population.sheet(header.clone(), &design, false);
    if sheet.header != header {
        return Err(
            InputError::new(&files[0].path, "the head of the file was edited")
                .with_hint("leave the lines that begin with # as they are")
                .into(),
        );
    }
    let files = label_files(files, &sheet)?;
    let mut labels: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for (row, cell) in design.cells.iter().enumerate() {
        let said = files.iter().filter_map(|file| file.labels[row]);
        let said: Vec<u32> = said.collect();
        if !said.is_empty() {
            labels.insert(*cell, said);
        }
    }
    let cells = population.cells(&strata, &labels);
    Ok(Labelled {
        population,
        header,
        files,
        cells,
    })
}

pub fn read(args: &AuditReadArgs, files: &[TextFile]) -> Result<Outcome, Failure> {
    let labelled = labelled(&args.population, files)?;
    let Labelled {
        population,
        header,
        files,
        cells,
    } = &labelled;
    let others = |label: u32| population.others(label);
    let judged: Vec<Cell<u32>> = cells
        .iter()
        .map(|cell| Cell {
            human: Vec::new(),
            ..cell.clone()
        })
        .collect();
    let mut rows = Vec::new();
    for number in population.numbers(&header.by) {
        let place = [population.name.as_str(), "all", number.group.as_str()];
        let row = |metric: &str, value: f64| Row::new("audit", place, metric, value);
        let (mut part, mut whole) = (0.0, 0.0);
        for (place, cell) in judged.iter().enumerate() {
            let counts = (number.ratio.counts)(place, cell.judged);
            part += counts[0];
            whole += counts[1];
        }
        let raw = number.base + number.ratio.weight * part / whole;
        let n = Some(whole as u64);
        rows.push(Row {
            n,
            ..row(number.metric, raw)
        });
        if let Ok(found) = estimate(cells, &[number.ratio], &others) {
            let Corrected {
                value, low, high, ..
            } = found;
            rows.push(Row {
                low: Some(number.base + low),
                high: Some(number.base + high),
                n: Some(found.labels as u64),
                ..row(
                    &format!("{}{}", number.metric, epicene_pipeline::CORRECTED),
                    number.base + value,
                )
            });
        }
    }
    let summary = summarise(cells, population.choices.0.len() as u32);
    let names: Vec<String> = files.iter().map(|file| file.annotator.clone()).collect();
    let each: Vec<Vec<Option<u32>>> = (0..files[0].labels.len())
        .map(|row| files.iter().map(|file| file.labels[row]).collect())
        .collect();
    let between = agreement(&names, &each);
    rows.extend(words::rows(
        &summary,
        between.as_ref(),
        &population.choices,
        "audit",
    ));
    let labels = cells.iter().filter(|cell| !cell.human.is_empty()).count();
    let mut digest = Sha256Digest::default();
    for (place, cell) in cells.iter().enumerate() {
        for label in &cell.human {
            digest.update_field(population.lines.lines[place].id.as_bytes());
            digest.update_field(population.choices.key(*label).as_bytes());
        }
    }
    let mut notes = words::notes(&summary, between.as_ref(), &population.choices);
    notes.push(format!(
        "{labels} of {} drawn verdicts have a label",
        each.len()
    ));
    let mut views = words::views(&rows);
    views.push(View {
        title: "Judged, and corrected by labels (95 % intervals)".to_owned(),
        filters: vec![Filter::new(Field::System, [population.name.clone()])],
        lines: vec![Field::Group],
        columns: Field::Metric,
        style: CellStyle::ValueInterval,
        decimals: 3,
        labels: BTreeMap::new(),
    });
    let shown = Results {
        signature: format!(
            "audit|data:{}@{}|labels:{}-n{labels}|estimator:{ESTIMATOR}|seed:{}|epicene:{}",
            population.name,
            &header.population[..12],
            &digest.hex()[..12],
            header.seed,
            env!("CARGO_PKG_VERSION")
        ),
        warnings: Vec::new(),
        partial: None,
        rows,
        notes,
        views,
    };
    results::show(&shown, args.format)?;
    Ok(Outcome::Done)
}

pub fn plan(args: &AuditPlanArgs) -> Result<Vec<(String, Needed)>, Failure> {
    let stats = |error| Failure::from(BenchError::from(error));
    let asked = |number: &Number<'_>| args.metric.as_ref().is_none_or(|m| number.metric == m);
    let mut found = Vec::new();
    if let Some(error) = args.error {
        let population = Population::read(&args.population, &[])?;
        let strata = Strata::collect(population.lines.lines.iter().map(|_| String::new()));
        let cells = population.cells(&strata, &BTreeMap::new());
        let others = |label: u32| population.others(label);
        for number in population.numbers(&[]).into_iter().filter(asked) {
            let name = format!("{} {}", number.group, number.metric);
            let ratios = [number.ratio];
            let needed = from_error(&cells, &ratios, &others, (error, args.width));
            found.extend(needed.map_err(stats)?.map(|needed| (name, needed)));
        }
        return Ok(found);
    }
    if args.files.is_empty() {
        return Err(
            Failure::usage("neither labels nor an error rate of the detector are known")
                .with_hint("give the label file of a pilot, or --error 0.05"),
        );
    }
    let labelled = labelled(&args.population, &super::read_all(&args.files)?)?;
    let others = |label: u32| labelled.population.others(label);
    for number in labelled.population.numbers(&[]).into_iter().filter(asked) {
        let name = format!("{} {}", number.group, number.metric);
        if let Ok(pilot) = estimate(&labelled.cells, &[number.ratio], &others) {
            found.push((name, from_pilot(&pilot, args.width).map_err(stats)?));
        }
    }
    Ok(found)
}
