#include "saltus/solvers/interior_point_systems.hpp"

#include <cmath>

namespace saltus {

namespace {

void resize_pairs(InteriorWorkspace& v, Index pairs) {
  for (Vector* vector : {&v.x, &v.s, &v.dx, &v.ds, &v.rc, &v.affine_x, &v.affine_s})
    vector->setZero(pairs);
}

void resize_unknowns(InteriorWorkspace& v, Index n) {
  for (Vector* vector : {&v.z, &v.dz, &v.r, &v.shift, &v.best}) vector->setZero(n);
}

double scale_of(ConstVectorRef q) { return std::max(1.0, q.lpNorm<Eigen::Infinity>()); }

}  // namespace

double central_mu(const InteriorWorkspace& v, double alpha) {
  if (v.x.size() == 0) return 0;
  const double sum =
      v.x.dot(v.s) + alpha * (v.x.dot(v.ds) + v.s.dot(v.dx)) + alpha * alpha * v.dx.dot(v.ds);
  return sum / static_cast<double>(v.x.size());
}

double longest_step(const InteriorWorkspace& v, double most) {
  double alpha = most;
  for (Index k = 0; k < v.x.size(); ++k) {
    if (v.dx[k] < 0) alpha = std::min(alpha, -v.x[k] / v.dx[k]);
    if (v.ds[k] < 0) alpha = std::min(alpha, -v.s[k] / v.ds[k]);
  }
  return alpha;
}

bool in_narrow(const InteriorWorkspace& v, double alpha, double theta) {
  const double centre = central_mu(v, alpha);
  double sum = 0;
  for (Index k = 0; k < v.x.size(); ++k) {
    const double x = v.x[k] + alpha * v.dx[k], s = v.s[k] + alpha * v.ds[k];
    if (!(x > 0 && s > 0)) return false;
    sum += (x * s - centre) * (x * s - centre);
  }
  return std::sqrt(sum) <= theta * centre * (1 + 1e-12);  // rounding of the sum
}

bool in_wide(const InteriorWorkspace& v, double alpha, double epsilon) {
  const double least = epsilon * central_mu(v, alpha);
  for (Index k = 0; k < v.x.size(); ++k) {
    const double x = v.x[k] + alpha * v.dx[k], s = v.s[k] + alpha * v.ds[k];
    if (!(x > 0 && s > 0 && x * s >= least)) return false;
  }
  return true;
}

bool runs_to_a_proof(const BoxView& box, Workspace& work) {
  const Vector& z = work.interior.z;
  const double size = z.size() > 0 ? z.lpNorm<Eigen::Infinity>() : 0;
  if (!std::isfinite(size) || size == 0) return infeasible_row(box, work);
  work.certificate = z / size;
  for (Index i = 0; i < z.size(); ++i)
    if (std::abs(work.certificate[i]) < 1e-6) work.certificate[i] = 0;
  return certified_infeasible(box, work);
}

BoxSystem::BoxSystem(const BoxView& box, InteriorWorkspace& vectors,
                     std::function<double(ConstVectorRef)> residual)
    : v(vectors), box_(box), residual_(std::move(residual)) {
  v.row.clear();
  v.sign.clear();
  v.bound.clear();
  v.fixed.assign(static_cast<std::size_t>(box.size()), 0);
  const auto add = [&](Index i, double sign, double bound) {
    v.row.push_back(i);
    v.sign.push_back(sign);
    v.bound.push_back(bound);
  };
  for (Index i = 0; i < box.size(); ++i) {
    v.fixed[i] = box.lower[i] == box.upper[i];
    if (v.fixed[i] != 0) continue;
    if (box.lower[i] > -inf) add(i, 1, box.lower[i]);
    if (box.upper[i] < inf) add(i, -1, box.upper[i]);
  }
  resize_pairs(v, static_cast<Index>(v.row.size()));
  resize_unknowns(v, box.size());
  v.factor.load(box.W);
}

void BoxSystem::start() {
  const double kappa = scale_of(box_.q);
  for (Index i = 0; i < box_.size(); ++i) {
    const double l = box_.lower[i], u = box_.upper[i];
    v.z[i] = l > -inf ? (u < inf ? std::min(l + kappa, 0.5 * (l + u)) : l + kappa)
                      : (u < inf ? u - kappa : 0);
  }
  for (Index k = 0; k < pairs(); ++k) {
    v.x[k] = v.sign[k] * (v.z[v.row[k]] - v.bound[k]);
    v.s[k] = kappa * kappa / v.x[k];
  }
  v.dx.setZero();
  v.ds.setZero();
  evaluate();
}

bool BoxSystem::start_at(ConstVectorRef z) {
  if (!z.allFinite() || pairs() == 0) return false;
  v.z = z;
  box_.W.multiply(z, v.r);
  v.r += box_.q;
  for (Index i = 0; i < box_.size(); ++i)
    if (v.fixed[i] != 0 || box_.lower[i] == -inf || box_.upper[i] < inf) return false;
  for (Index k = 0; k < pairs(); ++k) {
    v.x[k] = z[v.row[k]] - v.bound[k];
    v.s[k] = v.r[v.row[k]];
    if (!(v.x[k] > 0 && v.s[k] > 0)) return false;
  }
  evaluate();
  return true;
}

void BoxSystem::evaluate() {
  box_.W.multiply(v.z, v.r);
  v.r += box_.q;
  for (Index k = 0; k < pairs(); ++k) v.r[v.row[k]] -= v.sign[k] * v.s[k];
  for (Index i = 0; i < box_.size(); ++i)
    if (v.fixed[i] != 0) v.r[i] = 0;
}

bool BoxSystem::factorise() {
  v.shift.setZero();
  for (Index k = 0; k < pairs(); ++k) v.shift[v.row[k]] += v.s[k] / v.x[k];
  for (Index i = 0; i < box_.size(); ++i)
    if (v.fixed[i] != 0) v.shift[i] = 1e20 * std::max(1.0, box_.W.max_abs_diagonal());
  return v.factor.factorise(v.shift);
}

void BoxSystem::direction(double weight) {
  v.dz = -weight * v.r;
  for (Index k = 0; k < pairs(); ++k) v.dz[v.row[k]] += v.sign[k] * v.rc[k] / v.x[k];
  v.factor.solve(v.dz);
  for (Index i = 0; i < box_.size(); ++i)
    if (v.fixed[i] != 0) v.dz[i] = 0;
  for (Index k = 0; k < pairs(); ++k) {
    v.dx[k] = v.sign[k] * v.dz[v.row[k]];
    v.ds[k] = (v.rc[k] - v.s[k] * v.dx[k]) / v.x[k];
  }
}

void BoxSystem::advance(double alpha) {
  v.z += alpha * v.dz;
  v.x += alpha * v.dx;
  v.s += alpha * v.ds;
  for (Index k = 0; k < pairs(); ++k)
    if (v.x[k] < 1e-3 * std::abs(v.bound[k])) v.z[v.row[k]] = v.bound[k] + v.sign[k] * v.x[k];
  evaluate();
}

double BoxSystem::purify(double error) {
  const Index n = box_.size();
  v.in_set.assign(static_cast<std::size_t>(n), 1);
  v.best = v.z;
  for (Index i = 0; i < n; ++i)
    if (v.fixed[i] != 0) v.in_set[i] = 0;
  for (Index k = 0; k < pairs(); ++k) {
    if (v.x[k] > v.s[k]) continue;
    v.in_set[v.row[k]] = 0;
    v.z[v.row[k]] = v.bound[k];
  }
  const double shift = 1e-10 * std::max(box_.W.max_abs_diagonal(), 1e-300);
  if (!v.factor.factorise(v.in_set, shift)) {
    v.z = v.best;
    return error;
  }
  for (int round = 0; round < 3; ++round) {
    box_.W.multiply(v.z, v.dz);
    v.dz += box_.q;
    for (Index i = 0; i < n; ++i)
      if (v.in_set[i] == 0) v.dz[i] = 0;
    v.factor.solve(v.dz);
    v.z -= v.dz;
    if (!v.z.allFinite()) break;
    for (Index i = 0; i < n; ++i) v.z[i] = std::min(std::max(v.z[i], box_.lower[i]), box_.upper[i]);
    const double now = residual_(v.z);
    if (now < error) {
      error = now;
      v.best = v.z;
    }
  }
  v.z = v.best;
  return error;
}

void HorizontalSystem::resize() {
  resize_pairs(v, problem_.q.size());
  resize_unknowns(v, problem_.q.size());
}

void HorizontalSystem::start() {
  resize();
  v.x.setConstant(scale_of(problem_.q));
  v.s = v.x;
  v.r = problem_.Q * v.x + problem_.R * v.s - problem_.q;
}

bool HorizontalSystem::start_at(const HorizontalPoint& point) {
  resize();
  v.x = point.x;
  v.s = point.s;
  v.r = problem_.Q * v.x + problem_.R * v.s - problem_.q;
  return v.x.allFinite() && v.s.allFinite() && v.x.minCoeff() > 0 && v.s.minCoeff() > 0 &&
         v.r.lpNorm<Eigen::Infinity>() <= 1e-12 * scale_of(problem_.q);
}

bool HorizontalSystem::factorise() {
  const Eigen::SparseMatrix<double> K = problem_.Q * v.x.asDiagonal();
  const Eigen::SparseMatrix<double> L = problem_.R * v.s.asDiagonal();
  v.factor.load(BlockSparse::sparse(K - L));
  return v.factor.factorise(Vector::Zero(v.x.size()));
}

void HorizontalSystem::direction(double weight) {
  v.dz = v.rc.cwiseQuotient(v.x);
  v.shift = -weight * v.r - problem_.R * v.dz;
  v.factor.solve(v.shift);
  v.dx = v.x.cwiseProduct(v.shift);
  v.ds = v.dz - v.s.cwiseProduct(v.shift);
}

void HorizontalSystem::advance(double alpha) {
  v.x += alpha * v.dx;
  v.s += alpha * v.ds;
  v.r = problem_.Q * v.x + problem_.R * v.s - problem_.q;
}

double HorizontalSystem::purify(HorizontalPoint& point, double error) {
  const Index n = v.x.size();
  const auto larger = (v.x.array() > v.s.array()).cast<double>().matrix().eval();
  const Eigen::SparseMatrix<double> of_x = problem_.Q * larger.asDiagonal();
  const Eigen::SparseMatrix<double> of_s = problem_.R * (Vector::Ones(n) - larger).asDiagonal();
  v.factor.load(BlockSparse::sparse(of_x + of_s));
  if (!v.factor.factorise(Vector::Zero(n))) return error;
  v.dz = problem_.q;
  v.factor.solve(v.dz);
  v.shift = problem_.q - of_x * v.dz - of_s * v.dz;  // one step of refinement
  v.factor.solve(v.shift);
  v.dz = (v.dz + v.shift).cwiseMax(0.0);
  const HorizontalPoint exact{v.dz.cwiseProduct(larger),
                              v.dz.cwiseProduct(Vector::Ones(n) - larger)};
  const double now = residual(problem_, exact.x, exact.s);
  if (!(now < error)) return error;
  point = exact;
  return now;
}

}  // namespace saltus
