"""Cases that are generated from the description of the API, sent as every kind of caller, and their answers checked."""
