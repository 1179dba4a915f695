// Writes the table of API types that the decoder checks objects against (core/api/schema_data.cpp): it asks the Go types
// of the real API for the names and types of their fields. Run it in this directory after a change of the Kubernetes
// version in go.mod:
//
//	go run . > ../../../core/api/schema_data.cpp
package main

import (
	"bufio"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
)

// modelled lists the kinds whose fields are checked.
var modelled = map[string]bool{
	"/Pod": true, "/Node": true, "/Namespace": true, "scheduling.k8s.io/PriorityClass": true, "/PersistentVolume": true,
	"/PersistentVolumeClaim": true, "storage.k8s.io/StorageClass": true, "storage.k8s.io/CSINode": true,
	"storage.k8s.io/CSIDriver": true, "storage.k8s.io/CSIStorageCapacity": true, "storage.k8s.io/VolumeAttachment": true,
	"policy/PodDisruptionBudget": true, "/Service": true, "/ReplicationController": true, "apps/ReplicaSet": true,
	"apps/StatefulSet": true, "apps/Deployment": true, "apps/DaemonSet": true, "batch/Job": true,
}

var special = map[reflect.Type]string{
	reflect.TypeOf(metav1.Time{}):         "kTime",
	reflect.TypeOf(metav1.MicroTime{}):    "kMicroTime",
	reflect.TypeOf(resource.Quantity{}):   "kQuantity",
	reflect.TypeOf(intstr.IntOrString{}):  "kIntOrString",
	reflect.TypeOf(runtime.RawExtension{}): "kAny",
	reflect.TypeOf(metav1.FieldsV1{}):     "kAny",
	reflect.TypeOf(metav1.Duration{}):     "kString",
	reflect.TypeOf([]byte{}):              "kBytes",
}

type field struct {
	name    string
	typ     int
	pointer bool
	inside  string // embedded structs that the field comes from: "VolumeSource."
}

type table struct {
	types   []string // as C++ text
	typeOf  map[reflect.Type]int
	structs []string
	fields  []field
	pending []func()
}

func (t *table) typ(r reflect.Type) int {
	for r.Kind() == reflect.Pointer {
		r = r.Elem()
	}
	if i, ok := t.typeOf[r]; ok {
		return i
	}
	i := len(t.types)
	t.typeOf[r] = i
	t.types = append(t.types, "")
	set := func(kind string, ref int) { t.types[i] = fmt.Sprintf("{SchemaKind::%s, %d, %q}", kind, ref, r.String()) }
	if k, ok := special[r]; ok {
		set(k, 0)
		return i
	}
	switch r.Kind() {
	case reflect.String:
		set("kString", 0)
	case reflect.Bool:
		set("kBool", 0)
	case reflect.Int32:
		set("kInt32", 0)
	case reflect.Int64, reflect.Int:
		set("kInt64", 0)
	case reflect.Float64, reflect.Float32:
		set("kFloat", 0)
	case reflect.Slice:
		set("kList", t.typ(r.Elem()))
	case reflect.Map:
		set("kMap", t.typ(r.Elem()))
	case reflect.Struct:
		set("kStruct", t.structure(r))
	case reflect.Interface:
		set("kAny", 0)
	default:
		panic(r.String())
	}
	return i
}

func (t *table) structure(r reflect.Type) int {
	i := len(t.structs)
	t.structs = append(t.structs, "")
	var fs []field
	var collect func(r reflect.Type, inside string)
	collect = func(r reflect.Type, inside string) {
		for n := 0; n < r.NumField(); n++ {
			f := r.Field(n)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "-" || !f.IsExported() {
				continue
			}
			if f.Anonymous && name == "" {
				collect(f.Type, inside+f.Name+".")
				continue
			}
			if name == "" {
				name = f.Name
			}
			fs = append(fs, field{name, t.typ(f.Type), f.Type.Kind() == reflect.Pointer, inside})
		}
	}
	collect(r, "")
	t.structs[i] = fmt.Sprintf("{%q, %d, %d}", r.Name(), len(t.fields), len(fs))
	t.fields = append(t.fields, fs...)
	return i
}

func stored(gvk schema.GroupVersionKind) string {
	for _, gv := range legacyscheme.Scheme.PrioritizedVersionsForGroup(gvk.Group) {
		if legacyscheme.Scheme.Recognizes(gv.WithKind(gvk.Kind)) {
			return gv.Version
		}
	}
	return gvk.Version
}

func main() {
	t := &table{typeOf: map[reflect.Type]int{}}
	metaType := t.typ(reflect.TypeOf(metav1.ObjectMeta{}))
	all := clientscheme.Scheme.AllKnownTypes()
	var gvks []schema.GroupVersionKind
	for gvk := range all {
		if gvk.Version != runtime.APIVersionInternal {
			gvks = append(gvks, gvk)
		}
	}
	sort.Slice(gvks, func(i, j int) bool { return less(gvks[i], gvks[j]) })
	var kinds []string
	for _, gvk := range gvks {
		r := all[gvk]
		typ := -1
		if _, ok := reflect.New(r).Interface().(metav1.Object); ok {
			typ = metaType
			if modelled[gvk.Group+"/"+gvk.Kind] {
				typ = t.typ(r)
			}
		}
		kinds = append(kinds, fmt.Sprintf("{%q, %q, %q, %q, %d}", gvk.Group, gvk.Version, gvk.Kind, stored(gvk), typ))
	}
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	fmt.Fprint(w, `// Generated by tests/oracle/api_schema (do not edit): the fields of the API types, and the kinds that clients know.
// clang-format off
#include "core/api/schema.h"

namespace podberth::api {

const SchemaType kSchemaTypes[] = {
`)
	for _, s := range t.types {
		fmt.Fprintf(w, "    %s,\n", s)
	}
	fmt.Fprint(w, "};\n\nconst SchemaStruct kSchemaStructs[] = {\n")
	for _, s := range t.structs {
		fmt.Fprintf(w, "    %s,\n", s)
	}
	fmt.Fprint(w, "};\n\nconst SchemaField kSchemaFields[] = {\n")
	for _, f := range t.fields {
		fmt.Fprintf(w, "    {%q, %q, %d, %v},\n", f.name, f.inside, f.typ, f.pointer)
	}
	fmt.Fprint(w, "};\n\nconst SchemaKindEntry kSchemaKinds[] = {\n")
	for _, s := range kinds {
		fmt.Fprintf(w, "    %s,\n", s)
	}
	fmt.Fprintf(w, "};\n\nconst int kSchemaKindCount = %d;\nconst int kSchemaMetaType = %d;\n\n}  // namespace podberth::api\n", len(kinds), metaType)
}

func less(a, b schema.GroupVersionKind) bool {
	if a.Group != b.Group {
		return a.Group < b.Group
	}
	if a.Version != b.Version {
		return a.Version < b.Version
	}
	return a.Kind < b.Kind
}
