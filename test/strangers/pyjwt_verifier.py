"""A resource server with PyJWT, as its documentation has it: reads where it is, then a token a line."""

import json
import sys

import jwt

place = json.loads(sys.stdin.readline())
keys = jwt.PyJWKClient(place["jwks_uri"], **({"lifespan": place["cache"]} if place["cache"] else {}))

for line in sys.stdin:
    token = line.strip()
    try:
        claims = jwt.decode(
            token,
            keys.get_signing_key_from_jwt(token),
            algorithms=["RS256"],
            issuer=place["issuer"],
            audience=place["audience"],
            options={"require": ["exp", "iss", "aud", "sub"]},
        )
        answer = {"accepted": {"sub": claims["sub"], "roles": claims["roles"]}}
    except jwt.PyJWTError as error:
        answer = {"refused": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
