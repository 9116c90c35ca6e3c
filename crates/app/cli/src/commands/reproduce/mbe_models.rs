//! MBE's Tables 2 to 5 from the paper's list of checkpoints, from the hub or a directory. Every checkpoint has runs of its own, so
//! that the same command continues where it was stopped, and one that cannot be read costs its own cells alone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use epicene_bench::mbe::HEADER;
use epicene_bench::mbe::meta_evaluation::agreement;
use epicene_bench::mbe::published::methods;
use epicene_bench::{Given, Options};
use epicene_core::{
    Answer, Capabilities, ErrorKind, Item, LikelihoodMethod, Query, Question, Row, System,
    SystemCard, SystemError,
};
use epicene_lm::likelihood::{aula, mean_embedding};
use epicene_lm::{Hub, SystemSpec, TransformerModel, Wanted};
use epicene_pipeline::JudgedRun;
use epicene_stats::StatsError;

use super::mbe::{parallel_names, token_ids};
use super::record::{Ours, Reason, Reproduced};
use super::{Workshop, find, words};
use crate::args::Checkpoints;
use crate::commands::inner_run;
use crate::failure::Failure;
use crate::{console, datasets, outputs, source, systems};

/// Table 2: the model of each language. The released code names AraBERT v0.2 and the released token ids fit it (the paper: v0.1);
/// the Indonesian ones fit the paper's model (the code: 1.5G).
const LANGUAGES: [(&str, &str); 8] = [
    ("de", "deepset/gbert-base"),
    ("ja", "cl-tohoku/bert-base-japanese-whole-word-masking"),
    ("ar", "aubmindlab/bert-base-arabertv02"),
    ("es", "dccuchile/bert-base-spanish-wwm-uncased"),
    ("pt", "neuralmind/bert-base-portuguese-cased"),
    ("ru", "blinoff/roberta-base-russian-v0"),
    ("id", "cahya/bert-base-indonesian-522M"),
    ("zh", "hfl/chinese-bert-wwm-ext"),
];

/// Table 3: English models.
const ENGLISH: [&str; 11] = [
    "google-bert/bert-base-cased",
    "google-bert/bert-large-uncased",
    "google-bert/bert-base-multilingual-uncased",
    "FacebookAI/roberta-base",
    "FacebookAI/roberta-large",
    "albert/albert-base-v2",
    "distilbert/distilbert-base-cased",
    "distilbert/distilroberta-base",
    "YituTech/conv-bert-medium-small",
    "FacebookAI/xlm-mlm-100-1280",
    "microsoft/deberta-v2-xlarge",
];

/// Tables 4 (Japanese) and 5 (Russian): row, language of the translations, model. The paper gives no address of "subtitle".
const TRANSLATED: [(&str, &str, &str); 6] = [
    (
        "ja base-subword",
        "japanese",
        "cl-tohoku/bert-base-japanese-v2",
    ),
    (
        "ja large-subword",
        "japanese",
        "cl-tohoku/bert-large-japanese",
    ),
    (
        "ja base-char",
        "japanese",
        "cl-tohoku/bert-base-japanese-char-v2",
    ),
    (
        "ja large-char",
        "japanese",
        "cl-tohoku/bert-large-japanese-char",
    ),
    ("ru wiki", "russian", "DeepPavlov/rubert-base-cased"),
    (
        "ru subtitle",
        "russian",
        "DeepPavlov/rubert-base-cased-conversational",
    ),
];

/// The benchmarks of Table 3: name, file in a clone, row of the table.
const ENGLISH_PAIRS: [(&str, [&str; 2], &str); 2] = [
    (
        "crows-pairs",
        [
            "benchmarks/crows_pairs_gender.csv",
            "crows_pairs_anonymized.csv",
        ],
        "CrowS-Pairs",
    ),
    (
        "stereoset",
        [
            "benchmarks/stereoset_dev_intrasentence_gender.jsonl",
            "dev.json",
        ],
        "StereoSet",
    ),
];

/// Sentences that are looked at together: their hidden states are held until the mean is taken.
const TOGETHER: usize = 256;

/// The table of a model of [`TRANSLATED`].
pub fn table_of(row: &str) -> &'static str {
    if row.starts_with("ja") {
        "Table 4"
    } else {
        "Table 5"
    }
}

/// What the cells of Tables 2 to 5 are by our runs, by table, row and column.
#[derive(Default)]
pub struct Scores(BTreeMap<(&'static str, String, String), Ours>);

impl Scores {
    pub fn take(&mut self, table: &'static str, row: &str, column: &str) -> Ours {
        let key = (table, row.to_owned(), column.to_owned());
        let needed = Ours::Because(Reason::CheckpointNeeded);
        self.0.remove(&key).unwrap_or(needed)
    }

    fn put(&mut self, table: &'static str, (row, column): (&str, &str), ours: Ours) {
        self.0
            .insert((table, row.to_owned(), column.to_owned()), ours);
    }
}

/// Where checkpoints are, and where runs are kept.
pub struct Runs<'a> {
    workshop: &'a Workshop,
    checkpoints: &'a Checkpoints,
    out: PathBuf,
    /// Checkpoints that cannot be opened, with the reason: each is tried once.
    broken: BTreeMap<String, Ours>,
    scores: Scores,
}

/// Runs what is there, and says first how much the hub has to send.
pub fn run(
    workshop: &Workshop,
    (checkpoints, out, yes): (&Checkpoints, &Path, bool),
    done: &mut Reproduced,
) -> Result<Scores, Failure> {
    if *checkpoints == Checkpoints::Hub {
        agree_to_download(yes)?;
    }
    std::fs::create_dir_all(out)
        .map_err(|error| Failure::system(format!("{}: {error}", out.display())))?;
    let mut runs = Runs {
        workshop,
        checkpoints,
        out: out.to_owned(),
        broken: BTreeMap::new(),
        scores: Scores::default(),
    };
    runs.table_2(done)?;
    runs.table_3(done)?;
    runs.tables_4_and_5(done)?;
    Ok(runs.scores)
}

/// Every checkpoint of the tables, in their order.
fn all() -> Vec<&'static str> {
    let languages = LANGUAGES.iter().map(|(_, model)| *model);
    let translated = TRANSLATED.iter().map(|(.., model)| *model);
    languages.chain(ENGLISH).chain(translated).collect()
}

/// Says what each checkpoint weighs and refuses to fetch them unasked.
fn agree_to_download(yes: bool) -> Result<(), Failure> {
    let hub = Hub::from_environment();
    let (mut total, mut count) = (0, 0);
    for model in all() {
        let gigabytes = |bytes: u64| format!("{:.2} GB", bytes as f64 / 1e9);
        let said = match hub.bytes_to_fetch(model, "main") {
            Ok(Some(0)) => "in the cache".to_owned(),
            Ok(Some(bytes)) => {
                (total, count) = (total + bytes, count + 1);
                gigabytes(bytes)
            }
            Ok(None) => {
                count += 1;
                "size unknown".to_owned()
            }
            Err(error) => error.to_string(),
        };
        console::note(format!("{model}: {said}"));
    }
    if count > 0 && !yes {
        let message = format!(
            "{count} checkpoints are to be fetched, {:.2} GB",
            total as f64 / 1e9
        );
        return Err(Failure::usage(message)
            .with_hint("--yes fetches them; --models DIR reads checkpoints that are there"));
    }
    Ok(())
}

impl Runs<'_> {
    /// The checkpoint, or why there is none.
    fn spec(&self, model: &str, costs: &str, done: &mut Reproduced) -> Result<String, Ours> {
        if let Some(why) = self.broken.get(model) {
            return Err(why.clone());
        }
        let Checkpoints::Directory(root) = self.checkpoints else {
            return Ok(format!("hf:{model}"));
        };
        let name = model.rsplit('/').next().unwrap_or(model);
        let names = [model.to_owned(), name.to_owned(), model.replace('/', "--")];
        let mut paths = names.iter().map(|name| root.join(name));
        let found = paths.find(|path| path.join("config.json").is_file());
        found
            .map(|path| format!("dir:{}", path.display()))
            .ok_or_else(|| {
                done.lacks(&root.join(model), costs);
                Ours::NoFile(root.join(model).display().to_string())
            })
    }

    /// A checkpoint that fails is named, and the others go on.
    fn give_up(
        &mut self,
        model: &str,
        failure: Failure,
        done: &mut Reproduced,
    ) -> Result<Ours, Failure> {
        if failure.is_stopped() {
            return Err(failure);
        }
        done.note(format!("{model}: {}", failure.message));
        let why = Ours::Because(Reason::CheckpointNeeded);
        self.broken.insert(model.to_owned(), why.clone());
        Ok(why)
    }

    /// The rows of one checkpoint's run; `Err` says why there are none.
    fn rows(
        &mut self,
        (model, name): (&str, &str),
        line: Vec<String>,
        done: &mut Reproduced,
    ) -> Result<Result<Vec<Row>, Ours>, Failure> {
        let spec = match self.spec(model, name, done) {
            Ok(spec) => spec,
            Err(why) => return Ok(Err(why)),
        };
        let mut line = line;
        line.extend(words(&["--model", &spec, "--method", "aula"]));
        done.commands
            .push(format!("epicene run {}", line.join(" ")));
        let out = self.out.join(name).join(model.replace('/', "--"));
        let run = inner_run::run(&line, &out).and_then(|directory| {
            let judged = JudgedRun::open(&directory, &Given::default())?;
            Ok(judged.measure()?.rows)
        });
        match run {
            Ok(rows) => Ok(Ok(rows)),
            Err(failure) => Ok(Err(self.give_up(model, failure, done)?)),
        }
    }

    /// The released sentence sets are token ids of each language's model.
    fn table_2(&mut self, done: &mut Reproduced) -> Result<(), Failure> {
        for (code, model) in LANGUAGES {
            for (corpus, column) in [("ted", "TED"), ("news", "News")] {
                let mut sides = Vec::new();
                for side in ["f", "m"] {
                    let names = parallel_names(corpus, code, side);
                    let names: Vec<&str> = names.iter().map(String::as_str).collect();
                    sides.extend(self.workshop.checkout.file(&names));
                }
                let ours = match <[PathBuf; 2]>::try_from(sides) {
                    Ok(sides) => self.of_ids((code, column), model, sides, done)?,
                    Err(_) => Ours::NoFile(format!("parallel_data/{corpus}/{code}_{{f,m}}.bin")),
                };
                self.scores.put("Table 2", (code, column), ours);
            }
        }
        Ok(())
    }

    fn of_ids(
        &mut self,
        (code, column): (&str, &str),
        model: &str,
        sides: [PathBuf; 2],
        done: &mut Reproduced,
    ) -> Result<Ours, Failure> {
        let spec = match self.spec(model, &format!("Table 2, {code}"), done) {
            Ok(spec) => spec,
            Err(why) => return Ok(why),
        };
        let mut table = format!("{HEADER}\n");
        for (side, path) in ["f", "m"].into_iter().zip(&sides) {
            let Some(sentences) = token_ids(path)? else {
                let path = path.display();
                done.note(format!(
                    "{path}: texts, not token ids; Table 2 of {code} needs the released files"
                ));
                return Ok(Ours::NoFile(format!("{code}_{side}.bin")));
            };
            for (line, ids) in sentences.iter().enumerate() {
                let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
                table += &format!("{side}\t{}\t{}\n", line + 1, ids.join(" "));
            }
        }
        let name = format!("table-2-{code}-{column}").to_lowercase();
        let data = self.out.join(format!("{name}.tsv"));
        outputs::write(&data, table.as_bytes())?;
        let rows = self.measure_ids(&spec, &data, &self.out.join(&name), done);
        match rows {
            Ok([dot, cosine]) => {
                done.compute("Table 2 by Eq. 2 (cosine)", (code, column), cosine);
                Ok(Ours::of(dot))
            }
            Err(failure) => self.give_up(model, failure, done),
        }
    }

    /// The score weighted as the released code does, and as the paper's Eq. 2.
    fn measure_ids(
        &self,
        spec: &str,
        data: &Path,
        out: &Path,
        done: &mut Reproduced,
    ) -> Result<[Option<f64>; 2], Failure> {
        let parsed: SystemSpec = spec.parse()?;
        let model = systems::open_checkpoint(&parsed, systems::engine(None, None, None))?;
        crate::host::lend(Box::new(OfTokens(model)));
        let data = data.display().to_string();
        let line = words(&[
            "mbe", "--data", &data, "--weight", "dot", "--method", "aula",
        ]);
        done.commands.push(format!(
            "epicene run {} (sentences as token ids of {spec})",
            line.join(" ")
        ));
        let run = inner_run::run(&line, out);
        // A run that failed early has not taken it.
        crate::host::take_systems(false);
        let directory = run?;
        let mut found = [None; 2];
        for (place, weight) in ["dot", "cosine"].into_iter().enumerate() {
            let mut given = Given::default();
            given.values.insert("weight".to_owned(), weight.to_owned());
            let rows = JudgedRun::open(&directory, &given)?.measure()?.rows;
            found[place] = score(&rows, "mbe");
        }
        Ok(found)
    }

    /// Whether MBE and its control with shuffled genders order the English models as their pair scores do.
    fn table_3(&mut self, done: &mut Reproduced) -> Result<(), Failure> {
        for (benchmark, names, row) in ENGLISH_PAIRS {
            let Some(data) = self.pairs(benchmark, &names, done) else {
                continue;
            };
            let sentences = self.out.join(format!("table-3-{benchmark}.txt"));
            outputs::write(
                &sentences,
                self.sentences(benchmark, &data)?.join("\n").as_bytes(),
            )?;
            let [data, sentences] = [&data, &sentences].map(|path| path.display().to_string());
            let (mut shuffled, mut mbe, mut original) = (Vec::new(), Vec::new(), Vec::new());
            for model in ENGLISH {
                let line = words(&[benchmark, "--data", &data, "--estimate", "published"]);
                let name = format!("table-3-{benchmark}");
                let pairs = self.rows((model, &name), line, done)?;
                let line = words(&["mbe", "--source", &sentences, "--target", &sentences]);
                let sets = self.rows((model, &format!("{name}-mbe")), line, done)?;
                if let (Ok(pairs), Ok(sets)) = (pairs, sets)
                    && let Some(score_of_pairs) = score(&pairs, "pair_score")
                    && let (Some(shf), Some(own)) = (score(&sets, "shf"), score(&sets, "mbe"))
                {
                    original.push(score_of_pairs);
                    shuffled.push(shf);
                    mbe.push(own);
                    let place = "Section 5.1, scores of the models";
                    for (column, value) in [("pairs", score_of_pairs), ("MBE", own), ("Shf", shf)] {
                        done.compute(place, (format!("{row} {model}"), column), Some(value));
                    }
                }
            }
            if original.len() < ENGLISH.len() {
                done.note(format!(
                    "Table 3, {row}: {} of {} models were measured; its numbers are of all",
                    original.len(),
                    ENGLISH.len()
                ));
                continue;
            }
            for (method, scores) in [("Shf", &shuffled), ("MBE", &mbe)] {
                let row = format!("{row} {method}");
                let found = match agreement(scores, &original) {
                    Ok(found) => found,
                    Err(StatsError::Constant { .. }) => {
                        done.note(format!(
                            "Table 3, {row}: all models have one score, so correlations are undefined"
                        ));
                        continue;
                    }
                    Err(error) => return Err(epicene_bench::BenchError::from(error).into()),
                };
                for (column, value) in [
                    ("spearman", found.spearman.r),
                    ("pearson", found.pearson.r),
                    ("direction", found.direction),
                    ("diff", found.difference),
                ] {
                    self.scores
                        .put("Table 3", (&row, column), Ours::Value(value));
                }
            }
        }
        Ok(())
    }

    /// A file of pairs: of the clone, else of the cache of data sets.
    fn pairs(&self, benchmark: &str, names: &[&str], done: &mut Reproduced) -> Option<PathBuf> {
        let cached = || {
            datasets::paths(benchmark)
                .ok()?
                .into_iter()
                .find(|path| path.is_file())
        };
        let found = self.workshop.checkout.file(names).or_else(cached);
        if found.is_none() {
            let costs = format!("Tables 3 to 5 (`epicene data pull {benchmark}` fetches it)");
            done.lacks(&self.workshop.checkout.expected(names[0]), costs);
        }
        found
    }

    /// Both sentences of every gender pair.
    fn sentences(&self, benchmark: &str, data: &Path) -> Result<Vec<String>, Failure> {
        let found = epicene_bench::find(benchmark).expect("it is one of ours");
        let items = found.items(&[source::read(data)?], &Options::default())?;
        let line = |text: &str| text.replace(['\n', '\r'], " ");
        let both = |item: &Item| {
            let other = item.label("anti-stereotype").unwrap_or_default();
            [line(&item.text), line(other)]
        };
        Ok(items.iter().flat_map(both).collect())
    }

    /// Pairs translated by hand, and MBE of the English sentences with those translations.
    fn tables_4_and_5(&mut self, done: &mut Reproduced) -> Result<(), Failure> {
        let (benchmark, names, _) = ENGLISH_PAIRS[0];
        let english = self.pairs(benchmark, &names, done);
        for (row, language, model) in TRANSLATED {
            debug_assert!(methods().iter().any(|printed| printed.model == row));
            let names = ["translated", "translated_data", "data/translated", "."]
                .map(|folder| format!("{folder}/{language}.json"));
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let table = table_of(row);
            let costs = format!("{table}, HT and MBE");
            let Some(translated) = self.workshop.need(&names, &costs, done) else {
                let missing = Ours::NoFile(names[0].to_owned());
                self.scores.put(table, (row, "HT"), missing.clone());
                self.scores.put(table, (row, "MBE"), missing);
                continue;
            };
            let line = words(&[
                "crows-pairs",
                "--data",
                &translated,
                "--estimate",
                "published",
            ]);
            let pairs = self.rows((model, "tables-4-and-5-ht"), line, done)?;
            let ours = pairs.map_or_else(|why| why, |rows| Ours::of(score(&rows, "pair_score")));
            self.scores.put(table, (row, "HT"), ours);
            let Some(english) = &english else {
                let missing = Ours::NoFile(ENGLISH_PAIRS[0].1[0].to_owned());
                self.scores.put(table, (row, "MBE"), missing);
                continue;
            };
            let (source, target) = (
                self.sentences(benchmark, english)?,
                self.sentences(benchmark, Path::new(&translated))?,
            );
            if source.len() != target.len() {
                return Err(Failure::input(format!(
                    "{translated}: {} sentences, and {} in {}",
                    target.len(),
                    source.len(),
                    english.display()
                ))
                .with_hint("the translations are of the gender pairs, in their order"));
            }
            let mut paths = Vec::new();
            for (name, texts) in [("english", &source), (language, &target)] {
                let path = self.out.join(format!("tables-4-and-5-{name}.txt"));
                let text = texts.join("\n");
                // The English side is the same for every language, and was read for the one before.
                if std::fs::read(&path).ok().as_deref() != Some(text.as_bytes()) {
                    outputs::write(&path, text.as_bytes())?;
                }
                paths.push(path.display().to_string());
            }
            let line = words(&["mbe", "--source", &paths[0], "--target", &paths[1]]);
            let sets = self.rows((model, "tables-4-and-5-mbe"), line, done)?;
            let ours = sets.map_or_else(|why| why, |rows| Ours::of(score(&rows, "mbe")));
            self.scores.put(table, (row, "MBE"), ours);
        }
        Ok(())
    }
}

/// The number of a run of one system.
fn score(rows: &[Row], metric: &str) -> Option<f64> {
    let system = &rows.first()?.system;
    let row = find(rows, [system, "method:aula", "all"], metric);
    row.map(|row| row.value)
}

/// A model that is asked about sentences as token ids, special ones included: `102 7 103`.
struct OfTokens(TransformerModel);

impl OfTokens {
    fn ids(&self, text: &str) -> Result<Vec<u32>, String> {
        let known = self.0.usable_tokens();
        let id = |word: &str| -> Result<u32, String> {
            let id = word
                .parse()
                .map_err(|_| format!("`{word}` is no token id"))?;
            if id as usize >= known {
                let name = &self.0.card().name;
                return Err(format!(
                    "{name} has no token {id}: its vocabulary is not that of the sentences"
                ));
            }
            Ok(id)
        };
        text.split_whitespace().map(id).collect()
    }
}

impl System for OfTokens {
    fn card(&self) -> &SystemCard {
        self.0.card()
    }

    fn capabilities(&self) -> Capabilities {
        self.0.capabilities()
    }

    fn answer(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, SystemError> {
        let failed = |index: usize, message: String| {
            SystemError::new(ErrorKind::Failed, message).about(index)
        };
        let mut encoded = Vec::with_capacity(batch.len());
        for (index, query) in batch.iter().enumerate() {
            let Question::Embedded {
                text,
                method: LikelihoodMethod::Aula,
            } = &query.question
            else {
                return Err(SystemError::new(
                    ErrorKind::WrongQuestion,
                    "only AULA is asked of token ids",
                ));
            };
            encoded.push(self.ids(text).map_err(|message| failed(index, message))?);
        }
        let wanted = Wanted {
            hidden: true,
            attention: true,
            log_probabilities: true,
        };
        let mut answers = Vec::with_capacity(batch.len());
        for sentences in encoded.chunks(TOGETHER) {
            let readings = self.0.look_at(sentences.to_vec(), wanted);
            let readings = readings.map_err(|error| failed(answers.len(), error.to_string()))?;
            answers.extend(readings.iter().map(|reading| {
                let likelihood = aula(&reading.log_probabilities, &reading.attention);
                let embedding = mean_embedding(&reading.hidden.data, reading.hidden.columns);
                match likelihood.zip(embedding) {
                    Some((likelihood, embedding)) => Answer::Sentence {
                        likelihood,
                        embedding: embedding.iter().map(|value| *value as f32).collect(),
                    },
                    None => Answer::Missing,
                }
            }));
        }
        Ok(answers)
    }
}
