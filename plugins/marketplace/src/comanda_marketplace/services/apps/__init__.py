"""Apps, as their developers manage them."""
