from .elicitation import (
    AnswerCache as AnswerCache,
    ClassInquiry as ClassInquiry,
)
from .mapping import (
    Evidence as Evidence,
    EvidenceSource as EvidenceSource,
    EvidenceStore as EvidenceStore,
    ObjectAffordances as ObjectAffordances,
    believed_things as believed_things,
    household as household,
    load_mapping as load_mapping,
)
from .ontology import AFFORDANCES as AFFORDANCES
from .scene import (
    Belief as Belief,
    Scene as Scene,
    inventory as inventory,
)
from .substitutes import (
    Knowledge as Knowledge,
    SubstitutionTask as SubstitutionTask,
    suggest as suggest,
)
from .watcher import (
    Contradiction as Contradiction,
    Watcher as Watcher,
)
