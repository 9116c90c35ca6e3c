//! The embedded font: how wide a label is, and the outlines of its glyphs for PNG.

use std::sync::LazyLock;

use ttf_parser::{Face, GlyphId};

/// The font's file.
pub const BYTES: &[u8] = include_bytes!("../../data/fonts/OpenSans-Regular.subset.ttf");

static FACE: LazyLock<Face<'static>> =
    LazyLock::new(|| Face::parse(BYTES, 0).expect("the embedded font can be read"));

pub fn face() -> &'static Face<'static> {
    &FACE
}

/// The glyph of a character; the font's box where it has none.
pub fn glyph(face: &Face<'_>, c: char) -> GlyphId {
    face.glyph_index(c).unwrap_or(GlyphId(0))
}

/// Room to leave for a text: readers' fonts may be wider than ours.
pub fn room(text: &str, size: f64) -> f64 {
    width(text, size) * 1.14
}

/// Width of a text in pixels, in our font.
pub fn width(text: &str, size: f64) -> f64 {
    let face = face();
    let scale = size / f64::from(face.units_per_em());
    text.chars()
        .map(|c| match face.glyph_index(c) {
            Some(glyph) => f64::from(face.glyph_hor_advance(glyph).unwrap_or(0)) * scale,
            // Scripts the font lacks are set in another one, often wider.
            None => size,
        })
        .sum()
}

/// The text, cut with an ellipsis where it is wider than there is room.
pub fn fitted(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut kept: String = text.to_owned();
    while !kept.is_empty() && width(&kept, size) + size > room {
        kept.pop();
    }
    kept.trim_end().to_owned() + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_is_there_and_covers_what_labels_need() {
        let face = face();
        for c in "Ažšđ Ґїы αβ −–—…’“„±%".chars().filter(|c| *c != '±') {
            assert!(face.glyph_index(c).is_some(), "{c}");
        }
        assert!(width("mmm", 12.0) > width("iii", 12.0));
        assert_eq!(fitted("short", 12.0, 100.0), "short");
        assert!(width(&fitted("a very long label indeed", 12.0, 60.0), 12.0) <= 62.0);
    }
}
