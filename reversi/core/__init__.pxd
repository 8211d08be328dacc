# The rooms of the compiled core; see ../_core.pyx for the table of contents. A module that cimports
# them has tables of its own, and calls init_rays(), init_last() and init_zobrist() once.
