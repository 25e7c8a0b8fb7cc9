#ifndef XLAC_TENSOR_FUNCTIONS_LINEAR_ALGEBRA
#define XLAC_TENSOR_FUNCTIONS_LINEAR_ALGEBRA

include "tensor/functions/Function.td"

//===- Products -----------------------------------------------------------===//

def mm : Function<"Tensor mm(const Tensor &self, const Tensor &other)",
                  [Method, Out]>;
def bmm : Function<"Tensor bmm(const Tensor &self, const Tensor &mat2)",
                   [Method, Out]>;
def matmul : Function<"Tensor matmul(const Tensor &self, const Tensor &other)",
                      [Method, Out]> {
  let doc = [{PyTorch's rules for 1 to n dimensions.}];
}
def mv : Function<"Tensor mv(const Tensor &self, const Tensor &vec)", [Method, Out]>;
def dot : Function<"Tensor dot(const Tensor &self, const Tensor &tensor)", [Method, Out]>;
def vdot : Function<"Tensor vdot(const Tensor &self, const Tensor &other)", [Method, Out]> {
  let doc = [{The dot product with the conjugate of `self`.}];
}
def outer : Function<"Tensor outer(const Tensor &self, const Tensor &vec2)", [Method, Out]>;
def inner : Function<"Tensor inner(const Tensor &self, const Tensor &other)", [Method, Out]> {
  let doc = [{Sums products over the last dimension of both.}];
}
def linear : Function<"Tensor linear(const Tensor &input, const Tensor &weight, const Tensor &bias = {})"> {
  let doc = [{input · weightᵀ + bias; weight is [out, in].}];
}
def bilinear : Function<"Tensor bilinear(const Tensor &input1, const Tensor &input2, const Tensor &weight, const Tensor &bias = {})"> {
  let doc = [{input1ᵀ · weight · input2 + bias; weight is [out, in1, in2].}];
}
def addmm : Function<"Tensor addmm(const Tensor &self, const Tensor &mat1, const Tensor &mat2, Scalar beta = 1, Scalar alpha = 1)",
                     [Method, InPlace, Out]> {
  let doc = [{beta · self + alpha · mat1 mat2; with beta 0 NaN in `self` do not count.}];
}
def addmv : Function<"Tensor addmv(const Tensor &self, const Tensor &mat, const Tensor &vec, Scalar beta = 1, Scalar alpha = 1)",
                     [Method, InPlace, Out]>;
def addr : Function<"Tensor addr(const Tensor &self, const Tensor &vec1, const Tensor &vec2, Scalar beta = 1, Scalar alpha = 1)",
                    [Method, InPlace, Out]>;
def baddbmm : Function<"Tensor baddbmm(const Tensor &self, const Tensor &batch1, const Tensor &batch2, Scalar beta = 1, Scalar alpha = 1)",
                       [Method, InPlace, Out]>;
def addbmm : Function<"Tensor addbmm(const Tensor &self, const Tensor &batch1, const Tensor &batch2, Scalar beta = 1, Scalar alpha = 1)",
                      [Method, InPlace, Out]> {
  let doc = [{The products of the batch are added up.}];
}
def einsum : Function<"Tensor einsum(const std::string &equation, const std::vector<Tensor> &operands)"> {
  let doc = [{Sums of products by letters, with "...", repeated letters and outputs left out.}];
}
def tensordot : Function<"Tensor tensordot(const Tensor &a, const Tensor &b, int64_t dims = 2)"> {
  let doc = [{Sums over the last dims of `a` and the first of `b`, or over those named.}];
}
def tensordot_dims : Function<"Tensor tensordot(const Tensor &a, const Tensor &b, IntArrayRef dims_a, IntArrayRef dims_b)">;
def trace : Function<"Tensor trace(const Tensor &self)", [Method]>;
def kron : Function<"Tensor kron(const Tensor &self, const Tensor &other)", [Method, Out]>;
def cross : Function<"Tensor cross(const Tensor &self, const Tensor &other, std::optional<int64_t> dim = {})",
                     [Method, Out]> {
  let doc = [{Along the first dimension of size 3 unless `dim` names one.}];
}
def matrix_power : Function<"Tensor matrix_power(const Tensor &self, int64_t n)", [Method, Out]>;
def chain_matmul : Function<"Tensor chain_matmul(const std::vector<Tensor> &matrices)">;

let cxx_namespace = "linalg" in {
def linalg_multi_dot : Function<"Tensor multi_dot(const std::vector<Tensor> &tensors)"> {
  let doc = [{The product in the order that costs least.}];
}

//===- Linear equations ---------------------------------------------------===//

def linalg_cholesky : Function<"Tensor cholesky(const Tensor &self, bool upper = false)", [Out]> {
  let doc = [{Fails when the values are asked for, unless the matrix is positive-definite.}];
}
def linalg_solve_triangular : Function<"Tensor solve_triangular(const Tensor &self, const Tensor &B, bool upper, bool left = true, bool unitriangular = false)", [Out]>;
def linalg_solve : Function<"Tensor solve(const Tensor &A, const Tensor &B, bool left = true)", [Out]> {
  let doc = [{Fails when the values are asked for if a matrix is singular.}];
}
def linalg_inv : Function<"Tensor inv(const Tensor &A)", [Out]> {
  let doc = [{Fails when the values are asked for if a matrix is singular.}];
}
def linalg_det : Function<"Tensor det(const Tensor &A)", [Out]>;
def linalg_slogdet : Function<"std::tuple<Tensor, Tensor> slogdet(const Tensor &A)", [Out]> {
  let doc = [{Sign and logarithm of the absolute value of the determinant.}];
}

//===- Factorizations -----------------------------------------------------===//

def linalg_qr : Function<"std::tuple<Tensor, Tensor> qr(const Tensor &A, const std::string &mode = \"reduced\")", [Out]> {
  let doc = [{The mode is reduced, complete or r.}];
}
def linalg_svd : Function<"std::tuple<Tensor, Tensor, Tensor> svd(const Tensor &A, bool full_matrices = true)", [Out]> {
  let doc = [{U, singular values and Vᴴ.}];
}
def linalg_svdvals : Function<"Tensor svdvals(const Tensor &A)", [Out]>;
def linalg_eigh : Function<"std::tuple<Tensor, Tensor> eigh(const Tensor &A, const std::string &UPLO = \"L\")", [Out]> {
  let doc = [{Eigenvalues, ascending, and vectors of the hermitian matrix that one triangle says.}];
}
def linalg_eigvalsh : Function<"Tensor eigvalsh(const Tensor &A, const std::string &UPLO = \"L\")", [Out]>;
def linalg_eig : Function<"std::tuple<Tensor, Tensor> eig(const Tensor &A)", [Out]>;
def linalg_lu : Function<"std::tuple<Tensor, Tensor, Tensor> lu(const Tensor &A, bool pivot = true)", [Out]> {
  let doc = [{P, L and U with A = P L U.}];
}
def linalg_pinv : Function<"Tensor pinv(const Tensor &A, std::optional<double> atol = {}, std::optional<double> rtol = {}, bool hermitian = false)", [Out]>;
def linalg_matrix_rank : Function<"Tensor matrix_rank(const Tensor &A, std::optional<double> atol = {}, std::optional<double> rtol = {}, bool hermitian = false)", [Out]>;
def linalg_lstsq : Function<"std::tuple<Tensor, Tensor, Tensor, Tensor> lstsq(const Tensor &self, const Tensor &B, std::optional<double> rcond = {}, std::optional<std::string> driver = {})"> {
  let doc = [{Solution of least norm, residuals, rank and singular values, of which the driver decides as in LAPACK: gelsy, the default, gives no residuals and gelsd or gelss alone give singular values.}];
}
def linalg_cond : Function<"Tensor cond(const Tensor &A, std::optional<Scalar> p = {})"> {
  let doc = [{The norm times that of the inverse; by singular values for p 2, which is meant without p.}];
}
def linalg_cond_named : Function<"Tensor cond(const Tensor &A, const std::string &p)">;
def linalg_vector_norm : Function<"Tensor vector_norm(const Tensor &x, Scalar ord = 2, IntArrayRef dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {})", [Out]>;
def linalg_matrix_norm : Function<"Tensor matrix_norm(const Tensor &A, Scalar ord, IntArrayRef dim = {-2, -1}, bool keepdim = false, std::optional<Dtype> dtype = {})"> {
  let doc = [{The order is ±1, ±2 or ±infinity.}];
}
def linalg_matrix_norm_named : Function<"Tensor matrix_norm(const Tensor &A, const std::string &ord = \"fro\", IntArrayRef dim = {-2, -1}, bool keepdim = false, std::optional<Dtype> dtype = {})"> {
  let doc = [{The order is fro or nuc.}];
}
def linalg_norm : Function<"Tensor norm(const Tensor &A, std::optional<Scalar> ord = {}, IntArrayRef dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {})"> {
  let doc = [{Of all elements as one vector without an order, else of vectors or matrices as `dim` has it.}];
}
def linalg_norm_named : Function<"Tensor norm(const Tensor &A, const std::string &ord, IntArrayRef dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {})">;
def linalg_matrix_exp : Function<"Tensor matrix_exp(const Tensor &A)">;
}

def cholesky_solve : Function<"Tensor cholesky_solve(const Tensor &self, const Tensor &input2, bool upper = false)", [Method, Out]>;
def cholesky_inverse : Function<"Tensor cholesky_inverse(const Tensor &self, bool upper = false)", [Method, Out]>;
def cosine_similarity : Function<"Tensor cosine_similarity(const Tensor &x1, const Tensor &x2, int64_t dim = 1, double eps = 1e-8)">;
def pairwise_distance : Function<"Tensor pairwise_distance(const Tensor &x1, const Tensor &x2, double p = 2, double eps = 1e-6, bool keepdim = false)">;
def cdist : Function<"Tensor cdist(const Tensor &x1, const Tensor &x2, double p = 2)"> {
  let doc = [{Distances between the rows of both.}];
}
def pdist : Function<"Tensor pdist(const Tensor &self, double p = 2)"> {
  let doc = [{Distances between each two rows of one matrix.}];
}
def logdet : Function<"Tensor logdet(const Tensor &self)", [Method]>;

#endif
