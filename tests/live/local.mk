# tests/live: one program for each file of lib/live; links live and below.
