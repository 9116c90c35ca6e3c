//! Reads a grammar file: `NAME -> alternative | alternative`, symbols between spaces, terminals in
//! quotation marks, `#` begins a comment line, an indented line continues the rule above it.

use std::collections::HashMap;

use super::{ANSWER, Alternative, Grammar, GrammarError, LABEL, Rule, Symbol, Terminal};

pub fn parse(text: &str) -> Result<Grammar, GrammarError> {
    parse_without(text, &[])
}

/// The same, less the alternatives that are nothing but one of these words.
pub fn parse_without(text: &str, without: &[String]) -> Result<Grammar, GrammarError> {
    let mut reader = Reader {
        without: without
            .iter()
            .map(|word| (word.to_lowercase(), false))
            .collect(),
        ..Reader::default()
    };
    let mut current = None;
    for (index, line) in text.lines().enumerate() {
        let number = index as u64 + 1;
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let (rule, right) = if line.starts_with(char::is_whitespace) {
            let rule =
                current.ok_or_else(|| fault(number, "a continuation without a rule above it"))?;
            (rule, trimmed.strip_prefix('|').unwrap_or(trimmed))
        } else {
            let name = line.split_whitespace().next().unwrap_or("");
            let right = line[name.len()..].trim_start().strip_prefix("->");
            let right = match right {
                Some(right) if is_name(name) => right,
                _ => return Err(fault(number, "expected NAME -> alternatives")),
            };
            let rule = reader.nonterminal(name, number);
            reader.defined[rule] = true;
            (rule, right)
        };
        current = Some(rule);
        // A line may end in a bar: the next one continues.
        let right = right.trim_end();
        let right = right.strip_suffix('|').unwrap_or(right);
        for alternative in reader.alternatives(right, number)? {
            reader.rules[rule].push((number, alternative));
        }
    }
    if reader.names.is_empty() {
        return Err(fault(1, "there is no rule"));
    }
    if let Some((word, _)) = reader.without.iter().find(|(_, seen)| !seen) {
        return Err(fault(1, format!("no alternative is the word `{word}`")));
    }
    reader.grammar()
}

fn fault(line: u64, message: impl Into<String>) -> GrammarError {
    GrammarError {
        line,
        message: message.into(),
    }
}

fn is_name(word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '<' | '>' | '/');
    !word.is_empty() && word != "->" && word.chars().all(part)
}

#[derive(Default)]
struct Reader {
    names: Vec<String>,
    lines: Vec<u64>,
    defined: Vec<bool>,
    numbers: HashMap<String, usize>,
    /// Alternatives with the line they stand in.
    rules: Vec<Vec<(u64, Vec<Symbol>)>>,
    /// Words to leave out, and whether they were met.
    without: Vec<(String, bool)>,
}

impl Reader {
    fn nonterminal(&mut self, name: &str, line: u64) -> usize {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.names.len();
        self.numbers.insert(name.to_owned(), number);
        self.names.push(name.to_owned());
        self.lines.push(line);
        self.defined.push(false);
        self.rules.push(Vec::new());
        number
    }

    fn alternatives(&mut self, right: &str, line: u64) -> Result<Vec<Vec<Symbol>>, GrammarError> {
        let mut alternatives = vec![Vec::new()];
        let mut rest = right.trim_start();
        while let Some(first) = rest.chars().next() {
            match first {
                '|' => {
                    alternatives.push(Vec::new());
                    rest = &rest[1..];
                }
                '"' | '\'' => {
                    let end = rest[1..]
                        .find(first)
                        .ok_or_else(|| fault(line, "a quotation mark is never closed"))?;
                    let terminal = Symbol::Terminal(terminal(&rest[1..1 + end]));
                    if let Some(last) = alternatives.last_mut() {
                        last.push(terminal);
                    }
                    rest = &rest[end + 2..];
                }
                _ => {
                    let end = rest
                        .find(|c: char| c.is_whitespace() || matches!(c, '|' | '"' | '\''))
                        .unwrap_or(rest.len());
                    let name = &rest[..end];
                    if !is_name(name) {
                        let message = format!("`{name}` is neither a name nor a quoted terminal");
                        return Err(fault(line, message));
                    }
                    let symbol = Symbol::Nonterminal(self.nonterminal(name, line));
                    if let Some(last) = alternatives.last_mut() {
                        last.push(symbol);
                    }
                    rest = &rest[end..];
                }
            }
            rest = rest.trim_start();
        }
        if alternatives.iter().any(Vec::is_empty) {
            return Err(fault(line, "an alternative is empty"));
        }
        alternatives.retain(|alternative| !self.leaves_out(alternative));
        Ok(alternatives)
    }

    fn leaves_out(&mut self, alternative: &[Symbol]) -> bool {
        let [Symbol::Terminal(terminal)] = alternative else {
            return false;
        };
        let mut left_out = false;
        for (word, seen) in &mut self.without {
            if terminal.text.trim_start() == word {
                (left_out, *seen) = (true, true);
            }
        }
        left_out
    }

    fn grammar(self) -> Result<Grammar, GrammarError> {
        let mut uses = vec![Vec::new(); self.names.len()];
        for (number, rule) in self.rules.iter().enumerate() {
            for (_, alternative) in rule {
                for symbol in alternative {
                    if let Symbol::Nonterminal(used) = symbol {
                        uses[number].push(*used);
                    }
                }
            }
        }
        let mut counting = Counting {
            reader: &self,
            rules: vec![None; self.names.len()],
            open: vec![false; self.names.len()],
        };
        for number in 0..self.names.len() {
            counting.count(number)?;
        }
        Ok(Grammar {
            rules: counting
                .rules
                .into_iter()
                .map(Option::unwrap_or_default)
                .collect(),
            names: self.names,
            lines: self.lines,
            defined: self.defined,
            uses,
        })
    }
}

/// Counts the sentences of every nonterminal, and keeps the alternatives that have any.
struct Counting<'a> {
    reader: &'a Reader,
    rules: Vec<Option<Rule>>,
    open: Vec<bool>,
}

impl Counting<'_> {
    fn count(&mut self, number: usize) -> Result<u64, GrammarError> {
        if let Some(rule) = &self.rules[number] {
            return Ok(rule.count());
        }
        let name = &self.reader.names[number];
        if self.open[number] {
            let line = self.reader.rules[number]
                .first()
                .map_or(1, |(line, _)| *line);
            return Err(fault(line, format!("`{name}` contains itself")));
        }
        self.open[number] = true;
        let mut rule = Rule::default();
        let mut total: u64 = 0;
        for (line, symbols) in &self.reader.rules[number] {
            let too_many = || {
                fault(
                    *line,
                    format!("`{name}` generates too many sentences to count"),
                )
            };
            let mut ways_after = vec![1; symbols.len()];
            let mut ways: u64 = 1;
            for (place, symbol) in symbols.iter().enumerate().rev() {
                ways_after[place] = ways;
                if let Symbol::Nonterminal(next) = symbol {
                    ways = ways.checked_mul(self.count(*next)?).ok_or_else(too_many)?;
                }
            }
            if ways > 0 {
                total = total.checked_add(ways).ok_or_else(too_many)?;
                rule.up_to.push(total);
                rule.alternatives.push(Alternative {
                    symbols: symbols.clone(),
                    ways_after,
                });
            }
        }
        self.open[number] = false;
        self.rules[number] = Some(rule);
        Ok(total)
    }
}

fn terminal(quoted: &str) -> Terminal {
    let mut terminal = Terminal::default();
    for word in quoted.split_whitespace() {
        if word.starts_with(ANSWER) {
            terminal.answers.push(word.to_owned());
            continue;
        }
        let (part, lower) = if word.starts_with(LABEL) {
            (&mut terminal.features, word.to_owned())
        } else {
            (&mut terminal.text, word.to_lowercase())
        };
        part.push(' ');
        part.push_str(&lower);
    }
    terminal
}
