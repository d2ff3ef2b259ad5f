"""Where the files of photos are kept: in the database, in a folder, or in S3-compatible storage."""
