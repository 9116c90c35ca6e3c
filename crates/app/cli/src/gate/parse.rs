//! From what was typed to what it means.

use super::{Aggregate, Comparison, Condition, Function, Operator, Selector, Statement};

pub fn parse(expression: &str) -> Result<Statement, String> {
    let mut parser = Parser {
        tokens: tokens(expression)?,
        place: 0,
    };
    let parsed = parser.either()?;
    match parser.tokens.get(parser.place) {
        None => Ok(parsed.stated()),
        Some(token) => Err(format!("`{}` is not expected there", token.text())),
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Open,
    Close,
    And,
    Or,
    Operator(Operator),
    Number(f64, String),
    /// A name, with what stood in brackets after it.
    Name(String, Option<Vec<String>>),
}

impl Token {
    fn text(&self) -> String {
        match self {
            Token::Open => "(".to_owned(),
            Token::Close => ")".to_owned(),
            Token::And => "and".to_owned(),
            Token::Or => "or".to_owned(),
            Token::Operator(operator) => operator.sign().to_owned(),
            Token::Number(_, text) | Token::Name(text, _) => text.clone(),
        }
    }
}

/// Parentheses within parentheses; deeper is no condition, and would overflow the stack.
const DEEPEST: usize = 64;

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut depth = 0usize;
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let sign = Operator::SIGNS
            .iter()
            .find(|(sign, _)| rest.starts_with(sign));
        let (token, length) = match first {
            '(' => (Token::Open, 1),
            ')' => (Token::Close, 1),
            _ if rest.starts_with("&&") => (Token::And, 2),
            _ if rest.starts_with("||") => (Token::Or, 2),
            _ if sign.is_some() => {
                let (sign, operator) = sign.expect("it was just found");
                (Token::Operator(*operator), sign.len())
            }
            _ => word(rest)?,
        };
        match token {
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Err(format!("more than {DEEPEST} parentheses within each other"));
        }
        tokens.push(token);
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

/// Comparisons in other notations, and the sign for each.
const MEANT: [(&str, &str); 6] = [
    ("=>", ">="),
    ("=<", "<="),
    ("=", "=="),
    ("≥", ">="),
    ("≤", "<="),
    ("≠", "!="),
];

/// A name or a number, and how many bytes it takes.
fn word(rest: &str) -> Result<(Token, usize), String> {
    let ends = |letter: char| letter.is_whitespace() || "()[]<>=!&|≥≤≠".contains(letter);
    let length = rest.find(ends).unwrap_or(rest.len());
    let name = &rest[..length];
    if let Some(brackets) = rest[length..].strip_prefix('[') {
        let (selectors, inside) = selectors(brackets).map_err(|_| {
            let upto = rest.split_whitespace().next().unwrap_or(rest);
            format!("`{upto}` lacks a closing bracket")
        })?;
        let token = Token::Name(name.to_owned(), Some(selectors));
        return Ok((token, length + 1 + inside));
    }
    if name.is_empty() {
        let meant = MEANT.iter().find(|(typed, _)| rest.starts_with(typed));
        return Err(match meant {
            Some((typed, sign)) => format!("write `{sign}` for `{typed}`"),
            None => format!("`{rest}` begins with something unknown"),
        });
    }
    let token = match name {
        "and" => Token::And,
        "or" => Token::Or,
        "AND" | "And" => return Err(format!("write `and` for `{name}`")),
        "OR" | "Or" => return Err(format!("write `or` for `{name}`")),
        "not" | "NOT" => {
            return Err("there is no `not`: turn the comparison round".to_owned());
        }
        _ => match name.parse::<f64>() {
            Ok(number) if number.is_finite() && starts_as_number(name) => {
                Token::Number(number, name.to_owned())
            }
            _ => Token::Name(name.to_owned(), None),
        },
    };
    Ok((token, length))
}

/// `n` and `inf` are names.
fn starts_as_number(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
}

/// What stands in brackets, and how many bytes it takes with the closing one.
fn selectors(text: &str) -> Result<(Vec<String>, usize), ()> {
    let mut found = vec![String::new()];
    let mut quoted = false;
    for (place, letter) in text.char_indices() {
        let last = found.last_mut().expect("there is always one");
        match letter {
            '"' => quoted = !quoted,
            _ if quoted => last.push(letter),
            ']' => {
                let found = found.iter().map(|one| one.trim().to_owned()).collect();
                return Ok((found, place + 1));
            }
            ',' => found.push(String::new()),
            _ => last.push(letter),
        }
    }
    Err(())
}

/// Conditions about one row stay together as long as nothing else is joined to them.
enum Parsed {
    Condition(Condition),
    Statement(Statement),
}

impl Parsed {
    fn stated(self) -> Statement {
        match self {
            Parsed::Condition(condition) => Statement::Any(condition),
            Parsed::Statement(statement) => statement,
        }
    }

    fn join(
        parts: Vec<Parsed>,
        conditions: fn(Vec<Condition>) -> Condition,
        statements: fn(Vec<Statement>) -> Statement,
    ) -> Parsed {
        let mut about_rows = Vec::new();
        let mut others = Vec::new();
        for part in parts {
            match part {
                Parsed::Condition(condition) => about_rows.push(condition),
                Parsed::Statement(statement) => others.push(statement),
            }
        }
        let row = match about_rows.len() {
            0 => None,
            1 => about_rows.pop(),
            _ => Some(conditions(about_rows)),
        };
        match (row, others.is_empty()) {
            (Some(row), true) => Parsed::Condition(row),
            (row, _) => {
                others.extend(row.map(Statement::Any));
                match others.len() {
                    1 => Parsed::Statement(others.remove(0)),
                    _ => Parsed::Statement(statements(others)),
                }
            }
        }
    }
}

struct Parser {
    tokens: Vec<Token>,
    place: usize,
}

impl Parser {
    fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.place).cloned();
        self.place += usize::from(token.is_some());
        token
    }

    fn takes(&mut self, wanted: &Token) -> bool {
        let found = self.tokens.get(self.place) == Some(wanted);
        self.place += usize::from(found);
        found
    }

    fn either(&mut self) -> Result<Parsed, String> {
        let mut parts = vec![self.both()?];
        while self.takes(&Token::Or) {
            parts.push(self.both()?);
        }
        Ok(Parsed::join(parts, Condition::Either, Statement::Either))
    }

    fn both(&mut self) -> Result<Parsed, String> {
        let mut parts = vec![self.statement()?];
        while self.takes(&Token::And) {
            parts.push(self.statement()?);
        }
        Ok(Parsed::join(parts, Condition::Every, Statement::Every))
    }

    fn statement(&mut self) -> Result<Parsed, String> {
        match self.next() {
            None => Err("a comparison is missing at the end".to_owned()),
            Some(Token::Open) => {
                let inside = self.either()?;
                self.close("(")?;
                Ok(inside)
            }
            Some(Token::Name(name, None)) if self.tokens.get(self.place) == Some(&Token::Open) => {
                self.place += 1;
                self.called(&name)
            }
            Some(Token::Name(metric, selectors)) => {
                let comparison = self.compared(Function::Value, metric, selectors)?;
                Ok(Parsed::Condition(Condition::One(comparison)))
            }
            Some(other) => Err(format!("`{}` names no metric", other.text())),
        }
    }

    /// `name(` has been read.
    fn called(&mut self, name: &str) -> Result<Parsed, String> {
        match name {
            "any" | "all" => {
                let Parsed::Condition(condition) = self.either()? else {
                    return Err(format!(
                        "{name}(…) is about rows; it holds no any, all, worst, mean"
                    ));
                };
                self.close(name)?;
                Ok(Parsed::Statement(match name {
                    "any" => Statement::Any(condition),
                    _ => Statement::All(condition),
                }))
            }
            "worst" | "mean" => {
                let (function, metric, selectors) = self.value()?;
                self.close(name)?;
                let aggregate = match name {
                    "worst" => Aggregate::Worst,
                    _ => Aggregate::Mean,
                };
                let comparison = self.compared(function, metric, selectors)?;
                Ok(Parsed::Statement(Statement::Aggregate(
                    aggregate, comparison,
                )))
            }
            _ => {
                let function = function(name)?;
                let (metric, selectors) = self.rows()?;
                self.close(name)?;
                let comparison = self.compared(function, metric, selectors)?;
                Ok(Parsed::Condition(Condition::One(comparison)))
            }
        }
    }

    fn value(&mut self) -> Result<(Function, String, Option<Vec<String>>), String> {
        if let Some(Token::Name(name, None)) = self.tokens.get(self.place).cloned()
            && self.tokens.get(self.place + 1) == Some(&Token::Open)
        {
            self.place += 2;
            let function = function(&name)?;
            let (metric, selectors) = self.rows()?;
            self.close(&name)?;
            return Ok((function, metric, selectors));
        }
        let (metric, selectors) = self.rows()?;
        Ok((Function::Value, metric, selectors))
    }

    fn rows(&mut self) -> Result<(String, Option<Vec<String>>), String> {
        match self.next() {
            Some(Token::Name(metric, selectors)) => Ok((metric, selectors)),
            Some(other) => Err(format!("`{}` names no metric", other.text())),
            None => Err("a metric is missing at the end".to_owned()),
        }
    }

    fn close(&mut self, what: &str) -> Result<(), String> {
        if self.takes(&Token::Close) {
            Ok(())
        } else {
            Err(format!("`{what}` lacks a closing parenthesis"))
        }
    }

    fn compared(
        &mut self,
        function: Function,
        metric: String,
        selectors: Option<Vec<String>>,
    ) -> Result<Comparison, String> {
        if metric.is_empty() {
            return Err("a selector stands without its metric".to_owned());
        }
        let Some(Token::Operator(operator)) = self.next() else {
            return Err(format!("`{metric}` is compared with nothing"));
        };
        let bound = match self.next() {
            Some(Token::Number(bound, _)) => bound,
            Some(other) => return Err(format!("`{}` is not a number", other.text())),
            None => return Err("a number is missing at the end".to_owned()),
        };
        let selectors = selectors.unwrap_or_default();
        if selectors.iter().any(String::is_empty) {
            return Err(format!("`{metric}[…]` has an empty selector"));
        }
        Ok(Comparison {
            function,
            metric,
            selectors: selectors.iter().map(|text| Selector::new(text)).collect(),
            operator,
            bound,
        })
    }
}

fn function(name: &str) -> Result<Function, String> {
    let found = Function::NAMES.iter().find(|(known, _)| *known == name);
    found.map(|(_, function)| *function).ok_or_else(|| {
        format!("`{name}` is none of low, high, abs, distance, n, any, all, worst, mean")
    })
}
