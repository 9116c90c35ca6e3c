//! A number beside its ideal as a few block characters: how far, and to which side. The scale is one for
//! the whole column.

/// Characters on each side of the ideal.
const SIDE: usize = 5;

/// One column's scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    ideal: f64,
    /// The largest distance from the ideal.
    reach: f64,
}

impl Scale {
    /// `None` where nothing is away from the ideal, or there is not one ideal for all.
    pub fn over(values: &[(f64, Option<f64>)]) -> Option<Scale> {
        let ideal = values.first()?.1?;
        if values.iter().any(|(_, other)| *other != Some(ideal)) {
            return None;
        }
        let reach = values
            .iter()
            .map(|(value, _)| (value - ideal).abs())
            .fold(0.0, f64::max);
        (reach > 0.0 && reach.is_finite()).then_some(Scale { ideal, reach })
    }

    /// The heading of the bars: which value the stroke stands for.
    pub fn heading(&self) -> String {
        let ideal = format!("{}", self.ideal);
        format!("{:>width$}│", format!("{ideal}="), width = SIDE)
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
    fn bars_grow_from_the_ideal_to_both_sides() {
        let scale = Scale::over(&[(1.4, Some(1.0)), (0.8, Some(1.0))]).unwrap();
        assert_eq!(scale.heading(), "   1=│");
        assert_eq!(scale.bar(1.4), "     │█████");
        assert_eq!(scale.bar(1.0), "     │");
        assert_eq!(scale.bar(1.05), "     │▋");
        assert_eq!(scale.bar(0.8), "  ▐██│");
        assert_eq!(Scale::over(&[(1.0, Some(1.0))]), None);
        assert_eq!(Scale::over(&[(1.0, None)]), None);
        assert_eq!(Scale::over(&[(1.0, Some(1.0)), (0.2, Some(0.0))]), None);
    }
}
