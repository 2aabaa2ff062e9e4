//! Tests that count the allocations of their process. Each runs alone in it, without libtest, whose threads allocate too:
//! after 60 seconds, for one, to say that a test takes long.

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// How often `work` asks for memory, new or larger.
pub fn allocations(work: impl FnOnce()) -> usize {
    let region = Region::new(COUNTED);
    work();
    let change = region.change();
    change.allocations + change.reallocations
}

/// Runs `test` unless the arguments of the command line leave `name` out. They are libtest's: names to
/// look for, `--exact`, `--skip NAME`, `--ignored`, `--list`.
pub fn alone(name: &str, test: fn()) {
    let (mut wanted, mut skipped) = (Vec::new(), Vec::new());
    let (mut exact, mut others) = (false, false);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--list" => {
                println!("{name}: test");
                return;
            }
            "--exact" => exact = true,
            "--ignored" => others = true,
            "--skip" => skipped.extend(args.next()),
            // Options with a value of their own.
            "--test-threads" | "--color" | "--format" | "-Z" | "--logfile" => {
                args.next();
            }
            option if option.starts_with('-') => {}
            _ => wanted.push(arg),
        }
    }
    let matches = |part: &String| {
        if exact {
            name == part
        } else {
            name.contains(part)
        }
    };
    let runs = !others
        && (wanted.is_empty() || wanted.iter().any(matches))
        && !skipped.iter().any(matches);
    if runs {
        let counted = allocations(|| drop(std::hint::black_box(vec![1.0_f64; 100])));
        assert!(counted > 0, "the counter doesn't count");
        test();
        println!("test {name} ... ok");
    }
}
