//! Jacobian rows of points and axes on links, along the path of the deepest coordinate that can move the link.

#![allow(non_snake_case)]

use crate::spatial::Twist;
use crate::state::TreeState;
use crate::tree::Tree;
use nalgebra::Vector3;
use stickslip_core::mass::NO_PARENT;

impl Tree {
    /// Free coordinates that move a link: the pattern's path of the deepest one, its own joint's last or
    /// an ancestor's; empty if no force moves the link. Rows hold one value for each, in this order.
    #[inline]
    pub fn row_path(&self, link: usize) -> &[usize] {
        match self.last[self.link_body[link]] {
            NO_PARENT => &[],
            last => self.pattern.path(last),
        }
    }

    /// Velocity along `d` of the point of `link` at `p_W`, per unit of each coordinate of
    /// [`Tree::row_path`]: `out_k = d . (S_lin + S_ang x (p_W - reference))`. O(path).
    pub fn point_row(
        &self,
        state: &TreeState,
        link: usize,
        p_W: &Vector3<f64>,
        d: &Vector3<f64>,
        out: &mut [f64],
    ) {
        let moment = (p_W - state.reference).cross(d);
        for (o, &k) in out.iter_mut().zip(self.row_path(link)) {
            let column = &state.columns[k];
            *o = column.linear.dot(d) + column.angular.dot(&moment);
        }
    }

    /// [`Tree::point_row`] for three directions at once, written one after the other (3 x path).
    pub fn point_rows(
        &self,
        state: &TreeState,
        link: usize,
        p_W: &Vector3<f64>,
        d: &[Vector3<f64>; 3],
        out: &mut [f64],
    ) {
        let path = self.row_path(link);
        let r = p_W - state.reference;
        let m = [r.cross(&d[0]), r.cross(&d[1]), r.cross(&d[2])];
        let (a, rest) = out.split_at_mut(path.len());
        let (b, c) = rest.split_at_mut(path.len());
        let mut known = 0;
        if self.floating && !path.is_empty() {
            // The base's columns are unit vectors.
            for (row, (d, m)) in [&mut *a, &mut *b, &mut *c]
                .into_iter()
                .zip(d.iter().zip(&m))
            {
                row[..6].copy_from_slice(&[d.x, d.y, d.z, m.x, m.y, m.z]);
            }
            known = 6;
        }
        let columns = path[known..].iter().map(|&k| &state.columns[k]);
        let entries = a[known..]
            .iter_mut()
            .zip(&mut b[known..])
            .zip(&mut c[known..]);
        for (column, ((a, b), c)) in columns.zip(entries) {
            let velocity = column.at(&r);
            *a = velocity.dot(&d[0]);
            *b = velocity.dot(&d[1]);
            *c = velocity.dot(&d[2]);
        }
    }

    /// Angular velocity of `link` along `d` per unit of each coordinate of [`Tree::row_path`]. O(path).
    pub fn angular_row(&self, state: &TreeState, link: usize, d: &Vector3<f64>, out: &mut [f64]) {
        for (o, &k) in out.iter_mut().zip(self.row_path(link)) {
            *o = state.columns[k].angular.dot(d);
        }
    }

    /// The part of a link's twist, about [`TreeState::reference`], that no row covers: what a moving
    /// root and prescribed joints contribute. Zero without such motion. Needs
    /// [`Tree::update_velocities`]. O(path).
    pub fn prescribed_twist(&self, state: &TreeState, link: usize) -> Twist {
        let mut at = self.link_body[link];
        let mut twist = Twist::default();
        if !self.has_prescribed {
            return state.bodies[0].velocity;
        }
        while at != 0 {
            let body = &self.bodies[at];
            if body.kinematic {
                twist += state.bodies[at].relative;
            }
            at = body.parent;
        }
        twist + state.bodies[0].velocity
    }
}
