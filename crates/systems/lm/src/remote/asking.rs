//! Questions to a server, the fast way where it is as exact: both words' values from the distribution of the next token.
//! That holds only where the text is read as the prompt's tokens and one token more, and where a server honours what it
//! is asked for. Neither can be told from a 200, so that it is tried on a question of each kind and compared with `echo`.

use std::collections::BTreeMap;
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;

use epicene_core::{Answer, ContinuationScore};
use epicene_io::http::HttpError;
use epicene_io::threads::spawn_or_run;
use serde_json::{Value, json};

use super::protocol::{Candidates, Choice, Reply, Word, completion_request, next_token_request};
use super::{RemoteModel, changed, is_too_long, server_error, text_pair};
use crate::{LmError, ServerProblem};

/// Texts to compare; of a pair the masculine one is first.
pub enum Asked<'q> {
    /// A prompt and the two words that may follow, each with its blank.
    Words {
        prompt: &'q str,
        words: [String; 2],
    },
    Texts([&'q str; 2]),
    /// A context without blanks at its end, and what may follow it.
    Continuations {
        context: &'q str,
        continuations: Vec<String>,
    },
}

/// Questions that are asked alike: the same words behind prompts that end alike, or whole texts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    ending: String,
    words: [String; 2],
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Route {
    Next(Candidates),
    Whole,
}

/// What was found out about a server.
#[derive(Debug, Default)]
pub struct Manner {
    routes: BTreeMap<Kind, Route>,
    /// It takes one prompt a request and no list.
    singles: bool,
}

/// Texts as `echo` shows them, question by question, and how many tokens the server counts in all of them.
type Whole = (Vec<String>, Vec<Choice>, Option<usize>);

/// Questions in one request.
struct Job {
    places: Vec<usize>,
    route: Route,
}

enum Failure {
    Http(HttpError),
    /// An answer that cannot be scored.
    Text(String),
    /// Another model answers.
    Changed(LmError),
}

/// Prompts in one request.
const LIST: usize = 32;
/// Whole texts in one request: a server computes a distribution for each of their tokens.
const WHOLE_LIST: usize = 16;
/// Natural logarithms that are further apart than this are not the same number, whatever the arithmetic.
const SAME: f64 = 0.02;
/// How many candidates are asked for, where a server gives no others: as many as it allows.
const TOPS: [usize; 3] = [200, 20, 5];
/// Questions on which a kind is tried before it waits for the next batch: the first may be too long.
const TRIES: usize = 3;

impl Asked<'_> {
    fn kind(&self) -> Kind {
        match self {
            Asked::Words { prompt, words } => {
                // Whether a word is a token of its own depends on the kind of character before it.
                let class = |c: char| match c {
                    c if c.is_alphabetic() => 'a',
                    c if c.is_numeric() => '0',
                    c => c,
                };
                Kind {
                    ending: prompt.chars().rev().take(3).map(class).collect(),
                    words: words.clone(),
                }
            }
            Asked::Texts(_) | Asked::Continuations { .. } => Kind {
                ending: String::new(),
                words: Default::default(),
            },
        }
    }

    fn texts(&self) -> Vec<String> {
        let behind = |start: &str, ends: &[String]| {
            let ends = ends.iter();
            ends.map(|end| format!("{start}{end}")).collect()
        };
        match self {
            Asked::Words { prompt, words } => behind(prompt, words),
            Asked::Texts(texts) => texts.map(str::to_owned).to_vec(),
            Asked::Continuations {
                context,
                continuations,
            } => behind(context, continuations),
        }
    }

    fn count(&self) -> usize {
        match self {
            Asked::Words { .. } | Asked::Texts(_) => 2,
            Asked::Continuations { continuations, .. } => continuations.len(),
        }
    }

    /// What the texts with their tokens say.
    fn answer(&self, texts: &[String], pair: &[Choice]) -> Result<Answer, String> {
        match self {
            Asked::Words { prompt, .. } => {
                let words = both_words(prompt, texts, pair)?;
                Ok(log10_ratio(words.map(|word| word.log_probability)))
            }
            Asked::Texts(_) => {
                let tokens = |which: usize| text_pair::tokens(&pair[which], &texts[which]);
                let score = text_pair::score(&tokens(0)?, &tokens(1)?)?;
                Ok(Answer::TextPair(Box::new(score)))
            }
            Asked::Continuations { context, .. } => {
                let score = |word: Word| ContinuationScore {
                    sum: word.log_probability,
                    tokens: word.tokens as u32,
                };
                let words = words_behind(context, texts, pair)?;
                Ok(Answer::Continuations(
                    words.into_iter().map(score).collect(),
                ))
            }
        }
    }

    /// What candidates are called in an answer.
    fn names(&self, candidates: Candidates) -> [String; 2] {
        match candidates {
            Candidates::Top(_) => self.kind().words,
            Candidates::Ids(ids) => ids.map(|id| format!("token_id:{id}")),
        }
    }
}

fn both_words(prompt: &str, texts: &[String], pair: &[Choice]) -> Result<[Word; 2], String> {
    let words = words_behind(prompt, texts, pair)?;
    Ok(words.try_into().expect("two texts have two words"))
}

/// What stands behind the prompt in every text; the same tokens stand before it in all of them.
fn words_behind(prompt: &str, texts: &[String], replies: &[Choice]) -> Result<Vec<Word>, String> {
    let words = texts.iter().zip(replies);
    let words = words.map(|(text, reply)| reply.word(prompt, text));
    let words = words.collect::<Result<Vec<Word>, _>>()?;
    if words
        .windows(2)
        .any(|pair| pair[0].before != pair[1].before)
    {
        return Err("the texts of a question have different tokens before the word".to_owned());
    }
    Ok(words)
}

fn log10_ratio([masculine, feminine]: [f64; 2]) -> Answer {
    Answer::Log10Ratio((masculine - feminine) / std::f64::consts::LN_10)
}

impl RemoteModel {
    fn manner(&self) -> MutexGuard<'_, Manner> {
        self.manner
            .lock()
            .unwrap_or_else(|broken| broken.into_inner())
    }

    /// Asks everything and hands answers on in the order of the questions, as far as they are there; what was answered
    /// before an error is handed on as well.
    pub(super) fn ask(
        &self,
        questions: &[Asked<'_>],
        mut on: impl FnMut(usize, Answer),
    ) -> Result<(), LmError> {
        self.scout(questions)?;
        let jobs = self.jobs(questions);
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, results) = channel();
        let mut answers: BTreeMap<usize, Answer> = BTreeMap::new();
        let (mut failed, mut handed) = (None, 0);
        // Waiting is not computing: enough threads that servers never wait for one.
        let workers = jobs.len().min(4 * self.endpoints.limit());
        std::thread::scope(|scope| {
            for _ in 0..workers {
                let sender = sender.clone();
                let (jobs, next, stop) = (&jobs, &next, &stop);
                spawn_or_run(scope, move || {
                    while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if stop.load(Ordering::Relaxed) {
                            return;
                        }
                        let outcome = self.answer(questions, &job.places, job.route);
                        stop.fetch_or(outcome.is_err(), Ordering::Relaxed);
                        if sender.send(outcome).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for outcome in results {
                match outcome {
                    Ok(found) => answers.extend(found),
                    Err(error) => {
                        failed.get_or_insert(error);
                    }
                }
                while let Some(answer) = answers.remove(&handed) {
                    on(handed, answer);
                    handed += 1;
                }
            }
        });
        for (place, answer) in answers {
            on(place, answer);
        }
        failed.map_or(Ok(()), Err)
    }

    fn jobs(&self, questions: &[Asked<'_>]) -> Vec<Job> {
        let manner = self.manner();
        let mut jobs: Vec<Job> = Vec::new();
        // The job that still takes questions of a kind.
        let mut open: BTreeMap<Kind, usize> = BTreeMap::new();
        for (place, question) in questions.iter().enumerate() {
            let kind = question.kind();
            let route = manner.routes.get(&kind).copied().unwrap_or(Route::Whole);
            let most = match route {
                _ if manner.singles => 1,
                Route::Next(_) => LIST,
                Route::Whole => (WHOLE_LIST / question.count()).max(1),
            };
            match open.get(&kind) {
                Some(job) if jobs[*job].places.len() < most => jobs[*job].places.push(place),
                _ => {
                    open.insert(kind, jobs.len());
                    let places = vec![place];
                    jobs.push(Job { places, route });
                }
            }
        }
        jobs
    }

    /// The answers of some questions, in one request where possible. A list with a text that is too long is taken apart,
    /// so that the text costs only itself.
    fn answer(
        &self,
        questions: &[Asked<'_>],
        places: &[usize],
        route: Route,
    ) -> Result<Vec<(usize, Answer)>, LmError> {
        let chosen: Vec<&Asked<'_>> = places.iter().map(|place| &questions[*place]).collect();
        let found = match route {
            Route::Next(candidates) => self.next_tokens(&chosen, candidates),
            Route::Whole => self.whole(&chosen),
        };
        let answers = match found {
            Ok(answers) => answers,
            Err(Failure::Http(error)) if is_too_long(&error) => {
                if let [place] = places {
                    return Ok(vec![(*place, Answer::Missing)]);
                }
                let (first, second) = places.split_at(places.len() / 2);
                let mut all = self.answer(questions, first, route)?;
                all.extend(self.answer(questions, second, route)?);
                return Ok(all);
            }
            Err(failure) => return Err(failure.told(self)),
        };
        let mut all = Vec::new();
        for (place, answer) in places.iter().zip(answers) {
            match answer {
                Some(answer) => all.push((*place, answer)),
                // A word that is not among the likeliest is asked for by itself.
                None => all.extend(self.answer(questions, &[*place], Route::Whole)?),
            }
        }
        Ok(all)
    }

    /// Both words from the next token's distribution; `None` where one is not among the candidates.
    fn next_tokens(
        &self,
        questions: &[&Asked<'_>],
        candidates: Candidates,
    ) -> Result<Vec<Option<Answer>>, Failure> {
        let reply = self.next_token_reply(questions, candidates)?;
        let answers = questions.iter().zip(&reply.choices);
        let answers = answers.map(|(question, choice)| {
            let [masculine, feminine] = question.names(candidates);
            let masculine = choice.next_token(&masculine)?;
            Some(log10_ratio([masculine, choice.next_token(&feminine)?]))
        });
        Ok(answers.collect())
    }

    fn next_token_reply(
        &self,
        questions: &[&Asked<'_>],
        candidates: Candidates,
    ) -> Result<Reply, Failure> {
        let prompt = |question: &&Asked<'_>| match question {
            Asked::Words { prompt, .. } => (*prompt).to_owned(),
            _ => unreachable!("whole texts have no next token"),
        };
        let prompts: Vec<String> = questions.iter().map(prompt).collect();
        let body = next_token_request(&self.model, &prompts, &candidates);
        self.completion(&body, prompts.len())
    }

    /// The answers by the log-probabilities of whole texts.
    fn whole(&self, questions: &[&Asked<'_>]) -> Result<Vec<Option<Answer>>, Failure> {
        let (texts, choices, _) = self.whole_texts(questions)?;
        let mut start = 0;
        let answers = questions.iter().map(|question| {
            let own = start..start + question.count();
            start = own.end;
            let answer = question.answer(&texts[own.clone()], &choices[own]);
            answer.map(Some).map_err(Failure::Text)
        });
        answers.collect()
    }

    fn whole_texts(&self, questions: &[&Asked<'_>]) -> Result<Whole, Failure> {
        let texts = questions.iter().flat_map(|question| question.texts());
        let texts: Vec<String> = texts.collect();
        let size = if self.manner().singles {
            1
        } else {
            texts.len()
        };
        let (mut choices, mut counted) = (Vec::new(), Some(0_usize));
        for part in texts.chunks(size) {
            let body = completion_request(&self.model, part, self.way);
            let reply = self.completion(&body, part.len())?;
            let count = reply.prompt_tokens();
            counted = counted
                .zip(count)
                .map(|(all, more)| all.saturating_add(more));
            choices.extend(reply.choices);
        }
        Ok((texts, choices, counted))
    }

    /// A request for so many prompts. What cannot be read as a completion is a stumble; what can be read but not scored is
    /// none: another answer would be no better.
    fn completion(&self, body: &Value, texts: usize) -> Result<Reply, Failure> {
        let read = |answer: &str| Reply::parse(answer, texts);
        let reply = self.endpoints.post(body, read).map_err(Failure::Http)?;
        if let Some(model) = reply.model() {
            let mut served = self.served.lock().unwrap_or_else(|b| b.into_inner());
            let known = served.get_or_insert_with(|| model.to_owned());
            if known != model {
                let why = format!("`{known}` answered until now, and `{model}` answers now");
                return Err(Failure::Changed(changed(&self.card.name, &why)));
            }
        }
        Ok(reply)
    }

    /// Finds out how each new kind of question is asked, on its first one that is not too long.
    fn scout(&self, questions: &[Asked<'_>]) -> Result<(), LmError> {
        let mut tried: BTreeMap<Kind, usize> = BTreeMap::new();
        for question in questions {
            let kind = question.kind();
            let known = self.manner().routes.contains_key(&kind);
            let times = tried.entry(kind.clone()).or_default();
            if known || *times >= TRIES {
                continue;
            }
            *times += 1;
            match self.route(question) {
                Ok(route) => {
                    self.manner().routes.insert(kind, route);
                }
                Err(Failure::Http(error)) if is_too_long(&error) => {}
                Err(failure) => return Err(failure.told(self)),
            }
        }
        Ok(())
    }

    fn route(&self, question: &Asked<'_>) -> Result<Route, Failure> {
        let whole = match self.whole_texts(&[question]) {
            // A server that takes no list says so with an error of its own.
            Err(Failure::Http(error)) if !is_too_long(&error) && refuses(&error) => {
                self.manner().singles = true;
                self.whole_texts(&[question])
            }
            other => other,
        };
        let (texts, pair, counted) = whole?;
        let Asked::Words { prompt, .. } = question else {
            return Ok(Route::Whole);
        };
        let echoed = both_words(prompt, &texts, &pair).map_err(Failure::Text)?;
        if echoed.iter().any(|word| word.tokens != 1) {
            return Ok(Route::Whole);
        }
        let ids = self.token_ids(prompt, &texts)?.map(Candidates::Ids);
        for candidates in ids.into_iter().chain(TOPS.map(Candidates::Top)) {
            let reply = match self.next_token_reply(&[question], candidates) {
                Ok(reply) => reply,
                // Too many candidates, or none of this kind.
                Err(Failure::Http(error)) if refuses(&error) => continue,
                Err(failure) => return Err(failure),
            };
            // The prompt is read as it is with the word behind it, less the word.
            let tokens = reply.prompt_tokens();
            let tokens = tokens.map(|prompt| prompt.saturating_add(1).saturating_mul(2));
            let alike = counted.is_none() || tokens == counted;
            let names = question.names(candidates);
            let same = |which: usize| {
                let value = reply.choices[0].next_token(&names[which]);
                value.is_some_and(|value| (value - echoed[which].log_probability).abs() < SAME)
            };
            if alike && same(0) && same(1) {
                return Ok(Route::Next(candidates));
            }
        }
        Ok(Route::Whole)
    }

    /// The ids of both words, from a server that shows how it reads a text; `None` where it does not, or where the text
    /// is not the prompt and one token more.
    fn token_ids(&self, prompt: &str, texts: &[String]) -> Result<Option<[u64; 2]>, Failure> {
        let Some(prompt) = self.tokenized(prompt)? else {
            return Ok(None);
        };
        let mut ids = [0; 2];
        for (id, text) in ids.iter_mut().zip(texts) {
            let text = self.tokenized(text)?.unwrap_or_default();
            match text.split_last() {
                Some((last, before)) if *before == prompt => *id = *last,
                _ => return Ok(None),
            }
        }
        Ok(Some(ids))
    }

    fn tokenized(&self, text: &str) -> Result<Option<Vec<u64>>, Failure> {
        let body = json!({"model": self.model, "prompt": text});
        let read = |answer: &str| {
            let answer: Value = serde_json::from_str(answer).map_err(|error| error.to_string())?;
            let tokens = answer["tokens"].as_array();
            Ok(tokens.and_then(|tokens| tokens.iter().map(Value::as_u64).collect()))
        };
        match self.endpoints.post_to("/tokenize", &body, read) {
            Ok(tokens) => Ok(tokens),
            Err(error) if matches!(error.status, Some(400..=501)) => Ok(None),
            Err(error) => Err(Failure::Http(error)),
        }
    }
}

/// A request that the server does not take in this form.
fn refuses(error: &HttpError) -> bool {
    matches!(error.status, Some(400 | 422 | 500))
}

impl Failure {
    fn told(self, model: &RemoteModel) -> LmError {
        match self {
            Failure::Http(error) => server_error(error),
            Failure::Changed(error) => error,
            Failure::Text(message) => LmError::Server {
                url: model.endpoints.first(),
                message,
                problem: ServerProblem::NoProbabilities,
            },
        }
    }
}
