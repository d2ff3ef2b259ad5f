"""What can go wrong when a theme is rendered."""


class ThemeFailed(Exception):
    """A theme that cannot be rendered; the text is a sentence for its author. The store shows the default theme."""
