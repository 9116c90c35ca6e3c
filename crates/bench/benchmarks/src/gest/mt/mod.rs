//! GEST for machine translation: what gender does a translator give to "I"? (GEST, section 4;
//! Tables 6 and 8, Figure 2.)

mod compare;
mod formulas;
mod measures;
mod quality;
mod shares;

pub use compare::rows as comparison_rows;
pub use formulas::formulas;
pub use measures::{measure, signed_rates};
pub use shares::Shares;
