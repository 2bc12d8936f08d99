"""The report: one self-contained page that tells a recorded run to somebody who was not there."""

from bt.report.page import write_report

__all__ = ["write_report"]
