"""From words to a goal: language models, the offline interpreter, and how they are asked."""
