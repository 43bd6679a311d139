#!/bin/sh
# The statistics of bench/ are right, and so is how it reads profiles.  (What it
# measures, make check does not.)
set -eu
command -v python3 >/dev/null || exit 77
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' || exit 77
cd "$abs_top_srcdir/bench"
exec env PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t .
