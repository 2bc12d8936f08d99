"""Random cost models, the same for the same seed."""

from collections.abc import Mapping
from random import Random

from domains.model import Domain
from planning import CostModel, Tries
from semantics.logic.vocabulary import Thing

__all__ = ["random_costs"]


def random_costs(seed: str, things: Mapping[str, Thing], domain: Domain) -> CostModel:
    """Return a model with distances, durations, records and doubts, some of them at no weight."""
    random = Random(seed)
    places = [name for name, thing in things.items() if "location" in thing.affordances]
    light = [name for name, thing in things.items() if "carry" in thing.affordances]
    verbs = sorted(domain.capabilities)
    return CostModel(
        per_metre=random.choice([0.0, 0.3, 1.0, 4.0]),
        per_second=random.choice([0.0, 0.1]),
        risk=random.choice([0.0, 2.0]),
        scale=random.choice([1, 10, 100]),
        places={name: (random.uniform(0, 5), random.uniform(0, 5)) for name in places},
        durations={name: random.uniform(1, 9) for name in verbs},
        record={name: Tries(random.randrange(9), random.randrange(4)) for name in random.sample(verbs, 3)},
        sure={(name, "carry"): random.uniform(0.5, 1) for name in random.sample(light, min(2, len(light)))},
    )
