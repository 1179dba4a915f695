#include "core/apiserver/controllers/writer.h"

#include <algorithm>
#include <utility>

#include "core/api/decode.h"
#include "core/api/pod_util.h"
#include "core/api/workload.h"
#include "core/apiserver/api_errors.h"
#include "core/apiserver/controllers/names.h"
#include "core/apiserver/workload.h"

namespace podberth::apiserver {

namespace {

constexpr int kNameTries = 8;
constexpr std::size_t kLongestPrefix = 58;  // of a generated name, which has 63 at most
// What keeps on ending and being replaced would go on for ever.
constexpr int kMostCreated = 50000;
constexpr const char* kEnough = "the controllers of a scenario create no more than 50000 objects";

std::string titled(const api::Object& object) { return object.kind_name + " " + object.key(); }

api::OwnerReference referenceTo(const api::Object& owner) {
  api::OwnerReference reference;
  reference.api_version = owner.api_version;
  reference.kind = owner.kind_name;
  reference.name = owner.meta.name;
  reference.uid = owner.meta.uid;
  reference.controller = true;
  reference.block_owner_deletion = true;
  return reference;
}

}  // namespace

int Claimed::active() const {
  if (!changed_) return owned_.active;
  return static_cast<int>(
      std::count_if(pods_.begin(), pods_.end(), [](const auto& item) { return isActive(*item.second); }));
}

Mirror::Pods& Claimed::change() {
  if (!changed_) pods_ = owned_.pods;
  changed_ = true;
  return pods_;
}

Json Writer::podJson(const Json& pod_template, const api::Object& owner) {
  const Json& given = objectOf(pod_template, "metadata");
  Json meta = Json::object();
  for (const char* key : {"labels", "annotations", "finalizers"}) {
    if (const Json* value = member(given, key)) meta[key] = *value;
  }
  meta["namespace"] = owner.meta.ns;
  Json pod = Json::object();
  pod["apiVersion"] = "v1";
  pod["kind"] = "Pod";
  pod["metadata"] = std::move(meta);
  pod["spec"] = objectOf(pod_template, "spec");
  own(pod, owner);
  return pod;
}

void Writer::own(Json& object, const api::Object& owner) {
  object["metadata"]["ownerReferences"] = Json::array({Json{{"apiVersion", owner.api_version},
                                                            {"kind", owner.kind_name},
                                                            {"name", owner.meta.name},
                                                            {"uid", owner.meta.uid},
                                                            {"controller", true},
                                                            {"blockOwnerDeletion", true}}});
}

trace::Entry& Writer::record(std::string verb, const api::Object& object, const api::Object& owner) {
  trace::Entry& entry = recorder_.add(trace::Type::kControl, object.key());
  entry.reason = std::move(verb);
  entry.point = object.kind_name;
  entry.message = titled(owner);
  return entry;
}

bool Writer::create(const Json& object, const api::Object& owner) {
  Admitted admitted = server_.admit(object);
  std::string refused = admitted.error;
  if (refused.empty() && ++created_ > kMostCreated) refused = kEnough;
  api::OtherObject named;  // what is said of an object that was refused
  named.kind_name = stringOf(object, "kind");
  named.meta.name = stringOf(objectOf(object, "metadata"), "name");
  named.meta.ns = owner.meta.ns;
  if (refused.empty()) refused = server_.create(std::move(admitted.object));
  record("create", named, owner).rejected = refused;
  return refused.empty();
}

bool Writer::createNamed(Json pod, const std::string& prefix, const std::string& seed, const api::Object& owner) {
  pod["metadata"]["generateName"] = prefix;
  for (int i = 0; i < kNameTries; ++i) {
    const std::string name =
        prefix.substr(0, kLongestPrefix) + nameSuffix(i == 0 ? seed : seed + "#" + std::to_string(i));
    if (server_.get<api::Pod>(owner.meta.ns, name) != nullptr) continue;
    pod["metadata"]["name"] = name;
    return create(pod, owner);
  }
  return false;
}

void Writer::remove(const api::Object& object, const api::Object& owner, const char* verb) {
  const scheduler::ApiError error = server_.erase(object.kind, object.meta.ns, object.meta.name);
  if (!error.failed) record(verb, object, owner);
}

void Writer::replace(const std::string& verb, std::shared_ptr<api::Object> object, const api::Object& owner) {
  const std::shared_ptr<const api::Object> kept = object;  // the server changes its versions only
  if (!server_.replace(std::move(object)).failed) record(verb, *kept, owner);
}

void Writer::adopt(const api::Object& object, const api::Object& owner) {
  std::shared_ptr<api::Object> copy = api::clone(object);
  copy->meta.owner_references.push_back(referenceTo(owner));
  replace("adopt", std::move(copy), owner);
}

void Writer::release(const api::Object& object, const api::Object& owner) {
  std::shared_ptr<api::Object> copy = api::clone(object);
  auto& owners = copy->meta.owner_references;
  owners.erase(std::remove_if(owners.begin(), owners.end(),
                              [&](const api::OwnerReference& o) { return o.uid == owner.meta.uid; }),
               owners.end());
  replace("release", std::move(copy), owner);
}

Claimed Writer::claim(const api::Object& owner, const std::function<bool(const api::Pod&)>& fits) {
  Claimed out(mirror_.owned(owner));
  const api::Selector selector = selectionOf(owner);
  for (const api::PodPtr& pod : mirror_.takeUnclaimed(owner)) {
    if (selector.matches(pod->meta.labels)) continue;
    if (!pod->meta.deletion_timestamp) release(*pod, owner);
    out.change().erase(pod->key());
  }
  if (selector.empty() || !mirror_.takeStraysChanged(owner)) return out;
  for (const auto& [key, stray] : mirror_.strays()) {
    const api::Pod& pod = *stray;
    if (pod.meta.ns != owner.meta.ns || !isActive(pod) || !selector.matches(pod.meta.labels)) continue;
    if (fits && !fits(pod)) continue;
    adopt(pod, owner);
    out.change()[key] = stray;
  }
  return out;
}

}  // namespace podberth::apiserver
