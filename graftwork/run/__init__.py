"""One instruction or program under way: ticked, answered, corrected, resumed."""
