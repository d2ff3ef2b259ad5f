"""Changes of a menu: its items, their choices, pictures and places, and prices."""
