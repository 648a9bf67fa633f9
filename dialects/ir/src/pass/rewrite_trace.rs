//! The output of `--debug-only`: attempted patterns and their effects.

/// Debug output of passes, by topic.
///
/// A topic is a debug type as in `mlir-opt` (`greedy-rewriter`, `dialect-conversion`), or the name
/// of one pattern. The text is kept until the pass manager writes it to its log, after each pass.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    topics: Vec<String>,
    everything: bool,
    text: String,
}

impl Trace {
    /// A trace of these topics.
    pub fn of(topics: Vec<String>) -> Self {
        Trace {
            topics,
            ..Trace::default()
        }
    }

    /// A trace of all topics.
    pub fn of_everything() -> Self {
        Trace {
            everything: true,
            ..Trace::default()
        }
    }

    /// Whether any topic is enabled: check before creating text.
    pub fn is_on(&self) -> bool {
        self.everything || !self.topics.is_empty()
    }

    /// Whether a topic is enabled.
    pub fn shows(&self, topic: &str) -> bool {
        self.everything || self.topics.iter().any(|known| known == topic)
    }

    /// Adds a line, two spaces deeper for each level.
    pub fn line(&mut self, level: usize, text: &str) {
        for line in text.lines() {
            if !line.is_empty() {
                self.text.push_str(&"  ".repeat(level));
            }
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    /// Takes the text collected so far.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_topics_that_were_asked_for_are_shown() {
        let mut trace = Trace::of(vec!["greedy-rewriter".to_owned()]);
        assert!(trace.is_on() && trace.shows("greedy-rewriter"));
        assert!(!trace.shows("dialect-conversion"));
        assert!(!Trace::default().is_on() && Trace::of_everything().shows("anything"));
        trace.line(1, "a\n\nb");
        assert_eq!(trace.take(), "  a\n\n  b\n");
        assert_eq!(trace.take(), "");
    }
}
