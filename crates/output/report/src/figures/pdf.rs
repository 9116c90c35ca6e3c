//! A scene as PDF, in vectors, on the width of a paper's text: what LaTeX includes. Text is text (it can be searched and
//! copied), set in the embedded font, so that a reader without fonts sees the same page.

use std::collections::BTreeMap;

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str};
use ttf_parser::Face;

use super::font;
use super::scene::{Anchor, Ink, Mark, Pixel, Scene, Shape};
use super::symbol::Symbol;

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
const FONT: Ref = Ref::new(5);
const CID_FONT: Ref = Ref::new(6);
const DESCRIPTOR: Ref = Ref::new(7);
const FONT_FILE: Ref = Ref::new(8);
const CMAP: Ref = Ref::new(9);
const FONT_NAME: Name<'static> = Name(b"EPICEN+OpenSans-Regular");
const SYSTEM: SystemInfo<'static> = SystemInfo {
    registry: Str(b"Adobe"),
    ordering: Str(b"Identity"),
    supplement: 0,
};
/// How far the control points of a quarter of a circle are from its ends.
const ROUND: f64 = 0.552_284_75;

/// The scene on a page of its own, so many points wide.
pub fn paint(scene: &Scene, width: f64) -> Vec<u8> {
    let scale = width / scene.width;
    let mut painter = Painter {
        content: Content::new(),
        scale,
        height: scene.height * scale,
        glyphs: BTreeMap::new(),
    };
    for mark in &scene.marks {
        painter.mark(mark);
    }
    let Painter {
        content,
        height,
        glyphs,
        ..
    } = painter;
    let mut pdf = Pdf::new();
    pdf.catalog(CATALOG).pages(PAGES);
    pdf.pages(PAGES).kids([PAGE]).count(1);
    let mut page = pdf.page(PAGE);
    page.media_box(Rect::new(0.0, 0.0, width as f32, height as f32));
    page.parent(PAGES);
    page.contents(CONTENT);
    page.resources().fonts().pair(Name(b"F"), FONT);
    page.finish();
    pdf.stream(CONTENT, &content.finish());
    embed(&mut pdf, font::face(), &glyphs);
    pdf.finish()
}

/// The font with what its glyphs mean.
fn embed(pdf: &mut Pdf, face: &Face<'static>, glyphs: &BTreeMap<u16, char>) {
    let to_thousand = |value: i16| f32::from(value) * 1000.0 / f32::from(face.units_per_em());
    pdf.type0_font(FONT)
        .base_font(FONT_NAME)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(CID_FONT)
        .to_unicode(CMAP);
    let mut cid = pdf.cid_font(CID_FONT);
    cid.subtype(CidFontType::Type2)
        .base_font(FONT_NAME)
        .system_info(SYSTEM)
        .font_descriptor(DESCRIPTOR)
        .default_width(0.0)
        .cid_to_gid_map_predefined(Name(b"Identity"));
    let widths = (0..face.number_of_glyphs()).map(|glyph| {
        let advance = face
            .glyph_hor_advance(ttf_parser::GlyphId(glyph))
            .unwrap_or(0);
        f32::from(advance) * 1000.0 / f32::from(face.units_per_em())
    });
    cid.widths().consecutive(0, widths);
    cid.finish();
    let bounds = face.global_bounding_box();
    pdf.font_descriptor(DESCRIPTOR)
        .name(FONT_NAME)
        .flags(FontFlags::NON_SYMBOLIC)
        .bbox(Rect::new(
            to_thousand(bounds.x_min),
            to_thousand(bounds.y_min),
            to_thousand(bounds.x_max),
            to_thousand(bounds.y_max),
        ))
        .italic_angle(0.0)
        .ascent(to_thousand(face.ascender()))
        .descent(to_thousand(face.descender()))
        .cap_height(to_thousand(
            face.capital_height().unwrap_or(face.ascender()),
        ))
        .stem_v(80.0)
        .font_file2(FONT_FILE);
    pdf.stream(FONT_FILE, font::BYTES)
        .pair(Name(b"Length1"), font::BYTES.len() as i32);
    let mut cmap = UnicodeCmap::new(Name(b"Adobe-Identity-UCS"), SYSTEM);
    for (glyph, letter) in glyphs {
        cmap.pair(*glyph, *letter);
    }
    pdf.cmap(CMAP, &cmap.finish());
}

struct Painter {
    content: Content,
    scale: f64,
    height: f64,
    /// Glyphs in use, with the letter each stands for.
    glyphs: BTreeMap<u16, char>,
}

impl Painter {
    /// PDF counts from below.
    fn at(&self, (x, y): Pixel) -> (f32, f32) {
        (
            (x * self.scale) as f32,
            (self.height - y * self.scale) as f32,
        )
    }

    fn length(&self, length: f64) -> f32 {
        (length * self.scale) as f32
    }

    fn mark(&mut self, mark: &Mark) {
        let [red, green, blue] = colour(mark.ink, mark.faint);
        self.content.set_fill_rgb(red, green, blue);
        match &mark.shape {
            Shape::Line {
                from,
                to,
                width,
                dashed,
            } => {
                let ((x1, y1), (x2, y2)) = (self.at(*from), self.at(*to));
                let dash = [self.length(5.0), self.length(4.0)];
                let width = self.length(*width);
                self.content.set_stroke_rgb(red, green, blue);
                self.content.set_line_width(width);
                if *dashed {
                    self.content.set_dash_pattern(dash, 0.0);
                } else {
                    self.content.set_dash_pattern([], 0.0);
                }
                self.content.move_to(x1, y1);
                self.content.line_to(x2, y2);
                self.content.stroke();
            }
            Shape::Rectangle { corner, size } => {
                let (x, y) = self.at((corner.0, corner.1 + size.1));
                let (width, height) = (self.length(size.0.max(0.0)), self.length(size.1.max(0.0)));
                self.content.rect(x, y, width, height);
                self.content.fill_nonzero();
            }
            Shape::Symbol {
                centre,
                radius,
                symbol: Symbol::Circle,
            } => self.circle(*centre, *radius),
            Shape::Symbol {
                centre,
                radius,
                symbol,
            } => self.polygon(&symbol.corners(*centre, *radius)),
            Shape::Text {
                at,
                anchor,
                size,
                text,
                upright,
            } => self.text(text, *at, *anchor, (*size, *upright)),
        }
    }

    fn circle(&mut self, (x, y): Pixel, r: f64) {
        let k = r * ROUND;
        let (start_x, start_y) = self.at((x + r, y));
        self.content.move_to(start_x, start_y);
        for [one, two, end] in [
            [(x + r, y + k), (x + k, y + r), (x, y + r)],
            [(x - k, y + r), (x - r, y + k), (x - r, y)],
            [(x - r, y - k), (x - k, y - r), (x, y - r)],
            [(x + k, y - r), (x + r, y - k), (x + r, y)],
        ] {
            let [(x1, y1), (x2, y2), (x3, y3)] = [one, two, end].map(|place| self.at(place));
            self.content.cubic_to(x1, y1, x2, y2, x3, y3);
        }
        self.content.close_path();
        self.content.fill_nonzero();
    }

    fn polygon(&mut self, corners: &[Pixel]) {
        for (place, corner) in corners.iter().enumerate() {
            let (x, y) = self.at(*corner);
            match place {
                0 => self.content.move_to(x, y),
                _ => self.content.line_to(x, y),
            };
        }
        self.content.close_path();
        self.content.fill_nonzero();
    }

    fn text(&mut self, text: &str, at: Pixel, anchor: Anchor, (size, upright): (f64, bool)) {
        let face = font::face();
        let width = font::width(text, size);
        let shift = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        let (x, y) = self.at((at.0 - shift, at.1));
        let mut bytes = Vec::with_capacity(text.len() * 2);
        for letter in text.chars() {
            let glyph = font::glyph(face, letter).0;
            self.glyphs.entry(glyph).or_insert(letter);
            bytes.extend(glyph.to_be_bytes());
        }
        let matrix = if upright {
            [0.0, 1.0, -1.0, 0.0, x, y]
        } else {
            [1.0, 0.0, 0.0, 1.0, x, y]
        };
        let size = self.length(size);
        self.content.begin_text();
        self.content.set_font(Name(b"F"), size);
        self.content.set_text_matrix(matrix);
        self.content.show(Str(&bytes));
        self.content.end_text();
    }
}

/// On white; what lets shine through is mixed with it.
fn colour(ink: Ink, faint: bool) -> [f32; 3] {
    let code = ink.colours()[0].trim_start_matches('#');
    [0, 2, 4].map(|at| {
        let digits = code.get(at..at + 2).unwrap_or("00");
        let part = f32::from(u8::from_str_radix(digits, 16).unwrap_or(0)) / 255.0;
        if faint { 0.5 + part / 2.0 } else { part }
    })
}
