//! An answer depends on the question alone: not on the batch, the order or the number of threads.

use crate::support;
use crate::support::{golden, model, model_with, query, ratio, text};
use epicene_core::{Answer, ErrorKind, LikelihoodMethod, ModelKind, Query, Question};
use epicene_engine::{EngineOptions, System, Wanted};

fn queries(name: &str) -> Vec<Query<'static>> {
    let golden = golden(name);
    let entries = |key: &str| golden[key].as_array().cloned().unwrap_or_default();
    let masked = entries("masked").into_iter().chain(entries("pairs"));
    let masked = masked.map(|entry| Question::MaskedPair {
        masculine: text(&entry["masculine"]).to_owned(),
        feminine: text(&entry["feminine"]).to_owned(),
        one_token: false,
    });
    let causal = entries("causal");
    let causal = causal.into_iter().map(|entry| Question::NextWord {
        prompt: text(&entry["prompt"]).to_owned(),
        masculine: text(&entry["masculine"]).to_owned(),
        feminine: text(&entry["feminine"]).to_owned(),
    });
    masked.chain(causal).map(query).collect()
}

#[test]
fn a_batch_gives_what_single_questions_give_bit_for_bit() {
    for name in support::checkpoints() {
        let queries = queries(&name);
        if queries.is_empty() || !model(&name).has_head() {
            continue;
        }
        let alone = model(&name);
        let singles: Vec<f64> = queries
            .iter()
            .map(|query| ratio(&alone.answer(std::slice::from_ref(query)).unwrap()[0]))
            .collect();
        let mut backwards = queries.clone();
        backwards.reverse();
        for (threads, batch_tokens) in [(1, 10_000), (2, 64), (3, 1)] {
            let options = EngineOptions {
                threads,
                batch_tokens,
                ..EngineOptions::default()
            };
            let model = model_with(&name, options);
            let together = model.answer(&queries).unwrap();
            let reversed = model.answer(&backwards).unwrap();
            for (i, single) in singles.iter().enumerate() {
                assert_eq!(ratio(&together[i]), *single, "{name} {options:?}");
                assert_eq!(ratio(&reversed[singles.len() - 1 - i]), *single, "{name}");
            }
        }
    }
}

/// Every way of asking about whole sentences, sentences that come again among them.
fn sentence_queries() -> Vec<Query<'static>> {
    let texts = [
        "I cried.",
        "The man said that I like quiet evenings at home.",
        "The woman said that I like quiet evenings at home.",
        "I cried.",
        "",
    ];
    let mut queries = Vec::new();
    for method in LikelihoodMethod::ALL {
        for pair in texts.windows(2) {
            queries.push(query(Question::Likelihood {
                texts: pair.iter().map(|text| (*text).to_owned()).collect(),
                method,
            }));
        }
    }
    for method in [LikelihoodMethod::Aula, LikelihoodMethod::Aul] {
        queries.extend(texts.map(|text| {
            query(Question::Embedded {
                text: text.to_owned(),
                method,
            })
        }));
    }
    queries.push(query(Question::FilledBlank {
        context: "I am BLANK at home.".to_owned(),
        words: ["happy", "extraordinary", "quiet"]
            .map(str::to_owned)
            .to_vec(),
    }));
    queries
}

#[test]
fn sentences_in_a_batch_are_sentences_alone_bit_for_bit() {
    let queries = sentence_queries();
    let mut checked = 0;
    for name in support::checkpoints() {
        let alone = model(&name);
        if alone.card().kind != ModelKind::Masked || !alone.has_head() {
            continue;
        }
        let singles: Vec<Answer> = queries
            .iter()
            .map(|query| alone.answer(std::slice::from_ref(query)).unwrap().remove(0))
            .collect();
        for (threads, batch_tokens) in [(1, 10_000), (2, 64), (3, 1)] {
            let options = EngineOptions {
                threads,
                batch_tokens,
                ..EngineOptions::default()
            };
            let model = model_with(&name, options);
            assert_eq!(
                model.answer(&queries).unwrap(),
                singles,
                "{name} {options:?}"
            );
            let mut backwards = queries.clone();
            backwards.reverse();
            let mut reversed = model.answer(&backwards).unwrap();
            reversed.reverse();
            assert_eq!(reversed, singles, "{name} {options:?}");
        }
        checked += 1;
    }
    assert!(checked >= 10, "{checked}");
}

/// Questions of every kind in turn, as lines of a stream may come.
#[test]
fn a_mixed_batch_gives_what_single_questions_give_bit_for_bit() {
    let text_pair = |whole| {
        query(Question::TextPair {
            masculine: "He likes quiet evenings at home.".to_owned(),
            feminine: "She likes quiet evenings at home.".to_owned(),
            whole,
        })
    };
    let (mut masked, mut causal) = (0, 0);
    for name in support::checkpoints() {
        let model = model(&name);
        let of_words = queries(&name);
        let others = match model.card().kind {
            _ if of_words.is_empty() || !model.has_head() => continue,
            ModelKind::Masked => {
                masked += 1;
                sentence_queries()
            }
            ModelKind::Causal => {
                causal += 1;
                vec![text_pair(true), text_pair(false)]
            }
            _ => continue,
        };
        let mixed = of_words.iter().cycle().zip(&others);
        let mixed: Vec<Query<'_>> = mixed
            .flat_map(|(one, other)| [one.clone(), other.clone()])
            .collect();
        let alone = |query: &Query<'_>| {
            let answers = model.answer(std::slice::from_ref(query));
            answers.unwrap().remove(0)
        };
        let singles: Vec<Answer> = mixed.iter().map(alone).collect();
        assert_eq!(model.answer(&mixed).unwrap(), singles, "{name}");
    }
    assert!(masked >= 10 && causal >= 10, "{masked} {causal}");
}

#[test]
fn attention_received_sums_to_one() {
    let wanted = Wanted {
        attention: true,
        hidden: true,
        log_probabilities: true,
    };
    let model = model("bert");
    for reading in model
        .look(&["I cried.", "I like quiet evenings at home."], wanted)
        .unwrap()
    {
        assert!((reading.attention.iter().sum::<f64>() - 1.0).abs() < 1e-5);
        assert_eq!(reading.hidden.rows, reading.ids.len());
        assert!(reading.log_probabilities.iter().all(|value| *value < 0.0));
    }
}

#[test]
fn an_error_names_its_question_in_a_mixed_batch() {
    let split = query(Question::NextWord {
        prompt: "\"I cried.\",".to_owned(),
        masculine: "grandfather".to_owned(),
        feminine: "she".to_owned(),
    });
    let empty = query(Question::TextPair {
        masculine: String::new(),
        feminine: "She cried.".to_owned(),
        whole: false,
    });
    let pair = query(Question::TextPair {
        masculine: "He cried.".to_owned(),
        feminine: "She cried.".to_owned(),
        whole: false,
    });
    let good = queries("gpt2").remove(0);
    let foreign = queries("bert").remove(0);
    let gpt2 = model("gpt2");
    for (bad, kind) in [
        (split, ErrorKind::Unanswerable),
        (empty, ErrorKind::Unanswerable),
        (foreign, ErrorKind::WrongQuestion),
    ] {
        for place in 0..=4 {
            let mut batch = vec![good.clone(), pair.clone(), good.clone(), pair.clone()];
            batch.insert(place, bad.clone());
            let error = gpt2.answer(&batch).unwrap_err();
            assert_eq!((error.kind, error.question), (kind, Some(place)), "{error}");
        }
    }
    let three = query(Question::Likelihood {
        texts: vec!["He cried.".to_owned(); 3],
        method: LikelihoodMethod::Cps,
    });
    let [first, second] = [0, 1].map(|place| queries("bert").remove(place));
    let error = model("bert").answer(&[first, three, second]).unwrap_err();
    assert_eq!(error.question, Some(1), "{error}");
}

#[test]
fn questions_of_the_other_kind_are_refused() {
    let masked = queries("bert");
    let causal = queries("gpt2");
    assert!(model("bert").answer(&causal[..1]).is_err());
    assert!(model("gpt2").answer(&masked[..1]).is_err());
    assert!(model("bert").log_likelihoods(&["I cried."]).is_err());
}
