from .elicitation import (
    AnswerCache as AnswerCache,
)
from .elicitation import (
    ClassInquiry as ClassInquiry,
)
from .mapping import (
    Evidence as Evidence,
)
from .mapping import (
    EvidenceSource as EvidenceSource,
)
from .mapping import (
    EvidenceStore as EvidenceStore,
)
from .mapping import (
    ObjectAffordances as ObjectAffordances,
)
from .mapping import (
    believed_things as believed_things,
)
from .mapping import (
    household as household,
)
from .mapping import (
    load_mapping as load_mapping,
)
from .ontology import (
    AFFORDANCES as AFFORDANCES,
)
from .ontology import (
    affording as affording,
)
from .scene import (
    Belief as Belief,
)
from .scene import (
    Scene as Scene,
)
from .scene import (
    inventory as inventory,
)
from .substitutes import (
    Knowledge as Knowledge,
)
from .substitutes import (
    SubstitutionTask as SubstitutionTask,
)
from .substitutes import (
    suggest as suggest,
)
from .watcher import (
    Contradiction as Contradiction,
)
from .watcher import (
    Watcher as Watcher,
)
