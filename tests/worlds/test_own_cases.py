"""The cases of the worlds that come with the program, as ``graftwork test`` runs them."""

import pytest
from typer.testing import CliRunner

from domains.reader import available_domains
from graftwork.cli.app import app


@pytest.mark.slow
@pytest.mark.parametrize("world", available_domains())
def test_each_case_of_a_world_passes(world):
    ran = CliRunner().invoke(app, ["test", world])
    assert ran.exit_code == 0, ran.stdout
