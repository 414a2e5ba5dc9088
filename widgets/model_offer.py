"""What is said before a model is fetched: which, how large, from where, what comes after. No Qt."""

from dataclasses import dataclass

from core.models.catalogue import NamedModel
from widgets.text_marks import one_line

_MEGABYTE = 1_000_000
_SHORT = 12


@dataclass(frozen=True, slots=True)
class ModelOffer:
    """A page that asks for consent: sentences, facts (label, value), and whether to fetch it."""

    text: str
    facts: tuple[tuple[str, str], ...]
    can_download: bool


def offer(model: NamedModel, host: str, folder: str) -> ModelOffer:
    """Describe getting a model from `host` into `folder`; one without pins only from a folder."""
    missing = (
        "This store was made with a model that does not come with Genizah. Without it the store "
        "is searched by words only; with it by meaning, too, as its agent does."
    )
    facts: tuple[tuple[str, str], ...]
    names = ", ".join(file.name for file in model.files)
    if not model.is_pinned:
        text = (
            f"{missing}\n\nGenizah has no checksums of this model, so it does not download it. "
            "If you have its files, take them over from their folder; nothing is checked but that "
            "they are there."
        )
        facts = (("Model", model.name), ("Files needed", names), ("Kept in", folder))
        return ModelOffer(text, _safe(facts), can_download=False)
    size = f"about {model.about_bytes / _MEGABYTE:,.0f} MB in {len(model.files)} files"
    facts = (
        ("Model", model.name),
        ("Size", size),
        ("From", f"{host}, repository {model.repository}, revision {model.revision[:_SHORT]}"),
        ("Checked", "the sha256 of every file must be the one that Genizah knows"),
        ("Sent", "the names of these files, nothing of your memories; your address is seen"),
        ("Kept in", folder),
        ("Afterwards", "works without a network; fetched again once if a file is found damaged"),
    )
    return ModelOffer(missing, _safe(facts), can_download=True)


def _safe(facts: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Show hidden characters: the name of the model is the store's own."""
    return tuple((label, one_line(value)) for label, value in facts)
