//! Verdicts that somebody else gave on translations: a parser, an LLM judge, annotators (`--verdicts`, `--detector command:`).
//! They replace epicene's own; its own are kept beside them, so that results can say how far both agree.

use std::collections::{BTreeMap, BTreeSet};

use epicene_audit::{Agreement, agreement};
use epicene_core::{Finding, InputError, Scorer, Span, TextFile, Verdict, counted};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::csv_input::CsvInput;
use crate::inputs::{By, InputSpec};
use crate::{BenchError, Benchmark, Card, ColumnView, Judged, Options, Verdicts, fixed_gender};

/// The role of the file of verdicts in a run.
pub const VERDICTS: &str = "verdicts";
/// What a run calls a file that a program made.
const MADE: &str = "made by ";
/// The rule of a verdict that names none of epicene's own rules.
const GIVEN: &str = "given";
/// The rule of an answer on which annotators are evenly divided.
const DIVIDED: &str = "annotators-divided";

pub static VERDICTS_INPUT: InputSpec = InputSpec {
    unused: |verdicts| verdicts.beside.is_none().then_some("translations"),
    ..InputSpec::new(
        VERDICTS,
        By::Run,
        "Verdicts of another detector or of annotators, as --verdicts NAME=FILE keeps them",
        |file, _| GivenVerdicts::read(file).map(drop),
    )
};

/// Whether verdicts of others can stand in for a benchmark's detector: it measures translations.
pub fn takes_verdicts(card: &Card) -> bool {
    !(card.languages)().is_empty()
}

/// A verdict, as a line of the kept file has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictLine {
    pub item: String,
    /// Empty where it is on the only translation of the item.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub system: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// The name of a finding.
    pub verdict: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rule: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<[u32; 2]>,
    /// Words of the translation, where no spans are given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub annotator: String,
}

impl VerdictLine {
    pub fn new(finding: Finding) -> VerdictLine {
        VerdictLine {
            item: String::new(),
            system: String::new(),
            unit: String::new(),
            verdict: finding.name().to_owned(),
            rule: String::new(),
            spans: Vec::new(),
            evidence: Vec::new(),
            annotator: String::new(),
        }
    }
}

/// What stands beside verdicts that somebody else gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beside {
    /// Who gave them.
    pub by: String,
    /// Epicene's own findings; `None` where it has no detector for the language.
    pub own: Option<Vec<Option<Finding>>>,
    /// Names of annotators, where there are several.
    pub annotators: Vec<String>,
    /// What each annotator said of each item.
    pub said: Vec<Vec<Option<Finding>>>,
}

/// The label of an annotator or another tool as a finding of this benchmark.
pub fn finding_of(card: &Card, label: &str) -> Option<Finding> {
    let label = label.trim().to_lowercase();
    let mut own = card.audit_labels().iter();
    if let Some(own) = own.find(|own| own.key == label || own.name == label) {
        return Some(own.finding);
    }
    if let Some(finding) = Finding::ALL.iter().find(|finding| finding.name() == label) {
        return Some(*finding);
    }
    match label.as_str() {
        "male" => Some(Finding::Masculine),
        "female" => Some(Finding::Feminine),
        "n" | "neutral" => Some(Finding::Common),
        "b" => Some(Finding::Both),
        "u" | "unknown" => Some(Finding::Unmarked),
        _ => None,
    }
}

fn known_labels(card: &Card) -> String {
    let mut known: Vec<&str> = card.audit_labels().iter().map(|label| label.key).collect();
    known.extend(["b", "u"].iter().filter(|key| {
        let mut labels = card.audit_labels().iter();
        labels.all(|label| label.key != **key)
    }));
    known.join(", ")
}

/// Reads files of verdicts (JSON lines, TSV or CSV) and joins them in the form that runs keep. Several files are by one
/// annotator each.
pub fn kept(files: &[(String, TextFile)], card: &Card) -> Result<TextFile, InputError> {
    let mut text = String::new();
    for (name, file) in files {
        for mut line in lines(file, card)? {
            if files.len() > 1 && line.annotator.is_empty() {
                line.annotator.clone_from(name);
            }
            text.push_str(&serde_json::to_string(&line).expect("verdicts are plain text"));
            text.push('\n');
        }
    }
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let (_, first) = files.first().expect("there is a file of verdicts");
    let sha256 = match files {
        [(_, file)] => file.sha256.clone(),
        _ => epicene_io::sha256_hex(text.as_bytes()),
    };
    let file = TextFile {
        path: first.path.clone(),
        name: names.join("+"),
        sha256,
        text,
    };
    GivenVerdicts::read(&file)?;
    Ok(file)
}

fn lines(file: &TextFile, card: &Card) -> Result<Vec<VerdictLine>, InputError> {
    let first = file.text.trim_start_matches('\u{feff}').trim_start();
    if first.starts_with('[') {
        return Err(
            InputError::new(&file.path, "this is a JSON array, not JSON lines").with_hint(format!(
                "write one object a line: jq -c '.[]' {}",
                file.path
            )),
        );
    }
    let found = if first.starts_with('{') {
        json_lines(file, card)?
    } else {
        table_lines(file, card)?
    };
    if found.is_empty() {
        return Err(InputError::new(&file.path, "there are no verdicts"));
    }
    Ok(found)
}

fn bad_label(card: &Card, label: &str) -> (String, String) {
    (
        format!("`{label}` is no verdict"),
        format!(
            "verdicts are {}, or names of findings such as masculine, feminine, common, not-found",
            known_labels(card)
        ),
    )
}

fn json_lines(file: &TextFile, card: &Card) -> Result<Vec<VerdictLine>, InputError> {
    let mut found = Vec::new();
    for (number, line) in (1u64..).zip(file.text.lines()) {
        let line = line.trim_start_matches('\u{feff}');
        if line.trim().is_empty() {
            continue;
        }
        let bad = |message: String| InputError::new(&file.path, message).at_line(number);
        let value: Value = serde_json::from_str(line)
            .map_err(|error| bad(format!("this is no JSON object ({error})")))?;
        let line = of_json(&value, card).map_err(|(message, hint)| bad(message).with_hint(hint))?;
        if line.item.is_empty() {
            return Err(bad("the verdict names no item".to_owned())
                .with_hint("each line needs `item` (or `id`) and `verdict`"));
        }
        found.push(line);
    }
    Ok(found)
}

/// A verdict of a JSON object; of one that a command answers, the item may be left out.
pub fn of_json(value: &Value, card: &Card) -> Result<VerdictLine, (String, String)> {
    let text = |name: &str| match value.get(name) {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    // Items of a run name their verdict twice: the finding says more than its letter.
    let label = ["finding", "verdict", "label"].into_iter().find_map(text);
    let label = label.ok_or_else(|| {
        let hint = "each line needs `item` (or `id`) and `verdict`".to_owned();
        ("there is no verdict".to_owned(), hint)
    })?;
    let finding = finding_of(card, &label).ok_or_else(|| bad_label(card, &label))?;
    let spans = value
        .get("spans")
        .cloned()
        .unwrap_or(Value::Array(Vec::new()));
    let spans: Vec<[u32; 2]> = serde_json::from_value(spans).map_err(|_| {
        let hint = "spans are pairs of characters, from 0: [[4, 9]]".to_owned();
        ("the spans cannot be read".to_owned(), hint)
    })?;
    let evidence = match value.get("evidence") {
        Some(Value::String(word)) => vec![word.clone()],
        Some(Value::Array(words)) => {
            let words = words.iter().filter_map(Value::as_str);
            words.map(str::to_owned).collect()
        }
        _ => Vec::new(),
    };
    let or_empty = |name: &str| text(name).unwrap_or_default();
    Ok(VerdictLine {
        item: text("item").or_else(|| text("id")).unwrap_or_default(),
        system: or_empty("system"),
        unit: or_empty("unit"),
        verdict: finding.name().to_owned(),
        rule: or_empty("rule"),
        evidence: if spans.is_empty() {
            evidence
        } else {
            Vec::new()
        },
        spans,
        annotator: or_empty("annotator"),
    })
}

fn table_lines(file: &TextFile, card: &Card) -> Result<Vec<VerdictLine>, InputError> {
    let header = file.text.lines().next().unwrap_or_default();
    let delimiter = if header.contains('\t') { b'\t' } else { b',' };
    let mut input = CsvInput::new(file, delimiter);
    let header: Vec<String> = match input.next()? {
        Some((_, cells)) => {
            let cell = |cell: &str| cell.trim_start_matches('\u{feff}').trim().to_lowercase();
            cells.iter().map(cell).collect()
        }
        None => return Err(InputError::new(&file.path, "the file is empty")),
    };
    let at = |names: &[&str]| {
        header
            .iter()
            .position(|cell| names.contains(&cell.as_str()))
    };
    let (Some(item_at), Some(verdict_at)) =
        (at(&["item", "id"]), at(&["verdict", "finding", "label"]))
    else {
        return Err(
            InputError::new(
                &file.path,
                format!(
                    "the header needs the columns item and verdict; it has `{}`",
                    header.join("`, `")
                ),
            )
            .at_line(1)
            .with_hint(
                "tabs, commas or semicolons separate columns; further ones: evidence, annotator, and with several systems system and unit",
            ),
        );
    };
    let rest = ["system", "unit", "rule", "evidence", "annotator"].map(|name| at(&[name]));
    let mut found = Vec::new();
    while let Some((place, cells)) = input.next()? {
        let cell = |at: usize| cells.get(at).unwrap_or("").trim().to_owned();
        let [system, unit, rule, evidence, annotator] =
            rest.map(|at| at.map_or_else(String::new, cell));
        let (item, label) = (cell(item_at), cell(verdict_at));
        let bad = |message: String| place.complain(file, message);
        if item.is_empty() {
            return Err(bad("the verdict names no item".to_owned()));
        }
        let finding = finding_of(card, &label).ok_or_else(|| {
            let (message, hint) = bad_label(card, &label);
            bad(message).with_hint(hint)
        })?;
        found.push(VerdictLine {
            item,
            system,
            unit,
            verdict: finding.name().to_owned(),
            rule,
            spans: Vec::new(),
            evidence: evidence.split_whitespace().map(str::to_owned).collect(),
            annotator,
        });
    }
    Ok(found)
}

/// Item, system, unit; the last two are empty where a line does not name them.
type Key = (String, String, String);
/// A verdict as it was given, its finding, and the line of the file.
type Said = (VerdictLine, Finding, usize);

/// The verdicts that a run keeps.
#[derive(Debug)]
pub struct GivenVerdicts {
    path: String,
    by: String,
    /// The item of the first line.
    first: String,
    annotators: Vec<String>,
    verdicts: BTreeMap<Key, Vec<Said>>,
}

impl GivenVerdicts {
    pub fn read(file: &TextFile) -> Result<GivenVerdicts, InputError> {
        let mut lines = Vec::new();
        let mut names = BTreeSet::new();
        for (number, text) in (1u64..).zip(file.text.lines()) {
            let bad = |message: String| InputError::new(&file.path, message).at_line(number);
            let line: VerdictLine = serde_json::from_str(text)
                .map_err(|error| bad(format!("this is no verdict ({error})")))?;
            let mut known = Finding::ALL.iter();
            let finding = known.find(|finding| finding.name() == line.verdict);
            let finding =
                finding.ok_or_else(|| bad(format!("`{}` is no verdict", line.verdict)))?;
            names.insert(line.annotator.clone());
            lines.push((number, line, *finding));
        }
        let annotators: Vec<String> = names.into_iter().collect();
        let first = lines.first().map(|(_, line, _)| line.item.clone());
        let mut verdicts: BTreeMap<Key, Vec<_>> = BTreeMap::new();
        for (number, line, finding) in lines {
            let annotator = annotators.iter().position(|name| *name == line.annotator);
            let annotator = annotator.expect("every annotator was seen");
            let key = (line.item.clone(), line.system.clone(), line.unit.clone());
            let said: &mut Vec<Said> = verdicts.entry(key).or_default();
            if let Some((_, before, _)) = said.iter().find(|(_, _, own)| *own == annotator) {
                let who = match line.annotator.as_str() {
                    "" => String::new(),
                    name => format!(" by {name}"),
                };
                let mut message = format!("two verdicts{who} on {}", line.item);
                if *before != finding {
                    message = format!("{message}: {before} and {finding}");
                }
                return Err(InputError::new(&file.path, message)
                    .at_line(number)
                    .with_hint("name the system and unit of each, or its annotator"));
            }
            said.push((line, finding, annotator));
        }
        Ok(GivenVerdicts {
            path: file.path.clone(),
            by: file
                .name
                .strip_prefix(MADE)
                .unwrap_or(&file.name)
                .to_owned(),
            first: first.unwrap_or_default(),
            annotators,
            verdicts,
        })
    }

    pub fn of(options: &Options) -> Result<Option<GivenVerdicts>, BenchError> {
        let file = options.inputs.get(VERDICTS);
        Ok(file.map(GivenVerdicts::read).transpose()?)
    }

    fn on(&self, view: &ColumnView<'_>, item: usize) -> Option<(&Key, &Vec<Said>)> {
        let id = view.items().get(item).id;
        let (system, unit) = (view.system().name.as_str(), view.column().unit.as_str());
        let places = [(system, unit), (system, ""), ("", unit), ("", "")];
        places.into_iter().find_map(|(system, unit)| {
            let key = (id.to_owned(), system.to_owned(), unit.to_owned());
            self.verdicts.get_key_value(&key)
        })
    }

    /// These verdicts in place of the benchmark's own. `own` is what its detector says, where it has one.
    pub fn judge(
        &self,
        view: &ColumnView<'_>,
        own: Option<Verdicts>,
    ) -> Result<Verdicts, BenchError> {
        let rules: BTreeSet<&'static str> = own
            .iter()
            .flat_map(|own| own.cells.iter().flatten())
            .map(|verdict| verdict.rule)
            .collect();
        let mut cells = Vec::with_capacity(view.items().len());
        let mut said = Vec::new();
        for item in 0..view.items().len() {
            let answer = view.column().answers[item].as_ref();
            let mut each = vec![None; self.annotators.len()];
            let cell = match answer {
                None => None,
                Some(answer) if answer.is_missing() => Some(match &own {
                    Some(own) => own.cells[item].clone().expect("an answer has a verdict"),
                    None => Verdict::new(Finding::NoAnswer, ""),
                }),
                // Persons whose word has one gender whoever is meant stay left out, whoever judges.
                Some(_) if left_out(own.as_ref(), item).is_some() => left_out(own.as_ref(), item),
                Some(_) => {
                    let (_, lines) = self.on(view, item).ok_or_else(|| self.lacks(view, item))?;
                    for (_, finding, annotator) in lines {
                        each[*annotator] = Some(*finding);
                    }
                    Some(decided(lines, view.text(item).unwrap_or_default(), &rules))
                }
            };
            cells.push(cell);
            said.push(each);
        }
        let beside = Beside {
            by: self.by.clone(),
            own: own.as_ref().map(Verdicts::findings),
            annotators: match self.annotators.len() {
                1 => Vec::new(),
                _ => self.annotators.clone(),
            },
            said,
        };
        let mut verdicts = Verdicts::new(cells);
        // What epicene's rules say of their work is true of these verdicts where they are the same, one by one.
        if let Some(mut own) = own {
            if !same(&own, &verdicts) {
                own.how.retain(|(name, _)| *name == "ignored");
                own.counts.retain(|name, _| *name == "ignored");
            }
            (verdicts.how, verdicts.counts) = (own.how, own.counts);
        }
        verdicts.beside = Some(Box::new(beside));
        Ok(verdicts.by(VERDICTS, &self.by))
    }

    fn lacks(&self, view: &ColumnView<'_>, item: usize) -> InputError {
        let id = view.items().get(item).id;
        let (system, unit) = (&view.system().name, &view.column().unit);
        InputError::new(
            &self.path,
            format!("there is no verdict on {id}, as {system} translates it ({unit})"),
        )
        .with_hint(format!(
            "give a verdict on every translation; `u` says that it shows no gender. {} begins with a verdict on `{}`",
            self.by, self.first
        ))
    }

    /// Says which verdicts are on nothing that this run has.
    fn unused(&self, judged: &Judged<'_>) -> Option<String> {
        let mut idle: BTreeSet<&Key> = self.verdicts.keys().collect();
        for (view, _) in judged.columns() {
            for item in 0..view.items().len() {
                if let Some((key, _)) = self.on(&view, item) {
                    idle.remove(key);
                }
            }
        }
        let first = idle.first()?;
        Some(format!(
            "{} of {} by {} are on translations that this run does not have, e.g. on {}",
            idle.len(),
            counted(self.verdicts.len(), "verdict", "verdicts"),
            self.by,
            first.0
        ))
    }
}

fn left_out(own: Option<&Verdicts>, item: usize) -> Option<Verdict> {
    let own = own?.cells[item].as_ref()?;
    (own.rule == fixed_gender::IGNORED).then(|| own.clone())
}

fn same(own: &Verdicts, given: &Verdicts) -> bool {
    let key = |verdicts: &Verdicts| -> Vec<Option<(Finding, &'static str)>> {
        let cells = verdicts.cells.iter();
        cells
            .map(|cell| cell.as_ref().map(|cell| (cell.finding, cell.rule)))
            .collect()
    };
    key(own) == key(given)
}

/// The verdict of the majority; where annotators are evenly divided the answer shows no gender.
fn decided(
    lines: &[(VerdictLine, Finding, usize)],
    text: &str,
    rules: &BTreeSet<&'static str>,
) -> Verdict {
    let mut votes: BTreeMap<Finding, usize> = BTreeMap::new();
    for (_, finding, _) in lines {
        *votes.entry(*finding).or_default() += 1;
    }
    let most = votes.values().copied().max().unwrap_or(0);
    let mut leading = votes.iter().filter(|(_, count)| **count == most);
    let (Some((finding, _)), None) = (leading.next(), leading.next()) else {
        return Verdict::new(Finding::Unmarked, DIVIDED);
    };
    let mut agreeing = lines.iter().filter(|(_, own, _)| own == finding);
    let (line, ..) = agreeing.next().expect("a majority has a member");
    let rule = rules.get(line.rule.as_str()).copied();
    // Of a verdict that names no rule at all, as epicene's own may.
    let rule = rule.unwrap_or(GIVEN);
    Verdict::new(*finding, rule).with_evidence(spans(line, text))
}

/// The words that a verdict names, where the text has them.
fn spans(line: &VerdictLine, text: &str) -> Vec<Span> {
    let length = text.chars().count();
    if !line.spans.is_empty() {
        let inside = |[start, end]: &&[u32; 2]| start < end && *end as usize <= length;
        let spans = line.spans.iter().filter(inside);
        return spans
            .map(|[start, end]| Span::new(*start as usize, *end as usize))
            .collect();
    }
    let is_word = |c: char| c.is_alphanumeric();
    let mut found = Vec::new();
    for word in line.evidence.iter().filter(|word| !word.is_empty()) {
        let whole = |(at, _): &(usize, &str)| {
            let before = text[..*at].chars().next_back().is_some_and(is_word);
            let after = text[at + word.len()..].chars().next().is_some_and(is_word);
            !before && !after
        };
        if let Some((at, _)) = text.match_indices(word.as_str()).find(whole) {
            let start = text[..at].chars().count();
            found.push(Span::new(start, start + word.chars().count()));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The classes that agreement is counted in, as letters name them.
const CLASSES: [(char, &str); 4] = [
    ('m', "masculine"),
    ('f', "feminine"),
    ('n', "neutral"),
    ('u', "unknown"),
];

fn class(finding: Finding) -> u32 {
    let letter = finding.letter();
    let place = CLASSES.iter().position(|(own, _)| *own == letter);
    place.expect("every finding has a letter") as u32
}

/// What results say of verdicts that others gave: agreement with epicene's detector and among annotators, and verdicts on
/// nothing.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Told {
    pub notes: Vec<String>,
    pub warnings: Vec<String>,
}

pub fn tell(judged: &Judged<'_>) -> Result<Told, BenchError> {
    let mut told = Told::default();
    for (view, verdicts) in judged.columns() {
        let Some(beside) = verdicts.beside.as_deref() else {
            continue;
        };
        let who = format!("{} {}", view.system().name, view.column().unit);
        told.notes.extend(with_own(&who, beside, verdicts));
        told.notes.extend(among_annotators(&who, beside));
    }
    if let Some(given) = GivenVerdicts::of(judged.options)? {
        told.warnings.extend(given.unused(judged));
    }
    Ok(told)
}

fn kappa_of(agreement: &Agreement) -> String {
    match agreement.pairs.first().and_then(|pair| pair.kappa.as_ref()) {
        Some((kappa, interval)) => format!(
            "κ {:.3} [{:.3}, {:.3}]",
            kappa.value, interval.low, interval.high
        ),
        None => "κ undefined: both use one verdict throughout".to_owned(),
    }
}

/// Agreement with epicene's own detector, and the confusion by gender.
fn with_own(who: &str, beside: &Beside, verdicts: &Verdicts) -> Option<String> {
    let Some(own) = &beside.own else {
        return Some(format!(
            "{who}: verdicts by {}; epicene has no detector to compare them with",
            beside.by
        ));
    };
    let given = verdicts.cells.iter().map(Option::as_ref);
    let pairs: Vec<Vec<Option<u32>>> = own
        .iter()
        .zip(given)
        .filter_map(|(own, given)| Some((own.as_ref()?, given?.finding)))
        .map(|(own, given)| vec![Some(class(*own)), Some(class(given))])
        .collect();
    let names = ["epicene".to_owned(), beside.by.clone()];
    let found = agreement(&names, &pairs)?;
    let same = found.pairs.first()?.same;
    let mut confusion = Vec::new();
    for (row, (_, name)) in (0..).zip(CLASSES) {
        let of_row = || pairs.iter().filter(move |pair| pair[0] == Some(row));
        let all = of_row().count();
        if all == 0 {
            continue;
        }
        let counts: Vec<String> = (0..)
            .zip(CLASSES)
            .map(|(column, (letter, _))| {
                (
                    letter,
                    of_row().filter(|pair| pair[1] == Some(column)).count(),
                )
            })
            .filter(|(_, count)| *count > 0)
            .map(|(letter, count)| format!("{letter} {count}"))
            .collect();
        confusion.push(format!("{name} {all} → {}", counts.join(" ")));
    }
    Some(format!(
        "{who}: {} and epicene's detector give the same verdict on {:.1} % of {} ({}); epicene's verdicts → {}'s: {}",
        beside.by,
        100.0 * same,
        counted(pairs.len(), "translation", "translations"),
        kappa_of(&found),
        beside.by,
        confusion.join("; ")
    ))
}

/// Agreement among annotators, and how often they are divided.
fn among_annotators(who: &str, beside: &Beside) -> Option<String> {
    if beside.annotators.is_empty() {
        return None;
    }
    let labels: Vec<Vec<Option<u32>>> = beside
        .said
        .iter()
        .map(|each| each.iter().map(|finding| finding.map(class)).collect())
        .collect();
    let found = agreement(&beside.annotators, &labels)?;
    let measure = match (&beside.annotators[..], found.alpha) {
        ([_, _], _) => kappa_of(&found),
        (_, Some(alpha)) => format!("Krippendorff's α {alpha:.3}"),
        (_, None) => "α undefined: one verdict throughout".to_owned(),
    };
    let disagree = beside.said.iter().filter(|each| disagrees(each)).count();
    Some(format!(
        "{who}: {} annotators agree on {} of {} ({measure}); the majority counts, and translations without one show no gender; \
         `epicene report RUN --items --disagreements` lists them",
        beside.annotators.len(),
        found.shared - disagree,
        counted(found.shared, "shared translation", "shared translations"),
    ))
}

fn disagrees(each: &[Option<Finding>]) -> bool {
    let classes: BTreeSet<u32> = each
        .iter()
        .flatten()
        .map(|finding| class(*finding))
        .collect();
    classes.len() > 1
}

impl Beside {
    /// Epicene's own findings beside those of one other.
    pub fn one(by: &str, own: &Verdicts) -> Beside {
        Beside {
            by: by.to_owned(),
            own: Some(own.findings()),
            annotators: Vec::new(),
            said: vec![Vec::new(); own.cells.len()],
        }
    }

    /// Whether annotators, or these verdicts and epicene's, differ on an item.
    pub fn is_disputed(&self, item: usize, given: Finding) -> bool {
        let own = self.own.as_ref().and_then(|own| own[item]);
        own.is_some_and(|own| class(own) != class(given)) || disagrees(&self.said[item])
    }
}

/// The verdicts on a column: those given for it, or the benchmark's own.
pub fn judge(
    benchmark: &dyn Benchmark,
    view: &ColumnView<'_>,
    options: &Options,
    given: Option<&GivenVerdicts>,
) -> Result<Verdicts, BenchError> {
    match given {
        Some(given) if view.column().scorer == Scorer::Translate => {
            let card = benchmark.card();
            let language = view.language();
            let has_detector = (card.languages)().contains(&language) && (card.judges)(language);
            let own = if has_detector {
                Some(benchmark.judge(view, options)?)
            } else {
                None
            };
            given.judge(view, own)
        }
        _ => benchmark.judge(view, options),
    }
}
