"""Long-running checks of tables, verdicts and rule tests; the size comes from the command line.

    python -m campaigns.crash_recovery --kills 200        with tests/ on the path
    python -m campaigns.faulty_proxy --games 200
    python -m campaigns.two_servers --games 100
    python -m campaigns.verdicts --puzzles --verdicts 200
    python -m tests.campaigns.rule_mutations --mutants 200

The suite runs a short version of each.
"""
