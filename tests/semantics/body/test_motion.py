from semantics.body.motion import MotionInterlock, MotionProgress, MotionStatus

LEFT, RIGHT, WHOLE = frozenset({"left"}), frozenset({"right"}), frozenset({"robot0"})


class Motion:
    def __init__(self):
        self.stage = MotionStatus.RUNNING
        self.cancelled = 0

    def poll(self):
        return MotionProgress(self.stage)

    def cancel(self):
        self.cancelled += 1


def begun(busy, agent="robot0"):
    interlock, motion = MotionInterlock(), Motion()
    interlock.begin(motion, busy, agent)
    return interlock, motion


def test_nothing_blocks_at_the_start():
    assert MotionInterlock().blocks(WHOLE, "robot0") == (False, True)


def test_a_motion_blocks_until_it_has_come_to_rest():
    interlock, motion = begun(WHOLE)
    assert interlock.blocks(WHOLE, "robot0") == (True, False)
    interlock.cancel(motion)
    assert motion.cancelled == 1
    assert interlock.blocks(WHOLE, "robot0") == (True, True)
    motion.stage = MotionStatus.FAILED
    assert interlock.blocks(WHOLE, "robot0") == (False, True)


def test_hands_of_one_agent_do_not_block_each_other_and_the_whole_agent_blocks_both():
    interlock, _ = begun(LEFT)
    assert interlock.blocks(RIGHT, "robot0") == (False, True)
    assert interlock.blocks(LEFT, "robot0") == (True, False)
    assert interlock.blocks(WHOLE, "robot0") == (True, False)
    whole, _ = begun(WHOLE)
    assert whole.blocks(LEFT, "robot0") == (True, False)


def test_another_agent_is_not_blocked():
    interlock, _ = begun(WHOLE)
    assert interlock.blocks(frozenset({"robot1"}), "robot1") == (False, True)


def test_what_is_waited_for_is_cancelled_only_when_all_of_it_is():
    interlock, first = begun(LEFT)
    second = Motion()
    interlock.begin(second, RIGHT, "robot0")
    interlock.cancel(first)
    assert interlock.blocks(WHOLE, "robot0") == (True, False)
    interlock.cancel(second)
    assert interlock.blocks(WHOLE, "robot0") == (True, True)
