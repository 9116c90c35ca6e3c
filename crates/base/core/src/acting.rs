//! Characters that do something instead of being shown.

/// Whether a character acts on a terminal, or reorders what stands around it: control characters and those that set the
/// direction of writing.
pub fn acts(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
