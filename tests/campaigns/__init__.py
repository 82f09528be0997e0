"""Long trials of tables and of the rule tests: each takes its size from the command line.

    python -m campaigns.kills --kills 200        with tests/ on the path
    python -m campaigns.mischief --games 200
    python -m campaigns.races --games 100
    python -m tests.campaigns.rule_mutations --mutants 200

The suite runs each of them for a short while.
"""
