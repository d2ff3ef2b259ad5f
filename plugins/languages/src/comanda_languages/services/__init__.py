"""The texts of menus: list, load and change them."""
