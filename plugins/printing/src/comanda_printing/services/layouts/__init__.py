"""Slips: what stands on the paper, and how it becomes the commands of a printer or a picture."""
