"""The file of a dispute: all that is on record of it, with proofs, as one PDF and one folder."""
