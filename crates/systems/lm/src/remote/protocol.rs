//! What is sent to `/v1/completions` and what comes back, as servers really answer: OpenAI's legacy `echo` with
//! `logprobs`, vLLM's own `prompt_logprobs` where there is nothing else.
//!
//! The word that is scored is found by the offsets of its tokens, in code points, and not by spelling the text from its
//! start: a character split over two tokens has no text of its own there (llama-cpp-python), and a token for the beginning
//! of text may or may not be listed.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

/// How the log-probabilities of a given text are had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Echo,
    PromptLogprobs,
}

/// The request for the log-probabilities of texts. One token is generated and ignored: some servers
/// read `max_tokens: 0` as "no limit".
pub fn completion_request(model: &str, texts: &[String], way: Way) -> Value {
    let mut body = json!({
        "model": model,
        "prompt": one_or_list(texts),
        "max_tokens": 1,
        "temperature": 0,
    });
    match way {
        Way::Echo => {
            body["echo"] = json!(true);
            body["logprobs"] = json!(1);
        }
        Way::PromptLogprobs => {
            body["prompt_logprobs"] = json!(0);
            body["return_token_ids"] = json!(true);
        }
    }
    body
}

/// The request for the likeliest tokens after each prompt.
pub fn next_token_request(model: &str, prompts: &[String], wanted: &Candidates) -> Value {
    let mut body = json!({
        "model": model,
        "prompt": one_or_list(prompts),
        "max_tokens": 1,
        "temperature": 0,
    });
    match wanted {
        Candidates::Top(count) => body["logprobs"] = json!(count),
        Candidates::Ids(ids) => {
            body["logprobs"] = json!(ids.len());
            body["logprob_token_ids"] = json!(ids);
            body["return_tokens_as_token_ids"] = json!(true);
        }
    }
    body
}

/// Which tokens' values are wanted of the next token's distribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Candidates {
    Top(usize),
    /// vLLM: these, whatever their rank.
    Ids([u64; 2]),
}

/// Several prompts are a list; a single one is a string, which every server takes.
fn one_or_list(texts: &[String]) -> Value {
    match texts {
        [one] => json!(one),
        several => json!(several),
    }
}

const NO_VALUES: &str =
    "the answer holds no log-probabilities; does the server honour `echo` and `logprobs`?";
const NOT_COVERED: &str =
    "the answer does not cover the text that was sent; the server ignores `echo`";
const UNTOLD: &str = "which token of `prompt_logprobs` is the text's cannot be told";

/// The log-probability of what stands behind the prompt, in an answer of a server to one text.
pub fn read_completion(answer: &str, prompt: &str, text: &str) -> Result<f64, String> {
    Ok(read_completions(answer, prompt, &[text])?[0])
}

/// The same for several texts that continue one prompt.
pub fn read_completions(answer: &str, prompt: &str, texts: &[&str]) -> Result<Vec<f64>, String> {
    let choices = Reply::parse(answer, texts.len())?.choices;
    let words = choices.iter().zip(texts);
    words
        .map(|(choice, text)| Ok(choice.word(prompt, text)?.log_probability))
        .collect()
}

/// An answer with one choice for each text, in their order.
#[derive(Debug, Deserialize)]
pub struct Reply {
    #[serde(default)]
    pub choices: Vec<Choice>,
    error: Option<Value>,
    usage: Option<Usage>,
    /// The model as the server calls it.
    model: Option<Value>,
}

#[derive(Debug, Deserialize)]
struct Usage {
    prompt_tokens: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub struct Choice {
    #[serde(default)]
    index: usize,
    logprobs: Option<LogProbs>,
    prompt_logprobs: Option<Vec<Entry>>,
    prompt_token_ids: Option<Vec<u64>>,
}

#[derive(Debug, Deserialize)]
struct LogProbs {
    #[serde(default)]
    tokens: Vec<String>,
    #[serde(default)]
    token_logprobs: Vec<Option<f64>>,
    #[serde(default)]
    top_logprobs: Option<Vec<Likeliest>>,
    text_offset: Option<Vec<usize>>,
}

/// The candidates for one token of a prompt by their ids; none for its first.
type Entry = Option<BTreeMap<String, Candidate>>;
/// The candidates for one token by their texts.
type Likeliest = Option<BTreeMap<String, Option<f64>>>;

#[derive(Debug, Clone, Deserialize)]
struct Candidate {
    logprob: Option<f64>,
    #[serde(default)]
    decoded_token: String,
}

/// The word behind a prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    /// Natural logarithm, summed over its tokens.
    pub log_probability: f64,
    pub tokens: usize,
    /// The tokens before it.
    pub before: Vec<String>,
}

/// Whether a token for the beginning of text stands before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    Shown,
    Hidden,
    Absent,
}

impl Reply {
    pub fn parse(text: &str, texts: usize) -> Result<Reply, String> {
        let mut reply: Reply = serde_json::from_str(text)
            .map_err(|error| format!("the answer is not a completion ({error})"))?;
        if let Some(error) = reply.error.take().filter(|error| !error.is_null()) {
            return Err(format!("the server says {error}"));
        }
        if reply.choices.len() != texts {
            return Err(format!(
                "the answer holds {} choices for {texts} texts",
                reply.choices.len()
            ));
        }
        reply.choices.sort_by_key(|choice| choice.index);
        let above = reply.choices.iter().find_map(Choice::above_one);
        above.map_or(Ok(reply), |value| {
            Err(format!(
                "a log-probability is {value}, above 0; are these losses?"
            ))
        })
    }

    /// The model that answered, as the server calls it.
    pub fn model(&self) -> Option<&str> {
        self.model
            .as_ref()?
            .as_str()
            .filter(|name| !name.is_empty())
    }

    /// Tokens of the prompts, as the server counts them.
    pub fn prompt_tokens(&self) -> Option<usize> {
        self.usage.as_ref()?.prompt_tokens
    }

    /// Whether there is a token for the beginning of text, in the answer to one text; `None` where that cannot be told.
    pub fn start(&self, text: &str) -> Option<Start> {
        let found = self.choices.first()?.logprobs.as_ref()?;
        let (offsets, counted) = (found.text_offset.as_ref()?, self.prompt_tokens()?);
        let shift = found.shift(text);
        if shift > 0 && !text.starts_with(found.tokens.first()?.trim_start()) {
            return Some(Start::Shown);
        }
        let end = text.chars().count().saturating_add(shift);
        let listed = offsets.iter().filter(|offset| **offset < end).count();
        match counted.checked_sub(listed)? {
            0 => Some(Start::Absent),
            1 => Some(Start::Hidden),
            _ => None,
        }
    }
}

impl Choice {
    /// The word behind the prompt; `text` is the prompt with the word.
    pub fn word(&self, prompt: &str, text: &str) -> Result<Word, String> {
        let word = text
            .strip_prefix(prompt)
            .filter(|word| !word.is_empty())
            .ok_or("there is no word behind the prompt")?;
        let found = match (&self.logprobs, &self.prompt_logprobs) {
            (Some(found), _) if !found.tokens.is_empty() => found.word(prompt, text),
            (_, Some(entries)) => self.last_word(entries, word),
            (Some(_), None) => Err(NOT_COVERED.to_owned()),
            (None, None) => Err(NO_VALUES.to_owned()),
        }?;
        if found.log_probability.is_finite() {
            Ok(found)
        } else {
            Err(format!(
                "the log-probability of `{word}` is not a finite number"
            ))
        }
    }

    /// A value that is no logarithm of a probability.
    fn above_one(&self) -> Option<f64> {
        let listed = self.logprobs.iter().flat_map(|found| &found.token_logprobs);
        let entries = self.prompt_logprobs.iter().flatten().flatten();
        let candidates = entries.flat_map(BTreeMap::values).map(|one| &one.logprob);
        let mut values = listed.chain(candidates).flatten().copied();
        values.find(|value| *value > 1e-3)
    }

    /// All tokens with their natural log-probabilities, the generated one among them where the server lists it.
    pub fn tokens(&self) -> Result<Vec<(String, Option<f64>)>, String> {
        match (&self.logprobs, &self.prompt_logprobs) {
            (Some(found), _) if !found.tokens.is_empty() => {
                found.check()?;
                let values = found.token_logprobs.iter().copied();
                Ok(found.tokens.iter().cloned().zip(values).collect())
            }
            (_, Some(entries)) => {
                let ids = self.prompt_token_ids.as_ref();
                let ids = ids.filter(|ids| ids.len() == entries.len());
                let token = |(place, entry): (usize, &Entry)| {
                    let Some(entry) = entry else {
                        return Ok((String::new(), None));
                    };
                    let own = match ids {
                        Some(ids) => entry.get(&ids[place].to_string()),
                        None if entry.len() == 1 => entry.values().next(),
                        None => None,
                    };
                    let own = own.ok_or(UNTOLD)?;
                    Ok((own.decoded_token.clone(), own.logprob))
                };
                entries.iter().enumerate().map(token).collect()
            }
            _ => Err(NO_VALUES.to_owned()),
        }
    }

    /// `prompt_logprobs`: the entries are the prompt's tokens alone, so that its last ones are the word's. The order of
    /// the candidates says nothing: the token is the one with the prompt's id, else the one that spells the text.
    fn last_word(&self, entries: &[Entry], word: &str) -> Result<Word, String> {
        let ids = self.prompt_token_ids.as_ref();
        let ids = ids.filter(|ids| ids.len() == entries.len());
        let (mut left, mut sum, mut tokens) = (word, 0.0, 0);
        for (place, entry) in entries.iter().enumerate().rev() {
            let entry = entry
                .as_ref()
                .ok_or("the word's tokens have no log-probability")?;
            let spelling: Vec<&Candidate> = match ids {
                Some(ids) => entry.get(&ids[place].to_string()).into_iter().collect(),
                None => entry.values().collect(),
            };
            let fits = |candidate: &&&Candidate| {
                !candidate.decoded_token.is_empty() && left.ends_with(&candidate.decoded_token)
            };
            let fitting: Vec<&Candidate> = spelling.iter().filter(fits).copied().collect();
            let [candidate] = fitting[..] else {
                return Err(match fitting.len() {
                    0 => "its tokens do not spell the word that was sent; does the server honour `echo`?".to_owned(),
                    _ => UNTOLD.to_owned(),
                });
            };
            left = &left[..left.len() - candidate.decoded_token.len()];
            sum += candidate
                .logprob
                .ok_or("the word's tokens have no log-probability")?;
            tokens += 1;
            if left.is_empty() {
                let before = entries[..place].iter().map(|entry| match entry {
                    Some(entry) => entry.keys().cloned().collect::<Vec<_>>().join("|"),
                    None => String::new(),
                });
                return Ok(Word {
                    log_probability: sum,
                    tokens,
                    before: before.collect(),
                });
            }
        }
        Err(NOT_COVERED.to_owned())
    }

    /// The log-probability of a candidate for the token behind the prompt, by its text (or `token_id:N`).
    pub fn next_token(&self, token: &str) -> Option<f64> {
        let candidates = self.logprobs.as_ref()?.top_logprobs.as_ref()?;
        let value = candidates.first()?.as_ref()?.get(token).copied()??;
        value.is_finite().then_some(value)
    }
}

impl LogProbs {
    /// By how many code points the offsets are ahead of the text: what stands in front of it and is not part of it.
    fn shift(&self, text: &str) -> usize {
        let (Some(first), Some(None)) = (self.tokens.first(), self.token_logprobs.first()) else {
            return 0;
        };
        let spoken = first.trim_start_matches([' ', '▁']);
        if first.is_empty() || text.starts_with(first.as_str()) {
            0
        } else if !spoken.is_empty() && text.starts_with(spoken) {
            // Some tokenizers put a blank before the first word.
            first.chars().count() - spoken.chars().count()
        } else {
            // A token for the beginning of text, counted or not.
            let offsets = self.text_offset.as_ref();
            offsets
                .and_then(|offsets| offsets.get(1).copied())
                .unwrap_or(0)
        }
    }

    fn word(&self, prompt: &str, text: &str) -> Result<Word, String> {
        self.check()?;
        match &self.text_offset {
            Some(offsets) if offsets.len() == self.tokens.len() => {
                self.word_by_offset(offsets, prompt, text)
            }
            _ => self.word_by_spelling(prompt, text),
        }
    }

    fn check(&self) -> Result<(), String> {
        let (tokens, values) = (self.tokens.len(), self.token_logprobs.len());
        if tokens == values {
            Ok(())
        } else {
            Err(format!(
                "there are {tokens} tokens and {values} log-probabilities"
            ))
        }
    }

    fn word_by_offset(&self, offsets: &[usize], prompt: &str, text: &str) -> Result<Word, String> {
        let shift = self.shift(text);
        let border = prompt.chars().count().saturating_add(shift);
        let end = text.chars().count().saturating_add(shift);
        let first = offsets.iter().position(|offset| *offset >= border);
        let first = first.filter(|first| offsets[*first] < end);
        let Some(first) = first else {
            return Err(NOT_COVERED.to_owned());
        };
        if offsets[first] != border {
            let spanning = self.tokens[..first].last().map_or("", String::as_str);
            return Err(format!(
                "the token `{spanning}` joins the end of the prompt and the word; epicene cannot separate them"
            ));
        }
        let last = offsets
            .iter()
            .skip(first)
            .take_while(|offset| **offset < end);
        let last = first + last.count();
        let spelled: Vec<&str> = self.tokens[first..last]
            .iter()
            .map(String::as_str)
            .collect();
        let word = text.strip_prefix(prompt).unwrap_or_default();
        if !spells_but_for_split(&spelled, word) {
            return Err(format!(
                "its tokens do not spell the text that was sent (`{}` where the word should be); does the server honour `echo`?",
                tail(&spelled.concat())
            ));
        }
        self.sum(first, last)
    }

    fn sum(&self, first: usize, last: usize) -> Result<Word, String> {
        let values: Option<Vec<f64>> = self.token_logprobs[first..last].iter().copied().collect();
        let values = values.ok_or("the word has no log-probability")?;
        Ok(Word {
            log_probability: values.iter().sum(),
            tokens: values.len(),
            before: self.tokens[..first].to_vec(),
        })
    }

    /// Where a server gives no offsets.
    fn word_by_spelling(&self, prompt: &str, text: &str) -> Result<Word, String> {
        let invisible = self.token_logprobs.first() == Some(&None)
            && self
                .tokens
                .first()
                .is_some_and(|first| first.is_empty() || !text.starts_with(first.as_str()));
        let mut spelled = String::new();
        let mut first = None;
        for (place, token) in self.tokens.iter().enumerate().skip(usize::from(invisible)) {
            let start = spelled.len();
            spelled.push_str(token);
            if !text.starts_with(&spelled) {
                return Err(format!(
                    "its tokens do not spell the text that was sent (`{}` against `{}`); does the server honour `echo`?",
                    tail(&spelled),
                    tail(&text[..floor(text, spelled.len())])
                ));
            }
            if start < prompt.len() && spelled.len() > prompt.len() {
                return Err(format!(
                    "the token `{token}` joins the end of the prompt and the word; epicene cannot separate them"
                ));
            }
            if start >= prompt.len() {
                first.get_or_insert(place);
            }
            if let (Some(first), true) = (first, spelled.len() == text.len()) {
                return self.sum(first, place + 1);
            }
        }
        Err(NOT_COVERED.to_owned())
    }
}

/// Whether tokens spell a text. Characters that are split over tokens have no text on some servers and may be missing.
pub fn spells_but_for_split(tokens: &[&str], text: &str) -> bool {
    let mut left = text;
    for token in tokens {
        while !left.starts_with(token) {
            match left.chars().next() {
                Some(lost) if !lost.is_ascii() => left = &left[lost.len_utf8()..],
                _ => return false,
            }
        }
        left = &left[token.len()..];
    }
    left.chars().all(|lost| !lost.is_ascii())
}

fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The last few characters, for messages.
fn tail(text: &str) -> String {
    let start = text.chars().count().saturating_sub(24);
    text.chars().skip(start).collect()
}

#[cfg(test)]
#[path = "protocol_tests.rs"]
mod tests;
