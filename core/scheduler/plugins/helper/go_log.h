// The natural logarithm as the real scheduler computes it: Go's math.Log, which follows FreeBSD's e_log.c. std::log of
// other systems differs in the last bit for some small integers, and scores would differ with it.
#pragma once

namespace podberth::scheduler::plugins {

// Of positive, finite, normal numbers to the bit as Go on amd64; NaN below zero, -Inf at zero, NaN and +Inf stay.
double goLog(double x);

}  // namespace podberth::scheduler::plugins
