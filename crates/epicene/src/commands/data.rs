//! `epicene data`: data sets that are not shipped.

use crate::args::{DataAction, DataArgs};
use crate::failure::{Failure, Outcome};
use crate::{console, datasets};

pub fn run(args: DataArgs) -> Result<Outcome, Failure> {
    match args.action {
        DataAction::Pull { name } => {
            for path in datasets::pull(&name)? {
                console::note(format!("{}: verified", path.display()));
            }
        }
        DataAction::Verify { name } => {
            for path in datasets::verify(&name)? {
                console::note(format!("{}: verified", path.display()));
            }
        }
        DataAction::Path { name } => {
            let paths = datasets::paths(&name)?;
            console::print(|out| {
                paths
                    .iter()
                    .try_for_each(|p| writeln!(out, "{}", p.display()))
            })?;
        }
    }
    Ok(Outcome::Done)
}
