//! Streaming CoNLL-U reader: one sentence in memory at a time.
//!
//! Strict about what could shift an analysis (columns, ids, heads, text), tolerant about what
//! could not: CRLF, a byte-order mark, several blank lines, no blank line at the end.

use std::io::BufRead;

use super::comments::Comments;
use super::error::ReadError;
use super::sentence::{Analysis, Sentence, SurfaceToken, Word};
use super::text;

/// The sentences of a CoNLL-U file. Ends after the first error.
#[derive(Debug)]
pub struct Sentences<R> {
    input: R,
    buffer: Vec<u8>,
    line: usize,
    sentences: usize,
    finished: bool,
}

impl<R: BufRead> Sentences<R> {
    pub fn new(input: R) -> Sentences<R> {
        Sentences {
            input,
            buffer: Vec::new(),
            line: 0,
            sentences: 0,
            finished: false,
        }
    }

    fn next_sentence(&mut self) -> Result<Option<Sentence>, ReadError> {
        let mut comments = Comments::default();
        let mut tokens = TokenList::default();
        let mut first_line = 0;
        while self.read_line()? {
            let line = self.line;
            let content = content(&self.buffer, line)?;
            if content.is_empty() {
                if !tokens.is_empty() || comments.announce_sentence() {
                    break;
                }
                comments.end_block();
            } else if content.starts_with('#') {
                if !tokens.is_empty() {
                    return Err(ReadError::MisplacedComment { line });
                }
                comments.add(content, line)?;
                first_line = line;
            } else {
                if tokens.is_empty() {
                    first_line = line;
                }
                tokens.add(content, line)?;
            }
        }
        if !tokens.is_empty() || comments.announce_sentence() {
            return finish(comments, tokens, first_line).map(Some);
        }
        match comments.document {
            Some(document) => Err(ReadError::EmptyDocument {
                line: document.line,
            }),
            None => Ok(None),
        }
    }

    /// Reads the next line into the buffer; false at the end of the file.
    fn read_line(&mut self) -> Result<bool, ReadError> {
        self.buffer.clear();
        let line = self.line + 1;
        let length = self
            .input
            .read_until(b'\n', &mut self.buffer)
            .map_err(|source| ReadError::Io { line, source })?;
        self.line = line;
        Ok(length > 0)
    }
}

impl<R: BufRead> Iterator for Sentences<R> {
    type Item = Result<Sentence, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.finished {
            return None;
        }
        let result = match self.next_sentence() {
            Ok(None) if self.sentences == 0 => Err(ReadError::Empty),
            other => other,
        };
        self.sentences += 1;
        self.finished = !matches!(result, Ok(Some(_)));
        result.transpose()
    }
}

/// A line without its end and, on the first line, without a byte-order mark.
fn content(bytes: &[u8], line: usize) -> Result<&str, ReadError> {
    let content = str::from_utf8(bytes).map_err(|_| ReadError::InvalidUtf8 { line })?;
    let content = content.strip_suffix('\n').unwrap_or(content);
    let content = content.strip_suffix('\r').unwrap_or(content);
    Ok(match line {
        1 => content.strip_prefix('\u{feff}').unwrap_or(content),
        _ => content,
    })
}

fn finish(comments: Comments, tokens: TokenList, first_line: usize) -> Result<Sentence, ReadError> {
    let mut tokens = tokens.finish()?;
    let text_line = match comments.text {
        Some(_) => comments.text_line,
        None => first_line,
    };
    let text = comments.text.unwrap_or_else(|| text::rebuild(&tokens));
    text::locate(&text, &mut tokens, text_line)?;
    Ok(Sentence {
        sent_id: comments.sent_id,
        text,
        document: comments.document,
        starts_paragraph: comments.starts_paragraph,
        line: first_line,
        tokens,
    })
}

/// The tokens read so far, and what is needed to check the ids and heads of the rest.
#[derive(Debug, Default)]
struct TokenList {
    tokens: Vec<SurfaceToken>,
    /// Line and head of every word; heads can be checked only at the end.
    heads: Vec<(usize, usize)>,
    /// A multi-word token whose sub-words are still to come.
    open_range: Option<OpenRange>,
    /// Whether any token line was seen, empty nodes included.
    started: bool,
}

#[derive(Debug)]
struct OpenRange {
    last: usize,
    id: String,
    line: usize,
}

impl TokenList {
    fn is_empty(&self) -> bool {
        !self.started
    }

    fn add(&mut self, content: &str, line: usize) -> Result<(), ReadError> {
        let columns: Vec<&str> = content.split('\t').collect();
        let [id, form, _, upos, _, feats, head, _, _, misc] = columns[..] else {
            return Err(ReadError::ColumnCount {
                line,
                found: columns.len(),
            });
        };
        self.started = true;
        if form.is_empty() {
            return Err(ReadError::EmptyForm { line });
        }
        let bad_id = |reason| ReadError::BadId {
            line,
            id: id.to_owned(),
            reason,
        };
        let next = self.heads.len() + 1;
        match TokenId::parse(id).ok_or_else(|| bad_id("expected `3`, `3-4` or `3.1`"))? {
            TokenId::Empty(after) if after == self.heads.len() => Ok(()),
            TokenId::Range(first, last) if first == next && last >= first => {
                if self.open_range.is_some() {
                    return Err(bad_id("it lies inside another multi-word token"));
                }
                self.open_range = Some(OpenRange {
                    last,
                    id: id.to_owned(),
                    line,
                });
                self.push(form, misc, Analysis::MultiWord(Vec::new()));
                Ok(())
            }
            TokenId::Word(id) if id == next => {
                let head = number(head).ok_or_else(|| ReadError::BadHead {
                    line,
                    head: head.to_owned(),
                })?;
                self.heads.push((line, head));
                let word = Word {
                    id,
                    form: form.to_owned(),
                    upos: upos.to_owned(),
                    feats: feats.to_owned(),
                    head,
                };
                self.push_word(word, misc);
                Ok(())
            }
            _ => Err(bad_id("ids must count 1, 2, 3, …")),
        }
    }

    /// A word goes into the open multi-word token where there is one, else into the list.
    fn push_word(&mut self, word: Word, misc: &str) {
        let Some(range) = &self.open_range else {
            let form = word.form.clone();
            return self.push(&form, misc, Analysis::Word(word));
        };
        if word.id == range.last {
            self.open_range = None;
        }
        if let Some(Analysis::MultiWord(words)) = self.tokens.last_mut().map(|t| &mut t.analysis) {
            words.push(word);
        }
    }

    fn push(&mut self, form: &str, misc: &str, analysis: Analysis) {
        self.tokens.push(SurfaceToken {
            form: form.to_owned(),
            lowercase: form.to_lowercase(),
            start: 0,
            end: 0,
            space_after: !misc.split('|').any(|item| item == "SpaceAfter=No"),
            analysis,
        });
    }

    fn finish(self) -> Result<Vec<SurfaceToken>, ReadError> {
        let words = self.heads.len();
        if let Some(OpenRange { id, line, .. }) = self.open_range {
            return Err(ReadError::BadId {
                line,
                id,
                reason: "the sentence ends before the multi-word token does",
            });
        }
        match self.heads.into_iter().find(|(_, head)| *head > words) {
            Some((line, head)) => Err(ReadError::HeadOutOfRange { line, head, words }),
            None => Ok(self.tokens),
        }
    }
}

enum TokenId {
    Word(usize),
    /// A multi-word token, from its first to its last word.
    Range(usize, usize),
    /// An empty node, after this word.
    Empty(usize),
}

impl TokenId {
    fn parse(id: &str) -> Option<TokenId> {
        if let Some((first, last)) = id.split_once('-') {
            Some(TokenId::Range(number(first)?, number(last)?))
        } else if let Some((after, index)) = id.split_once('.') {
            number(index)?;
            Some(TokenId::Empty(number(after)?))
        } else {
            number(id).map(TokenId::Word)
        }
    }
}

/// Digits only: `usize::from_str` would also take `+3`.
fn number(digits: &str) -> Option<usize> {
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        digits.parse().ok()
    } else {
        None
    }
}
