//! Servers of this machine that answer `/v1/completions` as vLLM and llama-cpp-python do, with their ways of listing tokens,
//! and that can die or dawdle. They are no models: a word's log-probability is a hash of the text before it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    Vllm,
    LlamaCpp,
    /// Honours `echo` and nothing else.
    Plain,
}

#[derive(Clone)]
pub struct Server {
    pub url: String,
    program: Program,
    /// Tokens it reads.
    longest: usize,
    delay: Duration,
    /// Dies after so many requests.
    lives: usize,
    /// The same to every request.
    refusal: Option<(u16, String)>,
    pub requests: Arc<AtomicUsize>,
    /// Requests for the next token.
    pub next_token: Arc<AtomicUsize>,
    pub dead: Arc<AtomicBool>,
}

struct Token {
    text: String,
    /// Position of its first character.
    offset: usize,
    log_probability: f64,
}

fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step) >> 20
}

/// Of a token behind a text.
pub fn log_probability(before: &str, token: &str) -> f64 {
    -0.5 - (hash(&format!("{before}|{token}")) % 4096) as f64 / 1024.0
}

fn id(token: &str) -> u64 {
    10 + hash(token) % 50_000
}

/// Words with the blank before them; what is not ASCII is two tokens a character.
fn tokens(text: &str, program: Program) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    let mut inside = false;
    for (offset, c) in text.chars().enumerate() {
        if !c.is_ascii() {
            let last = match program {
                Program::LlamaCpp => String::new(),
                _ => c.to_string(),
            };
            for text in [String::new(), last] {
                let log_probability = -1.0;
                found.push(Token {
                    text,
                    offset,
                    log_probability,
                });
            }
            inside = false;
        } else if inside && c != ' ' {
            found.last_mut().unwrap().text.push(c);
        } else {
            found.push(Token {
                text: c.to_string(),
                offset,
                log_probability: 0.0,
            });
            inside = true;
        }
    }
    let all: Vec<char> = text.chars().collect();
    for token in &mut found {
        let before: String = all[..token.offset].iter().collect();
        token.log_probability = log_probability(&before, &token.text);
    }
    found
}

impl Server {
    pub fn start(program: Program) -> Server {
        Server::with(program, |_| ())
    }

    pub fn dying(program: Program, after: usize) -> Server {
        Server::with(program, |server| server.lives = after)
    }

    pub fn slow(program: Program, delay: Duration) -> Server {
        Server::with(program, |server| server.delay = delay)
    }

    pub fn refusing(status: u16, reply: &str) -> Server {
        let refusal = Some((status, reply.to_owned()));
        Server::with(Program::Plain, |server| server.refusal = refusal.clone())
    }

    fn with(program: Program, change: impl Fn(&mut Server)) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut server = Server {
            url: format!("http://{}", listener.local_addr().unwrap()),
            program,
            longest: 64,
            delay: Duration::ZERO,
            lives: usize::MAX,
            refusal: None,
            requests: Arc::default(),
            next_token: Arc::default(),
            dead: Arc::default(),
        };
        change(&mut server);
        let own = server.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let own = own.clone();
                std::thread::spawn(move || own.answer(stream));
            }
        });
        server
    }

    fn answer(&self, mut stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let (mut length, mut first) = (0, String::new());
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
                break;
            }
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if first.is_empty() {
                first = line;
            }
        }
        let mut body = vec![0; length];
        if reader.read_exact(&mut body).is_err() {
            return;
        }
        let path = first.split(' ').nth(1).unwrap_or("").to_owned();
        if first.starts_with("POST /v1")
            && self.requests.fetch_add(1, Ordering::SeqCst) >= self.lives
        {
            self.dead.store(true, Ordering::SeqCst);
        }
        if self.dead.load(Ordering::SeqCst) {
            return;
        }
        std::thread::sleep(self.delay);
        let text = String::from_utf8(body).unwrap();
        let (status, reply) = match &self.refusal {
            Some(refusal) => refusal.clone(),
            None => {
                let body = serde_json::from_str(&text).unwrap_or(Value::Null);
                let (status, reply) = self.reply(&path, &body);
                (status, reply.to_string())
            }
        };
        let _ = write!(
            stream,
            "HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{reply}",
            reply.len()
        );
    }

    fn reply(&self, path: &str, body: &Value) -> (u16, Value) {
        let vllm = self.program == Program::Vllm;
        match path {
            "/v1/models" if vllm => (200, json!({"data": [{"id": "demo", "owned_by": "vllm"}]})),
            "/v1/models" => (200, json!({"data": [{"id": "demo", "owned_by": "me"}]})),
            "/version" if vllm => (200, json!({"version": "0.32.0"})),
            "/tokenize" if vllm => {
                let text = body["prompt"].as_str().unwrap();
                let ids = tokens(text, self.program)
                    .iter()
                    .map(|token| id(&token.text))
                    .collect::<Vec<_>>();
                (200, json!({"tokens": ids}))
            }
            "/v1/completions" => self.completion(body),
            _ => (404, json!({"detail": "Not Found"})),
        }
    }

    fn completion(&self, body: &Value) -> (u16, Value) {
        let prompts: Vec<&str> = match &body["prompt"] {
            Value::Array(_) if self.program == Program::LlamaCpp => {
                let error = json!({"message": "", "type": "internal_server_error", "param": null, "code": null});
                return (500, json!({ "error": error }));
            }
            Value::Array(texts) => texts.iter().map(|text| text.as_str().unwrap()).collect(),
            text => vec![text.as_str().unwrap()],
        };
        if body["echo"] != true
            && body["logprobs"].as_u64() > Some(20)
            && self.program == Program::Vllm
        {
            let error = json!({"message": "Requested sample logprobs of 200, which is greater than max allowed: 20", "type": "BadRequestError", "param": "logprobs", "code": 400});
            return (400, json!({ "error": error }));
        }
        let (mut choices, mut counted) = (Vec::new(), 0);
        for (index, text) in prompts.into_iter().enumerate() {
            let tokens = tokens(text, self.program);
            counted += tokens.len() + usize::from(self.program != Program::Plain);
            if tokens.len() + 2 > self.longest {
                let error = match self.program {
                    Program::Vllm => {
                        json!({"message": "This model's maximum context length is 64 tokens.", "type": "BadRequestError", "param": "input_tokens", "code": 400})
                    }
                    _ => {
                        json!({"message": "This model's maximum context length is 64 tokens", "type": "invalid_request_error", "param": "messages", "code": "context_length_exceeded"})
                    }
                };
                return (400, json!({ "error": error }));
            }
            choices.push(if body["echo"] == true {
                self.echo(index, text, &tokens)
            } else {
                self.next(index, text, body)
            });
        }
        // The order of choices is no promise.
        choices.reverse();
        (
            200,
            json!({"choices": choices, "usage": {"prompt_tokens": counted}}),
        )
    }

    fn echo(&self, index: usize, text: &str, tokens: &[Token]) -> Value {
        let start = self.program == Program::Vllm;
        let shift = if start { 3 } else { 0 };
        let mut texts: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
        let mut values: Vec<Value> = tokens
            .iter()
            .map(|token| json!(token.log_probability))
            .collect();
        let mut offsets: Vec<usize> = tokens.iter().map(|token| token.offset + shift).collect();
        let mut prompt: Vec<Value> = tokens
            .iter()
            .map(|token| {
                let own = json!({"logprob": token.log_probability, "rank": 7, "decoded_token": token.text});
                // Sorts before the prompt's own, and is likelier.
                json!({"1": {"logprob": -0.01, "rank": 1, "decoded_token": " likely"}, id(&token.text).to_string(): own})
            })
            .collect();
        if start {
            texts.insert(0, "<s>");
            values.insert(0, Value::Null);
            offsets.insert(0, 0);
            prompt.insert(0, Value::Null);
        } else {
            values[0] = Value::Null
        }
        texts.push(" said");
        values.push(json!(-0.25));
        offsets.push(text.chars().count() + shift);
        let mut logprobs = json!({"tokens": texts, "token_logprobs": values});
        let mut choice = json!({"index": index, "text": ""});
        if self.program != Program::Plain {
            logprobs["text_offset"] = json!(offsets);
        }
        if start {
            choice["prompt_logprobs"] = json!(prompt);
        }
        choice["logprobs"] = logprobs;
        choice
    }

    fn next(&self, index: usize, text: &str, body: &Value) -> Value {
        self.next_token.fetch_add(1, Ordering::SeqCst);
        let mut candidates = json!({" said": -0.25});
        match (&body["logprob_token_ids"], self.program) {
            (_, Program::Plain) => {
                return json!({"index": index, "text": " said", "logprobs": null});
            }
            (Value::Array(ids), Program::Vllm) => {
                for word in [" he", " she", " man", " woman"] {
                    if ids.iter().any(|wanted| wanted.as_u64() == Some(id(word))) {
                        candidates[format!("token_id:{}", id(word))] =
                            json!(log_probability(text, word));
                    }
                }
            }
            _ => {
                for word in [" he", " she", " man", " woman"] {
                    // Some words are too unlikely to be listed.
                    if log_probability(text, word) > -4.0 {
                        candidates[word] = json!(log_probability(text, word));
                    }
                }
            }
        }
        let logprobs = json!({"tokens": [" said"], "token_logprobs": [-0.25], "top_logprobs": [candidates], "text_offset": [0]});
        json!({"index": index, "text": " said", "logprobs": logprobs})
    }
}
