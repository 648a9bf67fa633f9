//! External programs.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The exit code, or the negated signal number if a signal ended the program.
pub(super) fn exit_code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            return -signal;
        }
    }
    status.code().unwrap_or(1)
}

/// Puts the program and its children into a separate process group, so that a timeout kills them
/// all.
pub(super) fn make_group(command: &mut Command) {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        command.process_group(0);
    }
    #[cfg(not(unix))]
    {
        let _ = command;
    }
}

/// Kills a program and its process group.
pub(super) fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        // The standard library has no safe interface for signals to process groups.
        let _ = Command::new("/bin/kill")
            .args(["-KILL", "--", &format!("-{}", child.id())])
            .status();
    }
    let _ = child.kill();
}

/// Waits until the program ends or the deadline passes; `None` if it passed.
pub(super) fn wait(child: &mut Child, deadline: Option<Instant>) -> io::Result<Option<ExitStatus>> {
    let Some(deadline) = deadline else {
        return child.wait().map(Some);
    };
    let mut pause = Duration::from_micros(50);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let now = Instant::now();
        if now >= deadline {
            return Ok(None);
        }
        thread::sleep(pause.min(deadline - now));
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

/// Reads a stream in the background.
pub(super) fn collect(mut stream: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // Output read before an error is still shown.
        let _ = stream.read_to_end(&mut bytes);
        let _ = sender.send(bytes);
    });
    receiver
}

/// What a background reader has read. After the deadline the wait is short, because an escaped
/// program may hold the stream open.
pub(super) fn received(receiver: &Receiver<Vec<u8>>, timed_out: bool) -> Vec<u8> {
    if timed_out {
        return receiver
            .recv_timeout(Duration::from_millis(500))
            .unwrap_or_default();
    }
    receiver.recv().unwrap_or_default()
}
