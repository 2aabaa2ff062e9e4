//! What a recording of each scenario shows at first sight.

use super::scenario::{Scenario, ScenarioId};
use nalgebra::Vector3;
use stickslip_record::{Arrows, CurveGroup, Layer, ViewRecord};

impl Scenario {
    /// Caption, curves and layers that show the point of the scenario; the scene adds whom the eye follows.
    pub fn view(&self) -> ViewRecord {
        let (caption, curves, layers) = show(self.id);
        let usual = ViewRecord {
            caption: caption.to_owned(),
            curves: curves.to_vec(),
            layers: Some(layers.to_vec()),
            ..ViewRecord::default()
        };
        match self.id {
            // From the front, where the line between the contacts shows, and slowly: it takes a tenth of a second.
            ScenarioId::Peg => ViewRecord {
                from: Vector3::new(0.0, -1.0, 0.15),
                arrows: Arrows::Directions,
                playback: Some(0.05),
                ..usual
            },
            _ => usual,
        }
    }
}

type Shown = (&'static str, &'static [CurveGroup], &'static [Layer]);

fn show(id: ScenarioId) -> Shown {
    use CurveGroup::*;
    use Layer::{Balance, Cones, JointAxes, Wrenches};
    match id {
        ScenarioId::Grasp => (
            "Two cubes are held by friction alone. Contacts that hold are green and have no slip; the contacts of a cube \
             that falls turn red.",
            &[Slip, Force, Gap, Residual, Solver, Time],
            &[],
        ),
        ScenarioId::Pinch => (
            "A capsule between two pads: any slip is creep.",
            &[Slip, Force, Utilisation, Gap, Residual, Time],
            &[Cones],
        ),
        ScenarioId::Box | ScenarioId::Stack | ScenarioId::MassRatio => (
            "Boxes at rest: the forces from the ground add up to the weight, no box sinks in or drifts.",
            &[Force, Gap, Slip, Energy, Residual, Solver],
            &[],
        ),
        ScenarioId::Stand => (
            "A robot stands: its centre of mass (yellow) stays above the support polygon, its feet don't slip.",
            &[Slip, Force, JointPosition, JointEffort, Residual, Time],
            &[Balance, Wrenches],
        ),
        ScenarioId::Drop => (
            "A robot falls and comes to rest: its energy decreases and then stays.",
            &[Energy, Force, Gap, Slip, JointPosition, Residual],
            &[Balance],
        ),
        ScenarioId::Carry => (
            "A hand lifts a cube and shakes it harder and harder. It slips when the friction it needs reaches \
             what the squeeze allows: the force comes to the side of its cone, and the share used to 1.",
            &[Utilisation, Slip, Force, JointPosition, Wrench, Residual],
            &[Cones],
        ),
        ScenarioId::Trot => (
            "A quadruped walks. Loaded feet are green and don't slip; the support polygon (white) follows them, \
             the yellow line falls from the centre of mass.",
            &[Slip, Force, JointPosition, JointEffort, Wrench, Utilisation],
            &[Balance, Wrenches],
        ),
        ScenarioId::FreeFlight => (
            "A robot in free flight: no contact acts on it, so only gravity changes its momentum.",
            &[Momentum, Energy, JointPosition, Time],
            &[Balance, JointAxes],
        ),
        ScenarioId::Slope | ScenarioId::Conveyor | ScenarioId::Slide => (
            "Coulomb friction: a contact sticks while its force is inside its cone and slides where it lies on it.",
            &[Slip, Utilisation, Force, Energy, Residual, Gap],
            &[Cones],
        ),
        ScenarioId::Hover => (
            "A fast cube must stay on the ground: a gap that grows is a lift that friction can't cause.",
            &[Gap, Slip, Force, Utilisation, Energy, Residual],
            &[],
        ),
        ScenarioId::Spin | ScenarioId::Roll => (
            "A ball loses its spin, or its speed, to torsional and rolling friction.",
            &[Energy, Slip, Utilisation, Force, Residual, Gap],
            &[Cones],
        ),
        ScenarioId::Polygon => (
            "A block is set sliding in every direction: a polygon gives less friction between its corners.",
            &[Utilisation, Slip, Residual, Solver],
            &[Cones],
        ),
        ScenarioId::ContactTable | ScenarioId::Painleve => (
            "No finite force solves this problem; an impulse does.",
            &[Force, Slip, Residual, Solver],
            &[Cones],
        ),
        ScenarioId::Bounce => (
            "A ball that bounces e^2 times as high each time.",
            &[Gap, Energy, Force, Residual],
            &[],
        ),
        ScenarioId::Granular => (
            "Spheres flow through a slot; none may penetrate another.",
            &[Gap, Solver, Time, Energy, Force, Residual],
            &[],
        ),
        ScenarioId::Peg => (
            "A peg that tilts in its hole wedges where the line between its two contacts lies inside both \
             friction cones: the two contact forces then point at each other along that line, and no push is \
             large enough.",
            &[Force, Utilisation, Gap, Solver, Residual, Time],
            &[Cones],
        ),
        ScenarioId::Pendulum | ScenarioId::FourBar => (
            "Hinges alone: the energy is constant, and the hinges stay closed.",
            &[Energy, Gap, JointPosition, Residual, Time],
            &[JointAxes],
        ),
        ScenarioId::Hexapod => (
            "Six legs of loops, twelve motors: it walks on three feet at a time.",
            &[Slip, Force, Gap, JointPosition, JointEffort, Energy],
            &[Balance],
        ),
        _ => (
            "Contacts that stick are green, those that slide red.",
            &[Force, Slip, Gap, Energy, Residual, Time],
            &[],
        ),
    }
}
