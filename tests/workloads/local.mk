# tests/workloads: small programs whose profile is known.
