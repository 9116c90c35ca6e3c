//! What the tests of the command line share.

pub mod browser;
pub mod chat_server;
pub mod completions;
pub mod server;
pub mod vendors;

use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

pub use crate::shared_data::shared;

/// The program under test. `EPICENE_BIN` names another one: a test that guards against a fault fails with a program that has it.
pub fn binary() -> PathBuf {
    let usual = || env!("CARGO_BIN_EXE_epicene").into();
    std::env::var_os("EPICENE_BIN").map_or_else(usual, PathBuf::from)
}

pub fn epicene() -> Command {
    let mut command = Command::new(binary());
    command
        .env_remove("EPICENE_DATA_URL")
        .env_remove("NO_COLOR");
    command
}

/// Runs and returns (exit code, stdout, stderr).
pub fn run(arguments: &[&str], directory: &Path) -> (i32, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = epicene()
        .args(arguments)
        .current_dir(directory)
        .env("EPICENE_CACHE", directory.join("cache"))
        .output()
        .unwrap();
    (
        status.code().unwrap_or(-1),
        String::from_utf8(stdout).unwrap(),
        String::from_utf8(stderr).unwrap(),
    )
}

/// Runs, expects success, returns standard output.
pub fn succeed(arguments: &[&str], directory: &Path) -> String {
    let (code, stdout, stderr) = run(arguments, directory);
    assert_eq!(code, 0, "{arguments:?}: {stderr}");
    stdout
}

/// Runs, expects exit code 2 and no panic, returns standard error.
pub fn refuse(arguments: &[&str], directory: &Path) -> String {
    let (code, _, stderr) = run(arguments, directory);
    assert_eq!(code, 2, "{arguments:?}: {stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    stderr
}

/// The rows of a JSON result.
pub struct Rows(pub Vec<Value>, pub String);

impl Rows {
    pub fn parse(json: &str) -> Rows {
        let value: Value = serde_json::from_str(json).unwrap();
        let object = value.as_object().unwrap();
        let keys: Vec<&str> = object.keys().map(String::as_str).collect();
        assert!(
            keys == ["rows", "signature"] || keys == ["rows", "signature", "warnings"],
            "{keys:?}"
        );
        Rows(
            value["rows"].as_array().unwrap().clone(),
            value["signature"].as_str().unwrap().to_owned(),
        )
    }

    /// The one row with these names.
    pub fn row(&self, system: &str, unit: &str, group: &str, metric: &str) -> &Value {
        let mut found = self.0.iter().filter(|row| {
            row["system"] == system
                && row["unit"] == unit
                && row["group"] == group
                && row["metric"] == metric
        });
        let row = found
            .next()
            .unwrap_or_else(|| panic!("no row {system} {unit} {group} {metric}"));
        assert!(
            found.next().is_none(),
            "two rows {system} {unit} {group} {metric}"
        );
        row
    }

    pub fn value(&self, system: &str, unit: &str, group: &str, metric: &str) -> f64 {
        self.row(system, unit, group, metric)["value"]
            .as_f64()
            .unwrap()
    }
}

/// Sentences of no meaning in GEST's layout, as many as GEST has.
pub fn synthetic_gest(path: &Path, rows: usize) {
    let mut text = String::from("sentence,stereotype\n");
    for row in 0..rows {
        let family = if row % 7 == 0 { " for my family" } else { "" };
        text += &format!(
            "\"I did thing number {row}, gladly{family}.\",{}\n",
            row % 16 + 1
        );
    }
    std::fs::write(path, text).unwrap();
}

/// Changes a run's manifest and gives it the checksum it would have had: what stays is for others to find.
pub fn edit_manifest(run: &Path, edit: impl FnOnce(&mut Value)) {
    let path = run.join("manifest.json");
    let mut value: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let fields = value.as_object_mut().unwrap();
    fields.remove("sum").unwrap();
    edit(&mut value);
    let sum = epicene_run::sha256_hex(value.to_string().as_bytes());
    value["sum"] = sum.into();
    std::fs::write(&path, value.to_string()).unwrap();
}

/// Lines of a file.
pub fn lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(str::to_owned).collect()
}
