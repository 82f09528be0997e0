"""Quick matches with strangers, and the list of open tables."""
