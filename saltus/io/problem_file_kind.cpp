#include "saltus/io/problem_file_kind.hpp"

#include "saltus/base/overloaded.hpp"

namespace saltus {

namespace {

BlockSet interval(double lower, double upper) {
  if (lower == -inf && upper == inf) return Reals{};
  if (lower == 0 && upper == inf) return NonNegative{};
  return Interval{lower, upper};
}

}  // namespace

std::string_view name(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::lcp:
      return "lcp";
    case ProblemKind::mlcp:
      return "mlcp";
    case ProblemKind::relay:
      return "relay";
  }
  return "unknown";
}

std::optional<ProblemKind> kind_by_name(std::string_view text) {
  for (const ProblemKind kind : problem_kinds)
    if (name(kind) == text) return kind;
  return std::nullopt;
}

ProblemKind kind_of(const ComplementarityProblem& problem) {
  return problem_kinds[problem.index()];
}

const BlockSparse& matrix_of(const ComplementarityProblem& problem) {
  return std::visit(Overloaded{[](const BlockForm& p) -> const BlockSparse& { return p.W; },
                               [](const auto& p) -> const BlockSparse& { return p.M; }},
                    problem);
}

const Vector& vector_of(const ComplementarityProblem& problem) {
  return std::visit([](const auto& p) -> const Vector& { return p.q; }, problem);
}

BlockForm make_relay(const BlockSparse& M, ConstVectorRef q, ConstVectorRef lower,
                     ConstVectorRef upper) {
  const Index n = M.rows();
  require(M.cols() == n && q.size() == n && lower.size() == n && upper.size() == n,
          "make_relay: M is {}x{}, q, lower and upper have sizes {}, {} and {}", n, M.cols(),
          q.size(), lower.size(), upper.size());
  BlockForm form{M.scalar() ? M : BlockSparse::sparse(M.to_sparse()), q, {}};
  form.K.reserve(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) form.K.push_back(interval(lower[i], upper[i]));
  validate(form);
  return form;
}

Bounds bounds_of(const BlockForm& relay) {
  Bounds bounds{Vector(relay.q.size()), Vector(relay.q.size())};
  for (Index i = 0; i < relay.W.block_rows(); ++i) {
    const auto set = [&](double lower, double upper) {
      bounds.lower.segment(relay.W.row_offset(i), relay.W.row_size(i)).setConstant(lower);
      bounds.upper.segment(relay.W.row_offset(i), relay.W.row_size(i)).setConstant(upper);
    };
    std::visit(
        Overloaded{[&](const Reals&) { set(-inf, inf); }, [&](const NonNegative&) { set(0, inf); },
                   [&](const Interval& K) { set(K.lower, K.upper); },
                   [&](const auto& K) {
                     fail("a relay has one interval per row; block {} is a {}", i,
                          name(BlockSet(K)));
                   }},
        relay.K[i]);
  }
  return bounds;
}

}  // namespace saltus
