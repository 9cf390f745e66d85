#include "saltus/mechanics/elastic/node_contacts.hpp"

#include "saltus/relations/linear.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <cmath>
#include <optional>

namespace saltus::mechanics {

namespace {

/// Rows n, t₁, t₂ as far as the law and the dimension have them.
Matrix frame_of(const Values& normal, Index dimension, const Law& law, const char* who) {
  require(normal.size() == dimension, "{}: the normal has {} entries, the nodes have {}", who,
          normal.size(), dimension);
  require(std::abs(normal.norm() - 1) <= 1e-9, "{}: the normal has length {}, expected 1", who,
          normal.norm());
  const Index rows = std::holds_alternative<NewtonImpact>(law) ? 1 : dimension;
  Matrix frame(rows, dimension);
  frame.row(0) = normal;
  if (rows == 2) frame.row(1) << -normal[1], normal[0];
  if (rows == 3) {
    const Eigen::Vector3d n = normal;
    frame.row(1) = n.unitOrthogonal();
    frame.row(2) = n.cross(n.unitOrthogonal());
  }
  return frame;
}

/// Columns of a relation for the nodes that it ties, with their held degrees of freedom taken out.
class ContactRows {
 public:
  explicit ContactRows(const Matrix& frame) : frame_(frame), H_(frame.rows(), 0) {
    b_.setZero(frame.rows());
  }
  void add(const ElasticBody& body, Index node, double weight, const char* who) {
    const Index d = frame_.cols(), column = H_.cols();
    H_.conservativeResize(Eigen::NoChange, column + d);
    H_.rightCols(d) = weight * frame_;
    b_[0] += weight * frame_.row(0).dot(body.mesh.nodes.row(node));
    for (const Index i : body.held) {
      if (i / d != node) continue;
      require(!body.motion, "{}: node {} is moved, it can have no contact", who, node);
      H_.col(column + i % d).setZero();
    }
  }
  void shift(double offset) { b_[0] -= offset; }
  [[nodiscard]] LinearRelation relation() const { return {.H = H_, .b = b_}; }
  [[nodiscard]] bool acts() const { return !H_.row(0).isZero(0); }

 private:
  Matrix frame_, H_;
  Vector b_;
};

void check_node(const ElasticBody& body, Index node, const char* who) {
  require(node >= 0 && node < body.mesh.node_count(), "{}: node {}, there are {}", who, node,
          body.mesh.node_count());
}

/// Where x, moved along the normal, meets a side: the shape functions there.
std::optional<Vector> project(const Matrix& corners, const Vector& normal, const Vector& x) {
  const Index nodes = corners.rows(), d = corners.cols(), p = d - 1;
  Eigen::Vector2d xi = Eigen::Vector2d::Zero();
  if (nodes == 1) return Vector::Ones(1);
  Matrix J(d, d);
  for (int iteration = 0; iteration < 20; ++iteration) {  // linear, or bilinear on a flat face
    const Vector away = x - corners.transpose() * side_functions(nodes, xi);
    J.leftCols(p) = corners.transpose() * side_derivatives(nodes, xi);
    J.col(p) = normal;
    const Vector change = J.fullPivLu().solve(away);
    xi[0] += change[0];
    if (p == 2) xi[1] += change[1];
    if (change.head(p).norm() <= 1e-14) break;
  }
  if (!(xi.cwiseAbs().maxCoeff() <= 1 + 2e-6)) return std::nullopt;
  return side_functions(nodes, xi);
}

}  // namespace

std::vector<InteractionId> link_plane(Model& model, SystemId system, const ElasticBody& body,
                                      const std::vector<Index>& nodes, const Values& normal,
                                      double offset, const Law& law, const std::string& name) {
  const char* who = "link_plane";
  const Matrix frame = frame_of(normal, body.mesh.dimension(), law, who);
  std::vector<InteractionId> ids;
  for (const Index node : nodes) {
    check_node(body, node, who);
    ContactRows rows(frame);
    rows.add(body, node, 1, who);
    rows.shift(offset);
    if (rows.acts())
      ids.push_back(model.link(Endpoint(system, node), rows.relation(), law,
                               fmt::format("{}[{}]", name, node)));
  }
  return ids;
}

std::vector<InteractionId> link_sides(Model& model, SystemId system, const ElasticBody& body,
                                      const std::vector<Index>& nodes, SystemId other,
                                      const ElasticBody& other_body,
                                      const std::vector<Index>& other_nodes, const Values& normal,
                                      const Law& law, const std::string& name) {
  const char* who = "link_sides";
  const Mesh &mesh = body.mesh, &facing = other_body.mesh;
  require(mesh.dimension() == facing.dimension(), "{}: bodies of dimensions {} and {}", who,
          mesh.dimension(), facing.dimension());
  const Matrix frame = frame_of(normal, mesh.dimension(), law, who);
  const Eigen::MatrixXi sides = facing.sides_within(other_nodes);
  std::vector<InteractionId> ids;
  for (const Index node : nodes) {
    check_node(body, node, who);
    for (Index s = 0; s < sides.rows(); ++s) {
      Matrix corners(sides.cols(), facing.dimension());
      for (Index a = 0; a < sides.cols(); ++a) corners.row(a) = facing.nodes.row(sides(s, a));
      const std::optional<Vector> N = project(corners, normal, mesh.nodes.row(node).transpose());
      if (!N) continue;
      ContactRows rows(frame);
      std::vector<Endpoint> ends = {Endpoint(system, node)};
      rows.add(body, node, 1, who);
      for (Index a = 0; a < sides.cols(); ++a) {
        if (std::abs((*N)[a]) <= 1e-6) continue;  // the node sits at another corner or edge
        ends.emplace_back(other, sides(s, a));
        rows.add(other_body, sides(s, a), -(*N)[a], who);
      }
      if (rows.acts())
        ids.push_back(
            model.link(Endpoints(ends), rows.relation(), law, fmt::format("{}[{}]", name, node)));
      break;
    }
  }
  return ids;
}

}  // namespace saltus::mechanics
