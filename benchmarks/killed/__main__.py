"""``python -m benchmarks.killed``."""

import sys

from benchmarks.killed.suite import main

if __name__ == "__main__":
    sys.exit(main())
