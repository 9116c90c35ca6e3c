//! Options that would do nothing with what else a command says: with its benchmark and its systems, its files and formats. An
//! option that is taken in silence makes somebody believe that it was heeded, so each is refused with a word on what it belongs
//! to. Only what certainly has no effect stands here; what is wrong in itself is refused where it is read, what two options
//! cannot both mean by clap, and what turns out to have done nothing to answers by the pipeline. A word of consent (`--yes`)
//! asks for nothing, and may be given to everybody.

mod lines;
mod results;
mod run;

use epicene_bench::Card;
use epicene_lm::{Placement, SystemSpec};
use epicene_mt::Named;

use crate::failure::Failure;

/// An option's name, and whether the command has it.
type OptionTest<A> = (&'static str, fn(&A) -> bool);

/// Options with one fate, of a command with arguments `A` that is about `C`.
pub struct Family<A: 'static, C: 'static = ()> {
    options: &'static [OptionTest<A>],
    /// Whether they can do anything.
    heeded: fn(&A, &C) -> bool,
    belongs_to: fn() -> String,
}

/// A command that has such options.
pub trait Effects<C: 'static = ()>: Sized + 'static {
    const FAMILIES: &'static [Family<Self, C>];
}

/// Refuses the first option that would do nothing.
pub fn check<A: Effects<C>, C: 'static>(args: &A, about: &C) -> Result<(), Failure> {
    for family in A::FAMILIES {
        let given = family.options.iter().find(|(_, given)| given(args));
        if let Some((option, _)) = given
            && !(family.heeded)(args, about)
        {
            return Err(no_effect(option, &(family.belongs_to)()));
        }
    }
    Ok(())
}

fn no_effect(option: &str, whose: &str) -> Failure {
    Failure::usage(format!("{option} has no effect here; it is for {whose}"))
}

pub use run::check_choices;

const HERE: &str = "models that epicene runs (hf:, dir:, gguf:, demo:)";
const CHECKPOINTS: &str = "checkpoints (hf:, dir:)";

/// The benchmarks that have something, by name.
pub fn owners(have: fn(&Card) -> bool) -> String {
    let cards = epicene_bench::ALL.iter().map(|benchmark| benchmark.card());
    let owners: Vec<&str> = cards
        .filter(|card| have(card))
        .map(|card| card.name)
        .collect();
    owners.join(", ")
}

/// A general script may well say that nothing runs elsewhere than on the processor.
fn is_elsewhere(device: Option<Placement>) -> bool {
    device.is_some_and(|device| device != Placement::Cpu)
}

fn runs_here(spec: &SystemSpec) -> bool {
    matches!(
        spec,
        SystemSpec::Checkpoint(_) | SystemSpec::Gguf(_) | SystemSpec::Embedded(_)
    )
}

fn is_file(named: &Named) -> bool {
    named.spec.file().is_some()
}

fn is_checkpoint(named: &Named) -> bool {
    named.spec.is_checkpoint()
}
