"""A world into a recording of the user's, by Rerun's own SDK (``pip install 'stickslip[rerun]'``)."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ._core import World

_known: WeakKeyDictionary[Any, dict[str, list[str]]] = WeakKeyDictionary()


def _xyzw(orientation: Any) -> list[float]:
    w, x, y, z = orientation
    return [x, y, z, w]


def _shape(rr: Any, shape: dict[str, Any]) -> Any:
    at, turn = [shape["position"]], [rr.Quaternion(xyzw=_xyzw(shape["orientation"]))]
    kind = shape["kind"]
    if kind == "sphere":
        return rr.Ellipsoids3D(radii=[shape["radius"]], centers=at)
    if kind == "box":
        return rr.Boxes3D(half_sizes=[shape["half_size"]], centers=at, quaternions=turn)
    if kind == "mesh":
        vertices = np.asarray(shape["vertices"])
        w, x, y, z = shape["orientation"]
        axis = np.array([x, y, z])
        cross = np.cross(axis, vertices)
        placed = vertices + 2 * (w * cross + np.cross(axis, cross)) + shape["position"]
        return rr.Mesh3D(vertex_positions=placed, triangle_indices=shape["triangles"])
    if kind in ("capsule", "cylinder"):
        # They lie along y: drawn by their box.
        extra = shape["radius"] if kind == "capsule" else 0.0
        half = [shape["radius"], shape["half_length"] + extra, shape["radius"]]
        return rr.Boxes3D(half_sizes=[half], centers=at, quaternions=turn)
    return None


def log(world: World, recording: Any = None, *, folder: str = "world") -> None:
    """Logs a world as it is now: shapes (once per recording), poses, contact points and forces.

    ``recording`` is a ``rerun.RecordingStream``; without one, the active one counts. Times are on the timeline ``sim_time``.
    Forces are drawn to a scale at which the largest is half a metre long.
    """
    try:
        import rerun as rr
    except ImportError as error:
        raise ImportError("stickslip.log needs Rerun's SDK: pip install 'stickslip[rerun]'") from error
    rr.set_time("sim_time", duration=world.time, recording=recording)
    shapes = world.shapes()
    names = sorted({shape["name"] for shape in shapes})
    key = recording if recording is not None else world
    known = _known.setdefault(key, {})
    if known.get(folder) != names:
        known[folder] = names
        rr.log(folder, rr.ViewCoordinates.RIGHT_HAND_Z_UP, static=True, recording=recording)
        for k, shape in enumerate(shapes):
            drawn = _shape(rr, shape)
            if drawn is not None:
                rr.log(f"{folder}/{shape['name']}/{k}", drawn, static=True, recording=recording)
    for name in names:
        body = world.body(name)
        turn = rr.Quaternion(xyzw=_xyzw(body.orientation))
        rr.log(f"{folder}/{name}", rr.Transform3D(translation=body.position, quaternion=turn), recording=recording)
    contacts = world.contacts()
    forces = contacts["force"]
    largest = np.linalg.norm(forces, axis=1).max(initial=0.0)
    scale = 0.5 / largest if largest > 0 else 1.0
    points = contacts["point"]
    rr.log(f"{folder}/contacts/points", rr.Points3D(points, radii=0.005), recording=recording)
    rr.log(f"{folder}/contacts/forces", rr.Arrows3D(origins=points, vectors=scale * forces), recording=recording)
