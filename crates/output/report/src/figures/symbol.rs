//! The shapes of points: which series or unit has which, and where their corners lie.

use super::scene::{Pixel, SERIES};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbol {
    Circle,
    Square,
    Diamond,
    Up,
    Down,
    Bar,
    Plus,
    Cross,
    Star,
    Left,
    Right,
    Hexagon,
}

/// How many shapes can be told apart where the shape alone says which.
pub const SHAPES: usize = 12;

impl Symbol {
    pub fn of_series(series: usize) -> Symbol {
        Symbol::of_unit(series % SERIES)
    }

    pub fn of_unit(unit: usize) -> Symbol {
        [
            Symbol::Circle,
            Symbol::Square,
            Symbol::Diamond,
            Symbol::Up,
            Symbol::Down,
            Symbol::Bar,
            Symbol::Plus,
            Symbol::Cross,
            Symbol::Star,
            Symbol::Left,
            Symbol::Right,
            Symbol::Hexagon,
        ][unit % SHAPES]
    }

    /// The corners around a centre; none for a circle.
    pub fn corners(self, (x, y): Pixel, r: f64) -> Vec<Pixel> {
        let side = r * 0.9;
        match self {
            Symbol::Circle => Vec::new(),
            Symbol::Square => vec![
                (x - side, y - side),
                (x + side, y - side),
                (x + side, y + side),
                (x - side, y + side),
            ],
            Symbol::Diamond => {
                let r = r * 1.25;
                vec![(x, y - r), (x + r, y), (x, y + r), (x - r, y)]
            }
            Symbol::Up => vec![
                (x, y - r * 1.2),
                (x + r * 1.1, y + r * 0.8),
                (x - r * 1.1, y + r * 0.8),
            ],
            Symbol::Down => vec![
                (x, y + r * 1.2),
                (x - r * 1.1, y - r * 0.8),
                (x + r * 1.1, y - r * 0.8),
            ],
            Symbol::Bar => {
                let (w, h) = (r * 0.45, r * 1.2);
                vec![
                    (x - w, y - h),
                    (x + w, y - h),
                    (x + w, y + h),
                    (x - w, y + h),
                ]
            }
            Symbol::Plus => turned((x, y), r, &PLUS, 0.0),
            Symbol::Cross => turned((x, y), r, &PLUS, 0.125),
            Symbol::Star => {
                let far = |corner: u8| {
                    if corner.is_multiple_of(2) {
                        r * 1.4
                    } else {
                        r * 0.6
                    }
                };
                let corner = |corner: u8| above((x, y), far(corner), f64::from(corner) / 10.0);
                (0..10).map(corner).collect()
            }
            Symbol::Left => vec![
                (x - r * 1.2, y),
                (x + r * 0.8, y - r * 1.1),
                (x + r * 0.8, y + r * 1.1),
            ],
            Symbol::Right => vec![
                (x + r * 1.2, y),
                (x - r * 0.8, y - r * 1.1),
                (x - r * 0.8, y + r * 1.1),
            ],
            Symbol::Hexagon => {
                let corner = |corner: u8| above((x, y), r * 1.1, f64::from(corner) / 6.0);
                (0..6).map(corner).collect()
            }
        }
    }
}

/// A plus of two bars, around the origin.
const PLUS: [Pixel; 12] = [
    (-0.4, -1.2),
    (0.4, -1.2),
    (0.4, -0.4),
    (1.2, -0.4),
    (1.2, 0.4),
    (0.4, 0.4),
    (0.4, 1.2),
    (-0.4, 1.2),
    (-0.4, 0.4),
    (-1.2, 0.4),
    (-1.2, -0.4),
    (-0.4, -0.4),
];

/// The point so far above a centre, after so much of a whole turn around it.
fn above((x, y): Pixel, far: f64, turn: f64) -> Pixel {
    let (sine, cosine) = (turn * std::f64::consts::TAU).sin_cos();
    (x + far * sine, y - far * cosine)
}

/// Corners around the origin as they lie around a centre, `r` times as large, after so much of a whole turn.
fn turned((x, y): Pixel, r: f64, corners: &[Pixel], turn: f64) -> Vec<Pixel> {
    let (sine, cosine) = (turn * std::f64::consts::TAU).sin_cos();
    let corners = corners.iter().map(|(a, b)| {
        (
            x + r * (a * cosine - b * sine),
            y + r * (a * sine + b * cosine),
        )
    });
    corners.collect()
}
