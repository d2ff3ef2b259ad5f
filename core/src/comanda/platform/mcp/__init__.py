"""The Model Context Protocol: servers for AI agents, and the tools on them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
