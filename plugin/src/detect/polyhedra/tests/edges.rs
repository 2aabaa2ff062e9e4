//! Points where edges cross.

use super::*;

/// Hulls of many small faces that overlap a little, mostly by two edges: the deepest point is as deep as the overlap, to a
/// tenth, since faces go before edges and faces that are nearly in one plane are one.
#[test]
fn edges_that_cross_are_found_whatever_faces_are_near() {
    let mut numbers = Numbers(11);
    let mut overlaps = 0;
    for case in 0..3000 {
        let hulls = [numbers.hull(20), numbers.hull(20)];
        let way = Vector3::from(numbers.three()).normalize();
        let shift = way * (1.85 + 0.1 * numbers.next());
        let pose = pose(shift.into(), numbers.three());
        let identity = to_pose(&Isometry3::identity());
        let contact =
            rapier::parry::query::contact(&identity, &hulls[0], &to_pose(&pose), &hulls[1], 0.0);
        let Ok(Some(contact)) = contact else {
            continue;
        };
        let depth = -real(contact.dist);
        if !(0.01..0.1).contains(&depth) {
            continue;
        }
        overlaps += 1;
        let found = manifold([&hulls[0], &hulls[1]], &pose, 0.0);
        let gaps = found.points.iter().map(|p| real(p.dist));
        let deepest = -gaps.fold(0.0, f64::min);
        assert!(
            (deepest - depth).abs() < 0.1 * depth,
            "{case}: {deepest}, parry {depth}"
        );
    }
    assert!(overlaps > 400, "{overlaps}");
}
