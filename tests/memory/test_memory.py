import multiprocessing
import os
import shutil
import sqlite3
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graftwork.episode import Outcome
from graftwork.errors import MemoryFileError
from graftwork.memory import Memory, default_place
from semantics.atoms import dnf
from semantics.errors import UnknownNameError, UsageError
from semantics.state import first_failure
from tests.memory.kitchen import FRUIT, FRUIT_GOAL, MILK, MILK_GOAL, MILK_PLAN, World, domain, episode


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.sqlite"


@pytest.fixture
def memory(path):
    return Memory(path, now=lambda: datetime(2026, 11, 20, 12, tzinfo=UTC))


def learn_milk(memory, world, **fields):
    return memory.remember(episode(**fields), world.subtree(MILK, MILK_GOAL, MILK_PLAN))


def recall(memory, world, instruction=MILK):
    return memory.recall(instruction, world.vocabulary, world.domain, world.state)


# episodes


def test_every_episode_is_kept_and_listed_latest_first(memory):
    numbers = [memory.remember(episode(outcome=outcome, message=f"it {outcome}")) for outcome in Outcome]
    records = memory.list()
    assert [record.id for record in records] == numbers[::-1]
    assert [record.episode.outcome for record in records] == list(Outcome)[::-1]
    assert memory.show(numbers[0]).episode == episode(message="it achieved")
    assert records[0].at == datetime(2026, 11, 20, 12, tzinfo=UTC)


def test_another_memory_of_the_same_file_knows_the_same(memory, path):
    learn_milk(memory, World())
    assert recall(Memory(path), World()) == recall(memory, World())
    assert Memory(path).list() == memory.list()


def test_a_record_shows_what_was_learned_and_its_evidence(memory):
    number = learn_milk(memory, World())
    learn_milk(memory, World())
    record = memory.show(number)
    assert (record.worked, record.failed) == (2, 0)
    assert str(record.subtree.goal) == MILK_GOAL
    assert record.subtree == World().subtree(MILK, MILK_GOAL, MILK_PLAN)


def test_forgetting_one_forgets_what_it_taught(memory):
    number = learn_milk(memory, World())
    other = memory.remember(episode("open the fridge"), World().subtree("open the fridge", "(opened fridge0)"))
    assert memory.forget(number) == 1
    assert recall(memory, World()) is None
    assert recall(memory, World(), "open the fridge") is not None
    assert [record.id for record in memory.list()] == [other]


def test_forgetting_all_leaves_nothing_behind_in_the_file(memory, path):
    learn_milk(memory, World())
    learn_milk(memory, World())
    assert memory.forget() == 2
    assert memory.list() == ()
    assert recall(memory, World()) is None
    assert not any(b"milk" in file.read_bytes() for file in path.parent.iterdir())


@pytest.mark.parametrize("verb", ["show", "forget"])
def test_an_unknown_number_lists_the_known_ones(memory, verb):
    memory.remember(episode())
    with pytest.raises(UnknownNameError, match="unknown episode '77'; valid: 1"):
        getattr(memory, verb)(77)


# recalling


def test_nothing_is_recalled_from_an_empty_memory(memory):
    assert recall(memory, World()) is None


def test_what_worked_is_recalled_with_a_plan_that_still_works(memory):
    learn_milk(memory, World())
    world = World()
    found = recall(memory, world)
    assert str(found.goal) == MILK_GOAL
    assert found.goal.text == MILK
    assert [str(action) for action in found.actions] == [f"({text})" for text in MILK_PLAN]
    assert (found.as_before, found.optimal, found.worked, found.failed) == (True, True, 1, 0)
    steps = [domain().ground(action, world.things) for action in found.actions]
    assert first_failure(steps, world.state, dnf(found.goal.formula)[0]) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "Bring me the MILK!",
        "  bring me   the milk ",
        "Please bring me the milk.",
        "Could you bring me the milk, please?",
    ],
)
def test_case_spaces_punctuation_and_politeness_make_no_difference(memory, sentence):
    learn_milk(memory, World())
    assert recall(memory, World(), sentence) is not None


@pytest.mark.parametrize("sentence", ["bring me milk", "bring me the milks", "don't bring me the milk", "", "please"])
def test_another_sentence_is_asked_anew(memory, sentence):
    learn_milk(memory, World())
    assert recall(memory, World(), sentence) is None


def test_another_domain_is_asked_anew(memory):
    learn_milk(memory, World())
    world = World()
    world.domain = replace(world.domain, name="tabletop")
    assert recall(memory, world) is None


def test_a_thing_that_moved_leaves_the_goal_but_not_the_plan(memory):
    learn_milk(memory, World())
    found = recall(memory, World().move("milk0", "on", "counter0"))
    assert str(found.goal) == MILK_GOAL
    assert (found.as_before, found.optimal) == (False, False)


def test_what_the_plan_does_not_read_may_change(memory):
    learn_milk(memory, World())
    found = recall(memory, World().move("cup0", "on", "counter0"))
    assert found.as_before
    assert not found.optimal, "the proof covers the state it was made in, and no other"


def with_a_throw(world):
    """Let the robot fling anything to anybody from where it is."""
    handover = world.domain.capabilities["handover"]
    throw = replace(handover, name="throw", precondition=(), distinct=())
    capabilities = {**world.domain.capabilities, "throw": throw}
    robot = world.domain.agents["robot"]
    agents = {**world.domain.agents, "robot": replace(robot, capabilities=robot.capabilities | {"throw"})}
    world.domain = replace(world.domain, capabilities=capabilities, agents=agents)


def with_a_capability_nobody_has(world):
    capabilities = {**world.domain.capabilities, "throw": world.domain.capabilities["handover"]}
    world.domain = replace(world.domain, capabilities=capabilities)


def with_dear_moves(world):
    move = replace(world.domain.capabilities["move"], cost=9)
    world.domain = replace(world.domain, capabilities={**world.domain.capabilities, "move": move})


def with_a_door_that_needs_no_opening(world):
    take = world.domain.capabilities["take_out"]
    take = replace(take, precondition=tuple(one for one in take.precondition if one.predicate != "closed"))
    world.domain = replace(world.domain, capabilities={**world.domain.capabilities, "take_out": take})


def with_dear_agents(world):
    agents = {name: replace(agent, cost=agent.cost + 1) for name, agent in world.domain.agents.items()}
    world.domain = replace(world.domain, agents=agents)


def with_a_person_who_helps(world):
    human = replace(world.domain.agents["human"], capabilities=frozenset({"handover"}))
    world.domain = replace(world.domain, agents={**world.domain.agents, "human": human})


def with_a_second_robot(world):
    world.things["robot1"] = world.domain.thing("robot1", "robot")


def with_a_cup_like_a_bowl(world):
    world.things["cup0"] = world.domain.thing("cup0", "bowl")


@pytest.mark.parametrize(
    "change",
    [
        with_a_throw,
        with_a_capability_nobody_has,
        with_dear_moves,
        with_a_door_that_needs_no_opening,
        with_dear_agents,
        with_a_person_who_helps,
        with_a_second_robot,
        with_a_cup_like_a_bowl,
    ],
)
def test_a_proof_ends_with_any_change_of_what_it_rests_on(memory, change):
    learn_milk(memory, World())
    world = World()
    assert recall(memory, world).optimal
    change(world)
    found = recall(memory, world)
    assert found.as_before
    assert not found.optimal


def test_words_are_no_part_of_a_proof(memory):
    learn_milk(memory, World())
    world = World()
    world.domain = replace(world.domain, phrases=(), rules=())
    assert recall(memory, world).optimal


def test_a_plan_through_a_thing_of_another_sort_is_not_as_before(memory):
    world = World()
    actions = (
        "move robot0 floor0 table0",
        "grasp robot0 cup0 table0 table0",
        "move robot0 table0 counter0",
        "place robot0 cup0 counter0",
    )
    memory.remember(episode("fetch the cup"), world.subtree("fetch the cup", "(on cup0 counter0)", actions))
    changed = World()
    changed.things["table0"] = domain().thing("table0", "shelf")
    assert recall(memory, World(), "fetch the cup").as_before
    assert not recall(memory, changed, "fetch the cup").as_before


def test_all_the_fruit_is_asked_anew_when_there_is_a_new_fruit(memory):
    memory.remember(episode(FRUIT, goal=FRUIT_GOAL), World().subtree(FRUIT, FRUIT_GOAL))
    assert recall(memory, World(), FRUIT) is not None
    assert recall(memory, World().move("apple0", "on", "counter0"), FRUIT) is not None
    assert recall(memory, World().add("cup", "cup1"), FRUIT) is not None
    assert recall(memory, World().add("orange", "orange0"), FRUIT) is None
    assert recall(memory, World().without("banana0"), FRUIT) is None


def test_the_apple_is_asked_anew_when_there_is_another_apple(memory):
    sentence, goal = "put the apple on the counter", "(on apple0 counter0)"
    memory.remember(episode(sentence, goal=goal), World().subtree(sentence, goal))
    assert recall(memory, World(), sentence) is not None
    assert recall(memory, World().add("apple", "apple1"), sentence) is None


def test_a_noun_that_means_something_new_is_asked_anew(memory):
    sentence, goal = "put the glass on the counter", "(on cup0 counter0)"
    memory.remember(episode(sentence, goal=goal), World().subtree(sentence, goal))
    assert recall(memory, World(), sentence) is not None
    assert recall(memory, World().add("glass", "glass0"), sentence) is None


def test_a_thing_with_other_affordances_is_asked_anew(memory):
    learn_milk(memory, World())
    world = World()
    world.things["milk0"] = domain().thing("milk0", "cola")
    assert recall(memory, world) is None


def test_another_speaker_is_asked_anew(memory):
    learn_milk(memory, World())
    world = World()
    world.speaker = None
    assert recall(memory, world) is None


@pytest.mark.parametrize(
    ("sentence", "goal"),
    [
        ("put everything that is on the counter on the shelf", "(and (on sponge0 shelf0) (on juice0 shelf0))"),
        ("put the cup next to the milk", "(on cup0 counter0)"),
        ("tidy up", "(in banana0 fridge0)"),
        ("bring me something cold", "(inhand cola0 human0)"),
    ],
)
def test_a_sentence_whose_meaning_hangs_on_the_facts_is_asked_anew_when_one_changed(memory, sentence, goal):
    memory.remember(episode(sentence, goal=goal), World().subtree(sentence, goal))
    assert recall(memory, World(), sentence) is not None
    assert recall(memory, World().move("apple0", "on", "counter0"), sentence) is None


@pytest.mark.parametrize(
    ("sentence", "goal", "change"),
    [
        ("take out the milk", "(not (in milk0 fridge0))", ("milk0", "in", "trash0")),
        ("put everything from the shelf on the table", "(on mug0 table0)", ("apple0", "on", "shelf0")),
        ("take the mug and everything off the shelf", "(not (on mug0 shelf0))", ("apple0", "on", "shelf0")),
        ("throw away the cup that is on the table", "(in cup0 trash0)", ("cup0", "on", "shelf0")),
    ],
)
def test_what_is_meant_by_where_it_is_is_asked_anew_when_the_place_holds_something_else(memory, sentence, goal, change):
    memory.remember(episode(sentence, goal=goal), World().subtree(sentence, goal))
    assert recall(memory, World(), sentence) is not None
    assert recall(memory, World().move(*change), sentence) is None


def test_the_cup_hangs_on_the_facts_where_there_are_two(memory):
    sentence, goal = "put the cup on the counter", "(on cup0 counter0)"
    memory.remember(episode(sentence, goal=goal), World().add("cup", "cup1").subtree(sentence, goal))
    assert recall(memory, World().add("cup", "cup1"), sentence) is not None
    assert recall(memory, World().add("cup", "cup1", "shelf0"), sentence) is None


def test_a_verb_may_imply_where_to(memory):
    sentence, goal = "throw away the banana", "(in banana0 trash0)"
    memory.remember(episode(sentence, goal=goal), World().subtree(sentence, goal))
    assert recall(memory, World().move("banana0", "on", "shelf0"), sentence) is not None


# evidence


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome is not Outcome.ACHIEVED])
def test_only_what_was_achieved_is_learned(memory, outcome):
    learn_milk(memory, World(), outcome=outcome)
    assert recall(memory, World()) is None
    assert len(memory.list()) == 1


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.REFUSED])
def test_two_failures_in_a_row_end_recalling_and_a_success_begins_it_again(memory, outcome):
    learn_milk(memory, World())
    learn_milk(memory, World(), outcome=outcome, recalled=True)
    assert (recall(memory, World()).worked, recall(memory, World()).failed) == (1, 1)
    learn_milk(memory, World(), outcome=outcome, recalled=True)
    assert recall(memory, World()) is None
    learn_milk(memory, World())
    assert (recall(memory, World()).worked, recall(memory, World()).failed) == (2, 2)


@pytest.mark.parametrize("outcome", [Outcome.STOPPED, Outcome.UNAVAILABLE, Outcome.FAULT, Outcome.ALREADY])
def test_what_is_not_the_subtrees_fault_does_not_count(memory, outcome):
    learn_milk(memory, World())
    for _ in range(3):
        learn_milk(memory, World(), outcome=outcome)
    assert (recall(memory, World()).worked, recall(memory, World()).failed) == (1, 0)


def test_a_goal_reached_by_another_plan_after_a_move_is_the_same_experience(memory):
    learn_milk(memory, World())
    moved = World().move("milk0", "on", "counter0")
    actions = (
        "move robot0 floor0 counter0",
        "grasp robot0 milk0 counter0 counter0",
        "move robot0 counter0 human0",
        "handover robot0 human0 milk0",
    )
    memory.remember(episode(recalled=True), moved.subtree(MILK, MILK_GOAL, actions))
    assert recall(memory, moved).as_before
    assert recall(memory, World()).worked == 2


def test_of_two_readings_the_better_proven_is_recalled(memory):
    world = World()
    other = "(on milk0 table0)"
    memory.remember(episode(goal=other), world.subtree(MILK, other))
    for _ in range(2):
        learn_milk(memory, world)
    assert str(recall(memory, world).goal) == MILK_GOAL


def test_a_goal_given_without_a_sentence_teaches_nothing(memory):
    memory.remember(episode(instruction=""), World().subtree("", MILK_GOAL, MILK_PLAN))
    assert recall(memory, World(), "") is None


# the file


def _remember_many(path, count):
    memory = Memory(path)
    for _ in range(count):
        memory.remember(episode(), World().subtree(MILK, MILK_GOAL, MILK_PLAN))


def test_two_processes_lose_nothing(path):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_remember_many, args=(path, 20)) for _ in range(2)]
    for worker in workers:
        worker.start()
    _remember_many(path, 5)
    for worker in workers:
        worker.join(120)
    assert [worker.exitcode for worker in workers] == [0, 0]
    memory = Memory(path)
    assert len(memory.list()) == 45
    assert recall(memory, World()).worked == 45


def test_one_may_read_while_another_writes(memory):
    learn_milk(memory, World())
    with memory._store.transaction() as writing:
        writing.execute("DELETE FROM episodes")
        assert len(memory.list()) == 1
    assert memory.list() == ()


def test_a_killed_write_leaves_nothing_half_done(memory):
    def cut():
        with memory._store.transaction() as connection:
            connection.execute("DELETE FROM episodes")
            raise KeyboardInterrupt

    learn_milk(memory, World())
    with pytest.raises(KeyboardInterrupt):
        cut()
    assert len(memory.list()) == 1


@pytest.mark.parametrize(
    "content", [b"this is no database at all, but text" * 200, b"\x00" * 5000, b"SQLite format 3\x00" + b"\xff" * 5000]
)
def test_a_damaged_file_is_named_and_left_as_it_is(path, content):
    path.write_bytes(content)
    with pytest.raises(MemoryFileError, match="damaged") as caught:
        Memory(path)
    assert str(path) in str(caught.value)
    assert isinstance(caught.value, UsageError)
    assert path.read_bytes() == content


def test_a_file_damaged_in_the_middle_is_an_error_of_the_memory(memory, path):
    for _ in range(200):
        learn_milk(memory, World())
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(MemoryFileError, match="damaged"):
        memory.list()


def test_a_document_that_cannot_be_read_is_an_error_of_the_memory(memory, path):
    learn_milk(memory, World())
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE subtrees SET document = '{}'")
    connection.close()
    with pytest.raises(MemoryFileError, match="subtree"):
        recall(memory, World())


def test_a_database_of_another_program_is_left_alone(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE theirs (id)")
    connection.close()
    with pytest.raises(MemoryFileError, match="another program"):
        Memory(path)
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("theirs",)]
    connection.close()


def test_a_memory_of_a_later_version_is_refused(memory, path):
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(MemoryFileError, match="later version"):
        Memory(path)


@pytest.mark.parametrize("place", ["/proc/memory.sqlite", "/proc/nowhere/memory.sqlite", "/"])
def test_a_place_where_nothing_can_be_made_is_named(place):
    with pytest.raises(MemoryFileError, match="--no-memory"):
        Memory(place)


@pytest.fixture
def open_folder():
    """A folder that a user without rights can enter (pytest's own can only be entered by its owner)."""
    folder = Path(tempfile.mkdtemp(prefix="graftwork-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def test_a_file_that_may_only_be_read_says_so(open_folder):
    path = open_folder / "memory.sqlite"
    Memory(path).remember(episode())
    path.chmod(0o444)
    open_folder.chmod(0o555)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        with pytest.raises(MemoryFileError, match=r"cannot be (written|opened)"):
            Memory(path)
    finally:
        if root:
            os.seteuid(0)
        open_folder.chmod(0o755)


def test_the_folder_is_made_for_its_owner_alone(tmp_path):
    Memory(tmp_path / "new" / "folder" / "memory.sqlite")
    assert (tmp_path / "new" / "folder").stat().st_mode & 0o077 == 0


def test_the_default_place_is_in_the_users_data_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_place().name == "memory.sqlite"
    assert default_place().parent.name == "graftwork"
