"""Three instances of the service behind nginx over one database: load, faults, and a judgement of what came of it.

`Trial` puts it together; `Judgement` reads what was recorded. scripts/test-cluster is the way in.
"""
