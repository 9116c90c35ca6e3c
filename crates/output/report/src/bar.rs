//! A number beside its ideal as a few block characters: how far, and to which side. Scales are fixed: a bar is full at half
//! a unit (50 where numbers are per cent) from the ideal, or at the next round distance where a column reaches further, so
//! that what is next to the ideal looks so.

/// Characters on each side of the ideal.
const SIDE: usize = 5;
/// Distances at which a bar may be full, of numbers around one and of per cent.
const REACHES: [f64; 5] = [0.5, 1.0, 5.0, 50.0, 500.0];
const REACHES_OF_PERCENT: [f64; 3] = [50.0, 100.0, 1000.0];

/// One column's scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    ideal: f64,
    /// The distance from the ideal at which a bar is full.
    reach: f64,
}

impl Scale {
    /// `None` where there is not one ideal for all.
    pub fn over(values: &[(f64, Option<f64>)]) -> Option<Scale> {
        let ideal = values.first()?.1?;
        if values.iter().any(|(_, other)| *other != Some(ideal)) {
            return None;
        }
        let furthest = values
            .iter()
            .map(|(value, _)| (value - ideal).abs())
            .fold(0.0, f64::max);
        let reaches: &[f64] = if ideal >= 10.0 {
            &REACHES_OF_PERCENT
        } else {
            &REACHES
        };
        let reach = reaches.iter().copied().find(|reach| furthest <= *reach)?;
        Some(Scale { ideal, reach })
    }

    /// The heading of the bars: the ends of the scale, and the value the stroke stands for.
    pub fn heading(&self) -> String {
        let (low, high) = (self.ideal - self.reach, self.ideal + self.reach);
        let ideal = format!("{}", self.ideal);
        let left = format!("{low}");
        let room = SIDE.saturating_sub(ideal.len());
        if left.len() < room {
            format!("{left:<room$}{ideal}│{:>SIDE$}", format!("{high}"))
        } else {
            format!("{ideal:>SIDE$}│{:>SIDE$}", format!("{high}"))
        }
    }

    /// Eighths of a block to the right, halves to the left (there are no other left blocks).
    pub fn bar(&self, value: f64) -> String {
        let share = ((value - self.ideal) / self.reach).clamp(-1.0, 1.0);
        let length = share.abs() * SIDE as f64;
        if share >= 0.0 {
            let eighths = (length * 8.0).round() as usize;
            let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
            let bar = "█".repeat(eighths / 8) + part;
            format!("{}│{bar}", " ".repeat(SIDE))
        } else {
            let halves = (length * 2.0).round() as usize;
            let part = if halves % 2 == 1 { "▐" } else { "" };
            let bar = part.to_owned() + &"█".repeat(halves / 2);
            format!("{bar:>SIDE$}│")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_grow_from_the_ideal_to_both_sides_on_a_fixed_scale() {
        let scale = Scale::over(&[(1.4, Some(1.0)), (0.8, Some(1.0))]).unwrap();
        assert_eq!(scale.heading(), "0.5 1│  1.5");
        assert_eq!(scale.bar(1.5), "     │█████");
        assert_eq!(scale.bar(1.4), "     │████");
        assert_eq!(scale.bar(1.0), "     │");
        assert_eq!(scale.bar(1.001), "     │");
        assert_eq!(scale.bar(0.8), "   ██│");
        // Next to the ideal is next to it, alone too.
        let scale = Scale::over(&[(1.001, Some(1.0))]).unwrap();
        assert_eq!(scale.bar(1.001), "     │");
        let scale = Scale::over(&[(61.0, Some(50.0))]).unwrap();
        assert_eq!(scale.heading(), "0  50│  100");
        assert_eq!(scale.bar(75.0), "     │██▌");
        assert_eq!(
            Scale::over(&[(20.0, Some(1.0))]).unwrap().bar(26.0),
            "     │██▌"
        );
        assert_eq!(Scale::over(&[(1.0, None)]), None);
        assert_eq!(Scale::over(&[(1.0, Some(1.0)), (0.2, Some(0.0))]), None);
    }
}
