"""The execution of one instruction or program: it can be ticked, answered, corrected and resumed."""
