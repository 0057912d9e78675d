"""The built-in games: one package per game, each with kernel, rules, notation and layout."""
