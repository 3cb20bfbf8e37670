package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"roundtrip/api"
)

func main() {
	url, token := os.Args[1], os.Args[2]
	identify := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
	client, err := api.NewClientWithResponses(url, api.WithRequestEditorFn(identify))
	check(err)
	ctx := context.Background()

	input := api.DeviceV1Input{
		Metadata: &api.MetadataInput{Labels: &map[string]string{"made": "oapi-codegen"}},
		Spec:     api.DeviceV1Spec{Name: "lamp", Location: "hall"},
	}
	created, err := client.CreateDeviceV1WithResponse(ctx, nil, input)
	check(err)

	got, err := client.GetDeviceV2beta1WithResponse(ctx, created.JSON201.Metadata.Uid, nil)
	check(err)
	equal(got.JSON200.Spec.Site, "hall")

	site := "attic"
	patch := api.DeviceV2beta1Patch{Spec: &api.DeviceV2beta1SpecPatch{Site: &site}}
	patched, err := client.PatchDeviceV2beta1WithApplicationMergePatchPlusJSONBodyWithResponse(ctx, got.JSON200.Metadata.Uid, nil, patch)
	check(err)
	equal(patched.JSON200.Spec.Site, "attic")

	selector := "made=oapi-codegen"
	listed, err := client.ListDevicesV1WithResponse(ctx, &api.ListDevicesV1Params{LabelSelector: &selector})
	check(err)
	equal(fmt.Sprintf("%d %s", len(*listed.JSON200), (*listed.JSON200)[0].Spec.Location), "1 attic")

	missing, err := client.GetDeviceV1WithResponse(ctx, "dev-0000000000000000", nil)
	check(err)
	equal(fmt.Sprintf("%d %s", missing.StatusCode(), missing.ApplicationproblemJSON404.Title), "404 Not Found")
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func equal(got, want string) {
	if got != want {
		panic(fmt.Sprintf("got %q, want %q", got, want))
	}
}
