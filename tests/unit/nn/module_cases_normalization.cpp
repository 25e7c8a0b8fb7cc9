#include "module_cases.h"

namespace xlac::module_cases {

using namespace nn;

nn::NamedModules normalization() {
  InstanceNormOptions tracked{
      .num_features = 2, .affine = true, .track_running_stats = true};
  return {
      {"BatchNorm1d", BatchNorm1d(3)},
      {"BatchNorm1d of sequences", BatchNorm1d(3, 1e-3, 0.5)},
      {"BatchNorm2d", BatchNorm2d(2)},
      {"BatchNorm2d evaluated", BatchNorm2d(2)},
      {"BatchNorm2d of all batches", BatchNorm2d(2, 1e-5, std::nullopt)},
      {"BatchNorm2d alone",
       BatchNorm2d(
           {.num_features = 2, .affine = false, .track_running_stats = false})},
      {"BatchNorm3d", BatchNorm3d(2)},
      {"SyncBatchNorm", SyncBatchNorm(3)},
      {"InstanceNorm1d", InstanceNorm1d(3)},
      {"InstanceNorm1d unbatched",
       InstanceNorm1d({.num_features = 3, .affine = true})},
      {"InstanceNorm2d", InstanceNorm2d(tracked)},
      {"InstanceNorm2d evaluated", InstanceNorm2d(tracked)},
      {"InstanceNorm3d",
       InstanceNorm3d(
           {.num_features = 2, .momentum = 0.3, .track_running_stats = true})},
      {"LayerNorm", LayerNorm(4)},
      {"LayerNorm over two",
       LayerNorm({.normalized_shape = {3, 4}, .eps = 1e-3, .bias = false})},
      {"LayerNorm alone", LayerNorm(4, 1e-5, false)},
      {"RMSNorm", RMSNorm(4)},
      {"RMSNorm over two", RMSNorm({.normalized_shape = {3, 4},
                                    .eps = 1e-3,
                                    .elementwise_affine = false})},
      {"GroupNorm", GroupNorm(2, 4)},
      {"GroupNorm alone", GroupNorm(3, 6, 1e-3, false)},
      {"LocalResponseNorm", LocalResponseNorm(2)},
      {"LocalResponseNorm with numbers", LocalResponseNorm(3, 0.5, 0.6, 2.0)},
  };
}

} // namespace xlac::module_cases
