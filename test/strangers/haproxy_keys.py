"""Writes the published keys for HAProxy. Exits with 0 if it has to read them again: `haproxy_keys.py <URL> <folder> && systemctl reload haproxy`."""

import sys
from pathlib import Path

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt import PyJWKClient

PLACES = 4

_, url, folder = sys.argv
keys = [key.key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo) for key in PyJWKClient(url).get_signing_keys()]
if len(keys) > PLACES:
    sys.exit(f"{len(keys)} keys are published: name more files in haproxy.cfg")

changed = False
for n in range(PLACES):
    # A place without a key repeats the first one.
    key = keys[n] if n < len(keys) else keys[0]
    file = Path(folder, f"{n + 1}.pem")
    if not file.exists() or file.read_bytes() != key:
        file.write_bytes(key)
        changed = True
sys.exit(0 if changed else 3)
