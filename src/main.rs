//! The `keepsake` binary. Everything is in the library, so that tests and benches can use it.

fn main() -> std::process::ExitCode {
    keepsake::cli::run()
}
