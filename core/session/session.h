// The only door into the core. JSON text goes in and out; a failure is a value. wasm/DOOR.md describes every field.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/session/board.h"
#include "core/session/scenario.h"
#include "core/session/simulation.h"
#include "core/trace/explain.h"

namespace podberth::session {

class Session {
 public:
  static std::string version();

  std::string load(const std::string& scenario, const std::string& options);
  std::string run(const std::string& budget);
  std::string seek(const std::string& target);
  std::string apply(const std::string& op);
  std::string attempt(const std::string& query);
  std::string explain(const std::string& query);
  std::string check(const std::string& document);
  std::string trace(const std::string& options);

  // `clock` returns nanoseconds; used by run() with a budget of milliseconds. Without one a budget is 20 units.
  void setClock(std::int64_t (*clock)()) { clock_ = clock; }
  std::size_t steps() const { return visible_.size(); }

 private:
  // A step that can be seen: an entry of the trace, with all that follows it before the next such entry.
  struct Visible {
    std::size_t entry = 0;
    std::size_t unit = 0;
    std::uint64_t hash = 0;  // of all entries up to the next step
  };
  struct Unit {
    std::size_t first_entry = 0;
    std::size_t step = 0;   // of the scenario
    int cycles = 0;         // of that step, run when the unit was over
    bool finished = false;  // the unit ended the step
  };
  struct Checkpoint {
    std::size_t step = 0;
    Board board;
    std::size_t entry = 0;
    std::size_t change = 0;
  };

  void begin(Scenario scenario);
  bool runUnit();
  void note(std::size_t first_entry);
  void moveTo(std::size_t step);
  void foldUpTo(std::size_t entry);
  std::size_t endOf(std::size_t step) const;
  std::string frame(bool all_nodes);
  trace::OpWords words(const trace::Entry& entry) const;
  const trace::Entry* findCycle(const nlohmann::json& query, std::size_t* step) const;
  std::shared_ptr<trace::Cycle> detailed(std::size_t entry) const;
  Board boardBefore(std::size_t entry) const;
  std::string position() const;
  std::vector<std::pair<std::string, std::int32_t>> scoreWeights(const std::string& profile) const;

  Scenario scenario_;
  SimulationOptions options_;
  std::unique_ptr<Simulation> simulation_;
  std::vector<Unit> units_;
  std::vector<Visible> visible_;
  Hash chain_;
  std::size_t hashed_ = 0;  // entries in chain_
  std::size_t told_issues_ = 0;
  std::int64_t (*clock_)() = nullptr;

  std::size_t step_ = 0;
  Board board_;
  std::size_t folded_entries_ = 0;
  std::size_t folded_changes_ = 0;
  std::vector<Checkpoint> checkpoints_;
};

// {"ok":false,"issues":[...]} or {"ok":true,...}; `members` is the inside of an object, without braces.
std::string answer(bool ok, const std::vector<api::Issue>& issues, const std::string& members);

}  // namespace podberth::session
