// Goes behind the code of docs/bevy.md: the page's system in an app without a window.

/// A box on a slope of 0.3 rad with friction 0.5 holds to the micrometre for ten seconds, and its landing is told once.
#[test]
fn a_box_on_a_slope_stays_where_it_landed() {
    let mut app = App::new();
    app.add_plugins((TransformPlugin, bevy::time::TimePlugin));
    physics(&mut app);
    app.insert_resource(TimestepMode::Fixed {
        dt: 1.0 / 60.0,
        substeps: 1,
    });
    app.finish();
    let turn = Quat::from_rotation_z(0.3);
    let ground = (
        Transform::from_rotation(turn),
        Collider::cuboid(5.0, 0.5, 5.0),
    );
    app.world_mut().spawn(ground);
    let body = app.world_mut().spawn((
        Transform::from_translation(turn * Vec3::new(0.0, 0.72, 0.0)).with_rotation(turn),
        RigidBody::Dynamic,
        Collider::cuboid(0.2, 0.2, 0.2),
        ActiveEvents::COLLISION_EVENTS,
        Sleeping::disabled(),
    ));
    let body = body.id();
    let mut landings = 0;
    let mut told = bevy::ecs::message::MessageCursor::<CollisionEvent>::default();
    let mut landed = Vec3::ZERO;
    for frame in 0..720 {
        app.update();
        let events = app.world().resource::<Messages<CollisionEvent>>();
        landings += told
            .read(events)
            .filter(|event| matches!(event, CollisionEvent::Started(..)))
            .count();
        let at = app.world().get::<Transform>(body).unwrap().translation;
        if frame == 120 {
            landed = at;
        }
        if frame > 120 {
            let crept = (at - landed).length();
            assert!(crept < 1e-6, "frame {frame}: {crept} m");
        }
    }
    assert!((landed - turn * Vec3::new(0.0, 0.7, 0.0)).length() < 0.02, "{landed}");
    assert_eq!(landings, 1);
}
