# tests/cli: the program as a user meets it; shell, under the harness.
