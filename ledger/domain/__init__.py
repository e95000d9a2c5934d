"""The words of the book and the rules of who may do what: pure, complete without any game."""
