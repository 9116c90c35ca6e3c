//! The two texts of a row (specification, section 2): gendered sentences as they are, neutral ones in a frame.

use super::scaffolds::Frame;
use crate::python;

/// A neutral sentence without white space and punctuation at its ends. White space inside the punctuation stays, as the
/// authors leave it.
pub fn bare(sentence: &str) -> &str {
    let edge = |c: char| !python::is_word(c) && !python::is_space(c);
    python::strip(sentence).trim_matches(edge)
}

/// The sentence, said by somebody.
pub fn framed(sentence: &str, frame: &Frame, words: &str) -> String {
    format!("{}{}{} {words}", frame.open, bare(sentence), frame.close)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_outer_punctuation_goes() {
        assert_eq!(bare(" «A», b. "), "A», b");
        assert_eq!(bare("J'ai compté chaque pas !"), "J'ai compté chaque pas ");
        assert_eq!(
            bare("“We talk for hours,” I answer."),
            "We talk for hours,” I answer"
        );
        assert_eq!(bare("…"), "");
    }
}
