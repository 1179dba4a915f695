#include "core/session/bench.h"

#include <algorithm>
#include <vector>

#include "core/base/sort.h"
#include "core/session/simulation.h"

namespace podberth::session {

std::string bench(const Scenario& scenario, std::int64_t (*clock)()) {
  SimulationOptions options;
  options.detail_limit = 1;
  options.points = false;
  options.states = false;
  std::vector<std::int64_t> spans;
  Simulation simulation(scenario, options);
  simulation.timeDecisions(clock, &spans);
  simulation.start();
  while (simulation.runUnit()) {
  }
  std::size_t pods = 0;
  std::size_t bound = 0;
  for (const Op& op : scenario.steps) pods += op.kind == Op::Kind::kCreate ? 1 : 0;
  std::int64_t sum = 0;
  for (std::int64_t span : spans) sum += span;
  for (const trace::Entry& entry : simulation.recorder().entries()) bound += entry.type == trace::Type::kBind ? 1 : 0;
  base::stableSort(spans, std::less<>());
  const auto micros = [&](std::size_t per_cent) {
    return spans.empty() ? 0 : spans[std::min(spans.size() - 1, spans.size() * per_cent / 100)] / 1000;
  };
  std::string seconds = std::to_string(sum / 1000000000) + ".";
  const std::string fraction = std::to_string(sum % 1000000000 / 100000);
  seconds += std::string(4 - fraction.size(), '0') + fraction;
  return "{\"scheduler\":\"podberth " + std::string(scenario.release->version) + "\",\"pods\":" + std::to_string(pods) +
         ",\"bound\":" + std::to_string(bound) + ",\"decide_s\":" + seconds +
         ",\"decide_p50_us\":" + std::to_string(micros(50)) + ",\"decide_p99_us\":" + std::to_string(micros(99)) + "}";
}

}  // namespace podberth::session
