"""The words of a world are gathered once for each of its revisions, not for each sentence."""

from dataclasses import replace

from graftwork import Session
from semantics.words import lexicon


def decide(session: Session, words: str) -> None:
    run = session.start(words)
    run.wait()
    run.cancel()
    while run.tick():
        pass


def test_sentences_about_one_revision_share_its_lexicon(monkeypatch):
    made = []
    gather = lexicon._all_entries
    monkeypatch.setattr(lexicon, "_all_entries", lambda vocabulary: made.append(vocabulary) or gather(vocabulary))
    with Session(scene="small", robot="fake", memory=None) as session:
        for words in ("put the apple on the counter", "put the apple on the mooncake", "open the fridge"):
            decide(session, words)
        assert len(made) == 1
        world = session.environment.world
        more = world.with_classes(replace(world.domain.classes["cup"], name="beaker", words=()))
        session.environment.watcher.adopt(more.with_objects(more.domain.thing("beaker0", "beaker")))
        for words in ("put the beaker on the counter", "put the apple on the beaker"):
            decide(session, words)
        assert len(made) == 2
