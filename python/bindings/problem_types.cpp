#include "problem_types.hpp"

#include "sets.hpp"

#include <pybind11/eigen.h>

#include <algorithm>

namespace saltus::python {

bool is_sparse(const py::object& object) { return py::hasattr(object, "toarray"); }

Sparse to_sparse(const py::object& object, const std::string& where) {
  if (!is_sparse(object)) return to_matrix(object, where).sparseView();
  if (object.attr("dtype").attr("kind").cast<std::string>() == "c")
    fail("{}: expected real numbers, given {}", where, given(object));
  const py::object columns =
      py::module_::import("scipy.sparse").attr("csc_matrix")(object, py::arg("copy") = true);
  columns.attr("sum_duplicates")();
  return columns.cast<Sparse>();
}

BlockSparse to_blocks(const py::object& object, const std::string& where, Index size) {
  if (!is_sparse(object)) return BlockSparse::dense(to_matrix(object, where), size);
  return BlockSparse::sparse(to_sparse(object, where), std::max<Index>(size, 1));
}

py::object from_blocks(const BlockSparse& A, bool dense) {
  if (dense) return copy(ConstMatrixRef(A.to_dense()));
  return py::cast(A.to_sparse());
}

py::object from_sparse(const Sparse& A, bool dense) {
  if (dense) return copy(ConstMatrixRef(Matrix(A)));
  return py::cast(A);
}

Blocks to_block_sets(const py::object& K, const std::string& where) {
  Blocks blocks;
  for (const Factor& factor : to_factors(K, where)) {
    blocks.sizes.push_back(factor.dimension);
    std::visit(
        [&]<class S>(const S& set) {
          if constexpr (std::is_constructible_v<BlockSet, S>)
            blocks.sets.emplace_back(set);
          else
            fail("{}[{}] is a {}, which no block can have: see help(saltus.BlockForm)", where,
                 blocks.sets.size(), S::name);
        },
        factor.set);
  }
  return blocks;
}

py::object from_block_sets(const std::vector<BlockSet>& sets, const std::vector<Index>& sizes) {
  std::vector<Factor> factors;
  for (std::size_t i = 0; i < sets.size(); ++i)
    std::visit([&](const auto& set) { factors.push_back({set, sizes[i]}); }, sets[i]);
  return from_factors(factors);
}

std::filesystem::path to_path(const py::object& object) {
  return std::filesystem::path(
      py::module_::import("os").attr("fspath")(object).cast<std::string>());
}

Vector to_point(py::handle object, Index size, const std::string& where) {
  Vector z = to_vector(object, where, true);
  require(z.size() == size, "{} has size {}, expected {}", where, z.size(), size);
  return z;
}

Vector to_guess(py::handle guess, Index size) {
  if (guess.is_none()) return Vector::Zero(size);
  Vector z = to_vector(guess, "solve: guess");
  require(z.size() == size, "solve: guess has size {}, the problem has {} unknowns", z.size(),
          size);
  return z;
}

}  // namespace saltus::python
