//! Names beside points, placed so that they cover neither each other nor the points. A name finds room close to its point,
//! or stands in a column at the edge with a line that leads to it: none is left out, none lies on another.

use super::font;
use super::scene::{Anchor, Ink, Pixel, SMALL, Scene};

/// Left, top, right, bottom.
pub type Area = (f64, f64, f64, f64);

/// From one name of the column at the edge to the next.
const STEP: f64 = 14.0;
const ASCENT: f64 = 10.0;
const DESCENT: f64 = 3.0;

/// Where a name stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    pub at: Pixel,
    pub anchor: Anchor,
    pub area: Area,
    /// Where the line to the point begins, for a name at the edge.
    pub leader: Option<Pixel>,
}

/// What names have to keep off.
#[derive(Debug, Default)]
pub struct Obstacles {
    taken: Vec<Area>,
}

impl Obstacles {
    pub fn points(points: impl IntoIterator<Item = Pixel>) -> Obstacles {
        let point = |(x, y): Pixel| (x - 4.0, y - 4.0, x + 4.0, y + 4.0);
        Obstacles {
            taken: points.into_iter().map(point).collect(),
        }
    }

    /// Keeps names off the arms of a point: how far its interval reaches to every side.
    pub fn arms(&mut self, (x, y): Pixel, (left, top, right, bottom): Area) {
        self.taken.push((left, y - 1.0, right, y + 1.0));
        self.taken.push((x - 1.0, top, x + 1.0, bottom));
    }

    /// Keeps names off an upright or level line.
    pub fn line(&mut self, from: Pixel, to: Pixel) {
        let left_top = (from.0.min(to.0) - 1.0, from.1.min(to.1) - 1.0);
        let right_bottom = (from.0.max(to.0) + 1.0, from.1.max(to.1) + 1.0);
        self.taken
            .push((left_top.0, left_top.1, right_bottom.0, right_bottom.1));
    }
}

fn overlap(one: &Area, other: &Area) -> bool {
    one.0 < other.2 && one.2 > other.0 && one.1 < other.3 && one.3 > other.1
}

fn inside(area: &Area, within: &Area) -> bool {
    area.0 >= within.0 && area.1 >= within.1 && area.2 <= within.2 && area.3 <= within.3
}

fn area_of(anchor: Anchor, at: Pixel, width: f64) -> Area {
    let left = match anchor {
        Anchor::Start => at.0,
        Anchor::Middle => at.0 - width / 2.0,
        Anchor::End => at.0 - width,
    };
    (left, at.1 - ASCENT, left + width, at.1 + DESCENT)
}

/// Room for a column of names at the right edge, where any is needed.
fn edge_width(names: &[String]) -> f64 {
    names
        .iter()
        .map(|name| font::room(name, SMALL))
        .fold(0.0, f64::max)
        + 26.0
}

/// The height that a column of all the names would take.
fn edge_height(names: usize) -> f64 {
    names as f64 * STEP + DESCENT
}

/// How far a plot reaches to the right and down, and where the column of names begins, if there is one.
#[derive(Debug, Clone, Copy)]
pub struct Canvas {
    pub right: f64,
    pub bottom: f64,
    pub edge: Option<f64>,
}

/// Draws on the whole width, or where the names do not fit so, beside a column of names and as high as it needs.
pub fn fit(
    names: &[String],
    top: f64,
    whole: (f64, f64),
    draw: impl Fn(Canvas) -> Option<Scene>,
) -> Option<Scene> {
    let (right, bottom) = whole;
    let plain = Canvas {
        right,
        bottom,
        edge: None,
    };
    draw(plain).or_else(|| {
        let right = right - edge_width(names);
        draw(Canvas {
            right,
            bottom: bottom.max(top + edge_height(names.len())),
            edge: Some(right),
        })
    })
}

/// Places of all the names inside `within`; those that find no room beside their point go to a column that begins at
/// `edge` and is as high as `within`. None where the column is too low for them, or there is no column.
pub fn place(
    points: &[(Pixel, String)],
    obstacles: &Obstacles,
    within: Area,
    edge: Option<f64>,
) -> Option<Vec<Placed>> {
    let mut taken = obstacles.taken.clone();
    let mut placed: Vec<Option<Placed>> = Vec::with_capacity(points.len());
    for ((x, y), name) in points {
        let others: Vec<Pixel> = points.iter().map(|(other, _)| *other).collect();
        let width = font::room(name, SMALL);
        let found = beside((*x, *y), width, (&taken, &others), &within);
        taken.extend(found.as_ref().map(|found| found.area));
        placed.push(found);
    }
    let mut left: Vec<usize> = (0..points.len())
        .filter(|at| placed[*at].is_none())
        .collect();
    if left.is_empty() {
        return placed.into_iter().collect();
    }
    let edge = edge?;
    left.sort_by(|a, b| points[*a].0.1.total_cmp(&points[*b].0.1));
    if edge_height(left.len()) > within.3 - within.1 {
        return None;
    }
    // From above to below, each as close to the height of its point as those before and after allow.
    let mut next = within.1 + ASCENT;
    for (order, at) in left.iter().enumerate() {
        let ((x, y), name) = &points[*at];
        let after = (left.len() - 1 - order) as f64 * STEP;
        let base = (y + 4.0).max(next).min(within.3 - DESCENT - after);
        next = base + STEP;
        let start = (edge + 22.0, base);
        placed[*at] = Some(Placed {
            at: start,
            anchor: Anchor::Start,
            area: area_of(Anchor::Start, start, font::room(name, SMALL)),
            leader: Some((*x, *y)),
        });
    }
    placed.into_iter().collect()
}

/// How far a point is from an area; 0 inside it.
fn gap(area: &Area, (x, y): Pixel) -> f64 {
    let across = (area.0 - x).max(x - area.2).max(0.0);
    let down = (area.1 - y).max(y - area.3).max(0.0);
    across.hypot(down)
}

/// Whether a name is read as that of its own point: no other point is as near to it.
fn is_nearest(area: &Area, own: Pixel, points: &[Pixel]) -> bool {
    const CLEARER: f64 = 3.0;
    let distance = gap(area, own);
    let elsewhere = |point: &&Pixel| (point.0 - own.0).hypot(point.1 - own.1) > 1.0;
    let mut others = points.iter().filter(elsewhere);
    others.all(|point| gap(area, *point) >= distance + CLEARER)
}

fn beside(
    (x, y): Pixel,
    width: f64,
    (taken, points): (&[Area], &[Pixel]),
    within: &Area,
) -> Option<Placed> {
    // Close by first, then a little further away.
    let places = [0.0, 6.0, 14.0].into_iter().flat_map(|reach| {
        [
            (Anchor::Start, (x + 8.0 + reach, y + 4.0)),
            (Anchor::End, (x - 8.0 - reach, y + 4.0)),
            (Anchor::Start, (x + 6.0, y - 7.0 - reach)),
            (Anchor::Start, (x + 6.0, y + 14.0 + reach)),
            (Anchor::End, (x - 6.0, y - 7.0 - reach)),
            (Anchor::End, (x - 6.0, y + 14.0 + reach)),
            (Anchor::Middle, (x, y - 9.0 - reach)),
            (Anchor::Middle, (x, y + 17.0 + reach)),
        ]
    });
    let mut free = places.filter_map(|(anchor, at)| {
        let area = area_of(anchor, at, width);
        let fits = inside(&area, within)
            && !taken.iter().any(|other| overlap(&area, other))
            && is_nearest(&area, (x, y), points);
        fits.then_some(Placed {
            at,
            anchor,
            area,
            leader: None,
        })
    });
    free.next()
}

/// Draws placed names with the lines that lead to them.
pub fn draw(scene: &mut Scene, placed: &[Placed], points: &[(Pixel, String)]) {
    for (place, (_, name)) in placed.iter().zip(points) {
        if let Some((x, y)) = place.leader {
            let end = (place.at.0 - 4.0, place.at.1 - 4.0);
            let bend = (end.0 - 12.0, end.1);
            scene.line(Ink::Background, (x, y), bend, 0.6);
            scene.line(Ink::Background, bend, end, 0.6);
        }
        scene.sized_text(Ink::Text, place.anchor, place.at, name, SMALL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator: the layouts are the same on every machine.
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % end
        }
    }

    /// A thousand layouts of up to forty systems, also all in one place: every name has a place, no two lie on each
    /// other or on a point, and all are on the page.
    #[test]
    fn no_two_names_overlap() {
        let mut random = Random(26);
        let mut at_edge = 0;
        for round in 0..1000 {
            let count = 1 + random.below(40);
            let spread = [1, 30, 200, 600][round % 4];
            let names: Vec<String> = (0..count)
                .map(|n| {
                    format!(
                        "system-{n} {}",
                        &"a name that can be long"[..random.below(22)]
                    )
                })
                .collect();
            let height = edge_height(count).max(380.0);
            let right = 700.0 - edge_width(&names);
            let points: Vec<(Pixel, String)> = names
                .iter()
                .map(|name| {
                    let x = 70.0 + random.below(spread.min(right as usize - 80)) as f64;
                    let y = 40.0 + random.below(spread.min(height as usize - 10)) as f64;
                    ((x, y), name.clone())
                })
                .collect();
            let mut obstacles = Obstacles::points(points.iter().map(|(point, _)| *point));
            for ((x, y), _) in &points {
                obstacles.arms((*x, *y), (x - 9.0, y - 12.0, x + 9.0, y + 12.0));
            }
            let within = (64.0, 34.0, right, 34.0 + height);
            let placed = place(&points, &obstacles, within, Some(right)).unwrap();
            assert_eq!(placed.len(), count);
            at_edge += placed.iter().filter(|one| one.leader.is_some()).count();
            for (index, one) in placed.iter().enumerate() {
                let page = (60.0, 30.0, 720.0, 34.0 + height + 1.0);
                assert!(inside(&one.area, &page), "round {round}: {one:?}");
                for other in &placed[..index] {
                    assert!(
                        !overlap(&one.area, &other.area),
                        "round {round}: {one:?} {other:?}"
                    );
                }
                for ((x, y), _) in &points {
                    let point = (x - 3.5, y - 3.5, x + 3.5, y + 3.5);
                    assert!(
                        !overlap(&one.area, &point),
                        "round {round}: {one:?} on {x} {y}"
                    );
                }
            }
        }
        assert!(at_edge > 1000, "crowded layouts were among them: {at_edge}");
    }

    #[test]
    fn without_a_column_a_crowd_has_no_layout() {
        let points: Vec<(Pixel, String)> = (0..30)
            .map(|n| ((300.0, 200.0), format!("name {n}")))
            .collect();
        let obstacles = Obstacles::points(points.iter().map(|(point, _)| *point));
        let within = (64.0, 34.0, 700.0, 400.0);
        assert_eq!(place(&points, &obstacles, within, None), None);
        assert!(place(&points[..3], &obstacles, within, None).is_some());
    }
}
