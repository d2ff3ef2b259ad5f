"""Bodies of the restaurant routes, for tests of every route."""

BODIES = {"StarterBody": {"preset": "bakery", "price_factor": 2}}
