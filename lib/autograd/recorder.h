// Makes calls recorded from now on.
#pragma once

namespace xlac::autograd {

void install_recorder();

} // namespace xlac::autograd
