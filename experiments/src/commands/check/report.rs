//! The findings about a robot file as text and as JSON.

use super::outcome::Outcome;
use super::placed::Placed;
use crate::digits::count;
use crate::double::scenes::robots::robot_options::shapeless;
use crate::table::{self, right};
use comfy_table::{Cell, Table};
use serde_json::{Value, json};
use std::path::Path;
use stickslip_urdf_f64::{Joint, RobotModel};

/// Links and joints, notes, warnings, and the verdict.
pub(super) fn text(outcome: &Outcome) -> String {
    let mut lines = Vec::new();
    if let Some(model) = &outcome.found.model {
        let placed = outcome.placed.as_ref().and_then(|p| p.as_ref().ok());
        lines.push(heading(model, placed));
        lines.push(format!("\n{}\n", table::text(&links(model, placed))));
    }
    lines.extend(outcome.found.notes.iter().map(ToString::to_string));
    if let Some(Ok(placed)) = &outcome.placed {
        lines.extend(placed.warnings.iter().map(|w| format!("placed: {w}")));
    }
    lines.extend(outcome.found.model.as_ref().and_then(shapeless));
    let (repairs, reasons) = (outcome.repairs(), outcome.reasons().len());
    lines.push(match outcome.verdict() {
        "loads" => "verdict: loads".to_owned(),
        "loads repaired" => format!("verdict: loads, with {}", count(repairs, "repair")),
        _ => format!("verdict: refused, for {}", count(reasons, "reason")),
    });
    lines.join("\n")
}

fn heading(model: &RobotModel, placed: Option<&Placed>) -> String {
    let declared = model.collision_count();
    let rest = placed.map_or_else(String::new, |p| {
        let base = if p.floats { "floating" } else { "fixed" };
        let loaded = p.collider_count();
        format!(
            ", {} dofs ({base} base), {loaded} of {declared} colliders loaded",
            p.dofs
        )
    });
    format!(
        "robot {}: {}, {}, {} kg, {}{rest}",
        model.name,
        count(model.links.len(), "link"),
        count(model.joints.len(), "joint"),
        kilograms(model.mass()),
        count(declared, "collision shape"),
    )
}

/// A mass to the milligram.
pub(super) fn kilograms(mass: f64) -> String {
    let text = format!("{mass:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn links(model: &RobotModel, placed: Option<&Placed>) -> Table {
    let mut table = table::plain();
    table.set_header([
        "link",
        "mass [kg]",
        "colliders",
        "joint above",
        "type",
        "dofs",
        "limits",
        "effort",
        "velocity",
        "follows",
    ]);
    for (number, link) in model.links.iter().enumerate() {
        let mass = link
            .inertial
            .map_or_else(String::new, |i| kilograms(i.mass));
        let declared = link.collisions.len();
        let colliders = match placed.map(|p| p.colliders[number]) {
            Some(loaded) if loaded != declared => format!("{loaded} of {declared}"),
            _ => declared.to_string(),
        };
        let mut row = vec![Cell::new(&link.name), right(mass), right(colliders)];
        let joint = model.joint_above(number);
        let of = |f: &dyn Fn(&Joint) -> Option<String>| joint.and_then(f).unwrap_or_default();
        row.push(Cell::new(of(&|j| Some(j.name.clone()))));
        row.push(Cell::new(of(&|j| Some(j.kind.word().to_owned()))));
        row.push(right(of(&|j| Some(j.kind.dofs().to_string()))));
        row.push(Cell::new(of(&|j| {
            j.limits.map(|l| format!("{} .. {}", l.lower, l.upper))
        })));
        row.push(right(of(&|j| j.effort.map(|e| e.to_string()))));
        row.push(right(of(&|j| j.velocity.map(|v| v.to_string()))));
        row.push(Cell::new(of(&|j| {
            j.mimic.map(|m| model.joints[m.joint].name.clone())
        })));
        table.add_row(row);
    }
    table::hide_empty(&mut table);
    table
}

/// The findings by name; docs/robots.md describes them.
pub(super) fn json(file: &Path, outcome: &Outcome) -> Value {
    let found = &outcome.found;
    let errors = found
        .errors
        .iter()
        .map(|e| json!({ "element": e.element(), "message": e.to_string() }));
    let placing = outcome.placed.as_ref().and_then(|p| p.as_ref().err());
    let placing = placing.map(|message| json!({ "element": "robot", "message": message }));
    let notes = found.notes.iter().map(
        |n| json!({ "kind": n.kind.word(), "line": n.line, "element": n.element, "text": n.text }),
    );
    let placed = outcome.placed.as_ref().and_then(|p| p.as_ref().ok());
    let [read, place] = outcome.seconds;
    json!({
        "file": file.display().to_string(),
        "ok": outcome.verdict() != "refused",
        "verdict": outcome.verdict(),
        "repairs": outcome.repairs(),
        "seconds": { "read": read, "place": place },
        "errors": errors.chain(placing).collect::<Vec<_>>(),
        "notes": notes.collect::<Vec<_>>(),
        "warnings": placed.map_or(&[][..], |p| &p.warnings),
        "robot": found.model.as_ref().map(|model| robot(model, placed)),
    })
}

fn robot(model: &RobotModel, placed: Option<&Placed>) -> Value {
    let links = model.links.iter().enumerate().map(|(number, link)| {
        json!({
            "name": link.name,
            "mass_kg": link.inertial.map(|i| i.mass),
            "colliders_declared": link.collisions.len(),
            "colliders_loaded": placed.map(|p| p.colliders[number]),
            "joint": model.joint_above(number).map(|j| &j.name),
        })
    });
    let joints = model.joints.iter().enumerate().map(|(number, joint)| {
        json!({
            "name": joint.name,
            "kind": joint.kind.word(),
            "dofs": joint.kind.dofs(),
            "parent": model.links[joint.parent].name,
            "child": model.links[joint.child].name,
            "limits": joint.limits.map(|l| [l.lower, l.upper]),
            "effort": joint.effort,
            "velocity": joint.velocity,
            "damping": joint.damping,
            "friction": joint.friction,
            "follows": joint.mimic.map(|m| json!({
                "joint": model.joints[m.joint].name,
                "multiplier": m.multiplier,
                "offset": m.offset,
            })),
            "initial": placed.map(|p| &p.initial[number]),
        })
    });
    let closures = model.closures.iter().map(|c| {
        json!({
            "name": c.name,
            "kind": c.kind.word(),
            "links": c.links.map(|l| &model.links[l].name),
        })
    });
    json!({
        "name": model.name,
        "mass_kg": model.mass(),
        "dofs": placed.map(|p| p.dofs),
        "base": placed.map(|p| if p.floats { "floating" } else { "fixed" }),
        "colliders_declared": model.collision_count(),
        "colliders_loaded": placed.map(Placed::collider_count),
        "links": links.collect::<Vec<_>>(),
        "joints": joints.collect::<Vec<_>>(),
        "closures": closures.collect::<Vec<_>>(),
    })
}
