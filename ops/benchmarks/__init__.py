"""How fast the book is, beside the stock recorder of the library of events, in the same run.

`python -m ops.benchmarks` starts a private server, measures and prints one table: for each line its
aim, what was reached, the ratio that the aim speaks of, and what bounds it. Whatever is compared is
taken in turns, so that noise hits all sides alike. Nothing here asserts a time.
"""
