// Runs a scenario: the API server, the informers and the scheduler on one simulated clock, unit by unit.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/apiserver/client.h"
#include "core/apiserver/controllers/controllers.h"
#include "core/apiserver/server.h"
#include "core/clock/event_loop.h"
#include "core/informers/factory.h"
#include "core/scheduler/config/load.h"
#include "core/scheduler/scheduler.h"
#include "core/session/node_pool.h"
#include "core/session/scenario.h"
#include "core/trace/recorder.h"

namespace podberth::session {

struct InformerListers;

// A pod or a node as the informers saw it change, and where among the trace's entries.
struct ObjectChange {
  std::size_t entry = 0;      // how many entries there were before it
  api::ObjectPtr old_object;  // null: added
  api::ObjectPtr new_object;  // null: deleted
};

struct SimulationOptions {
  std::size_t detail_limit = 0;  // clusters with more nodes record cycles as summaries; 0 = no limit
  bool informers = false;
  bool points = true;
  bool states = true;             // record a state entry after each step
  std::optional<api::Kind> deaf;  // for tests: the informer of this kind lists but hears of no change
};

class Simulation {
 public:
  Simulation(const Scenario& scenario, SimulationOptions options);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Makes the objects that are there at first and starts the scheduler. False if it does not start: the trace ends with
  // why.
  bool start();
  // Does the next operation, or the next scheduling cycle of one. False if there is nothing left to do.
  bool runUnit();
  bool done() const { return done_; }
  // Why the scenario could not be run to its end; "" if it could.
  const std::string& failure() const { return failure_; }
  // Index of the step that the next unit belongs to, and how many cycles of it have been run.
  std::size_t nextStep() const { return next_step_; }
  int cyclesOfStep() const { return cycles_of_step_; }
  // Appends a step.
  void append(Op op);

  trace::Recorder& recorder() { return recorder_; }
  const trace::Recorder& recorder() const { return recorder_; }
  clock::EventLoop& loop() { return loop_; }
  scheduler::Scheduler* scheduler() { return scheduler_.get(); }
  const apiserver::Server& server() const { return server_; }
  const std::vector<ObjectChange>& changes() const { return changes_; }
  // Problems of objects and configuration, with paths into the scenario.
  const std::vector<api::Issue>& issues() const { return issues_; }
  // Before start(): time the decisions (see scheduler::Dependencies).
  void timeDecisions(std::int64_t (*clock)(), std::vector<std::int64_t>* spans) {
    decision_clock_ = clock;
    decisions_ = spans;
  }
  void setDetailLimit(std::size_t limit) { recorder_.detail_limit = limit; }
  std::string traceJson() const;

 private:
  struct Pending {
    std::shared_ptr<api::Object> object;
    std::size_t index = 0;
  };

  std::vector<Pending> populate();
  scheduler::config::Loaded loadConfig() const;
  bool startScheduler(const std::vector<Pending>& pending, std::string* error);
  informers::ListerWatcher source(api::Kind kind);
  // Does a scheduling cycle, or, if no pod waits for one, what the controllers are to do next. True if that ends the
  // step: after a cycle if `one_cycle`, or when nothing is left to be done.
  bool goOn(bool one_cycle);
  // Whether a step that has used up its rounds may have more, because the pods have become more.
  bool mayGoOn();
  bool controllersAreBusy() const;
  // The operations of a scenario (operations.cpp); each returns why it was refused, or "". `path` is where the object
  // stands in the scenario; `admitted`: only the store refused it.
  std::string create(const Op& op, const std::string& path, bool* admitted);
  std::string update(const Op& op, const std::string& path);
  std::string remove(const Op& op, const std::string& path, bool* unknown_kind);
  std::string createPool(const nlohmann::json& object, const std::string& path);
  std::string updatePool(const nlohmann::json& object, const std::string& path);
  std::string removePool(const std::string& name, const std::string& path);
  // Makes the nodes of a pool what they should be; those from `was` on are new.
  std::string applyPool(const NodePool& pool, int was, const std::string& path);
  std::string readPool(const nlohmann::json& object, const std::string& path, NodePool& out);
  // Why a pool would make the cluster too large; "" if it does not.
  std::string tooManyNodes(const NodePool& pool, const std::string& path);
  std::string refusePool(std::string text, const std::string& path);
  // Says once of a workload that nobody makes pods of it.
  void noteUnused(apiserver::Admitted& admitted) const;
  void finishStep();
  void snap();
  void reject(const std::string& object_json, const std::string& error);
  void collect(std::vector<api::Issue> issues, const std::string& prefix);
  // Warns about a pod that no profile is responsible for: nothing will ever happen to it here.
  void checkProfile(const api::Object& object, const std::string& path);
  // The same of the pods that a workload, as it was given, will have.
  void checkTemplate(const nlohmann::json& workload, const std::string& path);
  void warnUnlessProfile(const std::string& name, const std::string& path, const std::string& who_waits);
  void afterUnit(std::size_t first_entry);

  Scenario scenario_;
  SimulationOptions options_;
  clock::EventLoop loop_;
  trace::Recorder recorder_;
  scheduler::FeatureGates gates_;
  scheduler::Lots lots_;
  apiserver::Server server_;
  apiserver::Client client_;
  std::unique_ptr<apiserver::Controllers> controllers_;  // null if the scenario has none
  std::map<std::string, NodePool> pools_;                // by name
  std::unique_ptr<informers::SharedInformerFactory> informers_;
  std::unique_ptr<InformerListers> listers_;
  std::unique_ptr<scheduler::Scheduler> scheduler_;
  std::vector<std::string> profiles_;
  std::vector<std::size_t> workloads_;  // indices of those that are there at first

  std::size_t next_step_ = 0;
  bool in_settle_ = false;
  bool waiting_ = false;    // the controllers are at work, a cycle may follow
  int cycles_of_step_ = 0;  // scheduling cycles, with what the controllers did before each
  int rounds_of_step_ = 0;  // units
  int most_rounds_ = 0;
  clock::Duration left_to_advance_ = 0;
  bool done_ = false;
  std::string failure_;
  std::map<std::string, std::pair<const api::Object*, trace::PodState>> last_pods_;  // of the last state entry
  std::vector<api::ObjectPtr> last_pod_objects_;                                     // keeps those pointers alive
  std::vector<ObjectChange> changes_;
  std::vector<api::Issue> issues_;
  std::int64_t (*decision_clock_)() = nullptr;
  std::vector<std::int64_t>* decisions_ = nullptr;
};

}  // namespace podberth::session
