"""Worker processes, and the files and the database that several processes share.

What takes long, needs much memory or may crash works beside the robot's process, not in it. A `pool.Pool` keeps
processes that do one kind of `seat.WorkerSpec`. Planning (`planning.service`) and the check of goals against the rules
of a world (`semantics.logic.rules`) are two such kinds.
"""
