//! A scene as PNG, on white, at twice the size of the SVG. Text is set in the embedded font: a machine
//! without fonts draws the same bytes.

use tiny_skia::{FillRule, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform};
use ttf_parser::OutlineBuilder;

use super::font;
use super::scene::{Anchor, Ink, Mark, Pixel, Scene, Shape};
use super::symbol::Symbol;

const SCALE: f64 = 2.0;

/// Why a figure has no PNG.
#[derive(Debug, thiserror::Error)]
#[error("a figure of {width} × {height} pixels cannot be painted")]
pub struct PaintError {
    width: f64,
    height: f64,
}

pub fn paint(scene: &Scene) -> Result<Vec<u8>, PaintError> {
    let error = || PaintError {
        width: scene.width,
        height: scene.height,
    };
    let (width, height) = (scene.width * SCALE, scene.height * SCALE);
    let mut pixels = Pixmap::new(width.ceil() as u32, height.ceil() as u32).ok_or_else(error)?;
    pixels.fill(tiny_skia::Color::WHITE);
    for mark in &scene.marks {
        draw(&mut pixels, mark);
    }
    pixels.encode_png().map_err(|_| error())
}

fn colour(ink: Ink, faint: bool) -> Paint<'static> {
    let code = ink.colours()[0].trim_start_matches('#');
    let part = |at: usize| {
        let digits = code.get(at..at + 2).unwrap_or("00");
        u8::from_str_radix(digits, 16).unwrap_or(0)
    };
    let mut paint = Paint::default();
    paint.set_color_rgba8(part(0), part(2), part(4), if faint { 128 } else { 255 });
    paint
}

fn scaled((x, y): Pixel) -> (f32, f32) {
    ((x * SCALE) as f32, (y * SCALE) as f32)
}

fn draw(pixels: &mut Pixmap, mark: &Mark) {
    let paint = colour(mark.ink, mark.faint);
    let path = match &mark.shape {
        Shape::Line {
            from,
            to,
            width,
            dashed,
        } => return line(pixels, &paint, (*from, *to), *width, *dashed),
        Shape::Rectangle { corner, size } => {
            let (x, y) = scaled(*corner);
            let (w, h) = scaled(*size);
            Rect::from_xywh(x, y, w.max(0.0), h.max(0.0)).map(PathBuilder::from_rect)
        }
        Shape::Symbol {
            centre,
            radius,
            symbol: Symbol::Circle,
        } => {
            let (x, y) = scaled(*centre);
            PathBuilder::from_circle(x, y, (radius * SCALE) as f32)
        }
        Shape::Symbol {
            centre,
            radius,
            symbol,
        } => polygon(&symbol.corners(*centre, *radius)),
        Shape::Text {
            at,
            anchor,
            size,
            text,
            upright,
        } => {
            let flat = outline(text, *at, *anchor, *size);
            let (x, y) = scaled(*at);
            if *upright {
                flat.and_then(|path| path.transform(Transform::from_rotate_at(-90.0, x, y)))
            } else {
                flat
            }
        }
    };
    if let Some(path) = path {
        pixels.fill_path(
            &path,
            &paint,
            FillRule::Winding,
            Transform::identity(),
            None,
        );
    }
}

fn line(
    pixels: &mut Pixmap,
    paint: &Paint<'_>,
    (from, to): (Pixel, Pixel),
    width: f64,
    dashed: bool,
) {
    let mut builder = PathBuilder::new();
    let ((x1, y1), (x2, y2)) = (scaled(from), scaled(to));
    builder.move_to(x1, y1);
    builder.line_to(x2, y2);
    let stroke = Stroke {
        width: (width * SCALE) as f32,
        dash: if dashed {
            StrokeDash::new(vec![5.0 * SCALE as f32, 4.0 * SCALE as f32], 0.0)
        } else {
            None
        },
        ..Stroke::default()
    };
    if let Some(path) = builder.finish() {
        pixels.stroke_path(&path, paint, &stroke, Transform::identity(), None);
    }
}

fn polygon(corners: &[Pixel]) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for (index, corner) in corners.iter().enumerate() {
        let (x, y) = scaled(*corner);
        match index {
            0 => builder.move_to(x, y),
            _ => builder.line_to(x, y),
        }
    }
    builder.close();
    builder.finish()
}

/// Glyph outlines at their place; the font's y grows upwards.
struct Pen {
    builder: PathBuilder,
    scale: f32,
    x: f32,
    y: f32,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.builder.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.builder.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.builder.close();
    }
}

fn outline(text: &str, at: Pixel, anchor: Anchor, size: f64) -> Option<Path> {
    let face = font::face();
    let width = font::width(text, size);
    let shift = match anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => width / 2.0,
        Anchor::End => width,
    };
    let (x, y) = scaled((at.0 - shift, at.1));
    let scale = (size * SCALE) as f32 / f32::from(face.units_per_em());
    let mut pen = Pen {
        builder: PathBuilder::new(),
        scale,
        x,
        y,
    };
    for c in text.chars() {
        let glyph = font::glyph(face, c);
        face.outline_glyph(glyph, &mut pen);
        pen.x += f32::from(face.glyph_hor_advance(glyph).unwrap_or(0)) * scale;
    }
    pen.builder.finish()
}
