from . import placement as placement
