import pytest

from quincunx import solve
from quincunx.solve.threads import ThreadTeam


@pytest.fixture(scope="session")
def team():
    with ThreadTeam(2) as made:
        yield made


@pytest.fixture(scope="session", params=[3, 4, 5])
def table(request):
    """A small table, made when it is first asked for."""
    return solve.open_table(request.param)
