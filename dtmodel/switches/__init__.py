"""Buffer configurations of real switches: reading, checks, packets until a pause or a drop, and the sheet."""
