//! How the solve grows with the number of contacts n at fixed size m, from a cold start: principal
//! pivoting alone (frictionless), and with row selection (no-slip).
#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "criterion's macros make undocumented functions; a generated problem that is malformed ends the benchmark"
)]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use stickslip_benches::{flat_body, random_rows};
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::ProblemBuilder;

/// Solves cold; a solve that fails ends the benchmark instead of looking fast.
fn cold(
    criterion: &mut Criterion,
    name: &str,
    model_name: ModelName,
    build: &dyn Fn(usize) -> ProblemBuilder,
) {
    let mut group = criterion.benchmark_group(name);
    for n in [10, 30, 100, 300, 1000] {
        let builder = build(n);
        let mut solver = stickslip_benches::solver(model_name, ModelSettings::default()).unwrap();
        group.throughput(Throughput::Elements(n as u64));
        group.bench_with_input(BenchmarkId::from_parameter(n), &n, |bencher, _| {
            bencher.iter(|| {
                solver.forget();
                let report = solver.solve(builder.finished().unwrap());
                assert!(report.status.is_usable() && report.residuals.max() < 1e-8);
                report.pivots
            });
        });
    }
    group.finish();
}

fn growth(criterion: &mut Criterion) {
    let random = |n| random_rows(1, 18, n).unwrap();
    let flat = |n| flat_body(1, n).unwrap();
    cold(
        criterion,
        "ppm, m = 18, random rows",
        ModelName::Frictionless,
        &random,
    );
    cold(
        criterion,
        "ppm, m = 6, flat body",
        ModelName::Frictionless,
        &flat,
    );
    cold(
        criterion,
        "selection and ppm, m = 18, random rows",
        ModelName::NoSlip,
        &random,
    );
    cold(
        criterion,
        "selection and ppm, m = 6, flat body",
        ModelName::NoSlip,
        &flat,
    );
}

criterion_group!(benches, growth);
criterion_main!(benches);
