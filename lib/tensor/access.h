#include "xlac/tensor/access.h"
