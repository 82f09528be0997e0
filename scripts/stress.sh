#!/bin/sh
# Run all tests beside two busy loops, as on a machine that others use too: part of `make stress`. Every argument goes
# to pytest. Failed tests are not run again: each is to be repaired at its cause.
set -u
cd "$(dirname "$0")/.." || exit 2
loops=
for _ in 1 2; do
  .venv/bin/python -c 'while True: pass' &
  loops="$loops $!"
done
trap 'kill $loops' EXIT
trap 'exit 130' INT TERM
.venv/bin/pytest -n auto --dist loadscope --no-loadscope-reorder "$@"
