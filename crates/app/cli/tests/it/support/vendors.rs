//! A server on this machine that answers as translation services document it, and can stumble.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// One request as it came.
#[derive(Debug, Clone)]
pub struct Seen {
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Value,
    pub texts: Vec<String>,
    /// Whether a whole answer was sent.
    pub answered: bool,
}

impl Seen {
    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(header, _)| header == name);
        found.map_or("", |(_, value)| value)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Manner {
    Good,
    /// A status with further headers and a body.
    Status(u16, &'static str, String),
    /// Promises more bytes than it sends.
    Truncated,
    /// Sends half of the JSON and ends the connection as if that were all.
    HalfAnAnswer,
    /// One translation too few.
    WrongCount,
    /// Takes the request and says nothing for this long.
    Hangs(Duration),
    /// Answers after this long.
    Slow(Duration),
}

type Plan = dyn Fn(usize, &Seen) -> Manner + Send + Sync;

pub struct Vendors {
    pub url: String,
    pub seen: Arc<Mutex<Vec<Seen>>>,
}

impl Vendors {
    /// `plan` decides for every request, counted from 1, how it is answered; `translate` makes the
    /// translation of a text into a language as the service calls it.
    pub fn start(
        plan: impl Fn(usize, &Seen) -> Manner + Send + Sync + 'static,
        translate: impl Fn(&str, &str) -> String + Send + Sync + 'static,
    ) -> Vendors {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let log = Arc::clone(&seen);
        let plan: Arc<Plan> = Arc::new(plan);
        let translate = Arc::new(translate);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, plan, translate) =
                    (Arc::clone(&log), Arc::clone(&plan), Arc::clone(&translate));
                std::thread::spawn(move || {
                    let _ = answer(stream, &log, &*plan, &*translate);
                });
            }
        });
        Vendors { url, seen }
    }

    /// Answers everything: `sk: I ran.`
    pub fn good() -> Vendors {
        Vendors::start(|_, _| Manner::Good, |text, to| format!("{to}: {text}"))
    }

    pub fn requests(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// Every text that got a whole answer, as often as it did.
    pub fn answered(&self) -> Vec<String> {
        let seen = self.seen.lock().unwrap();
        let answered = seen.iter().filter(|seen| seen.answered);
        answered.flat_map(|seen| seen.texts.clone()).collect()
    }
}

fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::Array(values) => values
            .iter()
            .map(|value| value.as_str().unwrap_or("").to_owned())
            .collect(),
        Value::String(text) => vec![text.clone()],
        _ => Vec::new(),
    }
}

fn answer(
    mut stream: TcpStream,
    log: &Mutex<Vec<Seen>>,
    plan: &Plan,
    translate: &(dyn Fn(&str, &str) -> String + Send + Sync),
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut start = String::new();
    reader.read_line(&mut start)?;
    let path = start.split(' ').nth(1).unwrap_or("").to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            headers.push((name.to_lowercase(), value.trim().to_owned()));
        }
    }
    let length = headers
        .iter()
        .find(|(name, _)| name == "content-length")
        .map_or(0, |(_, value)| value.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let query = |name: &str| {
        let (_, query) = path.split_once('?').unwrap_or(("", ""));
        let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let found = pairs.find(|(key, _)| *key == name);
        found.map_or(String::new(), |(_, value)| value.to_owned())
    };
    let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
    let place = path.split('?').next().unwrap_or("").to_owned();
    let (texts, to) = match place.as_str() {
        "/v2/translate" => (strings(&body["text"]), text(&body["target_lang"])),
        "/language/translate/v2" => (strings(&body["q"]), text(&body["target"])),
        "/translate" if path.contains("api-version") => {
            let texts = body.as_array().into_iter().flatten();
            let texts = texts.map(|value| text(&value["Text"])).collect();
            (texts, query("to"))
        }
        "/translate" => (strings(&body["q"]), text(&body["target"])),
        "/" => (strings(&body["Text"]), text(&body["TargetLanguageCode"])),
        "/v1/chat/completions" => {
            let prompt = text(&body["messages"][0]["content"]);
            let sentence = prompt.rsplit("\n\n").next().unwrap_or("").to_owned();
            let language = prompt.split(" into ").nth(1).unwrap_or("");
            let language = language.split(". ").next().unwrap_or("").to_owned();
            (vec![sentence], language)
        }
        _ => (
            strings(&body["contents"]),
            text(&body["targetLanguageCode"]),
        ),
    };
    let mut translated: Vec<String> = texts.iter().map(|text| translate(text, &to)).collect();
    let seen = Seen {
        path: path.clone(),
        headers,
        body,
        texts,
        answered: false,
    };
    let count = {
        let mut log = log.lock().unwrap();
        log.push(seen.clone());
        log.len()
    };
    let manner = plan(count, &seen);
    if let Manner::Hangs(time) = manner {
        std::thread::sleep(time);
        return Ok(());
    }
    if let Manner::Slow(time) = manner {
        std::thread::sleep(time);
    }
    if let Manner::Status(status, headers, body) = &manner {
        return write!(
            stream,
            "HTTP/1.1 {status} X\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
    }
    if manner == Manner::WrongCount {
        translated.pop();
    }
    let reply = match place.as_str() {
        "/v2/translate" => {
            let each = |text: &String| json!({"detected_source_language": "EN", "text": text});
            json!({"translations": translated.iter().map(each).collect::<Vec<_>>()})
        }
        "/language/translate/v2" => {
            let each = |text: &String| json!({"translatedText": text, "model": "nmt"});
            json!({"data": {"translations": translated.iter().map(each).collect::<Vec<_>>()}})
        }
        "/translate" if path.contains("api-version") => {
            let each = |text: &String| json!({"translations": [{"text": text, "to": "x"}]});
            Value::from(translated.iter().map(each).collect::<Vec<_>>())
        }
        "/translate" => json!({"translatedText": translated}),
        "/" => json!({"TranslatedText": translated.first(), "TargetLanguageCode": "x"}),
        "/v1/chat/completions" => {
            json!({"choices": [{"message": {"role": "assistant", "content": translated.first()}}]})
        }
        _ => {
            let each = |text: &String| json!({"translatedText": text, "model": "m"});
            json!({"translations": translated.iter().map(each).collect::<Vec<_>>()})
        }
    };
    let reply = reply.to_string();
    match manner {
        Manner::Truncated => write!(
            stream,
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
            reply.len(),
            &reply[..reply.len() / 2]
        ),
        Manner::HalfAnAnswer => write!(
            stream,
            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}",
            &reply[..reply.len() / 2]
        ),
        _ => {
            if manner != Manner::WrongCount {
                log.lock().unwrap()[count - 1].answered = true;
            }
            write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{reply}",
                reply.len()
            )
        }
    }
}
