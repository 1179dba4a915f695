#include "core/session/simulation.h"

#include <algorithm>
#include <utility>

#include "core/api/pod.h"
#include "core/apiserver/workload.h"
#include "core/base/sort.h"
#include "core/session/informer_listers.h"
#include "core/session/own_documents.h"

namespace podberth::session {

namespace {

constexpr int kMaxCycles = 2000;  // of a settle, and steps of the controllers
// With controllers a settle may go on for longer: it is given so many more for each pod that is there.
constexpr int kCyclesPerPod = 4;
constexpr clock::Duration kStartAt = 10 * clock::kSecond;  // the scheduler starts at a multiple of it
constexpr clock::Duration kLongest = 10 * clock::kMinute;  // advanced in one unit

std::string dump(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

Simulation::Simulation(const Scenario& scenario, SimulationOptions options)
    : scenario_(scenario),
      options_(options),
      recorder_(loop_),
      gates_(*scenario.release),
      lots_(scenario.seed, scenario.follow),
      server_(loop_, gates_),
      client_(server_, loop_, recorder_, gates_, scenario.timing.write) {
  recorder_.detail_limit = options.detail_limit;
  recorder_.informers = options.informers;
  recorder_.points = options.points;
  scheduler::resetGeneration();
  if (scenario.controllers) server_.admitWorkloads();
}

Simulation::~Simulation() = default;

bool Simulation::start() {
  std::string error;
  if (gates_.setAll(scenario_.feature_gates, &error)) {
    const std::vector<Pending> pending = populate();
    if (startScheduler(pending, &error)) {
      afterUnit(0);
      done_ = scenario_.steps.empty();
      return true;
    }
  }
  trace::Entry& entry = recorder_.add(trace::Type::kConfig);
  entry.error = error;
  done_ = true;
  return false;
}

std::vector<Simulation::Pending> Simulation::populate() {
  // Priority classes come first: admission needs them.
  std::vector<std::size_t> order;
  order.reserve(scenario_.objects.size());
  const auto is_class = [this](std::size_t i) {
    const nlohmann::json& object = scenario_.objects[i];
    if (!object.is_object()) return false;
    auto it = object.find("kind");
    return it != object.end() && it->is_string() && it->get_ref<const std::string&>() == "PriorityClass";
  };
  for (std::size_t i = 0; i < scenario_.objects.size(); ++i) {
    if (is_class(i)) order.push_back(i);
  }
  for (std::size_t i = 0; i < scenario_.objects.size(); ++i) {
    if (!is_class(i)) order.push_back(i);
  }
  std::vector<Pending> pending;
  for (std::size_t i : order) {
    if (isNodePool(scenario_.objects[i])) {
      const std::string refused = createPool(scenario_.objects[i], "/objects/" + std::to_string(i));
      if (!refused.empty()) reject(dump(scenario_.objects[i]), refused);
      continue;
    }
    const auto text = scenario_.object_texts.find(i);
    apiserver::Admitted admitted =
        server_.admit(scenario_.objects[i], text == scenario_.object_texts.end() ? std::string_view() : text->second);
    noteUnused(admitted);
    collect(std::move(admitted.issues), "/objects/" + std::to_string(i));
    std::string error = admitted.error;
    if (error.empty()) {
      loop_.sleep(scenario_.timing.operation);
      const api::Pod* pod = api::as<api::Pod>(admitted.object.get());
      if (pod != nullptr && pod->spec.node_name.empty()) {
        Pending p;
        p.object = std::move(admitted.object);
        p.index = i;
        pending.push_back(std::move(p));
        continue;
      }
      if (apiserver::isWorkload(admitted.object->kind)) workloads_.push_back(i);
      error = server_.create(std::move(admitted.object));
      if (!error.empty()) {
        api::Issue issue;
        issue.message = error;
        collect({issue}, "/objects/" + std::to_string(i));
      }
    }
    if (!error.empty()) reject(dump(scenario_.objects[i]), error);
  }
  base::stableSort(pending, [](const Pending& a, const Pending& b) { return a.object->key() < b.object->key(); });
  return pending;
}

bool Simulation::startScheduler(const std::vector<Pending>& pending, std::string* error) {
  scheduler::config::Loaded loaded = loadConfig();
  if (!scenario_.extenders.empty()) {
    // Which of the configuration's extenders are called is told below.
    loaded.issues.erase(std::remove_if(loaded.issues.begin(), loaded.issues.end(),
                                       [](const api::Issue& issue) {
                                         return issue.path == "/extenders" &&
                                                issue.severity == api::Issue::Severity::kWarning;
                                       }),
                        loaded.issues.end());
  }
  collect(std::move(loaded.issues), "/config");
  if (!scenario_.extenders.empty() && loaded.error.empty()) {
    std::vector<api::Issue> unasked;
    checkExtenders(loaded.extenders, scenario_.extenders, unasked);
    collect(std::move(unasked), "");
  }
  if (!loaded.error.empty()) {
    *error = loaded.error;
    return false;
  }
  if (scenario_.sample_plugins) {
    std::vector<api::Issue> mistakes;
    checkSampleArgs(scenario_.config, mistakes);
    collect(std::move(mistakes), "");
  }
  for (const scheduler::config::Profile& profile : loaded.config.profiles) profiles_.push_back(profile.scheduler_name);
  informers_ =
      std::make_unique<informers::SharedInformerFactory>([this](api::Kind kind) { return source(kind); }, &recorder_);
  listers_ = std::make_unique<InformerListers>(*informers_);
  scheduler::Dependencies deps;
  deps.loop = &loop_;
  deps.recorder = &recorder_;
  deps.gates = &gates_;
  deps.lots = &lots_;
  deps.client = &client_;
  deps.informers = informers_.get();
  deps.listers = &listers_->all;
  deps.extenders = &loaded.extenders;
  deps.extender_servers = &scenario_.extenders;
  deps.sample_plugins = scenario_.sample_plugins;
  deps.decision_clock = decision_clock_;
  deps.decisions = decisions_;
  scheduler_ = scheduler::Scheduler::create(loaded.config, deps, error);
  if (scheduler_ == nullptr) {
    api::Issue issue;
    issue.message = *error;
    collect({issue}, "/config");
    return false;
  }
  for (std::size_t i : workloads_) checkTemplate(scenario_.objects[i], "/objects/" + std::to_string(i));
  informers_->start();
  loop_.rest();
  for (const Pending& p : pending) {
    checkProfile(*p.object, "/objects/" + std::to_string(p.index));
    const std::string refused = server_.create(p.object);
    if (!refused.empty()) {
      reject(dump(scenario_.objects[p.index]), refused);
      api::Issue issue;
      issue.message = refused;
      collect({issue}, "/objects/" + std::to_string(p.index));
    }
    loop_.sleep(clock::kNanosecond);
  }
  const clock::Duration since = loop_.now() - clock::kEpoch;
  loop_.sleep(kStartAt - since % kStartAt);
  recorder_.restart();
  scheduler_->run();
  if (scenario_.controllers) {
    controllers_ = std::make_unique<apiserver::Controllers>(server_, loop_, recorder_, scenario_.timing.controller);
    controllers_->start();
  }
  snap();
  return true;
}

scheduler::config::Loaded Simulation::loadConfig() const {
  return scheduler::config::load(scenario_.config_text, gates_);
}

informers::ListerWatcher Simulation::source(api::Kind kind) {
  // The pod informer's field selector hides pods that have ended.
  apiserver::Server::Selects selects;
  if (kind == api::Kind::kPod) {
    selects = [](const api::Object& object) { return !static_cast<const api::Pod&>(object).terminal(); };
  }
  // Of the kinds without a type of their own the scheduler watches one.
  if (kind == api::Kind::kOther) {
    selects = [](const api::Object& object) { return object.kind_name == "ResourceClaim"; };
  }
  const bool shown = kind == api::Kind::kPod || kind == api::Kind::kNode;
  informers::ListerWatcher source;
  source.list = [this, kind, selects, shown] {
    std::vector<api::ObjectPtr> all = server_.list(kind);
    if (selects) {
      all.erase(std::remove_if(all.begin(), all.end(), [&](const api::ObjectPtr& o) { return !selects(*o); }),
                all.end());
    }
    if (shown) {
      for (const api::ObjectPtr& object : all) changes_.push_back({recorder_.entries().size(), nullptr, object});
    }
    return all;
  };
  source.watch = [this, kind, selects, shown](std::function<void(informers::WatchType, const api::ObjectPtr&)> hear) {
    if (options_.deaf == kind) return;
    server_.watch(kind, selects, [this, kind, shown, hear](const apiserver::WatchEvent& event) {
      const bool deleted = event.type == apiserver::WatchEvent::Type::kDeleted;
      if (shown) {
        const api::ObjectPtr old_object = informers_->informer(kind).indexer().get(event.object->key());
        changes_.push_back({recorder_.entries().size(), old_object, deleted ? nullptr : event.object});
      }
      hear(deleted                                             ? informers::WatchType::kDeleted
           : event.type == apiserver::WatchEvent::Type::kAdded ? informers::WatchType::kAdded
                                                               : informers::WatchType::kModified,
           event.object);
    });
  };
  return source;
}

void Simulation::append(Op op) {
  scenario_.steps.push_back(std::move(op));
  if (scheduler_ != nullptr && failure_.empty()) done_ = false;
}

bool Simulation::runUnit() {
  if (done_) return false;
  const std::size_t first_entry = recorder_.entries().size();
  if (left_to_advance_ > 0) {
    const clock::Duration now = std::min(left_to_advance_, kLongest);
    left_to_advance_ -= now;
    loop_.sleep(now);
    if (left_to_advance_ == 0) finishStep();
    afterUnit(first_entry);
    return true;
  }
  const Op& op = scenario_.steps[next_step_];
  // `by_store`: what was admitted was refused all the same.
  const auto record = [&](const std::string& rejected, bool by_store = false) {
    trace::Entry entry;
    entry.sent_first = by_store && !rejected.empty() && scenario_.release->refusals == release::RefusalForm::kTwice;
    entry.type = trace::Type::kOp;
    entry.op_json = op.json;
    entry.rejected = rejected;
    recorder_.add(std::move(entry));
  };
  const std::string path = "/steps/" + std::to_string(next_step_);
  bool finished = true;
  bool admitted = false;
  switch (op.kind) {
    case Op::Kind::kCreate: {
      loop_.sleep(scenario_.timing.operation);
      const std::string error = create(op, path + "/object", &admitted);
      record(error, admitted);
      break;
    }
    case Op::Kind::kUpdate:
      loop_.sleep(scenario_.timing.operation);
      record(update(op, path + "/object"));
      break;
    case Op::Kind::kDelete: {
      loop_.sleep(scenario_.timing.operation);
      bool unknown_kind = false;
      const std::string error = remove(op, path, &unknown_kind);
      if (unknown_kind) {
        failure_ = "step " + std::to_string(next_step_) + ": " + error;
        done_ = true;
        afterUnit(first_entry);
        return true;
      }
      record(error, true);
      break;
    }
    case Op::Kind::kAdvance:
      record("");
      left_to_advance_ = op.duration - std::min(op.duration, kLongest);
      loop_.sleep(std::min(op.duration, kLongest));
      finished = left_to_advance_ == 0;
      break;
    case Op::Kind::kStep:
    case Op::Kind::kSettle:
      if (!in_settle_) {
        record("");
        in_settle_ = true;
        most_rounds_ = kMaxCycles;
      }
      finished = goOn(op.kind == Op::Kind::kStep);
      if (++rounds_of_step_ > most_rounds_ + 1 && !mayGoOn()) {
        failure_ =
            "step " + std::to_string(next_step_) + ": did not settle in " + std::to_string(most_rounds_) + " cycles";
        done_ = true;
        afterUnit(first_entry);
        return true;
      }
      break;
  }
  if (!lots_.refusal().empty()) {
    failure_ = "step " + std::to_string(next_step_) + ": " + lots_.refusal();
    done_ = true;
    afterUnit(first_entry);
    return true;
  }
  if (finished) finishStep();
  afterUnit(first_entry);
  return true;
}

void Simulation::finishStep() {
  in_settle_ = false;
  waiting_ = false;
  cycles_of_step_ = 0;
  rounds_of_step_ = 0;
  snap();
  ++next_step_;
  done_ = next_step_ >= scenario_.steps.size();
}

bool Simulation::goOn(bool one_cycle) {
  loop_.rest();
  const bool cycle = scheduler_->poppable();
  if (!cycle && !controllersAreBusy()) return true;
  // What the controllers do before a cycle is part of it.
  if (!waiting_) ++cycles_of_step_;
  waiting_ = !cycle;
  if (cycle) {
    const clock::Time end = loop_.now() + scenario_.timing.cycle;
    scheduler_->scheduleOne();
    loop_.sleep(end - loop_.now());
    if (one_cycle) return true;
  } else {
    loop_.sleep(std::max<clock::Duration>(controllers_->due() - loop_.now(), 0));
  }
  // The last of a settle ends it: finding that nothing is left takes no time and changes nothing.
  loop_.rest();
  return !scheduler_->poppable() && !controllersAreBusy();
}

bool Simulation::mayGoOn() {
  if (controllers_ == nullptr) return false;
  int pods = 0;
  for (const api::ObjectPtr& object : server_.list(api::Kind::kPod)) {
    if (!static_cast<const api::Pod&>(*object).terminal()) ++pods;
  }
  most_rounds_ = std::max(most_rounds_, kMaxCycles + kCyclesPerPod * pods);
  return rounds_of_step_ <= most_rounds_ + 1;
}

bool Simulation::controllersAreBusy() const { return controllers_ != nullptr && controllers_->due() >= 0; }

void Simulation::snap() {
  loop_.rest();
  if (!options_.states) return;
  trace::Entry entry;
  entry.type = trace::Type::kState;
  entry.state = scheduler_->queues();
  std::vector<api::ObjectPtr> pods = server_.list(api::Kind::kPod);
  // Both lists are in the order of the keys: walk them side by side.
  auto last = last_pods_.begin();
  for (const api::ObjectPtr& object : pods) {
    const std::string key = object->key();
    while (last != last_pods_.end() && last->first < key) {
      entry.gone.push_back(last->first);
      last = last_pods_.erase(last);
    }
    const bool known = last != last_pods_.end() && last->first == key;
    if (known && last->second.first == object.get()) {
      ++last;
      continue;
    }
    const auto& pod = static_cast<const api::Pod&>(*object);
    trace::PodState state;
    state.node = pod.spec.node_name;
    state.nominated = pod.status.nominated_node_name;
    if (const api::PodCondition* c = pod.status.condition("PodScheduled"); c != nullptr) {
      state.condition = c->status + " " + c->reason;
      state.message = c->message;
    }
    if (!known || !(last->second.second == state)) entry.pods.emplace(key, state);
    if (known) {
      last->second = {object.get(), std::move(state)};
      ++last;
    } else {
      last_pods_.emplace_hint(last, key, std::make_pair(object.get(), std::move(state)));
    }
  }
  while (last != last_pods_.end()) {
    entry.gone.push_back(last->first);
    last = last_pods_.erase(last);
  }
  last_pod_objects_ = std::move(pods);
  recorder_.add(std::move(entry));
}

void Simulation::reject(const std::string& object_json, const std::string& error) {
  trace::Entry entry;
  entry.type = trace::Type::kOp;
  entry.op_json = R"({"op":"create","object":)" + object_json + "}";
  entry.rejected = error;
  recorder_.add(std::move(entry));
}

void Simulation::collect(std::vector<api::Issue> issues, const std::string& prefix) {
  for (api::Issue& issue : issues) {
    issue.path.insert(0, prefix);
    issues_.push_back(std::move(issue));
  }
}

void Simulation::checkProfile(const api::Object& object, const std::string& path) {
  const api::Pod* pod = api::as<api::Pod>(&object);
  if (pod == nullptr || pod->assigned()) return;
  warnUnlessProfile(pod->spec.scheduler_name, path + "/spec/schedulerName", "the pod waits");
}

void Simulation::checkTemplate(const nlohmann::json& workload, const std::string& path) {
  if (!scenario_.controllers) return;
  const nlohmann::json* at = &workload;
  for (const char* key : {"spec", "template", "spec", "schedulerName"}) {
    const auto member = at->is_object() ? at->find(key) : at->end();
    if (!at->is_object() || member == at->end()) {
      at = nullptr;
      break;
    }
    at = &*member;
  }
  const bool named = at != nullptr && at->is_string() && !at->get_ref<const std::string&>().empty();
  warnUnlessProfile(named ? at->get<std::string>() : "default-scheduler", path + "/spec/template/spec/schedulerName",
                    "its pods wait");
}

void Simulation::warnUnlessProfile(const std::string& name, const std::string& path, const std::string& who_waits) {
  if (std::find(profiles_.begin(), profiles_.end(), name) != profiles_.end()) return;
  api::Issue issue;
  issue.severity = api::Issue::Severity::kWarning;
  issue.path = path;
  issue.message = "no profile of this scheduler is called \"" + name + "\": " + who_waits + " for another scheduler";
  collect({issue}, "");
}

void Simulation::afterUnit(std::size_t first_entry) {
  std::vector<trace::Entry>& entries = recorder_.entries();
  trace::order(entries, first_entry);
  if (scheduler_ == nullptr || !recorder_.points) return;
  // When a pod's backoff ends is known to the queue alone; its last move of this unit tells it to whoever shows it.
  std::map<std::string, scheduler::QueuedPodView> waiting;
  for (std::size_t i = entries.size(); i > first_entry; --i) {
    trace::Entry& e = entries[i - 1];
    if (e.type != trace::Type::kMove || e.queue != "Backoff") continue;
    if (waiting.empty()) {
      for (scheduler::QueuedPodView& view : scheduler_->backoffQ()) waiting.emplace(view.pod, std::move(view));
    }
    auto it = waiting.find(e.pod);
    if (it == waiting.end()) continue;
    e.x_until = it->second.backoff_until;
    e.x_attempts = it->second.attempts;
  }
}

std::string Simulation::traceJson() const {
  return trace::toJson(scenario_.name, scenario_.release->version, recorder_.entries(), recorder_.start(), failure_);
}

}  // namespace podberth::session
