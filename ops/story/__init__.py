"""The story of a session or a round, told again step by step, and judged beside the books."""
