"""Rule packs that try to end, stall or fill the process that reads them, made from a seed."""

from random import Random

from tests.semantics.toy import SomeRule

HEADS = ("p", "q", "r")
BASE = ("p(X, Y) :- holds(on, [X, Y]).", "q(7, 8).", "r([a, b], [b, c, X]).")
FACTS = ("holds(on, [{x}, {y}])", "fails(on, [{x}, {y}])", "thing({x}, {y})", "affords({x}, {y})", "holds({x}, {y})")
WORK = (
    "length({x}, {n})",
    "between(1, {n}, {x})",
    "between(1, inf, {x})",
    "{x} is {n} * {n}",
    "{x} is {y} * {y}",
    "{x} is {y} * {n} + {y}",
    "{x} = [{y} | {x}]",
    "{x} = f({x})",
    "{x} == {y}",
    "append({x}, {y}, {z})",
    "append({x}, {x}, {y})",
    "findall({x}, between(1, {n}, {x}), {y})",
    "findall({x}, {call}, {y})",
    "forall({call}, {call})",
    "msort({x}, {y})",
    "sort({x}, {y})",
    "reverse({x}, {y})",
    "list_to_set({x}, {y})",
    "dif({x}, {y})",
    "vertices_edges_to_ugraph([{x}], [{x}-{y}], {z})",
    "transitive_closure({x}, {y})",
    "select({x}, {y}, {z})",
    "once({call})",
    "\\+ {call}",
)
NUMBERS = ("0", "3", "1000", "1000000", "1000000000", "999999999999999999")
TOO_LONG = "9" * 30
BODIES = (
    "{call}, Culprits = [{x}]",
    "{call}, Culprits = {x}",
    "findall(Z, p(Z, _), Culprits)",
    "holds(on, [X, _]), member(_, [1, 2, 3]), {call}, Culprits = [X, X, X]",
    "p(X, Y), Culprits = [X, Y]",
)


def hostile(seed: int) -> SomeRule:
    """Return a rule with a pack; some are refused, some do not end, some blame nobody."""
    random = Random(f"hostile {seed}")
    kind = random.randrange(10)
    if kind == 0:
        return SomeRule(f"deep{seed}", _nested(random), definitions="")
    clauses = [*BASE, *(_clause(random) for _ in range(random.randint(1, 6)))]
    random.shuffle(clauses)
    pack = "\n".join(clauses)
    if kind == 1:
        pack = pack.replace("3", TOO_LONG)
    return SomeRule(f"pack{seed}", _filled(random, random.choice(BODIES)), definitions=pack)


def _nested(random: Random) -> str:
    depth, opening, closing = random.choice(
        [
            (17_000, "(", ")"),
            (50_000, "[", "]"),
            (99, "(", ")"),
            (4_000, "\\+ ", ""),
            (4_000, "- ", ""),
            (4_000, "1+", ""),
        ]
    )
    inner = "true" if opening in ("(", "\\+ ") else "1"
    start = "" if inner == "true" else "X = "
    return f"{start}{opening * depth}{inner}{closing * depth}, Culprits = []"


def _clause(random: Random) -> str:
    parts = [random.choice((*FACTS, *WORK, "{call}")) for _ in range(random.randint(1, 4))]
    return _filled(random, f"{random.choice(HEADS)}({{x}}, {{y}}) :- {', '.join(parts)}.")


def _filled(random: Random, text: str) -> str:
    for _ in range(50):
        for slot, choices in (("{call}", HEADS), ("{n}", NUMBERS), ("{x}", "XYZ"), ("{y}", "XYZ"), ("{z}", "XYZ")):
            if slot in text:
                chosen = random.choice(choices)
                text = text.replace(slot, f"{chosen}({{x}}, {{y}})" if slot == "{call}" else chosen, 1)
    return text
