//! A program in a real pseudo-terminal, with a person in front of it: keys go in, a picture of the
//! screen comes out. What the program does is the program's; this only types, looks and waits.
//!
//! Invariant: no wait is a guess. Each has a name, a condition on what the program really wrote or
//! did, and a deadline, and fails with the name and the screen.

mod builder;
mod markup;
mod reader;
mod screen;
mod waits;

use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use filedescriptor::FileDescriptor;
use portable_pty::{MasterPty, PtySize, native_pty_system};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, kill_process, kill_process_group};
use rustix::termios::{LocalModes, OutputModes, tcgetattr};

pub use builder::TerminalBuilder;
use reader::Shared;
pub use rustix::process::Signal;
pub use screen::{Modes, Screen};

use crate::{TestEnvironment, deadline, keys};

/// A running program and its terminal. Methods that do something give the terminal back, so that
/// they can be chained: `terminal.keys("<down>c").types("also this").keys("<enter>")`.
pub struct TestTerminal {
    shared: Arc<Shared>,
    master: Mutex<Option<Master>>,
    process: Pid,
    threads: Vec<JoinHandle<()>>,
    /// Keeps the folders that the program runs in.
    environment: TestEnvironment,
}

/// Our end. Dropped as one: the kernel hangs up when no copy is left.
struct Master {
    pty: Box<dyn MasterPty + Send>,
    descriptor: FileDescriptor,
    terminal: PathBuf,
    /// Closing it stops the reader.
    _stop: OwnedFd,
}

impl TestTerminal {
    #[track_caller]
    fn start(builder: TerminalBuilder) -> Self {
        let (columns, rows) = (builder.columns, builder.rows);
        let pair = native_pty_system().openpty(size(columns, rows)).unwrap();
        // A duplicate of our own: portable-pty's writer types a line end and EOT when dropped, and
        // its reader cannot be stopped, so that nothing could ever be hung up.
        let descriptor = FileDescriptor::dup(&pair.master.as_raw_fd().unwrap()).unwrap();
        let reading = descriptor.try_clone().unwrap();
        rustix::io::ioctl_fionbio(&descriptor, true).unwrap();
        let terminal = pair.master.tty_name().unwrap();

        let child = pair.slave.spawn_command(builder.command()).unwrap();
        let process = Pid::from_raw(child.process_id().unwrap().try_into().unwrap()).unwrap();

        let shared = Shared::new(columns, rows, builder.kitty);
        let (stopped, stop) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).unwrap();
        let (reader, reaper) = (Arc::clone(&shared), Arc::clone(&shared));
        let slave = pair.slave;
        let threads = vec![
            thread::spawn(move || reader.read_from(&reading, &stopped)),
            thread::spawn(move || {
                reaper.reap(process);
                // Held until now, as a person's shell does: a program whose three streams are all
                // redirected may have no end open for a while. Held longer, no end is ever told.
                drop(slave);
            }),
        ];
        let master = Master { pty: pair.master, descriptor, terminal, _stop: stop };
        Self {
            shared,
            master: Mutex::new(Some(master)),
            process,
            threads,
            environment: builder.environment,
        }
    }

    /// The environment that the program runs in.
    pub fn environment(&self) -> &TestEnvironment {
        &self.environment
    }

    /// The program's process id.
    pub fn process_id(&self) -> u32 {
        self.process.as_raw_nonzero().get().unsigned_abs()
    }

    /// Presses keys, in the notation of [`keys`]. An Esc is read by the program before the next key
    /// comes, as it is when a person types.
    #[track_caller]
    pub fn keys(&self, notation: &str) -> &Self {
        for key in keys::parse(notation) {
            self.sends_bytes(&key.0);
            if key.is_escape() {
                self.wait_read();
            }
        }
        self
    }

    /// Types text, character for character.
    #[track_caller]
    pub fn types(&self, text: &str) -> &Self {
        self.sends_bytes(text.as_bytes())
    }

    /// Types a line, and waits until this was written after it.
    #[track_caller]
    pub fn line(&self, line: &str, then: &str) -> &Self {
        let mark = self.mark();
        self.types(&format!("{line}\r")).wait_written(mark, then)
    }

    /// Pastes text in brackets, with the line ends that terminals send.
    #[track_caller]
    pub fn pastes(&self, text: &str) -> &Self {
        self.sends_bytes(&keys::paste(text))
    }

    /// Sends bytes just as they are.
    #[track_caller]
    pub fn sends_bytes(&self, mut bytes: &[u8]) -> &Self {
        let until = Instant::now() + deadline();
        self.with_master(|master| {
            while !bytes.is_empty() {
                match rustix::io::write(&master.descriptor, bytes) {
                    Ok(written) => bytes = &bytes[written..],
                    Err(Errno::INTR) => {}
                    Err(Errno::AGAIN) if Instant::now() < until => {
                        ready(&master.descriptor, PollFlags::OUT, Duration::from_millis(10));
                    }
                    Err(error) => panic!(
                        "{} bytes could not be typed: {error}\n{}",
                        bytes.len(),
                        self.report()
                    ),
                }
            }
        });
        self
    }

    /// Gives the window another size, which the program is told by SIGWINCH.
    pub fn resize(&self, columns: u16, rows: u16) -> &Self {
        let (parser_rows, parser_columns) = reader::parser_size(columns, rows);
        self.shared.change(|state| state.parser.set_size(parser_rows, parser_columns));
        self.with_master(|master| master.pty.resize(size(columns, rows)).unwrap());
        self
    }

    /// Sends a signal to the program alone.
    pub fn signal(&self, signal: Signal) -> &Self {
        match kill_process(self.process, signal) {
            Ok(()) | Err(Errno::SRCH) => self,
            Err(error) => panic!("{signal:?}: {error}"),
        }
    }

    /// Sends a signal to the foreground process group, as the terminal does for Ctrl-C.
    pub fn signal_foreground(&self, signal: Signal) -> &Self {
        let group = self.with_master(|master| master.pty.process_group_leader());
        kill_process_group(Pid::from_raw(group.unwrap()).unwrap(), signal).unwrap();
        self
    }

    /// Closes the window: the kernel sends SIGHUP, and reads and writes of the program fail.
    pub fn hang_up(&self) -> &Self {
        drop(self.lock_master().take());
        let closed =
            self.shared.wait(Instant::now() + deadline(), |state| state.closed.then_some(()));
        assert!(closed.is_some(), "the reader did not let go of the terminal");
        self
    }

    /// The text on the screen, without blanks at the ends of rows and blank rows at its end.
    pub fn screen(&self) -> String {
        self.picture().text()
    }

    /// The screen and its cursor, to look at more than the text.
    pub fn picture(&self) -> Screen {
        self.shared.lock().screen()
    }

    /// A row's text, from 0.
    pub fn row(&self, number: usize) -> String {
        self.picture().row(number).to_owned()
    }

    /// Row and column of the cursor, from 0.
    pub fn cursor(&self) -> (u16, u16) {
        self.picture().cursor
    }

    /// Whether the program has hidden the cursor.
    pub fn cursor_hidden(&self) -> bool {
        self.picture().cursor_hidden
    }

    /// The screen as escape sequences: text with its colours and attributes.
    pub fn contents_formatted(&self) -> String {
        self.shared.lock().parser.screen().contents_formatted()
    }

    /// Every byte that the program has written to the terminal.
    pub fn raw_output(&self) -> Vec<u8> {
        self.shared.lock().raw.clone()
    }

    /// A point in the output, for [`Self::bytes_since`].
    pub fn mark(&self) -> usize {
        self.shared.lock().raw.len()
    }

    /// What the program has written since the mark.
    pub fn bytes_since(&self, mark: usize) -> Vec<u8> {
        self.shared.lock().raw[mark..].to_vec()
    }

    /// What the program has changed about its terminal. Not to be had after [`Self::hang_up`].
    pub fn modes(&self) -> Modes {
        let line = self.with_master(|master| tcgetattr(&master.descriptor)).unwrap();
        let state = self.shared.lock();
        let screen = state.parser.screen();
        Modes {
            alternate_screen: screen.alternate_screen(),
            bracketed_paste: screen.bracketed_paste(),
            cursor_hidden: screen.hide_cursor(),
            mouse: screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None,
            keyboard_levels: state.parser.callbacks().keyboard_levels,
            echo: line.local_modes.contains(LocalModes::ECHO),
            canonical: line.local_modes.contains(LocalModes::ICANON),
            signals: line.local_modes.contains(LocalModes::ISIG),
            output_processing: line.output_modes.contains(OutputModes::OPOST),
        }
    }

    /// Asserts that the terminal is as a shell expects it.
    #[track_caller]
    pub fn assert_restored(&self) -> &Self {
        let modes = self.modes();
        assert!(modes == Modes::USUAL, "not restored: {modes:#?}\n{}", self.report());
        self
    }

    /// Asserts that nothing was written but text: no escape code. And that the terminal is restored.
    #[track_caller]
    pub fn assert_plain(&self) -> &Self {
        assert!(!self.raw_output().contains(&0x1b), "an escape code\n{}", self.report());
        self.assert_restored()
    }

    fn lock_master(&self) -> std::sync::MutexGuard<'_, Option<Master>> {
        self.master.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    #[track_caller]
    fn with_master<T>(&self, use_it: impl FnOnce(&Master) -> T) -> T {
        use_it(self.lock_master().as_ref().expect("the terminal was hung up"))
    }
}

impl Drop for TestTerminal {
    fn drop(&mut self) {
        if self.shared.lock().exit.is_none() {
            // The program leads its group; both may just have ended by themselves.
            let _ = kill_process_group(self.process, Signal::KILL);
            let _ = kill_process(self.process, Signal::KILL);
        }
        drop(self.lock_master().take());
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

/// Whether the descriptor has any of `events` within `time`.
fn ready(descriptor: &impl std::os::fd::AsFd, events: PollFlags, time: Duration) -> bool {
    let mut sources = [PollFd::new(descriptor, events)];
    let time = Timespec::try_from(time).unwrap();
    poll(&mut sources, Some(&time)).is_ok() && sources[0].revents().intersects(events)
}

#[cfg(test)]
mod tests;
