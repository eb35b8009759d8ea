"""Applications of doctors and the decisions on them."""
