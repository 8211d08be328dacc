# The core compiled for x86-64-v2; setup.py gives the flags.
include "_core.pyx"
