//! Readers of the sets: BBQ and MBBQ (a JSON object a line), EsBBQ and CaBBQ (CSV), KoBBQ (tab-separated). Rows that cannot be
//! what they claim are refused with their id and the reason (specification `bbq`, section 8).

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{InputError, Item, Language, TextFile};
use serde::Deserialize;

use super::question_row::{Group, QuestionRow, Set, stereotyped};
use super::{mbbq_prompts, wordings};
use crate::Options;
use crate::csv_input::{CsvInput, Ids};

/// KoBBQ's unknown option in the data; prompts replace it.
pub const KOREAN_UNKNOWN: &str = "알 수 없음";
/// What EsBBQ and CaBBQ write for nine expressions.
pub const PLACEHOLDER: &str = "unknown";
const LANGUAGES: [&str; 6] = ["en", "es", "ca", "ko", "nl", "tr"];

pub fn languages() -> Vec<Language> {
    let find = |code: &&str| Language::find(code).expect("the registry has BBQ's languages");
    LANGUAGES.iter().map(find).collect()
}

/// The set and the language of a file by its path; `None` of other files.
fn known(path: &str) -> Option<(Set, Option<&'static str>)> {
    let lower = path.to_lowercase().replace('\\', "/");
    let packed = [".gz", ".zst", ".xz"];
    let lower = packed
        .iter()
        .find_map(|end| lower.strip_suffix(end))
        .unwrap_or(&lower);
    let (folder, name) = lower.rsplit_once('/').unwrap_or(("", lower));
    let code = |text: &str| LANGUAGES.into_iter().find(|code| *code == text);
    if let Some(stem) = name.strip_suffix(".jsonl") {
        let rest = stem.strip_prefix("gender_identity")?;
        let control = rest.strip_prefix("_control");
        let rest = control.unwrap_or(rest);
        let language = rest.strip_prefix(['_', '.']).map(code);
        let set = match (control, language) {
            (Some(_), _) => Set::MbbqControl,
            (None, None) => Set::Bbq,
            (None, Some(_)) if rest.starts_with('_') || folder.contains("mbbq") => Set::Mbbq,
            (None, Some(Some("en"))) => Set::Bbq,
            (None, Some(_)) => Set::Mbbq,
        };
        return match language {
            Some(None) => None,
            Some(found) => Some((set, found)),
            None => Some((set, Some("en"))),
        };
    }
    if name == "kobbq_test_samples.tsv" || name == "gender_identity.test.tsv" {
        return Some((Set::KoBbq, Some("ko")));
    }
    let stem = name.strip_suffix(".csv")?.strip_prefix("gender.")?;
    match stem {
        "full" if folder.ends_with("data_es") => Some((Set::EsBbq, Some("es"))),
        "full" if folder.ends_with("data_ca") => Some((Set::EsBbq, Some("ca"))),
        "full" => Some((Set::EsBbq, None)),
        "es" | "ca" => Some((Set::EsBbq, code(stem))),
        _ => None,
    }
}

/// The files of the wanted languages in a folder: a clone of one of the repositories, or several beside each other.
pub fn choose_files(present: &[String], options: &Options) -> Vec<String> {
    let wanted = |language: Option<&str>| {
        let mut languages = options.languages.iter();
        language.is_none_or(|code| {
            options.languages.is_empty() || languages.any(|language| language.code() == code)
        })
    };
    let prompts = !mbbq_prompts::asked(options).is_empty();
    let keep = |name: &&String| {
        known(name).is_some_and(|(_, language)| wanted(language))
            || prompts && name.ends_with(mbbq_prompts::FILE)
    };
    let chosen: Vec<String> = present.iter().filter(keep).cloned().collect();
    if chosen.is_empty() {
        // The reader of the folder says what is missing.
        vec!["Gender_identity.jsonl".to_owned()]
    } else {
        chosen
    }
}

/// The items of all files, in their order.
pub fn items(files: &[TextFile], options: &Options) -> Result<Vec<Item>, InputError> {
    let mut items = Vec::new();
    let mut parts: BTreeMap<String, &str> = BTreeMap::new();
    let is_code = |file: &&TextFile| file.path.ends_with(mbbq_prompts::FILE);
    let (code, files): (Vec<&TextFile>, Vec<&TextFile>) = files.iter().partition(is_code);
    let asked = mbbq_prompts::asked(options);
    for file in files.iter().copied() {
        let rows = read(file)?;
        let part = rows[0].part();
        if let Some(before) = parts.insert(part.clone(), &file.path) {
            let message = format!("{part} is in {before} as well");
            return Err(InputError::new(&file.path, message).with_hint("give one file of each set"));
        }
        let language = rows[0].language.clone();
        let own = |known: &Language| known.code() == language;
        if !options.languages.is_empty() && !options.languages.iter().any(own) {
            continue;
        }
        wordings::check(rows[0].set, options)
            .map_err(|message| InputError::new(&file.path, message))?;
        let prompts = match asked[..] {
            [] => Vec::new(),
            _ => mbbq_prompts::of_language(&code, &language, &file.path)?,
        };
        items.extend(rows.iter().map(|row| {
            let prompts = asked.iter().map(|(name, index)| (name, &prompts[*index]));
            prompts.fold(row.item(), |item, (name, text)| item.with_label(name, text))
        }));
    }
    if items.is_empty() {
        let path = files.first().map_or("", |file| file.path.as_str());
        return Err(InputError::new(path, "there is no row in these languages"));
    }
    Ok(items)
}

/// The rows of one file, whichever set it is.
pub fn read(file: &TextFile) -> Result<Vec<QuestionRow>, InputError> {
    let text = file.text.trim_start_matches('\u{feff}');
    let header = text.lines().next().unwrap_or_default();
    let mut rows = if text.trim_start().starts_with('{') {
        read_lines(file)?
    } else if header.contains("instance_id") {
        read_es(file)?
    } else if header.contains("sample_id") {
        read_ko(file)?
    } else {
        return Err(InputError::new(&file.path, "this is none of the files of BBQ").with_hint(
            "give Gender_identity.jsonl of BBQ or MBBQ, Gender.full.csv of EsBBQ or CaBBQ, or KoBBQ_test_samples.tsv",
        ));
    };
    if rows.is_empty() {
        return Err(InputError::new(&file.path, "there is no row about gender"));
    }
    mark_one_sided(&mut rows);
    Ok(rows)
}

/// Marks templates whose disambiguated rows all go with the stereotype or all against it: no difference can be taken there.
fn mark_one_sided(rows: &mut [QuestionRow]) {
    let mut sides: BTreeMap<String, BTreeSet<bool>> = BTreeMap::new();
    for row in rows.iter() {
        if let Some(stereotyped) = row.by_text.filter(|_| !row.ambiguous) {
            let side = sides.entry(row.template.clone()).or_default();
            side.insert(stereotyped == row.label);
        }
    }
    for row in rows.iter_mut() {
        row.one_sided = sides
            .get(&row.template)
            .is_some_and(|sides| sides.len() < 2);
    }
}

/// What every set has, before it is looked at.
struct Draft {
    set: Set,
    language: String,
    id: String,
    template: String,
    polarity: String,
    condition: String,
    context: String,
    question: String,
    options: [String; 3],
    words: [String; 3],
    tags: [String; 3],
    groups: Vec<String>,
    label: i64,
}

impl Draft {
    /// The row, or why it is none.
    fn finish(self, target: Option<Group>) -> Result<QuestionRow, String> {
        let refuse = |why: String| Err(format!("row {}: {why}", self.id));
        let negative = match self.polarity.as_str() {
            "neg" => true,
            "nonneg" => false,
            other => {
                return refuse(format!("the polarity is `{other}`, expected neg or nonneg"));
            }
        };
        let ambiguous = match self.condition.as_str() {
            "ambig" => true,
            "disambig" => false,
            other => {
                return refuse(format!(
                    "the condition is `{other}`, expected ambig or disambig"
                ));
            }
        };
        if self.context.trim().is_empty() || self.question.trim().is_empty() {
            return refuse("the context or the question is empty".to_owned());
        }
        let mut kinds = [Group::Unknown; 3];
        for (kind, tag) in kinds.iter_mut().zip(&self.tags) {
            match Group::of_tag(tag).filter(|_| is_of(self.set, &self.language, tag)) {
                Some(known) => *kind = known,
                None => {
                    return refuse(format!(
                        "the tag `{tag}` is in no table of {}",
                        self.language
                    ));
                }
            }
        }
        let unknown: Vec<usize> = (0..3)
            .filter(|place| kinds[*place] == Group::Unknown)
            .collect();
        let [unknown] = unknown[..] else {
            return refuse(format!(
                "{} of the options mean unknown, expected exactly one",
                unknown.len()
            ));
        };
        let same = |a: usize, b: usize| self.options[a].trim() == self.options[b].trim();
        if same(0, 1) || same(0, 2) || same(1, 2) {
            return refuse("two options are equal".to_owned());
        }
        let label = match usize::try_from(self.label) {
            Ok(label) if label < 3 => label,
            _ => return refuse(format!("the label is {}, expected 0, 1 or 2", self.label)),
        };
        if ambiguous != (label == unknown) {
            return refuse(format!(
                "the label of {} row is {label}, and the unknown option is {unknown}",
                if ambiguous {
                    "an ambiguous"
                } else {
                    "a disambiguated"
                }
            ));
        }
        let by = |kinds: [Group; 3]| target.and_then(|target| stereotyped(kinds, target, negative));
        let by_tags = by(kinds);
        let by_text = match self.set {
            // Both persons have one gender and arbitrary tags.
            Set::MbbqControl => None,
            _ => by(self.kinds_of_text(kinds)),
        };
        let block = match (self.set, target) {
            (Set::EsBbq, _) => "woman-man".to_owned(),
            (_, Some(Group::Trans)) => self.within("trans"),
            (_, Some(_)) => self.within("woman-man"),
            (_, None) => "other".to_owned(),
        };
        Ok(QuestionRow {
            set: self.set,
            language: self.language,
            id: self.id,
            template: self.template,
            block,
            negative,
            ambiguous,
            context: self.context,
            question: self.question,
            options: self.options,
            words: self.words,
            tags: self.tags,
            groups: self.groups,
            target,
            label,
            unknown,
            by_text,
            by_tags,
            one_sided: false,
        })
    }

    /// BBQ names persons by labels up to template 25, by first names from there on.
    fn within(&self, about: &str) -> String {
        let named = self.template.parse::<u32>().is_ok_and(|index| index > 25);
        match (self.set, named) {
            (Set::Bbq, true) => format!("{about} names"),
            (Set::Bbq, false) => format!("{about} labels"),
            _ => about.to_owned(),
        }
    }

    /// Who the options name by the text, where the tags say something else.
    fn kinds_of_text(&self, kinds: [Group; 3]) -> [Group; 3] {
        if let Some(name) = name_of_trans(&self.context) {
            // "Michael, who is trans, and Dorothy": the tag stays with the name, the words with the place.
            let kind = |place: usize| match kinds[place] {
                Group::Unknown => Group::Unknown,
                _ if self.words[place] == name => Group::Trans,
                _ => Group::NotTrans,
            };
            return [0, 1, 2].map(kind);
        }
        if self.set == Set::Mbbq && self.language == "es" {
            let kind = |place: usize| match kinds[place] {
                Group::Woman | Group::Man => {
                    let text = self.options[place].to_lowercase();
                    let mut words = text.split_whitespace();
                    let said = words.find_map(|word| match word {
                        "mujer" | "chica" => Some(Group::Woman),
                        "hombre" | "chico" => Some(Group::Man),
                        _ => None,
                    });
                    said.unwrap_or(kinds[place])
                }
                other => other,
            };
            return [0, 1, 2].map(kind);
        }
        kinds
    }
}

/// The name before ", who is trans,".
fn name_of_trans(context: &str) -> Option<&str> {
    let (before, _) = context.split_once(", who is trans,")?;
    let start = before
        .char_indices()
        .rev()
        .take_while(|(_, c)| c.is_alphanumeric() || *c == '_')
        .last()?;
    Some(&before[start.0..])
}

/// Whether a set uses a tag in a language.
fn is_of(set: Set, language: &str, tag: &str) -> bool {
    let of: &[&str] = match (set, language) {
        (Set::EsBbq, _) => return matches!(tag, "f" | "m" | "unknown"),
        (Set::KoBbq, _) => &["other"],
        (_, "nl") => &["vrouw", "meisje", "man", "jongen"],
        (_, "es") => &["mujer", "chica", "hombre", "chico"],
        (_, "tr") => &["kadın", "kız", "adam", "erkek çocuk"],
        _ => &[
            "woman",
            "girl",
            "man",
            "boy",
            "trans_F",
            "trans_M",
            "nonTrans_F",
            "nonTrans_M",
        ],
    };
    of.contains(&tag) || matches!(tag, "F" | "M" | "trans" | "nonTrans" | "unknown")
}

#[derive(Deserialize)]
struct JsonRow {
    example_id: serde_json::Value,
    question_index: String,
    question_polarity: String,
    context_condition: String,
    #[serde(default)]
    category: String,
    answer_info: Info,
    additional_metadata: Metadata,
    context: String,
    question: String,
    ans0: String,
    ans1: String,
    ans2: String,
    label: i64,
}

#[derive(Deserialize)]
struct Info {
    ans0: [String; 2],
    ans1: [String; 2],
    ans2: [String; 2],
}

#[derive(Deserialize)]
struct Metadata {
    stereotyped_groups: Vec<String>,
}

/// BBQ and MBBQ.
fn read_lines(file: &TextFile) -> Result<Vec<QuestionRow>, InputError> {
    let (set, language) = known(&file.path)
        .or_else(|| known(&file.name))
        .unwrap_or((Set::Bbq, Some("en")));
    let language = language.unwrap_or("en");
    let mut ids = Ids::default();
    let mut rows = Vec::new();
    for (number, text) in (1..).zip(file.text.trim_start_matches('\u{feff}').lines()) {
        if text.trim().is_empty() {
            continue;
        }
        let complain = |message: String| InputError::new(&file.path, message).at_line(number);
        let line: JsonRow = serde_json::from_str(text)
            .map_err(|error| complain(format!("this is no row of BBQ ({error})")))?;
        let id = match &line.example_id {
            serde_json::Value::String(id) => id.clone(),
            other => other.to_string(),
        };
        ids.take("row", &id).map_err(complain)?;
        if !line.category.is_empty() && line.category != "Gender_identity" {
            let category = line.category;
            return Err(complain(format!(
                "row {id}: the category is `{category}`, expected Gender_identity"
            )));
        }
        let groups = line.additional_metadata.stereotyped_groups;
        let target = target(&groups).ok_or_else(|| {
            complain(format!(
                "row {id}: the stereotyped groups are `{}`, expected F, M or trans",
                groups.join(", ")
            ))
        })?;
        let Info { ans0, ans1, ans2 } = line.answer_info;
        let [a, b, c] = [ans0, ans1, ans2];
        let draft = Draft {
            set,
            language: language.to_owned(),
            id,
            template: line.question_index,
            polarity: line.question_polarity,
            condition: line.context_condition,
            context: line.context,
            question: line.question,
            options: [line.ans0, line.ans1, line.ans2],
            words: [a[0].clone(), b[0].clone(), c[0].clone()],
            tags: [a[1].clone(), b[1].clone(), c[1].clone()],
            groups,
            label: line.label,
        };
        rows.push(draft.finish(Some(target)).map_err(complain)?);
    }
    Ok(rows)
}

/// Trans where it is among the groups, else the only one.
fn target(groups: &[String]) -> Option<Group> {
    if groups.iter().any(|group| group == "trans") {
        return Some(Group::Trans);
    }
    match groups {
        [one] => Group::of_tag(one).filter(|group| matches!(group, Group::Woman | Group::Man)),
        _ => None,
    }
}

/// EsBBQ and CaBBQ: the first option is always of the target group.
fn read_es(file: &TextFile) -> Result<Vec<QuestionRow>, InputError> {
    let named = known(&file.path).and_then(|(_, language)| language);
    let language = named.unwrap_or(if file.text.contains('¿') { "es" } else { "ca" });
    let mut input = CsvInput::new(file, b',');
    let columns = input.columns([
        "instance_id",
        "template_id",
        "question_polarity",
        "context_condition",
        "stereotyped_groups",
        "answer_info.ans0",
        "answer_info.ans1",
        "answer_info.ans2",
        "context",
        "question",
        "ans0",
        "ans1",
        "ans2",
        "question_type",
        "label",
    ])?;
    let mut ids = Ids::default();
    let mut rows = Vec::new();
    while let Some((place, record)) = input.next()? {
        let complain = |message: String| place.complain(file, message);
        let cell = columns.map(|column| record[column].to_owned());
        let [
            id,
            template,
            polarity,
            condition,
            groups,
            info_a,
            info_b,
            info_c,
            context,
            question,
            a,
            b,
            c,
            kind,
            label,
        ] = cell;
        ids.take("row", &id).map_err(complain)?;
        let list = |text: &str| {
            literal_list(text)
                .ok_or_else(|| complain(format!("row {id}: `{text}` is no list of texts")))
        };
        let groups = list(&groups)?;
        let target = target(&groups).ok_or_else(|| {
            complain(format!(
                "row {id}: the stereotyped groups are `{}`, expected f or m",
                groups.join(", ")
            ))
        })?;
        let mut words = [String::new(), String::new(), String::new()];
        let mut tags = words.clone();
        for (place, info) in [&info_a, &info_b, &info_c].into_iter().enumerate() {
            let info = list(info)?;
            let (Some(word), Some(tag)) = (info.first(), info.last()) else {
                return Err(complain(format!("row {id}: an option has no tag")));
            };
            (words[place], tags[place]) = (word.clone(), tag.clone());
        }
        let draft = Draft {
            set: Set::EsBbq,
            language: language.to_owned(),
            id: id.clone(),
            template,
            polarity,
            condition,
            context,
            question,
            options: [a, b, c],
            words,
            tags,
            groups,
            label: label.trim().parse().unwrap_or(-1),
        };
        let row = draft.finish(Some(target)).map_err(complain)?;
        let said = match kind.trim() {
            "pro-stereo" => Some(true),
            "anti-stereo" => Some(false),
            _ => None,
        };
        let aligned = row.is_aligned(super::question_row::Targets::Published);
        if !row.ambiguous && said != aligned {
            return Err(complain(format!(
                "row {id}: the question type is `{kind}`, which the label contradicts"
            )));
        }
        rows.push(row);
    }
    Ok(rows)
}

/// KoBBQ's rows about gender. `sample_id` says template, condition and polarity.
fn read_ko(file: &TextFile) -> Result<Vec<QuestionRow>, InputError> {
    let mut input = CsvInput::new(file, b'\t');
    let columns = input.columns([
        "sample_id",
        "context",
        "question",
        "choices",
        "biased_answer",
        "answer",
    ])?;
    let mut ids = Ids::default();
    let mut rows = Vec::new();
    while let Some((place, record)) = input.next()? {
        let complain = |message: String| place.complain(file, message);
        let [id, context, question, choices, biased, answer] =
            columns.map(|column| record[column].to_owned());
        let parts: Vec<&str> = id.split('-').collect();
        let [category, template, _, condition, polarity] = parts[..] else {
            return Err(complain(format!(
                "row {id}: the id is not category-template-sample-condition-question"
            )));
        };
        if category != "gender_identity" {
            continue;
        }
        ids.take("row", &id).map_err(complain)?;
        let refuse = |why: String| complain(format!("row {id}: {why}"));
        let options = literal_list(&choices)
            .and_then(|list| <[String; 3]>::try_from(list).ok())
            .ok_or_else(|| refuse(format!("`{choices}` is no list of three texts")))?;
        let find = |text: &str, what: &str| {
            let mut places = options.iter();
            places
                .position(|option| option == text)
                .ok_or_else(|| refuse(format!("the {what} `{text}` is none of the options")))
        };
        let (stereotyped, label) = (find(&biased, "biased answer")?, find(&answer, "answer")?);
        let (template, letter) = template.split_at(template.len().saturating_sub(1));
        let tags = options
            .each_ref()
            .map(|option| korean_tag(option).to_owned());
        let draft = Draft {
            set: Set::KoBbq,
            language: "ko".to_owned(),
            id: id.clone(),
            template: template.to_owned(),
            polarity: match polarity {
                "bsd" => "neg".to_owned(),
                "cnt" => "nonneg".to_owned(),
                other => other.to_owned(),
            },
            condition: match condition {
                "amb" => "ambig".to_owned(),
                "dis" => "disambig".to_owned(),
                other => other.to_owned(),
            },
            context,
            question,
            words: options.clone(),
            options,
            tags,
            groups: Vec::new(),
            label: label as i64,
        };
        let negative = polarity == "bsd";
        let mut row = draft.finish(None).map_err(complain)?;
        if stereotyped == row.unknown {
            return Err(refuse("the biased answer is the unknown option".to_owned()));
        }
        // Letters b and d: the context goes with the stereotype.
        let with = matches!(letter, "b" | "d");
        if !row.ambiguous && (label == stereotyped) != with {
            return Err(refuse(format!(
                "the letter `{letter}` of the template contradicts answer and biased answer"
            )));
        }
        (row.by_text, row.by_tags) = (Some(stereotyped), Some(stereotyped));
        let person = if negative {
            stereotyped
        } else {
            row.other(stereotyped)
        };
        row.target = Some(row.kinds()[person])
            .filter(|group| matches!(group, Group::Woman | Group::Man | Group::Trans));
        row.block = match row.target {
            Some(Group::Trans) => "trans".to_owned(),
            Some(_) => "woman-man".to_owned(),
            None => "other".to_owned(),
        };
        rows.push(row);
    }
    Ok(rows)
}

/// The group of a Korean option by its whole text. 남자 is in 남자아이, 여성 in 트랜스젠더 여성: never by a part.
fn korean_tag(option: &str) -> &'static str {
    match option {
        KOREAN_UNKNOWN => "unknown",
        "여자" | "여성" | "여자아이" | "여자 선생님" => "F",
        "트랜스젠더 여성" | "트랜스젠더 남성" => "trans",
        "시스젠더 여성" | "시스젠더 남성" | "시스젠더 동료" => "nonTrans",
        "남자" | "남성" | "남자아이" | "남자 선생님" => "M",
        // Told apart by the biased answer alone.
        _ => "other",
    }
}

/// A Python list of texts: `['mujer', "l'home"]`.
fn literal_list(text: &str) -> Option<Vec<String>> {
    let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    let mut characters = inner.chars().peekable();
    let mut list = Vec::new();
    loop {
        while characters.next_if(|c| c.is_whitespace()).is_some() {}
        let Some(quote) = characters.next() else {
            return Some(list);
        };
        if quote != '\'' && quote != '"' {
            return None;
        }
        let mut one = String::new();
        loop {
            match characters.next()? {
                '\\' => one.push(match characters.next()? {
                    'n' => '\n',
                    't' => '\t',
                    other => other,
                }),
                c if c == quote => break,
                c => one.push(c),
            }
        }
        list.push(one);
        while characters.next_if(|c| c.is_whitespace()).is_some() {}
        match characters.next() {
            None => return Some(list),
            Some(',') => {}
            Some(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_names() {
        for (path, found) in [
            ("Gender_identity.jsonl", Some((Set::Bbq, Some("en")))),
            (
                "x/gender_identity.en.jsonl.xz",
                Some((Set::Bbq, Some("en"))),
            ),
            (
                "MBBQ/data/Gender_identity_en.jsonl",
                Some((Set::Mbbq, Some("en"))),
            ),
            (
                "mbbq/gender_identity.en.jsonl",
                Some((Set::Mbbq, Some("en"))),
            ),
            ("Gender_identity_nl.jsonl", Some((Set::Mbbq, Some("nl")))),
            (
                "Gender_identity_control_tr.jsonl",
                Some((Set::MbbqControl, Some("tr"))),
            ),
            ("data_ca/Gender.full.csv", Some((Set::EsBbq, Some("ca")))),
            ("KoBBQ_test_samples.tsv", Some((Set::KoBbq, Some("ko")))),
            ("Age.jsonl", None),
            ("Gender_identity_xx.jsonl", None),
        ] {
            assert_eq!(known(path), found, "{path}");
        }
    }

    #[test]
    fn lists_of_python_are_read() {
        let list = |text: &str| literal_list(text);
        assert_eq!(list("[]"), Some(Vec::new()));
        let two = vec!["mujer".to_owned(), "l'home".to_owned()];
        assert_eq!(list("['mujer', \"l'home\"]"), Some(two));
        assert_eq!(list(r"['l\'home']"), Some(vec!["l'home".to_owned()]));
        for bad in ["mujer", "['a' 'b']", "['a", "[a]"] {
            assert_eq!(list(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_name_before_the_words_is_the_trans_person() {
        let context = "I met Michael, who is trans, and Dorothy.";
        assert_eq!(name_of_trans(context), Some("Michael"));
        assert_eq!(name_of_trans("I met Dorothy."), None);
    }
}
