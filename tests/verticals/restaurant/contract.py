"""What stands in the bodies of the restaurant vertical's routes, for tests of every route."""

BODIES = {"StarterBody": {"preset": "bakery", "price_factor": 2}}
