//! Whole steps, ours beside rapier's own in one group: `box`, `stack` (bodies and multibodies),
//! `grasp` and `stand`. Only the step call is timed. `STICKSLIP_ROBOTS` adds the A1.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "criterion's macros make undocumented functions; a scene that can't be built ends the benchmark"
)]

use criterion::{Criterion, criterion_group, criterion_main};
use std::path::PathBuf;
use std::time::Duration;
use stickslip_experiments::runner::session;
use stickslip_experiments::session::Session;
use stickslip_experiments::settings::{Request, RunSettings};

/// Steps before a scene is timed: it has settled and memory has grown.
const WARM_UP: usize = 600;
/// Steps after which a scene begins again, so that slow drift doesn't change what is timed.
const FRESH: usize = 3000;

fn scene(request: &Request) -> Box<dyn Session> {
    let mut session = session(&RunSettings::new(request).unwrap()).unwrap();
    for _ in 0..WARM_UP {
        session.step().unwrap();
    }
    session
}

/// Times one scene under one model. A solve that fails, or a scene without contacts, ends the
/// benchmark.
fn bench(criterion: &mut Criterion, name: &str, request: &Request) {
    let mut group = criterion.benchmark_group(name);
    for model in ["no-slip", "host"] {
        let request = Request {
            model: Some(model.to_owned()),
            ..request.clone()
        };
        group.bench_function(model, |bencher| {
            let mut session = scene(&request);
            let mut steps = 0;
            bencher.iter_custom(|count| {
                let mut microseconds = 0.0;
                for _ in 0..count {
                    if steps == FRESH {
                        session = scene(&request);
                        steps = 0;
                    }
                    let sample = session.step().unwrap();
                    steps += 1;
                    microseconds += sample.wall;
                    assert!(sample.report.is_none_or(|r| r.solve.failures == 0));
                    assert!(!session.contacts().is_empty(), "nothing touches any more");
                }
                Duration::from_secs_f64(microseconds * 1e-6)
            });
        });
    }
    group.finish();
}

fn steps(criterion: &mut Criterion) {
    let request = |scenario: &str, set: &[&str]| Request {
        scenario: scenario.to_owned(),
        set: set.iter().map(|s| (*s).to_owned()).collect(),
        ..Request::default()
    };
    bench(criterion, "box", &request("box", &[]));
    bench(criterion, "stack", &request("stack", &[]));
    bench(
        criterion,
        "stack of multibodies",
        &request("stack", &["multibody=true"]),
    );
    bench(criterion, "grasp", &request("grasp", &[]));
    bench(criterion, "stand", &request("stand", &[]));
    match std::env::var_os("STICKSLIP_ROBOTS").map(PathBuf::from) {
        Some(robots) => {
            let file = "example-robot-data/robots/a1_description/urdf/a1.urdf";
            let robot = Some(robots.join(file));
            bench(
                criterion,
                "stand, A1",
                &Request {
                    robot,
                    ..request("stand", &[])
                },
            );
        }
        None => eprintln!("skipped: the A1, because STICKSLIP_ROBOTS names no folder of robots"),
    }
}

criterion_group!(benches, steps);
criterion_main!(benches);
