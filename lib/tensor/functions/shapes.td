#ifndef XLAC_TENSOR_FUNCTIONS_SHAPES
#define XLAC_TENSOR_FUNCTIONS_SHAPES

include "tensor/functions/Function.td"

def view : Function<"Tensor view(const Tensor &self, IntArrayRef sizes)",
                   [Method]> {
  let doc = [{Aliases self; one -1 allowed.}];
}
def view_as : Function<"Tensor view_as(const Tensor &self, const Tensor &other)",
                   [Method]>;
def reshape : Function<"Tensor reshape(const Tensor &self, IntArrayRef sizes)",
                   [Method]> {
  let doc = [{A view on xla; on the cpu a copy when strides ask for it.}];
}
def flatten : Function<"Tensor flatten(const Tensor &self, int64_t start_dim = 0, int64_t end_dim = -1)",
                   [Method]>;
def t : Function<"Tensor t(const Tensor &self)", [Method]>;
def transpose : Function<"Tensor transpose(const Tensor &self, int64_t dim0, int64_t dim1)",
                   [Method]>;
def permute : Function<"Tensor permute(const Tensor &self, IntArrayRef dims)",
                   [Method]>;
def expand : Function<"Tensor expand(const Tensor &self, IntArrayRef sizes)",
                   [Method]>;
def squeeze : Function<"Tensor squeeze(const Tensor &self, int64_t dim)",
                   [Method]>;
def unsqueeze : Function<"Tensor unsqueeze(const Tensor &self, int64_t dim)",
                   [Method]>;
def select : Function<"Tensor select(const Tensor &self, int64_t dim, int64_t index)",
                   [Method]>;
def narrow : Function<"Tensor narrow(const Tensor &self, int64_t dim, int64_t start, int64_t length)",
                   [Method]>;
def slice : Function<"Tensor slice(const Tensor &self, int64_t dim, std::optional<int64_t> start = {}, std::optional<int64_t> end = {}, int64_t step = 1)",
                   [Method]>;
def cat : Function<"Tensor cat(const std::vector<Tensor> &tensors, int64_t dim = 0)",
                   [Out]>;
def stack : Function<"Tensor stack(const std::vector<Tensor> &tensors, int64_t dim = 0)",
                   [Out]>;
def clone : Function<"Tensor clone(const Tensor &self)", [Method]> {
  let doc = [{A new tensor of the same values.}];
}
def contiguous : Function<"Tensor contiguous(const Tensor &self)", [Method]>;
def detach : Function<"Tensor detach(const Tensor &self)", [Method]> {
  let doc = [{Aliases self.}];
}
def copy_ : Function<"Tensor &copy_(Tensor &self, const Tensor &src, bool non_blocking = false)",
                   [Method]> {
  let doc = [{Writes src's values, across devices and dtypes.}];
}
def fill_ : Function<"Tensor &fill_(Tensor &self, Scalar value)", [Method]>;
def zero_ : Function<"Tensor &zero_(Tensor &self)", [Method]>;

#endif
