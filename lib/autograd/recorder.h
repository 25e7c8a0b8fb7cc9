// Installation of the recorder: calls are recorded from then on.
#pragma once

namespace xlac::autograd {

void install_recorder();

} // namespace xlac::autograd
