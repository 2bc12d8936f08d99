"""Small environment states of CoPAL's shape, of our own."""

import json


def entry(type_name, held_by=None, **more):
    return {"type": type_name, "isHeldByObject": [held_by] if held_by else [], "holdsObject": [], **more}


def bottle(liquid, held_by="shelf", **more):
    return entry("bottle", held_by, holdsLiquid=[liquid], **{"volume": 1.0, "fillLevel": 1.0, **more})


def glass(held_by="table", **more):
    return entry("glass", held_by, **{"volume": 1.0, "fillLevel": 0.0, "holdsLiquid": [], **more})


def bar():
    """Two equal glasses, three bottles, one of them behind a door, a bowl of two slices, and things of no use."""
    return {
        "lab": entry("room", holdsObject=["table"]),
        "robot": entry("robot", "lab"),
        "gaze": {"fovea": ["table"]},
        "hand_left": entry("hand", "robot"),
        "hand_right": entry("hand", "robot"),
        "table": entry("furniture", "lab", color="gray"),
        "shelf": entry("furniture", "lab"),
        "fridge": entry("furniture", "table", closure="closed", power="on"),
        "tray": entry("tray", "table"),
        "tea": entry("liquid"),
        "cola": entry("liquid"),
        "milk": entry("milk"),
        "tea_bottle": bottle("tea"),
        "cola_bottle": bottle("cola"),
        "milk_bottle": bottle("milk", "fridge"),
        "kiwi": entry("ingredient"),
        "kiwi_bowl": entry("bowl", "table", holdsObject=["kiwi", "kiwi"]),
        "first_glass": glass(),
        "second_glass": glass(),
    }


def written(folder, state, name="state.json"):
    path = folder / name
    path.write_text(state if isinstance(state, str) else json.dumps(state, indent=1), encoding="utf-8")
    return path
