// A resource server with github.com/coreos/go-oidc, as its documentation has it: reads where it is, then a token a line.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"log"
	"os"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

type claims struct {
	Subject string   `json:"sub"`
	Roles   []string `json:"roles"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	lines.Scan()
	var place struct {
		Issuer, Audience string
		Cache            float64
	}
	if err := json.Unmarshal(lines.Bytes(), &place); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	var verifier *oidc.IDTokenVerifier
	var since time.Time
	verify := func(token string) (found claims, err error) {
		// A key set forgets no key, and is fetched again only for an unknown one: only a new provider has a new set.
		if verifier == nil || place.Cache > 0 && time.Since(since).Seconds() > place.Cache {
			provider, err := oidc.NewProvider(ctx, place.Issuer)
			if err != nil {
				return found, err
			}
			verifier, since = provider.Verifier(&oidc.Config{ClientID: place.Audience}), time.Now()
		}
		verified, err := verifier.Verify(ctx, token)
		if err != nil {
			return found, err
		}
		return found, verified.Claims(&found)
	}
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		found, err := verify(lines.Text())
		if err != nil {
			answers.Encode(map[string]string{"refused": err.Error()})
			continue
		}
		answers.Encode(map[string]claims{"accepted": found})
	}
}
