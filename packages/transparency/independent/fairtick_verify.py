#!/usr/bin/python3
"""Verifies Fairtick's public log and the receipts of its orders.

This is a second implementation, written from docs/verification.md, which shares no code with packages/transparency. Its
parts follow the sections of that page, in the same order and with the same terms.

    fairtick_verify.py verify-receipt [--keys FILE] [--json] RECEIPT...
    fairtick_verify.py verify-log [--keys FILE] [--since CHECKPOINT] ADDRESS_OR_FOLDER
    fairtick_verify.py verify-vectors FOLDER

It exits with 0 if all checks pass, 1 if one fails, 2 if something is pending, 3 if nothing could be examined. It needs
Python 3.11 and the package `cryptography` (Debian: python3-cryptography).
"""

from __future__ import annotations

import argparse
import base64
import binascii
import hashlib
import hmac
import http.client
import json
import re
import struct
import sys
import time
import unicodedata
import urllib.error
import urllib.request
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

MINUTE_MS = 60_000
DAY_MS = 86_400_000
TICK_MS = 500
EPOCH_TICKS = 1200
EPOCH_MS = TICK_MS * EPOCH_TICKS
# How long after the acceptance an entry tick may come.
ENTRY_WINDOW_MS = 10_000
# If the log has a moment this long after the end of a period without a tick, no tick is expected any more.
SILENCE_MS = 600_000
# How long after its expiry a sealed order can be revealed. Then it is settled as unrevealed.
REVEAL_WITHIN_MS = 604_800_000
STANDING_STILL_MS = 60_000
SETTLED_WITHIN_MS = 4_210_000
# How long after it was due an order may be settled without an incident.
SETTLE_WITHIN_MS = 10_000
# The longest gap between epochs without an incident, and how soon after one the next epoch must start.
EPOCH_GAP_MS = 2_000
RESUMED_WITHIN_MS = 10_000
BOARD_GRACE_MS = 60_000
CENT = 10_000
MILLION = 1_000_000


class Refused(Exception):
    """Raised when something is not as the page requires. The message says what."""


class Gap(Refused):
    """Raised when the tick next to a deciding one is missing. `beside` is `entry` or `exit`."""

    def __init__(self, beside: str) -> None:
        super().__init__(f"the tick beside the {beside} is left out")
        self.beside = beside


class Pending(Exception):
    """Raised when something is not in the log yet. `due_at` is when it should have been there, if known."""

    def __init__(self, why: str, due_at: int | None = None) -> None:
        super().__init__(why)
        self.due_at = due_at


class NothingExamined(Exception):
    """Raised when there is nothing to examine: a file is missing, unreadable or not a receipt."""


def require(condition: bool, otherwise: str) -> None:
    """Raises `Refused` with the text `otherwise` unless the condition holds."""
    if not condition:
        raise Refused(otherwise)


# --- Conventions: bytes and texts -------------------------------------------------------------------------------------


def sha256(*parts: bytes) -> bytes:
    """Calculates the SHA-256 of the concatenated parts."""
    return hashlib.sha256(b"".join(parts)).digest()


def u32(value: int) -> bytes:
    require(0 <= value < 2**32, f"{value} is no u32")
    return struct.pack(">I", value)


def u64(value: int) -> bytes:
    require(0 <= value < 2**64, f"{value} is no u64")
    return struct.pack(">Q", value)


def from_base64(text: str) -> bytes:
    """Decodes standard, padded base 64. Refuses other encodings of the same bytes."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Refused(f"no base 64: {error}") from error
    require(base64.b64encode(raw).decode() == text, "base 64 with unused bits")
    return raw


DECIMAL = re.compile(r"0|[1-9][0-9]*", re.ASCII)


def from_decimal(text: str) -> int:
    """Parses a number of at most 2^53 − 1, without leading zeros."""
    require(DECIMAL.fullmatch(text) is not None and len(text) <= 16, f"no decimal number: {text[:30]}")
    value = int(text)
    require(value < 2**53, f"{text} is too large")
    return value


def from_utf8(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise Refused("no UTF-8") from error


def utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise Refused("no text: a lone surrogate") from error


# --- Conventions: canonical JSON --------------------------------------------------------------------------------------

LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def _refuse_number(text: str) -> Any:
    raise Refused(f"no integer: {text[:30]}")


def _whole_number(text: str) -> int:
    value = float(text)
    if not value.is_integer() or abs(value) >= 2**53:
        _refuse_number(text)
    return int(value)


def parse_json(text: str) -> Any:
    """Parses any JSON whose numbers are whole, however they are written."""
    try:
        return json.loads(text, parse_float=_whole_number, parse_constant=_refuse_number)
    except (ValueError, RecursionError) as error:
        raise Refused(f"no JSON: {error}") from error


def canonical_json(value: Any) -> str:
    """Formats a value as its only canonical text: sorted keys, no blanks, integers within ±(2^53 − 1)."""
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{canonical_json(key)}:{canonical_json(value[key])}" for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical_json, value)) + "]"
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)
        return LONE_SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
    if isinstance(value, int) and not isinstance(value, bool):
        require(abs(value) < 2**53, "a number beyond 2^53 − 1")
    return json.dumps(value)


def parse_canonical(text: str) -> Any:
    """Parses a canonical text. Refuses any other text."""
    value = parse_json(text)
    try:
        is_canonical = canonical_json(value) == text
    except RecursionError as error:
        raise Refused("JSON is nested too deeply") from error
    require(is_canonical, "the JSON is not canonical")
    return value


# --- Shapes: the required form of a value -----------------------------------------------------------------------------

Shape = Callable[[Any, str], None]
"""A check that refuses values of another shape. The text is the value's place, for the message."""


def integer(value: Any, at: str) -> None:
    require(isinstance(value, int) and not isinstance(value, bool), f"{at} is no integer")
    require(abs(value) < 2**53, f"{at} is too large")


def natural(value: Any, at: str) -> None:
    integer(value, at)
    require(value >= 0, f"{at} is below zero")


def cents(value: Any, at: str) -> None:
    """Checks for money in whole cents."""
    integer(value, at)
    require(value % CENT == 0, f"{at} is not whole cents")


def positive(value: Any, at: str) -> None:
    integer(value, at)
    require(value > 0, f"{at} is not above zero")


def text(value: Any, at: str) -> None:
    require(isinstance(value, str), f"{at} is no text")


def matching(pattern: str) -> Shape:
    """Makes the shape of a text that matches the whole pattern."""
    compiled = re.compile(pattern, re.ASCII)

    def check(value: Any, at: str) -> None:
        text(value, at)
        require(compiled.fullmatch(value) is not None, f"{at} is malformed")

    return check


def one_of(*values: Any) -> Shape:
    """Makes the shape of one of these values, of exactly the same type."""

    def check(value: Any, at: str) -> None:
        require(any(type(value) is type(each) and value == each for each in values), f"{at} is another value")

    return check


def hex_bytes(count: int) -> Shape:
    """Makes the shape of `count` bytes in hexadecimal."""
    return matching(rf"[0-9a-f]{{{2 * count}}}")


def base64_of(count: int | None = None, multiple: int = 1) -> Shape:
    """Makes the shape of base 64 of `count` bytes, or of a number of bytes divisible by `multiple`."""

    def check(value: Any, at: str) -> None:
        text(value, at)
        length = len(from_base64(value))
        require(count is None or length == count, f"{at} is of another length")
        require(length % multiple == 0, f"{at} is of another length")

    return check


def nullable(shape: Shape) -> Shape:
    def check(value: Any, at: str) -> None:
        if value is not None:
            shape(value, at)

    return check


def list_of(shape: Shape, at_least: int = 0, at_most: int | None = None) -> Shape:
    def check(value: Any, at: str) -> None:
        require(isinstance(value, list), f"{at} is no list")
        require(len(value) >= at_least and (at_most is None or len(value) <= at_most), f"{at} is of another length")
        for place, each in enumerate(value):
            shape(each, f"{at}.{place}")

    return check


def map_of(key: Shape, shape: Shape) -> Shape:
    """Makes the shape of an object whose names and values all have these shapes."""

    def check(value: Any, at: str) -> None:
        require(isinstance(value, dict), f"{at} is no object")
        for name, each in value.items():
            key(name, f"a name in {at}")
            shape(each, f"{at}.{name}")

    return check


def fields(shapes: Mapping[str, Shape], optional: Mapping[str, Shape] | None = None) -> Shape:
    """Makes the shape of an object with exactly these fields; the optional ones may be missing."""
    known = {**shapes, **(optional or {})}

    def check(value: Any, at: str) -> None:
        require(isinstance(value, dict), f"{at} is no object")
        for name in shapes:
            require(name in value, f"{at}.{name} is missing")
        for name, each in value.items():
            require(name in known, f"{at}.{name} is unknown")
            known[name](each, f"{at}.{name}")

    return check


hash_hex = hex_bytes(32)
symbol_text = matching(r"[A-Z0-9]{1,20}")


# --- The log: Merkle trees --------------------------------------------------------------------------------------------


def leaf_hash(entry: bytes) -> bytes:
    return sha256(b"\x00", entry)


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01", left, right)


def root_of_leaves(leaves: Sequence[bytes]) -> bytes:
    """Calculates the root over leaf hashes as in RFC 6962: an odd last node is moved up unchanged."""
    if not leaves:
        return sha256()
    level = list(leaves)
    while len(level) > 1:
        pairs = [node_hash(level[place], level[place + 1]) for place in range(0, len(level) - 1, 2)]
        level = pairs + level[len(level) & ~1 :]
    return level[0]


def root_of_entries(entries: Iterable[bytes]) -> bytes:
    return root_of_leaves([leaf_hash(entry) for entry in entries])


def root_of_path(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """Calculates the root that an inclusion proof leads to, as in RFC 9162, 2.1.3.2."""
    require(0 <= index < size, "a place outside the tree")
    node, last, root = index, size - 1, leaf
    for sibling in path:
        require(last > 0, "a path too long")
        if node & 1 or node == last:
            root = node_hash(sibling, root)
            while not node & 1 and node > 0:
                node, last = node >> 1, last >> 1
        else:
            root = node_hash(root, sibling)
        node, last = node >> 1, last >> 1
    require(last == 0, "a path too short")
    return root


def is_consistent(old_size: int, old_root: bytes, size: int, root: bytes, path: Sequence[bytes]) -> bool:
    """Returns whether a consistency proof shows that the tree extends the old one, as in RFC 9162, 2.1.4.2."""
    if old_size == size:
        return not path and old_root == root
    if not 0 < old_size < size or not path:
        return False
    nodes = list(path) if old_size & (old_size - 1) else [old_root, *path]
    node, last = old_size - 1, size - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    first = second = nodes[0]
    for sibling in nodes[1:]:
        if last == 0:
            return False
        if node & 1 or node == last:
            first, second = node_hash(sibling, first), node_hash(sibling, second)
            while not node & 1 and node > 0:
                node, last = node >> 1, last >> 1
        else:
            second = node_hash(second, sibling)
        node, last = node >> 1, last >> 1
    return last == 0 and first == old_root and second == root


# --- The log: keys and signatures -------------------------------------------------------------------------------------

CURVE_PRIME = 2**255 - 19
# The y coordinates of the points of order 1, 2, 4 and 8.
_Y_OF_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
SMALL_ORDER_Y = {0, 1, CURVE_PRIME - 1, _Y_OF_ORDER_8, CURVE_PRIME - _Y_OF_ORDER_8}


# The SPKI bytes of a P-256 key before its point.
P256_SPKI = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200")


def is_signed_by_device(key: bytes, text: str, signature: bytes) -> bool:
    """Returns whether a device's key (SPKI) made a signature (r || s) over a text: ECDSA on P-256 with SHA-256."""
    if not key.startswith(P256_SPKI) or len(key) != len(P256_SPKI) + 65 or len(signature) != 64:
        return False
    r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
    try:
        point = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), key[len(P256_SPKI) :])
        point.verify(encode_dss_signature(r, s), utf8(text), ECDSA(SHA256()))
    except (InvalidSignature, ValueError):
        return False
    return True


def is_signed(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Returns whether an Ed25519 signature is valid. Rejects other encodings of a key and keys of small order."""
    y = int.from_bytes(public_key, "little") & (2**255 - 1)
    if len(public_key) != 32 or len(signature) != 64 or y >= CURVE_PRIME or y in SMALL_ORDER_Y:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


LOG_KEY_TYPE = 0x01
WITNESS_KEY_TYPE = 0x04


def key_id(name: str, kind: bytes, public_key: bytes) -> bytes:
    return sha256(name.encode(), b"\n", kind, public_key)[:4]


@dataclass(frozen=True)
class VerifierKey:
    """A public key with its name and type. Its text is a line `name+id+base 64`."""

    name: str
    type: int
    public_key: bytes

    @classmethod
    def parse(cls, line: str, kind: int | None = None) -> VerifierKey:
        parts = line.split("+", 2)
        require(len(parts) == 3 and is_key_name(parts[0]), "no verifier key")
        raw = from_base64(parts[2])
        require(len(raw) == 33 and raw[0] in (LOG_KEY_TYPE, WITNESS_KEY_TYPE), "a verifier key of another type")
        key = cls(parts[0], raw[0], raw[1:])
        require(parts[1] == key.id.hex(), "a verifier key with another id")
        require(kind in (None, key.type), "a verifier key of another type")
        return key

    @cached_property
    def id(self) -> bytes:
        return key_id(self.name, bytes([self.type]), self.public_key)

    @property
    def line(self) -> str:
        raw = base64.b64encode(bytes([self.type]) + self.public_key).decode()
        return f"{self.name}+{self.id.hex()}+{raw}"

    @cached_property
    def timeless_id(self) -> bytes:
        """Returns the id of this witness's signatures without a time."""
        return key_id(self.name, b"\xfffairtick/timeless/v1", self.public_key)


def is_key_name(name: str) -> bool:
    return name != "" and not any(each == "+" or each.isspace() or unicodedata.category(each) == "Cc" for each in name)


@dataclass(frozen=True)
class Keys:
    """The keys that a verifier pins and never takes from the data being verified."""

    origin: str
    log: tuple[VerifierKey, ...]
    acceptance: tuple[VerifierKey, ...]
    witnesses: tuple[VerifierKey, ...]
    witnesses_needed: int

    @classmethod
    def parse(cls, content: str) -> Keys:
        """Parses `fairtick.keys`. Ignores empty lines and lines that begin with #."""
        values: defaultdict[str, list[str]] = defaultdict(list)
        for line in content.split("\n"):
            word, _, value = line.strip().partition(" ")
            if word and not word.startswith("#"):
                require(word in ("origin", "log", "acceptance", "witness", "witnesses"), f"an unknown line: {word}")
                values[word].append(value.strip())
        require(len(values["origin"]) == 1, "the keys need one origin")
        require(len(values["witnesses"]) <= 1, "the keys say twice how many witnesses are needed")
        witnesses = cls._of_type(values["witness"], WITNESS_KEY_TYPE)
        needed = from_decimal(values["witnesses"][0]) if values["witnesses"] else len(witnesses)
        require(needed <= len(witnesses), "more witnesses are needed than there are")
        log = cls._of_type(values["log"], LOG_KEY_TYPE)
        acceptance = cls._of_type(values["acceptance"], LOG_KEY_TYPE)
        return cls(values["origin"][0], log, acceptance, witnesses, needed)

    @staticmethod
    def _of_type(lines: Iterable[str], kind: int) -> tuple[VerifierKey, ...]:
        return tuple(VerifierKey.parse(line, kind) for line in lines)

    def accepts(self, key: str, message: bytes, signature: bytes) -> bool:
        """Returns whether an acceptance key with this id signed the message."""
        return any(each.id.hex() == key and is_signed(each.public_key, message, signature) for each in self.acceptance)

    def with_rotations(self, rotations: Sequence[Mapping[str, str]]) -> Keys:
        """Returns these keys and those that they rotated to, each with a proof that is valid under the earlier ones."""
        known = self
        for rotation in rotations:
            try:
                found = read_proven(rotation["entry"], rotation["proof"], known)
                known = known._with(found.entry)
            except Refused:
                continue
        return known

    def _with(self, entry: Entry) -> Keys:
        require(entry.kind == "key.rotate", "no rotation")
        key = VerifierKey.parse(entry["key"], LOG_KEY_TYPE)
        is_log = entry["role"] == "log"
        require(is_log == (key.name == self.origin), "a key under a name that its role has not")
        return replace(self, log=(*self.log, key)) if is_log else replace(self, acceptance=(*self.acceptance, key))


# --- The log: notes, checkpoints and proofs ---------------------------------------------------------------------------


@dataclass(frozen=True)
class NoteSignature:
    name: str
    key_id: bytes
    signature: bytes


@dataclass(frozen=True)
class Checkpoint:
    """A log's signed size and root. The signatures are not verified yet."""

    text: bytes
    origin: str
    size: int
    root: bytes
    signatures: tuple[NoteSignature, ...]

    @classmethod
    def parse(cls, note: str) -> Checkpoint:
        signed, signatures = parse_note(note)
        lines = signed.split("\n")
        require(len(lines) == 4 and lines[0] != "", "a checkpoint has three lines")
        root = from_base64(lines[2])
        require(len(root) == 32, "a root of another length")
        return cls(utf8(signed), lines[0], from_decimal(lines[1]), root, signatures)

    def by(self, name: str, id: bytes) -> Iterator[bytes]:
        """Returns the signatures with this name and id."""
        return (each.signature for each in self.signatures if (each.name, each.key_id) == (name, id))

    def is_log_signed(self, keys: Keys) -> bool:
        """Returns whether one of the log's keys signed it. Refuses it if a known key's signature is invalid."""
        is_found = False
        for key in keys.log:
            for signature in self.by(key.name, key.id):
                require(is_signed(key.public_key, self.text, signature), "the log's signature is broken")
                is_found = True
        return is_found

    def cosigned_at(self, witness: VerifierKey) -> int | None:
        """Returns when the witness cosigned it, in milliseconds; None if it did not."""
        newest = None
        for signature in self.by(witness.name, witness.id):
            require(is_cosigned(witness, self.text, signature), f"the cosignature of {witness.name} is broken")
            newest = max(newest or 0, int.from_bytes(signature[:8], "big") * 1000)
        return newest

    def timeless_by(self, witness: VerifierKey) -> bytes | None:
        """Returns the witness's timeless signature; None if there is none."""
        for signature in self.by(witness.name, witness.timeless_id):
            message = b"fairtick/timeless/v1\n" + self.text
            require(is_signed(witness.public_key, message, signature), "the timeless signature is broken")
            return signature
        return None


NOTE_LENGTH_MAX = 1_000_000
NOTE_SIGNATURES_MAX = 100
NOTE_SIGNATURE = re.compile(r"— (\S+) (\S+)")


def parse_note(note: str) -> tuple[str, tuple[NoteSignature, ...]]:
    """Parses a signed note into its text and signatures."""
    require(not any(each < " " and each != "\n" for each in note), "a note with control characters")
    require(len(note) <= NOTE_LENGTH_MAX, "a note that is too long")
    signed, gap, rest = note.rpartition("\n\n")
    require(gap != "" and rest.endswith("\n"), "no signed note")
    require(rest.count("\n") <= NOTE_SIGNATURES_MAX, "a note with too many signatures")
    return signed + "\n", tuple(map(_parse_note_signature, rest[:-1].split("\n")))


def _parse_note_signature(line: str) -> NoteSignature:
    found = NOTE_SIGNATURE.fullmatch(line)
    if found is None or not is_key_name(found[1]):
        raise Refused("a malformed line of a signature")
    raw = from_base64(found[2])
    require(len(raw) > 4, "a signature without bytes")
    return NoteSignature(found[1], raw[:4], raw[4:])


def is_cosigned(witness: VerifierKey, signed: bytes, signature: bytes) -> bool:
    """Returns whether a cosignature (seconds, then 64 bytes) of the checkpoint's text is valid."""
    if len(signature) != 72:
        return False
    seconds = int.from_bytes(signature[:8], "big")
    message = b"cosignature/v1\ntime %d\n" % seconds + signed
    return is_signed(witness.public_key, message, signature[8:])


@dataclass(frozen=True)
class CountedCheckpoint:
    """A valid checkpoint with enough cosigners, and its time in milliseconds (None if no witness is needed)."""

    checkpoint: Checkpoint
    cosigners: frozenset[VerifierKey]
    time: int | None


def open_checkpoint(note: str, keys: Keys) -> tuple[Checkpoint, dict[VerifierKey, int]]:
    """Opens a checkpoint that a log key signed, and returns it with the time of each pinned witness's cosignature.

    One public key under several names is one witness: the name that signed last counts, or else the first one pinned.
    """
    checkpoint = Checkpoint.parse(note)
    require(checkpoint.origin == keys.origin, "the checkpoint of another log")
    require(checkpoint.is_log_signed(keys), "no log key signed the checkpoint")
    found: dict[bytes, tuple[VerifierKey, int]] = {}
    for key in keys.witnesses:
        at = checkpoint.cosigned_at(key)
        if at is not None and (key.public_key not in found or at > found[key.public_key][1]):
            found[key.public_key] = key, at
    return checkpoint, dict(found.values())


@lru_cache(maxsize=256)
def count_checkpoint(note: str, keys: Keys) -> CountedCheckpoint:
    """Opens a checkpoint. Refuses it if too few pinned witnesses cosigned it."""
    checkpoint, found = open_checkpoint(note, keys)
    needed = keys.witnesses_needed
    require(len(found) >= needed, f"{len(found)} of {needed} witnesses cosigned the checkpoint")
    newest_first = sorted(found.values(), reverse=True)
    return CountedCheckpoint(checkpoint, frozenset(found), newest_first[needed - 1] if needed > 0 else None)


PROOF_HEADER = "c2sp.org/tlog-proof@v1"


@dataclass(frozen=True)
class Proof:
    """A `.tlog-proof`, which proves that an entry is in a checkpoint."""

    index: int
    path: tuple[bytes, ...]
    checkpoint: str

    @classmethod
    def parse(cls, content: str) -> Proof:
        head, gap, checkpoint = content.partition("\n\n")
        lines = head.split("\n")
        require(gap != "" and lines.pop(0) == PROOF_HEADER, "no proof")
        if lines and lines[0].startswith("extra "):
            from_base64(lines.pop(0).removeprefix("extra "))
        require(bool(lines) and lines[0].startswith("index "), "a proof without index")
        index = from_decimal(lines[0].removeprefix("index "))
        path = tuple(map(from_base64, lines[1:]))
        require(all(len(each) == 32 for each in path), "a proof with a hash of another length")
        return cls(index, path, checkpoint)


@dataclass(frozen=True)
class Proven:
    """An entry that is proved to be in a valid checkpoint, at this place."""

    entry: Entry
    index: int
    checkpoint: CountedCheckpoint


def read_proven(entry: str, proof: str, keys: Keys) -> Proven:
    """Parses an entry. Refuses it if its proof does not lead to a valid checkpoint."""
    parsed = Proof.parse(proof)
    counted = count_checkpoint(parsed.checkpoint, keys)
    root = root_of_path(leaf_hash(utf8(entry)), parsed.index, counted.checkpoint.size, parsed.path)
    require(root == counted.checkpoint.root, "the proof does not lead to the checkpoint's root")
    return Proven(Entry.parse(entry), parsed.index, counted)


# --- Entries ----------------------------------------------------------------------------------------------------------

OUTCOMES = ("won", "lost", "tied", "voided", "unrevealed")
VOID_REASONS = ("NO_ENTRY_TICK", "LIMIT_PASSED", "NO_TICK_BETWEEN", "STALE_EXIT")
MODEL = "SM1"
BEACON_MODEL = "SM2"
BEACON_SCHEME = "bls-unchained-g1-rfc9380"
ROUND_BYTES = 48
PERIOD_SECONDS_MAX = 3
QUICKNET_TIMES = (1692803367, 3)
QUICKNET_KEY = bytes.fromhex(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)

_source_name = matching(r"SM1|[a-z]+(?:\+[a-z]+)*")
_direction = one_of("up", "down")

_settlement_v1 = {
    "acceptedAt": natural,
    "batch": natural,
    "direction": _direction,
    "duration": natural,
    "entrySeq": nullable(natural),
    "exitSeq": nullable(natural),
    "limitPrice": nullable(integer),
    "outcome": one_of("won", "lost", "tied", "voided"),
    "place": natural,
    "symbol": symbol_text,
    "voidReason": nullable(one_of(*VOID_REASONS)),
}
_settlement_v2 = {
    **_settlement_v1,
    "direction": nullable(_direction),
    "outcome": one_of(*OUTCOMES),
    "nonce": hex_bytes(16),
    "own": hash_hex,
    "revealedAt": nullable(natural),
    "seal": nullable(hash_hex),
    "sealNonce": nullable(hex_bytes(32)),
}
_sm1_instrument = fields(
    {
        "anchor": integer,
        "digits": natural,
        "jump": natural,
        "name": text,
        "pull": natural,
        "sigma": integer,
        "spread": integer,
        "switches": list_of(natural, 4, 4),
        "symbol": symbol_text,
    }
)
_beacon_chain = fields(
    {"genesis": natural, "key": hex_bytes(96), "period": natural, "scheme": one_of(BEACON_SCHEME)}
)
_epoch_rounds = fields({"from": natural, "signatures": base64_of(multiple=ROUND_BYTES)})
_pyth_feed = fields({"confMax": natural, "digits": natural, "id": hash_hex})


def _walk_start(value: Any, at: str) -> None:
    """Checks the state of a walk: x as text, and the regime r."""
    require(isinstance(value, list) and len(value) == 2, f"{at} is no pair")
    matching(r"0|-?[1-9][0-9]{0,40}")(value[0], f"{at}.0")
    one_of(0, 1, 2)(value[1], f"{at}.1")


@dataclass(frozen=True)
class EntryShape:
    """The fields of one kind and version of entries, and a check of the relations between them."""

    fields: Mapping[str, Shape]
    optional: Mapping[str, Shape] = field(default_factory=dict)
    between: Callable[[Mapping[str, Any]], None] = lambda _: None


def _between_params(entry: Mapping[str, Any]) -> None:
    beacon = entry.get("beacon")
    require((entry["model"] == BEACON_MODEL) == (beacon is not None), "a beacon is named by SM2 alone, which has one")
    require(beacon is None or beacon["period"] > 0, "the beacon has no period")


def _between_pyth(entry: Mapping[str, Any]) -> None:
    guardians, quorum = len(entry["guardians"]), entry["quorum"]
    require(guardians < 2 * quorum <= 2 * guardians, "the quorum is not more than half of the guardians")


def _between_ticks(entry: Mapping[str, Any]) -> None:
    require(entry["count"] > 0, "no ticks")
    require(entry["time"] % MINUTE_MS == 0, "no full minute")
    require(entry["count"] == entry["to"] - entry["from"] + 1, "count is not that of the numbers")
    sinces = [each["since"] for each in entry.get("sources", [])]
    require(all(left < right for left, right in zip(sinces, sinces[1:])), "`since` does not rise")


def _between_accept(entry: Mapping[str, Any]) -> None:
    orders, refusals = (len(from_base64(entry[name])) // 32 for name in ("commitments", "refusals"))
    require(orders + refusals > 0, "a batch of nothing")
    require(entry["open"] <= orders, "more open orders than orders")
    require(sum(entry["reasons"].values()) == refusals, "not as many reasons as refusals")


def _between_accept_v1(entry: Mapping[str, Any]) -> None:
    require(entry["commitments"] != "", "a batch of nothing")


def _between_settle(entry: Mapping[str, Any]) -> None:
    for order in entry["orders"]:
        is_voided = order["outcome"] == "voided"
        require((order["voidReason"] is not None) == is_voided, "a reason without a void, or a void without one")
        if "seal" in order:
            _check_nulls(order)


def _check_nulls(order: Mapping[str, Any]) -> None:
    """Checks which fields of a settled order are null: see *What a settlement opens*."""
    is_sealed, is_revealed = order["seal"] is not None, order["sealNonce"] is not None
    require(is_revealed == (order["revealedAt"] is not None), "half of what opens a seal")
    require(is_sealed or not is_revealed, "an order in the open that was revealed")
    is_closed = is_sealed and not is_revealed
    require(is_closed == (order["direction"] is None), "a direction that was not revealed, or none though it was")
    require(not is_closed or order["limitPrice"] is None, "a limit price that was not revealed")
    may_be = ("voided", "unrevealed") if is_closed else ("won", "lost", "tied", "voided")
    require(order["outcome"] in may_be, "an outcome that does not go with its direction")


def _between_heads(entry: Mapping[str, Any]) -> None:
    slots = entry["to"] - entry["from"] + 1
    require(entry["from"] > 0 and slots > 0, "heads of no slots")
    require(len(entry["heads"]) == slots and len(entry["batches"]) == slots, "not one head for each slot")
    require(all(len(counts) == slots + 1 for counts in entry["ticks"].values()), "not one count for each slot")


def _between_incident(entry: Mapping[str, Any]) -> None:
    require(entry["from"] < entry["to"] <= entry["at"], "an incident that ends before it begins, or is still to come")
    require(("symbol" in entry) == (entry["part"] == "source"), "a symbol goes with a source")


_source_since = {"since": natural, "source": _source_name}
_commitments = base64_of(multiple=32)

ENTRY_SHAPES: dict[tuple[str, int], EntryShape] = {
    ("params", 1): EntryShape(
        {
            "epochMs": natural,
            "instruments": list_of(_sm1_instrument),
            "model": one_of(MODEL, BEACON_MODEL),
            "tickMs": natural,
        },
        {"beacon": _beacon_chain},
        _between_params,
    ),
    ("params.pyth", 1): EntryShape(
        {
            "ageMax": natural,
            "aheadMax": natural,
            "chain": natural,
            "emitter": hash_hex,
            "feeds": map_of(symbol_text, _pyth_feed),
            "guardians": list_of(hex_bytes(20)),
            "quorum": natural,
            "set": natural,
            "since": natural,
        },
        {"backMax": natural},
        _between_pyth,
    ),
    ("source", 1): EntryShape({"symbol": symbol_text, **_source_since}),
    ("epoch.commit", 1): EntryShape(
        {"commit": hash_hex, "e": integer, "params": hash_hex}, {"witness": text}
    ),
    ("epoch.open", 1): EntryShape({"e": integer, "mix": hash_hex, "start": natural}, {"checkpoint": text}),
    ("epoch.reveal", 1): EntryShape(
        {
            "digest": map_of(symbol_text, hash_hex),
            "e": integer,
            "from": map_of(symbol_text, _walk_start),
            "seed": hash_hex,
        },
        {"rounds": _epoch_rounds},
    ),
    ("ticks", 1): EntryShape(
        {"count": natural, "from": natural, "hash": hash_hex, "symbol": symbol_text, "time": natural, "to": natural},
        {"quotes": hash_hex, "sources": list_of(fields(_source_since), 1)},
        _between_ticks,
    ),
    ("orders.accept", 1): EntryShape(
        {"acceptedAt": natural, "batch": natural, "commitments": _commitments},
        {"config": natural},
        _between_accept_v1,
    ),
    ("orders.accept", 2): EntryShape(
        {
            "acceptedAt": natural,
            "batch": natural,
            "commitments": _commitments,
            "config": natural,
            "open": natural,
            "reasons": map_of(matching(r"[A-Z][A-Z_]{1,39}"), positive),
            "refusals": _commitments,
        },
        between=_between_accept,
    ),
    ("orders.settle", 1): EntryShape(
        {"orders": list_of(fields(_settlement_v1), 1, 300), "settledAt": natural}, between=_between_settle
    ),
    ("orders.settle", 2): EntryShape(
        {"orders": list_of(fields(_settlement_v2), 1, 300), "settledAt": natural}, between=_between_settle
    ),
    ("device.add", 1): EntryShape({"at": natural, "hash": hash_hex}),
    ("device.remove", 1): EntryShape({"at": natural, "hash": hash_hex}),
    ("heads", 1): EntryShape(
        {
            "batches": list_of(natural),
            "from": natural,
            "heads": list_of(hash_hex),
            "ticks": map_of(symbol_text, list_of(natural)),
            "to": natural,
        },
        {"time": natural},
        _between_heads,
    ),
    ("card", 1): EntryShape({"at": natural, "card": text, "hash": hash_hex, "version": natural}),
    ("config", 1): EntryShape({"effectiveAt": natural, "hash": hash_hex, "version": natural}),
    ("policy", 1): EntryShape(
        {"effectiveAt": natural, "hash": hash_hex, "name": one_of("regions", "withdrawals"), "version": natural}
    ),
    ("approval", 1): EntryShape({"at": natural, "hash": hash_hex, "subject": text}),
    ("incident", 1): EntryShape(
        {
            "at": natural,
            "from": natural,
            "part": one_of("house", "log", "prices", "settlement", "source"),
            "reason": matching(r"[ -~]{1,200}"),
            "to": natural,
        },
        {"orders": natural, "symbol": symbol_text},
        _between_incident,
    ),
    ("release", 1): EntryShape(
        {"app": hash_hex, "at": natural, "files": natural, "verifier": nullable(hash_hex)}
    ),
    ("liabilities", 1): EntryShape(
        {
            "at": natural,
            "day": natural,
            "members": natural,
            "root": hash_hex,
            "sum": matching(r"0|-?[1-9][0-9]*"),
            "wallet": text,
        }
    ),
    ("key.rotate", 1): EntryShape(
        {"key": text, "role": one_of("log", "acceptance"), "until": natural}
    ),
}


# Kinds with a moment that counts for *newest* but not for *latest*.
TELLING_KINDS = ("approval", "card", "device.add", "device.remove", "incident", "liabilities", "release")


@dataclass(frozen=True)
class Entry:
    """An entry of the log with a known kind and shape."""

    text: str
    kind: str
    version: int
    values: Mapping[str, Any]

    @classmethod
    @lru_cache(maxsize=1024)
    def parse(cls, entry: str) -> Entry:
        """Parses an entry. Refuses one that is not as the page says. Cached, since a receipt's checks share entries."""
        value = parse_canonical(entry)
        require(isinstance(value, dict), "an entry is an object")
        kind, version = value.pop("kind", None), value.pop("v", None)
        shape = ENTRY_SHAPES.get((kind, version)) if isinstance(kind, str) and isinstance(version, int) else None
        if shape is None or isinstance(version, bool):
            raise Refused(f"an unknown kind or version: {kind} {version}")
        fields(shape.fields, shape.optional)(value, kind)
        shape.between(value)
        return cls(entry, kind, version, value)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def get(self, name: str) -> Any:
        """Returns the value of an optional field; None if it is missing."""
        return self.values.get(name)

    @cached_property
    def hash(self) -> bytes:
        return sha256(utf8(self.text))

    @property
    def told(self) -> int | None:
        """Returns this entry's moment for *newest*; None if it has none."""
        return self["at"] if self.kind in TELLING_KINDS else self.moment

    @property
    def moment(self) -> int | None:
        """Returns this entry's moment for *latest*; None if it has none."""
        match self.kind:
            case "orders.accept":
                return self["acceptedAt"]
            case "orders.settle":
                return self["settledAt"]
            case "ticks":
                return self["time"] + MINUTE_MS - 1
        return None


# --- Entries: prices and configurations -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tick:
    seq: int
    time: int
    price: int

    @property
    def line(self) -> str:
        return f"{self.seq},{self.time},{self.price}"


def parse_lines(lines: str) -> tuple[Tick, ...]:
    """Parses one minute's lines. Numbers must rise by one, times strictly, and all must be within one minute."""
    ticks = tuple(_parse_tick(line) for line in lines.split("\n"))
    for left, right in zip(ticks, ticks[1:]):
        require(right.seq == left.seq + 1, "a minute's numbers do not rise by one")
        require(right.time > left.time, "a minute's times do not rise")
    require(ticks[0].time // MINUTE_MS == ticks[-1].time // MINUTE_MS, "lines of more than one minute")
    return ticks


def _parse_tick(line: str) -> Tick:
    parts = line.split(",")
    require(len(parts) == 3, "a line of prices has three parts")
    return Tick(*map(from_decimal, parts))


def check_lines(lines: str, ticks: Sequence[Tick], entry: Entry) -> None:
    """Refuses lines that do not match the `ticks` entry."""
    require(sha256(utf8(lines)).hex() == entry["hash"], "the minute's lines are not what its entry hashes")
    require((ticks[0].seq, ticks[-1].seq) == (entry["from"], entry["to"]), "the minute has other numbers")
    require(ticks[0].time // MINUTE_MS * MINUTE_MS == entry["time"], "the lines lie outside their minute")


@dataclass(frozen=True)
class Trading:
    """The part of a configuration that concerns one instrument."""

    fee_rate: int
    stale_exit_ms: int
    payout_rates: Mapping[int, int]


@dataclass(frozen=True)
class Config:
    version: int
    effective_at: int
    instruments: Mapping[str, Trading]

    @classmethod
    def parse(cls, body: str) -> Config:
        value = parse_versioned(body)
        instruments = {}
        list_of(map_of(text, lambda _value, _at: None))(value.get("instruments"), "instruments")
        for each in value["instruments"]:
            needed = {name: each.get(name) for name in _trading_shapes}
            fields(_trading_shapes)(needed, "an instrument")
            rates = {duration["seconds"]: duration["payoutRate"] for duration in each["durations"]}
            instruments[each["symbol"]] = Trading(each["feeRate"], each["staleExitMs"], rates)
        return cls(value["version"], value["effectiveAt"], instruments)


def _duration(value: Any, at: str) -> None:
    map_of(text, lambda _value, _at: None)(value, at)
    natural(value.get("seconds"), f"{at}.seconds")
    natural(value.get("payoutRate"), f"{at}.payoutRate")


_trading_shapes: dict[str, Shape] = {
    "durations": list_of(_duration),
    "feeRate": natural,
    "staleExitMs": natural,
    "symbol": symbol_text,
}


def parse_versioned(body: str) -> dict[str, Any]:
    """Parses a configuration or policy: canonical JSON with `version` and `effectiveAt`."""
    value = parse_canonical(body)
    require(isinstance(value, dict), "a configuration is an object")
    natural(value.get("version"), "version")
    natural(value.get("effectiveAt"), "effectiveAt")
    return value


# --- Order, batch, slot -----------------------------------------------------------------------------------------------

_open_terms = fields(
    {
        "direction": _direction,
        "duration": natural,
        "limitPrice": nullable(integer),
        "symbol": symbol_text,
        "v": one_of(2),
    }
)
_sealed_terms = fields({"duration": natural, "seal": hash_hex, "symbol": symbol_text, "v": one_of(2)})
_wallet = one_of("practice", "real")
_own_part = fields(
    {
        "clientOrderId": text,
        "configVersion": natural,
        "device": nullable(text),
        "fee": cents,
        "member": text,
        "orderNo": text,
        "payoutRate": integer,
        "profit": cents,
        "seenHash": nullable(hash_hex),
        "seenSlot": nullable(natural),
        "signature": nullable(hex_bytes(64)),
        "stake": cents,
        "v": one_of(2),
        "wallet": _wallet,
    }
)
_former_order = fields(
    {
        "clientOrderId": text,
        "configVersion": natural,
        "direction": _direction,
        "duration": natural,
        "fee": cents,
        "limitPrice": nullable(integer),
        "member": text,
        "orderNo": text,
        "payoutRate": integer,
        "profit": cents,
        "stake": cents,
        "symbol": symbol_text,
        "v": one_of(1),
        "wallet": _wallet,
    }
)


@dataclass(frozen=True)
class Terms:
    """The terms that decide an order, without member and amount. `direction` is None for a sealed, unrevealed order."""

    symbol: str
    duration: int
    direction: str | None
    limit_price: int | None
    seal: str | None = None


@dataclass(frozen=True)
class Agreed:
    """The figures that a member and the house agreed on: money in micro-USD, rates in millionths."""

    config_version: int
    stake: int
    fee: int
    payout_rate: int
    profit: int


@dataclass(frozen=True)
class Order:
    """An order as its commitment binds it."""

    terms: Terms
    agreed: Agreed


def _agreed(value: Mapping[str, Any]) -> Agreed:
    return Agreed(value["configVersion"], value["stake"], value["fee"], value["payoutRate"], value["profit"])


def terms_json(terms: Terms) -> str:
    """Formats the terms as the text that the commitment binds."""
    if terms.seal is not None:
        return canonical_json({"duration": terms.duration, "seal": terms.seal, "symbol": terms.symbol, "v": 2})
    named = {"direction": terms.direction, "limitPrice": terms.limit_price}
    return canonical_json({**named, "duration": terms.duration, "symbol": terms.symbol, "v": 2})


def terms_hash(nonce: bytes, terms: str) -> bytes:
    return sha256(b"TERMS2\0", nonce, utf8(terms))


def own_hash(nonce: bytes, own: str) -> bytes:
    return sha256(b"PRIVATE2\0", nonce, utf8(own))


def money_text(micro_usd: int) -> str:
    """Formats dollars with two decimals, as in the server's answers."""
    return f"{micro_usd // 1_000_000}.{micro_usd % 1_000_000 // 10_000:02}"


def rate_text(millionths: int) -> str:
    """Formats a rate with two to six decimals."""
    places = f"{millionths % 1_000_000:06}"
    return f"{millionths // 1_000_000}.{places[:2]}{places[2:].rstrip('0')}"


def wish_text(terms: Terms, own: Mapping[str, Any]) -> str:
    """Makes the text that a device signs for a sealed order, from the order's terms and private part."""
    return canonical_json({
        "clientOrderId": own["clientOrderId"],
        "deviceId": own["device"],
        "duration": str(terms.duration),
        "fee": money_text(own["fee"]),
        "payoutRate": rate_text(own["payoutRate"]),
        "seal": terms.seal,
        "seenHash": own["seenHash"],
        "seenSlot": str(own["seenSlot"]),
        "stake": money_text(own["stake"]),
        "symbol": terms.symbol,
        "wallet": own["wallet"],
    })


def device_hash(nonce: bytes, device: str, key: bytes, member: str) -> bytes:
    """Calculates the hash in a device's log entry."""
    shown = base64.urlsafe_b64encode(key).decode().rstrip("=")
    told = canonical_json({"device": device, "key": shown, "member": member, "v": 1})
    return sha256(b"DEVICE1\0" + nonce + utf8(told))


def commitment_of(terms: bytes, own: bytes) -> bytes:
    return sha256(b"ORD2\0", terms, own)


def refusal_of(terms: bytes, own: bytes) -> bytes:
    return sha256(b"REFUSAL2\0", terms, own)


def former_commitment(nonce: bytes, order: str) -> bytes:
    return sha256(b"ORD1\0", nonce, utf8(order))


def seal_of(nonce: bytes, direction: str, limit_price: int | None) -> bytes:
    limit = "" if limit_price is None else str(limit_price)
    return sha256(b"FT/seal/1\0", nonce, utf8(direction), b"\0", utf8(limit))


def batch_root(version: int, batch: int, accepted_at: int, orders: int, tree_root: bytes) -> bytes:
    """Calculates the signed root of a batch. `tree_root`: the root over its commitments, refusals included."""
    head = u64(batch) + u64(accepted_at)
    return sha256(b"BATCH1\0", head, tree_root) if version == 1 else sha256(b"BATCH2\0", head, u32(orders), tree_root)


def slot_head(previous: bytes, roots: Iterable[bytes], lines: str) -> bytes:
    return sha256(b"SLOT1\0", previous, *roots, sha256(utf8(lines)))


@dataclass(frozen=True)
class Batch:
    """An `orders.accept` entry with its commitments."""

    entry: Entry
    orders: tuple[bytes, ...]
    refusals: tuple[bytes, ...]

    @classmethod
    def of(cls, entry: Entry) -> Batch:
        return cls(entry, _split_hashes(entry["commitments"]), _split_hashes(entry.get("refusals") or ""))

    @property
    def number(self) -> int:
        return self.entry["batch"]

    @property
    def accepted_at(self) -> int:
        return self.entry["acceptedAt"]

    @cached_property
    def root(self) -> bytes:
        tree_root = root_of_entries(self.orders + self.refusals)
        return batch_root(self.entry.version, self.number, self.accepted_at, len(self.orders), tree_root)


def _split_hashes(content: str) -> tuple[bytes, ...]:
    raw = from_base64(content)
    return tuple(raw[at : at + 32] for at in range(0, len(raw), 32))


# --- Deciding an order ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Decision:
    """How an order ended. `entry` and `exit` are None if the rules name no such tick."""

    outcome: str
    void_reason: str | None
    entry: Tick | None
    exit: Tick | None
    # End of the period whose ticks decided: the end of the entry window, the entry (limit passed) or the expiry.
    decided_by: int


@dataclass(frozen=True)
class TickRow:
    """The ticks of an instrument, by time."""

    ticks: Sequence[Tick]
    # True if the first one is the first of all, so that no earlier tick can be missing.
    is_whole: bool = False

    @cached_property
    def times(self) -> list[int]:
        return [tick.time for tick in self.ticks]

    def first_after(self, at: int) -> Tick | None:
        place = bisect_right(self.times, at)
        return self.ticks[place] if place < len(self.ticks) else None

    def goes_on_to(self, tick: Tick) -> bool:
        """Returns whether the previous tick is there, with the number just before."""
        before = self.last_until(tick.time - 1)
        return self.is_whole if before is None else before.seq + 1 == tick.seq

    def last_until(self, at: int) -> Tick | None:
        place = bisect_right(self.times, at)
        return self.ticks[place - 1] if place > 0 else None


def decide(
    terms: Terms, accepted_at: int, stale_exit_ms: int, row: TickRow, is_silent_after: Callable[[int], bool]
) -> Decision | None:
    """Decides an order from its ticks. Returns None while a deciding tick may still come.

    `is_silent_after` returns whether the log shows that no tick will come after the end of a period. Raises `Gap` if a
    tick may have been skipped: the ticks next to entry and expiry must have adjacent numbers.
    """
    window_end = accepted_at + ENTRY_WINDOW_MS
    entry = row.first_after(accepted_at)
    if entry is None and not is_silent_after(window_end):
        return None
    if entry is not None and not row.goes_on_to(entry):
        raise Gap("entry")
    if entry is None or entry.time > window_end:
        return Decision("voided", "NO_ENTRY_TICK", None, None, window_end)
    if terms.limit_price is not None and _is_passed(terms, entry.price):
        return Decision("voided", "LIMIT_PASSED", entry, None, entry.time)
    expiry = entry.time + terms.duration * 1000
    exit, following = row.last_until(expiry), row.first_after(expiry)
    if following is None and not is_silent_after(expiry):
        return None
    if following is not None and not row.goes_on_to(following):
        raise Gap("exit")
    if exit is None or exit == entry:
        return Decision("voided", "NO_TICK_BETWEEN", entry, None, expiry)
    if expiry - exit.time > stale_exit_ms:
        return Decision("voided", "STALE_EXIT", entry, exit, expiry)
    return Decision(_compare(terms.direction, entry.price, exit.price), None, entry, exit, expiry)


def _is_passed(terms: Terms, price: int) -> bool:
    assert terms.limit_price is not None
    return price > terms.limit_price if terms.direction == "up" else price < terms.limit_price


def _compare(direction: str | None, entry: int, exit: int) -> str:
    if direction is None:
        return "unrevealed"
    if exit == entry:
        return "tied"
    return "won" if (exit > entry) == (direction == "up") else "lost"


def agreed_by(config: Config, terms: Terms, stake: int) -> tuple[int, int, int]:
    """Calculates payout rate, fee and profit from the configuration for these terms."""
    trading = config.instruments.get(terms.symbol)
    if trading is None or terms.duration not in trading.payout_rates:
        raise Refused("the configuration has no such terms")
    rate = trading.payout_rates[terms.duration]
    fee = stake * trading.fee_rate // MILLION // CENT * CENT
    gross = -(-stake * rate // (MILLION * CENT)) * CENT
    return rate, fee, gross - fee


def paid(outcome: str, agreed: Agreed) -> tuple[int, int]:
    """Calculates profit and credit of an outcome."""
    held = agreed.stake + agreed.fee
    match outcome:
        case "won":
            return agreed.profit, held + agreed.profit
        case "tied" | "voided":
            return 0, held
    return -held, 0


# --- The simulated market ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Instrument:
    """An instrument of a `params` entry."""

    symbol: str
    name: str
    anchor: int
    jump: int
    pull: int
    sigma: int
    spread: int
    switches: tuple[int, ...]

    @classmethod
    def all_of(cls, params: Entry) -> dict[str, Instrument]:
        return {
            each["symbol"]: cls(
                each["symbol"],
                each["name"],
                each["anchor"],
                each["jump"],
                each["pull"],
                each["sigma"],
                each["spread"],
                tuple(each["switches"]),
            )
            for each in params["instruments"]
        }

    @property
    def start(self) -> WalkPlace:
        return WalkPlace(self.anchor * 2**32, 1)


@dataclass(frozen=True)
class WalkPlace:
    """The state of a walk: x in 2^−32 points, and the regime r."""

    x: int
    r: int

    @classmethod
    def parse(cls, pair: Sequence[Any]) -> WalkPlace:
        return cls(int(pair[0]), pair[1])


@dataclass(frozen=True)
class Walk:
    """An instrument's prices in one epoch. A price is None if its tick's round never came."""

    mids: tuple[int | None, ...]
    digest: str
    end: WalkPlace


def epoch_commit(e: int, seed: bytes, params_hash: bytes) -> bytes:
    return sha256(b"SM1/commit\0", u64(e), seed, params_hash)


def mix_of(source: bytes) -> bytes:
    return sha256(b"SM1/mix\0", source)


def epoch_key(e: int, seed: bytes, mix: bytes) -> bytes:
    return hmac.digest(seed, b"SM1/epoch\0" + u64(e) + mix, "sha256")


@lru_cache(maxsize=256)
def walk(key: bytes, e: int, instrument: Instrument, start: WalkPlace, rounds: EpochRounds | None = None) -> Walk:
    """Makes all prices of an instrument in an epoch. `rounds`: the beacon's rounds if its params name one."""
    own_key = hmac.digest(key, b"SM1/inst\0" + utf8(instrument.name), "sha256")
    place, mids, lines = start, [], []
    noise: tuple[int, bytes | None] = (0, own_key)
    for t in range(EPOCH_TICKS):
        if rounds is not None and (number := rounds.at_tick(t)) != noise[0]:
            signature = rounds.signature(number)
            noise = (number, None if signature is None else window_key(own_key, number, signature))
        if noise[1] is None:
            mids.append(None)
            continue
        place = _step(hmac.digest(noise[1], u32(t), "sha256"), instrument, place)
        mid = (place.x + 2**31) >> 32
        spread = instrument.spread * (2 if place.r == 2 else 1)
        bid = mid - spread // 2
        mids.append(mid)
        lines.append(f"{e},{t},{bid},{mid},{bid + spread},{place.r}")
    return Walk(tuple(mids), sha256("\n".join(lines).encode()).hex(), place)


def _step(block: bytes, instrument: Instrument, place: WalkPlace) -> WalkPlace:
    *uniforms, a, j, q = struct.unpack(">12HIHH", block)
    r = _next_regime(place.r, a, instrument.switches)
    m = (sum(uniforms) - 393210) * (166, 256, 486)[r]
    if j < instrument.jump:
        size = 8 + (q & 0x7FFF) % 17
        m += (size if q & 0x8000 else -size) * 2**24
    anchor = instrument.anchor * 2**32
    x = place.x + ((place.x * m * instrument.sigma + 2**63) >> 64)
    if instrument.pull > 0:
        x += (anchor - x) >> instrument.pull
    return WalkPlace(min(max(x, anchor >> 2), anchor << 2), r)


def _next_regime(r: int, a: int, switches: Sequence[int]) -> int:
    if r == 0:
        return 1 if a < switches[0] else 0
    if r == 2:
        return 1 if a < switches[3] else 2
    if a < switches[1]:
        return 0
    return 2 if a < switches[1] + switches[2] else 1


@dataclass(frozen=True)
class Mix:
    """What an epoch's mix was made from: a signature, a checkpoint's root, or the commit alone."""

    kind: str
    checkpoint: Checkpoint | None


def check_mix(commit: Entry, commit_index: int, opening: Entry, keys: Keys) -> Mix:
    """Refuses an opening with the wrong checkpoint, or with a mix that does not follow from it."""
    note, mix = opening.get("checkpoint"), bytes.fromhex(opening["mix"])
    if note is None:
        require(mix == mix_of(bytes.fromhex(commit["commit"])), "the mix is not that of the commit")
        return Mix("commit", None)
    checkpoint, _cosigned = open_checkpoint(note, keys)
    witness = commit.get("witness")
    if witness is None:
        require(checkpoint.size > commit_index, "the checkpoint does not hold the commit")
        cosignatures = [each.signature for each in checkpoint.signatures if len(each.signature) == 72]
        if any(mix == mix_of(each) for each in cosignatures):
            return Mix("cosignature", checkpoint)
    else:
        require(checkpoint.size == commit_index + 1, "the checkpoint does not end with the commit")
        signature = checkpoint.timeless_by(VerifierKey.parse(witness, WITNESS_KEY_TYPE))
        if signature is not None:
            require(mix == mix_of(signature), "the mix is not that of the timeless signature")
            return Mix("signature", checkpoint)
    require(mix == mix_of(checkpoint.root), "the mix is not that of the checkpoint")
    return Mix("root", checkpoint)


# --- A beacon ---------------------------------------------------------------------------------------------------------

# BLS12-381: the prime, the group's order and the parameter (which is negative), and the tag for hashing to G1.
BLS_P = 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
BLS_R = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
BLS_X = 0xD201000000010000
BEACON_TAG = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
# Fp12 is Fp[w] / (w^12 - 2 w^6 + 2), as lists of twelve numbers. Fp2 elements are pairs, with i = w^6 - 1.
FP12_ONE = [1] + [0] * 11
# The curve that RFC 9380 maps to first (8.8.1), and the isogeny from it (E.2), lowest powers first.
SWU_A = 0x144698A3B8E9433D693A02C96D4982B0EA985383EE66A8D8E8981AEFD881AC98936F8DA0E0F97F5CF428082D584C1D
SWU_B = 0x12E2908D11688030018B12E8753EEE3B2016C1F0F24F4070A0B9C14FCEF35EF55A23215A316CEAA5D1CC48E98E172BE0
SWU_ISOGENY = (
    (
        0x11A05F2B1E833340B809101DD99815856B303E88A2D7005FF2627B56CDB4E2C85610C2D5F2E62D6EAEAC1662734649B7,
        0x17294ED3E943AB2F0588BAB22147A81C7C17E75B2F6A8417F565E33C70D1E86B4838F2A6F318C356E834EEF1B3CB83BB,
        0xD54005DB97678EC1D1048C5D10A9A1BCE032473295983E56878E501EC68E25C958C3E3D2A09729FE0179F9DAC9EDCB0,
        0x1778E7166FCC6DB74E0609D307E55412D7F5E4656A8DBF25F1B33289F1B330835336E25CE3107193C5B388641D9B6861,
        0xE99726A3199F4436642B4B3E4118E5499DB995A1257FB3F086EEB65982FAC18985A286F301E77C451154CE9AC8895D9,
        0x1630C3250D7313FF01D1201BF7A74AB5DB3CB17DD952799B9ED3AB9097E68F90A0870D2DCAE73D19CD13C1C66F652983,
        0xD6ED6553FE44D296A3726C38AE652BFB11586264F0F8CE19008E218F9C86B2A8DA25128C1052ECADDD7F225A139ED84,
        0x17B81E7701ABDBE2E8743884D1117E53356DE5AB275B4DB1A682C62EF0F2753339B7C8F8C8F475AF9CCB5618E3F0C88E,
        0x80D3CF1F9A78FC47B90B33563BE990DC43B756CE79F5574A2C596C928C5D1DE4FA295F296B74E956D71986A8497E317,
        0x169B1F8E1BCFA7C42E0C37515D138F22DD2ECB803A0C5C99676314BAF4BB1B7FA3190B2EDC0327797F241067BE390C9E,
        0x10321DA079CE07E272D8EC09D2565B0DFA7DCCDDE6787F96D50AF36003B14866F69B771F8C285DECCA67DF3F1605FB7B,
        0x6E08C248E260E70BD1E962381EDEE3D31D79D7E22C837BC23C0BF1BC24C6B68C24B1B80B64D391FA9C8BA2E8BA2D229,
    ),
    (
        0x8CA8D548CFF19AE18B2E62F4BD3FA6F01D5EF4BA35B48BA9C9588617FC8AC62B558D681BE343DF8993CF9FA40D21B1C,
        0x12561A5DEB559C4348B4711298E536367041E8CA0CF0800C0126C2588C48BF5713DAA8846CB026E9E5C8276EC82B3BFF,
        0xB2962FE57A3225E8137E629BFF2991F6F89416F5A718CD1FCA64E00B11ACEACD6A3D0967C94FEDCFCC239BA5CB83E19,
        0x3425581A58AE2FEC83AAFEF7C40EB545B08243F16B1655154CCA8ABC28D6FD04976D5243EECF5C4130DE8938DC62CD8,
        0x13A8E162022914A80A6F1D5F43E7A07DFFDFC759A12062BB8D6B44E833B306DA9BD29BA81F35781D539D395B3532A21E,
        0xE7355F8E4E667B955390F7F0506C6E9395735E9CE9CAD4D0A43BCEF24B8982F7400D24BC4228F11C02DF9A29F6304A5,
        0x772CAACF16936190F3E0C63E0596721570F5799AF53A1894E2E073062AEDE9CEA73B3538F0DE06CEC2574496EE84A3A,
        0x14A7AC2A9D64A8B230B3F5B074CF01996E7F63C21BCA68A81996E1CDF9822C580FA5B9489D11E2D311F7D99BBDCC5A5E,
        0xA10ECF6ADA54F825E920B3DAFC7A3CCE07F8D1D7161366B74100DA67F39883503826692ABBA43704776EC3A79A1D641,
        0x95FC13AB9E92AD4476D6E3EB3A56680F682B4EE96F7D03776DF533978F31C1593174E4B4B7865002D6384D168ECDD0A,
        0x1,
    ),
    (
        0x90D97C81BA24EE0259D1F094980DCFA11AD138E48A869522B52AF6C956543D3CD0C7AEE9B3BA3C2BE9845719707BB33,
        0x134996A104EE5811D51036D776FB46831223E96C254F383D0F906343EB67AD34D6C56711962FA8BFE097E75A2E41C696,
        0xCC786BAA966E66F4A384C86A3B49942552E2D658A31CE2C344BE4B91400DA7D26D521628B00523B8DFE240C72DE1F6,
        0x1F86376E8981C217898751AD8746757D42AA7B90EEB791C09E4A3EC03251CF9DE405ABA9EC61DECA6355C77B0E5F4CB,
        0x8CC03FDEFE0FF135CAF4FE2A21529C4195536FBE3CE50B879833FD221351ADC2EE7F8DC099040A841B6DAECF2E8FEDB,
        0x16603FCA40634B6A2211E11DB8F0A6A074A7D0D4AFADB7BD76505C3D3AD5544E203F6326C95A807299B23AB13633A5F0,
        0x4AB0B9BCFAC1BBCB2C977D027796B3CE75BB8CA2BE184CB5231413C4D634F3747A87AC2460F415EC961F8855FE9D6F2,
        0x987C8D5333AB86FDE9926BD2CA6C674170A05BFE3BDD81FFD038DA6C26C842642F64550FEDFE935A15E4CA31870FB29,
        0x9FC4018BD96684BE88C9E221E4DA1BB8F3ABD16679DC26C1E8B6E6A1F20CABE69D65201C78607A360370E577BDBA587,
        0xE1BBA7A1186BDB5223ABDE7ADA14A23C42A0CA7915AF6FE06985E7ED1E4D43B9B3F7055DD4EBA6F2BAFAAEBCA731C30,
        0x19713E47937CD1BE0DFD0B8F1D43FB93CD2FCBCB6CAF493FD1183E416389E61031BF3A5CCE3FBAFCE813711AD011C132,
        0x18B46A908F36F6DEB918C143FED2EDCC523559B8AAF0C2462E6BFE7F911F643249D9CDF41B44D606CE07C8A4D0074D8E,
        0xB182CAC101B9399D155096004F53F447AA7B12A3426B08EC02710E807B4633F06C851C1919211F20D4C04F00B971EF8,
        0x245A394AD1ECA9B72FC00AE7BE315DC757B3B080D4C158013E6632D3C40659CC6CF90AD1C232A6442D9D3F5DB980133,
        0x5C129645E44CF1102A159F748C4A3FC5E673D81D7E86568D9AB0F5D396A7CE46BA1049B6579AFB7866B1E715475224B,
        0x15E6BE4E990F03CE4EA50B3B42DF2EB5CB181D8F84965A3957ADD4FA95AF01B2B665027EFEC01C7704B456BE69C8B604,
    ),
    (
        0x16112C4C3A9C98B252181140FAD0EAE9601A6DE578980BE6EEC3232B5BE72E7A07F3688EF60C206D01479253B03663C1,
        0x1962D75C2381201E1A0CBD6C43C348B885C84FF731C4D59CA4A10356F453E01F78A4260763529E3532F6102C2E49A03D,
        0x58DF3306640DA276FAAAE7D6E8EB15778C4855551AE7F310C35A5DD279CD2ECA6757CD636F96F891E2538B53DBF67F2,
        0x16B7D288798E5395F20D23BF89EDB4D1D115C5DBDDBCD30E123DA489E726AF41727364F2C28297ADA8D26D98445F5416,
        0xBE0E079545F43E4B00CC912F8228DDCC6D19C9F0F69BBB0542EDA0FC9DEC916A20B15DC0FD2EDEDDA39142311A5001D,
        0x8D9E5297186DB2D9FB266EAAC783182B70152C65550D881C5ECD87B6F0F5A6449F38DB9DFA9CCE202C6477FAAF9B7AC,
        0x166007C08A99DB2FC3BA8734ACE9824B5EECFDFA8D0CF8EF5DD365BC400A0051D5FA9C01A58B1FB93D1A1399126A775C,
        0x16A3EF08BE3EA7EA03BCDDFABBA6FF6EE5A4375EFA1F4FD7FEB34FD206357132B920F5B00801DEE460EE415A15812ED9,
        0x1866C8ED336C61231A1BE54FD1D74CC4F9FB0CE4C6AF5920ABC5750C4BF39B4852CFE2F7BB9248836B233D9D55535D4A,
        0x167A55CDA70A6E1CEA820597D94A84903216F763E13D87BB5308592E7EA7D4FBC7385EA3D529B35E346EF48BB8913F55,
        0x4D2F259EEA405BD48F010A01AD2911D9C6DD039BB61A6290E591B36E636A5C871A5C29F4F83060400F8B49CBA8F6AA8,
        0xACCBB67481D033FF5852C1E48C50C477F94FF8AEFCE42D28C0F9A88CEA7913516F968986F7EBBEA9684B529E2561092,
        0xAD6B9514C767FE3C3613144B45F1496543346D98ADF02267D5CEEF9A00D9B8693000763E3B90AC11E99B138573345CC,
        0x2660400EB2E4F3B628BDD0D53CD76F2BF565B94E72927C1CB748DF27942480E420517BD8714CC80D1FADC1326ED06F7,
        0xE0FA1D816DDC03E6B24255E0D7819C171C40F65E273B853324EFCD6356CAA205CA2F570F13497804415473A1D634B8F,
        0x1,
    ),
)

def _fp12_mul(a, b):
    c = [0] * 23
    for i, x in enumerate(a):
        if x:
            for j, y in enumerate(b):
                if y:
                    c[i + j] += x * y
    for k in range(22, 11, -1):
        c[k - 6] += 2 * c[k]
        c[k - 12] -= 2 * c[k]
    return [v % BLS_P for v in c[:12]]


def _fp12_power(a, e):
    out = FP12_ONE
    while e:
        if e & 1:
            out = _fp12_mul(out, a)
        a = _fp12_mul(a, a)
        e >>= 1
    return out


def _fp2_mul(a, b):
    return ((a[0]*b[0]-a[1]*b[1]) % BLS_P, (a[0]*b[1]+a[1]*b[0]) % BLS_P)


def _fp2_sub(a, b):
    return ((a[0]-b[0]) % BLS_P, (a[1]-b[1]) % BLS_P)


def _fp2_inverse(a):
    n = pow(a[0]*a[0]+a[1]*a[1], -1, BLS_P)
    return (a[0]*n % BLS_P, -a[1]*n % BLS_P)


def _fp12_of(a, k):
    """Returns a·w^k, with a = a0 + a1·i and i = w^6 - 1."""
    c = [0]*12
    c[k] = (a[0]-a[1]) % BLS_P
    if k + 6 < 12:
        c[k+6] = a[1]
        return c
    raise ValueError


def _line(m, t, p):
    """Evaluates the line with slope m through t on the twist at p, times w^3 (the final exponentiation removes it)."""
    # Untwisted (x/w^2, y/w^3), the slope is m/w: l = yP - yT/w^3 - (m/w)(xP - xT/w^2).
    # Times w^3: yP w^3 - yT - m xP w^2 + m xT.
    c = _fp12_of(_fp2_sub(_fp2_mul(m, t[0]), t[1]), 0)
    d = _fp12_of(((-m[0]*p[0]) % BLS_P, (-m[1]*p[0]) % BLS_P), 2)
    c = [(u+v) % BLS_P for u, v in zip(c, d)]
    c[3] = (c[3] + p[1]) % BLS_P
    return c


def _twist_add(t, q):
    """Returns the slope of the line through two points of the twist, and their sum."""
    if t == q:
        m = _fp2_mul(tuple(3*v % BLS_P for v in _fp2_mul(t[0], t[0])), _fp2_inverse(tuple(2*v % BLS_P for v in t[1])))
    else:
        m = _fp2_mul(_fp2_sub(q[1], t[1]), _fp2_inverse(_fp2_sub(q[0], t[0])))
    x = _fp2_sub(_fp2_sub(_fp2_mul(m, m), t[0]), q[0])
    return m, (x, _fp2_sub(_fp2_mul(m, _fp2_sub(t[0], x)), t[1]))


def _miller_loop(p, q):
    f, t = FP12_ONE, q
    for bit in bin(BLS_X)[3:]:
        m, n = _twist_add(t, t)
        f = _fp12_mul(_fp12_mul(f, f), _line(m, t, p))
        t = n
        if bit == "1":
            m, n = _twist_add(t, q)
            f = _fp12_mul(f, _line(m, t, p))
            t = n
    return f


def pairings_cancel(pairs):
    """Returns whether the product of these pairings of G1 and G2 is one."""
    f = FP12_ONE
    for p, q in pairs:
        f = _fp12_mul(f, _miller_loop(p, q))
    return _fp12_power(f, (BLS_P**12-1)//BLS_R) == FP12_ONE


def _g1_add(p, q):
    if p is None:
        return q
    if q is None:
        return p
    if p[0] == q[0]:
        if (p[1]+q[1]) % BLS_P == 0:
            return None
        m = 3*p[0]*p[0]*pow(2*p[1], -1, BLS_P)
    else:
        m = (q[1]-p[1])*pow(q[0]-p[0], -1, BLS_P)
    x = (m*m-p[0]-q[0]) % BLS_P
    return (x, (m*(p[0]-x)-p[1]) % BLS_P)


def _g1_times(p, n):
    out = None
    while n:
        if n & 1:
            out = _g1_add(out, p)
        p = _g1_add(p, p)
        n >>= 1
    return out


def read_g1(b):
    """Decodes a compressed point of G1; None if it is malformed or outside the group of prime order."""
    if len(b) != 48 or b[0] >> 6 != 2:
        return None
    x = int.from_bytes(b, "big") & ((1 << 381)-1)
    if x >= BLS_P:
        return None
    y = pow(x**3+4, (BLS_P+1)//4, BLS_P)
    if (y*y-x**3-4) % BLS_P:
        return None
    if (y > (BLS_P-1)//2) != bool(b[0] & 0x20):
        y = BLS_P-y
    return (x, y) if _jacobian_times((x, y, 1), BLS_R)[2] == 0 else None


def _fp2_power(a, e):
    out = (1, 0)
    while e:
        if e & 1:
            out = _fp2_mul(out, a)
        a = _fp2_mul(a, a)
        e >>= 1
    return out


def _fp2_root(a):
    # The method of Adj and Rodríguez-Henríquez for p = 3 modulo 4. The caller checks the root by squaring it.
    a1 = _fp2_power(a, (BLS_P-3)//4)
    alpha = _fp2_mul(a1, _fp2_mul(a1, a))
    x0 = _fp2_mul(a1, a)
    if alpha == (BLS_P-1, 0):
        return (-x0[1] % BLS_P, x0[0])
    b = _fp2_power(((1+alpha[0]) % BLS_P, alpha[1]), (BLS_P-1)//2)
    return _fp2_mul(b, x0)


def _twist_times(q, n):
    out = None
    while n:
        if n & 1:
            if out is None:
                out = q
            elif out[0] == q[0]:
                out = None if out[1] != q[1] else _twist_add(out, q)[1]
            else:
                out = _twist_add(out, q)[1]
        q = _twist_add(q, q)[1]
        n >>= 1
    return out


def read_g2(b):
    """Decodes a compressed point of G2; None if it is malformed or outside the group of prime order."""
    if len(b) != 96 or b[0] >> 6 != 2:
        return None
    x1 = int.from_bytes(b[:48], "big") & ((1 << 381)-1)
    x0 = int.from_bytes(b[48:], "big")
    if x0 >= BLS_P or x1 >= BLS_P:
        return None
    x = (x0, x1)
    cube = _fp2_mul(x, _fp2_mul(x, x))
    rhs = ((cube[0] + 4) % BLS_P, (cube[1] + 4) % BLS_P)
    y = _fp2_root(rhs)
    if _fp2_mul(y, y) != rhs:
        return None
    big = y[1] > (BLS_P-1)//2 if y[1] else y[0] > (BLS_P-1)//2
    if big != bool(b[0] & 0x20):
        y = (-y[0] % BLS_P, -y[1] % BLS_P)
    return (x, y) if _twist_times((x, y), BLS_R) is None else None


def _expand(msg, n):
    dst = BEACON_TAG + bytes([len(BEACON_TAG)])
    b0 = hashlib.sha256(bytes(64) + msg + n.to_bytes(2, "big") + b"\0" + dst).digest()
    b = hashlib.sha256(b0 + b"\1" + dst).digest()
    out = b
    for i in range(2, n // 32 + 1):
        b = hashlib.sha256(bytes(u ^ v for u, v in zip(b0, b)) + bytes([i]) + dst).digest()
        out += b
    return out


def _polynomial(ks, x):
    v = 0
    for k in reversed(ks):
        v = (v * x + k) % BLS_P
    return v


def _map_to_curve(u):
    z = 11
    tv = (z*z*pow(u, 4, BLS_P) + z*u*u) % BLS_P
    x = -SWU_B*(1+pow(tv, -1, BLS_P))*pow(SWU_A, -1, BLS_P) % BLS_P if tv else SWU_B*pow(z*SWU_A, -1, BLS_P) % BLS_P
    g = (x**3+SWU_A*x+SWU_B) % BLS_P
    y = pow(g, (BLS_P+1)//4, BLS_P)
    if y*y % BLS_P != g:
        x = z*u*u*x % BLS_P
        g = (x**3+SWU_A*x+SWU_B) % BLS_P
        y = pow(g, (BLS_P+1)//4, BLS_P)
    if y % 2 != u % 2:
        y = BLS_P-y
    xn, xd, yn, yd = (_polynomial(k, x) for k in SWU_ISOGENY)
    return (xn*pow(xd, -1, BLS_P) % BLS_P, y*yn*pow(yd, -1, BLS_P) % BLS_P)


def hash_to_g1(msg):
    """Hashes a message to G1 as in RFC 9380: BLS12381G1_XMD:SHA-256_SSWU_RO_."""
    e = _expand(msg, 128)
    u = [int.from_bytes(e[i:i+64], "big") % BLS_P for i in (0, 64)]
    return _g1_times(_g1_add(_map_to_curve(u[0]), _map_to_curve(u[1])), BLS_X+1)


# The generator of G2, compressed.
G2_BASE = bytes.fromhex(
    "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"
    "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"
)


def round_holds(key: bytes, signature: bytes, number: int) -> bool:
    """Returns whether a signature is that of a drand round (bls-unchained-g1-rfc9380) under the chain's key."""
    try:
        q, s = read_g2(key), read_g1(signature)
    except ValueError:
        # Doubling a point of order 2 fails. Such a point is outside the groups.
        return False
    if q is None or s is None:
        return False
    h = hash_to_g1(hashlib.sha256(number.to_bytes(8, "big")).digest())
    return pairings_cancel([(h, q), ((s[0], BLS_P-s[1]), read_g2(G2_BASE))])


# A point of G1 in Jacobian coordinates, (X, Y, Z); Z is 0 at infinity.
G1Point = tuple[int, int, int]
G1_ZERO: G1Point = (1, 1, 0)


def _jacobian_double(p: G1Point) -> G1Point:
    x, y, z = p
    if z == 0:
        return p
    a, b = x * x % BLS_P, y * y % BLS_P
    c = b * b % BLS_P
    d = 2 * ((x + b) ** 2 - a - c) % BLS_P
    e = 3 * a % BLS_P
    x3 = (e * e - 2 * d) % BLS_P
    return (x3, (e * (d - x3) - 8 * c) % BLS_P, 2 * y * z % BLS_P)


def _jacobian_add(p: G1Point, q: G1Point) -> G1Point:
    if p[2] == 0 or q[2] == 0:
        return q if p[2] == 0 else p
    z1, z2 = p[2] * p[2] % BLS_P, q[2] * q[2] % BLS_P
    u1, u2 = p[0] * z2 % BLS_P, q[0] * z1 % BLS_P
    s1, s2 = p[1] * q[2] * z2 % BLS_P, q[1] * p[2] * z1 % BLS_P
    if u1 == u2:
        return _jacobian_double(p) if s1 == s2 else G1_ZERO
    h, r = (u2 - u1) % BLS_P, (s2 - s1) % BLS_P
    h2 = h * h % BLS_P
    h3, v = h * h2 % BLS_P, u1 * h2 % BLS_P
    x3 = (r * r - h3 - 2 * v) % BLS_P
    return (x3, (r * (v - x3) - s1 * h3) % BLS_P, p[2] * q[2] * h % BLS_P)


def _jacobian_times(p: G1Point, n: int) -> G1Point:
    out = G1_ZERO
    for bit in bin(n)[2:]:
        out = _jacobian_double(out)
        if bit == "1":
            out = _jacobian_add(out, p)
    return out


def _affine(p: G1Point) -> tuple[int, int] | None:
    if p[2] == 0:
        return None
    inverse = pow(p[2], -1, BLS_P)
    return (p[0] * inverse**2 % BLS_P, p[1] * inverse**3 % BLS_P)


def _sum_of_many(points: Sequence[tuple[int, int]], factors: Sequence[int]) -> tuple[int, int] | None:
    """Calculates the sum of factor times point for factors of 128 bits, byte by byte with buckets (Pippenger)."""
    total = G1_ZERO
    for shift in range(120, -8, -8):
        for _ in range(8):
            total = _jacobian_double(total)
        buckets = [G1_ZERO] * 256
        for point, factor in zip(points, factors):
            digit = factor >> shift & 0xFF
            buckets[digit] = _jacobian_add(buckets[digit], (*point, 1))
        running = of_window = G1_ZERO
        for bucket in reversed(buckets[1:]):
            running = _jacobian_add(running, bucket)
            of_window = _jacobian_add(of_window, running)
        total = _jacobian_add(total, of_window)
    return _affine(total)


def rounds_hold(key: bytes, rounds: Sequence[tuple[int, bytes]]) -> bool:
    """Returns whether all signatures match their rounds, by one random linear combination as the page defines it."""
    if not rounds:
        return True
    q = read_g2(key)
    signatures = [read_g1(signature) for _, signature in rounds]
    if q is None or any(signature is None for signature in signatures):
        return False
    told = [u64(number) + u32(len(signature)) + signature for number, signature in rounds]
    seed = sha256(b"BEACON/batch\0", key, *told)
    factors = [int.from_bytes(hmac.digest(seed, u32(place), "sha256")[:16], "big") or 1 for place in range(len(rounds))]
    hashes = [hash_to_g1(hashlib.sha256(number.to_bytes(8, "big")).digest()) for number, _ in rounds]
    h, s = _sum_of_many(hashes, factors), _sum_of_many([each for each in signatures if each is not None], factors)
    if h is None or s is None:
        return False
    return pairings_cancel([(h, q), ((s[0], BLS_P - s[1]), read_g2(G2_BASE))])


@dataclass(frozen=True)
class EpochRounds:
    """The rounds in an `epoch.reveal`, in order: exactly those that are due in the epoch's time."""

    key: bytes
    genesis: int
    period: int
    start: int
    first: int
    signatures: bytes

    @classmethod
    def of(cls, params: Entry, opening: Entry, reveal: Entry) -> EpochRounds | None:
        """Reads an epoch's rounds; None for SM1. Refuses them unless they are exactly those that are due."""
        beacon, shown = params.get("beacon"), reveal.get("rounds")
        if beacon is None:
            require(shown is None, "rounds of a beacon that the params do not name")
            return None
        require(shown is not None, "the seed comes without the rounds of the beacon")
        signatures = from_base64(shown["signatures"])
        key = bytes.fromhex(beacon["key"])
        require(beacon["period"] <= PERIOD_SECONDS_MAX, "the rounds of the beacon are too far apart")
        is_told = key != QUICKNET_KEY or (beacon["genesis"], beacon["period"]) == QUICKNET_TIMES
        require(is_told, "the rounds of quicknet are due at other times")
        rounds = cls(key, beacon["genesis"], beacon["period"], opening["start"], shown["from"], signatures)
        require(rounds.at_tick(0) >= 1, "the epoch starts before the first round of the beacon")
        count = rounds.at_tick(EPOCH_TICKS - 1) - rounds.at_tick(0) + 1
        is_due = rounds.first == rounds.at_tick(0) and len(signatures) == count * ROUND_BYTES
        require(is_due, "other rounds of the beacon than those that were due")
        return rounds

    def at(self, time: int) -> int:
        """Returns the newest round that is due at a time."""
        since = time - self.genesis * 1000
        return 0 if since < 0 else since // (self.period * 1000) + 1

    def at_tick(self, t: int) -> int:
        return self.at(self.start + t * TICK_MS)

    def signature(self, number: int) -> bytes | None:
        """Returns a round's signature; None if the round never came."""
        at = (number - self.first) * ROUND_BYTES
        found = self.signatures[at : at + ROUND_BYTES]
        return found if any(found) else None

    @property
    def all(self) -> list[tuple[int, bytes]]:
        numbers = range(self.first, self.first + len(self.signatures) // ROUND_BYTES)
        return [(number, found) for number in numbers if (found := self.signature(number)) is not None]

    @property
    def missing(self) -> int:
        return len(self.signatures) // ROUND_BYTES - len(self.all)

    def check(self, since: int, until: int) -> None:
        """Refuses the rounds of that time unless the chain signed them all."""
        shown = tuple(each for each in self.all if self.at(since) <= each[0] <= self.at(until))
        require(_rounds_hold_once(self.key, shown), "a round is not what the beacon signed")


@lru_cache(maxsize=256)
def _rounds_hold_once(key: bytes, rounds: tuple[tuple[int, bytes], ...]) -> bool:
    try:
        return rounds_hold(key, rounds)
    except ValueError:
        # Doubling a point of order 2 fails. Such a point is outside the groups.
        return False


def window_key(instrument_key: bytes, number: int, signature: bytes) -> bytes:
    """Derives the key for the ticks in a round's time: HKDF-SHA256 of the instrument's key."""
    extracted = hmac.digest(signature, instrument_key, "sha256")
    return hmac.digest(extracted, b"SM2/round\0" + struct.pack(">Q", number) + b"\1", "sha256")


# --- Signed quotes ----------------------------------------------------------------------------------------------------

_KECCAK_ROUNDS = 24
_LANE = 2**64 - 1


def _rotate(lane: int, by: int) -> int:
    return ((lane << by) | (lane >> (64 - by))) & _LANE if by else lane


def _keccak_constants() -> list[int]:
    """Calculates the constants of Keccak's rounds with its shift register."""
    constants, register = [], 1
    for _ in range(_KECCAK_ROUNDS):
        constant = 0
        for bit in range(7):
            if register & 1:
                constant |= 1 << (2**bit - 1)
            register = register << 1 ^ (0x171 if register & 0x80 else 0)
        constants.append(constant)
    return constants


_KECCAK_CONSTANTS = _keccak_constants()


def _keccak_permute(lanes: list[int]) -> list[int]:
    """Applies Keccak-f[1600]. Lane (x, y) is at index x + 5 · y."""
    for constant in _KECCAK_CONSTANTS:
        columns = [lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20] for x in range(5)]
        parity = [columns[(x + 4) % 5] ^ _rotate(columns[(x + 1) % 5], 1) for x in range(5)]
        lanes = [lane ^ parity[place % 5] for place, lane in enumerate(lanes)]
        x, y, moved = 1, 0, lanes[1]
        for step in range(_KECCAK_ROUNDS):
            x, y = y, (2 * x + 3 * y) % 5
            lanes[x + 5 * y], moved = _rotate(moved, (step + 1) * (step + 2) // 2 % 64), lanes[x + 5 * y]
        rows = [lanes[5 * y : 5 * y + 5] for y in range(5)]
        lanes = [row[x] ^ (~row[(x + 1) % 5] & _LANE & row[(x + 2) % 5]) for row in rows for x in range(5)]
        lanes[0] ^= constant
    return lanes


def keccak256(message: bytes) -> bytes:
    """Calculates Ethereum's Keccak-256, whose padding differs from SHA-3's."""
    rate = 136
    padded = bytearray(message + bytes(rate - len(message) % rate))
    padded[len(message)] |= 0x01
    padded[-1] |= 0x80
    lanes = [0] * 25
    for at in range(0, len(padded), rate):
        for place, lane in enumerate(struct.unpack_from("<17Q", padded, at)):
            lanes[place] ^= lane
        lanes = _keccak_permute(lanes)
    return struct.pack("<4Q", *lanes[:4])


SECP_PRIME = 2**256 - 2**32 - 977
SECP_ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
_SECP_G = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)

Jacobian = tuple[int, int, int]
_INFINITY: Jacobian = (1, 1, 0)


def _double(point: Jacobian) -> Jacobian:
    x, y, z = point
    square = y * y % SECP_PRIME
    s, m = 4 * x * square % SECP_PRIME, 3 * x * x % SECP_PRIME
    doubled = (m * m - 2 * s) % SECP_PRIME
    return doubled, (m * (s - doubled) - 8 * square * square) % SECP_PRIME, 2 * y * z % SECP_PRIME


def _add(left: Jacobian, right: Jacobian) -> Jacobian:
    if left[2] == 0:
        return right
    if right[2] == 0:
        return left
    (x1, y1, z1), (x2, y2, z2) = left, right
    square1, square2 = z1 * z1 % SECP_PRIME, z2 * z2 % SECP_PRIME
    u1, u2 = x1 * square2 % SECP_PRIME, x2 * square1 % SECP_PRIME
    s1, s2 = y1 * square2 * z2 % SECP_PRIME, y2 * square1 * z1 % SECP_PRIME
    if u1 == u2:
        return _double(left) if s1 == s2 else _INFINITY
    h, r = u2 - u1, s2 - s1
    cube, v = h * h * h % SECP_PRIME, u1 * h * h % SECP_PRIME
    x = (r * r - cube - 2 * v) % SECP_PRIME
    return x, (r * (v - x) - s1 * cube) % SECP_PRIME, h * z1 * z2 % SECP_PRIME


def _sum_of_multiples(a: int, p: Jacobian, b: int, q: Jacobian) -> Jacobian:
    """Calculates a · p + b · q."""
    table = (_INFINITY, p, q, _add(p, q))
    total = _INFINITY
    for bit in range(255, -1, -1):
        total = _add(_double(total), table[(a >> bit & 1) | (b >> bit & 1) << 1])
    return total


def recover_address(digest: bytes, signature: bytes) -> bytes:
    """Recovers the address that made a secp256k1 signature: r, s and a recovery id of 0 or 1."""
    r, s, recovery = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:64], "big"), signature[64]
    require(0 < r < SECP_ORDER and 0 < s < SECP_ORDER and recovery in (0, 1), "a malformed signature")
    square = (r**3 + 7) % SECP_PRIME
    y = pow(square, (SECP_PRIME + 1) // 4, SECP_PRIME)
    require(y * y % SECP_PRIME == square, "a signature of no point")
    y = y if y & 1 == recovery else SECP_PRIME - y
    inverse = pow(r, -1, SECP_ORDER)
    of_generator = -int.from_bytes(digest, "big") * inverse % SECP_ORDER
    x, y, z = _sum_of_multiples(of_generator, (*_SECP_G, 1), s * inverse % SECP_ORDER, (r, y, 1))
    require(z != 0, "a signature of no key")
    over = pow(z, -1, SECP_PRIME)
    affine = (x * over**2 % SECP_PRIME, y * over**3 % SECP_PRIME)
    return keccak256(b"".join(each.to_bytes(32, "big") for each in affine))[-20:]


@dataclass(frozen=True)
class Guardians:
    """The guardians that sign Pyth's roots, from a `params.pyth` entry."""

    set: int
    quorum: int
    addresses: tuple[bytes, ...]
    chain: int
    emitter: bytes

    @classmethod
    def of(cls, params: Entry) -> Guardians:
        addresses = tuple(map(bytes.fromhex, params["guardians"]))
        return cls(params["set"], params["quorum"], addresses, params["chain"], bytes.fromhex(params["emitter"]))


@lru_cache(maxsize=4096)
def root_of_vaa(vaa: bytes, guardians: Guardians) -> bytes:
    """Returns the root in a VAA. Refuses the VAA unless enough guardians signed it."""
    require(len(vaa) > 6 and vaa[0] == 1, "a VAA of another version")
    guardian_set, count = struct.unpack_from(">IB", vaa, 1)
    require(guardian_set == guardians.set, "a VAA of another guardian set")
    signatures, body = vaa[6 : 6 + 66 * count], vaa[6 + 66 * count :]
    require(len(body) == 51 + 37, "a VAA of another length")
    digest, last = keccak256(keccak256(body)), -1
    require(count >= guardians.quorum, "a VAA without its quorum")
    for at in range(0, len(signatures), 66):
        number = signatures[at]
        require(last < number < len(guardians.addresses), "guardians out of their order")
        address = recover_address(digest, signatures[at + 1 : at + 66])
        require(address == guardians.addresses[number], "the signature of another guardian")
        last = number
    _time, _nonce, chain, emitter, _sequence, _consistency = struct.unpack_from(">IIH32sQB", body)
    require((chain, emitter) == (guardians.chain, guardians.emitter), "a VAA of another emitter")
    magic, kind, _slot, _ring, root = struct.unpack_from(">4sBQI20s", body, 51)
    require((magic, kind) == (b"AUWV", 0), "a VAA of another payload")
    return root


@dataclass(frozen=True)
class Quote:
    """A signed quote: a message, its path to a root, and the VAA that signs the root."""

    vaa: bytes
    message: bytes
    branch: bytes

    @property
    def hash(self) -> str:
        return sha256(b"QUOTE1\0", sha256(self.vaa), self.message).hex()

    @property
    def slot(self) -> int:
        """Returns the slot whose root the VAA signs. Only for a quote that was checked."""
        body = 6 + 66 * self.vaa[5]
        return int(struct.unpack_from(">Q", self.vaa, body + 51 + 5)[0])

    def check_signed(self, guardians: Guardians) -> None:
        """Refuses a quote that the guardians did not sign."""
        require(len(self.branch) % 20 == 0, "a branch of another length")
        node = keccak256(b"\x00" + self.message)[:20]
        for at in range(0, len(self.branch), 20):
            node = keccak256(b"\x01" + b"".join(sorted((node, self.branch[at : at + 20]))))[:20]
        require(node == root_of_vaa(self.vaa, guardians), "the branch does not lead to the signed root")


QUOTE_LINE = re.compile(
    r"(\d+)(?:,([a-z]{1,20}[=~]\d+(?:\+[a-z]{1,20}[=~]\d+){0,8})(?:,([0-9a-f]{64}))?)?", re.ASCII
)


@dataclass(frozen=True)
class QuoteLine:
    """The composition of a tick: sources that counted, sources left out, and the hash of the signed quote."""

    seq: int
    sources: Mapping[str, int]
    left_out: Mapping[str, int]
    quote: str | None

    @classmethod
    def parse(cls, line: str) -> QuoteLine:
        found = QUOTE_LINE.fullmatch(line)
        if found is None:
            raise Refused("a malformed line of quotes")
        parts = [re.split("([=~])", part) for part in found[2].split("+")] if found[2] else []
        names = [name for name, _, _ in parts]
        require(all(left < right for left, right in zip(names, names[1:])), "sources out of their order")
        counted, others = (
            {name: from_positive(points) for name, mark, points in parts if mark == wanted} for wanted in "=~"
        )
        return cls(from_decimal(found[1]), counted, others, found[3])

    @property
    def is_told(self) -> bool:
        """Returns whether it names the tick's sources."""
        return bool(self.sources or self.left_out)


def median_down(prices: Sequence[int]) -> int:
    """Calculates the median; of an even number of prices, the mean of the middle two, rounded down."""
    ordered, half = sorted(prices), len(prices) // 2
    return ordered[half] if len(prices) % 2 else (ordered[half - 1] + ordered[half]) // 2


def from_positive(digits: str) -> int:
    """Parses a number above zero without leading zeros."""
    require(digits[0] != "0" and len(digits) <= 18, "points that are no price")
    return from_decimal(digits)


def check_composition(line: QuoteLine, tick: Tick) -> None:
    """Refuses a tick that does not follow from its sources."""
    require(bool(line.sources), "the price is of no source")
    require(tick.price == median_down(list(line.sources.values())), "the price is not the median of its sources")
    require(line.quote is not None or "pyth" not in line.sources, "the signed quote of a source is not told")
    middle = median_down([*line.sources.values(), *line.left_out.values()])
    for points in line.left_out.values():
        require(abs(points - middle) * MILLION > 2_000 * middle, "a source that agreed had no say")
    for points in line.sources.values():
        require(abs(points - middle) * MILLION <= 20_000 * middle, "a source that is far off had a say")


def check_quote(line: QuoteLine, tick: Tick, quote: Quote | None, symbol: str, params: Entry) -> None:
    """Refuses a line whose signed quote is missing, invalid or does not match the tick."""
    require(quote is not None and quote.hash == line.quote, "the quote is not the line's")
    assert quote is not None
    require(params["since"] <= tick.time, "quotes before the guardians are named")
    quote.check_signed(Guardians.of(params))
    feed = params["feeds"].get(symbol)
    require(feed is not None and "pyth" in line.sources, "a quote of no feed")
    _check_message(quote.message, feed, line.sources["pyth"], tick, params)


@dataclass(frozen=True)
class SignedPrice:
    """The contents of a Pyth message: a price and its uncertainty in 10^expo, and when it was published (ms)."""

    feed_id: str
    price: int
    conf: int
    expo: int
    published_at: int

    @classmethod
    def parse(cls, message: bytes) -> SignedPrice:
        require(len(message) >= 85 and message[0] == 0, "a malformed message")
        feed_id, price, conf, expo, published, *_ = struct.unpack_from(">32sqQiqqqQ", message, 1)
        require(abs(expo) <= 64, "an exponent beyond all reason")
        return cls(feed_id.hex(), price, conf, expo, published * 1000)

    def points(self, digits: int) -> int:
        """Returns the price in points, rounded half to even."""
        return round(self.price * Fraction(10) ** (self.expo + digits))


def _check_message(message: bytes, feed: Mapping[str, Any], points: int, tick: Tick, params: Entry) -> None:
    signed = SignedPrice.parse(message)
    require(signed.feed_id == feed["id"], "the quote of another feed")
    require(points == signed.points(feed["digits"]), "other points than were signed")
    require(signed.conf * MILLION <= feed["confMax"] * signed.price, "the quote is too uncertain")
    require(-params["aheadMax"] <= tick.time - signed.published_at <= params["ageMax"], "the quote is of another time")
    agreement = 2_000 if feed["confMax"] <= 1_000 else 10_000
    apart = abs(points - tick.price) * MILLION
    require(apart <= 2 * agreement * max(points, tick.price), "the quote is too far from the price")


# --- A receipt: its parts ---------------------------------------------------------------------------------------------

_logged_shape = fields({"entry": text, "proof": nullable(text)})
_tick_shape = fields({"price": integer, "seq": natural, "time": natural})
_key_id = hex_bytes(4)
_signature = base64_of(64)
_nonce16 = hex_bytes(16)
_path_shape = list_of(hash_hex, at_most=63)
_acceptance_v1 = {
    "acceptedAt": natural,
    "batch": natural,
    "commitment": hash_hex,
    "count": natural,
    "key": _key_id,
    "path": _path_shape,
    "place": natural,
    "root": hash_hex,
    "signature": _signature,
}
_slot_shape = fields(
    {
        "hash": hash_hex,
        "k": natural,
        "key": _key_id,
        "lines": text,
        "previous": hash_hex,
        "roots": list_of(hash_hex),
        "signature": _signature,
    }
)
_opened_shape = fields(
    {"direction": _direction, "limitPrice": nullable(integer), "nonce": hex_bytes(32), "revealedAt": natural}
)
_device_shape = fields({"key": base64_of(), "logged": _logged_shape, "nonce": _nonce16})
_quote_shape = fields({"branch": base64_of(), "message": base64_of(), "vaa": base64_of()})
_receipt_shared = {
    "accepted": _logged_shape,
    "config": fields({"body": text, "logged": nullable(_logged_shape)}),
    "epochs": list_of(
        fields(
            {
                "commit": _logged_shape,
                "open": _logged_shape,
                "params": _logged_shape,
                "reveal": nullable(_logged_shape),
            }
        ),
        at_most=20,
    ),
    "minutes": list_of(fields({"lines": text, "logged": nullable(_logged_shape)}), at_most=200),
    "result": nullable(
        fields(
            {
                "credit": integer,
                "entry": nullable(_tick_shape),
                "exit": nullable(_tick_shape),
                "outcome": one_of(*OUTCOMES),
                "profit": integer,
                "voidReason": nullable(one_of(*VOID_REASONS)),
            }
        )
    ),
    "settled": nullable(_logged_shape),
    "slots": fields(
        {
            "bound": nullable(_slot_shape),
            "entry": nullable(_slot_shape),
            "exit": nullable(_slot_shape),
            "logged": list_of(_logged_shape),
        },
        {"seen": _slot_shape},
    ),
    "source": one_of(MODEL, "outside"),
}
_receipt_optional = {
    "quotes": list_of(
        fields(
            {"line": text, "params": nullable(_logged_shape), "path": _path_shape, "quote": nullable(_quote_shape)}
        ),
        at_most=2,
    ),
    "sources": list_of(_logged_shape, at_most=2),
}
_part_shape = fields({"json": text, "nonce": _nonce16})
_RECEIPT_SHAPES: dict[int, Shape] = {
    1: fields(
        {**_receipt_shared, "acceptance": fields(_acceptance_v1), "nonce": _nonce16, "order": text, "v": one_of(1)},
        _receipt_optional,
    ),
    2: fields(
        {
            **_receipt_shared,
            "acceptance": fields({**_acceptance_v1, "accepted": natural}),
            "own": _part_shape,
            "seal": nullable(fields({"device": _device_shape, "opened": nullable(_opened_shape)})),
            "terms": _part_shape,
            "v": one_of(2),
        },
        _receipt_optional,
    ),
}


@dataclass(frozen=True)
class Acceptance:
    batch: int
    accepted_at: int
    place: int
    count: int
    # How many of `count` are orders; all of them in version 1.
    accepted: int
    commitment: bytes
    path: tuple[bytes, ...]
    root: bytes
    signature: bytes
    key: str

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Acceptance:
        return cls(
            value["batch"],
            value["acceptedAt"],
            value["place"],
            value["count"],
            value.get("accepted", value["count"]),
            bytes.fromhex(value["commitment"]),
            tuple(map(bytes.fromhex, value["path"])),
            bytes.fromhex(value["root"]),
            from_base64(value["signature"]),
            value["key"],
        )


@dataclass(frozen=True)
class Slot:
    k: int
    previous: bytes
    roots: tuple[bytes, ...]
    lines: str
    hash: bytes
    signature: bytes
    key: str

    @classmethod
    def of(cls, value: Mapping[str, Any] | None) -> Slot | None:
        if value is None:
            return None
        return cls(
            value["k"],
            bytes.fromhex(value["previous"]),
            tuple(map(bytes.fromhex, value["roots"])),
            value["lines"],
            bytes.fromhex(value["hash"]),
            from_base64(value["signature"]),
            value["key"],
        )

    def holds(self, symbol: str, tick: Tick) -> bool:
        return f"{symbol},{tick.line}" in self.lines.split("\n")

    @property
    def tick_times(self) -> list[tuple[str, int]] | None:
        """Returns symbol and time of its ticks; None if a line is not `symbol,seq,time,price`."""
        if self.lines == "":
            return []
        times: list[tuple[str, int]] = []
        for line in self.lines.split("\n"):
            symbol, *numbers = line.split(",")
            if symbol == "" or len(numbers) != 3:
                return None
            try:
                _, time, _ = map(from_decimal, numbers)
            except Refused:
                return None
            times.append((symbol, time))
        return times

    @property
    def newest_time(self) -> int | None:
        """Returns the time of its newest tick; None if it has no ticks or a line is malformed."""
        return max((time for _, time in self.tick_times or []), default=None)

    def newest_time_for(self, symbol: str) -> int | None:
        """Returns the time of its newest tick of a symbol, or of any symbol if it has none of this one."""
        return max((time for named, time in self.tick_times or [] if named == symbol), default=self.newest_time)


@dataclass(frozen=True)
class Result:
    outcome: str
    void_reason: str | None
    entry: Tick | None
    exit: Tick | None
    profit: int
    credit: int

    @classmethod
    def of(cls, value: Mapping[str, Any] | None) -> Result | None:
        if value is None:
            return None
        entry, exit = (None if value[name] is None else Tick(**value[name]) for name in ("entry", "exit"))
        return cls(value["outcome"], value["voidReason"], entry, exit, value["profit"], value["credit"])

    @property
    def ticks(self) -> list[Tick]:
        return [tick for tick in (self.entry, self.exit) if tick is not None]


@dataclass(frozen=True)
class ReceiptMinute:
    lines: str
    ticks: tuple[Tick, ...]
    logged: Mapping[str, Any] | None

    @property
    def end(self) -> int:
        return minute_end(self.ticks[0].time)


@dataclass(frozen=True)
class Opened:
    """The values that open a seal, and when they were revealed."""

    direction: str
    limit_price: int | None
    nonce: bytes
    revealed_at: int

    @classmethod
    def of(cls, seal: Mapping[str, Any] | None) -> Opened | None:
        if seal is None or seal["opened"] is None:
            return None
        value = seal["opened"]
        return cls(value["direction"], value["limitPrice"], bytes.fromhex(value["nonce"]), value["revealedAt"])


@dataclass(frozen=True)
class Receipt:
    """A receipt: everything that proves how one order was decided. The texts in it are not checked yet."""

    version: int
    value: Mapping[str, Any]
    acceptance: Acceptance
    opened: Opened | None
    bound: Slot | None
    entry_slot: Slot | None
    exit_slot: Slot | None
    seen_slot: Slot | None
    result: Result | None
    source: str

    @classmethod
    def parse(cls, content: str) -> Receipt:
        value = parse_json(content)
        version = value.get("v") if isinstance(value, dict) else None
        require(type(version) is int and version in _RECEIPT_SHAPES, "no receipt of version 1 or 2")
        _RECEIPT_SHAPES[version](value, "receipt")
        slots = value["slots"]
        return cls(
            version,
            value,
            Acceptance.of(value["acceptance"]),
            Opened.of(value.get("seal")),
            Slot.of(slots["bound"]),
            Slot.of(slots["entry"]),
            Slot.of(slots["exit"]),
            Slot.of(slots.get("seen")),
            Result.of(value["result"]),
            value["source"],
        )

    @cached_property
    def order(self) -> Order:
        """Parses the order that the commitment binds, with its direction if it was revealed."""
        if self.version == 1:
            order = parse_canonical(self.value["order"])
            _former_order(order, "order")
            terms = Terms(order["symbol"], order["duration"], order["direction"], order["limitPrice"])
            return Order(terms, _agreed(order))
        terms, own = (parse_canonical(self.value[name]["json"]) for name in ("terms", "own"))
        _own_part(own, "own")
        is_sealed = isinstance(terms, dict) and "seal" in terms
        (_sealed_terms if is_sealed else _open_terms)(terms, "terms")
        of_device = [own[name] is not None for name in ("device", "seenHash", "seenSlot", "signature")]
        require(all(each == is_sealed for each in of_device), "a device's fields belong to a sealed order")
        return Order(self._terms_of(terms), _agreed(own))

    def _terms_of(self, terms: Mapping[str, Any]) -> Terms:
        if "seal" not in terms:
            return Terms(terms["symbol"], terms["duration"], terms["direction"], terms["limitPrice"])
        opened = self.opened
        direction, limit = (None, None) if opened is None else (opened.direction, opened.limit_price)
        return Terms(terms["symbol"], terms["duration"], direction, limit, terms["seal"])

    @cached_property
    def own_hash(self) -> bytes:
        return own_hash(bytes.fromhex(self.value["own"]["nonce"]), self.value["own"]["json"])

    @cached_property
    def commitment(self) -> bytes:
        """Calculates the commitment from the texts and nonces."""
        if self.version == 1:
            return former_commitment(bytes.fromhex(self.value["nonce"]), self.value["order"])
        terms = self.value["terms"]
        return commitment_of(terms_hash(bytes.fromhex(terms["nonce"]), terms["json"]), self.own_hash)

    @cached_property
    def config(self) -> Config:
        return Config.parse(self.value["config"]["body"])

    @cached_property
    def minutes(self) -> tuple[ReceiptMinute, ...]:
        minutes = [
            ReceiptMinute(each["lines"], parse_lines(each["lines"]), each["logged"])
            for each in self.value["minutes"]
        ]
        for left, right in zip(minutes, minutes[1:]):
            require(left.end < right.end, "the minutes do not stand in their order")
            require(left.ticks[-1].seq < right.ticks[0].seq, "the minutes' numbers do not rise")
        return tuple(minutes)

    @cached_property
    def row(self) -> TickRow:
        return TickRow([tick for minute in self.minutes for tick in minute.ticks])

    @property
    def slots(self) -> list[Slot]:
        return [slot for slot in (self.bound, self.entry_slot, self.exit_slot) if slot is not None]

    def minute_of(self, tick: Tick) -> ReceiptMinute:
        for minute in self.minutes:
            if tick in minute.ticks:
                return minute
        raise Refused("a tick that is in none of the minutes")


# --- A receipt: its checks --------------------------------------------------------------------------------------------

SEEN_WITHIN_MS = 3_000
OVERDUE_MS = 50_000
INCOMPLETE_MS = 3_600_000


def receipt_due(
    accepted_at: int, duration: int, is_sealed: bool, revealed_at: int | None, settled_at: int | None, log_at: int
) -> int:
    """Returns when everything about an order is due, as the page defines it under *Incomplete*."""
    expiry = accepted_at + ENTRY_WINDOW_MS + duration * 1000
    reveal_end = expiry + REVEAL_WITHIN_MS
    if settled_at is not None and settled_at <= log_at + STANDING_STILL_MS:
        return max(expiry, settled_at)
    if not is_sealed:
        return expiry
    if revealed_at is None or revealed_at > reveal_end:
        return reveal_end
    return max(expiry, revealed_at)


@dataclass(frozen=True)
class CheckState:
    """The result of a check of a receipt: `ok`, `failed` or `pending`, and why."""

    name: str
    state: str
    why: str = ""


# How long after its device was removed an order may be accepted: it was under way then.
REMOVED_WITHIN_MS = 3_000


def is_after_removal(accepted_at: int, removed_at: int | None) -> bool:
    """Returns whether an order was accepted too long after its device was removed."""
    return removed_at is not None and accepted_at > removed_at + REMOVED_WITHIN_MS


def find_removals(entries: Iterable[bytes]) -> dict[str, int]:
    """Returns when each device was first removed, by the hash of its `device.add`. Malformed entries count for nothing."""
    first: dict[str, int] = {}
    for raw in entries:
        try:
            entry = Entry.parse(from_utf8(raw))
        except Refused:
            continue
        if entry.kind == "device.remove":
            first[entry["hash"]] = min(entry["at"], first.get(entry["hash"], entry["at"]))
    return first


@dataclass(frozen=True)
class Removals:
    """When the log removed devices, and how many of its entries were read for that."""

    size: int
    first: Mapping[str, int]


class ReceiptChecks:
    """The checks of one receipt under pinned keys, with one method for each row of the page's table.

    A method returns if its check passes, and raises `Refused` or `Pending` if not. Each examines only what its row
    names and trusts everything else, so that a minute's broken proof fails only `prices-in-log`.
    """

    def __init__(self, receipt: Receipt, keys: Keys, removals: Removals | None = None) -> None:
        self.receipt = receipt
        self.keys = keys
        self.removals = removals

    def run(self) -> list[CheckState]:
        """Runs every check, in the order of the page. Checks still pending an hour after they were due fail."""
        states = [self._run_one(name, check) for name, check in self._checks.items()]
        due_at = self._incomplete_since() if any(each.state == "pending" for each in states) else None
        if due_at is None:
            return states
        return [
            CheckState(each.name, "failed", f"{each.why}, though it was due at {due_at}")
            if each.state == "pending"
            else each
            for each in states
        ]

    def _incomplete_since(self) -> int | None:
        """Returns when the receipt was completely due, if the log is more than an hour newer; None if not."""
        try:
            order = self.receipt.order
        except Refused:
            return None
        log_at = self._log_time
        if log_at is None:
            return None
        opened, accepted_at = self.receipt.opened, self.receipt.acceptance.accepted_at
        due_at = receipt_due(
            accepted_at,
            order.terms.duration,
            order.terms.seal is not None,
            None if opened is None else opened.revealed_at,
            self._settled_at(),
            log_at,
        )
        return due_at if log_at > due_at + INCOMPLETE_MS else None

    def _settled_at(self) -> int | None:
        settled = self.receipt.value["settled"]
        try:
            return None if settled is None else entry_of_kind(settled, "orders.settle")["settledAt"]
        except Refused:
            return None

    @property
    def _checks(self) -> dict[str, Callable[[], None]]:
        return {
            "commitment": self.check_commitment,
            "device": self.check_device,
            "batch": self.check_batch,
            "signature": self.check_signature,
            "terms": self.check_terms,
            "accepted-in-log": self.check_accepted,
            "slots": self.check_slots,
            "seen": self.check_seen,
            "bound-before-entry": self.check_bound,
            "heads-in-log": self.check_heads,
            "prices-in-log": self.check_prices,
            "entry": self.check_entry,
            "exit": self.check_exit,
            "outcome": self.check_outcome,
            "payout": self.check_payout,
            "settled-in-log": self.check_settled,
            "source": self.check_source,
            "quotes": self.check_quotes,
            "replay": self.check_replay,
        }

    def _run_one(self, name: str, check: Callable[[], None]) -> CheckState:
        try:
            check()
        except Pending as pending:
            if pending.due_at is not None and self._is_overdue(pending.due_at):
                return CheckState(name, "failed", f"overdue: {pending}, due at {pending.due_at}")
            return CheckState(name, "pending", str(pending))
        except Refused as refused:
            return CheckState(name, "failed", str(refused))
        return CheckState(name, "ok")

    # Methods that several checks use.

    def _proven(self, logged: Mapping[str, Any] | None, kind: str, due_at: int | None = None) -> Proven:
        """Returns a logged entry of this kind with its place. Raises `Pending` while it is in no checkpoint."""
        if logged is None:
            raise Pending(f"`{kind}` is not in the log yet", due_at)
        entry = entry_of_kind(logged, kind)
        if logged["proof"] is None:
            raise Pending(f"`{kind}` is not in a checkpoint yet", due_at)
        return read_proven(entry.text, logged["proof"], self.keys)

    def _place(self, logged: Mapping[str, Any]) -> int | None:
        """Returns an entry's place in the log; None if it is not proved, which another check reports."""
        try:
            return None if logged["proof"] is None else read_proven(logged["entry"], logged["proof"], self.keys).index
        except Refused:
            return None

    def _require_order(self, first: int, second: Mapping[str, Any], otherwise: str) -> None:
        """Refuses a second entry that comes before the first one."""
        place = self._place(second)
        require(place is None or first < place, otherwise)

    def _is_overdue(self, due_at: int) -> bool:
        return self._log_time is not None and self._log_time > due_at + OVERDUE_MS

    @cached_property
    def _log_time(self) -> int | None:
        """Returns the time of the newest valid checkpoint among the receipt's proofs; None if there is none."""
        times = []
        for logged in _all_logged(self.receipt.value):
            try:
                times.append(count_checkpoint(Proof.parse(logged["proof"]).checkpoint, self.keys).time)
            except Refused:
                continue
        return max((at for at in times if at is not None), default=None)

    def _decide(self) -> Decision:
        """Decides the order from the receipt's minutes."""
        receipt = self.receipt
        trading = receipt.config.instruments.get(receipt.order.terms.symbol)
        if trading is None:
            raise Refused("the configuration has no such instrument")
        terms, at = receipt.order.terms, receipt.acceptance.accepted_at
        decision = decide(terms, at, trading.stale_exit_ms, receipt.row, lambda _end: False)
        if decision is None:
            raise Pending("a later price is not there yet")
        return decision

    @cached_property
    def _gap(self) -> Gap | None:
        """Returns which tick next to entry or exit is missing; None if none is."""
        try:
            self._decide()
        except Gap as gap:
            return gap
        except (Refused, Pending):
            return None
        return None

    def _decided(self) -> Decision:
        """Decides the order. Raises `Pending` if a tick is missing, which the check `entry` or `exit` reports."""
        if self._gap is not None:
            raise Pending("a price that decides is not shown")
        return self._decide()

    def _result(self) -> Result:
        if self.receipt.result is None:
            raise Pending("the order is not settled yet")
        return self.receipt.result

    def _deciding_ticks(self) -> list[Tick]:
        """Returns the entry and exit that follow from the rules, once the order is settled."""
        decision = self._decided()
        self._result()
        return [tick for tick in (decision.entry, decision.exit) if tick is not None]

    # The order and its batch.

    def check_commitment(self) -> None:
        receipt = self.receipt
        opened, seal = receipt.opened, receipt.order.terms.seal
        is_shown = receipt.value.get("seal") is not None
        require(is_shown == (seal is not None), "a seal is shown of an order in the open, or none of a sealed one")
        require(receipt.commitment == receipt.acceptance.commitment, "texts and nonces make another commitment")
        if opened is not None and seal is not None:
            made = seal_of(opened.nonce, opened.direction, opened.limit_price)
            require(made.hex() == seal, "what is opened is not what was sealed")

    def check_device(self) -> None:
        receipt = self.receipt
        terms, seal = receipt.order.terms, receipt.value.get("seal")
        require((seal is not None) == (terms.seal is not None), "a device is shown of an order in the open, or none")
        if seal is None or terms.seal is None:
            return
        own, device = json.loads(receipt.value["own"]["json"]), seal["device"]
        key = base64.b64decode(device["key"])
        is_its_own = is_signed_by_device(key, wish_text(terms, own), bytes.fromhex(own["signature"]))
        require(is_its_own, "the device did not sign this order")
        entry = entry_of_kind(device["logged"], "device.add")
        made = device_hash(bytes.fromhex(device["nonce"]), own["device"], key, own["member"])
        require(made.hex() == entry["hash"], "the log has another device")
        place = self._proven(device["logged"], "device.add", entry["at"]).index
        self._require_order(place, receipt.value["accepted"], "the device was logged after the batch")
        if self.removals is not None:
            self._check_removal(self.removals, entry["hash"], place)

    def _check_removal(self, removals: Removals, device: str, added_in: int) -> None:
        """Checks that the log does not remove the device before the order."""
        proof = self.receipt.value["accepted"]["proof"]
        accepted_in = 0 if proof is None else Proof.parse(proof).index
        if max(added_in, accepted_in) >= removals.size:
            raise Pending("the log read ends before the order's batch")
        is_late = is_after_removal(self.receipt.acceptance.accepted_at, removals.first.get(device))
        require(not is_late, "the device had been removed before the order")

    def check_batch(self) -> None:
        given = self.receipt.acceptance
        require(given.place < given.accepted <= given.count, "the place is none of an order")
        tree_root = root_of_path(leaf_hash(given.commitment), given.place, given.count, given.path)
        root = batch_root(self.receipt.version, given.batch, given.accepted_at, given.accepted, tree_root)
        require(root == given.root, "the path leads to another root")

    def check_signature(self) -> None:
        given = self.receipt.acceptance
        is_accepted = self.keys.accepts(given.key, b"BATCH1/signed\0" + given.root, given.signature)
        require(is_accepted, "no acceptance key signed the root")

    def check_terms(self) -> None:
        receipt, agreed = self.receipt, self.receipt.order.agreed
        shown = receipt.value["config"]
        require(shown["logged"] is not None, "the log has no entry of the configuration")
        config = entry_of_kind(shown["logged"], "config")
        require(config["hash"] == sha256(utf8(shown["body"])).hex(), "the configuration is not what its entry hashes")
        stated = (config["version"], config["effectiveAt"])
        require(stated == (receipt.config.version, receipt.config.effective_at), "entry and configuration differ")
        require(agreed.config_version == receipt.config.version, "the order names another configuration")
        require(receipt.config.effective_at <= receipt.acceptance.accepted_at, "the configuration came later")
        given = (agreed.payout_rate, agreed.fee, agreed.profit)
        require(agreed_by(receipt.config, receipt.order.terms, agreed.stake) == given, "other terms were agreed")
        named = self._config_of_batch()
        require(named is None or named == agreed.config_version, "the batch names another configuration")
        place = self._proven(shown["logged"], "config").index
        self._require_order(place, receipt.value["accepted"], "the configuration was logged after the batch")

    def _config_of_batch(self) -> int | None:
        """Returns the configuration that the batch's entry names; None if it names none or is malformed."""
        try:
            return entry_of_kind(self.receipt.value["accepted"], "orders.accept").get("config")
        except Refused:
            return None

    def check_accepted(self) -> None:
        given, logged = self.receipt.acceptance, self.receipt.value["accepted"]
        batch = Batch.of(entry_of_kind(logged, "orders.accept"))
        require(batch.entry.version == self.receipt.version, "the batch is of another version")
        require((batch.number, batch.accepted_at) == (given.batch, given.accepted_at), "the entry of another batch")
        is_there = given.place < len(batch.orders) and batch.orders[given.place] == given.commitment
        require(is_there, "another commitment stands at this place")
        held = (len(batch.orders), len(batch.orders) + len(batch.refusals))
        require(held == (given.accepted, given.count), "the batch has another number of orders")
        self._proven(logged, "orders.accept", given.accepted_at)

    # Slots and heads.

    def check_slots(self) -> None:
        for slot in self.receipt.slots:
            self._require_head(slot)
        decision, symbol = self._decided(), self.receipt.order.terms.symbol
        for tick, slot in ((decision.entry, self.receipt.entry_slot), (decision.exit, self.receipt.exit_slot)):
            if tick is not None and slot is None:
                raise Pending("the slot of a tick is not shown")
            require(tick is None or slot is None or slot.holds(symbol, tick), "a tick is not in its slot")

    def _require_head(self, slot: Slot) -> None:
        require(slot_head(slot.previous, slot.roots, slot.lines) == slot.hash, "a head of other things")
        require(slot.tick_times is not None, "a line of a slot is malformed")
        message = b"SLOT1/signed\0" + u64(slot.k) + slot.hash
        require(self.keys.accepts(slot.key, message, slot.signature), "no acceptance key signed a head")

    def check_seen(self) -> None:
        receipt, seen = self.receipt, self.receipt.seen_slot
        if receipt.order.terms.seal is None:
            require(seen is None, "a seen slot is shown of an order in the open")
            return
        require(seen is not None, "the slot that the device had seen is not shown")
        own = json.loads(receipt.value["own"]["json"])
        require((seen.k, seen.hash.hex()) == (own["seenSlot"], own["seenHash"]), "the device had seen another slot")
        self._require_head(seen)
        newest = seen.newest_time_for(receipt.order.terms.symbol)
        require(newest is not None, "the seen slot has no tick")
        is_soon = receipt.acceptance.accepted_at <= newest + SEEN_WITHIN_MS
        require(is_soon, "the order was accepted too late after what its device had seen")

    def check_bound(self) -> None:
        bound, entry = self.receipt.bound, self.receipt.entry_slot
        if bound is None:
            raise Pending("no head binds the batch yet")
        require(self.receipt.acceptance.root in bound.roots, "the head does not bind the batch")
        require(entry is None or bound.k <= entry.k, "the batch was bound after the entry tick")

    def check_heads(self) -> None:
        in_log: dict[int, str] = {}
        for logged in self.receipt.value["slots"]["logged"]:
            entry = entry_of_kind(logged, "heads")
            if logged["proof"] is not None:
                self._proven(logged, "heads")
                in_log.update(enumerate(entry["heads"], entry["from"]))
        seen = self.receipt.seen_slot
        shown = self.receipt.slots + ([] if seen is None else [seen])
        for slot in shown:
            require(in_log.get(slot.k, slot.hash.hex()) == slot.hash.hex(), "the log has another head")
        missing = [slot for slot in shown if slot.k not in in_log]
        if missing:
            due = [minute_end(at) for slot in missing if (at := slot.newest_time) is not None]
            raise Pending("a head is not in the log yet", min(due, default=None))

    # Prices and what they decide.

    def check_prices(self) -> None:
        symbol, missing = self.receipt.order.terms.symbol, None
        for minute in self.receipt.minutes:
            try:
                entry = self._proven(minute.logged, "ticks", minute.end).entry
            except Pending as pending:
                missing = missing or pending
                if minute.logged is None:
                    continue
                entry = entry_of_kind(minute.logged, "ticks")
            require(entry["symbol"] == symbol, "a minute of another instrument")
            check_lines(minute.lines, minute.ticks, entry)
        if missing is not None:
            raise missing

    def check_entry(self) -> None:
        result = self._result()
        if self._gap is not None and self._gap.beside == "entry":
            raise self._gap
        require(result.entry == self._decided().entry, "another tick is the entry")

    def check_exit(self) -> None:
        result = self._result()
        if self._gap is not None and self._gap.beside == "exit":
            raise self._gap
        require(result.exit == self._decided().exit, "another tick is the exit")

    def check_outcome(self) -> None:
        decision, result = self._decided(), self._result()
        given = (result.outcome, result.void_reason)
        require(given == (decision.outcome, decision.void_reason), "the order ended otherwise")

    def check_payout(self) -> None:
        decision, result = self._decided(), self._result()
        booked = (result.profit, result.credit)
        require(booked == paid(decision.outcome, self.receipt.order.agreed), "other amounts were booked")

    def check_settled(self) -> None:
        logged = self.receipt.value["settled"]
        if logged is None:
            raise Pending("the settlement is not in the log yet")
        entry = entry_of_kind(logged, "orders.settle")
        require(entry.version == self.receipt.version, "the settlement is of another version")
        given = self.receipt.acceptance
        found = [each for each in entry["orders"] if (each["batch"], each["place"]) == (given.batch, given.place)]
        require(len(found) == 1, "the entry does not settle this order once")
        self._check_settlement(found[0])
        self._proven(logged, "orders.settle", entry["settledAt"])

    def _check_settlement(self, settled: Mapping[str, Any]) -> None:
        """Refuses a settlement that differs from the rules' decision or opens another commitment."""
        terms, decision = self.receipt.order.terms, self._decided()
        expected = {
            "acceptedAt": self.receipt.acceptance.accepted_at,
            "direction": terms.direction,
            "duration": terms.duration,
            "entrySeq": _seq(decision.entry),
            "exitSeq": _seq(decision.exit),
            "limitPrice": terms.limit_price,
            "outcome": decision.outcome,
            "symbol": terms.symbol,
            "voidReason": decision.void_reason,
        }
        require(all(settled[name] == value for name, value in expected.items()), "the log has another settlement")
        if self.receipt.version == 2:
            check_opening(settled, self.receipt.acceptance.commitment)
            revealed_at = None if self.receipt.opened is None else self.receipt.opened.revealed_at
            require(settled["revealedAt"] == revealed_at, "the log has another moment of its reveal")

    # Where prices come from.

    def _named_source(self, tick: Tick) -> Mapping[str, Any] | None:
        """Returns the source that the tick's minute names for it; None if it names none."""
        logged = self.receipt.minute_of(tick).logged
        named = None if logged is None else entry_of_kind(logged, "ticks").get("sources")
        in_force = [each for each in named or [] if each["since"] <= tick.time]
        return in_force[-1] if in_force else None

    def _is_simulated(self, tick: Tick) -> bool:
        named = self._named_source(tick)
        return self.receipt.source == MODEL if named is None else named["source"] == MODEL

    def check_source(self) -> None:
        ticks = self._deciding_ticks()
        named = [self._named_source(tick) for tick in ticks]
        for tick, source in zip(ticks, named):
            if source is not None:
                self._check_source_shown(source, tick)
        sources = [source and source["source"] for source in named]
        if any(self._is_unproven(tick) for tick in ticks):
            raise Pending("a minute is not in a checkpoint yet")
        if MODEL in sources:
            require(self.receipt.source == MODEL, "one of the two ticks is simulated")
        elif ticks and None not in sources:
            require(self.receipt.source == "outside", "none of the two ticks is simulated")

    def _is_unproven(self, tick: Tick) -> bool:
        logged = self.receipt.minute_of(tick).logged
        return logged is None or logged["proof"] is None

    def _check_source_shown(self, named: Mapping[str, Any], tick: Tick) -> None:
        """Refuses a source whose entry is not in the receipt or was not logged before the minute."""
        wanted = {"symbol": self.receipt.order.terms.symbol, "since": named["since"], "source": named["source"]}
        shown = [self._proven(logged, "source") for logged in self.receipt.value.get("sources", [])]
        found = next((proven for proven in shown if proven.entry.values == wanted), None)
        if found is None:
            raise Refused("the source that the minute names is not shown")
        minute = self.receipt.minute_of(tick).logged
        if minute is not None:
            self._require_order(found.index, minute, "the source was logged after the minute")

    def check_quotes(self) -> None:
        outside = [tick for tick in self._deciding_ticks() if not self._is_simulated(tick)]
        missing: Pending | None = None
        for tick in outside:
            try:
                self._check_quote(tick)
            except Pending as pending:
                missing = pending
        if missing is not None:
            raise missing

    def _check_quote(self, tick: Tick) -> None:
        """Refuses a tick that does not follow from its minute's quotes."""
        logged, named = self.receipt.minute_of(tick).logged, self._named_source(tick)
        if logged is None:
            raise Pending("a minute is not in the log yet")
        entry, source = entry_of_kind(logged, "ticks"), None if named is None else named["source"]
        if entry.get("quotes") is None:
            require(source != "pyth", "a tick of Pyth's alone without a signed quote")
        else:
            self._check_quote_line(tick, entry, source)
        self._proven(logged, "ticks")

    def _check_quote_line(self, tick: Tick, minute: Entry, source: str | None) -> None:
        all_shown = self.receipt.value.get("quotes", [])
        shown = next((each for each in all_shown if QuoteLine.parse(each["line"]).seq == tick.seq), None)
        if shown is None:
            raise Refused("the line of a tick's quote is not shown")
        path = list(map(bytes.fromhex, shown["path"]))
        root = root_of_path(leaf_hash(utf8(shown["line"])), tick.seq - minute["from"], minute["count"], path)
        require(root.hex() == minute["quotes"], "the line does not lead to the minute's quotes")
        line = QuoteLine.parse(shown["line"])
        check_quoted_source(line, source)
        if not line.is_told:
            return
        check_composition(line, tick)
        if line.quote is None:
            return
        require(shown["params"] is not None, "the guardians are not shown")
        quote = shown["quote"] and Quote(*(from_base64(shown["quote"][name]) for name in ("vaa", "message", "branch")))
        params = entry_of_kind(shown["params"], "params.pyth")
        check_quote(line, tick, quote, self.receipt.order.terms.symbol, params)
        place, logged = self._proven(shown["params"], "params.pyth").index, self.receipt.minute_of(tick).logged
        if logged is not None:
            self._require_order(place, logged, "the guardians were named after the minute")

    def check_replay(self) -> None:
        if self.receipt.source != MODEL:
            return
        simulated = [tick for tick in self._deciding_ticks() if self._is_simulated(tick)]
        times = [tick.time for tick in simulated]
        walks = [self._walk(epoch, times) for epoch in self.receipt.value["epochs"]]
        for tick in simulated:
            held = [(start, made) for start, made in walks if start <= tick.time < start + EPOCH_MS]
            require(len(held) == 1, "a simulated tick lies in no epoch that is shown")
            start, made = held[0]
            t, rest = divmod(tick.time - start, TICK_MS)
            require(rest == 0 and made.mids[t] == tick.price, "the seed makes another price")

    def _walk(self, epoch: Mapping[str, Any], times: Sequence[int]) -> tuple[int, Walk]:
        """Returns an epoch's start, and its prices recomputed from the seed."""
        names = ("params", "commit", "open", "reveal")
        kinds = ("params", "epoch.commit", "epoch.open", "epoch.reveal")
        params, commit, opening, reveal = (self._proven(epoch[name], kind) for name, kind in zip(names, kinds))
        require(params.index < commit.index < opening.index < reveal.index, "the epoch is logged out of its order")
        require(commit.entry["params"] == params.entry.hash.hex(), "the epoch is committed to by other params")
        check_mix(commit.entry, commit.index, opening.entry, self.keys)
        instrument = Instrument.all_of(params.entry).get(self.receipt.order.terms.symbol)
        if instrument is None:
            raise Refused("the epoch's params do not list the instrument")
        rounds = EpochRounds.of(params.entry, opening.entry, reveal.entry)
        if rounds is not None and times:
            rounds.check(min(times), max(times))
        return opening.entry["start"], revealed_walk(commit.entry, opening.entry, reveal.entry, instrument, rounds)


def entry_of_kind(logged: Mapping[str, Any], kind: str) -> Entry:
    """Parses an entry of this kind, whether or not it is in the log."""
    entry = Entry.parse(logged["entry"])
    require(entry.kind == kind, f"an entry of another kind than `{kind}`")
    return entry


def minute_end(at: int) -> int:
    """Returns the end of a moment's minute."""
    return at // MINUTE_MS * MINUTE_MS + MINUTE_MS


def revealed_walk(
    commit: Entry, opening: Entry, reveal: Entry, instrument: Instrument, rounds: EpochRounds | None
) -> Walk:
    """Recomputes an instrument's prices from a revealed seed. Refuses a seed other than the one committed to."""
    e, seed = commit["e"], bytes.fromhex(reveal["seed"])
    require(opening["e"] == e and reveal["e"] == e, "entries of several epochs")
    made = epoch_commit(e, seed, bytes.fromhex(commit["params"]))
    require(made.hex() == commit["commit"], "the seed is not the one committed to")
    pair = reveal["from"].get(instrument.symbol)
    require(pair is not None, "the seed comes without the place of the instrument's walk")
    found = walk(epoch_key(e, seed, bytes.fromhex(opening["mix"])), e, instrument, WalkPlace.parse(pair), rounds)
    require(found.digest == reveal["digest"].get(instrument.symbol), "the seed makes another digest")
    return found


def check_quoted_source(line: QuoteLine, source: str | None) -> None:
    """Refuses a line with sources that are not in force, or without a signed quote if Pyth is the only source."""
    if source is not None:
        told = set(line.sources) | set(line.left_out)
        require(told <= set(source.split("+")), "a price of a source that is not in force")
    require(source != "pyth" or line.quote is not None, "a tick of Pyth's alone without a signed quote")


def _all_logged(value: Any) -> Iterator[Mapping[str, str]]:
    """Yields every logged entry of a receipt that has a proof."""
    if isinstance(value, dict):
        if isinstance(value.get("proof"), str):
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _all_logged(each)


def overall_state(states: Iterable[CheckState]) -> str:
    """Returns `failed` if any check failed, else `pending` if any is, else `ok`."""
    found = {each.state for each in states}
    return next((state for state in ("failed", "pending") if state in found), "ok")


def verify_receipt(content: str, keys: Keys, removals: Removals | None = None) -> list[CheckState]:
    """Runs the checks of a receipt. Raises `NothingExamined` if the content is not a receipt.

    `removals` are what the log says of devices, None if it is not asked.
    """
    try:
        receipt = Receipt.parse(content)
    except Refused as refused:
        raise NothingExamined(f"no receipt: {refused}") from refused
    return ReceiptChecks(receipt, keys, removals).run()


# --- Examining a log: reading it --------------------------------------------------------------------------------------


class LogFiles(Protocol):
    """A source of the log's files."""

    def read(self, path: str) -> bytes | None:
        """Returns the bytes of a file below the log's prefix; None if there is none."""
        ...


@dataclass(frozen=True)
class Folder:
    """A copy of a log: saved responses, each under its path."""

    root: Path

    def read(self, path: str) -> bytes | None:
        file = self.root / path
        return file.read_bytes() if file.is_file() else None


@dataclass(frozen=True)
class Address:
    """A log that is served over HTTP."""

    prefix: str

    def read(self, path: str, at_most: int | None = None) -> bytes | None:
        try:
            with urllib.request.urlopen(f"{self.prefix.rstrip('/')}/{path}", timeout=30) as response:
                content: bytes = response.read() if at_most is None else response.read(at_most + 1)
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise NothingExamined(f"{path} is answered with {error.code}") from error
        except (OSError, http.client.HTTPException) as error:
            raise NothingExamined(f"{path} cannot be read: {error}") from error
        if at_most is not None and len(content) > at_most:
            raise NothingExamined(f"{path} is longer than {at_most} bytes")
        return content


def tile_path(level: int | str, index: int, width: int) -> str:
    """Formats the path of a tile. A full tile has 256 hashes."""
    digits = str(index).zfill((len(str(index)) + 2) // 3 * 3)
    groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    name = "/".join([*(f"x{group}" for group in groups[:-1]), groups[-1]])
    return f"tile/{level}/{name}" + ("" if width == 256 else f".p/{width}")


def read_entries(files: LogFiles, size: int) -> Iterator[bytes]:
    """Yields all entries of a tree of this size."""
    for index in range((size + 255) // 256):
        width = min(256, size - 256 * index)
        path = tile_path("entries", index, width)
        yield from _split_bundle(files, path, width)


def _split_bundle(files: LogFiles, path: str, width: int) -> Iterator[bytes]:
    bundle, at = files.read(path), 0
    if bundle is None:
        raise Refused(f"{path} is missing")
    for _ in range(width):
        require(at + 2 <= len(bundle), f"{path} is too short")
        length = int.from_bytes(bundle[at : at + 2], "big")
        require(at + 2 + length <= len(bundle), f"{path} is too short")
        yield bundle[at + 2 : at + 2 + length]
        at += 2 + length
    require(at == len(bundle), f"{path} is too long")


@dataclass(frozen=True)
class Finding:
    """A fault or a note: its check in the page's table, the index of its entry, and why."""

    check: str
    index: int | None
    why: str


@dataclass(frozen=True)
class Placed:
    """An entry with its place in the log, and *latest*: the newest moment of earlier entries."""

    index: int
    entry: Entry
    latest: int | None

    def __getitem__(self, name: str) -> Any:
        return self.entry[name]

    def get(self, name: str) -> Any:
        return self.entry.get(name)

    def is_later_than(self, at: int) -> bool:
        """Returns whether the log has a later moment before this entry."""
        return self.latest is not None and self.latest > at


@dataclass(frozen=True)
class Minute:
    """A `ticks` entry with its ticks; no ticks if its lines do not match its hash."""

    placed: Placed
    symbol: str
    time: int
    ticks: tuple[Tick, ...]


@dataclass
class Report:
    """The result of verifying a log."""

    faults: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    # Number of settlements that wait for prices.
    waiting: int = 0
    settlements: int = 0

    def fault(self, check: str, placed: Placed | None, why: str) -> None:
        self.faults.append(Finding(check, None if placed is None else placed.index, why))

    def note(self, check: str, placed: Placed | None, why: str) -> None:
        self.notes.append(Finding(check, None if placed is None else placed.index, why))

    @property
    def state(self) -> str:
        if self.faults:
            return "failed"
        return "pending" if self.waiting > 0 else "ok"


POSTING = fields(
    {
        "accepted": natural,
        "acceptedAt": natural,
        "batch": natural,
        "count": natural,
        "direction": one_of("up", "down"),
        "duration": natural,
        "key": hex_bytes(4),
        "limitPrice": nullable(integer),
        "nonce": hex_bytes(16),
        "own": hash_hex,
        "path": list_of(hash_hex, at_most=63),
        "place": natural,
        "sealNonce": hash_hex,
        "signature": base64_of(),
        "symbol": symbol_text,
        "v": one_of(1),
    }
)


@dataclass(frozen=True)
class BoardReveal:
    """A reveal that a member posted to a witness's board."""

    witness: str
    at: int
    posting: Mapping[str, Any]

    @classmethod
    def parse(cls, line: str, witnesses: Iterable[VerifierKey]) -> BoardReveal | None:
        """Parses a line of a board; None if none of the witnesses signed it or it has no valid posting."""
        try:
            told = parse_canonical(line)
            fields({"record": text, "signature": text})(told, "line")
            message, signature = b"BOARD1/signed\0" + utf8(told["record"]), from_base64(told["signature"])
            witness = next((key for key in witnesses if is_signed(key.public_key, message, signature)), None)
            if witness is None:
                return None
            record = parse_canonical(told["record"])
            fields({"at": natural, "n": natural, "posting": text, "v": one_of(1)})(record, "record")
            posting = parse_canonical(record["posting"])
            POSTING(posting, "posting")
        except Refused:
            return None
        return cls(witness.name, record["at"], posting)

    @cached_property
    def seal(self) -> bytes:
        posting = self.posting
        return seal_of(bytes.fromhex(posting["sealNonce"]), posting["direction"], posting["limitPrice"])


class Log:
    """All entries of a log in order, and what follows from them."""

    reveals: Sequence[BoardReveal] = ()
    """The reveals on witnesses' boards."""

    def __init__(self, files: LogFiles, counted: CountedCheckpoint, keys: Keys, report: Report) -> None:
        self.files = files
        self.counted = counted
        self.keys = keys
        self.report = report
        self.entries: list[Placed] = []
        self.by_kind: defaultdict[str, list[Placed]] = defaultdict(list)
        self.newest: int | None = None
        self.leaves: list[bytes] = []

    def add(self, index: int, raw: bytes) -> None:
        """Adds the log's next entry. A malformed one is a fault and is otherwise ignored."""
        self.leaves.append(leaf_hash(raw))
        latest = self.entries[-1].latest if self.entries else None
        if self.entries:
            latest = _later(latest, self.entries[-1].entry.moment)
        try:
            placed = Placed(index, Entry.parse(from_utf8(raw)), latest)
        except Refused as refused:
            self.report.faults.append(Finding("entry", index, str(refused)))
            return
        self.entries.append(placed)
        self.by_kind[placed.entry.kind].append(placed)
        self.newest = _later(self.newest, placed.entry.told)

    def root_at(self, size: int) -> bytes:
        return root_of_leaves(self.leaves[:size])

    def is_past(self, at: int) -> bool:
        """Returns whether *newest* is later."""
        return self.newest is not None and self.newest > at

    def is_past_or_cosigned(self, at: int) -> bool:
        """Returns whether *newest* or the checkpoint's time is later."""
        return self.is_past(at) or (self.counted.time is not None and self.counted.time > at)

    def first_told_after(self, at: int) -> int | None:
        """Returns the first moment of the log that is later; None if there is none."""
        moments = (placed.entry.told for placed in self.entries)
        return next((moment for moment in moments if moment is not None and moment > at), None)

    def first_told_behind(self, index: int) -> int | None:
        """Returns the first moment after an entry that is later than all moments before it; None if there is none."""
        before: int | None = None
        for placed in self.entries:
            told = placed.entry.told
            if placed.index > index and told is not None and (before is None or told > before):
                return told
            before = _later(before, told)
        return None

    def is_bound(self, index: int) -> bool:
        """Returns whether an entry comes after the first one that only a house which logs its incidents writes."""
        first = min((self.by_kind[kind][0].index for kind in ("incident", "release") if self.by_kind[kind]), default=None)
        return first is not None and index > first

    def is_explained(self, symbol: str, start: int, end: int, by: int) -> bool:
        """Returns whether an incident written until `by` explains why there was no price between two ticks."""

        def says(incident: Placed) -> bool:
            if incident["part"] == "house":
                return incident["from"] < end and incident["to"] > start
            is_its_source = incident["part"] == "source" and incident.get("symbol") == symbol
            return is_its_source and incident["from"] <= start and incident["to"] >= end

        return any(incident["at"] <= by and says(incident) for incident in self.by_kind["incident"])

    def due_after_pauses(self, due: int, index: int, parts: Sequence[str], grace: int) -> int:
        """Returns the moment from which `grace` counts: `due`, or later because of incidents before an entry."""
        pauses = [each for each in self.by_kind["incident"] if each.index < index and each["part"] in parts]
        for pause in sorted(pauses, key=lambda each: each["from"]):
            if pause["from"] <= due + grace and pause["to"] > due:
                due = pause["to"]
        return due

    @cached_property
    def batches(self) -> dict[int, tuple[Placed, Batch]]:
        """Returns each batch by its number; the first one if a number is used twice."""
        found: dict[int, tuple[Placed, Batch]] = {}
        for placed in self.by_kind["orders.accept"]:
            found.setdefault(placed["batch"], (placed, Batch.of(placed.entry)))
        return found

    @cached_property
    def configs(self) -> list[Config]:
        """Returns the configurations whose bodies match their entries' hashes."""
        found = []
        for placed in self.by_kind["config"]:
            try:
                found.append(Config.parse(self.read_versioned(f"config/{placed['version']}", placed)))
            except Refused as refused:
                self.report.fault("configurations", placed, str(refused))
        return found

    def read_versioned(self, path: str, placed: Placed) -> str:
        """Reads the body of a configuration or policy. Refuses it if it does not match its entry."""
        raw = self.files.read(path)
        require(raw is not None and sha256(raw).hex() == placed["hash"], f"{path} is not what the entry hashes")
        assert raw is not None
        body = parse_versioned(from_utf8(raw))
        stated = (body["version"], body["effectiveAt"])
        require(stated == (placed["version"], placed["effectiveAt"]), f"{path} says otherwise than its entry")
        return from_utf8(raw)

    def config_at(self, at: int) -> Config | None:
        """Returns the configuration in force at a moment; None if there is none."""
        in_force = [config for config in self.configs if config.effective_at <= at]
        return max(in_force, key=lambda config: config.version, default=None)

    @cached_property
    def minutes(self) -> list[Minute]:
        return [self._read_minute(placed) for placed in self.by_kind["ticks"]]

    def _read_minute(self, placed: Placed) -> Minute:
        symbol, time = placed["symbol"], placed["time"]
        path = f"prices/{symbol}/{time}"
        ticks: tuple[Tick, ...] = ()
        try:
            raw = self.files.read(path)
            require(raw is not None, f"{path} is missing")
            assert raw is not None
            lines = from_utf8(raw)
            parsed = parse_lines(lines)
            check_lines(lines, parsed, placed.entry)
            ticks = parsed
        except Refused as refused:
            self.report.fault("prices", placed, str(refused))
        return Minute(placed, symbol, time, ticks)

    @cached_property
    def ticks(self) -> dict[str, list[Tick]]:
        """Returns each symbol's ticks, in order of the log."""
        found: defaultdict[str, list[Tick]] = defaultdict(list)
        for minute in self.minutes:
            found[minute.symbol].extend(minute.ticks)
        return dict(found)

    @cached_property
    def rows(self) -> dict[str, TickRow]:
        return {symbol: TickRow(ticks, is_whole=True) for symbol, ticks in self.ticks.items()}

    @cached_property
    def newest_tick(self) -> int | None:
        return max((ticks[-1].time for ticks in self.ticks.values() if ticks), default=None)


def _later(left: int | None, right: int | None) -> int | None:
    return right if left is None or (right is not None and right > left) else left


# --- Examining a log: prices and their sources ------------------------------------------------------------------------


def check_prices(log: Log) -> None:
    """Checks that numbers continue from minute to minute, and that times rise."""
    last: dict[str, tuple[int, int]] = {}
    for minute in log.minutes:
        placed = minute.placed
        if minute.symbol in last:
            number, time = last[minute.symbol]
            if placed["from"] != number + 1:
                log.report.fault("prices", placed, "the numbers do not go on from the minute before")
            if minute.time <= time:
                log.report.fault("prices", placed, "a minute that does not follow the one before")
        last[minute.symbol] = (placed["to"], minute.time)
    _check_traded_unpriced(log)


def _check_traded_unpriced(log: Log) -> None:
    """Checks that minutes with orders have prices. Orders need fresh prices, so missing ones were withheld."""
    priced_until = max((minute.time for minute in log.minutes), default=-1)
    accepted = sorted(batch.accepted_at for _, batch in log.batches.values() if batch.orders)
    for at in accepted:
        minute = at // MINUTE_MS * MINUTE_MS
        if minute <= priced_until or at - minute < 2_000:
            continue
        later = next((other for other in accepted if other > minute + MINUTE_MS + 20_000), None)
        if later is not None and log.is_past_or_cosigned(later + 10_000):
            log.report.fault("prices", None, f"orders were accepted at {at} and {later}, and the log has no prices")
            return


@dataclass(frozen=True)
class SourceWord:
    """A source of an instrument's prices, and the moment from which it applies."""

    since: int
    source: str


class Sources:
    """The valid `source` entries, and the source in force for each tick."""

    def __init__(self, log: Log) -> None:
        self.words: defaultdict[str, list[SourceWord]] = defaultdict(list)
        minutes = {minute.placed.index: minute for minute in log.minutes}
        newest: dict[str, int] = {}
        for placed in log.entries:
            if placed.entry.kind == "source":
                self._take(log, placed, newest.get(placed["symbol"]))
            elif placed.entry.kind == "ticks" and minutes[placed.index].ticks:
                newest[placed["symbol"]] = minutes[placed.index].ticks[-1].time
        self.first_since = min((word.since for words in self.words.values() for word in words), default=None)

    def _take(self, log: Log, placed: Placed, newest: int | None) -> None:
        """Adds a `source` entry if it came in time. A symbol's first one before any price may be ten seconds late."""
        words, since = self.words[placed["symbol"]], placed["since"]
        is_first = not words and newest is None
        if words and since <= words[-1].since:
            log.report.fault("sources", placed, "`since` does not rise")
        elif newest is not None and since <= newest:
            log.report.fault("sources", placed, "`since` is not later than the newest price")
        elif placed.is_later_than(since + (10_000 if is_first else 0)):
            log.report.fault("sources", placed, "the source was changed after the fact")
        else:
            if words:
                log.report.note("sources", placed, f"{placed['symbol']} changes to {placed['source']}")
            words.append(SourceWord(since, placed["source"]))

    def at(self, symbol: str, time: int) -> SourceWord | None:
        """Returns the source in force at a time; None if there is none."""
        words = self.words.get(symbol, [])
        place = bisect_right(words, time, key=lambda word: word.since)
        return words[place - 1] if place > 0 else None

    def named(self, symbol: str, time: int) -> str | None:
        word = self.at(symbol, time)
        return None if word is None else word.source


def check_sources(log: Log, sources: Sources) -> None:
    """Checks that each minute names the sources in force for its ticks."""
    for minute in log.minutes:
        in_force = [sources.at(minute.symbol, tick.time) for tick in minute.ticks]
        expected = [
            {"since": word.since, "source": word.source} for word in dict.fromkeys(in_force) if word is not None
        ]
        if minute.ticks and (minute.placed.get("sources") or []) != expected:
            log.report.fault("sources", minute.placed, "the minute names other sources than are in force")
        unnamed = [tick.time for tick, word in zip(minute.ticks, in_force) if word is None]
        if unnamed and sources.first_since is not None and unnamed[-1] > sources.first_since + 60_000:
            log.report.fault("sources", minute.placed, "a tick is under no source")


def check_quotes(log: Log, sources: Sources) -> None:
    """Checks that outside prices follow from their sources, and that the guardians in force signed the quotes."""
    guardians = _read_guardians(log)
    told = ToldSources()
    for minute in log.minutes:
        try:
            _check_minute_quotes(log, sources, guardians, minute, told)
        except Refused as refused:
            log.report.fault("quotes", minute.placed, str(refused))
    for symbol, (composed, unsigned) in told.signed_by_pyth.items():
        if unsigned:
            log.report.note("quotes", None, f"{symbol}: {unsigned} of {composed} ticks lack the signed quote of their sources")


class ToldSources:
    """The symbols that have named the sources of every outside tick, and counts of ticks without a signed quote."""

    def __init__(self) -> None:
        self.telling: set[str] = set()
        self.signed_by_pyth: dict[str, tuple[int, int]] = {}
        self.newest: dict[str, tuple[int, int, Entry]] = {}

    def require_told(self, symbol: str, line: QuoteLine | None, source: str | None) -> None:
        """Refuses an outside tick without named sources if the symbol's ticks have named them before."""
        is_outside = source is not None and source != MODEL
        is_told = line is not None and line.is_told
        require(is_told or not is_outside or symbol not in self.telling, "what a tick is made of is kept back")

    def require_order(self, symbol: str, quote: Quote, params: Entry) -> None:
        """Refuses a signed quote that goes back behind the symbol's newest one, further than the params allow."""
        published, slot = SignedPrice.parse(quote.message).published_at, quote.slot
        newest = self.newest.get(symbol)
        if newest is None or (published, slot) >= newest[:2]:
            self.newest[symbol] = (published, slot, params)
            return
        require(newest[0] - published <= back_max(params), "the quote is older than that of an earlier tick")
        # Slots of one second are compared only under the same guardians: others may sign for another chain.
        is_ordered = params.get("backMax") is not None and newest[2] is params and published == newest[0]
        require(not is_ordered, "the quote is older than that of an earlier tick")

    def count(self, symbol: str, line: QuoteLine, source: str | None) -> None:
        """Counts a tick with named sources if Pyth is one of its instrument's sources."""
        if line.is_told and source is not None and "pyth" in source.split("+"):
            composed, unsigned = self.signed_by_pyth.get(symbol, (0, 0))
            self.signed_by_pyth[symbol] = (composed + 1, unsigned + (line.quote is None))


def _read_guardians(log: Log) -> list[Entry]:
    """Returns the valid `params.pyth` entries, by `since`."""
    found: list[Entry] = []
    for placed in log.by_kind["params.pyth"]:
        if placed.is_later_than(placed["since"] + MINUTE_MS):
            log.report.fault("quotes", placed, "guardians are named more than a minute after the fact")
        if found and placed["since"] <= found[-1]["since"]:
            log.report.fault("quotes", placed, "`since` does not rise")
        else:
            found.append(placed.entry)
            if back_max(placed.entry) > 0:
                log.report.note("quotes", placed, f"signed quotes may go back by up to {back_max(placed.entry)} ms")
    return found


BACK_MS_MAX = 7_000


def back_max(params: Entry) -> int:
    """Returns how far signed quotes may go back under these params, in ms. Former houses did not say."""
    stated = params.get("backMax")
    return BACK_MS_MAX if stated is None else min(stated, BACK_MS_MAX)


def _check_minute_quotes(
    log: Log, sources: Sources, guardians: Sequence[Entry], minute: Minute, told: ToldSources
) -> None:
    named = [sources.named(minute.symbol, tick.time) for tick in minute.ticks]
    root = minute.placed.get("quotes")
    if root is None:
        require("pyth" not in named, "a tick of Pyth's alone without a signed quote")
        for source in named:
            told.require_told(minute.symbol, None, source)
        return
    if not minute.ticks:
        return
    path = f"quotes/{minute.symbol}/{minute.time}"
    raw = log.files.read(path)
    if raw is None:
        raise Refused(f"{path} is missing")
    lines, quotes = parse_quotes(from_utf8(raw))
    require(root_of_entries(map(utf8, lines)).hex() == root, "the quotes are not what the minute's entry hashes")
    require(len(lines) == len(minute.ticks), "not one line for each tick")
    for tick, text, quote, source in zip(minute.ticks, lines, quotes, named):
        line = QuoteLine.parse(text)
        require(line.seq == tick.seq, "the line of another tick")
        check_quoted_source(line, source)
        told.require_told(minute.symbol, line, source)
        told.count(minute.symbol, line, source)
        if line.is_told:
            check_composition(line, tick)
        if line.quote is not None:
            in_force = [each for each in guardians if each["since"] <= tick.time]
            require(bool(in_force), "a quote before guardians are named")
            check_quote(line, tick, quote, minute.symbol, in_force[-1])
            assert quote is not None
            told.require_order(minute.symbol, quote, in_force[-1])
    outside = [QuoteLine.parse(text) for text, source in zip(lines, named) if source is not None and source != MODEL]
    if outside and all(line.is_told for line in outside):
        told.telling.add(minute.symbol)


_quotes_file = fields(
    {
        "lines": list_of(text),
        "places": list_of(nullable(natural)),
        "quotes": list_of(fields({"branch": base64_of(), "message": base64_of(), "vaa": natural})),
        "vaas": list_of(base64_of()),
    }
)


def parse_quotes(content: str) -> tuple[list[str], list[Quote | None]]:
    """Parses a minute's quotes into its lines and, for each line, its signed quote or None."""
    value = parse_canonical(content)
    _quotes_file(value, "quotes")
    require(len(value["places"]) == len(value["lines"]), "not one place for each line")
    vaas = list(map(from_base64, value["vaas"]))
    require(all(each["vaa"] < len(vaas) for each in value["quotes"]), "a quote without its VAA")
    quotes = [
        Quote(vaas[each["vaa"]], from_base64(each["message"]), from_base64(each["branch"])) for each in value["quotes"]
    ]
    require(all(place is None or place < len(quotes) for place in value["places"]), "a place without its quote")
    return value["lines"], [None if place is None else quotes[place] for place in value["places"]]


# --- Examining a log: the simulated market ----------------------------------------------------------------------------


@dataclass
class Epoch:
    """One epoch of the simulated market, as far as the log has it."""

    commit: Placed
    # The instruments of its params; empty if the params are not in the log.
    instruments: Mapping[str, Instrument]
    params: Entry | None = None
    opening: Placed | None = None
    mix: Mix | None = None
    reveal: Placed | None = None
    walks: dict[str, Walk] = field(default_factory=dict)

    @property
    def start(self) -> int:
        assert self.opening is not None
        return self.opening["start"]

    @property
    def end(self) -> int:
        return self.start + EPOCH_MS


class Epochs:
    """The log's commits, openings and seeds, each examined in order."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.by_number: dict[int, Epoch] = {}
        self.opened: list[Epoch] = []
        self._params: dict[str, Entry] = {}
        self._newest_params: Entry | None = None
        # State of each walk at the end of the newest epoch. A symbol that it left out starts at its next `from`.
        self._stands: dict[str, WalkPlace] = {}
        self._is_first_seed = True
        takers = {
            "params": self._take_params,
            "epoch.commit": self._take_commit,
            "epoch.open": self._take_opening,
            "epoch.reveal": self._take_reveal,
        }
        for placed in log.entries:
            if placed.entry.kind in takers:
                takers[placed.entry.kind](placed)

    def _fault(self, placed: Placed, why: str) -> None:
        self.log.report.fault("epochs", placed, why)

    def _note(self, placed: Placed, why: str) -> None:
        self.log.report.note("epochs", placed, why)

    def _take_params(self, placed: Placed) -> None:
        self._params[placed.entry.hash.hex()] = placed.entry

    def _take_commit(self, placed: Placed) -> None:
        e = placed["e"]
        if placed["params"] not in self._params:
            self._fault(placed, "the commit names no earlier params")
        if self.by_number and e != max(self.by_number) + 1:
            self._fault(placed, "a commit out of its turn")
        params = self._params.get(placed["params"])
        self._check_model(placed, params)
        self.by_number.setdefault(e, Epoch(placed, {} if params is None else Instrument.all_of(params), params))

    def _check_model(self, placed: Placed, params: Entry | None) -> None:
        """Checks that a log that has used a beacon keeps using one, and notes a change of beacon."""
        before = None if self._newest_params is None else self._newest_params.get("beacon")
        if params is None:
            return
        if before is not None and params.get("beacon") is None:
            self._fault(placed, "the epoch needs no beacon, and the ones before it do")
        elif before is not None and params["beacon"]["key"] != before["key"]:
            self._note(placed, "the epoch names another beacon")
        elif before is not None and params["beacon"] != before:
            self._fault(placed, "the epoch names other times for the rounds of the same beacon")
        self._newest_params = params

    def _take_opening(self, placed: Placed) -> None:
        epoch = self.by_number.get(placed["e"])
        if epoch is None:
            self._fault(placed, "an opening without commit")
        elif epoch.opening is not None:
            self._fault(placed, "an epoch is opened twice")
        else:
            epoch.opening = placed
            self._check_opening(epoch, placed)
            self.opened.append(epoch)

    def _check_opening(self, epoch: Epoch, placed: Placed) -> None:
        start = placed["start"]
        previous = self.opened[-1] if self.opened else None
        turn = min(self.by_number) if previous is None else previous.commit["e"] + 1
        if placed["e"] != turn:
            self._fault(placed, "an opening out of its turn")
        if previous is not None and start < previous.end:
            self._fault(placed, "the epoch overlaps the one before")
        if previous is not None and not self._follows(previous.end, start, placed.index):
            self._fault(placed, "the epoch starts late after the one before, and no incident says why")
        if placed.is_later_than(start):
            self._fault(placed, "the epoch is opened after its start")
        self._note_short_notice(epoch, placed)
        try:
            epoch.mix = check_mix(epoch.commit.entry, epoch.commit.index, placed.entry, self.log.keys)
            self._check_of_log(epoch.mix.checkpoint, placed)
        except Refused as refused:
            self._fault(placed, str(refused))
        self._note_mix(epoch)

    def _follows(self, end: int, start: int, index: int) -> bool:
        if start <= end + EPOCH_GAP_MS or not self.log.is_bound(index):
            return True
        goes_on = self.log.due_after_pauses(end, index, ("house", "prices"), EPOCH_GAP_MS)
        return goes_on > end and start <= goes_on + RESUMED_WITHIN_MS

    def _check_of_log(self, checkpoint: Checkpoint | None, opening: Placed) -> None:
        if checkpoint is not None:
            require(checkpoint.size <= opening.index, "the checkpoint is newer than the opening")
            require(self.log.root_at(checkpoint.size) == checkpoint.root, "the checkpoint is none of this log")

    def _note_short_notice(self, epoch: Epoch, opening: Placed) -> None:
        if opening.latest is not None and opening["start"] - opening.latest < 30_000:
            self._note(opening, "short notice")
        elif (
            opening.latest is not None
            and epoch.commit.latest is not None
            and opening.latest - epoch.commit.latest < 30_000
        ):
            self._note(opening, "opened shortly after its commit")

    def _note_mix(self, epoch: Epoch) -> None:
        if epoch.mix is None or epoch.opening is None:
            return
        if epoch.mix.kind == "commit" or (epoch.mix.kind == "root" and self.log.keys.witnesses):
            self._note(epoch.opening, "no witness's signature was mixed in")

    def _take_reveal(self, placed: Placed) -> None:
        epoch = self.by_number.get(placed["e"])
        if epoch is None or epoch.opening is None:
            self._fault(placed, "a seed of an epoch that was not opened")
        elif epoch.reveal is not None:
            self._fault(placed, "a seed is revealed twice")
        else:
            epoch.reveal = placed
            if placed.is_later_than(epoch.end + 10_000):
                self._note(placed, "the seed comes late")
            self._replay(epoch, epoch.opening, placed)

    def _replay(self, epoch: Epoch, opening: Placed, reveal: Placed) -> None:
        """Recomputes the epoch's prices from its seed."""
        symbols = set(epoch.instruments)
        if {*reveal["from"]} != symbols or {*reveal["digest"]} != symbols:
            self._fault(reveal, "the seed comes with other instruments than the params have")
        rounds: EpochRounds | None = None
        try:
            if epoch.params is not None:
                rounds = EpochRounds.of(epoch.params, opening.entry, reveal.entry)
            if rounds is not None:
                rounds.check(epoch.start, epoch.end)
                if rounds.missing > 0:
                    self._note(reveal, f"{rounds.missing} rounds of the beacon never came")
        except Refused as refused:
            self._fault(reveal, str(refused))
            self._stands, self._is_first_seed = {}, False
            return
        for symbol, instrument in epoch.instruments.items():
            try:
                made = revealed_walk(epoch.commit.entry, opening.entry, reveal.entry, instrument, rounds)
                stood = self._stands.get(symbol, instrument.start if self._is_first_seed else None)
                is_there = stood is None or stood == WalkPlace.parse(reveal["from"][symbol])
                require(is_there, f"{symbol} does not go on from where it stood")
                epoch.walks[symbol] = made
            except Refused as refused:
                self._fault(reveal, str(refused))
        self._stands = {symbol: made.end for symbol, made in epoch.walks.items()}
        self._is_first_seed = False

    def holding(self, time: int) -> Epoch | None:
        """Returns the opened epoch that covers a time; None if there is none."""
        return next((epoch for epoch in reversed(self.opened) if epoch.start <= time < epoch.end), None)

    def newest_commit_before(self, index: int) -> Epoch | None:
        found = [epoch for epoch in self.by_number.values() if epoch.commit.index < index]
        return max(found, key=lambda epoch: epoch.commit.index, default=None)


def check_epochs(log: Log, sources: Sources, epochs: Epochs) -> None:
    """Checks that every simulated price follows from the seed, none is missing, and seeds are revealed in time."""
    simulated = {symbol: _simulated_ticks(log, sources, epochs, symbol) for symbol in log.ticks}
    for symbol, ticks in simulated.items():
        for placed, tick in ticks:
            _check_simulated(log, sources, epochs, symbol, placed, tick)
    for epoch in epochs.opened:
        if epoch.reveal is None:
            _check_unrevealed(log, simulated, epoch)
        for symbol in epoch.walks:
            _check_missing(log, sources, simulated.get(symbol, []), epoch, symbol)
    _check_turns(log, epochs)


SimulatedTicks = list[tuple[Placed, Tick]]


def _simulated_ticks(log: Log, sources: Sources, epochs: Epochs, symbol: str) -> SimulatedTicks:
    """Returns the simulated ticks of a symbol: those with source SM1, and in older logs those of listed symbols."""
    found: SimulatedTicks = []
    for minute in log.minutes:
        if minute.symbol != symbol:
            continue
        commit = epochs.newest_commit_before(minute.placed.index)
        is_listed = commit is not None and symbol in commit.instruments
        for tick in minute.ticks:
            named = sources.named(symbol, tick.time)
            if named == MODEL or (named is None and is_listed):
                found.append((minute.placed, tick))
    return found


def _check_simulated(log: Log, sources: Sources, epochs: Epochs, symbol: str, placed: Placed, tick: Tick) -> None:
    epoch = epochs.holding(tick.time)
    is_listed = epoch is not None and symbol in epoch.instruments
    if epoch is None or (not is_listed and sources.named(symbol, tick.time) == MODEL):
        log.report.fault("epochs", placed, f"the price at {tick.time} lies outside every epoch that lists {symbol}")
    elif symbol in epoch.walks:
        t, rest = divmod(tick.time - epoch.start, TICK_MS)
        if rest != 0 or epoch.walks[symbol].mids[t] != tick.price:
            log.report.fault("epochs", placed, f"the seed makes another price at {tick.time}")


def _check_unrevealed(log: Log, simulated: Mapping[str, SimulatedTicks], epoch: Epoch) -> None:
    ends = [ticks[-1][1].time for symbol, ticks in simulated.items() if ticks and symbol in epoch.instruments]
    told = log.first_told_after(epoch.end)
    if any(time >= epoch.end for time in ends) or (told is not None and log.is_past(told + 60_000)):
        log.report.fault("epochs", epoch.opening, "the seed is not revealed")


def _check_missing(log: Log, sources: Sources, ticks: SimulatedTicks, epoch: Epoch, symbol: str) -> None:
    logged_until = max((minute.time + MINUTE_MS for minute in log.minutes if minute.symbol == symbol), default=0)
    if logged_until < epoch.end:
        return
    published = {tick.time for _, tick in ticks}
    for t, mid in enumerate(epoch.walks[symbol].mids):
        time = epoch.start + t * TICK_MS
        if mid is not None and time not in published and _is_expected(sources, symbol, time, published):
            log.report.fault("epochs", epoch.reveal, f"the price of {symbol} at {time} is missing")
            return


def _is_expected(sources: Sources, symbol: str, time: int, published: set[int]) -> bool:
    """Returns whether a simulated price must exist: not under another source, nor just before one takes over."""
    if sources.named(symbol, time) not in (None, MODEL):
        return False
    following = next((word for word in sources.words.get(symbol, []) if word.since > time), None)
    if following is None or following.source == MODEL:
        return True
    return any(time < each < following.since for each in published)


def _check_turns(log: Log, epochs: Epochs) -> None:
    """Checks who makes the mixes: see *Turn and mix* on the page."""
    if not log.keys.witnesses:
        return
    in_order = sorted(epochs.by_number.values(), key=lambda epoch: epoch.commit.index)
    pinned = {key.line: key for key in log.keys.witnesses}
    named = [epoch.commit.get("witness") for epoch in in_order]
    signed = [
        place
        for place, (epoch, line) in enumerate(zip(in_order, named))
        if line in pinned and epoch.mix is not None and epoch.mix.kind == "signature"
    ]
    for place, (epoch, line) in enumerate(zip(in_order, named)):
        is_after = bool(signed) and place > signed[0]
        is_between = is_after and place < signed[-1]
        if line is None:
            _judge(log, epoch, is_after, "nobody is named to make the mix")
        elif line not in pinned:
            _judge(log, epoch, is_between, "a witness that is not pinned is named to make the mix")
        elif epoch.mix is not None and epoch.mix.kind != "signature" and pinned[line] in log.counted.cosigners:
            is_first = not any(place_signed < place for place_signed in signed) and len(epochs.opened) <= 6
            _judge(log, epoch, not is_first and _had_signed(log, epoch), "the witness was there and made no mix")


def _judge(log: Log, epoch: Epoch, is_fault: bool, why: str) -> None:
    (log.report.fault if is_fault else log.report.note)("epochs", epoch.commit, why)


def _had_signed(log: Log, epoch: Epoch) -> bool:
    """Returns whether the witness was there. Orders are only accepted once the witness has cosigned the commit."""
    accepted = [
        batch.accepted_at
        for placed, batch in log.batches.values()
        if placed.index > epoch.commit.index and batch.accepted_at < epoch.start - 45_000
    ]
    if accepted and max(accepted) - min(accepted) > 60_000:
        return True
    return epoch.commit.latest is not None and epoch.start - epoch.commit.latest < 300_000


# --- Examining a log: orders ------------------------------------------------------------------------------------------


def check_acceptances(log: Log) -> None:
    """Checks that every batch is logged only once, and in time."""
    for placed in log.by_kind["orders.accept"]:
        if log.batches[placed["batch"]][0] is not placed:
            log.report.fault("acceptances", placed, "a batch number stands twice")
        if placed.is_later_than(placed["acceptedAt"] + 30_000):
            log.report.fault("acceptances", placed, "the batch was logged late")


@dataclass(frozen=True)
class Settled:
    """A settled order, with its `orders.settle` entry."""

    placed: Placed
    value: Mapping[str, Any]

    @property
    def is_open(self) -> bool:
        """Returns whether the order was not sealed."""
        return self.value.get("seal") is None


class Settlements:
    """All settlements of a log, each decided again."""

    def __init__(self, log: Log, sources: Sources) -> None:
        self.log = log
        self.sources = sources
        self.by_place: dict[tuple[int, int], Settled] = {}
        for placed in log.by_kind["orders.settle"]:
            if placed.is_later_than(placed["settledAt"] + 30_000):
                log.report.fault("settlements", placed, "the settlements were logged late")
            for value in placed["orders"]:
                log.report.settlements += 1
                try:
                    self._take(Settled(placed, value))
                except Refused as refused:
                    where = f"batch {value['batch']}, place {value['place']}"
                    log.report.fault("settlements", placed, f"{where}: {refused}")
        self._check_unsettled()

    def _take(self, settled: Settled) -> None:
        value, at = settled.value, (settled.value["batch"], settled.value["place"])
        found = self.log.batches.get(value["batch"])
        if found is None:
            raise Refused("an order of no batch")
        placed, batch = found
        require(value["place"] < len(batch.orders), "an order of a place that the batch has not")
        require(value["acceptedAt"] == batch.accepted_at, "an order of another acceptedAt")
        require(at not in self.by_place, "an order is settled twice")
        self.by_place[at] = settled
        require(placed.entry.version == settled.placed.entry.version, "a settlement of another version than its batch")
        terms = settled_terms(value)
        if batch.entry.version == 2:
            check_opening(value, batch.orders[value["place"]])
        self._decide_again(settled, terms)

    def _decide_again(self, settled: Settled, terms: Terms) -> None:
        value, log = settled.value, self.log
        config = log.config_at(value["acceptedAt"])
        trading = None if config is None else config.instruments.get(terms.symbol)
        if trading is None:
            raise Refused("no configuration in force has the instrument")
        row = log.rows.get(terms.symbol, TickRow([]))
        is_silent_after = lambda end: log.is_past(end + SILENCE_MS)
        decision = decide(terms, value["acceptedAt"], trading.stale_exit_ms, row, is_silent_after)
        if decision is None:
            log.report.waiting += 1
            return
        made = (decision.outcome, decision.void_reason, _seq(decision.entry), _seq(decision.exit))
        given = (value["outcome"], value["voidReason"], value["entrySeq"], value["exitSeq"])
        require(made == given, f"deciding it again gives {made}")
        if decision.outcome == "unrevealed":
            is_due = settled.placed["settledAt"] >= decision.decided_by + REVEAL_WITHIN_MS
            require(is_due, "unrevealed before it had to be revealed")
            self._check_boards(settled, decision.decided_by + REVEAL_WITHIN_MS)
        self._check_punctual(settled, decision)
        self._check_stretch(settled, decision, row, trading.stale_exit_ms)

    def _check_stretch(self, settled: Settled, decision: Decision, row: TickRow, stale_exit_ms: int) -> None:
        """Refuses an order that was voided because an outside price was missing, unless an incident explains it."""
        if decision.void_reason in (None, "LIMIT_PASSED") or not self.log.is_bound(settled.placed.index):
            return
        symbol = settled.value["symbol"]
        last = decision.exit or decision.entry or row.last_until(settled.value["acceptedAt"])
        following = None if last is None else row.first_after(last.time)
        if last is None or following is None or following.time - last.time <= min(stale_exit_ms, ENTRY_WINDOW_MS):
            return
        named = [self.sources.named(symbol, tick.time) for tick in (last, following)]
        by = following.time + MINUTE_MS
        if None in named or MODEL in named or not self.log.is_past(by):
            return
        why = f"voided for {following.time - last.time} ms without a price, and no incident says why"
        require(self.log.is_explained(symbol, last.time, following.time, by), why)

    def _check_boards(self, settled: Settled, reveal_by: int) -> None:
        """Refuses an unrevealed order if its reveal was on a witness's board in time."""
        for reveal in self._posted(settled):
            is_in_time = reveal.at < reveal_by and reveal.at + BOARD_GRACE_MS <= settled.placed["settledAt"]
            why = f"unrevealed, and the board of {reveal.witness} has its reveal since {reveal.at}"
            require(not is_in_time, why)

    def _posted(self, settled: Settled) -> list[BoardReveal]:
        """Returns the reveals of this order on witnesses' boards."""
        value = settled.value
        return [
            reveal
            for reveal in self.log.reveals
            if (reveal.posting["batch"], reveal.posting["place"]) == (value["batch"], value["place"])
            and reveal.seal.hex() == value.get("seal")
        ]

    def _check_punctual(self, settled: Settled, decision: Decision) -> None:
        """Refuses a settlement that came late, unless an incident explains it."""
        placed, due = settled.placed, decision.decided_by
        if decision.outcome == "unrevealed":
            due += REVEAL_WITHIN_MS
        elif decision.entry is not None:
            told = settled.value.get("revealedAt")
            if told is not None:
                # What a board had, the house knew a minute later.
                due = max(due, min([told, *(reveal.at + BOARD_GRACE_MS for reveal in self._posted(settled))]))
        if placed["settledAt"] <= due + SETTLE_WITHIN_MS or not self.log.is_bound(placed.index):
            return
        due = self.log.due_after_pauses(due, placed.index, ("house", "prices", "settlement"), SETTLE_WITHIN_MS)
        require(placed["settledAt"] <= due + SETTLE_WITHIN_MS, "settled late, and no incident says why")

    def _check_unsettled(self) -> None:
        for placed, batch in self.log.batches.values():
            if not self.log.is_past(batch.accepted_at + SETTLED_WITHIN_MS):
                continue
            settled = [each for place in range(len(batch.orders)) if (each := self._of(batch, place)) is not None]
            open_ones = sum(each.is_open for each in settled)
            is_all_due = batch.entry.version == 1 or self.log.is_past(
                batch.accepted_at + SETTLED_WITHIN_MS + REVEAL_WITHIN_MS
            )
            if open_ones < (batch.entry.get("open") or 0) or (is_all_due and len(settled) < len(batch.orders)):
                self.log.report.fault("settlements", placed, "orders of the batch are not settled")

    def _of(self, batch: Batch, place: int) -> Settled | None:
        return self.by_place.get((batch.number, place))


def _seq(tick: Tick | None) -> int | None:
    return None if tick is None else tick.seq


def settled_terms(value: Mapping[str, Any]) -> Terms:
    """Returns the terms of a settled order, as they are in the log."""
    return Terms(value["symbol"], value["duration"], value["direction"], value["limitPrice"], value.get("seal"))


def check_opening(value: Mapping[str, Any], commitment: bytes) -> None:
    """Refuses a settlement whose opening does not lead to the commitment or does not open the seal."""
    terms = settled_terms(value)
    if value["sealNonce"] is not None and terms.direction is not None:
        made = seal_of(bytes.fromhex(value["sealNonce"]), terms.direction, terms.limit_price)
        require(made.hex() == terms.seal, "the seal opens to something else")
    made = commitment_of(terms_hash(bytes.fromhex(value["nonce"]), terms_json(terms)), bytes.fromhex(value["own"]))
    require(made == commitment, "the opening makes another commitment")


@dataclass(frozen=True)
class LoggedSlot:
    """A slot of a `heads` entry, with the range of tick numbers of each symbol."""

    k: int
    placed: Placed
    hash: bytes
    bound: int
    ticks: Mapping[str, range]


class Heads:
    """The slots of a log, each recomputed from the batches and prices that it names."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.slots: list[LoggedSlot] = []
        self._named_until: dict[str, int] = {}
        self._first_named: dict[str, int] = {}
        self._slot_of_tick: dict[tuple[str, int], int] = {}
        # The slot that binds each batch, and the time of each symbol's newest tick in the slots before it. A batch is
        # left out while prices of its slot or of an earlier one are not in the log.
        self._public: dict[int, tuple[int, Mapping[str, int]]] = {}
        for placed in log.by_kind["heads"]:
            self._take(placed)
        self._by_seq = {
            symbol: {tick.seq: tick for tick in ticks} for symbol, ticks in log.ticks.items()
        }

    def _fault(self, placed: Placed | None, why: str) -> None:
        self.log.report.fault("heads", placed, why)

    def _take(self, placed: Placed) -> None:
        expected = self.slots[-1].k + 1 if self.slots else 1
        if placed["from"] != expected:
            self._fault(placed, "the numbers of heads do not go on")
        numbers = dict(placed["ticks"])
        upto = {symbol: counts[0] for symbol, counts in numbers.items()}
        for symbol, first in upto.items():
            if first != self._named_until.get(symbol, first):
                self._fault(placed, f"the ticks of {symbol} do not follow those named before")
            self._first_named.setdefault(symbol, first)
        for place, (hash, bound) in enumerate(zip(placed["heads"], placed["batches"])):
            ticks = {}
            for symbol, counts in numbers.items():
                ticks[symbol] = range(upto[symbol], upto[symbol] + counts[place + 1])
                upto[symbol] = ticks[symbol].stop
            slot = LoggedSlot(placed["from"] + place, placed, bytes.fromhex(hash), bound, ticks)
            self.slots.append(slot)
            self._slot_of_tick.update({(symbol, seq): slot.k for symbol, seqs in ticks.items() for seq in seqs})
        self._named_until.update(upto)

    def check(self, settlements: Settlements) -> None:
        """Examines all heads."""
        self._check_made()
        self._check_bound(settlements)
        self._check_named()
        for placed in self.log.by_kind["heads"]:
            time = placed.get("time")
            if time is not None and not self.log.is_past_or_cosigned(time - 120_001):
                self._fault(placed, "its time lies ahead of the log")

    def _check_made(self) -> None:
        previous, bound = bytes(32), 0
        newest: dict[str, int] = {}
        withheld: set[int] = set()
        for slot in self.slots:
            numbers = [number for number in sorted(self.log.batches) if bound < number <= slot.bound]
            lines = self._lines(slot)
            if slot.bound < bound:
                self._fault(slot.placed, "a head binds an older batch than the one before")
            if lines is None:
                withheld.add(slot.placed.index)
            elif slot_head(previous, (self.log.batches[number][1].root for number in numbers), lines) != slot.hash:
                self._fault(slot.placed, f"the head of slot {slot.k} is made of other things")
            public = (slot.k, dict(newest))
            for number in numbers:
                if self.log.batches[number][0].index > slot.placed.index:
                    self._fault(self.log.batches[number][0], "the batch stands behind a head that binds it")
                if not withheld:
                    self._check_moment(number, max(newest.values(), default=0))
                    self._public[number] = public
            for symbol, time in self._times(slot):
                newest[symbol] = max(newest.get(symbol, 0), time)
            previous, bound = slot.hash, max(bound, slot.bound)
        for placed in self.log.by_kind["heads"]:
            if placed.index in withheld and self._are_prices_due(placed):
                self._fault(placed, "prices that the heads name are not there")

    def _check_moment(self, number: int, newest: int) -> None:
        """Checks that a batch is not post-dated: some head before the binding one has a price at most 2,000 ms older."""
        placed, batch = self.log.batches[number]
        has_orders = batch.entry.version == 2 and len(batch.orders) > 0
        if has_orders and 0 < newest < batch.accepted_at - 2_000:
            self._fault(placed, "its moment is later than any price that was public when it was bound")

    def _check_own_moment(self, settled: Settled) -> None:
        """Checks that an order is not post-dated by its own symbol's prices. Another symbol's source may sign nothing."""
        value = settled.value
        public = self._public.get(value["batch"])
        if public is None or settled.placed.entry.version != 2:
            return
        k, newest = public
        time = newest.get(value["symbol"])
        where = f"order {value['batch']}/{value['place']}"
        if time is None:
            self._fault(settled.placed, f"{where}: no head before {k}, which binds it, has a price of {value['symbol']}")
        elif value["acceptedAt"] > time + 2_000:
            late = f"{value['acceptedAt'] - time} ms after the newest price of {value['symbol']} before head {k}"
            self._fault(settled.placed, f"{where} was accepted {late}")

    def _times(self, slot: LoggedSlot) -> list[tuple[str, int]]:
        """Returns the symbols and times of the slot's ticks that are in the log."""
        held = ((symbol, self._by_seq.get(symbol, {}), seqs) for symbol, seqs in slot.ticks.items())
        return [(symbol, ticks[seq].time) for symbol, ticks, seqs in held for seq in seqs if seq in ticks]

    def _lines(self, slot: LoggedSlot) -> str | None:
        """Returns the lines of a slot's ticks; None if one is not in the log."""
        lines = []
        for symbol in sorted(slot.ticks):
            held = self._by_seq.get(symbol, {})
            for seq in slot.ticks[symbol]:
                if seq not in held:
                    return None
                lines.append(f"{symbol},{held[seq].line}")
        return "\n".join(lines)

    def _are_prices_due(self, placed: Placed) -> bool:
        time = placed.get("time")
        if time is not None:
            return self.log.is_past_or_cosigned(time + 30_000)
        told = self.log.first_told_behind(placed.index)
        return told is not None and self.log.is_past_or_cosigned(told + SILENCE_MS)

    def _check_bound(self, settlements: Settlements) -> None:
        """Checks that each batch is bound in time, and not after its orders' entry ticks."""
        bounds = [slot.bound for slot in self.slots]
        bound_in: dict[int, int] = {}
        for number, (placed, batch) in self.log.batches.items():
            place = bisect_left(bounds, number)
            if place < len(self.slots):
                bound_in[number] = self.slots[place].k
            elif self.log.newest_tick is not None and self.log.newest_tick > batch.accepted_at + 10_000:
                self._fault(placed, "no head binds the batch")
        for (number, _place), settled in settlements.by_place.items():
            self._check_own_moment(settled)
            entry_slot = self._slot_of_tick.get((settled.value["symbol"], settled.value["entrySeq"]))
            if entry_slot is not None and number in bound_in and entry_slot < bound_in[number]:
                self._fault(settled.placed, "the entry tick stands in a head before the one that binds the batch")

    def _check_named(self) -> None:
        for minute in self.log.minutes:
            if any((minute.symbol, tick.seq) not in self._slot_of_tick for tick in minute.ticks):
                self._fault(minute.placed, "a tick that no head names")


# --- Examining a log: other entries -----------------------------------------------------------------------------------


def check_configurations(log: Log) -> None:
    """Checks that versions rise by one and are logged before they apply, and that batches name those in force."""
    _check_versions(log, log.by_kind["config"], is_first_free=False)
    policies: defaultdict[str, list[Placed]] = defaultdict(list)
    for placed in log.by_kind["policy"]:
        policies[placed["name"]].append(placed)
        try:
            log.read_versioned(f"policy/{placed['name']}/{placed['version']}", placed)
        except Refused as refused:
            log.report.fault("configurations", placed, str(refused))
    for versions in policies.values():
        _check_versions(log, versions, is_first_free=True)
    _check_named_configurations(log)


def _check_versions(log: Log, versions: Sequence[Placed], is_first_free: bool) -> None:
    for place, placed in enumerate(versions):
        if placed["version"] != (versions[place - 1]["version"] + 1 if place > 0 else 1):
            log.report.fault("configurations", placed, "the versions do not go on by one")
        if placed.is_later_than(placed["effectiveAt"]) and not (is_first_free and place == 0):
            log.report.fault("configurations", placed, "the version binds what was before it")


def _check_named_configurations(log: Log) -> None:
    is_named = False
    for placed in log.by_kind["orders.accept"]:
        named = placed.get("config")
        if named is None:
            if is_named:
                log.report.fault("configurations", placed, "a batch names no configuration any more")
            continue
        is_named = True
        in_force = log.config_at(placed["acceptedAt"])
        if in_force is None or named != in_force.version:
            log.report.fault("configurations", placed, "a batch names another configuration than the one in force")


def check_cards(log: Log) -> None:
    versions: dict[str, int] = {}
    for placed in log.by_kind["card"]:
        if placed["version"] != versions.get(placed["card"], 0) + 1:
            log.report.fault("cards", placed, "the versions do not go on by one")
        versions[placed["card"]] = placed["version"]


def check_approvals(log: Log) -> None:
    seen: set[str] = set()
    for placed in log.by_kind["approval"]:
        if placed["hash"] in seen:
            log.report.fault("approvals", placed, "a hash stands twice")
        seen.add(placed["hash"])
        if placed.is_later_than(placed["at"] + 30_000):
            log.report.fault("approvals", placed, "the approval was logged late")


def check_liabilities(log: Log) -> None:
    seen: set[tuple[int, str]] = set()
    for placed in log.by_kind["liabilities"]:
        day = (placed["day"], placed["wallet"])
        if day in seen:
            log.report.fault("liabilities", placed, "a day of a wallet stands twice")
        seen.add(day)
        if placed["at"] // DAY_MS != placed["day"]:
            log.report.fault("liabilities", placed, "it was read on another day")


def check_incidents(log: Log) -> None:
    if not log.by_kind["incident"] and not log.by_kind["release"]:
        log.report.note("incidents", None, "the log names no release: what came late in it is not found fault with")
    for placed in log.by_kind["incident"]:
        log.report.note("incidents", placed, f"{placed['part']} stood still from {placed['from']} to {placed['to']}")
        if placed.is_later_than(placed["at"] + 30_000):
            log.report.fault("incidents", placed, "the incident was logged late")


def check_releases(log: Log) -> None:
    for placed in log.by_kind["release"]:
        log.report.note("releases", placed, f"since {placed['at']} the app {placed['app']} is served")
        if placed.is_later_than(placed["at"] + 30_000):
            log.report.fault("releases", placed, "the release was logged late")


# --- Examining a log: the whole ---------------------------------------------------------------------------------------


def verify_log(
    files: LogFiles,
    keys: Keys,
    now: int | None,
    earlier: str | None = None,
    boards: Sequence[str] = (),
) -> Report:
    """Verifies a log from its first entry on.

    `now` is the reader's clock in milliseconds, None for a copy, whose age is not checked; `earlier` is a checkpoint
    that was kept; `boards` are the lines of witnesses' boards.
    """
    report = Report()
    keys = keys.with_rotations(_read_rotations(files))
    try:
        note = files.read("checkpoint")
        counted = count_checkpoint(from_utf8(note or b""), keys)
        before = None if earlier is None else count_checkpoint(earlier, keys).checkpoint
    except Refused as refused:
        report.fault("checkpoint", None, str(refused))
        return report
    _check_age(report, counted, keys, now)
    log = Log(files, counted, keys, report)
    log.reveals = [each for line in boards if (each := BoardReveal.parse(line, keys.witnesses)) is not None]
    try:
        _read_tree(log, before)
    except Refused as refused:
        report.fault("tree", None, str(refused))
        return report
    _check_all(log)
    return report


def read_removals(files: LogFiles, keys: Keys) -> Removals:
    """Reads from the newest checkpoint's tree which devices were removed. Raises `NothingExamined` if it does not count."""
    try:
        checkpoint = count_checkpoint(from_utf8(files.read("checkpoint") or b""), keys).checkpoint
        entries = list(read_entries(files, checkpoint.size))
        require(root_of_entries(entries) == checkpoint.root, "the entries do not hash to the root")
    except Refused as refused:
        raise NothingExamined(f"the log's newest checkpoint does not count: {refused}") from refused
    return Removals(checkpoint.size, find_removals(entries))


def _read_rotations(files: LogFiles) -> list[Mapping[str, str]]:
    raw = files.read("rotations")
    if raw is None:
        return []
    try:
        rotations = parse_json(from_utf8(raw))
        list_of(fields({"entry": text, "proof": text}))(rotations, "rotations")
    except Refused as refused:
        raise NothingExamined(f"the rotations are malformed: {refused}") from refused
    return rotations


def _check_age(report: Report, counted: CountedCheckpoint, keys: Keys, now: int | None) -> None:
    if counted.time is None:
        report.note("checkpoint", None, "no witness is pinned: nobody says how new the log is")
    elif now is not None and now > counted.time + STANDING_STILL_MS:
        report.fault("checkpoint", None, f"the log has stood still since {counted.time}")
    elif now is not None and counted.time > now + STANDING_STILL_MS:
        report.note("checkpoint", None, "the checkpoint's time lies in the future")


def _read_tree(log: Log, before: Checkpoint | None) -> None:
    checkpoint = log.counted.checkpoint
    for index, raw in enumerate(read_entries(log.files, checkpoint.size)):
        log.add(index, raw)
    require(log.root_at(checkpoint.size) == checkpoint.root, "the entries do not hash to the root")
    if before is not None:
        require(before.size <= checkpoint.size, "the log is shorter than it was")
        require(log.root_at(before.size) == before.root, "the earlier tree does not stand at the front")


def _check_all(log: Log) -> None:
    sources = Sources(log)
    check_prices(log)
    check_sources(log, sources)
    check_quotes(log, sources)
    check_epochs(log, sources, Epochs(log))
    check_acceptances(log)
    Heads(log).check(Settlements(log, sources))
    check_cards(log)
    check_approvals(log)
    check_liabilities(log)
    check_incidents(log)
    check_releases(log)
    check_configurations(log)


# --- The test vectors -------------------------------------------------------------------------------------------------

Compared = Iterator[tuple[str, Any, Any]]
"""Comparisons: a name, this implementation's value, and the vectors' value."""


def _is_taken(read: Callable[[], Any]) -> bool:
    try:
        read()
    except Refused:
        return False
    return True


def _vectors_of_texts(vectors: Mapping[str, Any], parse: Callable[[str], Any]) -> Compared:
    for is_right in (True, False):
        for content in vectors["accepted" if is_right else "refused"]:
            yield content, _is_taken(lambda: parse(content)), is_right


def _vectors_of_trees(vectors: Mapping[str, Any]) -> Compared:
    entries, size = list(map(bytes.fromhex, vectors["entries"])), vectors["size"]
    roots = list(map(bytes.fromhex, vectors["roots"]))
    for count, root in enumerate(roots):
        yield f"root of {count}", root_of_entries(entries[:count]), root
    for proof in vectors["inclusion"]:
        path = list(map(bytes.fromhex, proof["path"]))
        made = root_of_path(leaf_hash(entries[proof["index"]]), proof["index"], size, path)
        yield f"path of {proof['index']}", made, roots[size]
    for proof in vectors["consistency"]:
        path, old = list(map(bytes.fromhex, proof["path"])), proof["from"]
        yield f"growth from {old}", is_consistent(old, roots[old], size, roots[size], path), True
        yield f"growth from another {old}", is_consistent(old, roots[old - 1], size, roots[size], path), False


def _vectors_of_checkpoints(vectors: Mapping[str, Any]) -> Compared:
    keys = Keys.parse("\n".join(vectors["keys"]))
    for each in vectors["checkpoints"]:
        counts = _is_taken(lambda: count_checkpoint(each["note"], keys))
        yield each["what"], counts, each["counts"]
        if counts:
            yield f"time of one {each['what']}", count_checkpoint(each["note"], keys).time, each["time"]


def _vectors_of_orders(vectors: Mapping[str, Any]) -> Compared:
    order, former = vectors["order"], vectors["formerOrder"]
    terms = terms_hash(bytes.fromhex(order["nonce"]), order["terms"])
    own = own_hash(bytes.fromhex(order["ownNonce"]), order["own"])
    yield "commitment", commitment_of(terms, own).hex(), order["commitment"]
    yield "refusal", refusal_of(terms, own).hex(), order["refusal"]
    yield "former", former_commitment(bytes.fromhex(former["nonce"]), former["order"]).hex(), former["commitment"]
    for seal in vectors["seals"]:
        made = seal_of(bytes.fromhex(seal["nonce"]), seal["direction"], seal["limitPrice"])
        yield f"seal of {seal['direction']}", made.hex(), seal["seal"]
    for batch in vectors["batches"]:
        tree_root = root_of_entries(map(bytes.fromhex, batch["commitments"]))
        root = batch_root(batch["v"], batch["batch"], batch["acceptedAt"], batch["orders"], tree_root)
        yield f"batch {batch['batch']}", root.hex(), batch["root"]
    for slot in vectors["slots"]:
        made = slot_head(bytes.fromhex(slot["previous"]), map(bytes.fromhex, slot["roots"]), slot["lines"])
        yield "slot", made.hex(), slot["hash"]


def _vectors_of_decisions(vectors: Mapping[str, Any]) -> Compared:
    row = TickRow([_parse_tick(line) for line in vectors["ticks"].split("\n")])
    for order in vectors["orders"]:
        terms = Terms("EURUSD", order["duration"], order["direction"], order["limitPrice"])
        decision = decide(terms, order["acceptedAt"], vectors["staleExitMs"], row, lambda _end: False)
        made = decision and {
            "outcome": decision.outcome,
            "voidReason": decision.void_reason,
            "entrySeq": _seq(decision.entry),
            "exitSeq": _seq(decision.exit),
        }
        what = f"{order['direction']} at {order['acceptedAt']} for {order['duration']} s"
        yield what, made, order["decided"]


def _vectors_of_walks(vectors: Mapping[str, Any]) -> Compared:
    params, e, seed = Entry.parse(vectors["params"]), vectors["e"], bytes.fromhex(vectors["seed"])
    mix = mix_of(bytes.fromhex(vectors["source"]))
    yield "commit", epoch_commit(e, seed, params.hash).hex(), vectors["commit"]
    yield "mix", mix.hex(), vectors["mix"]
    for each in vectors["walks"]:
        instrument = Instrument.all_of(params)[each["symbol"]]
        made = walk(epoch_key(e, seed, mix), e, instrument, WalkPlace.parse(each["from"]))
        yield f"start of {each['symbol']}", instrument.start, WalkPlace.parse(each["from"])
        yield f"prices of {each['symbol']}", [[t, made.mids[t]] for t, _ in each["prices"]], each["prices"]
        yield f"digest of {each['symbol']}", made.digest, each["digest"]
        yield f"end of {each['symbol']}", made.end, WalkPlace.parse(each["end"])


def _vectors_of_quotes(vectors: Mapping[str, Any]) -> Compared:
    named = vectors["guardians"]
    addresses = tuple(map(bytes.fromhex, named["guardians"]))
    guardians = Guardians(named["set"], named["quorum"], addresses, named["chain"], bytes.fromhex(named["emitter"]))
    quote = Quote(*(from_base64(vectors[name]) for name in ("vaa", "message", "branch")))
    yield "root", root_of_vaa(quote.vaa, guardians).hex(), vectors["root"]
    yield "branch", _is_taken(lambda: quote.check_signed(guardians)), True
    yield "hash", quote.hash, vectors["hash"]
    yield "points", SignedPrice.parse(quote.message).points(vectors["digits"]), vectors["points"]


def _vectors_of_due(vectors: Mapping[str, Any]) -> Compared:
    for each in vectors["orders"]:
        given = [each[name] for name in ("acceptedAt", "duration", "sealed", "revealedAt", "settledAt", "logAt")]
        yield f"due of {each['what']}", receipt_due(*given), each["due"]
    yield "how long it may be incomplete", INCOMPLETE_MS, vectors["incompleteMs"]


def _vectors_of_devices(vectors: Mapping[str, Any]) -> Compared:
    device = vectors["device"]
    key = from_base64(device["key"].replace("-", "+").replace("_", "/") + "=" * (-len(device["key"]) % 4))
    made = device_hash(bytes.fromhex(device["nonce"]), device["device"], key, device["member"])
    yield "hash of the device", made.hex(), device["hash"]
    for each in vectors["orders"]:
        removed_at = find_removals(map(utf8, each["entries"])).get(device["hash"])
        yield f"removal before {each['what']}", removed_at, each["removedAt"]
        yield each["what"], not is_after_removal(each["acceptedAt"], removed_at), each["holds"]
    yield "how long it may be accepted after the removal", REMOVED_WITHIN_MS, vectors["removedWithinMs"]


def _vectors_of_rounds(vectors: Mapping[str, Any]) -> Compared:
    for each in vectors["rounds"]:
        made = round_holds(*(bytes.fromhex(each[name]) for name in ("key", "signature")), each["round"])
        yield f"round {each['round']}: {each['what']}", made, each["holds"]
    for each in vectors["windows"]:
        key, signature = (bytes.fromhex(each[name]) for name in ("instrumentKey", "signature"))
        yield "window", window_key(key, each["round"], signature).hex(), each["window"]
    params, opening, reveal = (Entry.parse(vectors["epoch"][name]) for name in ("params", "open", "reveal"))
    rounds = EpochRounds.of(params, opening, reveal)
    assert rounds is not None
    yield "the epoch's rounds", rounds_hold(rounds.key, rounds.all), True
    key = epoch_key(reveal["e"], bytes.fromhex(reveal["seed"]), bytes.fromhex(opening["mix"]))
    for symbol, instrument in Instrument.all_of(params).items():
        made = walk(key, reveal["e"], instrument, WalkPlace.parse(reveal["from"][symbol]), rounds)
        yield f"digest of {symbol}", made.digest, reveal["digest"][symbol]
        yield f"prices of {symbol}", [[t, made.mids[t]] for t, _ in vectors["epoch"]["mids"]], vectors["epoch"]["mids"]


VECTORS: dict[str, Callable[[Any], Compared]] = {
    "beacon": _vectors_of_rounds,
    "canonical-json": lambda vectors: _vectors_of_texts(vectors, parse_canonical),
    "checkpoints": _vectors_of_checkpoints,
    "deciding": _vectors_of_decisions,
    "devices": _vectors_of_devices,
    "due": _vectors_of_due,
    "entries": lambda vectors: _vectors_of_texts(vectors, Entry.parse),
    "merkle": _vectors_of_trees,
    "orders": _vectors_of_orders,
    "signed-quotes": _vectors_of_quotes,
    "simulated-market": _vectors_of_walks,
}


def run_vectors(arguments: argparse.Namespace) -> str:
    """Compares this implementation with the vectors of docs/vectors."""
    compared = wrong = 0
    for name, vectors_of in VECTORS.items():
        vectors = parse_json((Path(arguments.folder) / f"{name}.json").read_text())
        for what, made, expected in vectors_of(vectors):
            compared += 1
            if made != expected:
                wrong += 1
                print(f"{name}: {what}: {made} in place of {expected}")
    print(f"{compared} vectors, {wrong} of them wrong")
    return "failed" if wrong else "ok"


# --- The command line -------------------------------------------------------------------------------------------------

EXIT_CODES = {"ok": 0, "failed": 1, "pending": 2, "unread": 3}
VERDICTS = {"ok": "VERIFIED", "failed": "NOT VERIFIED", "pending": "not in the log yet", "unread": "not examined"}
# The worst of several receipts decides the exit code.
WORST_FIRST = ("failed", "unread", "pending", "ok")


def read_keys(path: str) -> Keys:
    try:
        return Keys.parse(Path(path).read_text())
    except (OSError, ValueError, Refused) as error:
        raise NothingExamined(f"{path}: {error}") from error


def is_address(location: str) -> bool:
    return re.match("https?://", location) is not None


def open_log(location: str) -> LogFiles:
    return Address(location) if is_address(location) else Folder(Path(location))


def run_receipts(arguments: argparse.Namespace) -> str:
    """Verifies receipts and prints the result of each check."""
    keys, removals = read_keys(arguments.keys), None
    if arguments.log is not None:
        files = open_log(arguments.log)
        keys = keys.with_rotations(_read_rotations(files))
        removals = read_removals(files, keys)
    states = []
    for path in arguments.receipts:
        checks, state, why = _run_receipt(path, keys, removals)
        states.append(state)
        if arguments.json:
            named = {check.name: check.state for check in checks}
            print(json.dumps({"receipt": path, "state": state, "why": why, "checks": named}))
            continue
        print(path)
        for check in checks:
            print(f"{check.state:8}{check.name}" + (f" ({check.why})" if check.why else ""))
        print(VERDICTS[state] + (f": {why}" if why else ""))
    return next(state for state in WORST_FIRST if state in states)


def _run_receipt(path: str, keys: Keys, removals: Removals | None) -> tuple[list[CheckState], str, str]:
    try:
        checks = verify_receipt(Path(path).read_text(), keys, removals)
    except (OSError, ValueError, NothingExamined) as error:
        return [], "unread", str(error)
    return checks, overall_state(checks), ""


def run_log(arguments: argparse.Namespace) -> str:
    """Verifies a log that is served, or a copy of one, and prints the findings."""
    keys = read_keys(arguments.keys)
    is_served = is_address(arguments.log)
    files = open_log(arguments.log)
    earlier = None if arguments.since is None else Path(arguments.since).read_text()
    boards = [line for board in arguments.board for line in read_board(board)]
    report = verify_log(files, keys, int(time.time() * 1000) if is_served else None, earlier, boards)
    for word, findings in (("note", report.notes), ("fault", report.faults)):
        for finding in findings:
            at = "" if finding.index is None else f" at entry {finding.index}"
            print(f"{word:8}{finding.check}{at}: {finding.why}")
    print(f"decided {report.settlements - report.waiting} settlements again; {report.waiting} wait for prices")
    is_waiting = report.state == "pending"
    print("VERIFIED but for the settlements that wait" if is_waiting else VERDICTS[report.state])
    return report.state


BOARD_PAGE_LINES = 200
BOARD_PAGE_BYTES_MAX = 4_000_000
# A board with more lines than these pages hold never ends.
BOARD_PAGES_MAX = 500


def lines_of(text: str) -> list[str]:
    """Returns the lines of a board. Only a line feed ends one: a text in it may hold any other character."""
    return text.removesuffix("\n").split("\n") if text else []


def read_board(location: str) -> list[str]:
    """Reads the lines of a witness's board, from the witness's address or from a file."""
    if not is_address(location):
        return lines_of(Path(location).read_text())
    lines: list[str] = []
    for _ in range(BOARD_PAGES_MAX):
        content = Address(location).read(f"board/{len(lines)}", BOARD_PAGE_BYTES_MAX)
        if content is None:
            raise NothingExamined(f"{location} has no board")
        page = lines_of(content.decode(errors="replace"))
        if len(page) > BOARD_PAGE_LINES:
            raise NothingExamined(f"{location} gives more than {BOARD_PAGE_LINES} lines of its board at once")
        lines += page
        if len(page) < BOARD_PAGE_LINES:
            return lines
    raise NothingExamined(f"the board at {location} does not end after {len(lines)} lines")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Verifies Fairtick's public log and the receipts of its orders.")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(required=True)
    keys = argparse.ArgumentParser(add_help=False)
    keys.add_argument("--keys", default="fairtick.keys", help="the pinned keys; fairtick.keys unless told")
    receipts = commands.add_parser("verify-receipt", parents=[keys], help="verifies one or more receipts")
    receipts.add_argument("receipts", nargs="+", metavar="RECEIPT")
    receipts.add_argument("--log", metavar="ADDRESS_OR_FOLDER", help="also looks there for the removal of the device")
    receipts.add_argument("--json", action="store_true", help="one line of JSON for each receipt")
    receipts.set_defaults(run=run_receipts)
    vectors = commands.add_parser("verify-vectors", help="holds this program against the test vectors")
    vectors.add_argument("folder", metavar="FOLDER")
    vectors.set_defaults(run=run_vectors)
    log = commands.add_parser("verify-log", parents=[keys], help="examines a whole log")
    log.add_argument("log", metavar="ADDRESS_OR_FOLDER")
    log.add_argument("--since", help="a checkpoint that was kept: its tree has to stand at the front")
    log.add_argument("--board", action="append", default=[], help="a witness's address, or a file with its board's lines")
    log.set_defaults(run=run_log)
    return parser.parse_args()


def main() -> int:
    arguments = parse_arguments()
    try:
        state = arguments.run(arguments)
    except (OSError, NothingExamined) as error:
        print(error, file=sys.stderr)
        state = "unread"
    return EXIT_CODES[state]


if __name__ == "__main__":
    sys.exit(main())
