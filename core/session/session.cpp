#include "core/session/session.h"

#include <algorithm>
#include <utility>

#include "core/scheduler/config/expand.h"
#include "core/scheduler/config/load.h"
#include "core/scheduler/plugins/registry.h"
#include "core/trace/json_text.h"

namespace podberth::session {

using nlohmann::json;
using trace::JsonText;

namespace {

constexpr std::size_t kMaxIssues = 200;

const char* severityName(api::Issue::Severity severity) {
  switch (severity) {
    case api::Issue::Severity::kError:
      return "error";
    case api::Issue::Severity::kWarning:
      return "warning";
    case api::Issue::Severity::kInfo:
      return "info";
  }
  return "error";
}

api::Issue error(std::string path, std::string message) {
  api::Issue issue;
  issue.path = std::move(path);
  issue.message = std::move(message);
  return issue;
}

std::string refusal(std::string message) { return answer(false, {error("", std::move(message))}, ""); }

bool isSeen(const trace::Entry& e) {
  switch (e.type) {
    case trace::Type::kMove:
    case trace::Type::kPreEnqueue:
    case trace::Type::kCycle:
    case trace::Type::kPoint:
    case trace::Type::kBind:
    case trace::Type::kEvict:
    case trace::Type::kProvision:
    case trace::Type::kBindVolume:
    case trace::Type::kConfig:
    case trace::Type::kControl:
    case trace::Type::kExtender:
      return true;
    case trace::Type::kOp:
      // "step" and "settle" only let the scheduler go on; what it does then is what can be seen.
      return !e.rejected.empty() || (e.op_json.find("\"op\":\"settle\"") == std::string::npos &&
                                     e.op_json.find("\"op\":\"step\"") == std::string::npos);
    case trace::Type::kState:
    case trace::Type::kSkip:
    case trace::Type::kInFlight:
    case trace::Type::kEvent:
    case trace::Type::kLog:
    case trace::Type::kInformer:
      return false;
  }
  return false;
}

// The plugins of a release, with what they do.
void appendPlugins(JsonText& text, release::PluginSet set) {
  text.key("plugins").beginArray();
  constexpr scheduler::Point kPoints[] = {
      scheduler::Point::kPreEnqueue, scheduler::Point::kQueueSort,  scheduler::Point::kPreFilter,
      scheduler::Point::kFilter,     scheduler::Point::kPostFilter, scheduler::Point::kPreScore,
      scheduler::Point::kScore,      scheduler::Point::kReserve,    scheduler::Point::kPermit,
      scheduler::Point::kPreBind,    scheduler::Point::kBind,       scheduler::Point::kPostBind};
  for (const scheduler::plugins::PluginFactory& f : scheduler::plugins::registry(set)) {
    text.beginObject().key("name").string(f.name).key("points").beginArray();
    for (scheduler::Point p : kPoints) {
      if (scheduler::has(f.points, p)) text.string(scheduler::pointName(p));
    }
    text.endArray().key("defaultWeight").number(f.default_weight);
    text.key("scores").boolean(scheduler::has(f.points, scheduler::Point::kScore)).endObject();
  }
  text.endArray();
}

}  // namespace

std::string answer(bool ok, const std::vector<api::Issue>& issues, const std::string& members) {
  std::string out;
  JsonText text(out);
  text.beginObject().key("ok").boolean(ok).key("issues").beginArray();
  // Errors first: in a large cluster the remarks about fields that do not matter would leave no room for them.
  using Severity = api::Issue::Severity;
  std::size_t n = 0;
  for (const Severity severity : {Severity::kError, Severity::kWarning, Severity::kInfo}) {
    for (const api::Issue& issue : issues) {
      if (issue.severity != severity || ++n > kMaxIssues) continue;
      text.beginObject().key("severity").string(severityName(issue.severity));
      text.key("path").string(issue.path).key("message").string(issue.message).endObject();
    }
  }
  text.endArray();
  if (!members.empty()) {
    out += ',';
    out += members;
  }
  out += '}';
  return out;
}

std::string Session::version() {
  std::string out;
  JsonText text(out);
  text.beginObject().key("ok").boolean(true).key("issues").beginArray().endArray();
  text.key("version").string("0.1.0").key("release").string(release::newest().version);
  text.key("releases").beginArray();
  for (const release::Release* release : release::all()) {
    text.beginObject().key("name").string(release->name).key("version").string(release->version);
    appendPlugins(text, release->plugins);
    text.endObject();
  }
  text.endArray();
  appendPlugins(text, release::newest().plugins);
  text.endObject();
  return out;
}

std::string Session::position() const {
  std::string out =
      "\"steps\":" + std::to_string(visible_.size()) + ",\"done\":" + (simulation_->done() ? "true" : "false");
  out += ",\"t\":";
  trace::appendSeconds(out, simulation_->loop().now() - simulation_->recorder().start());
  if (!simulation_->failure().empty()) {
    out += ",\"failure\":";
    trace::appendQuoted(out, simulation_->failure());
  }
  return out;
}

void Session::begin(Scenario scenario) {
  scenario_ = std::move(scenario);
  simulation_ = std::make_unique<Simulation>(scenario_, options_);
  units_.clear();
  visible_.clear();
  checkpoints_.clear();
  chain_ = Hash();
  hashed_ = 0;
  step_ = 0;
  board_ = Board(scenario_.release->framework);
  folded_entries_ = 0;
  folded_changes_ = 0;
  told_issues_ = 0;
  simulation_->start();
  note(simulation_->recorder().entries().size());
  // A scheduler that does not start is a step of its own.
  const std::vector<trace::Entry>& entries = simulation_->recorder().entries();
  if (!entries.empty() && entries.back().type == trace::Type::kConfig) {
    visible_.push_back({entries.size() - 1, 0, chain_.value()});
  }
  foldUpTo(endOf(0));
}

std::string Session::load(const std::string& scenario_text, const std::string& options_text) {
  std::vector<api::Issue> issues;
  json value;
  json options;
  Scenario scenario;
  if (!parseJson(scenario_text, value, issues) || !readScenario(value, scenario, issues, scenario_text))
    return answer(false, issues, "");
  SimulationOptions simulation_options;
  simulation_options.detail_limit = 200;
  std::vector<api::Issue> ignored;
  if (!options_text.empty() && parseJson(options_text, options, ignored) && options.is_object()) {
    auto limit = options.find("detailLimit");
    if (limit != options.end() && limit->is_number_unsigned()) {
      simulation_options.detail_limit = limit->get<std::size_t>();
    }
    auto informers = options.find("informers");
    if (informers != options.end() && informers->is_boolean()) simulation_options.informers = informers->get<bool>();
    if (auto wanted = options.find("release"); wanted != options.end() && wanted->is_string()) {
      scenario.release = release::find(wanted->get_ref<const std::string&>());
      if (scenario.release == nullptr) {
        return refusal("release \"" + wanted->get<std::string>() + "\" is not simulated; there are " +
                       release::versions());
      }
    }
    if (auto follow = options.find("follow"); follow != options.end() && !follow->is_null()) {
      if (!readFollowed(*follow, scenario.follow, issues)) return answer(false, issues, "");
    }
  }
  options_ = simulation_options;
  begin(std::move(scenario));
  issues.insert(issues.end(), simulation_->issues().begin(), simulation_->issues().end());
  told_issues_ = simulation_->issues().size();
  return answer(true, issues, position());
}

bool Session::runUnit() {
  const std::size_t first = simulation_->recorder().entries().size();
  Unit unit;
  unit.first_entry = first;
  unit.step = simulation_->nextStep();
  if (!simulation_->runUnit()) return false;
  unit.cycles = simulation_->cyclesOfStep();
  unit.finished = simulation_->nextStep() != unit.step;
  units_.push_back(unit);
  note(first);
  return true;
}

void Session::note(std::size_t first_entry) {
  const std::vector<trace::Entry>& entries = simulation_->recorder().entries();
  const clock::Time zero = simulation_->recorder().start();
  std::string text;
  for (std::size_t i = hashed_; i < entries.size(); ++i) {
    if (i >= first_entry && isSeen(entries[i])) visible_.push_back({i, units_.empty() ? 0 : units_.size() - 1, 0});
    text.clear();
    trace::appendJson(text, entries[i], zero);
    chain_.add(text);
    if (!visible_.empty()) visible_.back().hash = chain_.value();
  }
  hashed_ = entries.size();
}

std::string Session::run(const std::string& budget_text) {
  if (simulation_ == nullptr) return refusal("no scenario is loaded");
  json budget;
  std::vector<api::Issue> issues;
  if (!parseJson(budget_text.empty() ? "{}" : budget_text, budget, issues)) return answer(false, issues, "");
  std::int64_t units = 20;
  std::int64_t until = 0;
  if (budget.is_object()) {
    auto n = budget.find("units");
    if (n != budget.end() && n->is_number_integer()) units = n->get<std::int64_t>();
    auto ms = budget.find("milliseconds");
    if (ms != budget.end() && ms->is_number() && clock_ != nullptr) {
      until = clock_() + static_cast<std::int64_t>(std::min(ms->get<double>(), 1e6) * 1e6);
      units = -1;
    }
    auto end = budget.find("toEnd");
    if (end != budget.end() && end->is_boolean() && end->get<bool>()) units = -1;
  }
  for (std::int64_t i = 0; units < 0 || i < units; ++i) {
    if (!runUnit()) break;
    if (until != 0 && clock_() >= until) break;
  }
  const std::vector<api::Issue>& all = simulation_->issues();
  issues.assign(all.begin() + static_cast<std::ptrdiff_t>(std::min(told_issues_, all.size())), all.end());
  told_issues_ = all.size();
  return answer(true, issues, position());
}

std::size_t Session::endOf(std::size_t step) const {
  const std::size_t all = simulation_->recorder().entries().size();
  return step < visible_.size() ? visible_[step].entry : all;  // visible_[step] is the step after `step`
}

void Session::foldUpTo(std::size_t entry) {
  const std::vector<trace::Entry>& entries = simulation_->recorder().entries();
  const std::vector<ObjectChange>& changes = simulation_->changes();
  while (folded_entries_ < entry) {
    while (folded_changes_ < changes.size() && changes[folded_changes_].entry <= folded_entries_) {
      board_.apply(changes[folded_changes_++]);
    }
    board_.apply(entries[folded_entries_++]);
  }
  // What changed after the last of these entries and before the next one is seen now: a deleted pod is gone in the step
  // that deletes it.
  while (folded_changes_ < changes.size() && changes[folded_changes_].entry <= entry) {
    board_.apply(changes[folded_changes_++]);
  }
}

void Session::moveTo(std::size_t step) {
  constexpr std::size_t kSpacing = 256;
  if (step < step_) {
    // Back to the last checkpoint before it, and on from there.
    Checkpoint start;
    for (const Checkpoint& c : checkpoints_) {
      if (c.step <= step && c.step >= start.step) start = c;
    }
    board_ = start.board;
    folded_entries_ = start.entry;
    folded_changes_ = start.change;
    step_ = start.step;
    if (step_ == 0) foldUpTo(endOf(0));
  }
  while (step_ < step) {
    ++step_;
    foldUpTo(endOf(step_));
    if (step_ % kSpacing == 0 && (checkpoints_.empty() || checkpoints_.back().step < step_) &&
        checkpoints_.size() < 64 && board_.pods().size() + board_.nodes().size() < 3000) {
      Checkpoint c;
      c.step = step_;
      c.board = board_;
      c.entry = folded_entries_;
      c.change = folded_changes_;
      checkpoints_.push_back(std::move(c));
    }
  }
  foldUpTo(endOf(step_));  // what has been computed since belongs to the last step
}

std::string Session::seek(const std::string& target_text) {
  if (simulation_ == nullptr) return refusal("no scenario is loaded");
  json target;
  std::vector<api::Issue> issues;
  if (!parseJson(target_text.empty() ? "{}" : target_text, target, issues)) return answer(false, issues, "");
  std::size_t step = step_;
  bool all_nodes = false;
  if (target.is_object()) {
    auto s = target.find("step");
    if (s != target.end() && s->is_number()) {
      const double wanted = s->get<double>();
      step = wanted > 0 ? static_cast<std::size_t>(std::min(wanted, 1e9)) : 0;
    }
    auto nodes = target.find("nodes");
    all_nodes = nodes != target.end() && nodes->is_string() && nodes->get_ref<const std::string&>() == "all";
  }
  while (step > visible_.size() && runUnit()) {
  }
  step = std::min(step, visible_.size());
  if (step < step_) board_.takeChanged();
  const bool back = step < step_;
  moveTo(step);
  return frame(all_nodes || back);
}

std::string Session::apply(const std::string& op_text) {
  if (simulation_ == nullptr) return refusal("no scenario is loaded");
  json value;
  std::vector<api::Issue> issues;
  Op op;
  if (!parseJson(op_text, value, issues)) return answer(false, issues, "");
  bool at_end = false;
  if (value.is_object()) {
    auto at = value.find("at");
    at_end = at != value.end() && at->is_string() && at->get_ref<const std::string&>() == "end";
    value.erase("at");
  }
  if (!readOp(value, "", op, issues, op_text)) return answer(false, issues, "");
  int cut_cycles = 0;
  if (at_end || step_ >= visible_.size()) {
    while (runUnit()) {
    }
  } else {
    // Everything up to the unit of the present step stays; of a settle the cycles that have been run.
    Scenario scenario = scenario_;
    const std::size_t unit = step_ == 0 ? 0 : visible_[step_ - 1].unit;
    std::vector<Op> steps;
    if (step_ > 0 && unit < units_.size()) {
      const Unit& last = units_[unit];
      steps.assign(scenario.steps.begin(), scenario.steps.begin() + static_cast<std::ptrdiff_t>(last.step));
      const Op& cut = scenario.steps[last.step];
      if (last.finished || cut.kind != Op::Kind::kSettle) {
        steps.push_back(cut);
      } else {
        Op step;
        step.kind = Op::Kind::kStep;
        step.json = R"({"op":"step"})";
        for (int i = 0; i < last.cycles; ++i) steps.push_back(step);
        cut_cycles = last.cycles;
      }
    }
    scenario.steps = std::move(steps);
    begin(std::move(scenario));
    while (runUnit()) {
    }
  }
  const std::size_t before = visible_.size();
  told_issues_ = simulation_->issues().size();
  scenario_.steps.push_back(op);
  simulation_->append(op);
  const std::size_t first = simulation_->recorder().entries().size();
  while (runUnit()) {
  }
  std::string rejected;
  const std::vector<trace::Entry>& entries = simulation_->recorder().entries();
  for (std::size_t i = first; i < entries.size(); ++i) {
    if (entries[i].type == trace::Type::kOp) {
      rejected = entries[i].rejected;
      break;
    }
  }
  const std::vector<api::Issue>& all = simulation_->issues();
  issues.assign(all.begin() + static_cast<std::ptrdiff_t>(std::min(told_issues_, all.size())), all.end());
  told_issues_ = all.size();
  moveTo(std::min(step_, visible_.size()));
  std::string members = position() + ",\"firstStep\":" + std::to_string(std::min(before + 1, visible_.size())) +
                        ",\"cut\":" + std::to_string(cut_cycles) + ",\"rejected\":";
  trace::appendQuoted(members, rejected);
  return answer(true, issues, members);
}

std::string Session::check(const std::string& document_text) {
  json document;
  std::vector<api::Issue> issues;
  if (!parseJson(document_text, document, issues)) return answer(false, issues, "");
  if (!document.is_object()) return refusal("the document must be an object");
  document.erase("steps");
  Scenario scenario;
  if (!readScenario(document, scenario, issues, document_text)) return answer(false, issues, "");
  SimulationOptions options;
  options.detail_limit = 1;
  options.points = false;
  Simulation simulation(scenario, options);
  simulation.start();
  issues.insert(issues.end(), simulation.issues().begin(), simulation.issues().end());
  return answer(true, issues, "");
}

std::string Session::trace(const std::string& /*options*/) {
  if (simulation_ == nullptr) return refusal("no scenario is loaded");
  while (runUnit()) {
  }
  std::string members = "\"trace\":";
  trace::appendQuoted(members, simulation_->traceJson());
  return answer(true, {}, members);
}

std::vector<std::pair<std::string, std::int32_t>> Session::scoreWeights(const std::string& profile) const {
  const scheduler::FeatureGates gates(*scenario_.release);
  const scheduler::config::Loaded loaded = scheduler::config::load(scenario_.config_text, gates);
  for (const scheduler::config::Profile& p : loaded.config.profiles) {
    if (p.scheduler_name != profile) continue;
    scheduler::config::ExpandedPlugins expanded;
    const scheduler::config::PointsOf points_of =
        scheduler::plugins::pointsOf(scenario_.release->plugins, scenario_.sample_plugins);
    if (scheduler::config::expandPlugins(p, points_of, expanded).empty()) return expanded.score;
  }
  return {};
}

}  // namespace podberth::session
