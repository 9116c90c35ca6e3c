//! A system may have any name: none is read as a comparison, as a metric or as a part of a table.

use std::path::Path;

use crate::support::{run, succeed, synthetic_gest};

const PLAIN: [&str; 3] = ["a", "b", "c"];
/// In the same order of letters.
const ODD: [&str; 3] = ["a - b", "delta_z", "x: y"];

/// Slovak translations by three systems that differ in how often "I" is a man.
fn translations(directory: &Path, names: [&str; 3], items: usize) {
    for (name, every) in names.into_iter().zip([2, 3, 7]) {
        let line = |item: usize| {
            if item.is_multiple_of(every) {
                "Bola som unavená.\n"
            } else {
                "Bol som unavený.\n"
            }
        };
        let text: String = (0..items).map(line).collect();
        std::fs::write(directory.join(format!("{name}.txt")), text).unwrap();
    }
}

/// The output with the plain names, and with lines as wide as they are.
fn told(output: String, names: [&str; 3]) -> Vec<String> {
    let mut output = output;
    for (name, plain) in names.into_iter().zip(PLAIN) {
        // Signatures name files with blanks replaced.
        output = output.replace(&name.replace(' ', "_"), plain);
        output = output.replace(&name.replace('_', "\\_"), plain);
        output = output.replace(name, plain);
    }
    output
        .lines()
        .map(|line| {
            let words = line.split([' ', '─', '-', '&']).filter(|w| !w.is_empty());
            words.collect::<Vec<_>>().join(" ")
        })
        .collect()
}

/// What every command says about these systems, as many as there are names.
fn everything(names: [&str; 3], systems: usize) -> Vec<Vec<String>> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    synthetic_gest(&path.join("gest.csv"), 320);
    translations(path, names, 320);
    let mut command = vec![
        "run", "gest", "--data", "gest.csv", "--lang", "sk", "--out", "r",
    ];
    // A file's name is its system's; before a `=` no name may have a colon.
    let specs = names.map(|name| format!("file:{name}.txt"));
    for spec in &specs[..systems] {
        command.extend(["--mt", spec]);
    }
    succeed(&command, path);
    let mut all = Vec::new();
    // LaTeX tables are divided by the width of names, so they are left out.
    for format in ["table", "json", "csv", "md"] {
        let mut commands = vec![vec!["report", "r", "--format", format]];
        commands.push(vec!["plan", "r", "--see", "0.05", "--format", format]);
        if systems > 1 {
            commands.push(vec!["compare", "r", "--rounds", "99", "--format", format]);
        }
        for command in commands {
            let (code, stdout, stderr) = run(&command, path);
            assert_eq!(code, 0, "{command:?}: {stderr}");
            all.push(told(stdout + &stderr, names));
        }
    }
    all
}

#[test]
fn names_change_no_number_and_no_sentence() {
    for systems in 1..=3 {
        let (plain, odd) = (everything(PLAIN, systems), everything(ODD, systems));
        for (plain, odd) in plain.iter().zip(&odd) {
            for (plain, odd) in plain.iter().zip(odd) {
                assert_eq!(plain, odd, "{systems} systems");
            }
            assert_eq!(plain.len(), odd.len());
        }
    }
}

/// Whichever of them is first or alone.
#[test]
fn each_name_alone_gives_the_numbers_of_a_plain_one() {
    let plain = everything(PLAIN, 1);
    for name in ODD {
        let odd = everything([name, "b", "c"], 1);
        assert_eq!(plain, odd, "{name}");
    }
}
