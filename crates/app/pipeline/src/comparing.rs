//! Systems on the same items, in pairs: of one run, or of several that asked the same.

use epicene_bench::{BenchError, Given, How, Measured, SharedWork, Tested, join_hows};
use epicene_core::{Results, Row};
use epicene_run::RunDirectory;
use rayon::prelude::*;

use crate::comparable::{refuse_other_data, refuse_other_items, unlike_arithmetic, unlike_options};
use crate::{JudgedRun, PipelineError, benchmark, family, places, words};

/// Systems on the same items.
pub struct Compared {
    pub results: Results,
    /// The systems as rows call them: those of one name are told apart by their runs.
    pub systems: Vec<String>,
    /// Answers that are there and questions, of each run.
    pub answered: Vec<(u64, u64)>,
    /// The systems' own numbers, on the items that all of them answered.
    pub own: Vec<Row>,
}

/// Which pairs of systems are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairs {
    All,
    /// Every other system with the first: fewer tests, and so less to correct for.
    WithFirst,
}

impl Pairs {
    /// How many pairs this many systems have.
    pub fn number(self, systems: usize) -> usize {
        match self {
            Pairs::All => systems * (systems - 1) / 2,
            Pairs::WithFirst => systems - 1,
        }
    }
}

/// Compares systems of one run, or of several that asked the same items; their numbers count on from run to run. Every
/// pair is compared, later less earlier, and all tests are corrected together. All answers are judged and measured by the
/// options of the first run; files beside the answers (links, decisions) are each run's own.
pub fn compare(
    runs: &[RunDirectory],
    systems: &[usize],
    given: &Given,
) -> Result<Compared, PipelineError> {
    compare_pairs(runs, systems, given, Pairs::All, &|| ())
}

/// The same for these pairs; `on_pair` is called after each.
pub fn compare_pairs(
    runs: &[RunDirectory],
    systems: &[usize],
    given: &Given,
    pairs: Pairs,
    on_pair: &(dyn Fn() + Sync),
) -> Result<Compared, PipelineError> {
    let own = &runs[0];
    let benchmark = benchmark(&own.manifest.benchmark)?;
    for other in &runs[1..] {
        refuse_other_data(own, other)?;
    }
    let mut judged = JudgedRun::without_labels(own, own, given)?;
    let mut answered = vec![judged.answered];
    let mut measured = Measured::default();
    for other in &runs[1..] {
        let theirs = JudgedRun::without_labels(other, own, given)?;
        refuse_other_items((own, &judged.table.items), (other, &theirs.table.items))?;
        answered.push(theirs.answered);
        measured.warnings.extend(unlike_options(own, other, given)?);
        judged.join(theirs);
    }
    let mut judged = judged.with_labels(runs)?;
    let names = tell_apart(&mut judged, runs, systems);
    // What one of them did not answer is not there for the others either.
    let joint = judged.shared(systems);
    let whole = joint.as_ref().unwrap_or(&judged);
    let own_rows = rows_of(whole)?;
    let in_sentences = names.len() == 2 || pairs == Pairs::WithFirst;
    let firsts = match pairs {
        Pairs::All => systems.len(),
        Pairs::WithFirst => 1,
    };
    let both: Vec<[usize; 2]> = (0..firsts)
        .flat_map(|place| (place + 1..systems.len()).map(move |beside| [place, beside]))
        .collect();
    let shared = SharedWork::default();
    let compare = |[place, beside]: [usize; 2]| {
        let pair = (systems[place], systems[beside]);
        let part = match systems.len() {
            2 => None,
            _ => judged.shared(&[pair.0, pair.1]),
        };
        let of = match &part {
            Some(part) => part,
            None if systems.len() == 2 => whole,
            None => &judged,
        };
        let mut of_pair = of.judged();
        // With answers left out, a system's numbers depend on the other's.
        of_pair.shared = (part.is_none() && systems.len() > 2).then_some(&shared);
        let compared = epicene_bench::compare(benchmark, &of_pair, pair.0, pair.1);
        on_pair();
        let mut compared = match compared {
            Ok(compared) => compared,
            // Others may still be compared.
            Err(error) if systems.len() > 2 && error.is_about_a_pair() => return Ok(Err(error)),
            Err(error) => return Err(error.into()),
        };
        of.correct_differences(&mut compared, pair)?;
        let (without, questions) = judged.unpaired([pair.0, pair.1]);
        if without > 0 {
            compared.warnings.push(format!(
                "{without} of {questions} pairs are left out: {} or {} has no answer there",
                names[place], names[beside]
            ));
        }
        let mut sentences = Vec::new();
        if in_sentences {
            let names = [names[place].clone(), names[beside].clone()];
            let same = std::ptr::eq(of, whole);
            let rows = if same { None } else { Some(rows_of(of)?) };
            let rows = rows.as_deref().unwrap_or(&own_rows);
            sentences = words::pair(&compared.rows, rows, &names, benchmark.card().metrics);
        }
        Ok::<_, PipelineError>(Ok((compared, sentences)))
    };
    // Pairs do not depend on each other: all of them at once, and their rows in order.
    let compared: Vec<_> = both.par_iter().map(|pair| compare(*pair)).collect();
    let mut apart: Vec<BenchError> = Vec::new();
    let mut hows: Vec<How> = Vec::new();
    let mut sentences: Vec<String> = Vec::new();
    for compared in compared {
        let (pair, said) = match compared? {
            Ok(compared) => compared,
            Err(error) => {
                apart.push(error);
                continue;
            }
        };
        sentences.extend(said);
        let shift = measured.rows.len();
        let moved = pair.tests.into_iter().map(|test| Tested {
            row: test.row + shift,
            ..test
        });
        measured.tests.extend(moved);
        measured.rows.extend(pair.rows);
        hows.push(pair.how);
        for (list, more) in [
            (&mut measured.notes, pair.notes),
            (&mut measured.warnings, pair.warnings),
        ] {
            let fresh: Vec<String> = more.into_iter().filter(|m| !list.contains(m)).collect();
            list.extend(fresh);
        }
    }
    measured.how = join_hows(hows.iter());
    for error in &apart {
        measured.warnings.push(error.to_string());
    }
    if measured.rows.is_empty()
        && let Some(error) = apart.into_iter().next()
    {
        return Err(error.into());
    }
    family::correct(&mut measured)?;
    let cards = systems.iter().map(|system| &judged.table.systems[*system]);
    measured.warnings.extend(unlike_arithmetic(cards));
    if in_sentences {
        words::add(&mut measured, sentences, &own_rows, &names);
    } else {
        places::add(&mut measured, &names);
        words::verdicts(&mut measured, &own_rows, &names);
    }
    drop(joint);
    if let Some(part) = answered.iter().find(|(there, of)| there < of) {
        judged.answered = *part;
    }
    let mut results = judged.signed(measured);
    judged.refuse_unheeded(&results)?;
    results.views = words::table(&results.rows, results.views);
    Ok(Compared {
        results,
        systems: names,
        answered,
        own: own_rows,
    })
}

/// The numbers of the systems themselves.
fn rows_of(judged: &JudgedRun<'_>) -> Result<Vec<Row>, PipelineError> {
    let mut own = judged.benchmark.measure(&judged.judged())?;
    judged.correct(&mut own)?;
    Ok(own.rows)
}

/// The names of the compared systems. Where runs have systems of one name, each says whose it is; where one system is compared
/// with itself in other runs, the runs' names are enough.
fn tell_apart(judged: &mut JudgedRun<'_>, runs: &[RunDirectory], systems: &[usize]) -> Vec<String> {
    let of_run: Vec<usize> = (0..runs.len())
        .flat_map(|run| runs[run].plan.systems().iter().map(move |_| run))
        .collect();
    let short = |run: usize| -> Option<String> {
        let name = runs[run].path().file_name()?;
        Some(name.to_string_lossy().into_owned())
    };
    let call = |run: usize| {
        let alone = |name: &String| {
            (0..runs.len())
                .filter(|of| short(*of).as_ref() == Some(name))
                .count()
                == 1
        };
        let name = short(run).filter(alone);
        name.unwrap_or_else(|| runs[run].path().display().to_string())
    };
    let name = |system: usize| &judged.recorded_names[system];
    let one_system = systems.iter().all(|other| name(*other) == name(systems[0]));
    let names: Vec<String> = systems
        .iter()
        .map(|system| {
            let own = name(*system);
            match systems.iter().filter(|other| name(**other) == own).count() {
                1 => own.clone(),
                _ if one_system => call(of_run[*system]),
                _ => format!("{own} ({})", call(of_run[*system])),
            }
        })
        .collect();
    for (system, name) in systems.iter().zip(&names) {
        judged.table.systems[*system].name.clone_from(name);
    }
    names
}
