// Plays the objects and steps of a scenario against the API server alone: no scheduler runs.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace podberth::apiserver {

// What of a scenario was refused, in order: the texts up to the difference that upstream prints of pod specs.
std::vector<std::string> replay(const std::string& source);
// The same from a trace.
std::vector<std::string> rejections(const nlohmann::json& trace);

std::string readText(const std::string& file);
nlohmann::json readJson(const std::string& file);

}  // namespace podberth::apiserver
