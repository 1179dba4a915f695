#include "core/trace/recorder.h"

#include <algorithm>
#include <utility>

#include "core/base/sort.h"

namespace podberth::trace {

Entry& Recorder::add(Entry entry) {
  entry.at = loop_.now();
  entries_.push_back(std::move(entry));
  return entries_.back();
}

Entry& Recorder::add(Type type, std::string pod) {
  Entry entry;
  entry.type = type;
  entry.pod = std::move(pod);
  return add(std::move(entry));
}

void Recorder::restart() { start_ = loop_.now(); }

namespace {

bool ofQueue(const Entry& e) { return e.type == Type::kMove || e.type == Type::kSkip || e.type == Type::kPreEnqueue; }
bool flushed(const Entry& e) { return e.event == "BackoffComplete"; }

}  // namespace

void order(std::vector<Entry>& entries, std::size_t from) {
  auto begin = entries.begin() + static_cast<std::ptrdiff_t>(std::min(from, entries.size()));
  while (begin != entries.end()) {
    auto end = begin;
    while (end != entries.end() && end->at == begin->at && (ofQueue(*end) || end->type == Type::kInFlight)) ++end;
    if (end == begin) {
      ++begin;
      continue;
    }
    base::stableSort(&*begin, static_cast<std::size_t>(end - begin),
                     [](const Entry& a, const Entry& b) { return flushed(a) && !flushed(b); });
    for (auto run = begin; run != end;) {
      auto stop = run;
      while (stop != end && ofQueue(*stop) && !flushed(*stop)) ++stop;
      if (run != stop) {
        base::stableSort(&*run, static_cast<std::size_t>(stop - run),
                         [](const Entry& a, const Entry& b) { return a.pod < b.pod; });
      }
      run = stop == run ? run + 1 : stop;
    }
    begin = end;
  }
}

const char* typeName(Type type) {
  switch (type) {
    case Type::kOp:
      return "op";
    case Type::kState:
      return "state";
    case Type::kCycle:
      return "cycle";
    case Type::kMove:
      return "move";
    case Type::kSkip:
      return "skip";
    case Type::kInFlight:
      return "inFlight";
    case Type::kPreEnqueue:
      return "preEnqueue";
    case Type::kBind:
      return "bind";
    case Type::kEvict:
      return "evict";
    case Type::kProvision:
      return "provision";
    case Type::kBindVolume:
      return "bindVolume";
    case Type::kEvent:
      return "event";
    case Type::kLog:
      return "log";
    case Type::kConfig:
      return "config";
    case Type::kInformer:
      return "informer";
    case Type::kPoint:
      return "x-point";
    case Type::kControl:
      return "x-control";
    case Type::kExtender:
      return "extender";
  }
  return "";
}

}  // namespace podberth::trace
