// An operator: it makes devices with ports ready.
package main

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

type operator struct{ client.Client }

func newDevice() *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.svc.dev/v1", "kind": "Device"}}
}

func (o operator) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	device := newDevice()
	if err := o.Get(ctx, request.NamespacedName, device); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	phase := "Pending"
	if ports, _, _ := unstructured.NestedSlice(device.Object, "spec", "ports"); len(ports) > 0 {
		phase = "Ready"
	}
	if err := unstructured.SetNestedField(device.Object, phase, "status", "phase"); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, o.Status().Update(ctx, device)
}

func main() {
	ctrl.SetLogger(klog.Background())
	options := ctrl.Options{Metrics: metrics.Options{BindAddress: "0"}}
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), options)
	if err != nil {
		klog.Exit(err)
	}
	err = ctrl.NewControllerManagedBy(manager).For(newDevice()).Complete(operator{manager.GetClient()})
	if err != nil {
		klog.Exit(err)
	}
	klog.Exit(manager.Start(ctrl.SetupSignalHandler()))
}
