#include "saltus/integrators/assembly.hpp"

#include <algorithm>

namespace saltus {

namespace {

/// C += A B, A is m×d, B is d×n, all column by column.
void add_product(const double* A, const double* B, Index m, Index d, Index n, double* C) {
  for (Index j = 0; j < n; ++j)
    for (Index k = 0; k < d; ++k) {
      const double b = B[j * d + k];
      for (Index i = 0; i < m; ++i) C[j * m + i] += A[k * m + i] * b;
    }
}

/// For each body, the active blocks that touch it: a compressed list by counting.
void build_incidence(StepWorkspace& work) {
  const Layout& layout = work.layout;
  auto& begin = work.incidence_begin;
  begin.assign(layout.bodies.size() + 1, 0);
  Index total = 0;
  for (Index b : work.active) {
    const Layout::Block& block = layout.blocks[b];
    for (Index e = block.first_entry; e < block.last_entry; ++e, ++total)
      ++begin[layout.entries[e].body + 1];
  }
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  work.incidence_block.resize(total);
  work.incidence_entry.resize(total);
  work.marker.assign(begin.begin(), begin.end());  // next free place of each body
  for (std::size_t a = 0; a < work.active.size(); ++a) {
    const Layout::Block& block = layout.blocks[work.active[a]];
    for (Index e = block.first_entry; e < block.last_entry; ++e) {
      const Index place = work.marker[layout.entries[e].body]++;
      work.incidence_block[place] = static_cast<Index>(a);
      work.incidence_entry[place] = e;
    }
  }
}

/// One block row of W: its pattern, sorted, then its values.
void assemble_row(Index a, StepWorkspace& work) {
  const Layout& layout = work.layout;
  const Layout::Block& block = layout.blocks[work.active[a]];
  BlockSparse& W = work.problem.W;
  work.touched.clear();
  const auto touch = [&](Index column) {
    if (work.marker[column] < 0) work.marker[column] = 0, work.touched.push_back(column);
  };
  touch(a);
  for (Index e = block.first_entry; e < block.last_entry; ++e) {
    const Index body = layout.entries[e].body;
    for (Index k = work.incidence_begin[body]; k < work.incidence_begin[body + 1]; ++k)
      touch(work.incidence_block[k]);
  }
  std::sort(work.touched.begin(), work.touched.end());
  for (Index column : work.touched) work.marker[column] = W.push_block(column);
  if (!block.lagrangian())
    std::copy_n(work.feedthrough.data() + block.feedthrough, block.size * block.size,
                W.value(work.marker[a]));
  for (Index e = block.first_entry; e < block.last_entry; ++e) {
    const Layout::Entry& entry = layout.entries[e];
    const Index body = entry.body, d = layout.bodies[body].size;
    for (Index k = work.incidence_begin[body]; k < work.incidence_begin[body + 1]; ++k) {
      const Index column = work.incidence_block[k];
      const Layout::Entry& other = layout.entries[work.incidence_entry[k]];
      add_product(work.output.data() + entry.values, work.response.data() + other.values,
                  block.size, d, work.sizes[column], W.value(work.marker[column]));
    }
  }
  if (block.terms)
    for (Index i = 0; i < block.size; ++i)
      W.value(work.marker[a])[i * block.size + i] += work.compliance[block.row + i];
  for (Index column : work.touched) work.marker[column] = -1;
  W.end_row();
}

}  // namespace

void assemble_matrix(StepWorkspace& work) {
  work.sizes.clear();
  for (Index b : work.active) work.sizes.push_back(work.layout.blocks[b].size);
  build_incidence(work);
  work.marker.assign(work.active.size(), -1);
  work.problem.W.start(work.sizes, work.sizes);
  const auto count = static_cast<Index>(work.active.size());
  for (Index a = 0; a < count; ++a) assemble_row(a, work);
}

void compute_response(const Layout::Block& block, double scale, StepWorkspace& work) {
  compute_response(block, scale, work.factor, work);
}

void compute_response(const Layout::Block& block, double scale, const BlockDiagonalLu& factor,
                      StepWorkspace& work) {
  for (Index e = block.first_entry; e < block.last_entry; ++e) {
    const Layout::Entry& entry = work.layout.entries[e];
    const Index count = block.size * work.layout.bodies[entry.body].size;
    double* X = work.response.data() + entry.values;
    factor.solve(entry.body, work.input.data() + entry.values, block.size, X);
    for (Index i = 0; i < count; ++i) X[i] *= scale;
  }
}

void add_output(const Layout::Block& block, const StepWorkspace& work, ConstVectorRef w,
                double* out) {
  for (Index e = block.first_entry; e < block.last_entry; ++e) {
    const Layout::Entry& entry = work.layout.entries[e];
    const Layout::Body& body = work.layout.bodies[entry.body];
    add_product(work.output.data() + entry.values, w.data() + body.offset, block.size, body.size, 1,
                out);
  }
}

void add_output_at(const Layout::Block& block, const StepWorkspace& work, const Vector& q,
                   double* out) {
  for (Index e = block.first_entry; e < block.last_entry; ++e) {
    const Layout::Entry& entry = work.layout.entries[e];
    const Layout::Body& body = work.layout.bodies[entry.body];
    add_product(work.output.data() + entry.values, q.data() + body.position, block.size, body.size,
                1, out);
  }
}

void add_response(const StepWorkspace& work, VectorRef w) {
  for (Index b : work.active) {
    const Layout::Block& block = work.layout.blocks[b];
    for (Index e = block.first_entry; e < block.last_entry; ++e) {
      const Layout::Entry& entry = work.layout.entries[e];
      const Layout::Body& body = work.layout.bodies[entry.body];
      add_product(work.response.data() + entry.values, work.r.data() + block.row, body.size,
                  block.size, 1, w.data() + body.offset);
    }
  }
}

void subtract_response(const Layout::Block& block, const StepWorkspace& work, const Vector& r,
                       VectorRef w) {
  for (Index e = block.first_entry; e < block.last_entry; ++e) {
    const Layout::Entry& entry = work.layout.entries[e];
    const Layout::Body& body = work.layout.bodies[entry.body];
    const double* X = work.response.data() + entry.values;
    for (Index j = 0; j < block.size; ++j)
      for (Index i = 0; i < body.size; ++i)
        w[body.offset + i] -= X[j * body.size + i] * r[block.row + j];
  }
}

void add_input(const Layout::Block& block, const StepWorkspace& work, double scale, const Vector& r,
               VectorRef f) {
  for (Index e = block.first_entry; e < block.last_entry; ++e) {
    const Layout::Entry& entry = work.layout.entries[e];
    const Layout::Body& body = work.layout.bodies[entry.body];
    const double* B = work.input.data() + entry.values;
    for (Index j = 0; j < block.size; ++j)
      for (Index i = 0; i < body.size; ++i)
        f[body.offset + i] += scale * B[j * body.size + i] * r[block.row + j];
  }
}

void subtract_input(const StepWorkspace& work, double h, VectorRef f) {
  for (Index b : work.active) {
    const Layout::Block& block = work.layout.blocks[b];
    add_input(block, work, block.lagrangian() ? -1.0 : -h, work.r, f);
  }
}

}  // namespace saltus
