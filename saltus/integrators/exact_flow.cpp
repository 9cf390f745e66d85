#include "saltus/integrators/exact_flow.hpp"

#include "saltus/integrators/dynamics.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <unsupported/Eigen/MatrixFunctions>

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

/// ∫₀ʰ e^(A τ) dτ: the upper right block of exp(h [A, 1; 0, 0]).
Matrix held_load(const Matrix& A, double h) {
  const Index n = A.rows();
  Matrix big = Matrix::Zero(2 * n, 2 * n);
  big.topLeftCorner(n, n) = h * A;
  big.topRightCorner(n, n) = h * Matrix::Identity(n, n);
  return Matrix(big.exp()).topRightCorner(n, n);
}

/// Γ of a body: of ṡ = A s, s = (q, v) or x. The exponential is that for (σ q, v), σ about the
/// largest frequency: its rows are then of one size, and stiff springs cost no digits.
Matrix flow_matrix(const SystemEntry& entry, const StateView& x, const Layout::Body& body,
                   const Matrix& inverse, double h) {
  const Index n = body.size;
  Matrix C(n, n), K(n, n);
  entry.system.damping(x, body.local, C);
  if (entry.system.order() == Order::first) return held_load(-inverse * C, h);
  entry.system.stiffness(x, body.local, K);
  const Matrix springs = inverse * K;
  const double sigma = std::sqrt(std::max(springs.lpNorm<Eigen::Infinity>(), 1 / (h * h)));
  Matrix A = Matrix::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n) = sigma * Matrix::Identity(n, n);
  A.bottomLeftCorner(n, n) = -springs / sigma;
  A.bottomRightCorner(n, n) = -inverse * C;
  Matrix gamma = held_load(A, h);
  gamma.topRightCorner(n, n) /= sigma;
  gamma.bottomLeftCorner(n, n) *= sigma;
  return gamma;
}

bool touched(Index body, const Model& model, const Layout& layout) {
  return !model.sources().empty() ||
         std::any_of(layout.entries.begin(), layout.entries.end(),
                     [&](const Layout::Entry& entry) { return entry.body == body; });
}

/// Matrices of one body and the factors of its M̂.
bool hold_body(const Model& model, const State& state, double h, ExactFlows::BodyFlow& flow,
               StepWorkspace& work) {
  const Layout::Body& body = work.layout.bodies[flow.body];
  const SystemEntry& entry = model.systems()[body.system];
  const bool second = entry.system.order() == Order::second;
  const Index n = body.size;
  const Eigen::Map<const Matrix> M(work.mass.data() + body.matrix, n, n);
  flow.inverse = M.inverse();
  flow.gamma = flow_matrix(entry, Model::view(entry, state), body, flow.inverse, h);
  if (!flow.gamma.allFinite()) return false;
  const Matrix answer = flow.gamma.bottomRightCorner(n, n);
  Eigen::Map<Matrix> iteration(work.iteration.data() + body.matrix, n, n);
  iteration = M;
  flow.lever = Matrix::Zero(n, n);
  if (touched(flow.body, model, work.layout)) {
    const Matrix compliance = answer * flow.inverse;
    const Matrix symmetric = 0.5 * (compliance + compliance.transpose());
    if (second && Eigen::LLT<Matrix>(symmetric).info() != Eigen::Success) return false;
    const Matrix inverse = answer.inverse();
    iteration = h * M * inverse;
    if (second) flow.lever = flow.gamma.topRightCorner(n, n) * inverse;
  }
  return iteration.allFinite() && work.factor.bodies.factorize(flow.body, iteration.data());
}

void list_bodies(StepWorkspace& work) {
  ExactFlows& exact = work.rules.exact;
  exact.bodies.clear();
  const auto count = static_cast<Index>(work.layout.bodies.size());
  Index largest = 0;
  for (Index b = 0; b < count; ++b) {
    const Layout::Body& body = work.layout.bodies[b];
    if (!work.rules.rules[body.system].exact) continue;
    exact.bodies.emplace_back().body = b;
    largest = std::max(largest, body.size);
  }
  exact.w_flow.setZero(work.w.size());
  exact.q_flow.setZero(work.q_end.size());
  exact.force.setZero(work.w.size());
  exact.rate.setZero(2 * largest);
  exact.gain.setZero(2 * largest);
}

}  // namespace

bool hold_exact_flows(const Model& model, const State& state, double h, StepWorkspace& work) {
  ExactFlows& exact = work.rules.exact;
  if (exact.held == h) return true;
  exact.held = -1;
  work.matrix_current = false;
  list_bodies(work);
  for (ExactFlows::BodyFlow& flow : exact.bodies)
    if (!hold_body(model, state, h, flow, work)) return false;
  exact.held = h;
  return true;
}

void evaluate_exact_flows(const Model& model, const State& state, double h, StepWorkspace& work) {
  ExactFlows& exact = work.rules.exact;
  if (exact.bodies.empty()) return;
  evaluate_forces(model, state.t + h / 2, state.q, work.w_begin, state.z, work.layout, exact.force);
  for (const ExactFlows::BodyFlow& flow : exact.bodies) {
    const Layout::Body& body = work.layout.bodies[flow.body];
    const Index n = body.size, size = flow.gamma.rows();
    auto rate = exact.rate.head(size), gain = exact.gain.head(size);
    exact.force.segment(body.offset, n) += work.impulse.segment(body.offset, n) / h;
    rate.tail(n).noalias() = flow.inverse * exact.force.segment(body.offset, n);
    if (size > n) rate.head(n) = work.w_begin.segment(body.offset, n);
    gain.noalias() = flow.gamma * rate;
    exact.w_flow.segment(body.offset, n) = work.w_begin.segment(body.offset, n) + gain.tail(n);
    if (size > n)
      exact.q_flow.segment(body.position, n) = state.q.segment(body.position, n) + gain.head(n);
  }
}

void evaluate_exact_residual(StepWorkspace& work) {
  ExactFlows& exact = work.rules.exact;
  for (const ExactFlows::BodyFlow& flow : exact.bodies) {
    const Layout::Body& body = work.layout.bodies[flow.body];
    const Index n = body.size;
    const Eigen::Map<const Matrix> iteration(work.iteration.data() + body.matrix, n, n);
    auto change = exact.gain.head(n);
    change = work.w.segment(body.offset, n) - exact.w_flow.segment(body.offset, n);
    work.newton.segment(body.offset, n).noalias() = iteration * change;
  }
}

void move_exact(StepWorkspace& work) {
  ExactFlows& exact = work.rules.exact;
  for (const ExactFlows::BodyFlow& flow : exact.bodies) {
    const Layout::Body& body = work.layout.bodies[flow.body];
    const Index n = body.size;
    if (flow.gamma.rows() == n) continue;
    auto change = exact.gain.head(n);
    change = work.w.segment(body.offset, n) - exact.w_flow.segment(body.offset, n);
    work.q_end.segment(body.position, n) = exact.q_flow.segment(body.position, n);
    work.q_end.segment(body.position, n).noalias() += flow.lever * change;
  }
}

}  // namespace saltus
