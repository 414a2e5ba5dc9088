"""Query vectors as text: base64 of little-endian float32."""

import base64
import binascii
import math
import struct

from core.errors import ErrorCode, GenizahError

_FLOAT_BYTES = 4


def decode_vector(text: str) -> bytes:
    """Decode a base64 vector of little-endian float32. Raises GenizahError(BAD_VECTOR)."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise GenizahError(
            ErrorCode.BAD_VECTOR, "The vector is not base64; give little-endian float32 bytes."
        ) from error
    if not raw or len(raw) % _FLOAT_BYTES:
        raise GenizahError(
            ErrorCode.BAD_VECTOR,
            f"The vector has {len(raw)} bytes, not a whole number of float32 values.",
        )
    if not all(map(math.isfinite, struct.unpack(f"<{len(raw) // _FLOAT_BYTES}f", raw))):
        raise GenizahError(ErrorCode.BAD_VECTOR, "The vector holds a number that is not finite.")
    return raw


def encode_vector(vector: bytes) -> str:
    """Encode a vector as `decode_vector` reads it."""
    return base64.b64encode(vector).decode("ascii")
