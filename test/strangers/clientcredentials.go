// A client of golang.org/x/oauth2 as its documentation has it: prints the answer of an API. It has no discovery.
package main

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net/url"
	"os"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

func main() {
	var ask struct {
		ID, Secret, Way string
		TokenEndpoint   string            `json:"token_endpoint"`
		API             string            `json:"api"`
		Grant           map[string]string `json:"grant"`
	}
	if err := json.NewDecoder(os.Stdin).Decode(&ask); err != nil {
		log.Fatal(err)
	}
	config := clientcredentials.Config{
		ClientID:       ask.ID,
		ClientSecret:   ask.Secret,
		TokenURL:       ask.TokenEndpoint,
		EndpointParams: url.Values{},
	}
	if ask.Way == "form" {
		config.AuthStyle = oauth2.AuthStyleInParams
	}
	// The package permits another grant_type here.
	for name, value := range ask.Grant {
		config.EndpointParams.Set(name, value)
	}
	answer, err := config.Client(context.Background()).Get(ask.API)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := io.Copy(os.Stdout, answer.Body); err != nil {
		log.Fatal(err)
	}
}
