//! The layout of lm-evaluation-harness: `MODEL/results_TIME.json`, and answers as `MODEL/samples_TASK_TIME.jsonl`.

use std::collections::BTreeSet;

use epicene_core::{Direction, SystemCard};

use super::json::{Json, object};
use super::stored::{Chosen, Sample, StoredRow};
use super::{ExportError, Exported, ExportedFile, Interchange, Settings, StoredRun, When, sha256};

pub(crate) struct Harness;

impl Interchange for Harness {
    fn files(&self, run: &StoredRun, settings: &Settings) -> Result<Exported, ExportError> {
        let mut exported = Exported::default();
        let models = run.models(&mut exported.left_out);
        // The harness has no word for rows without a direction: it takes every number.
        let everything = Settings {
            all: true,
            ..settings.clone()
        };
        let mut folders = BTreeSet::new();
        for system in &models {
            let chosen = run.chosen(system, &everything, &mut exported.left_out)?;
            let name = model_name(system, settings);
            if !folders.insert(sanitized(&name)) {
                return Err(ExportError::new(
                    format!("two systems of the run are called {name}"),
                    format!("pass --model-id {}=ORG/NAME", system.name),
                ));
            }
            exported
                .files
                .extend(of_system(run, system, &name, &chosen, settings)?);
        }
        if models.is_empty() {
            return Err(ExportError::only_baselines(run));
        }
        Ok(exported)
    }
}

/// What the harness would call the model: its repository, or the system's own name.
fn model_name(system: &SystemCard, settings: &Settings) -> String {
    let repository = system.source.strip_prefix("hf:");
    let repository = repository.and_then(|rest| rest.split(['@', ',']).next());
    let given = settings.model_ids.get(&system.name).map(String::as_str);
    given.or(repository).unwrap_or(&system.name).to_owned()
}

/// As the harness names the folder of a model.
fn sanitized(name: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in name.chars() {
        let bad = "\"<>:/|\\?*[]".contains(c);
        if bad && !inside {
            out.push_str("__");
        } else if !bad {
            out.push(c);
        }
        inside = bad;
    }
    out
}

/// `epicene_winomt_lang_de`
fn task_name(benchmark: &str, unit: &str) -> String {
    let name = match unit {
        "all" => format!("epicene_{benchmark}"),
        unit => format!("epicene_{benchmark}_{unit}"),
    };
    let word = |c: char| if c.is_alphanumeric() { c } else { '_' };
    name.chars().map(word).collect()
}

/// `accuracy`, and of a group of items `accuracy_contextual_feminine`.
fn metric_name(metric: &str, group: &str) -> String {
    let word = |c: char| if c.is_alphanumeric() { c } else { '_' };
    match group {
        "all" => metric.to_owned(),
        group => format!("{metric}_{}", group.chars().map(word).collect::<String>()),
    }
}

/// `2026-11-17T21-00-00.000000`: readers cut names at their last `_`. Runs of one second differ in the microseconds.
fn stamp(when: &When, index: usize) -> String {
    let second = when.text.trim_end_matches('Z').replace(':', "-");
    format!("{second}.{index:06}")
}

fn of_system(
    run: &StoredRun,
    system: &SystemCard,
    name: &str,
    chosen: &[Chosen<'_>],
    settings: &Settings,
) -> Result<Vec<ExportedFile>, ExportError> {
    let safe = sanitized(name);
    if matches!(safe.as_str(), "" | "." | "..") {
        return Err(ExportError::new(
            format!("`{name}` cannot name a folder"),
            format!("pass --model-id {}=ORG/NAME", system.name),
        ));
    }
    let when = settings.evaluated(run).or(settings.now.as_ref());
    let when = when.cloned().unwrap_or(When {
        seconds: 0,
        text: "1970-01-01T00:00:00Z".to_owned(),
    });
    let stamp = stamp(&when, settings.index);
    let mut units: Vec<&str> = Vec::new();
    for chosen in chosen {
        if !units.contains(&chosen.row.unit.as_str()) {
            units.push(&chosen.row.unit);
        }
    }
    let (mut files, mut hashes) = (Vec::new(), Vec::new());
    let mut tables: [Vec<(String, Json)>; 7] = Default::default();
    for unit in units {
        let task = task_name(&run.benchmark, unit);
        let of_unit = || chosen.iter().filter(|c| c.row.unit == unit);
        // MT-GenEval has no number about all items: there the names of the metrics carry the group.
        let whole = of_unit().any(|c| c.row.group == "all" && c.aim.is_some());
        let exported = |group: &str| !whole || group == "all";
        let (values, better) = values(of_unit().filter(|c| exported(&c.row.group)));
        let mut result = object! {
            "name": task.as_str(),
            "alias": task.as_str(),
            "sample_len": run.items,
        };
        for (key, value) in values {
            result.push(&key, value);
        }
        let own: Vec<Json> = run
            .rows
            .iter()
            .filter(|row| row.system == system.name && row.unit == unit && exported(&row.group))
            .map(printed)
            .collect();
        let config = object! {
            "task": task.as_str(),
            "dataset_path": run.source_url.as_deref().unwrap_or(&run.data.name),
            "output_type": "epicene",
            "num_fewshot": 0u64,
            "metadata": object! {
                "version": run.data.version.as_str(),
                "epicene": object! {
                    "signature": run.signature.as_str(),
                    "data_sha256": run.data.sha256.as_str(),
                    "rows": own,
                },
            },
        };
        let counts = object! { "original": run.data.items, "effective": run.items };
        let entries = [
            result,
            Json::List(Vec::new()),
            config,
            run.data.version.as_str().into(),
            0u64.into(),
            Json::Map(better),
            counts,
        ];
        for (table, entry) in tables.iter_mut().zip(entries) {
            table.push((task.clone(), entry));
        }
        let samples = run.samples.iter().flatten();
        let samples = samples.filter(|s| s.system == system.name && s.unit == unit);
        let (mut text, mut hashed) = (String::new(), String::new());
        for (index, sample) in samples.enumerate() {
            let (line, hash) = sample_line(index, sample);
            text += &line;
            text.push('\n');
            hashed += &hash;
        }
        if !text.is_empty() {
            hashes.push((task.clone(), sha256(&hashed)));
            files.push(ExportedFile {
                path: format!("{safe}/samples_{task}_{stamp}.jsonl"),
                text,
            });
        }
    }
    let [results, subtasks, configs, versions, shots, better, counts] = tables.map(Json::Map);
    let out = object! {
        "results": results,
        "group_subtasks": subtasks,
        "configs": configs,
        "versions": versions,
        "n-shot": shots,
        "higher_is_better": better,
        "n-samples": counts,
        "config": object! {
            "model": "epicene",
            "model_args": format!("pretrained={name}"),
            "model_dtype": system.dtype.as_deref(),
            "model_revision": system.revision.as_deref(),
            "batch_size": Json::Null,
            "batch_sizes": Vec::<Json>::new(),
            "device": Json::Null,
            "use_cache": Json::Null,
            "limit": run.limit,
            "bootstrap_iters": run.bootstrap,
            "gen_kwargs": Json::Null,
            "random_seed": run.seed,
            "numpy_seed": Json::Null,
            "torch_seed": Json::Null,
            "fewshot_seed": Json::Null,
        },
        "git_hash": Json::Null,
        "date": when.seconds as f64,
        "pretty_env_info": "N/A (not lm_eval)",
        "transformers_version": "N/A",
        "lm_eval_version": format!("epicene {}", run.epicene),
        "upper_git_hash": Json::Null,
        "task_hashes": Json::Map(hashes.into_iter().map(|(task, hash)| (task, hash.into())).collect()),
        "model_source": "epicene",
        "model_name": name,
        "model_name_sanitized": safe.as_str(),
        "system_instruction": Json::Null,
        "system_instruction_sha": Json::Null,
        "fewshot_as_multiturn": Json::Null,
        "chat_template": Json::Null,
        "chat_template_sha": Json::Null,
        "total_evaluation_time_seconds": Json::Null,
    };
    files.push(ExportedFile {
        path: format!("{safe}/results_{stamp}.json"),
        text: out.pretty(),
    });
    Ok(files)
}

/// Members of a JSON object, in their order.
type Members = Vec<(String, Json)>;

/// The numbers of a task, and which way of each is better: `null` for targets, whose distances follow them.
fn values<'a>(rows: impl Iterator<Item = &'a Chosen<'a>>) -> (Members, Members) {
    let (mut values, mut better) = (Vec::new(), Vec::new());
    for chosen in rows {
        let metric = metric_name(&chosen.row.metric, &chosen.row.group);
        let scale = chosen.scale();
        let mut push = |name: &str, value: f64, higher: Json| {
            values.push((format!("{name},none"), (value * scale).into()));
            values.push((format!("{name}_stderr,none"), "N/A".into()));
            better.push((name.to_owned(), higher));
        };
        let direction = chosen.direction();
        let higher = match direction {
            Some(Direction::Higher) => Json::Bool(true),
            Some(Direction::Lower) => Json::Bool(false),
            _ => Json::Null,
        };
        push(&metric, chosen.value, higher);
        if direction == Some(Direction::Target)
            && let Some((distance, _)) = chosen.distance()
        {
            push(&format!("{metric}_distance"), distance, Json::Bool(false));
        }
    }
    (values, better)
}

/// A row as `measures.json` has it.
fn printed(row: &StoredRow) -> Json {
    let mut out = object! {
        "benchmark": row.benchmark.as_str(),
        "system": row.system.as_str(),
        "unit": row.unit.as_str(),
        "group": row.group.as_str(),
        "metric": row.metric.as_str(),
        "value": row.value,
        "low": row.low,
        "high": row.high,
        "n": row.n,
        "ideal": row.ideal,
    };
    if let Some(k) = row.k {
        out.push("k", k);
    }
    for (key, value) in [("deff", row.deff), ("n_eff", row.n_eff)] {
        if let Some(value) = value {
            out.push(key, value);
        }
    }
    out
}

/// A line, and what the hash of the task covers of it.
fn sample_line(index: usize, sample: &Sample) -> (String, String) {
    let labels = Json::map(
        sample
            .labels
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str())),
    );
    let doc = object! {
        "id": sample.id.as_str(),
        "text": sample.text.as_str(),
        "labels": labels,
        "unit": sample.unit.as_str(),
    };
    let answer = match &sample.answer {
        Some(answer) => answer.clone(),
        None => Json::from(&sample.observation).line(),
    };
    let (target, metrics) = match &sample.outcome {
        Some(outcome) => {
            let correct = f64::from(u8::from(outcome == "correct"));
            let target = sample.label("gender").unwrap_or("");
            (target, vec![("correct".to_owned(), Json::Number(correct))])
        }
        None => ("", numbers(&sample.observation)),
    };
    let hashes = [sha256(&doc.pretty()), sha256(&sample.text), sha256(target)];
    let mut line = object! {
        "doc_id": index,
        "doc": doc,
        "target": target,
        "arguments": object! {
            "gen_args_0": object! { "arg_0": sample.text.as_str(), "arg_1": Json::Map(Vec::new()) },
        },
        "resps": vec![vec![answer]],
        "filtered_resps": vec![sample.finding.as_str()],
        "filter": "none",
        "metrics": metrics.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        "doc_hash": hashes[0].as_str(),
        "prompt_hash": hashes[1].as_str(),
        "target_hash": hashes[2].as_str(),
    };
    for (name, value) in metrics {
        line.push(&name, value);
    }
    (line.line(), hashes.concat())
}

/// The numbers of an answer that has no right or wrong, by their names.
fn numbers(observation: &serde_json::Value) -> Vec<(String, Json)> {
    let fields = observation.as_object().into_iter().flatten();
    let numbers = fields.filter(|(_, value)| value.is_number());
    numbers
        .map(|(key, value)| (key.clone(), value.into()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_harness() {
        assert_eq!(sanitized("org/name"), "org__name");
        assert_eq!(sanitized("a://b"), "a__b");
        assert_eq!(task_name("winomt", "lang:de"), "epicene_winomt_lang_de");
        assert_eq!(task_name("gest-pairs", "all"), "epicene_gest_pairs");
        assert_eq!(metric_name("acc", "all"), "acc");
        let grouped = metric_name("accuracy", "contextual:feminine");
        assert_eq!(grouped, "accuracy_contextual_feminine");
    }
}
