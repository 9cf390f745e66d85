#include "saltus/solvers/vi_pivoting.hpp"

#include "saltus/sets/nonnegative_least_squares.hpp"
#include "saltus/solvers/newton_josephy.hpp"

namespace saltus {

namespace {

/// The MCP of the header in (x, λ): z = T x, λ the multipliers of A z ≥ 0.
struct Image {
  explicit Image(Index n) : T(n, 0), A(0, n) {}
  Matrix T, A;
  Vector lower, upper, start;

  void append(Index first, const Matrix& columns, const Vector& l, const Vector& u,
              const Vector& x) {
    const Index old = T.cols(), more = columns.cols();
    T.conservativeResize(Eigen::NoChange, old + more);
    T.rightCols(more).setZero();
    T.block(first, old, columns.rows(), more) = columns;
    lower = stacked(lower, l);
    upper = stacked(upper, u);
    start = stacked(start, x);
  }
  void constrain(Index first, const Matrix& rows) {
    const Index old = A.rows(), more = rows.rows();
    A.conservativeResize(old + more, Eigen::NoChange);
    A.bottomRows(more).setZero();
    A.block(old, first, more, rows.cols()) = rows;
  }
  [[nodiscard]] static Vector stacked(const Vector& a, const Vector& b) {
    Vector both(a.size() + b.size());
    both << a, b;
    return both;
  }
};

void add(const Set& X, Index first, ConstVectorRef z, Image& image) {
  const Index n = z.size();
  if (const auto* product = std::get_if<Product>(&X)) {
    Index offset = 0;
    for (const Factor& factor : product->factors) {
      add(factor.set, first + offset, z.segment(offset, factor.dimension), image);
      offset += factor.dimension;
    }
    return;
  }
  const Matrix identity = Matrix::Identity(n, n);
  Vector lower(n), upper(n);
  if (box_bounds(X, lower, upper)) {
    image.append(first, identity, lower, upper, z);
    return;
  }
  const auto* cone = std::get_if<PolyhedralCone>(&X);
  require(cone != nullptr,
          "ViPivoting: the set {} is not polyhedral, expected boxes and polyhedral "
          "cones",
          name(X));
  if (cone->generators) {
    const Matrix& G = *cone->generators;
    image.append(first, G, Vector::Zero(G.cols()), Vector::Constant(G.cols(), inf),
                 nonnegative_least_squares(G, z).coefficients);
  } else {
    image.append(first, identity, Vector::Constant(n, -inf), Vector::Constant(n, inf), z);
    image.constrain(first, *cone->inequalities);
  }
}

Mcp pulled_back(const Vi& problem, const Image& image) {
  const Matrix T = image.T, B = image.A * image.T;
  const Index n = T.cols(), m = B.rows();
  const VectorFunction F = problem.F;
  const JacobianFunction jacobian = problem.jacobian;
  Mcp mcp{n + m,
          [=](ConstVectorRef x, VectorRef value) {
            value.head(n) = T.transpose() * evaluate(F, T * x.head(n)) - B.transpose() * x.tail(m);
            value.tail(m) = B * x.head(n);
          },
          [=](ConstVectorRef x, MatrixRef J) {
            Matrix inner(T.rows(), T.rows());
            evaluate_jacobian(F, jacobian, T * x.head(n), inner);
            J.setZero();
            J.topLeftCorner(n, n) = T.transpose() * inner * T;
            J.topRightCorner(n, m) = -B.transpose();
            J.bottomLeftCorner(m, n) = B;
          },
          Image::stacked(image.lower, Vector::Zero(m)),
          Image::stacked(image.upper, Vector::Constant(m, inf))};
  return mcp;
}

}  // namespace

SolveReport solve(const Vi& problem, VectorRef z, const ViPivoting& options, Workspace& work) {
  const Stopwatch clock;
  require_valid(problem, z, options);
  const double limit = threshold(options.tolerance, problem);
  Image image(problem.n);
  add(problem.X, 0, z, image);
  const Mcp mcp = pulled_back(problem, image);
  Vector x = Image::stacked(image.start, Vector::Zero(image.A.rows()));
  // the residual of the MCP has another norm and scale than that of the VI: a tenth for safety
  const double target = 0.1 * limit / threshold(1.0, mcp);
  const NewtonJosephy newton{.tolerance = target, .max_iterations = options.max_iterations};
  const SolveReport report = solve(mcp, x, newton, work);
  z = image.T * x.head(image.T.cols());
  return judge({report.status, report.iterations}, residual(problem, z), limit, clock);
}

}  // namespace saltus
