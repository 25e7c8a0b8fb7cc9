#ifndef XLAC_TENSOR_FUNCTIONS_SHAPES
#define XLAC_TENSOR_FUNCTIONS_SHAPES

include "tensor/functions/Function.td"

def view : Function<"Tensor view(const Tensor &self, IntArrayRef sizes)",
                   [Method]> {
  let doc = [{Returns a view with other sizes, of which one may be -1 and is inferred. Throws ShapeError if the number of elements differs, and on the cpu if the strides allow no such view.}];
}
def view_as : Function<"Tensor view_as(const Tensor &self, const Tensor &other)",
                   [Method]> {
  let doc = [{Returns a view with the sizes of `other`; errors as in view.}];
}
def reshape : Function<"Tensor reshape(const Tensor &self, IntArrayRef sizes)",
                   [Method]> {
  let doc = [{Returns the elements in order with other sizes, of which one may be -1 and is inferred: a view, or a copy on the cpu if the strides allow no view. Throws ShapeError if the number of elements differs.}];
}
def flatten : Function<"Tensor flatten(const Tensor &self, int64_t start_dim = 0, int64_t end_dim = -1)",
                   [Method]> {
  let doc = [{Merges the dimensions from `start_dim` to `end_dim` as reshape does; a tensor without dimensions gets one. Throws ShapeError if `start_dim` comes after `end_dim`.}];
}
def t : Function<"Tensor t(const Tensor &self)", [Method]> {
  let doc = [{Returns a view with the two dimensions swapped; fewer than two stay as they are. Throws ShapeError for more than two.}];
}
def transpose : Function<"Tensor transpose(const Tensor &self, int64_t dim0, int64_t dim1)",
                   [Method]> {
  let doc = [{Returns a view with two dimensions swapped.}];
}
def permute : Function<"Tensor permute(const Tensor &self, IntArrayRef dims)",
                   [Method]> {
  let doc = [{Returns a view whose dimension i is dimension dims[i] of `self`. Throws ShapeError unless all dimensions are listed, and ValueError for a repeated one.}];
}
def expand : Function<"Tensor expand(const Tensor &self, IntArrayRef sizes)",
                   [Method]> {
  let doc = [{Returns a view in which dimensions of size 1 repeat without a copy, and new ones are added in front; -1 keeps a size. Throws ShapeError if another size differs.}];
}
def squeeze : Function<"Tensor squeeze(const Tensor &self, int64_t dim)",
                   [Method]> {
  let doc = [{Returns a view without dimension `dim` if its size is 1; other sizes stay.}];
}
def unsqueeze : Function<"Tensor unsqueeze(const Tensor &self, int64_t dim)",
                   [Method]> {
  let doc = [{Returns a view with a new dimension of size 1 at `dim`, which counts from the end of the result if negative.}];
}
def select : Function<"Tensor select(const Tensor &self, int64_t dim, int64_t index)",
                   [Method]> {
  let doc = [{Returns a view of the slice at `index` without dimension `dim`; negative indices count from the end. Throws IndexError for an index out of range and for a tensor without dimensions.}];
}
def narrow : Function<"Tensor narrow(const Tensor &self, int64_t dim, int64_t start, int64_t length)",
                   [Method]> {
  let doc = [{Returns a view of `length` elements of `dim` from `start`, which counts from the end if negative. Throws IndexError if they are out of range, and ValueError for a negative length.}];
}
def slice : Function<"Tensor slice(const Tensor &self, int64_t dim, std::optional<int64_t> start = {}, std::optional<int64_t> end = {}, int64_t step = 1)",
                   [Method]> {
  let doc = [{Returns a view of every `step`-th element of `dim` in [start, end); negative bounds count from the end, and bounds out of range are clamped. Throws ValueError unless `step` is positive.}];
}
def cat : Function<"Tensor cat(const std::vector<Tensor> &tensors, int64_t dim = 0)",
                   [Out]> {
  let doc = [{Joins tensors along `dim` in their common dtype; tensors of shape [0] are skipped. Throws ShapeError if other sizes differ or a tensor has no dimensions, and ValueError for an empty list.}];
}
def stack : Function<"Tensor stack(const std::vector<Tensor> &tensors, int64_t dim = 0)",
                   [Out]> {
  let doc = [{Joins tensors of equal sizes along a new dimension `dim`. Throws ShapeError if sizes differ, and ValueError for an empty list.}];
}
def clone : Function<"Tensor clone(const Tensor &self)", [Method]> {
  let doc = [{Returns a new tensor with the same values, which shares no memory; gradients flow through it.}];
}
def contiguous : Function<"Tensor contiguous(const Tensor &self)", [Method]> {
  let doc = [{Returns the tensor itself if its elements lie in memory in order, else a copy.}];
}
def detach : Function<"Tensor detach(const Tensor &self)", [Method]> {
  let doc = [{Returns an alias of `self` that gets no gradient; writes to either show in both.}];
}
def copy_ : Function<"Tensor &copy_(Tensor &self, const Tensor &src, bool non_blocking = false)",
                   [Method]> {
  let doc = [{Writes the values of `src`, converted to the device and dtype of `self`, which `src` must broadcast to (else ShapeError). `non_blocking` has no effect.}];
}
def fill_ : Function<"Tensor &fill_(Tensor &self, Scalar value)", [Method]> {
  let doc = [{Sets all elements to a number, converted to the dtype of `self`.}];
}
def zero_ : Function<"Tensor &zero_(Tensor &self)", [Method]> {
  let doc = [{Sets all elements to 0.}];
}

def view_dtype : Function<"Tensor view(const Tensor &self, Dtype dtype)",
                   [Method]> {
  let doc = [{Returns a view of the same bytes as another dtype; the last size changes by the ratio of the element sizes. Throws ShapeError if it is not divisible, and UserError for conjugate views.}];
}
def reshape_as : Function<"Tensor reshape_as(const Tensor &self, const Tensor &other)",
                   [Method]> {
  let doc = [{Returns the elements in order with the sizes of `other`, as reshape.}];
}
def ravel : Function<"Tensor ravel(const Tensor &self)",
                   [Method]> {
  let doc = [{Returns all elements in one dimension, as reshape with {-1}.}];
}
def unflatten : Function<"Tensor unflatten(const Tensor &self, int64_t dim, IntArrayRef sizes)",
                   [Method]> {
  let doc = [{Returns a view with dimension `dim` split into `sizes`, of which one may be -1. Throws ShapeError unless their product is the size of the dimension.}];
}
def squeeze_all : Function<"Tensor squeeze(const Tensor &self)",
                   [Method]> {
  let doc = [{Returns a view without the dimensions of size 1.}];
}
def squeeze_dims : Function<"Tensor squeeze(const Tensor &self, IntArrayRef dims)",
                   [Method]> {
  let doc = [{Returns a view without those of `dims` that have size 1. Throws ValueError for a repeated dim.}];
}
def mT : Function<"Tensor mT(const Tensor &self)",
                   [Method]> {
  let doc = [{Returns a view with the last two dimensions swapped. Throws ShapeError for fewer than two.}];
}
def adjoint : Function<"Tensor adjoint(const Tensor &self)",
                   [Method]> {
  let doc = [{Returns a view with the last two dimensions swapped, which shows the conjugates of complex numbers. Throws ShapeError for fewer than two.}];
}
def swapaxes : Function<"Tensor swapaxes(const Tensor &self, int64_t axis0, int64_t axis1)",
                   [Method]> {
  let doc = [{The same as transpose.}];
}
def movedim : Function<"Tensor movedim(const Tensor &self, IntArrayRef source, IntArrayRef destination)",
                   [Method]> {
  let doc = [{Returns a view with each dimension of `source` at the place in `destination`; the others keep their order. Throws ShapeError if the lists differ in length, and ValueError for a repeated dim.}];
}
def expand_as : Function<"Tensor expand_as(const Tensor &self, const Tensor &other)",
                   [Method]> {
  let doc = [{Returns a view expanded to the sizes of `other`; errors as in expand.}];
}
def broadcast_to : Function<"Tensor broadcast_to(const Tensor &self, IntArrayRef sizes)",
                   [Method]> {
  let doc = [{The same as expand.}];
}
def broadcast_tensors : Function<"std::vector<Tensor> broadcast_tensors(const std::vector<Tensor> &tensors)",
                   []> {
  let doc = [{Returns views of the shape that all tensors broadcast to; an empty list gives an empty list.}];
}
def split : Function<"std::vector<Tensor> split(const Tensor &self, int64_t split_size, int64_t dim = 0)",
                   [Method]> {
  let doc = [{Returns views of `split_size` elements of `dim` each, the last one smaller if it does not divide the size. Throws ValueError if it is negative, or 0 for a size other than 0.}];
}
def split_list : Function<"std::vector<Tensor> split(const Tensor &self, IntArrayRef split_sizes, int64_t dim = 0)",
                   [Method]> {
  let doc = [{The same as split_with_sizes.}];
}
def split_with_sizes : Function<"std::vector<Tensor> split_with_sizes(const Tensor &self, IntArrayRef split_sizes, int64_t dim = 0)",
                   [Method]> {
  let doc = [{Returns views of consecutive parts of `dim` with these sizes. Throws ShapeError if one is negative or their sum is not the size of the dimension.}];
}
def chunk : Function<"std::vector<Tensor> chunk(const Tensor &self, int64_t chunks, int64_t dim = 0)",
                   [Method]> {
  let doc = [{Returns at most `chunks` views along `dim` of equal size, the last one smaller; fewer if the rounded-up size suffices. Throws ValueError unless `chunks` is positive.}];
}
def tensor_split : Function<"std::vector<Tensor> tensor_split(const Tensor &self, int64_t sections, int64_t dim = 0)",
                   [Method]> {
  let doc = [{Returns `sections` views along `dim`, whose sizes differ by at most one, larger ones first. Throws ValueError unless `sections` is positive.}];
}
def tensor_split_indices : Function<"std::vector<Tensor> tensor_split(const Tensor &self, IntArrayRef indices, int64_t dim = 0)",
                   [Method]> {
  let doc = [{Returns views of the parts of `dim` between the indices, which are clamped as in slice. A single index is given as a Shape, since braces around one number mean a number of sections.}];
}
def unbind : Function<"std::vector<Tensor> unbind(const Tensor &self, int64_t dim = 0)",
                   [Method]> {
  let doc = [{Returns a view for each index of `dim`, without that dimension.}];
}
def diagonal : Function<"Tensor diagonal(const Tensor &self, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1)",
                   [Method]> {
  let doc = [{Returns a view whose last dimension is the diagonal of `dim1` and `dim2`, `offset` above the main one or below if negative; its size is 0 outside of the matrix. Throws ValueError if both dims are the same.}];
}
def unfold : Function<"Tensor unfold(const Tensor &self, int64_t dimension, int64_t size, int64_t step)",
                   [Method]> {
  let doc = [{Returns a view of windows of `size` elements along `dimension`, `step` apart; the elements of a window are in a new last dimension. Throws ShapeError if `size` is above the dimension's size, and ValueError unless `step` is positive.}];
}
def as_strided : Function<"Tensor as_strided(const Tensor &self, IntArrayRef size, IntArrayRef stride, std::optional<int64_t> storage_offset = {})",
                   [Method]> {
  let doc = [{Returns a view with these sizes and strides. The strides count elements of `self` in order on xla, and elements of its memory on the cpu. Throws ShapeError if the view would reach outside, and ValueError for negative strides.}];
}
def real : Function<"Tensor real(const Tensor &self)",
                   [Method]> {
  let doc = [{Returns a view of the real parts; `self` if it is real.}];
}
def imag : Function<"Tensor imag(const Tensor &self)",
                   [Method]> {
  let doc = [{Returns a view of the imaginary parts. Throws DtypeError for real tensors.}];
}
def view_as_real : Function<"Tensor view_as_real(const Tensor &self)",
                   []> {
  let doc = [{Returns a view of complex numbers as real ones with a new last dimension of size 2. Throws DtypeError for real tensors, and UserError for conjugate views.}];
}
def view_as_complex : Function<"Tensor view_as_complex(const Tensor &self)",
                   []> {
  let doc = [{Returns a view of float32 or float64 pairs in the last dimension, of size 2, as complex numbers without that dimension. Throws DtypeError for other dtypes, and ShapeError for other sizes or, on the cpu, unsuitable strides.}];
}
def set_ : Function<"Tensor &set_(Tensor &self, const Tensor &other)",
                   [Method]> {
  let doc = [{Makes `self` an alias of `other`. Throws DtypeError or DeviceError if dtypes or devices differ.}];
}
def resize_ : Function<"Tensor &resize_(Tensor &self, IntArrayRef sizes)",
                   [Method]> {
  let doc = [{Changes the sizes and keeps the elements in order. New elements are 0, or on the cpu the numbers that the memory behind the old elements already holds. Throws UserError for a tensor that requires grad, and ShapeError for negative or too large sizes.}];
}
def type_as : Function<"Tensor type_as(const Tensor &self, const Tensor &other)",
                   [Method]> {
  let doc = [{Returns `self` converted to the dtype and device of `other`.}];
}
def copy : Function<"Tensor copy(const Tensor &self)",
                   []> {
  let doc = [{Returns a copy with its own memory that requires grad as `self` does, without a gradient path to it; Python's copy.copy.}];
}
def deepcopy : Function<"Tensor deepcopy(const Tensor &self)",
                   []> {
  let doc = [{The same as copy.}];
}

def hstack : Function<"Tensor hstack(const std::vector<Tensor> &tensors)",
                   [Out]> {
  let doc = [{Joins tensors along their second dimension, or the first for one-dimensional ones; tensors without dimensions get one. Throws ValueError for an empty list, otherwise as cat.}];
}
def vstack : Function<"Tensor vstack(const std::vector<Tensor> &tensors)",
                   [Out]> {
  let doc = [{Joins tensors along the first dimension, after one-dimensional ones became rows. Throws ValueError for an empty list, otherwise as cat.}];
}
def dstack : Function<"Tensor dstack(const std::vector<Tensor> &tensors)",
                   [Out]> {
  let doc = [{Joins tensors along the third dimension; [n] becomes [1, n, 1] and [n, m] becomes [n, m, 1]. Throws ValueError for an empty list, otherwise as cat.}];
}
def column_stack : Function<"Tensor column_stack(const std::vector<Tensor> &tensors)",
                   [Out]> {
  let doc = [{Joins tensors along the second dimension, after those with fewer than two became columns. Throws ValueError for an empty list, otherwise as cat.}];
}
def block_diag : Function<"Tensor block_diag(const std::vector<Tensor> &tensors)"> {
  let doc = [{Returns a matrix with the tensors, of at most two dimensions, along its diagonal and zeros elsewhere, in their common dtype. Throws ShapeError for more dimensions, and ValueError for an empty list.}];
}
def repeat : Function<"Tensor repeat(const Tensor &self, IntArrayRef repeats)",
                   [Method]> {
  let doc = [{Returns a copy with each dimension repeated; more numbers than dimensions add dimensions in front. Throws ShapeError for fewer numbers, and ValueError for negative ones.}];
}
def tile : Function<"Tensor tile(const Tensor &self, IntArrayRef dims)",
                   [Method]> {
  let doc = [{The same as repeat, but with fewer numbers than dimensions the first dimensions are not repeated.}];
}
def repeat_interleave : Function<"Tensor repeat_interleave(const Tensor &self, int64_t repeats, std::optional<int64_t> dim = {})",
                   [Method]> {
  let doc = [{Returns a copy with each element of `dim`, or of the flattened tensor without it, repeated in place. Throws ValueError for a negative number.}];
}
def repeat_interleave_tensor : Function<"Tensor repeat_interleave(const Tensor &self, const Tensor &repeats, std::optional<int64_t> dim = {})",
                   [Method]> {
  let doc = [{Repeats each element of `dim`, or of the flattened tensor without it, by its own number in the int32 or int64 tensor `repeats`, of one or as many elements. It runs the pending operations of `repeats`.}];
}
def flip : Function<"Tensor flip(const Tensor &self, IntArrayRef dims)",
                   [Method]> {
  let doc = [{Returns a copy with the order of elements reversed along `dims`. Throws ValueError for a repeated dim.}];
}
def fliplr : Function<"Tensor fliplr(const Tensor &self)",
                   [Method]> {
  let doc = [{Returns a copy reversed along the second dimension. Throws ShapeError for fewer than two dimensions.}];
}
def flipud : Function<"Tensor flipud(const Tensor &self)",
                   [Method]> {
  let doc = [{Returns a copy reversed along the first dimension. Throws ShapeError for a tensor without dimensions.}];
}
def rot90 : Function<"Tensor rot90(const Tensor &self, int64_t k = 1, IntArrayRef dims = {0, 1})",
                   [Method]> {
  let doc = [{Returns a copy rotated `k` times by 90 degrees from the first towards the second of `dims`. Throws ValueError unless these are two different dims, and ShapeError for fewer than two dimensions.}];
}
def roll : Function<"Tensor roll(const Tensor &self, IntArrayRef shifts, IntArrayRef dims = {})",
                   [Method]> {
  let doc = [{Returns a copy with the elements moved up by `shifts` along `dims`; those past the end come first. Without dims the flattened tensor is rolled; throws ValueError if the lists differ in length.}];
}
def constant_pad_nd : Function<"Tensor constant_pad_nd(const Tensor &self, IntArrayRef pad, Scalar value = 0)"> {
  let doc = [{Returns a copy with `value` added at both ends of dimensions. `pad` holds two numbers per dimension, the last dimension first; negative ones remove elements. Throws ShapeError if a size would be negative, and ValueError for an odd list.}];
}
def pad : Function<"Tensor pad(const Tensor &self, IntArrayRef pad, std::string_view mode = \"constant\", std::optional<double> value = {})"> {
  let doc = [{Pads by mode "constant", "reflect", "replicate" or "circular"; `pad` is as in constant_pad_nd, and `value` is for constants only. Other modes than "constant" need one or two dimensions more than are padded, else UnsupportedError.}];
}
def functional_pad : Function<"Tensor pad(const Tensor &input, IntArrayRef pad, std::string_view mode = \"constant\", std::optional<double> value = {})"> {
  let doc = [{The same as xlac::pad.}];
  let cxx_namespace = "nn::functional";
}
def reflection_pad1d : Function<"Tensor reflection_pad1d(const Tensor &self, IntArrayRef padding)"> {
  let doc = [{Pads [C, L] or [N, C, L] by 2 numbers, the last dimension first, with reflections that do not repeat the edge. Throws ShapeError if a padding is not below the size, and ValueError for other than 2 numbers.}];
}
def reflection_pad2d : Function<"Tensor reflection_pad2d(const Tensor &self, IntArrayRef padding)"> {
  let doc = [{Pads [C, H, W] or [N, C, H, W] by 4 numbers, the last dimension first, with reflections that do not repeat the edge. Throws ShapeError if a padding is not below the size, and ValueError for other than 4 numbers.}];
}
def reflection_pad3d : Function<"Tensor reflection_pad3d(const Tensor &self, IntArrayRef padding)"> {
  let doc = [{Pads [C, D, H, W] or [N, C, D, H, W] by 6 numbers, the last dimension first, with reflections that do not repeat the edge. Throws ShapeError if a padding is not below the size, and ValueError for other than 6 numbers.}];
}
def replication_pad1d : Function<"Tensor replication_pad1d(const Tensor &self, IntArrayRef padding)"> {
  let doc = [{Pads [C, L] or [N, C, L] by 2 numbers, the last dimension first, with copies of the edge. Throws ShapeError for an empty dimension or if nothing remains, and ValueError for other than 2 numbers.}];
}
def replication_pad2d : Function<"Tensor replication_pad2d(const Tensor &self, IntArrayRef padding)"> {
  let doc = [{Pads [C, H, W] or [N, C, H, W] by 4 numbers, the last dimension first, with copies of the edge. Throws ShapeError for an empty dimension or if nothing remains, and ValueError for other than 4 numbers.}];
}
def replication_pad3d : Function<"Tensor replication_pad3d(const Tensor &self, IntArrayRef padding)"> {
  let doc = [{Pads [C, D, H, W] or [N, C, D, H, W] by 6 numbers, the last dimension first, with copies of the edge. Throws ShapeError for an empty dimension or if nothing remains, and ValueError for other than 6 numbers.}];
}
def tril : Function<"Tensor tril(const Tensor &self, int64_t diagonal = 0)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns a copy with zeros above the diagonal `diagonal` of the last two dimensions. Throws ShapeError for fewer than two dimensions.}];
}
def triu : Function<"Tensor triu(const Tensor &self, int64_t diagonal = 0)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns a copy with zeros below the diagonal `diagonal` of the last two dimensions. Throws ShapeError for fewer than two dimensions.}];
}
def diag : Function<"Tensor diag(const Tensor &self, int64_t diagonal = 0)",
                   [Method, Out]> {
  let doc = [{Returns a square matrix with `self` on a diagonal, or a copy of the diagonal of a matrix. Throws ShapeError for other than one or two dimensions.}];
}
def diag_embed : Function<"Tensor diag_embed(const Tensor &self, int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1)",
                   [Method]> {
  let doc = [{Returns square matrices, in `dim1` and `dim2` of the result, with the last dimension of `self` on the diagonal `offset` and zeros elsewhere. Throws ValueError if both dims are the same, and IndexError for a tensor without dimensions.}];
}
def diagflat : Function<"Tensor diagflat(const Tensor &self, int64_t offset = 0)",
                   [Method]> {
  let doc = [{Returns a square matrix with the flattened tensor on the diagonal `offset` and zeros elsewhere.}];
}
def pixel_shuffle : Function<"Tensor pixel_shuffle(const Tensor &self, int64_t upscale_factor)"> {
  let doc = [{Rearranges [..., C * r², H, W] to [..., C, H * r, W * r] for a factor r. Throws ShapeError for fewer than 3 dimensions or channels that r² does not divide, and ValueError unless r is positive.}];
}
def pixel_unshuffle : Function<"Tensor pixel_unshuffle(const Tensor &self, int64_t downscale_factor)"> {
  let doc = [{Rearranges [..., C, H * r, W * r] to [..., C * r², H, W] for a factor r. Throws ShapeError for fewer than 3 dimensions or sizes that r does not divide, and ValueError unless r is positive.}];
}
def channel_shuffle : Function<"Tensor channel_shuffle(const Tensor &self, int64_t groups)"> {
  let doc = [{Rearranges the channels of [N, C, …] as a transposed matrix of `groups` rows. Throws ShapeError for fewer than 3 dimensions or if `groups` does not divide C, and ValueError unless it is positive.}];
}

def fill_tensor_ : Function<"Tensor &fill_(Tensor &self, const Tensor &value)",
                   [Method]> {
  let doc = [{Sets all elements to the element of a tensor without dimensions, else ShapeError; gradients flow to `value`.}];
}
def squeeze_all_ : Function<"Tensor &squeeze_(Tensor &self)",
                   [Method]> {
  let doc = [{Makes `self` its view without dimensions of size 1. As all view functions that end in _, it throws UnsupportedError for a tensor that requires grad.}];
}
def squeeze_ : Function<"Tensor &squeeze_(Tensor &self, int64_t dim)",
                   [Method]> {
  let doc = [{Makes `self` its view without dimension `dim` if that has size 1.}];
}
def unsqueeze_ : Function<"Tensor &unsqueeze_(Tensor &self, int64_t dim)",
                   [Method]> {
  let doc = [{Makes `self` its view with a new dimension of size 1 at `dim`.}];
}
def transpose_ : Function<"Tensor &transpose_(Tensor &self, int64_t dim0, int64_t dim1)",
                   [Method]> {
  let doc = [{Makes `self` its view with two dimensions swapped.}];
}
def swapaxes_ : Function<"Tensor &swapaxes_(Tensor &self, int64_t axis0, int64_t axis1)",
                   [Method]> {
  let doc = [{The same as transpose_.}];
}
def t_ : Function<"Tensor &t_(Tensor &self)",
                   [Method]> {
  let doc = [{Makes `self` its view with both dimensions swapped; fewer than two stay as they are. Throws ShapeError for more than two.}];
}
def as_strided_ : Function<"Tensor &as_strided_(Tensor &self, IntArrayRef size, IntArrayRef stride, std::optional<int64_t> storage_offset = {})",
                   [Method]> {
  let doc = [{Makes `self` its view with these sizes and strides, as as_strided.}];
}

#endif
