#include "saltus/problems/friction_contact.hpp"

#include "saltus/base/report.hpp"
#include "saltus/problems/rows.hpp"

#include <cmath>

namespace saltus {

namespace {

void validate_coefficients(const char* what, const char* letter, ConstVectorRef mu) {
  for (Index i = 0; i < mu.size(); ++i)
    require(std::isfinite(mu[i]) && mu[i] >= 0, "{}: {}[{}] is {}, expected a finite number >= 0",
            what, letter, i, mu[i]);
}

void validate_contacts(const char* what, Index dimension, Index rows, const Vector& mu,
                       const Vector& mu_rolling) {
  const bool rolling = mu_rolling.size() > 0;
  require(dimension == 3 || dimension == (rolling ? 5 : 2),
          "{}: dimension is {}, expected {} or {}", what, dimension, rolling ? 3 : 2,
          rolling ? 5 : 3);
  require(rows == dimension * mu.size(), "{}: mu has size {}, {} rows make {} contacts of {} rows",
          what, mu.size(), rows, rows / dimension, dimension);
  require(!rolling || mu_rolling.size() == mu.size(),
          "{}: mu_rolling has size {}, mu has size {}, expected the same", what, mu_rolling.size(),
          mu.size());
  validate_coefficients(what, "mu", mu);
  validate_coefficients(what, "mu_rolling", mu_rolling);
}

}  // namespace

double residual(const FrictionContact& problem, ConstVectorRef r) {
  require(r.size() == problem.q.size(), "residual(FrictionContact): r has size {}, the problem {}",
          r.size(), problem.q.size());
  double sum = 0;
  bool finite = true;
  visit_rows(problem.W, r, problem.q, [&](Index block, Index first, Index size, const double* u) {
    const double* x = r.data() + first;
    for (Index i = 0; i < size; ++i) finite = finite && std::isfinite(x[i]) && std::isfinite(u[i]);
    if (finite)
      sum += squared_natural_map(contact_set(problem.mu, problem.mu_rolling, block), size, x, u);
  });
  return finite ? std::sqrt(sum) : inf;
}

double residual(const GlobalFrictionContact& problem, ConstVectorRef v, ConstVectorRef r) {
  const Index d = problem.dimension;
  const Vector balance = problem.M * v - problem.H * r - problem.f;
  const Vector u = problem.H.transpose() * v + problem.w;
  double sum = balance.squaredNorm();
  if (!balance.allFinite() || !u.allFinite() || !r.allFinite()) return inf;
  for (Index i = 0; i < problem.mu.size(); ++i)
    sum += squared_natural_map(contact_set(problem.mu, problem.mu_rolling, i), d, r.data() + d * i,
                               u.data() + d * i);
  return std::sqrt(sum);
}

void validate(const FrictionContact& problem) {
  validate_affine("FrictionContact", problem.W, problem.q);
  validate_contacts("FrictionContact", problem.dimension, problem.q.size(), problem.mu,
                    problem.mu_rolling);
  for (Index i = 0; i < problem.W.block_rows(); ++i)
    require(
        problem.W.row_size(i) == problem.dimension && problem.W.column_size(i) == problem.dimension,
        "FrictionContact: block {} of W is {}x{}, expected the dimension {}", i,
        problem.W.row_size(i), problem.W.column_size(i), problem.dimension);
}

void validate(const GlobalFrictionContact& problem) {
  const char* what = "GlobalFrictionContact";
  validate_global(what, problem.M, problem.H, problem.f, problem.w);
  validate_contacts(what, problem.dimension, problem.w.size(), problem.mu, problem.mu_rolling);
}

FrictionContact reduce(const GlobalFrictionContact& problem) {
  validate(problem);
  Reduced reduced = reduce("GlobalFrictionContact", problem.M, problem.H, problem.f, problem.w);
  return {problem.dimension, BlockSparse::sparse(reduced.W, problem.dimension),
          std::move(reduced.q), problem.mu, problem.mu_rolling};
}

Vector velocity(const GlobalFrictionContact& problem, ConstVectorRef r) {
  validate(problem);
  return velocity("GlobalFrictionContact", problem.M, problem.H, problem.f, r);
}

BlockSet contact_set(const Vector& mu, const Vector& mu_rolling, Index i) {
  if (mu_rolling.size() == 0) return FrictionCone{mu[i]};
  return RollingCone{mu[i], mu_rolling[i]};
}

GlobalBlockForm to_global_block_form(const GlobalFrictionContact& problem) {
  validate(problem);
  const auto contacts = static_cast<std::size_t>(problem.mu.size());
  GlobalBlockForm form{problem.M, problem.H, problem.f,
                       problem.w, {},        std::vector<Index>(contacts, problem.dimension)};
  form.K.reserve(contacts);
  for (Index i = 0; i < problem.mu.size(); ++i)
    form.K.push_back(contact_set(problem.mu, problem.mu_rolling, i));
  return form;
}

void to_block_form(const FrictionContact& problem, BlockForm& form) {
  form.W = problem.W;
  form.q = problem.q;
  form.K.resize(static_cast<std::size_t>(problem.mu.size()));
  for (Index i = 0; i < problem.mu.size(); ++i)
    form.K[i] = contact_set(problem.mu, problem.mu_rolling, i);
}

BlockForm to_block_form(const FrictionContact& problem) {
  validate(problem);
  BlockForm form;
  to_block_form(problem, form);
  return form;
}

}  // namespace saltus
