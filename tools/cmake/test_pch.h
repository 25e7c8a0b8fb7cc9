// What almost every test of the front end includes; precompiled once.
#include "xlac/xlac.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>
