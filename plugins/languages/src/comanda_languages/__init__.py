"""Languages: the names and descriptions on menus, in the languages of guests."""
