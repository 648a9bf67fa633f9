//! The progress bar.

use anstream::{AutoStream, ColorChoice};

use super::output::print;

/// A line at the bottom of the terminal.
pub(super) struct Progress {
    shown: bool,
    failed: bool,
    count: usize,
    enabled: bool,
    colored: bool,
}

impl Progress {
    /// A bar for `count` tests; it shows nothing unless `enabled`. The environment determines
    /// whether it is coloured.
    pub(super) fn new(count: usize, enabled: bool) -> Progress {
        let colored = AutoStream::choice(&std::io::stdout()) != ColorChoice::Never;
        Progress {
            shown: false,
            failed: false,
            count,
            enabled,
            colored,
        }
    }

    /// Shows that a test failed.
    pub(super) fn fail(&mut self) {
        self.failed = true;
    }

    pub(super) fn show(&mut self, done: usize, name: &str) {
        const WIDTH: usize = 30;
        if !self.enabled {
            return;
        }
        let filled = WIDTH * done / self.count.max(1);
        let (color, plain) = match (self.colored, self.failed) {
            (false, _) => ("", ""),
            (true, false) => ("\x1b[32m", "\x1b[0m"),
            (true, true) => ("\x1b[31m", "\x1b[0m"),
        };
        let (bar, rest) = ("=".repeat(filled), " ".repeat(WIDTH - filled));
        let name: String = name.chars().take(60).collect();
        print(&format!(
            "\r[{color}{bar}{rest}{plain}] {done}/{} {name}\x1b[K",
            self.count
        ));
        self.shown = true;
    }

    pub(super) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            print("\r\x1b[K");
        }
    }
}
