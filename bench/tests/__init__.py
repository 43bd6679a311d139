"""Tests of the parts that think; make check runs them."""
