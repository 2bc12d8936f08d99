"""How sentences are understood, judged by what was meant: ``graftwork bench words``."""
