#include "saltus/solvers/projected_path.hpp"

namespace saltus {

namespace {

using Map = Eigen::Map<Vector>;
using ConstMap = Eigen::Map<const Vector>;

/// y += factor · column i of the symmetric W, read from its row i.
void add_column(const BlockSparse& W, Index i, double factor, double* y) {
  Index low = 0, high = W.block_rows() - 1;
  while (low < high) {
    const Index middle = (low + high + 1) / 2;
    if (W.row_offset(middle) <= i)
      low = middle;
    else
      high = middle - 1;
  }
  const Index rows = W.row_size(low), r = i - W.row_offset(low);
  for (Index k = W.row_begin(low); k < W.row_begin(low + 1); ++k) {
    const Index first = W.column_offset(W.column(k));
    for (Index c = 0; c < W.column_size(W.column(k)); ++c)
      y[first + c] += factor * W.value(k)[c * rows + r];
  }
}

/// Where z + t d meets a bound.
double breakpoint(const BoxView& box, Index i, double z, double d) {
  if (d == 0) return inf;
  const double bound = d > 0 ? box.upper[i] : box.lower[i];
  return std::max(0.0, (bound - z) / d);
}

}  // namespace

double projected_gradient(const BoxView& box, const double* z, const double* u, double* d) {
  double square = 0;
  for (Index i = 0; i < box.size(); ++i) {
    const bool blocked = u[i] > 0 ? z[i] <= box.lower[i] : z[i] >= box.upper[i];
    d[i] = blocked ? 0.0 : -u[i];
    square += d[i] * d[i];
  }
  return square;
}

PathStep search_path(const BoxView& box, const PathPoint& point, const double* d, double length,
                     double mu, double allowance) {
  const Index n = box.size();
  Map s(point.s, n), Ws(point.Ws, n), u(point.u, n), z(point.z, n);
  for (int trial = 0; trial < 60; ++trial) {
    for (Index i = 0; i < n; ++i) s[i] = clamp(box, i, z[i] + length * d[i]) - z[i];
    box.W.multiply(s, Ws);
    const double slope = u.dot(s), curvature = s.dot(Ws), change = slope + curvature / 2;
    if (slope < 0 && change <= allowance + mu * slope) {
      for (Index i = 0; i < n; ++i) z[i] = clamp(box, i, z[i] + length * d[i]);
      u += Ws;
      return {true, false, -change, length};
    }
    const double best = slope < 0 ? -slope / curvature : 0.1;
    length *= std::clamp(best, 0.1, 0.5);
  }
  return {};
}

PathStep walk_path(const BoxView& box, const PathPoint& point, double* d, Workspace& work) {
  const Index n = box.size();
  Map s(point.s, n), Ws(point.Ws, n), u(point.u, n), z(point.z, n), p(d, n);
  Map Wp(work.base.get(n), n), t_break(work.sign.get(n), n);
  work.active.clear();
  for (Index i = 0; i < n; ++i) {
    t_break[i] = breakpoint(box, i, z[i], d[i]);
    if (t_break[i] < inf) work.active.push_back(i);
  }
  std::sort(work.active.begin(), work.active.end(),
            [&](Index a, Index b) { return t_break[a] < t_break[b]; });
  box.W.multiply(p, Wp);
  s.setZero();
  Ws.setZero();
  double t = 0, change = 0;
  for (std::size_t next = 0;;) {
    const double slope = u.dot(p) + Ws.dot(p), curvature = p.dot(Wp);
    const double end = next < work.active.size() ? t_break[work.active[next]] : inf;
    if (!(slope < 0)) break;
    const double best = curvature > 0 ? -slope / curvature : inf;
    if (best == inf && end == inf) return {false, true, 0, inf};
    const double step = std::min(best, end - t);
    s += step * p;
    Ws += step * Wp;
    change += step * (slope + step * curvature / 2);
    t += step;
    if (best <= step) break;
    for (; next < work.active.size() && t_break[work.active[next]] <= t; ++next) {
      const Index i = work.active[next];
      add_column(box.W, i, -p[i], Wp.data());
      s[i] = (p[i] > 0 ? box.upper[i] : box.lower[i]) - z[i];
      p[i] = 0;
    }
  }
  if (!(change < 0)) return {};
  for (Index i = 0; i < n; ++i) z[i] = clamp(box, i, z[i] + s[i]);
  u += Ws;
  return {true, false, -change, t};
}

}  // namespace saltus
