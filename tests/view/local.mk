# tests/view: one program for each file of lib/view; links view and below.
