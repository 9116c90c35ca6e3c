//! `vocab.txt`: WordPiece, one piece a line (BERT, DistilBERT, ELECTRA, ConvBERT, MPNet).

use std::collections::BTreeMap;

use serde_json::json;

use super::parts::{Parts, around};
use super::special::named;
use super::{OldFiles, Plan, bad, needed};
use epicene_checkpoint::CheckpointError;

pub fn build(files: &OldFiles<'_>, plan: &Plan) -> Result<Parts, CheckpointError> {
    const FILE: &str = "vocab.txt";
    let text = String::from_utf8(needed(files, FILE)?).map_err(|_| bad(FILE, "not UTF-8"))?;
    let ids = vocabulary(&text);
    let token = |field: &str| {
        let token = named(files, &plan.marks, field);
        token.ok_or_else(|| bad(FILE, format!("no `{field}`")))
    };
    let (unknown, begin, end) = (
        token("unk_token")?,
        token("cls_token")?,
        token("sep_token")?,
    );
    let model = json!({
        "type": "WordPiece",
        "unk_token": unknown,
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": ids,
    });
    Ok(Parts {
        // Case and accents as tokenizer_config.json says, later.
        normalizer: json!({
            "type": "BertNormalizer",
            "clean_text": true,
            "handle_chinese_chars": true,
            "strip_accents": null,
            "lowercase": true,
        }),
        pre_tokenizer: json!({"type": "BertPreTokenizer"}),
        decoder: json!({"type": "WordPiece", "prefix": "##", "cleanup": true}),
        processor: around(&begin, &end),
        ..Parts::new(model, ids)
    })
}

/// Lines as Python reads them: any of its three line ends, the last of several equal lines counts.
fn vocabulary(text: &str) -> BTreeMap<String, u32> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = text.strip_suffix('\n').unwrap_or(&text);
    text.split('\n').map(str::to_owned).zip(0..).collect()
}

#[cfg(test)]
mod tests {
    use super::vocabulary;

    #[test]
    fn lines_end_as_in_python() {
        let ids = vocabulary("[PAD]\r\na\n\u{2028}b\rc\n\nd\na\n");
        let of = |token: &str| ids.get(token).copied();
        assert_eq!(of("[PAD]"), Some(0));
        assert_eq!(of("a"), Some(6));
        assert_eq!(of("\u{2028}b"), Some(2));
        assert_eq!(of("c"), Some(3));
        assert_eq!(of(""), Some(4));
        assert_eq!(of("d"), Some(5));
    }
}
