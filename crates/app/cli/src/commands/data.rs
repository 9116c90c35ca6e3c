//! `epicene data`: data sets that are not shipped.

use crate::args::SetAction;
use crate::failure::{Failure, Outcome};
use crate::{console, datasets};

pub fn run(action: SetAction) -> Result<Outcome, Failure> {
    match action {
        SetAction::List { json } => {
            let text = if json {
                let listed = serde_json::to_string_pretty(&datasets::as_json()?);
                format!("{}\n", listed.map_err(std::io::Error::from)?)
            } else {
                datasets::listing()
            };
            console::print(|out| out.write_all(text.as_bytes()))?;
        }
        SetAction::Pull { name, all, license } => {
            let names: Vec<String> = match name {
                Some(name) => vec![name],
                None if all || !license.is_empty() => {
                    let found = datasets::licensed(&license)?;
                    found.into_iter().map(str::to_owned).collect()
                }
                None => {
                    return Err(Failure::usage("which data set?")
                        .with_hint("give a name, or --all (see `epicene data list`)"));
                }
            };
            for name in names {
                for path in datasets::pull(&name)? {
                    console::note(format!("{}: verified", path.display()));
                }
            }
        }
        SetAction::Verify { name } => {
            for path in datasets::verify(&name)? {
                console::note(format!("{}: verified", path.display()));
            }
        }
        SetAction::Path { name } => {
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
