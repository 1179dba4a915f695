// Documents of our own in a scenario, that Kubernetes does not have. examples/EXTENDERS.md and
// examples/SAMPLE-PLUGINS.md describe them for those who write them.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/api/decode.h"
#include "core/scheduler/config/extender.h"
#include "core/scheduler/extender_rules.h"

namespace podberth::session {

// Reads a list of Extender documents at `path`. False if one of them is wrong; every mistake is an issue at its place.
bool readExtenders(const nlohmann::json& list, const std::string& path, std::vector<scheduler::ExtenderServer>& out,
                   std::vector<api::Issue>& issues);

// What does not fit between the configuration's extenders and the documents, as warnings: extenders for whom no
// document answers, documents and rules that nobody will ask.
void checkExtenders(const std::vector<scheduler::config::Extender>& configured,
                    const std::vector<scheduler::ExtenderServer>& servers, std::vector<api::Issue>& issues);

// What is wrong with the sample plugins' arguments in a configuration, each mistake at its place.
void checkSampleArgs(const nlohmann::json& config, std::vector<api::Issue>& issues);

}  // namespace podberth::session
