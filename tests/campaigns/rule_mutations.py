"""Mutation testing of the readable rules: find the faults that the rule tests would miss.

    python -m tests.campaigns.rule_mutations --game parade --mutants 50 --seed 1 --jobs 2

Each mutant of a game's rules is loaded in its own process, which runs the game's rule tests and then
plays a few random games under the laws. Kernels are not compared: they would find almost any fault, and
hide the gaps in the tests. A survivor is a missing test, dead code, or an equivalent mutant, which
`equivalent_mutants.toml` then lists with the reason.
"""

from __future__ import annotations

import argparse
import ast
import random
import sys
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from wonderland.engine import game_names
from wonderland.engine.registry import package_of

from .mutant_runs import PASSED, ROOT, Suite, passes, run
from .mutants import Mutant, mutants_of

EQUIVALENT = Path(__file__).with_name("equivalent_mutants.toml")
_RUN_TIMEOUT = 600.0
_LONGEST_TEXT = 110


@dataclass
class Report:
    """The outcome of a campaign over one game."""

    game: str
    population: int
    equivalent: int
    killed: int = 0
    timed_out: int = 0
    survivors: list[Mutant] = field(default_factory=list)
    seconds: float = 0.0

    def __str__(self) -> str:
        tried = self.killed + self.timed_out + len(self.survivors)
        return (
            f"{self.game}: tried {tried} of {self.population} mutants "
            f"({self.equivalent} more are known to be equivalent): {self.killed} killed, "
            f"{self.timed_out} timed out, {len(self.survivors)} survived, in {self.seconds:.0f} s"
        )


def rule_modules(name: str) -> dict[str, Path]:
    """Return the modules of a game's readable rules, found without importing them."""
    spec = find_spec(package_of(name))
    assert spec is not None
    assert spec.submodule_search_locations is not None
    folder = Path(spec.submodule_search_locations[0]) / "rules"
    return {
        f"{package_of(name)}.rules.{path.stem}": path
        for path in sorted(folder.glob("*.py"))
        if path.stem != "__init__"
    }


def rule_tests(name: str) -> list[Path]:
    """Return a game's test modules that import only its rules."""
    rules = {package_of(name), f"{package_of(name)}.rules", *rule_modules(name)}
    found = sorted((ROOT / "tests" / "games" / name).rglob("test_*.py"))
    return [path for path in found if _imports(path) <= rules]


def _imports(path: Path) -> set[str]:
    """Return the modules that a test imports from games."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            modules = {name for name in inside if _is_module(name)}
            names |= modules or {node.module}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {name for name in names if name.startswith("wonderland.games.")}


@cache
def _is_module(name: str) -> bool:
    path = ROOT / "src" / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").exists()


def mutants(name: str) -> list[Mutant]:
    """Return every mutant of a game's rules."""
    return [mutant for module, path in rule_modules(name).items() for mutant in mutants_of(module, path)]


def key(mutant: Mutant) -> tuple[str, str, str]:
    """Return the key of a mutant in `equivalent_mutants.toml`; line numbers would not last."""
    return mutant.module.rpartition(".")[2], mutant.function, mutant.change


def known_equivalent(name: str) -> dict[tuple[str, str, str], str]:
    """Return a game's equivalent mutants, with the reason for each."""
    listed = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))
    return {
        (entry["module"], entry["function"], entry["mutation"]): entry["reason"]
        for entry in listed.get(name, ())
    }


def campaign(  # noqa: PLR0913 - a campaign has a size
    name: str,
    *,
    count: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    timeout: float | None = None,
    modules: Sequence[str] = (),
    functions: Sequence[str] = (),
    tests: Sequence[Path] = (),
) -> Report:
    """Try mutants of one game; without `tests`, run all its rule tests and the laws on each."""
    began = time.monotonic()
    suite = Suite(name, tuple(tests or rule_tests(name)), with_laws=not tests)
    equivalent = known_equivalent(name)
    every = [
        mutant
        for mutant in mutants(name)
        if (not modules or mutant.module.rpartition(".")[2] in modules)
        and (not functions or mutant.function in functions)
    ]
    population = [mutant for mutant in every if key(mutant) not in equivalent]
    size = len(population) if count is None else min(count, len(population))
    chosen = random.Random(seed).sample(population, size)
    report = Report(name, len(population), len(every) - len(population))
    if not passes(suite, timeout or _RUN_TIMEOUT):
        raise SystemExit(f"The rule tests of {name} fail without any mutant.")
    limit = timeout or 10.0 + 5 * (time.monotonic() - began)
    for mutant, code in run(suite, chosen, jobs, limit):
        if code is None:
            report.timed_out += 1
        elif code == PASSED:
            report.survivors.append(mutant)
            print(_describe(mutant), flush=True)
        else:
            report.killed += 1
    report.seconds = time.monotonic() - began
    return report


def _describe(mutant: Mutant) -> str:
    before, after = (
        text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}…"
        for text in (mutant.before.replace("\n", " "), mutant.after.replace("\n", " "))
    )
    path = mutant.path.relative_to(ROOT)
    return f"survived: {path}:{mutant.line} in {mutant.function}: {before} -> {after}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", choices=game_names(), help="one game; all if not given")
    parser.add_argument("--mutants", type=int, help="how many to draw per game; all if not given")
    parser.add_argument("--seed", type=int, default=0, help="which ones are drawn")
    parser.add_argument("--jobs", type=int, default=1, help="how many to try at a time")
    parser.add_argument(
        "--timeout", type=float, help="seconds per mutant; if not given, five times the usual"
    )
    parser.add_argument("--module", action="append", default=[], help="only mutants of this module")
    parser.add_argument("--function", action="append", default=[], help="only mutants of this function")
    parser.add_argument(
        "--tests", type=Path, nargs="+", default=[], help="these instead of the rule tests"
    )
    arguments = parser.parse_args()
    sys.dont_write_bytecode = False  # or every process would recompile all tests
    survived = 0
    for name in [arguments.game] if arguments.game else game_names():
        report = campaign(
            name,
            count=arguments.mutants,
            seed=arguments.seed,
            jobs=arguments.jobs,
            timeout=arguments.timeout,
            modules=arguments.module,
            functions=arguments.function,
            tests=arguments.tests,
        )
        print(report, flush=True)
        survived += len(report.survivors)
    raise SystemExit(1 if survived else 0)


if __name__ == "__main__":
    main()
