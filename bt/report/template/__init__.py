"""The fixed parts of the page: its frame, its style and its script."""
