# The rooms of the compiled core; see ../_core.pyx for the table of contents.
