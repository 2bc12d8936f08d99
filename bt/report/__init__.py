"""The report: a self-contained page that explains a recorded run to a reader who was not there."""

from bt.report.page import write_report

__all__ = ["write_report"]
