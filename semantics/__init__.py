"""The nouns of this project, and what is true: values, protocols, and the checking of goals."""
