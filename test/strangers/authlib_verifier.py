"""A resource server with Authlib, as its documentation has it: reads where it is, then a token a line."""

import json
import sys
import time

import requests
from authlib.oauth2 import OAuth2Error, ResourceProtector
from authlib.oauth2.rfc9068 import JWTBearerTokenValidator
from joserfc.jwk import KeySet

place = json.loads(sys.stdin.readline())


class Validator(JWTBearerTokenValidator):
    """Authlib leaves the cache to its user. This one has the keys for five minutes, by default."""

    jwks = None
    fetched = 0

    def get_jwks(self):
        if self.jwks is None or time.monotonic() - self.fetched > (place["cache"] or 300):
            metadata = requests.get(f"{self.issuer}/.well-known/openid-configuration", timeout=5).json()
            self.jwks = KeySet.import_key_set(requests.get(metadata["jwks_uri"], timeout=5).json())
            self.fetched = time.monotonic()
        return self.jwks


class Request:
    def __init__(self, token):
        self.headers = {"Authorization": f"Bearer {token}"}


protector = ResourceProtector()
protector.register_token_validator(Validator(place["issuer"], place["audience"]))

for line in sys.stdin:
    try:
        claims = protector.validate_request([], Request(line.strip()))
        answer = {"accepted": {"sub": claims["sub"], "roles": claims["roles"]}}
    except OAuth2Error as error:
        answer = {"refused": f"{error} {error.__cause__ or ''}".strip()}
    print(json.dumps(answer), flush=True)
