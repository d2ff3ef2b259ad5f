"""The delivery terms of stores, and the fees that follow from them."""
