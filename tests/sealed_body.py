"""A body whose class allows no further attribute."""

__all__ = ["SealedBody"]


class SealedBody:
    """A body of a user: the methods of `Robot`, in a class without weak references or further attributes."""

    __slots__ = ("body",)

    def __init__(self, body):
        self.body = body

    name = property(lambda self: self.body.name)
    clock = property(lambda self: self.body.clock)

    def observation(self):
        return self.body.observation()

    def start(self, command):
        return self.body.start(command)

    def stop(self):
        self.body.stop()

    def close(self):
        self.body.close()
