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

def view_dtype : Function<"Tensor view(const Tensor &self, Dtype dtype)",
                   [Method]> {
  let doc = [{The same bytes under another dtype.}];
}
def reshape_as : Function<"Tensor reshape_as(const Tensor &self, const Tensor &other)",
                   [Method]>;
def ravel : Function<"Tensor ravel(const Tensor &self)",
                   [Method]>;
def unflatten : Function<"Tensor unflatten(const Tensor &self, int64_t dim, IntArrayRef sizes)",
                   [Method]>;
def squeeze_all : Function<"Tensor squeeze(const Tensor &self)",
                   [Method]>;
def squeeze_dims : Function<"Tensor squeeze(const Tensor &self, IntArrayRef dims)",
                   [Method]>;
def mT : Function<"Tensor mT(const Tensor &self)",
                   [Method]> {
  let doc = [{The last two dimensions swapped.}];
}
def adjoint : Function<"Tensor adjoint(const Tensor &self)",
                   [Method]> {
  let doc = [{mT(), conjugated.}];
}
def swapaxes : Function<"Tensor swapaxes(const Tensor &self, int64_t axis0, int64_t axis1)",
                   [Method]>;
def movedim : Function<"Tensor movedim(const Tensor &self, IntArrayRef source, IntArrayRef destination)",
                   [Method]>;
def expand_as : Function<"Tensor expand_as(const Tensor &self, const Tensor &other)",
                   [Method]>;
def broadcast_to : Function<"Tensor broadcast_to(const Tensor &self, IntArrayRef sizes)",
                   [Method]>;
def broadcast_tensors : Function<"std::vector<Tensor> broadcast_tensors(const std::vector<Tensor> &tensors)",
                   []> {
  let doc = [{Views of the shape that all of them broadcast to.}];
}
def split : Function<"std::vector<Tensor> split(const Tensor &self, int64_t split_size, int64_t dim = 0)",
                   [Method]> {
  let doc = [{Views of split_size elements of dim each, the last one smaller.}];
}
def split_list : Function<"std::vector<Tensor> split(const Tensor &self, IntArrayRef split_sizes, int64_t dim = 0)",
                   [Method]>;
def split_with_sizes : Function<"std::vector<Tensor> split_with_sizes(const Tensor &self, IntArrayRef split_sizes, int64_t dim = 0)",
                   [Method]>;
def chunk : Function<"std::vector<Tensor> chunk(const Tensor &self, int64_t chunks, int64_t dim = 0)",
                   [Method]>;
def tensor_split : Function<"std::vector<Tensor> tensor_split(const Tensor &self, int64_t sections, int64_t dim = 0)",
                   [Method]> {
  let doc = [{Views of sizes that differ by one at most.}];
}
def tensor_split_indices : Function<"std::vector<Tensor> tensor_split(const Tensor &self, IntArrayRef indices, int64_t dim = 0)",
                   [Method]> {
  let doc = [{Views of the parts between the indices. A single index is given as a Shape, since braces around one number mean a number of sections.}];
}
def unbind : Function<"std::vector<Tensor> unbind(const Tensor &self, int64_t dim = 0)",
                   [Method]>;
def diagonal : Function<"Tensor diagonal(const Tensor &self, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1)",
                   [Method]>;
def unfold : Function<"Tensor unfold(const Tensor &self, int64_t dimension, int64_t size, int64_t step)",
                   [Method]> {
  let doc = [{Windows along dimension, their elements in a new last one.}];
}
def as_strided : Function<"Tensor as_strided(const Tensor &self, IntArrayRef size, IntArrayRef stride, std::optional<int64_t> storage_offset = {})",
                   [Method]> {
  let doc = [{On xla the strides count elements of self in order, on the cpu those of its memory.}];
}
def real : Function<"Tensor real(const Tensor &self)",
                   [Method]> {
  let doc = [{A view of the real parts; self when it is real.}];
}
def imag : Function<"Tensor imag(const Tensor &self)",
                   [Method]> {
  let doc = [{A view of the imaginary parts.}];
}
def view_as_real : Function<"Tensor view_as_real(const Tensor &self)",
                   []>;
def view_as_complex : Function<"Tensor view_as_complex(const Tensor &self)",
                   []>;
def set_ : Function<"Tensor &set_(Tensor &self, const Tensor &other)",
                   [Method]> {
  let doc = [{Becomes an alias of other.}];
}
def resize_ : Function<"Tensor &resize_(Tensor &self, IntArrayRef sizes)",
                   [Method]> {
  let doc = [{Keeps the elements in order; new ones are 0.}];
}
def type_as : Function<"Tensor type_as(const Tensor &self, const Tensor &other)",
                   [Method]>;
def copy : Function<"Tensor copy(const Tensor &self)",
                   []> {
  let doc = [{Python's copy.copy: a copy of its own that requires grad as self does, outside of the graph.}];
}
def deepcopy : Function<"Tensor deepcopy(const Tensor &self)",
                   []> {
  let doc = [{The same as copy().}];
}

def hstack : Function<"Tensor hstack(const std::vector<Tensor> &tensors)",
                   [Out]>;
def vstack : Function<"Tensor vstack(const std::vector<Tensor> &tensors)",
                   [Out]>;
def dstack : Function<"Tensor dstack(const std::vector<Tensor> &tensors)",
                   [Out]>;
def column_stack : Function<"Tensor column_stack(const std::vector<Tensor> &tensors)",
                   [Out]>;
def block_diag : Function<"Tensor block_diag(const std::vector<Tensor> &tensors)">;
def repeat : Function<"Tensor repeat(const Tensor &self, IntArrayRef repeats)",
                   [Method]>;
def tile : Function<"Tensor tile(const Tensor &self, IntArrayRef dims)",
                   [Method]>;
def repeat_interleave : Function<"Tensor repeat_interleave(const Tensor &self, int64_t repeats, std::optional<int64_t> dim = {})",
                   [Method]>;
def repeat_interleave_tensor : Function<"Tensor repeat_interleave(const Tensor &self, const Tensor &repeats, std::optional<int64_t> dim = {})",
                   [Method]> {
  let doc = [{Runs the pending operations of repeats.}];
}
def flip : Function<"Tensor flip(const Tensor &self, IntArrayRef dims)",
                   [Method]>;
def fliplr : Function<"Tensor fliplr(const Tensor &self)",
                   [Method]>;
def flipud : Function<"Tensor flipud(const Tensor &self)",
                   [Method]>;
def rot90 : Function<"Tensor rot90(const Tensor &self, int64_t k = 1, IntArrayRef dims = {0, 1})",
                   [Method]>;
def roll : Function<"Tensor roll(const Tensor &self, IntArrayRef shifts, IntArrayRef dims = {})",
                   [Method]> {
  let doc = [{Without dims the flattened tensor is rolled.}];
}
def constant_pad_nd : Function<"Tensor constant_pad_nd(const Tensor &self, IntArrayRef pad, Scalar value = 0)"> {
  let doc = [{Negative paddings remove elements.}];
}
def pad : Function<"Tensor pad(const Tensor &self, IntArrayRef pad, std::string_view mode = \"constant\", std::optional<double> value = {})"> {
  let doc = [{mode is constant, reflect, replicate or circular.}];
}
def functional_pad : Function<"Tensor pad(const Tensor &input, IntArrayRef pad, std::string_view mode = \"constant\", std::optional<double> value = {})"> {
  let doc = [{mode is constant, reflect, replicate or circular.}];
  let cxx_namespace = "nn::functional";
}
def reflection_pad1d : Function<"Tensor reflection_pad1d(const Tensor &self, IntArrayRef padding)">;
def reflection_pad2d : Function<"Tensor reflection_pad2d(const Tensor &self, IntArrayRef padding)">;
def reflection_pad3d : Function<"Tensor reflection_pad3d(const Tensor &self, IntArrayRef padding)">;
def replication_pad1d : Function<"Tensor replication_pad1d(const Tensor &self, IntArrayRef padding)">;
def replication_pad2d : Function<"Tensor replication_pad2d(const Tensor &self, IntArrayRef padding)">;
def replication_pad3d : Function<"Tensor replication_pad3d(const Tensor &self, IntArrayRef padding)">;
def tril : Function<"Tensor tril(const Tensor &self, int64_t diagonal = 0)",
                   [Method, InPlace, Out]>;
def triu : Function<"Tensor triu(const Tensor &self, int64_t diagonal = 0)",
                   [Method, InPlace, Out]>;
def diag : Function<"Tensor diag(const Tensor &self, int64_t diagonal = 0)",
                   [Method, Out]>;
def diag_embed : Function<"Tensor diag_embed(const Tensor &self, int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1)",
                   [Method]>;
def diagflat : Function<"Tensor diagflat(const Tensor &self, int64_t offset = 0)",
                   [Method]>;
def pixel_shuffle : Function<"Tensor pixel_shuffle(const Tensor &self, int64_t upscale_factor)">;
def pixel_unshuffle : Function<"Tensor pixel_unshuffle(const Tensor &self, int64_t downscale_factor)">;
def channel_shuffle : Function<"Tensor channel_shuffle(const Tensor &self, int64_t groups)">;

def fill_tensor_ : Function<"Tensor &fill_(Tensor &self, const Tensor &value)",
                   [Method]>;
def squeeze_all_ : Function<"Tensor &squeeze_(Tensor &self)",
                   [Method]> {
  let doc = [{The tensor itself becomes the view; the other view functions that end in _ do the same.}];
}
def squeeze_ : Function<"Tensor &squeeze_(Tensor &self, int64_t dim)",
                   [Method]>;
def unsqueeze_ : Function<"Tensor &unsqueeze_(Tensor &self, int64_t dim)",
                   [Method]>;
def transpose_ : Function<"Tensor &transpose_(Tensor &self, int64_t dim0, int64_t dim1)",
                   [Method]>;
def swapaxes_ : Function<"Tensor &swapaxes_(Tensor &self, int64_t axis0, int64_t axis1)",
                   [Method]>;
def t_ : Function<"Tensor &t_(Tensor &self)",
                   [Method]>;
def as_strided_ : Function<"Tensor &as_strided_(Tensor &self, IntArrayRef size, IntArrayRef stride, std::optional<int64_t> storage_offset = {})",
                   [Method]>;

#endif
