"""The menu of a store: items, categories, photos, prices, imports."""
