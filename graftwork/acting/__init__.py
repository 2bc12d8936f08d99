"""From a decision to a tree: asking for plans, sharing them out among hands, and climbing the repair ladder."""
