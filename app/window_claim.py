"""Before the window: whether one can open here, and whether one is open that takes the wish.

Without widgets: a start that only hands its stores over imports none.
"""

from argparse import Namespace

from app.bootstrap import Services
from app.display_check import refuse_unusable_display
from app.single_instance import ACTIVATION_TOKEN, SingleInstance, Wish
from core.errors import GenizahError


def claim(services: Services, arguments: Namespace) -> SingleInstance | None:
    """Find out whether a window is there already; a picture is taken whether or not.

    Raises GenizahError where no window can open here.
    """
    refuse_unusable_display(services.environ)
    if getattr(arguments, "screenshot", None) is not None:
        return None
    return SingleInstance(services.environ, services.data_dir)


def wish_of(services: Services, arguments: Namespace) -> Wish:
    """Return what this start is for; without a named store the nearest one above, as ever."""
    stores = [str(services.working_folder / store) for store in arguments.stores]
    if not stores:
        try:
            stores = [str(services.locate(None).database.absolute())]
        except GenizahError:
            stores = []
    query: str | None = getattr(arguments, "query", None)
    return Wish(tuple(stores), query, services.environ.get(ACTIVATION_TOKEN, ""))
