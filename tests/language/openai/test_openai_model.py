import gzip
import json
import subprocess
import sys
import threading
import traceback

import pytest

from graftwork.errors import MissingKeyError
from graftwork.language.models import MODELS, model_from_name
from graftwork.language.openai_model import OpenAIModel
from semantics.body.protocols import LanguageModel, Message
from semantics.errors import (
    ModelError,
    ModelNonsenseError,
    ModelUnreachableError,
    OutsideError,
    UnknownNameError,
    UsageError,
)
from tests.loopback import Fault, LoopbackServer, Raw, completion, dead_address
from tests.silent_server import SilentServer

KEY = "sk-very-secret-0123"
QUESTION = (Message("system", "be brief"), Message("user", "hello"))
SCHEMA = {"type": "object", "properties": {"goal": {"type": "string"}}, "required": ["goal"]}


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def model_at(address, **options):
    return OpenAIModel("small", base_url=address, api_key=KEY, **{"timeout": 5.0, "pause": 0.01, **options})


def told(error):
    """Everything that a person or a log could see of an error."""
    return "".join(traceback.format_exception(error))


def test_an_answer_is_given_back_with_its_tokens():
    with LoopbackServer("good day") as server:
        model = model_at(server.base_url)
        reply = model.complete(QUESTION)
    assert (reply.text, reply.tokens) == ("good day", 10)
    assert server.count == 1
    assert isinstance(model, LanguageModel)


def test_the_request_carries_messages_model_key_and_strict_schema():
    with LoopbackServer("{}") as server:
        model_at(server.base_url).complete(QUESTION, schema=SCHEMA)
    sent = server.requests[0]
    assert sent["model"] == "small"
    assert sent["messages"] == [{"role": "system", "content": "be brief"}, {"role": "user", "content": "hello"}]
    assert sent["response_format"]["json_schema"]["schema"] == SCHEMA
    assert sent["response_format"]["json_schema"]["strict"] is True
    assert server.keys == [KEY]


def test_key_and_address_come_from_the_environment(monkeypatch):
    with LoopbackServer("yes") as server:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        assert OpenAIModel("small").complete(QUESTION).text == "yes"


@pytest.mark.parametrize("fault", [Fault.ERROR, Fault.BUSY, Fault.CUT, Fault.DYING])
def test_a_passing_fault_is_retried(fault):
    with LoopbackServer(fault, "better now") as server:
        assert model_at(server.base_url).complete(QUESTION).text == "better now"
    assert server.count == 2


@pytest.mark.parametrize(
    ("fault", "word", "requests"),
    [
        (Fault.ERROR, "500", 3),
        (Fault.BUSY, "429", 3),
        (Fault.CUT, "broke off", 3),
        (Fault.DYING, "broke off", 3),
        (Fault.KEY_REFUSED, "OPENAI_API_KEY", 1),
        (Fault.NO_SUCH_MODEL, "404", 1),
    ],
)
def test_a_lasting_fault_ends_after_bounded_retries(fault, word, requests):
    with LoopbackServer(fault) as server, pytest.raises(ModelUnreachableError) as caught:
        model_at(server.base_url).complete(QUESTION)
    assert word in str(caught.value)
    assert server.base_url in str(caught.value)
    assert server.count == requests


@pytest.mark.parametrize("fault", [Fault.NONSENSE, Fault.NOT_JSON, Fault.EMPTY_CHOICES])
def test_an_answer_that_is_no_completion_ends_after_bounded_retries(fault):
    with LoopbackServer(fault) as server, pytest.raises(ModelNonsenseError, match="no chat completion"):
        model_at(server.base_url).complete(QUESTION)
    assert server.count == 3


@pytest.mark.parametrize("fault", [Fault.SLOW, Fault.DRIPPING, Fault.TRICKLING])
def test_a_server_that_never_finishes_is_left_at_the_deadline(fault):
    with LoopbackServer(fault) as server:
        # the server itself would hold the line for a minute, and the package's own limit never notices a drip
        with pytest.raises(ModelUnreachableError, match=r"no answer within 0\.4 s"):
            model_at(server.base_url, timeout=0.4).complete(QUESTION)
        assert server.count == 1


class Counted:
    """Chunks of a body, and how many of them were taken."""

    def __init__(self, chunk, count):
        self.chunk, self.count, self.taken = chunk, count, 0

    def __iter__(self):
        for _ in range(self.count):
            self.taken += 1
            yield self.chunk


@pytest.mark.parametrize("status", [200, 400, 500])
def test_a_body_that_is_too_large_is_left_in_its_midst(status):
    body = Counted(b" " * 100_000, 5_000)
    with LoopbackServer(Raw(body, status=status)) as server:
        with pytest.raises(ModelNonsenseError, match="more than 4000000 bytes"):
            model_at(server.base_url, timeout=60.0).complete(QUESTION)
        assert server.count == 1
    assert body.taken < 1_000  # what the sockets between hold, and not 500 MB


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "gzip, gzip"])
def test_a_compressed_body_is_not_asked_for_and_not_read(encoding):
    bomb = Raw([gzip.compress(bytes(20_000_000))], {"Content-Encoding": encoding})
    with LoopbackServer(bomb) as server:
        with pytest.raises(ModelNonsenseError, match="compressed"):
            model_at(server.base_url, timeout=60.0).complete(QUESTION)
        assert server.headers[0]["Accept-Encoding"] == "identity"


@pytest.mark.parametrize("charset", ["undefined", "zlib_codec", "punycode", "idna", "rot13", "utf-16"])
@pytest.mark.parametrize("status", [200, 400])
def test_a_body_is_text_in_utf_8_whatever_codec_a_server_names(charset, status):
    answer = completion("good day") if status == 200 else {"error": {"message": "not like that"}}
    headers = {"Content-Type": f"application/json; charset={charset}"}
    with LoopbackServer(Raw([json.dumps(answer).encode()], headers, status)) as server:
        if status == 200:
            assert model_at(server.base_url).complete(QUESTION).text == "good day"
        else:
            with pytest.raises(ModelUnreachableError, match="not like that"):
                model_at(server.base_url).complete(QUESTION)


def said(message):
    return {**completion(""), "choices": [{"index": 0, "message": message}]}


@pytest.mark.parametrize(
    "body",
    [
        json.dumps(said(None)).encode(),
        json.dumps(said([])).encode(),
        json.dumps(said({"content": 1e308})).replace("1e+308", "1e999").encode(),
        json.dumps([said({"content": "hello"})]).encode(),
        b"null",
        b"1e999",
        b"",
        b"\xff\xfe\x00",
        b'{"choices": ' + b"[" * 100_000,
        b'{"choices": ' + b'{"a": ' * 100_000,
        b'{"choices": ' + b"1" * 100_000 + b"}",
    ],
    ids=lambda body: body[:40].decode("ascii", "replace"),
)
def test_whatever_a_body_holds_is_no_fault(body):
    with LoopbackServer(Raw([body])) as server, pytest.raises(ModelNonsenseError, match="no chat completion"):
        model_at(server.base_url, timeout=30.0).complete(QUESTION)


@pytest.mark.parametrize(
    "usage",
    [[1], "many", {"total_tokens": "x"}, {"total_tokens": [1]}, {"total_tokens": -3}, {"total_tokens": True}, 7],
)
def test_a_good_answer_is_taken_whatever_its_price_is_said_to_be(usage):
    body = {**completion("good day"), "usage": usage}
    with LoopbackServer(Raw([json.dumps(body).encode()])) as server:
        reply = model_at(server.base_url).complete(QUESTION)
    assert (reply.text, reply.tokens) == ("good day", 0)


@pytest.mark.parametrize("number", ["1e999", "9" * 4300])
def test_a_number_of_tokens_beyond_all_numbers_is_none(number):
    body = json.dumps(completion("good day")).replace('"total_tokens": 10', f'"total_tokens": {number}')
    with LoopbackServer(Raw([body.encode()])) as server:
        assert model_at(server.base_url).complete(QUESTION).tokens == 0


def test_half_a_character_in_an_answer_becomes_a_replacement_character():
    body = json.dumps(completion("good \ud800 day")).encode()
    with LoopbackServer(Raw([body])) as server:
        assert model_at(server.base_url).complete(QUESTION).text == "good \N{REPLACEMENT CHARACTER} day"


def test_nobody_listening_is_an_outside_error_that_names_the_address():
    address = dead_address()
    with pytest.raises(OutsideError) as caught:
        model_at(address).complete(QUESTION)
    assert address in str(caught.value)
    assert "--model offline" in str(caught.value)


def test_a_pause_is_not_begun_that_would_outlast_the_deadline():
    with LoopbackServer(Fault.ERROR) as server, pytest.raises(ModelUnreachableError):
        model_at(server.base_url, timeout=5.0, pause=3600.0).complete(QUESTION)
    assert server.count == 1


def test_a_server_without_schemas_is_asked_without():
    with LoopbackServer(Fault.NO_SCHEMA) as server:
        model = model_at(server.base_url)
        assert model.complete(QUESTION, schema=SCHEMA).text
        model.complete(QUESTION, schema=SCHEMA)
    assert ["response_format" in request for request in server.requests] == [True, True, False, False]


@pytest.mark.parametrize("fault", [Fault.KEY_REFUSED, Fault.ERROR, Fault.BUSY, Fault.UNWILLING, Fault.NONSENSE])
def test_the_key_is_in_no_message_and_no_traceback(fault):
    with LoopbackServer(fault) as server, pytest.raises(ModelError) as caught:
        model_at(server.base_url).complete(QUESTION)
    assert server.keys[0] == KEY
    assert KEY not in told(caught.value)


def test_the_key_is_cut_out_of_an_answer_that_is_quoted():
    with LoopbackServer(Fault.UNWILLING) as server, pytest.raises(ModelError, match=r"422.*trouble with \*\*\*"):
        model_at(server.base_url).complete(QUESTION)


def test_the_password_of_an_address_is_not_shown():
    model = model_at("http://anna:hush@127.0.0.1:9/v1?token=abc")
    assert model.server == "http://127.0.0.1:9/v1"


def test_a_missing_key_is_said_before_anything_is_sent(monkeypatch):
    with pytest.raises(MissingKeyError, match="OPENAI_API_KEY") as caught:
        OpenAIModel("small")
    assert isinstance(caught.value, UsageError)
    monkeypatch.setenv("OPENAI_API_KEY", "  ")
    with pytest.raises(MissingKeyError):
        OpenAIModel("small")


@pytest.mark.parametrize("key", ["two words", "sk-né", "a\nb"])
def test_a_key_that_no_header_can_carry_is_refused_without_repeating_it(key):
    with pytest.raises(UsageError) as caught:
        OpenAIModel("small", api_key=key)
    assert key not in str(caught.value)


@pytest.mark.parametrize(
    "address", ["127.0.0.1:8000", "ftp://there/v1", "http://", "http://host:port/v1", "http://[::1/v1"]
)
def test_an_address_that_is_none_is_bad_usage(address):
    with pytest.raises(UsageError, match="OPENAI_BASE_URL"):
        model_at(address)


@pytest.mark.parametrize("options", [{"timeout": 0}, {"retries": -1}])
def test_limits_that_cannot_be_are_bad_usage(options):
    with pytest.raises(UsageError):
        model_at("http://127.0.0.1:9/v1", **options)


def test_a_missing_package_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(OutsideError, match=r"graftwork\[llm\]"):
        model_at("http://127.0.0.1:9/v1").complete(QUESTION)


def test_naming_a_model_does_not_load_openai():
    code = "import sys; import graftwork.language.dialogue; assert 'openai' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_names_of_models(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert model_from_name("offline") is None
    assert model_from_name("openai:small:v2").name == "small:v2"
    assert set(MODELS) == {"offline", "openai", "replay", "scripted"}


@pytest.mark.parametrize("name", ["opnai:small", "gpt", ""])
def test_an_unknown_model_lists_the_known_ones(name):
    with pytest.raises(UnknownNameError) as caught:
        model_from_name(name)
    assert caught.value.valid == ("offline", "openai:NAME", "replay:FILE", "scripted:FILE")


@pytest.mark.parametrize("name", ["openai:", "openai", "offline:small"])
def test_half_a_model_name_is_bad_usage(name):
    with pytest.raises(UsageError):
        model_from_name(name)


def test_a_request_that_is_called_off_ends_and_its_connection_is_closed():
    stopped = threading.Event()
    with SilentServer() as server:
        model = model_at(server.base_url, timeout=60.0)
        threading.Thread(target=lambda: (server.asked.wait(30), stopped.set())).start()
        with pytest.raises(ModelUnreachableError, match="called off"):
            model.complete_unless(stopped.is_set, QUESTION)
        assert server.left.wait(30)


def test_a_request_that_is_late_leaves_no_connection_behind():
    with SilentServer() as server:
        with pytest.raises(ModelUnreachableError, match="no answer within"):
            model_at(server.base_url, timeout=1.0, retries=0).complete(QUESTION)
        assert server.left.wait(30)


def test_a_model_that_was_called_off_before_is_not_asked():
    with LoopbackServer("good day") as server:
        with pytest.raises(ModelUnreachableError, match="called off"):
            model_at(server.base_url).complete_unless(lambda: True, QUESTION)
        assert server.count == 0


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_no_redirect_is_followed(status):
    with LoopbackServer("(on apple0 counter0)") as other:
        elsewhere = Raw([b""], {"Location": f"{other.base_url}/chat/completions"}, status)
        with LoopbackServer(elsewhere) as server:
            model = OpenAIModel("m", base_url=server.base_url, api_key="sk-secret", retries=0)
            with pytest.raises(ModelUnreachableError, match="elsewhere"):
                model.complete([Message("user", "hello")])
        assert other.count == 0


@pytest.mark.parametrize("said", ["sk-Secret", "SK-SECRET"])
def test_a_key_in_a_good_answer_is_starred(said):
    with LoopbackServer(f"the key is {said}") as server:
        model = OpenAIModel("m", base_url=server.base_url, api_key="sk-Secret")
        assert model.complete([Message("user", "hello")]).text == "the key is ***"


@pytest.mark.parametrize(
    "said", [r"sk-secret\/abc", r"\u0073k-secret/abc", r"sk-secret\\\u002Fabc", r"\\u0073k\\u002dsecret/abc"]
)
def test_a_key_in_the_escapes_of_json_is_starred(said):
    answer = '{"choices": [{"message": {"content": "the key is %s, \\\\no"}}]}'.replace("%s", said)
    with LoopbackServer(Raw([answer.encode()])) as server:
        model = OpenAIModel("m", base_url=server.base_url, api_key="sk-secret/abc")
        assert model.complete([Message("user", "hello")]).text == "the key is ***, \\no"


@pytest.mark.parametrize("key", ["1", "apple"])
def test_a_short_key_does_not_damage_an_answer(key):
    with LoopbackServer('{"goal": "(in apple0 fridge0)"}') as server:
        model = OpenAIModel("m", base_url=server.base_url, api_key=key)
        assert model.complete([Message("user", "hello")]).text == '{"goal": "(in apple0 fridge0)"}'
