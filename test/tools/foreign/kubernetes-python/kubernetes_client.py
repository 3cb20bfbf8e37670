"""A first list, watch, create, patch and delete, by the kubeconfig in the argument."""

import sys

from kubernetes import client, config, watch

config.load_kube_config(sys.argv[1])
api = client.CustomObjectsApi()
place = ("example.svc.dev", "v1", "devices")
name = "python"

listed = api.list_cluster_custom_object(*place)
revision = listed["metadata"]["resourceVersion"]
body = {
    "apiVersion": "example.svc.dev/v1",
    "kind": "Device",
    "metadata": {"name": name, "finalizers": ["example.dev/cleanup"]},
    "spec": {"location": "eu"},
}
assert api.create_cluster_custom_object(*place, body)["metadata"]["uid"].startswith("dev-")
patched = api.patch_cluster_custom_object(*place, name, {"spec": {"location": "us"}})
assert patched["metadata"]["generation"] == 2
assert "deletionTimestamp" in api.delete_cluster_custom_object(*place, name)["metadata"]
api.patch_cluster_custom_object(*place, name, {"metadata": {"finalizers": None}})

seen = []
stream = watch.Watch().stream(
    api.list_cluster_custom_object, *place, resource_version=revision, timeout_seconds=600
)
for event in stream:
    if event["object"]["metadata"]["name"] == name:
        seen.append((event["type"], event["object"]["spec"]["location"]))
    if event["type"] == "DELETED":
        break
assert seen == [("ADDED", "eu"), ("MODIFIED", "us"), ("MODIFIED", "us"), ("DELETED", "us")], seen
try:
    api.get_cluster_custom_object(*place, name)
    raise AssertionError("it is still there")
except client.ApiException as error:
    assert error.status == 404
