import pytest

from quincunx import solve
from quincunx.solve.threads import ThreadTeam


@pytest.fixture(scope="session")
def team():
    with ThreadTeam(2) as team:
        yield team


@pytest.fixture(scope="session", params=[3, 4, 5])
def table(request):
    """A small table, built when it is first needed."""
    return solve.open_table(request.param)
