"""Planning again after a small change, with what is still good of the old plan."""
