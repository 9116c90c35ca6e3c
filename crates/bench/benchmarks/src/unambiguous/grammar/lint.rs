//! What a grammar silently does not do: nonterminals without a rule, and rules nothing leads to.

use std::fmt;

use super::Grammar;

/// A nonterminal that does nothing, with the line it is first seen in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lint {
    /// No rule defines it: every alternative that contains it vanishes.
    Undefined { name: String, line: u64 },
    /// No sentence can reach it.
    Unused { name: String, line: u64 },
}

impl Grammar {
    /// Undefined and unused nonterminals, in the order of the file.
    pub fn lint(&self) -> Vec<Lint> {
        let mut reached = vec![false; self.names.len()];
        let mut waiting = vec![0];
        while let Some(next) = waiting.pop() {
            if !std::mem::replace(&mut reached[next], true) {
                waiting.extend(&self.uses[next]);
            }
        }
        let mut found = Vec::new();
        for (number, name) in self.names.iter().enumerate() {
            let (name, line) = (name.clone(), self.lines[number]);
            if !self.defined[number] {
                found.push(Lint::Undefined { name, line });
            } else if !reached[number] {
                found.push(Lint::Unused { name, line });
            }
        }
        found
    }
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lint::Undefined { name, line } => write!(
                f,
                "line {line}: `{name}` has no rule; alternatives with it generate nothing"
            ),
            Lint::Unused { name, line } => {
                write!(f, "line {line}: no sentence uses `{name}`")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;

    #[test]
    fn silent_symbols_are_named() {
        let grammar = parse("S -> 'a' | MISSING\nSPARE -> 'b' OTHER\nOTHER -> 'c'\n").unwrap();
        let lint: Vec<String> = grammar.lint().iter().map(ToString::to_string).collect();
        assert_eq!(
            lint,
            [
                "line 1: `MISSING` has no rule; alternatives with it generate nothing",
                "line 2: no sentence uses `SPARE`",
                "line 2: no sentence uses `OTHER`",
            ]
        );
    }
}
