//! Plain text to Apertium's stream format and back, as `apertium-destxt` and `apertium-retxt` do
//! it: the programs themselves do not know where one sentence of a long-lived process ends.

/// Characters with a meaning in the stream.
const RESERVED: [char; 11] = ['[', ']', '{', '}', '^', '$', '/', '\\', '@', '<', '>'];

/// What is put behind every text so that its last word ends a sentence, and taken off again.
const END: &str = ".[]";

/// A text as the first program of a pipeline reads it.
pub fn deformatted(text: &str) -> String {
    let mut stream = String::with_capacity(text.len() + 8);
    let mut blanks = String::new();
    for c in text.chars().filter(|c| *c != '\0') {
        if c.is_whitespace() {
            blanks.push(c);
            continue;
        }
        push_blanks(&mut stream, &mut blanks);
        if RESERVED.contains(&c) {
            stream.push('\\');
        }
        stream.push(c);
    }
    push_blanks(&mut stream, &mut blanks);
    stream + END
}

/// A single blank is itself; anything else that is white goes through untouched in brackets.
fn push_blanks(stream: &mut String, blanks: &mut String) {
    match blanks.as_str() {
        "" => {}
        " " => stream.push(' '),
        other => {
            stream.push('[');
            stream.push_str(other);
            stream.push(']');
        }
    }
    blanks.clear();
}

/// The text in what the last program wrote for one sentence.
pub fn reformatted(stream: &str) -> String {
    let stream = stream.strip_suffix(END).unwrap_or(stream);
    let mut text = String::with_capacity(stream.len());
    let mut characters = stream.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' => text.extend(characters.next()),
            '[' | ']' => {}
            other => text.push(other),
        }
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_programs_of_apertium_do_it() {
        for (text, stream) in [
            ("I am a nurse.", "I am a nurse..[]"),
            (
                "3/4 [x] {y} <b> a^b $5 a\\b a@b",
                "3\\/4 \\[x\\] \\{y\\} \\<b\\> a\\^b \\$5 a\\\\b a\\@b.[]",
            ),
            (
                "two  blanks\tand\na line",
                "two[  ]blanks[\t]and[\n]a line.[]",
            ),
        ] {
            assert_eq!(deformatted(text), stream);
            assert_eq!(reformatted(stream), text);
        }
        assert_eq!(deformatted("a\0b"), "ab.[]");
        assert_eq!(reformatted(" Soy un enfermero ..[]"), "Soy un enfermero .");
    }
}
