//! Decimal rounding as Python's `round` does it.

/// The decimal nearest to the exact binary value; of two equally near, the even one (`round(value, decimals)`
/// in Python). Infinities and NaN stay as they are.
#[must_use]
pub fn round_half_even(value: f64, decimals: usize) -> f64 {
    if !value.is_finite() {
        return value;
    }
    let rounded = format!("{value:.decimals$}").parse().unwrap_or(value);
    // No negative zero in tables.
    if rounded == 0.0 { 0.0 } else { rounded }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_even_neighbour() {
        for (value, decimals, expected) in [
            (0.25, 1, 0.2),
            (0.75, 1, 0.8),
            (2.5, 0, 2.0),
            (3.5, 0, 4.0),
            (-0.25, 1, -0.2),
            (0.125, 2, 0.12),
            // Not a tie: the binary value is below.
            (2.675, 2, 2.67),
            (1.15, 1, 1.1),
            (-0.0004, 1, 0.0),
        ] {
            assert_eq!(round_half_even(value, decimals), expected, "{value}");
        }
    }
}
