//! What a model thinks aloud before its answer is cut off first: it names options it does not mean.

/// Pairs of marks around thoughts, as models of several makers write them.
const MARKS: [(&str, &str); 12] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<thoughts>", "</thoughts>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    (
        "<|channel|>analysis<|message|>",
        "<|channel|>final<|message|>",
    ),
];

/// The bytes of an answer that are not thoughts: from behind the last that end, up to the first that do not end. Empty
/// where there is nothing else.
pub fn spoken(text: &str) -> (usize, usize) {
    let (mut start, mut end) = (0, text.len());
    for (_, close) in MARKS {
        // Some templates put the opening mark into the prompt, so that only the closing one is seen.
        if let Some(place) = text.rfind(close) {
            start = start.max(place + close.len());
        }
    }
    for (open, _) in MARKS {
        if let Some(place) = text[start..].find(open) {
            end = end.min(start + place);
        }
    }
    (start, end)
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
            ("Sure. <think>The answer is B", "Sure. "),
            (" <think>\n\n</think>\n\nC", "\n\nC"),
            ("<think>one</think>no<think>two</think>B", "B"),
            ("<reasoning>A</reasoning> C", " C"),
            ("[THINK]A[/THINK]C", "C"),
            (
                "<|channel|>analysis<|message|>hm A<|end|><|channel|>final<|message|>B",
                "B",
            ),
        ] {
            let (start, end) = spoken(text);
            assert_eq!(&text[start..end], expected, "{text}");
        }
    }
}
