"""The pages on which owners consent."""
