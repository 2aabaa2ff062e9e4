use super::*;

#[test]
fn runs_that_continue_each_other_become_one_and_no_others() {
    let run = |start, len| Run { start, len };
    let mut rows = ActiveRows::default();
    rows.runs.extend([run(0, 2), run(2, 3)]);
    rows.runs
        .extend([run(5, 1), run(6, 6), run(12, 6), run(20, 3), run(23, 1)]);
    // The first two belong to another row.
    rows.join(2);
    let joined = [run(0, 2), run(2, 3), run(5, 13), run(20, 4)];
    assert_eq!(rows.runs, joined);
    rows.join(4);
    assert_eq!(rows.runs, joined);
}
