"""Mutation testing: small faults are planted in a copy of the source, and the tests must notice.

`make mutants` runs it, docs/testing.md explains it.
"""
