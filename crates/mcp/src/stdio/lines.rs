//! Messages by lines, each of a bounded length.

use askwell_core::texts;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};

use crate::message::{self, Message, Refusal, Sift};

/// The longest line that is read, in bytes: a request at its bound, however its characters are escaped.
pub(super) const LONGEST: usize = 16 * 1024 * 1024;

/// What is read, line by line.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    line: Line,
}

/// What has come of a line.
enum Line {
    Kept(Vec<u8>),
    /// It is too long: only the id of its call is looked for.
    Sifted(Sift),
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub fn new(input: R) -> Self {
        Self { input: BufReader::new(input), line: Line::Kept(Vec::new()) }
    }

    /// What the next line says; nothing once there is none any more. What has come of a line is kept
    /// where this is dropped.
    pub async fn next(&mut self) -> Option<Result<Message, Refusal>> {
        loop {
            let line = self.line().await?;
            let read = match line {
                Line::Kept(line) => message::read(&line),
                Line::Sifted(sift) => {
                    Err(Refusal::invalid(sift.id(), texts::line_too_long(LONGEST)))
                }
            };
            if let Some(read) = read.transpose() {
                return Some(read);
            }
        }
    }

    async fn line(&mut self) -> Option<Line> {
        loop {
            let come = match self.input.fill_buf().await {
                Ok([]) => return None,
                Ok(come) => come,
                Err(error) => {
                    tracing::error!(%error, "standard input can't be read");
                    return None;
                }
            };
            let end = come.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(come.len(), |end| end + 1);
            self.line.take(&come[..taken]);
            self.input.consume(taken);
            if end.is_some() {
                return Some(std::mem::replace(&mut self.line, Line::Kept(Vec::new())));
            }
        }
    }
}

impl Line {
    fn take(&mut self, bytes: &[u8]) {
        match self {
            Self::Kept(line) if line.len() + bytes.len() <= LONGEST => {
                line.extend_from_slice(bytes);
            }
            Self::Kept(line) => {
                let mut sift = Sift::default();
                sift.feed(line);
                sift.feed(bytes);
                *self = Self::Sifted(sift);
            }
            Self::Sifted(sift) => sift.feed(bytes),
        }
    }
}
