//! Human audits from sample to corrected number: of runs, of JSON lines, with labels of people and with labels made up;
//! what is refused; the form in a real browser.

mod chat;
mod corrected;
mod form;
mod formulas;
mod labels;
mod people;
mod refused;
