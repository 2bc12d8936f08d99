"""CoPAL's cocktails and pizzas, planned, validated twice, done by a body that lives in the model, and judged."""
