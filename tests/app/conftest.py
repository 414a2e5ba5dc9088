"""What the tests of the program share."""

import pytest

from tests.support.cli import Cli


@pytest.fixture
def cli(capsysbinary: pytest.CaptureFixture[bytes]) -> Cli:
    """Give the command line."""
    return Cli(capsysbinary)
