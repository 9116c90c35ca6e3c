//! Chat templates: a conversation as the text the model was trained on, rendered as `apply_chat_template` of
//! `transformers` renders it.
//!
//! A template is a program from outside: it runs in a sandbox without files, in a thread with bounded work, stack, memory
//! and time. `{% generation %}` marks what a model wrote for training and changes no text here.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use epicene_io::Moment;
use epicene_io::bounded;
use epicene_io::input::size;
use epicene_io::limits::{
    JSON_DEPTH, JSON_INDENT, LONGEST_PROMPT, LONGEST_TEMPLATE, TEMPLATE, TEMPLATE_FUEL,
};
use epicene_io::quote::shown;
use minijinja::value::{Kwargs, Value, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind};
use serde::{Deserialize, Serialize};

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// `system`, `user` or `assistant`.
    pub role: String,
    pub content: String,
}

impl Message {
    pub fn new(role: &str, content: impl Into<String>) -> Message {
        Message {
            role: role.to_owned(),
            content: content.into(),
        }
    }
}

/// A checkpoint's template.
#[derive(Debug)]
pub struct ChatTemplate {
    environment: Arc<Environment<'static>>,
    /// `bos_token` and its like.
    special: BTreeMap<String, String>,
    uses_date: bool,
    /// The moment of the rendering at hand.
    moment: Arc<Mutex<Moment>>,
    rendering: Mutex<()>,
}

const NAME: &str = "chat template";

impl ChatTemplate {
    /// `special` are the tokenizer's special tokens by their names (`bos_token`).
    pub fn new(source: &str, special: BTreeMap<String, String>) -> Result<ChatTemplate, String> {
        if source.len() > LONGEST_TEMPLATE {
            return Err(format!(
                "the template has {} bytes; at most {} are read",
                source.len(),
                size(LONGEST_TEMPLATE as u64)
            ));
        }
        let moment = Arc::new(Mutex::new(Moment::now()));
        let (clock, marked) = (moment.clone(), source.to_owned());
        let environment = bounded::run(TEMPLATE, move || environment(&marked, clock));
        let environment = environment.map_err(|exceeded| format!("{NAME}: {exceeded}"))??;
        Ok(ChatTemplate {
            environment: Arc::new(environment),
            special,
            uses_date: source.contains("strftime_now"),
            moment,
            rendering: Mutex::new(()),
        })
    }

    /// Whether the date may stand in a prompt.
    pub fn uses_date(&self) -> bool {
        self.uses_date
    }

    /// The conversation with the beginning of the model's answer.
    pub fn render(
        &self,
        messages: &[Message],
        variables: &BTreeMap<String, serde_json::Value>,
        moment: Moment,
    ) -> Result<String, String> {
        self.render_with(messages, variables, moment, true)
    }

    /// As `render`; `answering` says whether the beginning of an answer is added.
    pub fn render_with(
        &self,
        messages: &[Message],
        variables: &BTreeMap<String, serde_json::Value>,
        moment: Moment,
        answering: bool,
    ) -> Result<String, String> {
        let _alone = self.rendering.lock();
        *self
            .moment
            .lock()
            .expect("nothing panics while it holds this") = moment;
        let environment = self.environment.clone();
        let special = self.special.clone();
        let (messages, variables) = (messages.to_vec(), variables.clone());
        let rendered = bounded::run(TEMPLATE, move || {
            let mut context: BTreeMap<&str, Value> = BTreeMap::new();
            for (name, token) in &special {
                context.insert(name, Value::from(token.as_str()));
            }
            context.insert("tools", Value::from(()));
            context.insert("documents", Value::from(()));
            for (name, value) in &variables {
                context.insert(name, Value::from_serialize(value));
            }
            context.insert("messages", Value::from_serialize(&messages));
            context.insert("add_generation_prompt", Value::from(answering));
            let template = environment.get_template(NAME).map_err(|e| told(&e))?;
            let text = template.render(context).map_err(|error| told(&error))?;
            if text.len() > LONGEST_PROMPT {
                let most = size(LONGEST_PROMPT as u64);
                return Err(format!("the template writes more than {most}"));
            }
            Ok(text)
        });
        rendered.map_err(|exceeded| format!("{NAME}: {exceeded}"))?
    }
}

/// The sandbox with the template in it.
fn environment(source: &str, clock: Arc<Mutex<Moment>>) -> Result<Environment<'static>, String> {
    let mut environment = Environment::new();
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_fuel(Some(TEMPLATE_FUEL));
    environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
    environment.set_formatter(|out, state, value| match value.kind() {
        ValueKind::Bool => out
            .write_str(if value.is_true() { "True" } else { "False" })
            .map_err(Error::from),
        ValueKind::None => out.write_str("None").map_err(Error::from),
        _ => minijinja::escape_formatter(out, state, value),
    });
    environment.add_filter("tojson", to_json);
    environment.add_function(
        "raise_exception",
        |message: String| -> Result<Value, Error> {
            Err(Error::new(ErrorKind::InvalidOperation, message))
        },
    );
    environment.add_function("strftime_now", move |format: String| {
        let moment = *clock.lock().expect("nothing panics while it holds this");
        let bad = |problem| {
            let message = format!("strftime_now: {problem}");
            Error::new(ErrorKind::InvalidOperation, message)
        };
        moment.written(&format).map_err(bad)
    });
    environment
        .add_template_owned(NAME, without_marks(source))
        .map_err(|error| told(&error))?;
    Ok(environment)
}

/// The error's own words, with its causes.
fn told(error: &Error) -> String {
    let mut text = match error.detail() {
        Some(detail) => detail.to_owned(),
        None => error.to_string(),
    };
    // It may quote the template, or a value of it.
    text = shown(&text);
    if let Some(line) = error.line() {
        text = format!("{text} (line {line})");
    }
    text
}

/// Blocks that mark what a model wrote, as blocks that are always there.
fn without_marks(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(start) = rest.find("{%") {
        let (before, tag) = rest.split_at(start);
        out.push_str(before);
        let Some(end) = tag.find("%}") else {
            rest = tag;
            break;
        };
        let (tag, later) = tag.split_at(end + 2);
        let inner = tag[2..tag.len() - 2].trim_matches(['-', '+']).trim();
        out.push_str(&match inner {
            "generation" => tag.replace("generation", "if true"),
            "endgeneration" => tag.replace("endgeneration", "endif"),
            _ => tag.to_owned(),
        });
        rest = later;
    }
    out.push_str(rest);
    out
}

/// As Python's `json.dumps` writes it.
fn to_json(value: &Value, options: Kwargs) -> Result<Value, Error> {
    let indent: Option<usize> = options.get("indent")?;
    if indent.is_some_and(|indent| indent > JSON_INDENT) {
        let message = format!("tojson: an indent of more than {JSON_INDENT}");
        return Err(Error::new(ErrorKind::InvalidOperation, message));
    }
    let ascii: Option<bool> = options.get("ensure_ascii")?;
    let sorted: Option<bool> = options.get("sort_keys")?;
    let separators: Option<Vec<String>> = options.get("separators")?;
    options.assert_all_used()?;
    let (item, key) = match separators.as_deref() {
        Some([item, key]) => (item.clone(), key.clone()),
        _ if indent.is_some() => (",".to_owned(), ": ".to_owned()),
        _ => (", ".to_owned(), ": ".to_owned()),
    };
    let style = JsonStyle {
        indent,
        ascii: ascii.unwrap_or(false),
        sorted: sorted.unwrap_or(false),
        item,
        key,
    };
    let mut out = String::new();
    style.write(value, 0, &mut out)?;
    Ok(Value::from_safe_string(out))
}

struct JsonStyle {
    indent: Option<usize>,
    ascii: bool,
    sorted: bool,
    item: String,
    key: String,
}

impl JsonStyle {
    fn write(&self, value: &Value, depth: usize, out: &mut String) -> Result<(), Error> {
        if depth > JSON_DEPTH {
            let message = format!("tojson: a value of more than {JSON_DEPTH} levels");
            return Err(Error::new(ErrorKind::InvalidOperation, message));
        }
        match value.kind() {
            ValueKind::Seq | ValueKind::Iterable => {
                let items: Vec<Value> = value.try_iter()?.collect();
                self.several(items.iter(), ('[', ']'), depth, out, |item, out| {
                    self.write(item, depth + 1, out)
                })
            }
            ValueKind::Map => {
                let mut keys: Vec<String> = value.try_iter()?.map(|key| key.to_string()).collect();
                if self.sorted {
                    keys.sort();
                }
                self.several(keys.iter(), ('{', '}'), depth, out, |key, out| {
                    self.text(key, out);
                    out.push_str(&self.key);
                    self.write(&value.get_attr(key)?, depth + 1, out)
                })
            }
            ValueKind::String => {
                self.text(value.as_str().unwrap_or_default(), out);
                Ok(())
            }
            _ => {
                let plain = serde_json::to_value(value)
                    .map_err(|error| Error::new(ErrorKind::BadSerialization, error.to_string()))?;
                out.push_str(&plain.to_string());
                Ok(())
            }
        }
    }

    fn several<T>(
        &self,
        items: impl ExactSizeIterator<Item = T>,
        (open, close): (char, char),
        depth: usize,
        out: &mut String,
        write: impl Fn(T, &mut String) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let line = |depth: usize, out: &mut String| {
            if let Some(indent) = self.indent {
                out.push('\n');
                out.push_str(&" ".repeat(indent * depth));
            }
        };
        out.push(open);
        let empty = items.len() == 0;
        for (place, item) in items.enumerate() {
            if place > 0 {
                out.push_str(&self.item);
            }
            line(depth + 1, out);
            write(item, out)?;
        }
        if !empty {
            line(depth, out);
        }
        out.push(close);
        Ok(())
    }

    fn text(&self, text: &str, out: &mut String) {
        let quoted = serde_json::Value::from(text).to_string();
        if !self.ascii {
            out.push_str(&quoted);
            return;
        }
        for c in quoted.chars() {
            if c.is_ascii() {
                out.push(c)
            } else {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
}
