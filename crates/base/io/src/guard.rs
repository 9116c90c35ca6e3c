//! Parsers of other people that may panic on files of other people: a panic there is a bad file, not the
//! end of the program.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use crate::quote::shown;

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
}

/// What `work` gives, or the words it panicked with. Nothing is printed about a panic that is caught.
/// What `work` was building is lost with it: it may not touch anything that is used afterwards.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |facts| {
            if !CATCHING.get() {
                usual(facts);
            }
        }));
    });
    let before = CATCHING.replace(true);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    CATCHING.set(before);
    done.map_err(|payload| shown(words(&*payload)))
}

fn words(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no reason given")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_with_its_words() {
        assert_eq!(catch(|| 3), Ok(3));
        let nothing: [u8; 0] = [];
        let place = nothing.len() + 7;
        let caught = catch(|| nothing[place]).unwrap_err();
        assert!(caught.contains("index out of bounds"), "{caught}");
        assert_eq!(
            catch(|| panic!("{}", "\x1b")),
            Err::<(), _>("\\x1b".to_owned())
        );
    }
}
