//! A chat model behind HTTP: `chat:MODEL@URL[,URL…]`, `anthropic:MODEL`, `gemini:MODEL`. What they share (keys from the
//! environment alone, several requests at once, a model that must not change under way, options read as probabilities
//! where the service shows them) is here; what each sends and answers, in its own file.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};

use epicene_core::{
    Answer, Capabilities, ChatAnswer, ChatQuestion, Finish, Message, ModelKind, Query, Question,
    ServerCard, System, SystemCard, SystemError,
};
use epicene_io::http::{HttpError, Request, RetryPolicy, Secret};
use epicene_io::pool::{Endpoint, Pool};
use epicene_io::threads::spawn_or_run;
use serde_json::Value;

use super::{anthropic, gemini, identity, openai};
use crate::remote::changed;
use crate::{Endpoints, LmError, ServerProblem};

/// How a chat service is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChatSpec {
    /// `chat:MODEL@URL[,URL…]`: any server with OpenAI's `/v1/chat/completions`.
    OpenAi { model: String, urls: Vec<String> },
    /// `anthropic:MODEL`
    Anthropic(String),
    /// `gemini:MODEL`
    Gemini(String),
}

/// What an answer's body holds, or why there is none.
pub(super) type ReadAnswer = Result<ChatAnswer, String>;

/// Where requests go.
enum Door {
    Servers(Endpoints),
    Service {
        pool: Pool,
        path: String,
        headers: Vec<(&'static str, String)>,
        /// Where the service is asked unless the environment says otherwise.
        usual: &'static str,
    },
}

pub struct ChatService {
    card: SystemCard,
    spec: ChatSpec,
    door: Door,
    /// How this server wants to be asked, as far as its refusals told.
    manner: Mutex<openai::Manner>,
    /// The model that answered first, as the service calls it.
    served: Mutex<Option<String>>,
    /// Whether options come with probabilities, once it was tried.
    probabilities: OnceLock<bool>,
    /// What the servers said to the test prompts.
    server: OnceLock<Option<ServerCard>>,
    paid: bool,
}

impl ChatSpec {
    pub fn kind(&self) -> &'static str {
        match self {
            ChatSpec::OpenAi { .. } => "chat",
            ChatSpec::Anthropic(_) => "anthropic",
            ChatSpec::Gemini(_) => "gemini",
        }
    }

    pub fn model(&self) -> &str {
        match self {
            ChatSpec::OpenAi { model, .. }
            | ChatSpec::Anthropic(model)
            | ChatSpec::Gemini(model) => model,
        }
    }
}

/// Requests a service gets at once.
const IN_FLIGHT: usize = 8;

fn key(service: &str, variables: &[&str]) -> Result<Secret, LmError> {
    Secret::from_environment(variables).ok_or_else(|| LmError::Other {
        message: format!("{service} needs a key"),
        hint: Some(format!(
            "set {}; keys are read from the environment alone",
            variables.join(" or ")
        )),
    })
}

fn base(variable: &str, usual: &str) -> Result<String, LmError> {
    let given = std::env::var(variable).unwrap_or_default();
    let given = given.trim().trim_end_matches('/');
    if given.is_empty() {
        return Ok(usual.to_owned());
    }
    let rest = given
        .strip_prefix("https://")
        .or_else(|| given.strip_prefix("http://"));
    match rest.map(|rest| rest.split('/').next().unwrap_or("")) {
        Some(host) if !host.is_empty() && !host.contains('@') => Ok(given.to_owned()),
        _ => Err(LmError::Other {
            message: format!("{variable} is no http(s) address without a password"),
            hint: None,
        }),
    }
}

impl ChatService {
    pub fn open(spec: &ChatSpec, policy: RetryPolicy) -> Result<ChatService, LmError> {
        let service = |(base, usual): (String, &'static str),
                       path: String,
                       header: &'static str,
                       key: Secret,
                       more: &[(&'static str, &str)]| {
            let mut headers = vec![(header, key.expose().to_owned())];
            headers.extend(
                more.iter()
                    .map(|(name, value)| (*name, (*value).to_owned())),
            );
            let places = vec![Endpoint {
                base,
                limit: IN_FLIGHT,
            }];
            Door::Service {
                pool: Pool::new(places, policy, vec![key]),
                path,
                headers,
                usual,
            }
        };
        let mut paid = true;
        let door = match spec {
            ChatSpec::OpenAi { urls, .. } => {
                let key = Secret::from_environment(&["OPENAI_API_KEY"]);
                paid = key.is_some();
                Door::Servers(Endpoints::new(urls, "chat/completions", key, policy)?)
            }
            ChatSpec::Anthropic(_) => {
                let key = key("anthropic", &["ANTHROPIC_API_KEY"])?;
                let usual = "https://api.anthropic.com";
                let base = (base("ANTHROPIC_BASE_URL", usual)?, usual);
                let version = [("anthropic-version", "2023-06-01")];
                service(base, "/v1/messages".to_owned(), "x-api-key", key, &version)
            }
            ChatSpec::Gemini(model) => {
                let key = key("gemini", &["GEMINI_API_KEY", "GOOGLE_API_KEY"])?;
                let usual = "https://generativelanguage.googleapis.com";
                let base = (base("GOOGLE_GEMINI_BASE_URL", usual)?, usual);
                if !model
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_'))
                {
                    return Err(LmError::Other {
                        message: format!("gemini: `{model}` is no name of a model"),
                        hint: Some("e.g. gemini:gemini-2.0-flash".to_owned()),
                    });
                }
                let path = format!("/v1beta/models/{model}:generateContent");
                service(base, path, "x-goog-api-key", key, &[])
            }
        };
        Ok(ChatService {
            card: SystemCard {
                name: spec.model().to_owned(),
                source: format!("{}:{}", spec.kind(), spec.model()),
                revision: None,
                dtype: None,
                tokenizer: None,
                kind: ModelKind::Chat,
            },
            spec: spec.clone(),
            door,
            manner: Mutex::default(),
            served: Mutex::default(),
            probabilities: OnceLock::new(),
            server: OnceLock::new(),
            paid,
        })
    }

    /// Whether asking costs money: a server without a key is taken to be one's own.
    pub fn is_paid(&self) -> bool {
        self.paid
    }

    /// Where it answers, for a server that anybody may run under any model's name; a service is known by its name.
    pub fn addresses(&self) -> Option<String> {
        match &self.door {
            Door::Servers(servers) => Some(servers.addresses()),
            Door::Service { .. } => None,
        }
    }

    /// Who answers. A service is known by its name, and by its address where the environment names another. What costs
    /// money is not tested: the user has not agreed to that yet, and replies name the model.
    fn test(&self) -> Result<Option<ServerCard>, LmError> {
        match &self.door {
            Door::Servers(endpoints) if self.paid => Ok(Some(identity::unasked_servers(
                self.spec.model(),
                endpoints,
            ))),
            Door::Servers(endpoints) => {
                let mut manner = *locked(&self.manner);
                let found = identity::test(self.spec.model(), endpoints, &mut manner);
                *locked(&self.manner) = manner;
                found.map(Some)
            }
            Door::Service { pool, usual, .. } => {
                let bases = pool.places().into_iter().map(|place| place.base);
                let addresses: Vec<String> = bases.filter(|base| base != usual).collect();
                Ok((!addresses.is_empty()).then_some(ServerCard {
                    addresses,
                    ..ServerCard::default()
                }))
            }
        }
    }

    /// One question. A model that changed since the last answer is refused: two models are not one system.
    pub fn ask(&self, question: &ChatQuestion) -> Result<ChatAnswer, LmError> {
        let answer = self.request(question)?;
        if let Some(model) = &answer.model {
            let known = locked(&self.served)
                .get_or_insert_with(|| model.clone())
                .clone();
            if known != *model {
                return Err(self.changed(&known, model));
            }
        }
        Ok(answer)
    }

    /// Takes over an answer from an earlier time, which must be by the model that answers now.
    pub fn take_over(&self, kept: &ChatAnswer) -> Result<(), LmError> {
        let Some(model) = &kept.model else {
            return Ok(());
        };
        let now = locked(&self.served)
            .get_or_insert_with(|| model.clone())
            .clone();
        if now == *model {
            Ok(())
        } else {
            Err(self.changed(model, &now))
        }
    }

    fn changed(&self, before: &str, now: &str) -> LmError {
        LmError::Other {
            message: format!(
                "{}: `{before}` answered until now, and `{now}` answers now: the model was changed under way",
                self.card.name
            ),
            hint: Some(
                "name a fixed version of the model, and the same on every server; what was answered so far is kept. To ask \
                 the new model everything, give --fresh and another --out"
                    .to_owned(),
            ),
        }
    }

    fn request(&self, question: &ChatQuestion) -> Result<ChatAnswer, LmError> {
        // A stumble in the settings is mended and asked again, once for each setting.
        for _ in 0..4 {
            let manner = *locked(&self.manner);
            let body = self.body(question, manner)?;
            let read = |text: &str| -> ReadAnswer {
                match &self.spec {
                    ChatSpec::OpenAi { .. } => openai::read(text, question),
                    ChatSpec::Anthropic(_) => anthropic::read(text),
                    ChatSpec::Gemini(_) => gemini::read(text, question),
                }
            };
            let error = match self.post(&body, read) {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            if is_filtered(&error) {
                return Ok(ChatAnswer::new("", Finish::Filtered));
            }
            // Whether this request can be asked otherwise: another one may have taught the service its manner meanwhile.
            let is_openai = matches!(self.spec, ChatSpec::OpenAi { .. });
            if !is_openai || manner.after(&error).is_none() {
                return Err(self.failed(error));
            }
            let mut shared = locked(&self.manner);
            *shared = shared.after(&error).unwrap_or(*shared);
        }
        Err(LmError::Other {
            message: format!(
                "{}: the server refuses every form of the request",
                self.card.name
            ),
            hint: None,
        })
    }

    fn body(&self, question: &ChatQuestion, manner: openai::Manner) -> Result<Value, LmError> {
        match &self.spec {
            ChatSpec::OpenAi { model, .. } => Ok(openai::request(model, question, manner)),
            ChatSpec::Anthropic(model) => anthropic::request(model, question),
            ChatSpec::Gemini(_) => Ok(gemini::request(question)),
        }
    }

    fn post(
        &self,
        body: &Value,
        read: impl Fn(&str) -> ReadAnswer,
    ) -> Result<ChatAnswer, HttpError> {
        match &self.door {
            Door::Servers(endpoints) => endpoints.post(body, read),
            Door::Service {
                pool,
                path,
                headers,
                ..
            } => {
                let text = body.to_string();
                let request = |base: &str| Request {
                    url: format!("{base}{path}"),
                    headers: headers.clone(),
                    body: text.clone(),
                };
                pool.post(request, read)
            }
        }
    }

    fn failed(
        &self,
        HttpError {
            url,
            status,
            message,
        }: HttpError,
    ) -> LmError {
        let variables = match self.spec {
            ChatSpec::OpenAi { .. } => "OPENAI_API_KEY",
            ChatSpec::Anthropic(_) => "ANTHROPIC_API_KEY",
            ChatSpec::Gemini(_) => "GEMINI_API_KEY",
        };
        match status {
            Some(401 | 403) => LmError::Other {
                message: format!("{url}: {message}"),
                hint: Some(format!(
                    "the key comes from {variables}; what was answered so far is kept"
                )),
            },
            _ => LmError::Server {
                problem: ServerProblem::of(status, &message),
                url,
                message,
            },
        }
    }

    /// Requests that may be under way together.
    pub fn limit(&self) -> usize {
        match &self.door {
            Door::Servers(endpoints) => endpoints.limit(),
            Door::Service { pool, .. } => pool.limit(),
        }
    }

    /// Whether options come with probabilities: the service is asked once for a letter.
    pub fn shows_probabilities(&self) -> Result<bool, LmError> {
        if matches!(self.spec, ChatSpec::Anthropic(_)) {
            return Ok(false);
        }
        if let Some(known) = self.probabilities.get() {
            return Ok(*known);
        }
        let prompt = "Answer with the letter B and nothing else.\nA. one\nB. two\nC. three";
        let question = ChatQuestion {
            options: ["A", "B", "C"].map(str::to_owned).to_vec(),
            log_probabilities: true,
            ..ChatQuestion::new(vec![Message::user(prompt)], 4)
        };
        let shown = match self.ask(&question) {
            Ok(answer) => answer
                .options
                .is_some_and(|options| options.iter().filter(|value| value.is_some()).count() >= 2),
            // A service that knows no log-probabilities says so; anything else will come up again.
            Err(LmError::Server { message, .. }) if message.to_lowercase().contains("logprob") => {
                false
            }
            Err(error) => return Err(error),
        };
        Ok(*self.probabilities.get_or_init(|| shown))
    }

    /// Does `work` for every place, as many at once as there may be requests; the results in order. After an error nothing
    /// new is begun.
    pub fn each<T: Send + Sync, E: Send>(
        &self,
        count: usize,
        work: impl Fn(usize) -> Result<T, E> + Sync,
    ) -> Result<Vec<T>, E> {
        let next = AtomicUsize::new(0);
        let failed = Mutex::new(None);
        let done: Vec<OnceLock<T>> = (0..count).map(|_| OnceLock::new()).collect();
        let take_turns = || {
            while locked(&failed).is_none() {
                let place = next.fetch_add(1, Ordering::Relaxed);
                if place >= count {
                    return;
                }
                match work(place) {
                    // Every place is taken once.
                    Ok(result) => drop(done[place].set(result)),
                    Err(error) => {
                        locked(&failed).get_or_insert(error);
                    }
                }
            }
        };
        // Waiting is not computing: one thread for each request, whatever the number of cores.
        std::thread::scope(|scope| {
            for _ in 0..self.limit().clamp(1, 64).min(count) {
                spawn_or_run(scope, take_turns);
            }
        });
        match failed.into_inner().unwrap_or_else(|b| b.into_inner()) {
            Some(error) => Err(error),
            None => Ok(done.into_iter().filter_map(OnceLock::into_inner).collect()),
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|broken| broken.into_inner())
}

/// Azure and others hold prompts back with a refusal of the request itself.
fn is_filtered(error: &HttpError) -> bool {
    let message = error.message.to_lowercase();
    error.status == Some(400)
        && (message.contains("content_filter") || message.contains("content management policy"))
}

impl System for ChatService {
    fn card(&self) -> &SystemCard {
        &self.card
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            batch_size: 4 * self.limit(),
            accepts_answers: true,
        }
    }

    fn option_probabilities(&self, _unit: &str) -> Result<bool, SystemError> {
        Ok(self.shows_probabilities()?)
    }

    fn server(&self) -> Result<Option<ServerCard>, SystemError> {
        if let Some(known) = self.server.get() {
            return Ok(known.clone());
        }
        let found = self.test()?;
        if let Some(model) = found.as_ref().and_then(|card| card.model.clone()) {
            locked(&self.served).get_or_insert(model);
        }
        Ok(self.server.get_or_init(|| found).clone())
    }

    fn check_server(&self) -> Result<(), SystemError> {
        let Some(Some(before)) = self.server.get() else {
            return Ok(());
        };
        match self.test()?.and_then(|now| before.difference(&now)) {
            Some(why) => Err(changed(&self.card.name, &why).into()),
            None => Ok(()),
        }
    }

    fn accept(&self, kept: &Answer) -> Result<(), SystemError> {
        match kept {
            Answer::Chat(kept) => Ok(self.take_over(kept)?),
            _ => Ok(()),
        }
    }

    fn answer(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, SystemError> {
        let questions = chat_questions(&self.card, batch)?;
        let answers = self.each(questions.len(), |place| {
            let answer = self.ask(questions[place]);
            answer.map_err(|error| error.about(place))
        })?;
        Ok(answers
            .into_iter()
            .map(|answer| Answer::Chat(Box::new(answer)))
            .collect())
    }
}

/// The chat questions of a batch; any other is refused.
pub fn chat_questions<'q>(
    card: &SystemCard,
    batch: &'q [Query<'_>],
) -> Result<Vec<&'q ChatQuestion>, SystemError> {
    batch
        .iter()
        .enumerate()
        .map(|(index, query)| match &query.question {
            Question::Chat(question) => Ok(&**question),
            other => {
                let error = LmError::WrongQuestion {
                    system: card.name.clone(),
                    scorer: other.scorer().name(),
                };
                Err(error.about(index))
            }
        })
        .collect()
}
