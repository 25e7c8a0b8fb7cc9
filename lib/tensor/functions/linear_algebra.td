#ifndef XLAC_TENSOR_FUNCTIONS_LINEAR_ALGEBRA
#define XLAC_TENSOR_FUNCTIONS_LINEAR_ALGEBRA

include "tensor/functions/Function.td"

//===- Products -----------------------------------------------------------===//

def mm : Function<"Tensor mm(const Tensor &self, const Tensor &other)",
                  [Method, Out]> {
  let doc = [{Returns the product of matrices [n, m] and [m, p]. Throws ShapeError if they do not fit, and DtypeError if dtypes differ.}];
}
def bmm : Function<"Tensor bmm(const Tensor &self, const Tensor &mat2)",
                   [Method, Out]> {
  let doc = [{Returns the products of matrices [b, n, m] and [b, m, p]. Throws ShapeError if they do not fit, and DtypeError if dtypes differ.}];
}
def matmul : Function<"Tensor matmul(const Tensor &self, const Tensor &other)",
                      [Method, Out]> {
  let doc = [{Returns the dot product of vectors, the product of a matrix and a vector, or products of matrices in the last two dimensions, whose leading dimensions broadcast. Throws ShapeError for tensors without dimensions or that do not fit, and DtypeError if dtypes differ.}];
}
def mv : Function<"Tensor mv(const Tensor &self, const Tensor &vec)", [Method, Out]> {
  let doc = [{Returns the product [n] of a matrix [n, m] and a vector [m]. Throws ShapeError if they do not fit, and DtypeError if dtypes differ.}];
}
def dot : Function<"Tensor dot(const Tensor &self, const Tensor &tensor)", [Method, Out]> {
  let doc = [{Returns the dot product of two vectors, without dimensions; complex numbers are not conjugated. Throws ShapeError unless both have one dimension of the same size, and DtypeError if dtypes differ.}];
}
def vdot : Function<"Tensor vdot(const Tensor &self, const Tensor &other)", [Method, Out]> {
  let doc = [{Returns the dot product of the conjugate of `self` and `other`; errors as in dot.}];
}
def outer : Function<"Tensor outer(const Tensor &self, const Tensor &vec2)", [Method, Out]> {
  let doc = [{Returns the matrix [n, m] of all products of elements of two vectors, in their common dtype. Throws ShapeError unless both have one dimension.}];
}
def inner : Function<"Tensor inner(const Tensor &self, const Tensor &other)", [Method, Out]> {
  let doc = [{Returns the dot products over the last dimension of both, in the shape of the other dimensions of `self` and then of `other`; the plain product if either has no dimensions. Throws ShapeError if the last sizes differ.}];
}
def linear : Function<"Tensor linear(const Tensor &input, const Tensor &weight, const Tensor &bias = {})"> {
  let doc = [{Returns input · weightᵀ + bias for an input [..., in], a weight [out, in] and a bias [out]. Throws ShapeError if they do not fit, and DtypeError if the dtypes of input and weight differ.}];
}
def bilinear : Function<"Tensor bilinear(const Tensor &input1, const Tensor &input2, const Tensor &weight, const Tensor &bias = {})"> {
  let doc = [{Returns input1ᵀ · weight · input2 + bias for inputs [..., in1] and [..., in2], a weight [out, in1, in2] and a bias [out]. Throws ShapeError if they do not fit, and DtypeError if dtypes differ.}];
}
def addmm : Function<"Tensor addmm(const Tensor &self, const Tensor &mat1, const Tensor &mat2, Scalar beta = 1, Scalar alpha = 1)",
                     [Method, InPlace, Out]> {
  let doc = [{Returns beta · self + alpha · mat1 mat2, where `self` broadcasts to the product. If beta is 0, NaN in `self` has no effect. Throws DtypeError for a float factor of integers.}];
}
def addmv : Function<"Tensor addmv(const Tensor &self, const Tensor &mat, const Tensor &vec, Scalar beta = 1, Scalar alpha = 1)",
                     [Method, InPlace, Out]> {
  let doc = [{Returns beta · self + alpha · mat vec for a matrix and a vector, as addmm.}];
}
def addr : Function<"Tensor addr(const Tensor &self, const Tensor &vec1, const Tensor &vec2, Scalar beta = 1, Scalar alpha = 1)",
                    [Method, InPlace, Out]> {
  let doc = [{Returns beta · self + alpha · vec1 vec2ᵀ, the matrix of all products of elements of two vectors, as addmm.}];
}
def baddbmm : Function<"Tensor baddbmm(const Tensor &self, const Tensor &batch1, const Tensor &batch2, Scalar beta = 1, Scalar alpha = 1)",
                       [Method, InPlace, Out]> {
  let doc = [{Returns beta · self + alpha · batch1 batch2 for each product of the batch, as addmm.}];
}
def addbmm : Function<"Tensor addbmm(const Tensor &self, const Tensor &batch1, const Tensor &batch2, Scalar beta = 1, Scalar alpha = 1)",
                      [Method, InPlace, Out]> {
  let doc = [{Returns beta · self + alpha · the sum of the products of the batch, as addmm.}];
}
def einsum : Function<"Tensor einsum(const std::string &equation, const std::vector<Tensor> &operands)"> {
  let doc = [{Returns sums of products over the dimensions that `equation` names by letters, as "ij,jk->ik". Letters may repeat, "..." stands for dimensions that broadcast, and the output may be left out. Throws ValueError for an equation that does not fit, and DtypeError if dtypes differ.}];
}
def tensordot : Function<"Tensor tensordot(const Tensor &a, const Tensor &b, int64_t dims = 2)"> {
  let doc = [{Returns the sums of products over the last `dims` dimensions of `a` and the first of `b`. Throws ValueError for a number of dimensions that one of them lacks, and ShapeError if sizes differ.}];
}
def tensordot_dims : Function<"Tensor tensordot(const Tensor &a, const Tensor &b, IntArrayRef dims_a, IntArrayRef dims_b)"> {
  let doc = [{Returns the sums of products over the listed dimensions of both, which pair in order. Throws ValueError if the lists differ in length, and ShapeError if sizes differ.}];
}
def trace : Function<"Tensor trace(const Tensor &self)", [Method]> {
  let doc = [{Returns the sum of the main diagonal of a matrix; that of bools and integers is int64. Throws ShapeError unless there are two dimensions.}];
}
def kron : Function<"Tensor kron(const Tensor &self, const Tensor &other)", [Method, Out]> {
  let doc = [{Returns the Kronecker product in the common dtype: each element of `self` times all of `other`, in blocks. The one with fewer dimensions gets sizes of 1 in front.}];
}
def cross : Function<"Tensor cross(const Tensor &self, const Tensor &other, std::optional<int64_t> dim = {})",
                     [Method, Out]> {
  let doc = [{Returns the cross products along `dim`, or along the first dimension of size 3 without it; the other dimensions broadcast. Throws ShapeError if there is no such dimension or the numbers of dimensions differ.}];
}
def matrix_power : Function<"Tensor matrix_power(const Tensor &self, int64_t n)", [Method, Out]> {
  let doc = [{Returns the n-th power of square matrices: the identity for 0, powers of the inverse if n is negative. Throws ShapeError unless `self` is a batch of square matrices.}];
}
def chain_matmul : Function<"Tensor chain_matmul(const std::vector<Tensor> &matrices)"> {
  let doc = [{Returns the product of at least one matrix in the order with the fewest multiplications. Throws ValueError for an empty list, and ShapeError unless all are matrices that fit.}];
}

let cxx_namespace = "linalg" in {
def linalg_multi_dot : Function<"Tensor multi_dot(const std::vector<Tensor> &tensors)"> {
  let doc = [{Returns the product of at least two matrices in the order with the fewest multiplications; the first and the last may be vectors. Throws ValueError for fewer tensors, and ShapeError if they do not fit.}];
}

//===- Linear equations ---------------------------------------------------===//

def linalg_cholesky : Function<"Tensor cholesky(const Tensor &self, bool upper = false)", [Out]> {
  let doc = [{Returns the lower triangular L with A = L Lᴴ, or with `upper` Lᴴ. The computation fails unless the matrix is positive-definite. Throws ShapeError unless `self` is a batch of square matrices, and DtypeError for bools, integers and half floats.}];
}
def linalg_solve_triangular : Function<"Tensor solve_triangular(const Tensor &self, const Tensor &B, bool upper, bool left = true, bool unitriangular = false)", [Out]> {
  let doc = [{Returns X with self X = B, or X self = B if not `left`, for triangular matrices, whose other triangle is not read, nor the diagonal if `unitriangular`. A 0 on the diagonal gives infinities or NaN; throws DtypeError if dtypes differ.}];
}
def linalg_solve : Function<"Tensor solve(const Tensor &A, const Tensor &B, bool left = true)", [Out]> {
  let doc = [{Returns X with A X = B, or X A = B if not `left`; B may be a vector or a batch of vectors. The computation fails if a matrix is singular; throws DtypeError if dtypes differ.}];
}
def linalg_inv : Function<"Tensor inv(const Tensor &A)", [Out]> {
  let doc = [{Returns the inverse matrices. The computation fails if a matrix is singular. Throws ShapeError unless `A` is a batch of square matrices, and DtypeError for bools, integers and half floats.}];
}
def linalg_det : Function<"Tensor det(const Tensor &A)", [Out]> {
  let doc = [{Returns the determinants; 1 for matrices of size 0. Throws ShapeError unless `A` is a batch of square matrices, and DtypeError for bools, integers and half floats.}];
}
def linalg_slogdet : Function<"std::tuple<Tensor, Tensor> slogdet(const Tensor &A)", [Out]> {
  let doc = [{Returns the signs of the determinants, or for complex numbers their unit phases, and the logarithms of their absolute values; 0 and -infinity for singular matrices. Throws ShapeError unless `A` is a batch of square matrices, and DtypeError for bools, integers and half floats.}];
}

//===- Factorizations -----------------------------------------------------===//

def linalg_qr : Function<"std::tuple<Tensor, Tensor> qr(const Tensor &A, const std::string &mode = \"reduced\")", [Out]> {
  let doc = [{Returns Q with orthonormal columns and upper triangular R, with A = Q R: "reduced" to the smaller size, "complete" with a square Q, or "r" with an empty Q. Throws ValueError for another mode. Throws DtypeError for bools, integers and half floats.}];
}
def linalg_svd : Function<"std::tuple<Tensor, Tensor, Tensor> svd(const Tensor &A, bool full_matrices = true)", [Out]> {
  let doc = [{Returns U, the singular values, real and in descending order, and Vᴴ; U and Vᴴ are square with `full_matrices`, else of the smaller size. Throws DtypeError for bools, integers and half floats.}];
}
def linalg_svdvals : Function<"Tensor svdvals(const Tensor &A)", [Out]> {
  let doc = [{Returns the singular values, real and in descending order. Throws DtypeError for bools, integers and half floats.}];
}
def linalg_eigh : Function<"std::tuple<Tensor, Tensor> eigh(const Tensor &A, const std::string &UPLO = \"L\")", [Out]> {
  let doc = [{Returns the eigenvalues of hermitian matrices, real and in ascending order, and the eigenvectors as columns. Only the triangle `UPLO`, "L" or "U", is read; throws ValueError for another.}];
}
def linalg_eigvalsh : Function<"Tensor eigvalsh(const Tensor &A, const std::string &UPLO = \"L\")", [Out]> {
  let doc = [{Returns the eigenvalues of hermitian matrices without eigenvectors, as eigh.}];
}
def linalg_eig : Function<"std::tuple<Tensor, Tensor> eig(const Tensor &A)", [Out]> {
  let doc = [{Returns the eigenvalues of square matrices and the eigenvectors as columns, both always complex and in no defined order. Throws ShapeError unless `A` is a batch of square matrices, and DtypeError for bools, integers and half floats.}];
}
def linalg_lu : Function<"std::tuple<Tensor, Tensor, Tensor> lu(const Tensor &A, bool pivot = true)", [Out]> {
  let doc = [{Returns P, L and U with A = P L U: a permutation, a lower triangle with ones on the diagonal, and an upper triangle. Throws ValueError if `pivot` is false. Throws DtypeError for bools, integers and half floats.}];
}
def linalg_pinv : Function<"Tensor pinv(const Tensor &A, std::optional<double> atol = {}, std::optional<double> rtol = {}, bool hermitian = false)", [Out]> {
  let doc = [{Returns the pseudoinverse matrices. Singular values at or below the greater of `atol` and `rtol` times the greatest count as 0; `rtol` is the greater size times the epsilon of the dtype unless given, or 0 if `atol` is positive. `hermitian` reads only the lower triangle.}];
}
def linalg_matrix_rank : Function<"Tensor matrix_rank(const Tensor &A, std::optional<double> atol = {}, std::optional<double> rtol = {}, bool hermitian = false)", [Out]> {
  let doc = [{Returns the numbers of singular values above the bound of pinv, as int64.}];
}
def linalg_lstsq : Function<"std::tuple<Tensor, Tensor, Tensor, Tensor> lstsq(const Tensor &self, const Tensor &B, std::optional<double> rcond = {}, std::optional<std::string> driver = {})"> {
  let doc = [{Returns the solution of least norm, the squared residuals, the rank and the singular values of self X = B. Parts that the driver (gelsy, the default, gels, gelsd or gelss) does not give in LAPACK are empty; throws ValueError for another driver.}];
}
def linalg_cond : Function<"Tensor cond(const Tensor &A, std::optional<Scalar> p = {})"> {
  let doc = [{Returns the condition numbers: the norm `p` of the matrices times that of their inverses. For p 2, the default, and -2 it is computed from singular values; other norms need invertible matrices.}];
}
def linalg_cond_named : Function<"Tensor cond(const Tensor &A, const std::string &p)"> {
  let doc = [{Returns the condition numbers by the norm "fro" or "nuc"; throws ValueError for another.}];
}
def linalg_vector_norm : Function<"Tensor vector_norm(const Tensor &x, Scalar ord = 2, IntArrayRef dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {})", [Out]> {
  let doc = [{Returns the norms (Σ |x|ᵖ)^(1/p) over `dim`, all dimensions if it is empty, as real numbers; `ord` may be 0, negative or infinite. Throws IndexError if a reduced dim has size 0 and the order is negative or infinite, and DtypeError for bools and integers.}];
}
def linalg_matrix_norm : Function<"Tensor matrix_norm(const Tensor &A, Scalar ord, IntArrayRef dim = {-2, -1}, bool keepdim = false, std::optional<Dtype> dtype = {})"> {
  let doc = [{Returns the norms of matrices in the two dims: the greatest sum of |x| in a column (1) or in a row (infinity), the greatest singular value (2), or the smallest ones for the negative orders. Throws ValueError for another order.}];
}
def linalg_matrix_norm_named : Function<"Tensor matrix_norm(const Tensor &A, const std::string &ord = \"fro\", IntArrayRef dim = {-2, -1}, bool keepdim = false, std::optional<Dtype> dtype = {})"> {
  let doc = [{Returns the Frobenius norms ("fro") of matrices in the two dims, or the sums of their singular values ("nuc"). Throws ValueError for another order.}];
}
def linalg_norm : Function<"Tensor norm(const Tensor &A, std::optional<Scalar> ord = {}, IntArrayRef dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {})"> {
  let doc = [{Without an order, returns the norm 2 of all elements, or of those over `dim`; with one, the norms of matrices for two dims, and else of vectors. Throws ShapeError for an order without `dim` if there are more than two dimensions.}];
}
def linalg_norm_named : Function<"Tensor norm(const Tensor &A, const std::string &ord, IntArrayRef dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {})"> {
  let doc = [{Returns the matrix norms "fro" or "nuc" over two dims, the last two by default. Throws ValueError for another order.}];
}
def linalg_matrix_exp : Function<"Tensor matrix_exp(const Tensor &A)"> {
  let doc = [{Returns the matrix exponentials. Throws ShapeError unless `A` is a batch of square matrices, and DtypeError for bools, integers and half floats.}];
}
}

def cholesky_solve : Function<"Tensor cholesky_solve(const Tensor &self, const Tensor &input2, bool upper = false)", [Method, Out]> {
  let doc = [{Returns X with A X = self, for the Cholesky factor `input2` of A, lower or `upper`. Throws ShapeError if they do not fit, and DtypeError if dtypes differ.}];
}
def cholesky_inverse : Function<"Tensor cholesky_inverse(const Tensor &self, bool upper = false)", [Method, Out]> {
  let doc = [{Returns the inverse of the matrix whose Cholesky factor, lower or `upper`, is `self`. Throws ShapeError unless `self` is a batch of square matrices, and DtypeError for bools, integers and half floats.}];
}
def cosine_similarity : Function<"Tensor cosine_similarity(const Tensor &x1, const Tensor &x2, int64_t dim = 1, double eps = 1e-8)"> {
  let doc = [{Returns the dot products along `dim` of both tensors, each divided by its norm or `eps`, whichever is greater; they broadcast. Throws DtypeError unless both are real floats.}];
}
def pairwise_distance : Function<"Tensor pairwise_distance(const Tensor &x1, const Tensor &x2, double p = 2, double eps = 1e-6, bool keepdim = false)"> {
  let doc = [{Returns the p-norms of x1 - x2 + eps over the last dimension, which is kept with size 1 with `keepdim`; both broadcast.}];
}
def cdist : Function<"Tensor cdist(const Tensor &x1, const Tensor &x2, double p = 2)"> {
  let doc = [{Returns the p-norms [..., n, m] of the differences of all rows of x1 [..., n, d] and x2 [..., m, d]. Throws ValueError for a negative `p`, ShapeError for fewer than two dimensions, and DtypeError unless both are real floats.}];
}
def pdist : Function<"Tensor pdist(const Tensor &self, double p = 2)"> {
  let doc = [{Returns the p-norms of the differences of all pairs of rows of a matrix [n, d], in the order (0, 1), (0, 2), …, as [n (n - 1) / 2]. Throws ValueError for a negative `p`, and ShapeError unless there are two dimensions.}];
}
def logdet : Function<"Tensor logdet(const Tensor &self)", [Method]> {
  let doc = [{Returns the logarithms of the determinants: -infinity for singular matrices, NaN for negative determinants of real ones. Throws ShapeError unless `self` is a batch of square matrices.}];
}

#endif
