//! What a model thinks aloud before its answer is cut off first: it names options it does not mean.

/// Pairs of marks around thoughts, as models of several makers write them.
const MARKS: [(&str, &str); 6] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    (
        "<|channel|>analysis<|message|>",
        "<|channel|>final<|message|>",
    ),
];

/// The part of an answer behind its thoughts, with the byte where it begins. Empty where the thoughts never end.
pub fn spoken(text: &str) -> (usize, &str) {
    let mut start = 0;
    for (open, close) in MARKS {
        // Some templates put the opening mark into the prompt, so that only the closing one is seen.
        if let Some(end) = text.rfind(close) {
            start = start.max(end + close.len());
        }
        if text[start..].trim_start().starts_with(open) {
            start = text.len();
        }
    }
    (start, &text[start..])
}

#[cfg(test)]
mod tests {
    use super::spoken;

    #[test]
    fn thoughts_are_cut() {
        for (text, expected) in [
            ("B", "B"),
            ("<think>A or B?</think>B", "B"),
            ("A or B?\n</think>\n\nB", "\n\nB"),
            ("<think>A or", ""),
            (" <think>\n\n</think>\n\nC", "\n\nC"),
            ("<think>one</think>no<think>two</think>B", "B"),
            ("<reasoning>A</reasoning> C", " C"),
            (
                "<|channel|>analysis<|message|>hm A<|end|><|channel|>final<|message|>B",
                "B",
            ),
            ("I <think> that B", "I <think> that B"),
        ] {
            let (start, said) = spoken(text);
            assert_eq!(said, expected, "{text}");
            assert_eq!(&text[start..], expected);
        }
    }
}
