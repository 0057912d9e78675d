import pytest

from quincunx import solve
from quincunx.solve.crew import Crew


@pytest.fixture(scope="session")
def crew():
    with Crew(2) as made:
        yield made


@pytest.fixture(scope="session", params=[3, 4, 5])
def table(request):
    """A small table, made when it is first asked for."""
    return solve.table(request.param)
