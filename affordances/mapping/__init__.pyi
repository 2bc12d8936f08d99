from .document import (
    household as household,
    read_mapping as read_mapping,
    written as written,
)
from .evidence import (
    Evidence as Evidence,
    EvidenceSource as EvidenceSource,
)
from .object_affordances import (
    ObjectAffordances as ObjectAffordances,
    ObjectKind as ObjectKind,
    believed_things as believed_things,
)
from .store import (
    EvidenceFileError as EvidenceFileError,
    EvidenceStore as EvidenceStore,
    load_mapping as load_mapping,
)
