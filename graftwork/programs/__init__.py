"""Programs in a session: a policy read from a text, carried out under the repair ladder, told and judged as any run."""

from graftwork.programs.running import ProgramRun
from graftwork.programs.source import Source, read_source
from graftwork.programs.telling import preview

__all__ = ["ProgramRun", "Source", "preview", "read_source"]
