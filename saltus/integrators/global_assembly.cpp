#include "saltus/integrators/global_assembly.hpp"

#include <algorithm>

namespace saltus {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Rows of the touched bodies in the global problem; −1 for the others. Returns their number.
Index number_bodies(StepWorkspace& work) {
  const Layout& layout = work.layout;
  work.global_row.assign(layout.bodies.size(), -1);
  for (Index b : work.active)
    for (Index e = layout.blocks[b].first_entry; e < layout.blocks[b].last_entry; ++e) {
      const Layout::Body& body = layout.bodies[layout.entries[e].body];
      auto row = work.global_row.begin() + layout.entries[e].body;
      if (body.coupled < 0)
        *row = 0;
      else if (*row < 0)
        std::fill_n(row - body.local, work.coupled[body.coupled].size() / body.size, 0);
    }
  Index rows = 0;
  for (std::size_t i = 0; i < layout.bodies.size(); ++i) {
    if (work.global_row[i] < 0) continue;
    work.global_row[i] = rows;
    rows += layout.bodies[i].size;
  }
  return rows;
}

/// Rows with a compliance D have an unknown s of their own: D⁻¹ s = r, u = Hᵀ v + s.
bool compliant(const Layout::Block& block, Index row, const StepWorkspace& work) {
  return block.terms && work.compliance[block.row + row] > 0;
}

Index count_compliant(const StepWorkspace& work) {
  Index count = 0;
  for (Index b : work.active) {
    const Layout::Block& block = work.layout.blocks[b];
    for (Index r = 0; r < block.size; ++r) count += compliant(block, r, work) ? 1 : 0;
  }
  return count;
}

/// Compressed columns, to be filled in order.
struct Columns {
  Sparse& A;
  int place = 0;
  Index column = 0;
  Columns(Sparse& matrix, Index rows, Index cols, Index nonzeros) : A(matrix) {
    A.resize(rows, cols);
    A.resizeNonZeros(nonzeros);
    A.outerIndexPtr()[0] = 0;
  }
  void push(Index row, double value) {
    A.innerIndexPtr()[place] = static_cast<int>(row);
    A.valuePtr()[place++] = value;
  }
  void end() { A.outerIndexPtr()[++column] = place; }
};

/// Entries of M̂ in the columns of a body.
Index count_values(const Layout::Body& body, const StepWorkspace& work) {
  if (body.coupled < 0) return body.size * body.size;
  const int* begin = work.coupled[body.coupled].iteration.outerIndexPtr() + body.local * body.size;
  return begin[body.size] - begin[0];
}

/// The columns of a body of a coupled system; `row` is that of the body itself.
void push_coupled(const Layout::Body& body, Index row, Columns& M, StepWorkspace& work) {
  const SparseMatrix& iteration = work.coupled[body.coupled].iteration;
  const Index first = body.local * body.size, origin = row - first;
  for (Index c = 0; c < body.size; ++c, M.end())
    for (SparseMatrix::InnerIterator it(iteration, first + c); it; ++it) {
      M.push(origin + it.row(), it.value());
      work.global.f[origin + it.row()] += it.value() * work.w_pulled[body.offset + c];
    }
}

void assemble_mass(Index rows, Index springs, StepWorkspace& work) {
  const Layout& layout = work.layout;
  Index nonzeros = 0;
  for (std::size_t i = 0; i < layout.bodies.size(); ++i)
    if (work.global_row[i] >= 0) nonzeros += count_values(layout.bodies[i], work);
  Columns M(work.global.M, rows + springs, rows + springs, nonzeros + springs);
  work.global.f.setZero(rows + springs);
  for (std::size_t i = 0; i < layout.bodies.size(); ++i) {
    const Index row = work.global_row[i];
    if (row < 0) continue;
    const Layout::Body& body = layout.bodies[i];
    if (body.coupled >= 0) {
      push_coupled(body, row, M, work);
      continue;
    }
    const double* value = work.iteration.data() + body.matrix;
    for (Index c = 0; c < body.size; ++c, M.end())
      for (Index k = 0; k < body.size; ++k, ++value) {
        M.push(row + k, *value);
        work.global.f[row + k] += *value * work.w_pulled[body.offset + c];
      }
  }
  for (Index b : work.active) {
    const Layout::Block& block = layout.blocks[b];
    for (Index r = 0; r < block.size; ++r)
      if (compliant(block, r, work)) {
        M.push(M.column, 1 / work.compliance[block.row + r]);
        M.end();
      }
  }
}

/// One column per row of the block, its bodies in increasing order; `spring` is the next unknown of
/// a compliant row.
void assemble_block(const Layout::Block& block, Index& spring, Columns& H, StepWorkspace& work) {
  const Layout& layout = work.layout;
  std::vector<Index>& order = work.touched;
  order.clear();
  for (Index e = block.first_entry; e < block.last_entry; ++e) order.push_back(e);
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return layout.entries[a].body < layout.entries[b].body; });
  for (Index r = 0; r < block.size; ++r, H.end()) {
    for (Index e : order) {
      const Layout::Entry& entry = layout.entries[e];
      const Index size = layout.bodies[entry.body].size;
      const double* B = work.input.data() + entry.values + r * size;
      for (Index k = 0; k < size; ++k) H.push(work.global_row[entry.body] + k, B[k]);
    }
    if (compliant(block, r, work)) H.push(spring++, 1);
  }
}

}  // namespace

void assemble_global(StepWorkspace& work) {
  const Layout& layout = work.layout;
  const Index bodies = number_bodies(work), springs = count_compliant(work);
  const Index unknowns = bodies + springs;
  assemble_mass(bodies, springs, work);
  Index rows = 0, nonzeros = springs, spring = bodies;
  work.global.sizes.clear();
  for (Index b : work.active) {
    const Layout::Block& block = layout.blocks[b];
    work.global.sizes.push_back(block.size);
    rows += block.size;
    for (Index e = block.first_entry; e < block.last_entry; ++e)
      nonzeros += block.size * layout.bodies[layout.entries[e].body].size;
  }
  Columns H(work.global.H, unknowns, rows, nonzeros);
  work.global.w.resize(rows);
  Index row = 0;
  for (Index b : work.active) {
    const Layout::Block& block = layout.blocks[b];
    assemble_block(block, spring, H, work);
    work.global.w.segment(row, block.size) = work.constant.segment(block.row, block.size);
    row += block.size;
  }
  work.global_velocity.resize(unknowns);
}

}  // namespace saltus
