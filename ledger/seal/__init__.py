"""The seal: a Merkle tree over the stored rows and signed checkpoints of it (G5, G6).

`merkle`, `proofs` and `notes` are pure: they hash and sign bytes that they are given.
"""
