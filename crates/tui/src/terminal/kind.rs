//! What kind of terminal it is, as far as its environment says so. Nothing asks the terminal itself.
//!
//! Where nothing is said, it is taken for one that can less.

/// The variables that say it.
struct Said<'a>(&'a dyn Fn(&str) -> Option<String>);

/// Whether it wraps what is longer than a window that got narrower. Others cut it.
pub(super) fn wraps() -> bool {
    Said(&variable).wraps()
}

/// Whether it holds an Esc back, until the next key, while a program uses the mouse.
pub(super) fn holds_esc_for_mouse() -> bool {
    Said(&variable).is_gnu_screen()
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

impl Said<'_> {
    fn text(&self, name: &str) -> String {
        (self.0)(name).unwrap_or_default()
    }

    fn is_set(&self, name: &str) -> bool {
        !self.text(name).is_empty()
    }

    /// It may have been started in tmux, or tmux in it: each passes on what it was started with. The
    /// name that both give to their terminals is all that comes over ssh.
    fn is_gnu_screen(&self) -> bool {
        self.is_set("STY") || self.text("TERM").starts_with("screen") && !self.is_set("TMUX")
    }

    fn wraps(&self) -> bool {
        let names = ["tmux", "xterm-kitty", "alacritty", "foot", "wezterm", "xterm-ghostty"];
        let programs = ["iTerm.app", "WezTerm", "ghostty", "vscode", "Apple_Terminal"];
        let variables = ["TMUX", "VTE_VERSION", "KONSOLE_VERSION", "WT_SESSION"];
        let (term, program) = (self.text("TERM"), self.text("TERM_PROGRAM"));
        !self.is_gnu_screen()
            && (variables.into_iter().any(|name| self.is_set(name))
                || names.into_iter().any(|name| term.starts_with(name))
                || programs.contains(&program.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::nothing_is_known(&[("TERM", "xterm-256color")], false, false)]
    #[case::tmux(&[("TERM", "screen-256color"), ("TMUX", "/tmp/tmux-0/default,1,0")], true, false)]
    #[case::tmux_over_ssh(&[("TERM", "tmux-256color")], true, false)]
    #[case::gnu_screen(&[("TERM", "screen"), ("STY", "1.pts-0.host")], false, true)]
    #[case::gnu_screen_over_ssh(&[("TERM", "screen.xterm-256color")], false, true)]
    #[case::one_in_the_other(&[("TERM", "screen"), ("STY", "1.a"), ("TMUX", "/tmp/a,1,0")], false, true)]
    #[case::vte(&[("TERM", "xterm-256color"), ("VTE_VERSION", "7200")], true, false)]
    fn a_terminal_is_known_by_what_it_says(
        #[case] said: &[(&str, &str)],
        #[case] wraps: bool,
        #[case] holds_esc: bool,
    ) {
        let variable = |name: &str| {
            let found = said.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };

        let kind = Said(&variable);

        assert_eq!((kind.wraps(), kind.is_gnu_screen()), (wraps, holds_esc));
    }
}
