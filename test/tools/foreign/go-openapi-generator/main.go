package main

import (
	"context"
	"fmt"
	"os"

	shop "shop"
)

func main() {
	configuration := shop.NewConfiguration()
	configuration.Servers = shop.ServerConfigurations{{URL: os.Args[1]}}
	client := shop.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), shop.ContextAccessToken, os.Args[2])

	labels := map[string]string{"made": "go"}
	input := shop.NewDeviceV1Input(*shop.NewDeviceV1Spec("lamp", "hall"))
	input.Metadata = &shop.MetadataInput{Labels: labels}
	created, _, err := client.DeviceV1API.CreateDeviceV1(ctx).DeviceV1Input(*input).Execute()
	check(err)

	got, _, err := client.DeviceV2beta1API.GetDeviceV2beta1(ctx, created.Metadata.Uid).Execute()
	check(err)
	equal(got.Spec.Site, "hall")

	site := "attic"
	patch := shop.DeviceV2beta1Patch{Spec: &shop.DeviceV2beta1SpecPatch{Site: &site}}
	patched, _, err := client.DeviceV2beta1API.PatchDeviceV2beta1(ctx, got.Metadata.Uid).DeviceV2beta1Patch(patch).Execute()
	check(err)
	equal(patched.Spec.Site, "attic")

	listed, _, err := client.DeviceV1API.ListDevicesV1(ctx).LabelSelector("made=go").Execute()
	check(err)
	equal(fmt.Sprintf("%d %s", len(listed), listed[0].Spec.Location), "1 attic")

	_, response, err := client.DeviceV1API.GetDeviceV1(ctx, "dev-0000000000000000").Execute()
	equal(fmt.Sprintf("%d %t", response.StatusCode, err != nil), "404 true")
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
