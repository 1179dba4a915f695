// Plays the objects and steps of a scenario against the API server alone: no scheduler runs.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace podberth::apiserver {

// What was refused, in order: the texts up to the difference that upstream prints of pod specs.
std::vector<std::string> replay(const nlohmann::json& scenario);
// The same from a trace.
std::vector<std::string> rejections(const nlohmann::json& trace);

nlohmann::json readJson(const std::string& file);

}  // namespace podberth::apiserver
