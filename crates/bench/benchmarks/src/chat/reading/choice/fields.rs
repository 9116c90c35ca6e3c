//! Fields that hold the answer and nothing else: members of JSON, elements of XML, boxes of LaTeX.

/// Names of fields that hold the answer.
const NAMES: [&str; 14] = [
    "answer",
    "final_answer",
    "finalanswer",
    "final",
    "choice",
    "selected",
    "selected_option",
    "selection",
    "option",
    "letter",
    "response",
    "result",
    "prediction",
    "verdict",
];

/// Names of fields that may say it again in words.
const AGAIN: [&str; 6] = ["text", "option_text", "label", "gender", "speaker", "value"];

/// A field, by the bytes of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Field {
    pub from: usize,
    pub to: usize,
    /// Whether it only says the answer again.
    pub again: bool,
}

/// Every field, from a byte on.
pub fn find(text: &str, start: usize) -> Vec<Field> {
    let mut found = members(text, start);
    found.extend(elements(text, start));
    found.extend(boxes(text, start));
    found.sort_unstable();
    found
}

/// Whether a field of this name only says the answer again; `None` for any other name.
fn is_again(name: &str) -> Option<bool> {
    let name = name.trim().to_lowercase().replace([' ', '-'], "_");
    let again = AGAIN.contains(&name.as_str());
    (again || NAMES.contains(&name.as_str())).then_some(again)
}

/// `"answer": "C"`, `'answer': 'C'`: strings alone, because an object or a list may hold several options.
fn members(text: &str, start: usize) -> Vec<Field> {
    let mut found = Vec::new();
    for quote in ['"', '\''] {
        let mut place = start;
        while let Some(open) = text[place..].find(quote).map(|byte| place + byte) {
            let name = open + 1;
            let Some(close) = text[name..].find(quote).map(|byte| name + byte) else {
                break;
            };
            place = close + 1;
            let rest = text[place..].trim_start();
            let Some(value) = rest.strip_prefix(':').map(str::trim_start) else {
                continue;
            };
            let Some(again) = is_again(&text[name..close]) else {
                continue;
            };
            let Some(value) = value.strip_prefix(quote) else {
                continue;
            };
            let from = text.len() - value.len();
            if let Some(to) = value.find(quote).map(|byte| from + byte) {
                if !is_switched_off(&text[to..]) {
                    found.push(Field { from, to, again });
                }
                place = to + 1;
            }
        }
    }
    found
}

/// Whether the object of a field goes on with one that is false: `{"option": "A", "selected": false}`.
fn is_switched_off(rest: &str) -> bool {
    let own = rest.split('}').next().unwrap_or(rest);
    own.split(',')
        .filter_map(|member| member.split_once(':'))
        .any(|(_, value)| value.trim() == "false")
}

/// `<answer>C</answer>`.
fn elements(text: &str, start: usize) -> Vec<Field> {
    let mut found = Vec::new();
    let mut place = start;
    while let Some(open) = text[place..].find('<').map(|byte| place + byte) {
        place = open + 1;
        let Some(end) = text[place..].find('>').map(|byte| place + byte) else {
            break;
        };
        let name = &text[place..end];
        let closing = format!("</{name}>");
        let from = end + 1;
        // An element that holds others is no answer yet.
        if let Some(again) = is_again(name)
            && let Some(to) = text[end..].find(&closing).map(|byte| end + byte)
            && !text[from..to].contains('<')
        {
            found.push(Field { from, to, again });
        }
    }
    found
}

/// The last `\boxed{…}`: earlier ones are steps.
fn boxes(text: &str, start: usize) -> Option<Field> {
    const MARK: &str = "\\boxed{";
    let from = start + text[start..].rfind(MARK)? + MARK.len();
    let mut depth = 1;
    for (byte, c) in text[from..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(Field {
                from,
                to: from + byte,
                again: false,
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn fields_hold_answers() {
        for (text, expected) in [
            ("{\"answer\": \"C\", \"reason\": \"A or B\"}", vec!["C"]),
            ("{\"reason\": \"A\", \"final answer\": \"B\"}", vec!["B"]),
            ("{'choice': 'A man'}", vec!["A man"]),
            ("{\"answer\": {\"letter\": \"B\"}}", vec!["B"]),
            ("{\"answer\": null}", vec![]),
            ("<answer>C</answer> <note>B</note>", vec!["C"]),
            ("<result><letter>B</letter></result>", vec!["B"]),
            ("\\boxed{A} so \\boxed{\\text{C}}", vec!["\\text{C}"]),
            ("\\boxed{A", vec![]),
            ("The \"answer\" is B.", vec![]),
        ] {
            let found = find(text, 0);
            let found: Vec<&str> = found.iter().map(|one| &text[one.from..one.to]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
