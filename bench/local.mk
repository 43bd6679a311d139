# bench: speed, measured; never part of make check.
