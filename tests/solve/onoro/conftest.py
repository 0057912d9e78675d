from contextlib import closing

import pytest

from quincunx.solve.onoro.threads import ThreadTeam
from tests.solve.tables import small_table


@pytest.fixture(scope="session")
def team():
    with closing(ThreadTeam(2)) as team:
        yield team


@pytest.fixture(scope="session", params=[3, 4, 5])
def table(request):
    """A small table, built when it is first needed."""
    return small_table(request.param)
