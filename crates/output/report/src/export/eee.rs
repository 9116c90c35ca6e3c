//! Every Eval Ever, schema 0.3.0: one JSON file a system, and its answers as JSON lines.

use epicene_core::{Direction, SystemCard};
use sha2::{Digest, Sha256};

use super::json::{Json, object, repr};
use super::model::{Model, component};
use super::stored::{Chosen, Sample, is_plain_accuracy};
use super::{
    ExportError, Exported, ExportedFile, Interchange, Settings, StoredRun, sha256, short_number,
    slug,
};

const SCHEMA: &str = "0.3.0";

pub(crate) struct EveryEvalEver;

impl Interchange for EveryEvalEver {
    fn files(&self, run: &StoredRun, settings: &Settings) -> Result<Exported, ExportError> {
        let mut exported = Exported::default();
        let organization = settings.needed(
            &settings.organization,
            "the organisation that ran the evaluation",
            "--organization NAME",
        )?;
        let relationship = settings.needed(
            &settings.relationship,
            "the evaluator's relationship to the model's developer",
            "--relationship first_party|third_party|collaborative|other",
        )?;
        let models = run.models(&mut exported.left_out);
        for system in &models {
            let chosen = run.chosen(system, settings, &mut exported.left_out)?;
            let model = Model::of(system, settings)?;
            let source = [organization, relationship];
            let files = record(run, system, &model, &chosen, source, settings)?;
            exported.files.extend(files);
        }
        if models.is_empty() {
            return Err(ExportError::only_baselines(run));
        }
        Ok(exported)
    }
}

fn record(
    run: &StoredRun,
    system: &SystemCard,
    model: &Model,
    chosen: &[Chosen<'_>],
    [organization, relationship]: [&str; 2],
    settings: &Settings,
) -> Result<Vec<ExportedFile>, ExportError> {
    let collection = component(&format!("epicene-{}", run.benchmark), "benchmark")?;
    let stable = sha256(&format!("{}\n{}", run.signature, system.name));
    let evaluation_id = format!("{collection}/{}/{}", model.id, &stable[..12]);
    let now = settings.now.as_ref().map_or(0, |now| now.seconds);
    let mut log = object! {
        "schema_version": SCHEMA,
        "evaluation_id": evaluation_id.as_str(),
    };
    if let Some(evaluated) = settings.evaluated(run) {
        log.push("evaluation_timestamp", evaluated.text.as_str());
    }
    log.push("retrieved_timestamp", now.to_string());
    log.push(
        "source_metadata",
        object! {
            "source_name": "epicene",
            "source_type": "evaluation_run",
            "source_organization_name": organization,
            "evaluator_relationship": relationship,
        },
    );
    log.push(
        "eval_library",
        object! {
            "name": "epicene",
            "version": run.epicene.as_str(),
            "additional_details": object! {
                "signature": run.signature.as_str(),
                "seed": run.seed.to_string(),
            },
        },
    );
    log.push("model_info", model_info(run, system, model));
    let mut results = Vec::new();
    for row in chosen {
        results.extend(of_row(run, row, settings.raw));
    }
    log.push("evaluation_results", Json::List(distinct(results)));

    let (developer, rest) = model.parts();
    let folder = [
        "data",
        &collection,
        &component(developer, "developer")?,
        &component(rest, "model")?,
    ]
    .join("/");
    let name = uuid4_of(&evaluation_id);
    let mut files = Vec::new();
    if let Some(samples) = &run.samples {
        let own = samples.iter().filter(|sample| sample.system == system.name);
        let lines = sample_lines(run, own, &evaluation_id, &model.id)?;
        let text: String = lines.iter().map(|line| line.line() + "\n").collect();
        let path = format!("{folder}/{name}_samples.jsonl");
        log.push(
            "detailed_evaluation_results",
            object! {
                "format": "jsonl",
                "file_path": path.as_str(),
                "hash_algorithm": "sha256",
                "checksum": sha256(&text),
                "total_rows": lines.len(),
            },
        );
        files.push(ExportedFile { path, text });
    }
    files.push(ExportedFile {
        path: format!("{folder}/{name}.json"),
        text: log.pretty() + "\n",
    });
    Ok(files)
}

fn model_info(run: &StoredRun, system: &SystemCard, model: &Model) -> Json {
    let mut details = object! {
        "deployment_type": model.deployment(),
        "model_availability": model.availability(),
        "epicene_system": system.source.as_str(),
    };
    let optional = [
        ("revision", &system.revision),
        ("dtype", &system.dtype),
        ("tokenizer", &system.tokenizer),
    ];
    for (key, value) in optional {
        if let Some(value) = value {
            details.push(key, value.as_str());
        }
    }
    details.push("kind", system.kind.name());
    let mut info = object! {
        "name": system.name.as_str(),
        "id": model.id.as_str(),
        "developer": model.parts().0,
    };
    if model.is_local() {
        info.push(
            "inference_engine",
            object! { "name": "epicene", "version": run.epicene.as_str() },
        );
    } else if model.is_service() {
        info.push("inference_platform", model.kind.as_str());
    }
    info.push("additional_details", details);
    info
}

fn source_data(run: &StoredRun) -> Json {
    let data = &run.data;
    let mut source = object! { "dataset_name": data.name.as_str() };
    match &run.source_url {
        Some(url) => {
            source.push("source_type", "url");
            source.push("url", vec![url.as_str()]);
        }
        None => source.push("source_type", "other"),
    }
    source.push(
        "additional_details",
        object! {
            "version": data.version.as_str(),
            "sha256": data.sha256.as_str(),
            "items": data.items.to_string(),
        },
    );
    source
}

/// `epicene.winomt.lang-de.set-pro`, without `all`.
fn evaluation_name(benchmark: &str, parts: &[&str]) -> String {
    let mut name = format!("epicene.{benchmark}");
    for part in parts.iter().map(|part| slug(part)) {
        if part != "all" {
            name += ".";
            name += &part;
        }
    }
    name
}

/// One number of a row, in the row's own scale.
struct Score {
    id: String,
    name: String,
    score: f64,
    interval: Option<(f64, f64)>,
    lower_is_better: bool,
    bounds: (f64, f64),
    description: String,
}

/// The results of a row: a target metric leaves as its distance, beside it the value where it is asked for.
fn of_row(run: &StoredRun, chosen: &Chosen<'_>, raw: bool) -> Vec<Json> {
    let row = chosen.row;
    let mut facts = vec![
        ("unit", row.unit.clone()),
        ("group", row.group.clone()),
        ("value", repr(chosen.value)),
    ];
    let numbers = [("ideal", row.ideal), ("low", row.low), ("high", row.high)];
    facts.extend(
        numbers
            .into_iter()
            .filter_map(|(key, value)| Some((key, repr(value?)))),
    );
    let counts = [("n", row.n), ("k", row.k)];
    facts.extend(
        counts
            .into_iter()
            .filter_map(|(key, value)| Some((key, value?.to_string()))),
    );
    let numbers = [("deff", row.deff), ("n_eff", row.n_eff)];
    facts.extend(
        numbers
            .into_iter()
            .filter_map(|(key, value)| Some((key, repr(value?)))),
    );

    let range = chosen.range();
    let (min, max) = range.map_or((f64::NEG_INFINITY, f64::INFINITY), |range| {
        (range.min, range.max)
    });
    let symbol = row.metric.as_str();
    let id = format!("epicene.{}.{symbol}", run.benchmark);
    let direction = chosen.direction();
    let mut scores = Vec::new();
    if direction == Some(Direction::Target)
        && let Some(ideal) = row.ideal
        && let Some((distance, interval)) = chosen.distance()
    {
        if max.is_infinite() && chosen.value > 0.0 && ideal > 0.0 {
            // 0.5 and 2 are equally far from 1.
            facts.push(("log_distance", repr((chosen.value / ideal).ln().abs())));
        }
        let ideal_text = short_number(ideal);
        scores.push(Score {
            id: format!("{id}.distance"),
            name: format!("|{symbol} - {ideal_text}|"),
            score: distance,
            interval,
            lower_is_better: true,
            bounds: (0.0, (min - ideal).abs().max((max - ideal).abs())),
            description: format!(
                "Distance of {symbol} from its ideal value {ideal_text}; the measured value is in score_details.details."
            ),
        });
    }
    if direction != Some(Direction::Target) || raw {
        let description = match (direction, row.ideal) {
            (Some(Direction::Higher), _) => "Higher is better.".to_owned(),
            (Some(Direction::Lower), _) => "Lower is better.".to_owned(),
            (_, Some(ideal)) => format!("Not for ranking: the ideal value is {}.", repr(ideal)),
            (_, None) => "Not for ranking: no ideal value.".to_owned(),
        };
        let plain = direction == Some(Direction::Higher) && chosen.is_plain_accuracy();
        scores.push(Score {
            id: if plain { "accuracy".to_owned() } else { id },
            name: symbol.to_owned(),
            score: chosen.value,
            interval: chosen.interval(),
            lower_is_better: direction == Some(Direction::Lower),
            bounds: (min, max),
            description,
        });
    }
    let facts = Json::map(facts);
    scores
        .into_iter()
        .map(|score| result(run, chosen, score, facts.clone()))
        .collect()
}

fn result(run: &StoredRun, chosen: &Chosen<'_>, score: Score, facts: Json) -> Json {
    let row = chosen.row;
    let scale = chosen.scale();
    let range = chosen.range();
    let unit = range.map_or("unknown", |range| match range.unit {
        "percent" => "proportion",
        unit => unit,
    });
    let evaluation = evaluation_name(&run.benchmark, &[&row.unit, &row.group]);
    // The sum of items may leave the bounds by rounding.
    let (min, max) = (score.bounds.0 * scale, score.bounds.1 * scale);
    let mut details = object! {
        "score": (score.score * scale).clamp(min, max),
        "details": facts,
    };
    let mut uncertainty = Json::Map(Vec::new());
    if let Some((low, high)) = score.interval {
        let method = run
            .signature
            .split('|')
            .find_map(|field| field.strip_prefix("interval:"));
        uncertainty.push(
            "confidence_interval",
            object! {
                "lower": low * scale,
                "upper": high * scale,
                "confidence_level": 0.95,
                "method": method.unwrap_or("unknown"),
            },
        );
    }
    if let Some(n) = row.n {
        uncertainty.push("num_samples", n);
    }
    if uncertainty != Json::Map(Vec::new()) {
        details.push("uncertainty", uncertainty);
    }
    object! {
        "evaluation_result_id": format!("{evaluation}#{}", score.id),
        "evaluation_name": evaluation,
        "source_data": source_data(run),
        "metric_config": object! {
            "evaluation_description": score.description,
            "metric_id": score.id,
            "metric_name": score.name,
            "metric_kind": range.map_or("detail", |range| range.kind),
            "metric_unit": unit,
            "lower_is_better": score.lower_is_better,
            "score_type": "continuous",
            "min_score": bound(min),
            "max_score": bound(max),
            "additional_details": object! { "direction": chosen.direction_name() },
        },
        "score_details": details,
    }
}

fn bound(value: f64) -> Json {
    if value.is_finite() {
        value.into()
    } else if value > 0.0 {
        "Infinity".into()
    } else {
        "-Infinity".into()
    }
}

/// Names that differ in other characters than letters and digits can become one: ids are unique all the same.
fn distinct(mut results: Vec<Json>) -> Vec<Json> {
    let mut seen = std::collections::BTreeMap::new();
    for result in &mut results {
        if let Json::Map(fields) = result
            && let Some((_, Json::Text(id))) = fields.first_mut()
        {
            let count: &mut u32 = seen.entry(id.clone()).or_default();
            *count += 1;
            if *count > 1 {
                *id = format!("{id}~{count}");
            }
        }
    }
    results
}

/// The answers of one system. The format demands that each is right or wrong.
fn sample_lines<'a>(
    run: &StoredRun,
    samples: impl Iterator<Item = &'a Sample>,
    evaluation_id: &str,
    model_id: &str,
) -> Result<Vec<Json>, ExportError> {
    let none = || {
        ExportError::new(
            format!(
                "{} has no right answers, and the format requires `is_correct`",
                run.benchmark
            ),
            "leave out --samples; --to lm-eval exports answers",
        )
    };
    let accuracy = run.metrics.iter().find(|metric| is_plain_accuracy(metric));
    let Some(_) = accuracy else {
        return Err(none());
    };
    let mut lines = Vec::new();
    for sample in samples {
        let Some(outcome) = &sample.outcome else {
            return Err(none());
        };
        let evaluation = evaluation_name(&run.benchmark, &[&sample.unit]);
        let reference: Vec<&str> = sample.label("gender").into_iter().collect();
        let hashed = object! { "raw": sample.text.as_str(), "reference": reference.clone() };
        let answer = match &sample.answer {
            Some(answer) => answer.clone(),
            None => Json::from(&sample.observation).line(),
        };
        let is_correct = outcome == "correct";
        let rule = match sample.rule.as_str() {
            "" => "none",
            rule => rule,
        };
        let mut metadata = Json::map(
            sample
                .labels
                .iter()
                .map(|(key, value)| (key.as_str(), value.as_str())),
        );
        metadata.push("outcome", outcome.as_str());
        metadata.push("evidence", Json::from(sample.evidence.clone()).line());
        lines.push(object! {
            "schema_version": SCHEMA,
            "evaluation_id": evaluation_id,
            "model_id": model_id,
            "evaluation_name": evaluation.as_str(),
            "evaluation_result_id": format!("{evaluation}#accuracy"),
            "sample_id": sample.id.as_str(),
            "sample_hash": sha256(&hashed.ascii()),
            "interaction_type": "single_turn",
            "input": object! { "raw": sample.text.as_str(), "reference": reference },
            "output": object! { "raw": vec![answer] },
            "answer_attribution": vec![object! {
                "turn_idx": 0u64,
                "source": "output.raw",
                "extracted_value": sample.finding.as_str(),
                "extraction_method": format!("epicene:{rule}"),
                "is_terminal": true,
            }],
            "evaluation": object! { "score": f64::from(u8::from(is_correct)), "is_correct": is_correct },
            "metadata": metadata,
        });
    }
    if lines.is_empty() {
        return Err(none());
    }
    Ok(lines)
}

/// A UUID of version 4 that is a function of the text: a run exported again has the same file name.
fn uuid4_of(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    let mut bytes = [0u8; 16];
    bytes.copy_from_slice(&digest[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    [
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..],
    ]
    .join("-")
}
