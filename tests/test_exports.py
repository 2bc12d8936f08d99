"""Each package exports the few names that its users need, and each of them can be imported from it."""

from importlib import import_module

import pytest

PACKAGES = ("semantics", "domains", "affordances", "robots", "planning", "bt", "graftwork")
MOST = 20
UNKNOWN = "no_such_name"


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_exports_a_few_names_that_can_be_imported(package):
    module = import_module(package)
    assert 0 < len(module.__all__) <= MOST
    assert len(set(module.__all__)) == len(module.__all__)
    for name in module.__all__:
        assert getattr(module, name) is not None
    assert set(module.__all__) <= set(dir(module))


@pytest.mark.parametrize("package", PACKAGES)
def test_a_name_that_a_package_does_not_have_is_refused(package):
    with pytest.raises(AttributeError, match=UNKNOWN):
        getattr(import_module(package), UNKNOWN)
