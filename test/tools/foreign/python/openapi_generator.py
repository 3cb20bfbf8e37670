import sys
import openapi_client as shop

url, token = sys.argv[1:]
client = shop.ApiClient(shop.Configuration(host=url, access_token=token))
v1, v2beta1 = shop.DeviceV1Api(client), shop.DeviceV2beta1Api(client)

created = v1.create_device_v1(
    shop.DeviceV1Input(
        metadata=shop.MetadataInput(labels={"made": "python"}),
        spec=shop.DeviceV1Spec(name="lamp", location="hall"),
    )
)
uid = created.metadata.uid
assert v2beta1.get_device_v2beta1(uid).spec.site == "hall"

patch = shop.DeviceV2beta1Patch(spec=shop.DeviceV2beta1SpecPatch(site="attic"))
assert v2beta1.patch_device_v2beta1(uid, patch).spec.site == "attic"

listed = v1.list_devices_v1(label_selector="made=python")
assert [device.spec.location for device in listed] == ["attic"]

try:
    v1.get_device_v1("dev-0000000000000000")
    raise AssertionError("found")
except shop.exceptions.NotFoundException as error:
    assert error.status == 404
