//! What several tests use.

pub mod first_person_gold;
pub mod gest;
pub mod marked;
pub mod occupations;
pub mod person_gold;
pub mod person_traps;
pub mod shared;
pub mod winomt;
