"""Builds the compiled core: once for any machine, and once for each x86-64 level that gcc knows.

REVERSI_DEBUG=1 builds with bounds checks and the undefined-behaviour sanitizer.
"""

import os
import platform
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

DEBUG = os.environ.get("REVERSI_DEBUG") == "1"
MSVC = sys.platform == "win32"
# Apple's and Microsoft's compilers, and every other processor, take the portable build alone.
LEVELS = (
    ("v2", "v3", "v4")
    if sys.platform == "linux" and platform.machine() in ("x86_64", "AMD64")
    else ()
)

if MSVC:
    FLAGS = ["/Od" if DEBUG else "/O2"]
elif DEBUG:
    FLAGS = ["-O1", "-g", "-fsanitize=undefined", "-fno-sanitize-recover=undefined"]
else:
    # -g0: the interpreter's own flags may ask for debug information, ten times the code's size.
    # No automatic vectors: the hot loops run over a handful of moves (exact solves: 4 to 7 %).
    FLAGS = ["-O3", "-g0", "-fno-semantic-interposition", "-fno-tree-vectorize"]
    # Of floating point, which only learning has: vectors where it asks for them, and the same
    # numbers from all builds.
    FLAGS += ["-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off"]
    if sys.platform == "linux":
        # gcc limits by how much inlining may enlarge a unit. The core is one, and had reached that:
        # perft lost a fifth of its speed. Other compilers do not know the setting.
        FLAGS += ["--param=inline-unit-growth=300"]
FLAGS += [] if MSVC else ["-Wall", "-Wextra", "-Wno-unused-parameter", "-Wno-psabi"]
LINK = ["-fsanitize=undefined"] if DEBUG and not MSVC else []


def extension(name: str, march: str | None = None) -> Extension:
    flags = FLAGS + ([f"-march={march}"] if march else [])
    return Extension(
        f"reversi.{name}",
        [f"reversi/{name}.pyx"],
        extra_compile_args=flags,
        extra_link_args=LINK,
    )


class ParallelBuild(build_ext):
    """Compiles the builds of the core side by side."""

    def finalize_options(self) -> None:
        super().finalize_options()
        if self.parallel is None:
            self.parallel = os.cpu_count()


modules = cythonize(
    [extension("_cpu"), extension("_core")]
    + [extension(f"_core_x86_64_{level}", f"x86-64-{level}") for level in LEVELS],
    compiler_directives={
        "language_level": "3",
        "boundscheck": DEBUG,
        "wraparound": False,
        "cdivision": True,
        "initializedcheck": DEBUG,
        "embedsignature": True,
        "auto_pickle": False,
    },
)
for module in modules:
    # A compiler that does not know a level leaves its build out. (cythonize drops this setting.)
    module.optional = "_core_x86_64_" in module.name

setup(ext_modules=modules, cmdclass={"build_ext": ParallelBuild})
