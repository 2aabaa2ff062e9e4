//! The curves every run has: entity, name, colour.

use re_sdk_types::components::AggregationPolicy;
use stickslip_record::{CurveGroup, SceneRecord};

/// Residuals and momenta below this are drawn as this: round-off, which would fill the view with noise.
pub const LOG_FLOOR: f64 = 1e-12;

/// Slip below this is drawn as this [m/s]: a nanometre per second is round-off, and nothing that could be seen
/// in any run.
pub const SLIP_FLOOR: f64 = 1e-9;

/// Gaps smaller than this are drawn as 0 \[m\].
pub const GAP_FLOOR: f64 = 1e-9;

/// A curve.
pub struct Series {
    /// Its entity; the part before the last `/` is the view it is drawn in.
    pub path: &'static str,
    /// Its name in the legend, with its unit.
    pub name: &'static str,
    /// Its colour.
    pub color: [u8; 3],
    /// The group it belongs to.
    pub group: CurveGroup,
    /// What remains of many points under one pixel.
    pub(super) policy: AggregationPolicy,
}

/// Number of curves that every run has.
pub(super) const COUNT: usize = 20;

/// The curves of single numbers, in the order of `Worst::values`.
pub const SERIES: [Series; COUNT] = {
    use AggregationPolicy::{Max, Min, MinMax};
    use CurveGroup::{Energy, Force, Gap, Momentum, Residual, Slip, Solver, Time, Utilisation};
    const fn series(
        group: CurveGroup,
        (path, name): (&'static str, &'static str),
        color: [u8; 3],
        policy: AggregationPolicy,
    ) -> Series {
        Series {
            path,
            name,
            color,
            group,
            policy,
        }
    }
    const BLUE: [u8; 3] = [90, 160, 255];
    const RED: [u8; 3] = [240, 72, 50];
    const GREEN: [u8; 3] = [38, 184, 96];
    const AMBER: [u8; 3] = [255, 190, 60];
    const VIOLET: [u8; 3] = [205, 120, 255];
    const GREY: [u8; 3] = [160, 160, 168];
    [
        series(Gap, ("plots/gap/min", "smallest gap [mm]"), BLUE, Min),
        series(
            Slip,
            ("plots/slip/max", "log10 slip under load [m/s], -9 or less"),
            RED,
            Max,
        ),
        series(
            Force,
            ("plots/force/normal_sum", "normal forces, sum [N]"),
            GREEN,
            MinMax,
        ),
        series(Force, ("plots/force/weight", "weight [N]"), GREY, MinMax),
        series(
            Residual,
            ("plots/residual/max", "log10 residual, -12 or less"),
            VIOLET,
            Max,
        ),
        series(
            Solver,
            ("plots/solver/contacts", "contacts"),
            [120, 170, 200],
            Max,
        ),
        series(Solver, ("plots/solver/pivots", "pivots"), AMBER, Max),
        series(
            Solver,
            ("plots/solver/fallbacks", "fallbacks"),
            [255, 130, 30],
            Max,
        ),
        series(
            Solver,
            ("plots/solver/failures", "failures"),
            [240, 50, 50],
            Max,
        ),
        series(
            Time,
            ("plots/time/total", "whole step [us]"),
            [225, 225, 230],
            Max,
        ),
        series(Time, ("plots/time/detect", "detect [us]"), BLUE, Max),
        series(Time, ("plots/time/assemble", "assemble [us]"), AMBER, Max),
        series(Time, ("plots/time/solve", "solve [us]"), RED, Max),
        series(Time, ("plots/time/integrate", "integrate [us]"), GREEN, Max),
        series(
            Utilisation,
            ("plots/utilisation/max", "friction / its bound, 10 at most"),
            AMBER,
            Max,
        ),
        series(
            Energy,
            ("plots/energy/change", "energy since the start [J]"),
            GREEN,
            MinMax,
        ),
        series(
            Energy,
            ("plots/energy/drives", "work of the drives [J]"),
            AMBER,
            MinMax,
        ),
        series(
            Momentum,
            (
                "plots/momentum/error",
                "log10 momentum from nowhere [N s], -12 or less",
            ),
            VIOLET,
            Max,
        ),
        series(Solver, ("plots/solver/asleep", "bodies asleep"), GREY, Max),
        series(
            Gap,
            ("plots/gap/joint", "largest joint gap [mm]"),
            AMBER,
            Max,
        ),
    ]
};

/// Whether a scene states what the curves of a group need.
pub(crate) fn has_group(scene: &SceneRecord, group: CurveGroup) -> bool {
    let moving = || scene.bodies.iter().filter(|body| body.moves);
    let masses = || moving().count() > 0 && moving().all(|body| body.inertial.is_some());
    match group {
        CurveGroup::Energy => masses(),
        CurveGroup::Momentum => masses() && !scene.anchored,
        CurveGroup::JointPosition | CurveGroup::JointEffort => !scene.joints.is_empty(),
        CurveGroup::Wrench => scene.bodies.iter().any(|body| body.is_end),
        _ => true,
    }
}
