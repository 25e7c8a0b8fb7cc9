// Headers that the examples include; precompiled once.
#include "xlac/xlac.h"
