"""Static files of pages: versions, bundles, compression, answers from memory."""
