//! What a contact or a scalar row knows besides its rows, and what is wrong with it.

/// What a contact knows besides its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactData {
    /// Persistent name of the contact: the warm start finds its last state by it.
    pub key: u64,
    /// Gap at the start of the step \[m\]; negative = penetration.
    pub phi: f64,
    /// Coulomb coefficient [-]; of tangent s alone where `mu_across` is given.
    pub mu: f64,
    /// Coulomb coefficient along tangent t [-] where it differs: friction is then bounded by the
    /// ellipse `(f_s / mu)^2 + (f_t / mu_across)^2 <= f_n^2`. `None`: the circle of `mu`.
    pub mu_across: Option<f64>,
    /// Torsional (soft finger) coefficient \[m\]: `|tau_n| <= mu_torsional f_n`. Acts through the
    /// contact's spin rows ([`super::ProblemBuilder::add_spin`]), as `mu_rolling` does.
    pub mu_torsional: f64,
    /// Rolling coefficient \[m\]: `|(tau_s, tau_t)| <= mu_rolling f_n`.
    pub mu_rolling: f64,
    /// Compliance of the contact \[m/N = s^2/kg\], 0 = rigid: a force F is carried at the depth
    /// `compliance F`.
    pub compliance: f64,
    /// Viscous coefficient [N s/m].
    pub mu_viscous: f64,
    /// Coefficient of restitution [-], 0 to 1.
    pub restitution: f64,
    /// Wanted tangential relative velocity along s and t [m/s] (conveyors); the right-hand side of
    /// the tangential rows. Less the tangential velocity of bodies that move as prescribed.
    pub surface_velocity: [f64; 2],
    /// Normal velocity with which the contact began to close, when that was in an earlier step
    /// \[m/s\], <= 0: the gap condition slows a body down to arrive exactly, restitution must still
    /// see the speed it came with.
    pub impact_velocity: f64,
    /// Separation rate that bodies moving as prescribed (kinematic ones) contribute [m/s]: it adds to
    /// `N v`, which knows the blocks only.
    pub normal_drift: f64,
    /// `Ndot v, Sdot v, Tdot v`: relative acceleration along n, s, t that the velocities alone
    /// make [m/s^2]. Only models at acceleration level use it.
    pub acceleration_bias: [f64; 3],
    /// Friction along s and t per unit of normal force [-] of a contact that slides, whatever the
    /// accelerations; `None`: it opposes the slip within its bound. The model `coulomb-acceleration`
    /// sets it in the problems of its stages; elsewhere it means nothing and files don't hold it.
    pub sliding_friction: Option<[f64; 2]>,
}

impl ContactData {
    /// Coulomb coefficients along s and t [-].
    #[inline]
    pub fn friction(&self) -> [f64; 2] {
        [self.mu, self.mu_across.unwrap_or(self.mu)]
    }

    /// Coefficients that must be finite and not negative.
    #[inline]
    fn coefficients(&self) -> [(&'static str, f64); 6] {
        [
            ("mu", self.mu),
            ("mu_across", self.mu_across.unwrap_or(0.0)),
            ("mu_viscous", self.mu_viscous),
            ("mu_torsional", self.mu_torsional),
            ("mu_rolling", self.mu_rolling),
            ("compliance", self.compliance),
        ]
    }

    /// Numbers of any sign that must be finite.
    #[inline]
    fn measured(&self) -> [f64; 10] {
        let [s, t] = self.surface_velocity;
        let [a, b, c] = self.acceleration_bias;
        let [f, g] = self.sliding_friction.unwrap_or_default();
        let [phi, drift, impact] = [self.phi, self.normal_drift, self.impact_velocity];
        [phi, drift, impact, s, t, a, b, c, f, g]
    }

    /// Whether all numbers are in their range; without a branch per number.
    #[inline]
    fn is_sound(&self) -> bool {
        let sizes = self.coefficients().map(|(_, x)| x);
        let in_range = sizes.iter().fold(true, |all, x| all & (*x >= 0.0))
            & (0.0..=1.0).contains(&self.restitution);
        in_range & all_finite(&sizes) & all_finite(&self.measured())
    }

    /// What is wrong with the numbers, if anything.
    pub(super) fn fault(&self) -> Option<String> {
        if self.is_sound() {
            return None;
        }
        let bad = |x: f64| !x.is_finite() | (x < 0.0);
        if let Some((name, value)) = self.coefficients().into_iter().find(|&(_, x)| bad(x)) {
            return Some(format!("{name} must be finite and >= 0, not {value}"));
        }
        let e = self.restitution;
        if bad(e) || e > 1.0 {
            return Some(format!("restitution must lie in 0..=1, not {e}"));
        }
        (!all_finite(&self.measured())).then(|| {
            "phi, normal_drift, impact_velocity, surface_velocity, acceleration_bias and \
             sliding_friction must be finite"
                .to_owned()
        })
    }
}

/// What a scalar row demands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScalarKind {
    /// `row . v+ = velocity` with an impulse of either sign: loop closure, coupling. The caller
    /// includes the Baumgarte term `-(K/h) phi` in the velocity.
    Bilateral {
        /// Wanted velocity along the row.
        velocity: f64,
    },
    /// `0 <= impulse` complementary to `row . v+ + b(gap) >= 0`: joint limit.
    Unilateral {
        /// Distance to the limit [m or rad]; negative = beyond it.
        gap: f64,
    },
    /// `|impulse| <= limit`; inside the bound `row . v+ + compliance * impulse = velocity`, at the
    /// bound the row gives way: dry friction, drive with an effort limit.
    Bounded {
        /// Wanted velocity along the row.
        velocity: f64,
        /// Bound on the impulse [N s or N m s], >= 0.
        limit: f64,
        /// Velocity given up per unit impulse, >= 0.
        compliance: f64,
    },
}

impl ScalarKind {
    /// What the same demand is of the row `by` times as long, `by > 0`: its velocity is as many times as large, its impulse as many
    /// times less.
    pub fn scaled(self, by: f64) -> Self {
        match self {
            Self::Bilateral { velocity } => Self::Bilateral {
                velocity: by * velocity,
            },
            Self::Unilateral { gap } => Self::Unilateral { gap: by * gap },
            Self::Bounded {
                velocity,
                limit,
                compliance,
            } => Self::Bounded {
                velocity: by * velocity,
                limit: limit / by,
                compliance: by * by * compliance,
            },
        }
    }

    /// What is wrong with the numbers, if anything.
    pub(super) fn fault(self) -> Option<String> {
        match self {
            Self::Bilateral { velocity } if !velocity.is_finite() => {
                Some(format!("velocity must be finite, not {velocity}"))
            }
            Self::Unilateral { gap } if !gap.is_finite() => {
                Some(format!("gap must be finite, not {gap}"))
            }
            Self::Bounded {
                velocity,
                limit,
                compliance,
            } => {
                let bad = |x: f64| !x.is_finite() || x < 0.0;
                (!velocity.is_finite() || bad(limit) || bad(compliance)).then(|| {
                    format!(
                        "velocity {velocity} must be finite, limit {limit} and compliance \
                         {compliance} finite and >= 0"
                    )
                })
            }
            _ => None,
        }
    }
}

/// Whether every entry is finite; without a branch per entry.
#[inline]
pub(super) fn all_finite(x: &[f64]) -> bool {
    // Zero times what is infinite or no number is no number.
    if let Ok([a, b, c, d, e, f]) = <&[f64; 6]>::try_from(x) {
        return ((0.0 * a + 0.0 * c) + 0.0 * e) + ((0.0 * b + 0.0 * d) + 0.0 * f) == 0.0;
    }
    x.iter().map(|x| 0.0 * x).sum::<f64>() == 0.0
}
