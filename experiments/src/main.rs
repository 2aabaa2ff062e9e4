//! The command `stickslip`.

use std::process::ExitCode;

fn main() -> ExitCode {
    stickslip_experiments::command()
}
