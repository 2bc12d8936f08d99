"""The nodes that a program is compiled to."""
