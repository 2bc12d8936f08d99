"""The analysis of a world that its checks share: uses and changes of literals, positions in files."""
