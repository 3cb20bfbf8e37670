// An informer that follows devices until one is called "last". It prints what it sees as lines of JSON.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

var devices = schema.GroupVersionResource{Group: "example.svc.dev", Version: "v1", Resource: "devices"}

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		klog.Exit(err)
	}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return logged{next} })
	ctx, stop := context.WithCancel(context.Background())
	factory := dynamicinformer.NewDynamicSharedInformerFactory(dynamic.NewForConfigOrDie(config), 0)
	informer := factory.ForResource(devices).Informer()
	_, err = informer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(object any, isInInitialList bool) {
			if isInInitialList {
				printObject("INITIAL", object)
				return
			}
			printObject("ADDED", object)
			if object.(*unstructured.Unstructured).GetName() == "last" {
				stop()
			}
		},
		UpdateFunc: func(_, object any) { printObject("MODIFIED", object) },
		DeleteFunc: func(object any) {
			if unknown, isUnknown := object.(cache.DeletedFinalStateUnknown); isUnknown {
				object = unknown.Obj
			}
			printObject("DELETED", object)
		},
	})
	if err != nil {
		klog.Exit(err)
	}
	factory.Start(ctx.Done())
	if cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		printLine("SYNCED", len(informer.GetStore().List()))
	}
	<-ctx.Done()
	for _, object := range informer.GetStore().List() {
		printObject("STORED", object)
	}
}

// Prints the query of each request.
type logged struct{ next http.RoundTripper }

func (l logged) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := l.next.RoundTrip(request)
	if err == nil {
		printLine("REQUEST", request.URL.RawQuery)
	}
	return response, err
}

func printObject(kind string, object any) {
	printLine(kind, object.(*unstructured.Unstructured).Object)
}

var printing sync.Mutex

func printLine(kind string, value any) {
	printing.Lock()
	defer printing.Unlock()
	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"type": kind, "value": value}); err != nil {
		klog.Exit(err)
	}
}
