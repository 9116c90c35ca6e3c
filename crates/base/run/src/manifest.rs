//! What a run was asked to do. Written before the first question, so that a later command can tell
//! whether it is the same run; fields that cannot change an answer are kept but not compared.

use std::collections::BTreeMap;
use std::path::Path;

use epicene_core::{Ask, DataCard, ModelKind, ServerCard, SystemCard, short_hash as short};
use serde::{Deserialize, Serialize};

use crate::{Probe, RunError, Sha256Digest, Shard, Sums, sha256_hex};

/// Layout version of the run directory; every older one is read. Since 2 the lines of the log have
/// checksums, and the options recorded are those of the benchmark alone. Since 3 the manifest has one too.
const FORMAT: u32 = 3;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    pub format: u32,
    pub epicene: String,
    pub benchmark: String,
    /// As typed. Keys never stand here: they come from the environment only.
    pub command: Vec<String>,
    pub data: DataCard,
    pub systems: Vec<SystemPlan>,
    pub seed: u64,
    /// Options that change what is measured, e.g. `convention`, `bootstrap`.
    pub options: BTreeMap<String, String>,
    /// Further files the measures are checked against, by role; kept in the run as `inputs/ROLE`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, InputCard>,
    /// Who links the words of translations to those of their sources, where that is an encoder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aligner: Option<AlignerCard>,
    /// Translations were taken as they are, although they look like another language or order.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub trusts_language: bool,
    /// What could not be checked of the answers of files: `order`, `language`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<String>,
    /// How the log is written; changes no answer.
    #[serde(default, skip_serializing_if = "LogLayout::is_lines")]
    pub log: LogLayout,
    /// Where the questions were written down to be answered elsewhere (`epicene export-questions`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Asked>,
    /// Why the answers are by two models: nothing reads such a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mixed: Option<String>,
    pub limit: Option<usize>,
    pub shard: Option<String>,
    /// Lines of `items.jsonl`, which have checksums; absent in runs of versions that wrote none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<usize>,
    pub host: HostFacts,
}

/// One file that lines are added to, under a lock; or numbered files, each written whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLayout {
    #[default]
    Lines,
    Segments,
}

impl LogLayout {
    fn is_lines(&self) -> bool {
        *self == LogLayout::Lines
    }
}

/// Questions for a kind of system. Who answered them is not known before the first answer is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    pub kind: ModelKind,
    pub probes: Vec<Ask>,
    /// The version that answered, as it says itself; absent until then, and where another program answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told_by: Option<String>,
}

/// A system and the questions it gets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemPlan {
    #[serde(flatten)]
    pub card: SystemCard,
    pub probes: Vec<Ask>,
    /// Which server answers, where the name of the model does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<ServerCard>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputCard {
    pub name: String,
    pub sha256: String,
    /// SHA-256 of the text as it is kept: a file may have come packed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
}

/// Begins the names of files that were made of a run's answers.
pub(crate) const MADE: &str = "made by ";

/// An encoder that links words. Its links are made when all answers are there, and kept as `links/`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlignerCard {
    /// As the signature names it: the checkpoint, its revision and layer.
    pub name: String,
    /// SHA-256 of the links of each probe that has some; empty until they are made.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub links: BTreeMap<usize, String>,
}

/// Facts of the machine that may matter for speed or rounding; no name, no user, no address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostFacts {
    pub os: String,
    pub arch: String,
    pub cores: usize,
}

impl std::fmt::Display for HostFacts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cores = if self.cores == 1 { "core" } else { "cores" };
        write!(f, "{} {}, {} {cores}", self.os, self.arch, self.cores)
    }
}

impl HostFacts {
    pub fn here() -> HostFacts {
        HostFacts {
            os: std::env::consts::OS.to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// The checksum that a manifest has and the one that its fields give.
struct TextSum {
    written: Option<String>,
    found: String,
}

/// Covers every field and no layout: a manifest that a tool wrote anew with other blanks is the same manifest.
fn text_sum(text: &str) -> Result<TextSum, serde_json::Error> {
    let mut fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text)?;
    let written = fields.remove("sum").map(|sum| match sum {
        serde_json::Value::String(sum) => sum,
        other => other.to_string(),
    });
    let found = sha256_hex(serde_json::to_string(&fields)?.as_bytes());
    Ok(TextSum { written, found })
}

impl SystemPlan {
    /// What makes it another system under the same name, in the order of the fingerprint.
    fn facts(&self) -> [(&'static str, String); 5] {
        let asked = self.probes.iter();
        let asked: Vec<String> = asked
            .map(|ask| format!("{}/{}", ask.unit, ask.scorer))
            .collect();
        let or_empty = |fact: Option<&str>| fact.unwrap_or_default().to_owned();
        [
            ("source", self.card.source.clone()),
            ("model type", self.card.kind.to_string()),
            (
                "revision",
                or_empty(self.card.revision.as_deref().map(short)),
            ),
            ("dtype", or_empty(self.card.dtype.as_deref())),
            ("questions", asked.join(" ")),
        ]
    }
}

impl Manifest {
    pub fn new(benchmark: &str, data: DataCard, systems: Vec<SystemPlan>) -> Manifest {
        Manifest {
            format: FORMAT,
            epicene: env!("CARGO_PKG_VERSION").to_owned(),
            benchmark: benchmark.to_owned(),
            command: Vec::new(),
            data,
            systems,
            seed: 0,
            options: BTreeMap::new(),
            inputs: BTreeMap::new(),
            aligner: None,
            trusts_language: false,
            unchecked: Vec::new(),
            log: LogLayout::Lines,
            asked: None,
            mixed: None,
            limit: None,
            shard: None,
            items: None,
            host: HostFacts::here(),
        }
    }

    /// Reads a manifest of any format this version knows.
    pub fn parse(text: &str, path: &Path) -> Result<Manifest, RunError> {
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        let bad = |error: serde_json::Error| RunError::BadManifest {
            path: path.to_owned(),
            message: error.to_string(),
        };
        // What a newer version wrote may not even be readable.
        let Format { format } = serde_json::from_str(text).map_err(bad)?;
        if format > FORMAT {
            return Err(RunError::NewerFormat {
                path: path.parent().unwrap_or(path).to_owned(),
                format,
                newest: FORMAT,
            });
        }
        if format == 0 {
            return Err(RunError::BadManifest {
                path: path.to_owned(),
                message: "there is no run format 0".to_owned(),
            });
        }
        let sum = text_sum(text).map_err(bad)?;
        match sum.written {
            None if format < 3 => {}
            Some(written) if written == sum.found => {}
            _ => {
                return Err(RunError::EditedManifest {
                    path: path.to_owned(),
                });
            }
        }
        serde_json::from_str(text).map_err(bad)
    }

    /// The text of `manifest.json`: the manifest with its checksum.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        #[derive(Serialize)]
        struct Sealed<'a> {
            #[serde(flatten)]
            manifest: &'a Manifest,
            sum: String,
        }
        let sum = text_sum(&serde_json::to_string(self)?)?.found;
        let manifest = self;
        let mut text = serde_json::to_string_pretty(&Sealed { manifest, sum })?;
        text.push('\n');
        Ok(text)
    }

    /// Whether manifests of this format have a checksum.
    pub fn is_sealed(&self) -> bool {
        self.format >= 3
    }

    /// Whether the log's lines have checksums.
    pub fn sums(&self) -> Sums {
        if self.format < 2 {
            Sums::Absent
        } else {
            Sums::Required
        }
    }

    pub fn shard(&self) -> Result<Option<Shard>, RunError> {
        self.shard.as_deref().map(str::parse).transpose()
    }

    pub fn probes(&self) -> Vec<Probe> {
        let mut probes = Vec::new();
        for (system, plan) in self.systems.iter().enumerate() {
            for ask in plan.probes.iter().cloned() {
                probes.push(Probe { system, ask });
            }
        }
        probes
    }

    /// The ways of asking, before it is known who answers.
    pub fn asked_probes(&self) -> Vec<Probe> {
        let Some(asked) = self.asked.as_ref().filter(|_| self.systems.is_empty()) else {
            return self.probes();
        };
        let probe = |ask| Probe { system: 0, ask };
        asked.probes.iter().cloned().map(probe).collect()
    }

    /// The systems as the signature names them: every source once, with its revision and dtype.
    pub fn system_signature(&self) -> String {
        let mut sources: Vec<String> = Vec::new();
        for system in &self.systems {
            let mut text = system.card.source.clone();
            if let Some(revision) = &system.card.revision {
                text.push('@');
                text.push_str(short(revision));
            }
            let server = system.server.as_ref().and_then(ServerCard::short);
            for detail in [&system.card.dtype, &system.card.tokenizer, &server]
                .into_iter()
                .flatten()
            {
                text.push(',');
                text.push_str(detail);
            }
            if !sources.contains(&text) {
                sources.push(text);
            }
        }
        sources.join("+")
    }

    /// A short name for the run, the same for the same questions: default directory names use it.
    pub fn fingerprint(&self) -> String {
        let mut digest = Sha256Digest::default();
        for (name, value) in self.compared_fields() {
            digest.update_field(name.as_bytes());
            digest.update_field(value.as_bytes());
        }
        for server in self
            .systems
            .iter()
            .filter_map(|system| system.server.as_ref())
        {
            digest.update_field(b"server");
            digest.update_field(server.key().as_bytes());
        }
        let mut hex = digest.short_hex();
        hex.truncate(10);
        hex
    }

    /// How the other manifest differs, in words; empty when it is the same run.
    pub fn differences(&self, other: &Manifest, ignore_shard: bool) -> Vec<String> {
        self.compared_fields()
            .into_iter()
            .zip(other.compared_fields())
            .filter(|((name, ours), (_, theirs))| {
                ours != theirs && !(ignore_shard && *name == "shard")
            })
            .map(|((name, ours), (_, theirs))| match name {
                "systems" => self.other_systems(other),
                _ => format!("{name} was {ours}, now {theirs}"),
            })
            .chain(self.other_servers(other))
            .collect()
    }

    /// What differs between the systems: their names, or the first fact about one of a name.
    fn other_systems(&self, other: &Manifest) -> String {
        let names = |manifest: &Manifest| {
            let names = manifest.systems.iter().map(|system| &system.card.name);
            names.cloned().collect::<Vec<String>>().join(", ")
        };
        let (ours, theirs) = (names(self), names(other));
        if ours != theirs {
            return format!("systems was {ours}, now {theirs}");
        }
        let mut pairs = self.systems.iter().zip(&other.systems);
        let differing = pairs.find_map(|(ours, theirs)| {
            let mut facts = ours.facts().into_iter().zip(theirs.facts());
            let ((name, before), (_, now)) = facts.find(|(ours, theirs)| ours != theirs)?;
            Some(format!(
                "{name} of {} was {before}, now {now}",
                ours.card.name
            ))
        });
        differing.unwrap_or_else(|| "systems differ".to_owned())
    }

    /// The systems that another server answers for in the other manifest.
    fn other_servers(&self, other: &Manifest) -> Vec<String> {
        let systems = self.systems.iter().zip(&other.systems);
        let difference = |(ours, theirs): (&SystemPlan, &SystemPlan)| {
            let name = &ours.card.name;
            let why = match (&ours.server, &theirs.server) {
                (Some(ours), Some(theirs)) => ours.difference(theirs)?,
                (None, None) => return None,
                (None, Some(server)) => format!("no server was recorded, now {}", server.key()),
                (Some(server), None) => format!("the server was {}, now none", server.key()),
            };
            Some(format!("{name}: {why}"))
        };
        systems.filter_map(difference).collect()
    }

    fn compared_fields(&self) -> Vec<(&'static str, String)> {
        let systems: Vec<String> = self
            .systems
            .iter()
            .map(|system| {
                let facts = system.facts().map(|(_, fact)| fact);
                format!("{} ({})", system.card.name, facts.join(" "))
            })
            .collect();
        let options: Vec<String> = self
            .options
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let trust = self.trusts_language.then(|| "trust-language".to_owned());
        let aligner = self.aligner.as_ref();
        let aligner = aligner.map(|card| format!("aligner={}", card.name));
        let options: Vec<String> = options.into_iter().chain(trust).chain(aligner).collect();
        let inputs: Vec<String> = self
            .inputs
            .iter()
            // What was made of the answers was not asked for with them.
            .filter(|(_, card)| !card.name.starts_with(MADE))
            .map(|(role, card)| format!("{role}={}@{}", card.name, short(&card.sha256)))
            .collect();
        vec![
            ("run format", self.format.to_string()),
            ("epicene version", self.epicene.clone()),
            ("benchmark", self.benchmark.clone()),
            ("data", self.data.short()),
            ("systems", systems.join(", ")),
            ("seed", self.seed.to_string()),
            ("options", options.join(" ")),
            ("inputs", inputs.join(" ")),
            (
                "limit",
                self.limit
                    .map_or_else(|| "none".to_owned(), |n| n.to_string()),
            ),
            (
                "shard",
                self.shard.clone().unwrap_or_else(|| "none".to_owned()),
            ),
        ]
    }
}
