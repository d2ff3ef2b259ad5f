"""The fonts for what is drawn on a server, such as PDF files and pictures of texts: DejaVu Sans, unchanged.

It has Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic. Its licence is beside the files.
"""

from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).with_name("fonts")
REGULAR_FONT: Final = FOLDER / "DejaVuSans.ttf"
BOLD_FONT: Final = FOLDER / "DejaVuSans-Bold.ttf"
