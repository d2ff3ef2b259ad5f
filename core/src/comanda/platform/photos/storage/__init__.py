"""Storage of photo files: in the database, in a folder, or in S3-compatible storage."""
