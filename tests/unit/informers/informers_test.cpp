#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/api/pod.h"
#include "core/informers/delta_fifo.h"
#include "core/informers/factory.h"
#include "core/informers/indexer.h"
#include "core/informers/shared_informer.h"

namespace podberth::informers {
namespace {

api::ObjectPtr pod(const std::string& name, std::int64_t version = 1, const std::string& ns = "default",
                   const std::string& node = "") {
  auto p = std::make_shared<api::Pod>();
  p->meta.name = name;
  p->meta.ns = ns;
  p->meta.resource_version = version;
  p->spec.node_name = node;
  return p;
}

// A handler that writes down what it hears: "+a", "~a", "-a", "-a?" for a final state unknown.
ResourceEventHandler listener(std::vector<std::string>& heard) {
  ResourceEventHandler h;
  h.on_add = [&heard](const api::ObjectPtr& o) { heard.push_back("+" + o->meta.name); };
  h.on_update = [&heard](const api::ObjectPtr&, const api::ObjectPtr& o) { heard.push_back("~" + o->meta.name); };
  h.on_delete = [&heard](const api::ObjectPtr& o, bool unknown) {
    heard.push_back("-" + o->meta.name + (unknown ? "?" : ""));
  };
  return h;
}

using Strings = std::vector<std::string>;

struct Fifo {
  Indexer known;
  DeltaFifo fifo{DeltaFifo::KnownObjects{[this] { return known.listKeys(); },
                                         [this](const std::string& key) { return known.get(key); }}};
  // Pops everything: "key:Added,Updated".
  Strings popAll() {
    Strings out;
    while (fifo.pop([&](const std::string& key, const std::vector<Delta>& deltas, bool) {
      std::string line = key + ":";
      for (const Delta& d : deltas) {
        line +=
            (line.back() == ':' ? "" : ",") + std::string(deltaTypeName(d.type)) + (d.final_state_unknown ? "?" : "");
      }
      out.push_back(line);
    })) {
    }
    return out;
  }
};

TEST(DeltaFifo, KeepsWhatHappenedToAnObjectTogetherAndInTheOrderOfTheFirstTouch) {
  Fifo f;
  f.fifo.add(pod("a"));
  f.fifo.add(pod("b"));
  f.fifo.update(pod("a", 2));
  f.fifo.remove(pod("a", 3));
  EXPECT_EQ(f.popAll(), (Strings{"default/a:Added,Updated,Deleted", "default/b:Added"}));
}

TEST(DeltaFifo, TakesTwoDeletionsInARowForOne) {
  Fifo f;
  f.known.add(pod("a"));
  f.fifo.remove(pod("a", 2));
  f.fifo.remove(pod("a", 3));
  EXPECT_EQ(f.popAll(), (Strings{"default/a:Deleted"}));
}

TEST(DeltaFifo, DropsTheDeletionOfWhatNobodyKnows) {
  Fifo f;
  f.fifo.remove(pod("a"));
  EXPECT_TRUE(f.popAll().empty());
}

TEST(DeltaFifo, AListReplacesAndTellsWhatHasGoneWithItsFinalStateUnknown) {
  Fifo f;
  f.known.add(pod("gone"));
  f.known.add(pod("stays"));
  f.fifo.add(pod("waits"));
  f.fifo.replace({pod("new"), pod("stays", 2)});
  EXPECT_EQ(f.popAll(), (Strings{"default/waits:Added,Deleted?", "default/new:Replaced", "default/stays:Replaced",
                                 "default/gone:Deleted?"}));
}

TEST(DeltaFifo, ResyncSkipsWhatWaitsAlready) {
  Fifo f;
  f.known.add(pod("a"));
  f.known.add(pod("b"));
  f.fifo.update(pod("a", 2));
  f.fifo.resync();
  EXPECT_EQ(f.popAll(), (Strings{"default/a:Updated", "default/b:Sync"}));
}

TEST(DeltaFifo, HasSyncedOnceTheFirstListIsPopped) {
  Fifo f;
  EXPECT_FALSE(f.fifo.hasSynced());
  f.fifo.replace({pod("a"), pod("b")});
  EXPECT_FALSE(f.fifo.hasSynced());
  f.popAll();
  EXPECT_TRUE(f.fifo.hasSynced());
}

TEST(Indexer, FindsByIndexAndFollowsUpdates) {
  Indexer indexer;
  indexer.add(pod("a", 1, "x"));
  EXPECT_TRUE(indexer.addIndexer(kNamespaceIndex, namespaceIndexFunc));
  EXPECT_FALSE(indexer.addIndexer(kNamespaceIndex, namespaceIndexFunc));
  EXPECT_TRUE(indexer.addIndexer(
      "node", [](const api::Object& o) { return Strings{static_cast<const api::Pod&>(o).spec.node_name}; }));
  indexer.add(pod("b", 1, "y", "n1"));
  EXPECT_EQ(indexer.byIndex(kNamespaceIndex, "x").size(), 1U);
  EXPECT_EQ(indexer.byIndex("node", "n1").front()->meta.name, "b");
  indexer.update(pod("b", 2, "y", "n2"));
  EXPECT_TRUE(indexer.byIndex("node", "n1").empty());
  EXPECT_EQ(indexer.byIndex("node", "n2").size(), 1U);
  EXPECT_EQ(indexer.indexValues("node"), (Strings{"", "n2"}));
  EXPECT_EQ(indexer.index(kNamespaceIndex, *pod("c", 1, "x")).size(), 1U);
  indexer.remove("y/b");
  EXPECT_TRUE(indexer.byIndex("node", "n2").empty());
  EXPECT_TRUE(indexer.byIndex("no such index", "x").empty());
  indexer.replace({pod("z")});
  EXPECT_EQ(indexer.listKeys(), (Strings{"default/z"}));
}

TEST(FilteringHandler, TurnsCrossingTheFilterIntoAdditionsAndDeletions) {
  Strings heard;
  const ResourceEventHandler h =
      filtering([](const api::Object& o) { return static_cast<const api::Pod&>(o).assigned(); }, listener(heard));
  h.on_add(pod("a"));
  h.on_update(pod("a"), pod("a", 2, "default", "n"));
  h.on_update(pod("a", 2, "default", "n"), pod("a", 3, "default", "n"));
  h.on_update(pod("a", 3, "default", "n"), pod("a", 4));
  h.on_delete(pod("a", 4), false);
  h.on_delete(pod("b", 4, "default", "n"), true);
  EXPECT_EQ(heard, (Strings{"+a", "~a", "-a", "-b?"}));
}

// An API server of a few lines.
struct Source {
  std::vector<api::ObjectPtr> objects;
  std::function<void(WatchType, const api::ObjectPtr&)> tell;
  ListerWatcher listerWatcher() {
    ListerWatcher lw;
    lw.list = [this] { return objects; };
    lw.watch = [this](std::function<void(WatchType, const api::ObjectPtr&)> hear) { tell = std::move(hear); };
    return lw;
  }
};

TEST(SharedInformer, ListsWatchesAndTellsEveryListener) {
  Source source;
  source.objects = {pod("a"), pod("b")};
  SharedInformer informer(api::Kind::kPod, source.listerWatcher(), nullptr);
  Strings first;
  informer.addEventHandler(listener(first));
  informer.run();
  EXPECT_TRUE(informer.hasSynced());
  EXPECT_EQ(first, (Strings{"+a", "+b"}));
  Strings late;
  informer.addEventHandler(listener(late));
  source.tell(WatchType::kModified, pod("a", 2));
  source.tell(WatchType::kDeleted, pod("b", 3));
  source.tell(WatchType::kAdded, pod("c", 4));
  EXPECT_EQ(first, (Strings{"+a", "+b", "~a", "-b", "+c"}));
  EXPECT_EQ(late, (Strings{"+a", "+b", "~a", "-b", "+c"}));
  EXPECT_EQ(informer.indexer().listKeys(), (Strings{"default/a", "default/c"}));
}

TEST(SharedInformer, AFreshListTellsOnlyWhatIsNew) {
  Source source;
  source.objects = {pod("a"), pod("b"), pod("c")};
  SharedInformer informer(api::Kind::kPod, source.listerWatcher(), nullptr);
  Strings heard;
  informer.addEventHandler(listener(heard));
  informer.run();
  heard.clear();
  source.objects = {pod("a"), pod("b", 9), pod("d")};
  informer.relist();
  EXPECT_EQ(heard, (Strings{"~b", "+d", "-c?"}));
}

TEST(SharedInformer, AResyncTellsListenersNothing) {
  Source source;
  source.objects = {pod("a")};
  SharedInformer informer(api::Kind::kPod, source.listerWatcher(), nullptr);
  Strings heard;
  informer.addEventHandler(listener(heard));
  informer.run();
  heard.clear();
  informer.resync();
  EXPECT_TRUE(heard.empty());
}

TEST(SharedInformer, EachHopCanBeSeenInTheTrace) {
  clock::EventLoop loop;
  trace::Recorder recorder(loop);
  recorder.informers = true;
  Source source;
  SharedInformer informer(api::Kind::kPod, source.listerWatcher(), &recorder);
  Strings heard;
  informer.addEventHandler(listener(heard));
  informer.run();
  source.tell(WatchType::kAdded, pod("a"));
  Strings hops;
  for (const trace::Entry& e : recorder.entries()) hops.push_back(e.point + " " + e.event + " " + e.pod);
  EXPECT_EQ(hops, (Strings{"Reflector ADDED default/a", "DeltaFIFO Added default/a", "Indexer Add default/a",
                           "sharedProcessor distribute default/a"}));
}

}  // namespace
}  // namespace podberth::informers
