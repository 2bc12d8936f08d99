"""What checks know of a world before they judge it: uses and changes, places, which facts exclude each other."""
