"""The parts that studies are made of, one subject a file."""
