// The judge of compare.py in C++, so that every vector is a test of its own: two traces are equal if all that counts in
// them is. See compare.py for what counts; a run of the tests also lets compare.py itself judge the same traces.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace podberth::conformance {

// The first differences, in words; none if the traces are equal.
std::vector<std::string> differences(const nlohmann::json& ours, const nlohmann::json& oracle);

}  // namespace podberth::conformance
