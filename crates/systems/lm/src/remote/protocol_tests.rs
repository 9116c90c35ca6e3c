use super::*;

fn reply(tokens: &[(&str, Option<f64>)], offsets: Option<&[usize]>) -> String {
    let values: Vec<Option<f64>> = tokens.iter().map(|(_, value)| *value).collect();
    let tokens: Vec<&str> = tokens.iter().map(|(token, _)| *token).collect();
    let mut logprobs = json!({"tokens": tokens, "token_logprobs": values});
    if let Some(offsets) = offsets {
        logprobs["text_offset"] = json!(offsets);
    }
    json!({"choices": [{"logprobs": logprobs}]}).to_string()
}

const PROMPT: &str = "\"I ran.\",";
const TEXT: &str = "\"I ran.\", he";

#[test]
fn the_words_tokens_are_summed() {
    for (tokens, offsets, expected) in [
        (
            vec![
                ("\"I", None),
                (" ran", Some(-1.0)),
                (".\",", Some(-2.0)),
                (" he", Some(-0.5)),
                (" x", Some(-9.0)),
            ],
            vec![0, 2, 6, 9, 12],
            -0.5,
        ),
        // A beginning of text that is counted, as vLLM does, and one that is not.
        (
            vec![
                ("<s>", None),
                ("\"I ran.\",", Some(-3.0)),
                (" h", Some(-0.5)),
                ("e", Some(-0.25)),
            ],
            vec![0, 3, 12, 14],
            -0.75,
        ),
        (
            vec![
                ("<s>", None),
                ("\"I ran.\",", Some(-3.0)),
                (" he", Some(-0.5)),
            ],
            vec![0, 0, 9],
            -0.5,
        ),
        // A blank before the first word.
        (
            vec![
                (" \"I", None),
                (" ran.\",", Some(-3.0)),
                (" he", Some(-0.5)),
            ],
            vec![0, 3, 10],
            -0.5,
        ),
    ] {
        let found = read_completion(&reply(&tokens, Some(&offsets)), PROMPT, TEXT);
        assert_eq!(found, Ok(expected), "{tokens:?}");
        if tokens[0].0 != " \"I" {
            assert_eq!(
                read_completion(&reply(&tokens, None), PROMPT, TEXT),
                Ok(expected)
            );
        }
    }
}

#[test]
fn answers_about_something_else_are_refused() {
    for (tokens, offsets, message) in [
        (vec![(" said", Some(-1.0))], vec![12], "does not cover"),
        (vec![(" said", Some(-1.0))], vec![9], "do not spell"),
        (vec![("\"I ran.\",", None)], vec![0], "does not cover"),
        (vec![], vec![], "does not cover"),
        (
            vec![("\"I ran.\"", None), (", he", Some(-1.0))],
            vec![0, 8],
            "does not cover",
        ),
        (
            vec![("\"I ran.\"", None), (", h", Some(-1.0)), ("e", Some(-1.0))],
            vec![0, 8, 11],
            "joins the end of the prompt",
        ),
        (
            vec![("\"I ran.\",", None), (" he", None)],
            vec![0, 9],
            "no log-probability",
        ),
    ] {
        let error = read_completion(&reply(&tokens, Some(&offsets)), PROMPT, TEXT).unwrap_err();
        assert!(error.contains(message), "{tokens:?}: {error}");
        assert!(read_completion(&reply(&tokens, None), PROMPT, TEXT).is_err());
    }
}

#[test]
fn prompt_logprobs_are_read_by_id_or_spelling_and_never_by_order() {
    let entry = |ids: &[(&str, f64, &str)]| {
        let entries = ids.iter().map(|(id, value, text)| {
            (
                (*id).to_owned(),
                json!({"logprob": value, "decoded_token": text}),
            )
        });
        Value::Object(entries.collect())
    };
    let rival = entry(&[("9", -0.1, " said"), ("7", -0.5, " he")]);
    let same = entry(&[("9", -0.1, " he"), ("7", -0.5, " he")]);
    let first = entry(&[("3", -2.0, PROMPT)]);
    for (last, ids, expected) in [
        (&rival, None, Ok(-0.5)),
        (&rival, Some(json!([3, 7])), Ok(-0.5)),
        (&same, None, Err("cannot be told")),
        (&same, Some(json!([3, 7])), Ok(-0.5)),
        (&rival, Some(json!([3, 9])), Err("do not spell")),
    ] {
        let choice = json!({"prompt_logprobs": [first, last], "prompt_token_ids": ids});
        let found = read_completion(&json!({"choices": [choice]}).to_string(), PROMPT, TEXT);
        match (found, expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected),
            (Err(found), Err(expected)) => assert!(found.contains(expected), "{found}"),
            (found, expected) => panic!("{found:?} and not {expected:?}"),
        }
    }
}

#[test]
fn what_is_no_completion_is_refused() {
    for (reply, message) in [
        ("<html>", "not a completion"),
        ("{\"choices\":[]}", "0 choices for 1 texts"),
        ("{\"choices\":[{\"text\":\"x\"}]}", "no log-probabilities"),
        (
            "{\"error\":{\"message\":\"no such model\"}}",
            "no such model",
        ),
    ] {
        let error = read_completion(reply, PROMPT, TEXT).unwrap_err();
        assert!(error.contains(message), "{reply}: {error}");
    }
}

#[test]
fn losses_are_no_log_probabilities() {
    let losses =
        json!({"choices": [{"logprobs": {"tokens": ["I", " am"], "token_logprobs": [null, 2.5]}}]});
    let error = Reply::parse(&losses.to_string(), 1).unwrap_err();
    assert!(
        error.contains("a log-probability is 2.5, above 0"),
        "{error}"
    );
    let entry = json!({"7": {"logprob": 0.5, "decoded_token": "x"}});
    let prompt = json!({"choices": [{"prompt_logprobs": [null, entry]}]});
    assert!(Reply::parse(&prompt.to_string(), 1).is_err());
    let rounded = json!({"choices": [{"logprobs": {"tokens": ["I"], "token_logprobs": [1e-7]}}]});
    assert!(Reply::parse(&rounded.to_string(), 1).is_ok());
}
