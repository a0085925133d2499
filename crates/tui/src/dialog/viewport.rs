//! What the last drawing found out about sizes.

/// What the last drawing found out about sizes, for keys that move by what is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Viewport {
    pub(crate) field_width: usize,
    pub(crate) list_page: usize,
    pub(crate) reading: Scroll,
    pub(crate) preview: Scroll,
    /// There is something to read, and no row for it.
    pub(crate) unread: bool,
    pub(crate) overlay: Scroll,
}

impl Viewport {
    /// What decides which keys are told.
    pub(crate) fn keys(&self) -> [bool; 4] {
        let scrolls = [self.reading, self.preview, self.overlay].map(|it| it.last > 0);
        [scrolls[0], scrolls[1], scrolls[2], self.unread]
    }
}

/// How far a text scrolls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Scroll {
    pub(crate) page: usize,
    pub(crate) last: usize,
}

impl Scroll {
    /// The first line that is shown after a move from there.
    pub(crate) fn moved(self, from: usize, by: isize) -> usize {
        from.min(self.last).saturating_add_signed(by).min(self.last)
    }
}
