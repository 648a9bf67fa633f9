//! The program `orison-lit`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    // Programs built together lie together.
    let own_directory = std::env::current_exe()
        .ok()
        .and_then(|path| path.parent().map(std::path::Path::to_path_buf));
    let code = orison_filecheck::lit::main(&arguments, own_directory);
    ExitCode::from(u8::try_from(code).unwrap_or(2))
}
