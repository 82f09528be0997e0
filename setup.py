"""Compiles the kernels (all modules that import `cython`) and the message catalogues.

Each kernel is compiled twice: for any processor of the architecture, and for those that support
`x86-64-v3`. With `WONDERLAND_KERNELS=here` it is compiled only for the current processor, in half the
time; with `WONDERLAND_KERNELS=none` not at all. Kernels that are not compiled run as Python, slowly.
Without Babel there are no catalogues, and all messages are in English.

All other packaging metadata is in `pyproject.toml`.
"""

import os
import platform
import re
import runpy
from collections.abc import Container
from pathlib import Path

from setuptools import Extension, setup

SOURCE = Path("src")
KERNELS = SOURCE / "wonderland" / "kernels"
VARIANTS = Path("build") / "variants"
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
}
FLAGS = ["/O2"] if os.name == "nt" else ["-O3", "-g0"]
WANTED = os.environ.get("WONDERLAND_KERNELS", "all")
HERE_ONLY = WANTED == "here"
X86 = platform.machine().lower() in {"x86_64", "amd64"} and os.name != "nt"


def is_modern() -> bool:
    """Whether this processor supports `x86-64-v3`, by the package's own test."""
    processor = runpy.run_path((KERNELS / "processor.py").as_posix())
    return bool(processor["is_modern"]())


def compiled_modules() -> list[Path]:
    """Find the modules that are written for Cython."""
    return [
        path
        for path in sorted((SOURCE / "wonderland").rglob("*.py"))
        if "\n    import cython\n" in path.read_text(encoding="utf-8")
    ]


def extension(source: Path, name: str, *flags: str) -> Extension:
    """Return the build settings of one compiled module."""
    return Extension(
        name,
        [source.as_posix()],
        include_dirs=[SOURCE.as_posix()],
        depends=[header.as_posix() for header in sorted(KERNELS.glob("*.h"))],
        extra_compile_args=[*FLAGS, *flags],
    )


def module_name(source: Path) -> str:
    """Return the dotted import name of a source file."""
    return ".".join(source.relative_to(SOURCE).with_suffix("").parts)


def copy_if_changed(source: Path, variant: Path, compiled: Container[str]) -> None:
    """Copy a module and its `.pxd` to a variant that imports the variants of other compiled modules."""

    def rename(found: re.Match[str]) -> str:
        return f"{found[0]}_v3" if found[0] in compiled else found[0]

    for suffix in (".py", ".pxd"):
        copy = variant.with_suffix(suffix)
        if not source.with_suffix(suffix).exists():
            copy.unlink(missing_ok=True)
        else:
            text = source.with_suffix(suffix).read_text(encoding="utf-8")
            text = re.sub(r"wonderland(?:\.\w+)+(?= c?import)", rename, text)
            if not copy.exists() or copy.read_text(encoding="utf-8") != text:
                copy.write_text(text, encoding="utf-8")


def extensions() -> list[Extension]:
    """Return all modules to compile; none without Cython."""
    if WANTED == "none":
        return []
    try:
        from Cython.Build import cythonize  # noqa: PLC0415 - may not be installed
    except ImportError:
        return []
    wanted = []
    compiled = {module_name(source): source for source in compiled_modules()}
    for name, source in compiled.items():
        if not (X86 and HERE_ONLY and is_modern()):
            wanted.append(extension(source, name))
        if X86 and (is_modern() or not HERE_ONLY):
            variant = (VARIANTS / source.relative_to(SOURCE)).with_name(f"{source.stem}_v3.py")
            variant.parent.mkdir(parents=True, exist_ok=True)
            copy_if_changed(source, variant, compiled)
            wanted.append(extension(variant, f"{name}_v3", "-march=x86-64-v3"))
    built: list[Extension] = cythonize(
        wanted,
        include_path=[SOURCE.as_posix(), VARIANTS.as_posix()],
        build_dir="build/c",
        compiler_directives=DIRECTIVES,
        nthreads=os.cpu_count() or 1,
        quiet=True,
    )
    for each in built:
        each.optional = True  # without a compiler the build succeeds, and the Python source is used
    return built


def compile_catalogues() -> None:
    """Compile each `.po` file to the `.mo` file that is loaded at run time; a no-op without Babel."""
    try:
        from babel.messages.mofile import write_mo  # noqa: PLC0415 - may not be installed
        from babel.messages.pofile import read_po  # noqa: PLC0415 - likewise
    except ImportError:
        return
    for path in (SOURCE / "wonderland").rglob("locale/*.po"):
        with path.open("rb") as source, path.with_suffix(".mo").open("wb") as target:
            write_mo(target, read_po(source, locale=path.stem))


if __name__ == "__main__":
    compile_catalogues()
    setup(ext_modules=extensions(), options={"build_ext": {"parallel": os.cpu_count()}})
