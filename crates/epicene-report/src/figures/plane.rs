//! The plane of masculine rate f_m and stereotype rate f_s (GEST, Figure 2). A translator that treats
//! the genders alike sits at (0.5, 0). The dashed line runs from fully stereotypical (0, 2 on the
//! paper's axes, so (0.5, 1) on it) to fully masculine (1, 0): nobody can be above it.

use epicene_core::Row;

use super::Figure;
use super::svg::Drawing;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 460.0;
const MARGIN: f64 = 56.0;

struct Point<'a> {
    f_m: &'a Row,
    f_s: &'a Row,
}

impl Point<'_> {
    fn name(&self) -> String {
        let unit = self.f_s.unit.trim_start_matches("lang:");
        format!("{} {unit}", self.f_s.system)
    }
}

fn points(rows: &[Row]) -> Vec<Point<'_>> {
    rows.iter()
        .filter(|row| row.metric == "f_s")
        .filter_map(|f_s| {
            let same = |row: &&Row| {
                row.metric == "f_m" && row.system == f_s.system && row.unit == f_s.unit
            };
            let f_m = rows.iter().find(same)?;
            Some(Point { f_m, f_s })
        })
        .collect()
}

/// Plot coordinates: f_m from 0 to 1, f_s from just below the lowest value to just above the highest.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn new(points: &[&Point<'_>]) -> Scale {
        let mut scale = Scale {
            low: -0.05,
            high: 0.4,
        };
        for point in points {
            let row = point.f_s;
            scale.low = scale.low.min(row.low.unwrap_or(row.value) - 0.02);
            scale.high = scale.high.max(row.high.unwrap_or(row.value) + 0.02);
        }
        scale
    }

    fn place(&self, f_m: f64, f_s: f64) -> (f64, f64) {
        let x = MARGIN + f_m.clamp(0.0, 1.0) * (WIDTH - 2.0 * MARGIN);
        let share = (f_s.clamp(self.low, self.high) - self.low) / (self.high - self.low);
        (x, HEIGHT - MARGIN - share * (HEIGHT - 2.0 * MARGIN))
    }
}

pub fn draw(results: &[&[Row]], baselines: &[Row]) -> Option<Figure> {
    let ours: Vec<Point<'_>> = results.iter().flat_map(|rows| points(rows)).collect();
    let published = points(baselines);
    if ours.is_empty() {
        return None;
    }
    let scale = Scale::new(&ours.iter().chain(&published).collect::<Vec<_>>());
    let mut drawing = Drawing::new(WIDTH as u32, HEIGHT as u32);
    axes(&mut drawing, &scale);
    for point in &published {
        let place = scale.place(point.f_m.value, point.f_s.value);
        drawing.dot("background", place, 4.0, &point.name());
    }
    for point in &ours {
        let (f_m, f_s) = (point.f_m, point.f_s);
        if let (Some(low), Some(high)) = (f_s.low, f_s.high) {
            drawing.line(
                "bar",
                scale.place(f_m.value, low),
                scale.place(f_m.value, high),
            );
        }
        if let (Some(low), Some(high)) = (f_m.low, f_m.high) {
            drawing.line(
                "bar",
                scale.place(low, f_s.value),
                scale.place(high, f_s.value),
            );
        }
        let (x, y) = scale.place(f_m.value, f_s.value);
        let title = format!(
            "{}: f_m {:.3}, f_s {:.3}",
            point.name(),
            f_m.value,
            f_s.value
        );
        drawing.dot("point", (x, y), 4.5, &title);
        if ours.len() <= 12 {
            drawing.text("start", (x + 8.0, y - 6.0), &point.name());
        }
    }
    let listed: Vec<String> = ours
        .iter()
        .map(|point| {
            let (f_m, f_s) = (point.f_m.value, point.f_s.value);
            format!("{} at f_m {f_m:.2}, f_s {f_s:.2}", point.name())
        })
        .collect();
    let description = format!(
        "Masculine rate f_m across, stereotype rate f_s up; a translator without preference or stereotype is at \
         (0.5, 0). {} Grey: {} published system-language pairs.",
        listed.join("; ") + ".",
        published.len()
    );
    Some(Figure {
        name: "gest-plane",
        svg: drawing.finish("GEST: masculine rate and stereotype rate", &description),
    })
}

fn axes(drawing: &mut Drawing, scale: &Scale) {
    let first = (scale.low * 10.0).ceil() as i32;
    let last = (scale.high * 10.0).floor() as i32;
    for tenth in first..=last {
        let value = f64::from(tenth) / 10.0;
        let (left, y) = scale.place(0.0, value);
        let class = if tenth == 0 { "axis" } else { "grid" };
        drawing.line(class, (left, y), scale.place(1.0, value));
        drawing.text("end", (left - 6.0, y + 4.0), &format!("{value:.1}"));
    }
    for quarter in 0..=4 {
        let value = f64::from(quarter) / 4.0;
        let (x, bottom) = scale.place(value, scale.low);
        let class = if quarter == 2 { "axis" } else { "grid" };
        drawing.line(class, (x, bottom), scale.place(value, scale.high));
        drawing.text("middle", (x, bottom + 16.0), &format!("{value}"));
    }
    // f_s = 2 - 2 f_m, as far as it is on the plot.
    drawing.line(
        "reference",
        scale.place(1.0 - scale.high / 2.0, scale.high),
        scale.place(1.0, 0.0),
    );
    let (middle, bottom) = scale.place(0.5, scale.low);
    drawing.text("middle", (middle, bottom + 38.0), "f_m (masculine rate)");
    let (left, top) = scale.place(0.0, scale.high);
    drawing.text("start", (left - 40.0, top - 14.0), "f_s (stereotype rate)");
    let (x, y) = scale.place(1.0 - scale.high / 2.0, scale.high);
    drawing.text("middle", (x, y - 6.0), "stereotypical – masculine");
}
