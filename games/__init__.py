"""The rules of the games: data with their source, and pure engines that know only the book's words.

`registry` names every game in one line; each game's folder has the same files.
"""
