"""The games of examples/ are registered while a test runs that asks for them."""

import pytest

import quincunx as qx
from tests.samples.packages import NAMES, register


@pytest.fixture(params=[pytest.param(n, marks=pytest.mark.xdist_group(n)) for n in NAMES])
def sample(request):
    """Each of the games in turn, registered."""
    yield register(request.param)
    qx.registry._registered.clear()
