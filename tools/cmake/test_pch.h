// Headers that most tests of the front end include; precompiled once.
#include "xlac/xlac.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>
