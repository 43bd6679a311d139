# tests/image: one program for each file of lib/image; links image and core.
