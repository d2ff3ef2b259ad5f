"""A phone app that wraps the pages of Comanda, played by a program: its own code, and a web view."""
