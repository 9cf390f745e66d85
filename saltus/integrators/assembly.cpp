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

/// C += A S B, S is d×d with columns `stride` apart; d is the size of a node.
void add_product(const double* A, const double* S, Index stride, const double* B, Index m, Index d,
                 Index n, double* C) {
  for (Index j = 0; j < n; ++j)
    for (Index l = 0; l < d; ++l) {
      const double b = B[j * d + l];
      if (b == 0) continue;
      for (Index k = 0; k < d; ++k) {
        const double s = S[l * stride + k] * b;
        for (Index i = 0; i < m; ++i) C[j * m + i] += A[k * m + i] * s;
      }
    }
}

/// For each part of the mass matrix, the active blocks that touch it: a compressed list by
/// counting.
void build_incidence(StepWorkspace& work) {
  const Layout& layout = work.layout;
  auto& begin = work.incidence_begin;
  begin.assign(layout.parts + 1, 0);
  Index total = 0;
  for (Index b : work.active) {
    const Layout::Block& block = layout.blocks[b];
    for (Index e = block.first_entry; e < block.last_entry; ++e, ++total)
      ++begin[layout.bodies[layout.entries[e].body].part + 1];
  }
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  work.incidence_block.resize(total);
  work.incidence_entry.resize(total);
  work.marker.assign(begin.begin(), begin.end());  // next free place of each part
  for (std::size_t a = 0; a < work.active.size(); ++a) {
    const Layout::Block& block = layout.blocks[work.active[a]];
    for (Index e = block.first_entry; e < block.last_entry; ++e) {
      const Index place = work.marker[layout.bodies[layout.entries[e].body].part]++;
      work.incidence_block[place] = static_cast<Index>(a);
      work.incidence_entry[place] = e;
    }
  }
}

/// C += H M̂⁻¹ B of two entries in the same part.
void add_pair(const Layout::Entry& entry, const Layout::Entry& other, Index rows, Index columns,
              const StepFactors& factor, const StepWorkspace& work, double* C) {
  const Layout::Body& body = work.layout.bodies[entry.body];
  const double* H = work.output.data() + entry.values;
  const double* X = work.response.data() + other.values;
  if (body.coupled < 0) {
    add_product(H, X, rows, body.size, columns, C);
    return;
  }
  const CoupledFactor& whole = factor.coupled[body.coupled];
  add_product(H, whole.compliance(body.local, work.layout.bodies[other.body].local), whole.stride(),
              X, rows, body.size, columns, C);
}

/// One block row of W: its pattern, sorted, then its values.
void assemble_row(Index a, const StepFactors& factor, StepWorkspace& work) {
  const Layout& layout = work.layout;
  const Layout::Block& block = layout.blocks[work.active[a]];
  BlockSparse& W = work.problem.W;
  work.touched.clear();
  const auto touch = [&](Index column) {
    if (work.marker[column] < 0) work.marker[column] = 0, work.touched.push_back(column);
  };
  touch(a);
  for (Index e = block.first_entry; e < block.last_entry; ++e) {
    const Index part = layout.bodies[layout.entries[e].body].part;
    for (Index k = work.incidence_begin[part]; k < work.incidence_begin[part + 1]; ++k)
      touch(work.incidence_block[k]);
  }
  std::sort(work.touched.begin(), work.touched.end());
  for (Index column : work.touched) work.marker[column] = W.push_block(column);
  if (!block.lagrangian())
    std::copy_n(work.feedthrough.data() + block.feedthrough, block.size * block.size,
                W.value(work.marker[a]));
  for (Index e = block.first_entry; e < block.last_entry; ++e) {
    const Layout::Entry& entry = layout.entries[e];
    const Layout::Body& body = layout.bodies[entry.body];
    for (Index k = work.incidence_begin[body.part]; k < work.incidence_begin[body.part + 1]; ++k) {
      const Index column = work.incidence_block[k];
      const Layout::Entry& other = layout.entries[work.incidence_entry[k]];
      add_pair(entry, other, block.size, work.sizes[column], factor, work,
               W.value(work.marker[column]));
    }
  }
  if (block.terms)
    for (Index i = 0; i < block.size; ++i)
      W.value(work.marker[a])[i * block.size + i] += work.compliance[block.row + i];
  for (Index column : work.touched) work.marker[column] = -1;
  W.end_row();
}

}  // namespace

void assemble_matrix(StepFactors& factor, StepWorkspace& work) {
  complete_compliance(factor, work);
  work.sizes.clear();
  for (Index b : work.active) work.sizes.push_back(work.layout.blocks[b].size);
  build_incidence(work);
  work.marker.assign(work.active.size(), -1);
  work.problem.W.start(work.sizes, work.sizes);
  const auto count = static_cast<Index>(work.active.size());
  for (Index a = 0; a < count; ++a) assemble_row(a, factor, work);
}

void compute_responses(double h, const StepFactors& factor, StepWorkspace& work) {
  const Layout& layout = work.layout;
  for (Index b : work.active) {
    const Layout::Block& block = layout.blocks[b];
    const double scale = block.lagrangian() ? 1.0 : h;
    for (Index e = block.first_entry; e < block.last_entry; ++e) {
      const Layout::Entry& entry = layout.entries[e];
      const Layout::Body& body = layout.bodies[entry.body];
      const Index count = block.size * body.size;
      const double* B = work.input.data() + entry.values;
      double* X = work.response.data() + entry.values;
      if (body.coupled < 0)
        factor.bodies.solve(entry.body, B, block.size, X);
      else
        std::copy_n(B, count, X);
      for (Index i = 0; i < count; ++i) X[i] *= scale;
    }
  }
}

void complete_compliance(StepFactors& factor, const StepWorkspace& work) {
  if (work.coupled.empty()) return;
  const Layout& layout = work.layout;
  const auto at_bodies = [&](const auto& call) {
    for (Index b : work.active)
      for (Index e = layout.blocks[b].first_entry; e < layout.blocks[b].last_entry; ++e) {
        const Layout::Body& body = layout.bodies[layout.entries[e].body];
        if (body.coupled >= 0) call(factor.coupled[body.coupled], body.local);
      }
  };
  at_bodies([](CoupledFactor& whole, Index body) { whole.touch(body); });
  at_bodies([](CoupledFactor& whole, Index body) { whole.complete(body); });
}

double self_compliance(const Layout::Block& block, const StepFactors& factor,
                       const StepWorkspace& work) {
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6> W;
  W.setZero(block.size, block.size);
  for (Index e = block.first_entry; e < block.last_entry; ++e)
    for (Index f = block.first_entry; f < block.last_entry; ++f) {
      const Layout::Entry &entry = work.layout.entries[e], &other = work.layout.entries[f];
      if (work.layout.bodies[entry.body].part == work.layout.bodies[other.body].part)
        add_pair(entry, other, block.size, block.size, factor, work, W.data());
    }
  return W(0, 0);
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

void add_response(double sign, const Vector& r, bool terms_only, const StepWorkspace& work,
                  StepFactors& factor, VectorRef w) {
  const Layout& layout = work.layout;
  for (Index b : work.active) {
    const Layout::Block& block = layout.blocks[b];
    if (terms_only && !block.terms) continue;
    for (Index e = block.first_entry; e < block.last_entry; ++e) {
      const Layout::Entry& entry = layout.entries[e];
      const Layout::Body& body = layout.bodies[entry.body];
      const double* X = work.response.data() + entry.values;
      const bool whole = body.coupled >= 0;
      double* out = whole ? factor.coupled[body.coupled].load() + body.local * body.size
                          : w.data() + body.offset;
      for (Index j = 0; j < block.size; ++j) {
        const double percussion = (whole ? 1 : sign) * r[block.row + j];
        for (Index i = 0; i < body.size; ++i) out[i] += X[j * body.size + i] * percussion;
      }
    }
  }
  for (std::size_t s = 0; s < work.coupled.size(); ++s)
    factor.coupled[s].unload(sign, w.data() + work.coupled[s].offset);
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
