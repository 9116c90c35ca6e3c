//! The grid behind points, with its numbers.

use super::axis::{Axis, tick_label};
use super::scene::{Anchor, Ink, SMALL, Scene};

/// About so many lines of each axis; those of `up` reach to `right`.
pub fn grid(scene: &mut Scene, across: (&Axis, usize), up: (&Axis, usize), right: f64) {
    let ((across, columns), (up, lines)) = (across, up);
    let (left, bottom, top) = (across.from, up.from, up.to);
    for value in up.ticks(lines) {
        let y = up.at(value);
        scene.line(Ink::Grid, (left, y), (right, y), 1.0);
        let at = (left - 8.0, y + 4.0);
        scene.sized_text(Ink::Muted, Anchor::End, at, &tick_label(value), SMALL);
    }
    for value in across.ticks(columns) {
        let x = across.at(value);
        scene.line(Ink::Grid, (x, bottom), (x, top), 1.0);
        let at = (x, bottom + 16.0);
        scene.sized_text(Ink::Muted, Anchor::Middle, at, &tick_label(value), SMALL);
    }
}
