#include "saltus/mechanics/collision/contact_scene.hpp"

#include "saltus/base/overloaded.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace saltus::mechanics {

namespace {

RoundedSegment rounded(const Shape& shape, const Pose& pose) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return {pose.x, pose.x, sphere->radius};
  const auto& capsule = std::get<Capsule>(shape);
  const Vector3 half = capsule.half_length * pose.R.col(2);
  return {pose.x - half, pose.x + half, capsule.radius};
}

bool is_rounded(const Shape& shape) {
  return std::holds_alternative<Sphere>(shape) || std::holds_alternative<Capsule>(shape);
}

PlacedPlane placed_plane(const Shape& shape, const Pose& pose) {
  const auto& plane = std::get<Plane>(shape);
  const Vector3 n = pose.R * plane.normal;
  return {n, plane.offset + n.dot(pose.x)};
}

/// u of the contact frame at a point of a body: Fᵀ (v + (Rω) × r) = Fᵀ [1, −r̂ R] (v, ω), then Rω
/// along the tangents and the normal.
Eigen::Matrix<double, 6, 6> jacobian(const Matrix3& frame, const Vector3& point, const Pose& body) {
  const Vector3 r = point - body.x;
  Eigen::Matrix<double, 6, 6> H;
  H.topLeftCorner<3, 3>() = frame.transpose();
  H.bottomLeftCorner<3, 3>().setZero();
  H.block<2, 3>(3, 3) = frame.rightCols<2>().transpose() * body.R;
  H.block<1, 3>(5, 3) = frame.col(0).transpose() * body.R;
  for (Index row = 0; row < 3; ++row)
    H.row(row).tail<3>() = body.R.transpose() * r.cross(frame.col(row));
  return H;
}

/// Its first row is the normal of a contact.
bool has_normal(const Law& law) {
  return !std::holds_alternative<Equality>(law) && !std::holds_alternative<Complementarity>(law) &&
         !std::holds_alternative<Relay>(law) && !std::holds_alternative<Spring>(law) &&
         !std::holds_alternative<ElasticPlastic>(law) &&
         !std::holds_alternative<PiecewiseLinear>(law) && !std::holds_alternative<NormalCone>(law);
}

std::string_view name_of(const Law& law) {
  return std::visit([](const auto& l) { return l.name; }, law);
}

Pose body_pose(const Model& model, const Vector& q, const Endpoint& end) {
  return pose_of(q.data() + model.systems()[end.system.index].q_offset + 7 * end.body);
}

}  // namespace

int ContactScene::add(Endpoint body, const Shape& shape, Material material, const Pose& pose) {
  check_shape(shape);
  require(material.mu >= 0 && std::isfinite(material.mu),
          "ContactScene: mu is {}, expected a number >= 0", material.mu);
  require(material.e >= 0 && material.e <= 1, "ContactScene: e is {}, expected in [0, 1]",
          material.e);
  require(pose.x.allFinite() && (pose.R.transpose() * pose.R - Matrix3::Identity()).norm() < 1e-9,
          "ContactScene: the pose of shape {} is no rotation and translation", parts_.size());
  Part part{body, shape, material, pose, inf, nullptr, vertices_};
  if (is_rounded(shape)) part.size = 2 * rounded(shape, pose).radius;
  if (auto* plane = std::get_if<Plane>(&part.shape)) {
    const double norm = plane->normal.norm();
    plane->normal /= norm;
    plane->offset /= norm;
  }
  if (const auto* box = std::get_if<Box>(&shape))
    part.hull = std::make_shared<const Hull>(box_hull(box->half));
  if (const auto* polyhedron = std::get_if<Polyhedron>(&shape)) part.hull = polyhedron->hull;
  if (part.hull) {
    vertices_ += part.hull->vertices.size();
    part.size = part.hull->size;
  }
  const int number = shapes();
  (std::holds_alternative<Plane>(shape) ? planes_ : bounded_).push_back(number);
  parts_.push_back(std::move(part));
  return number;
}

void ContactScene::ignore(Endpoint a, Endpoint b) {
  const std::pair<Endpoint, Endpoint> pair = std::minmax(a, b);
  ignored_.insert(std::upper_bound(ignored_.begin(), ignored_.end(), pair), pair);
}

void ContactScene::law(int kind_a, int kind_b, Law law) {
  validate(law);
  require(has_normal(law), "ContactScene: {} is no law of contact", name_of(law));
  laws_[std::minmax(kind_a, kind_b)] = law;
}

Law ContactScene::law_between(const Material& a, const Material& b) const {
  if (!laws_.empty())
    if (const auto found = laws_.find(std::minmax(a.kind, b.kind)); found != laws_.end())
      return found->second;
  return Coulomb{.mu = std::sqrt(a.mu * b.mu), .e = std::max(a.e, b.e)};
}

void ContactScene::check(const Model& model) const {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Endpoint& end = parts_[i].body;
    if (end.world()) continue;
    const SystemEntry& entry = model[end.system];
    require(entry.system.order() == Order::second && entry.system.body_size() == 6 &&
                entry.system.body_positions() == 7,
            "ContactScene: shape {} is on {}, which is no pool of rigid bodies in space", i,
            entry.name);
    require(end.body >= 0 && end.body < entry.system.bodies(),
            "ContactScene: shape {} is on body {} of {}, which has {} bodies", i, end.body,
            entry.name, entry.system.bodies());
  }
}

PlacedHull ContactScene::placed_hull(int i, const Cache& cache) const {
  const Part& part = parts_[i];
  return {*part.hull,
          cache.pose[i].R,
          cache.pose[i].x,
          {cache.vertices.data() + part.first_vertex, part.hull->vertices.size()}};
}

void ContactScene::place(const Model& model, const Vector& q, double reach, Cache& cache) const {
  cache.pose.resize(parts_.size());
  cache.bounds.resize(parts_.size());
  cache.vertices.resize(vertices_);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    Pose& pose = cache.pose[i];
    pose = part.pose;
    if (!part.body.world()) {
      const Pose body = body_pose(model, q, part.body);
      pose = {body.x + body.R * part.pose.x, body.R * part.pose.R};
    }
    Vector3 low = pose.x, high = pose.x;
    if (part.hull) {
      Vector3* v = cache.vertices.data() + part.first_vertex;
      for (const Vector3& local : part.hull->vertices) {
        *v = pose.x + pose.R * local;
        low = low.cwiseMin(*v);
        high = high.cwiseMax(*v);
        ++v;
      }
    } else if (is_rounded(part.shape)) {
      const RoundedSegment s = rounded(part.shape, pose);
      low = s.a.cwiseMin(s.b).array() - s.radius;
      high = s.a.cwiseMax(s.b).array() + s.radius;
    }
    const double finite = std::isfinite(part.size) ? part.size : 0;
    const Vector3 margin = Vector3::Constant(std::max(reach, 0.0) + touching * finite);
    cache.bounds[i] = {low - margin, high + margin};
  }
}

void ContactScene::find_pairs(Cache& cache) const {
  cache.pairs.clear();
  const auto may_meet = [&](int i, int j) {
    const Endpoint &a = parts_[i].body, &b = parts_[j].body;
    if (a == b || (a.world() && b.world())) return false;
    const std::pair<Endpoint, Endpoint> pair = std::minmax(a, b);
    return !std::binary_search(ignored_.begin(), ignored_.end(), pair);
  };
  for (int plane : planes_)
    for (int other : bounded_)
      if (may_meet(plane, other)) cache.pairs.emplace_back(std::minmax(plane, other));
  Vector3 low = Vector3::Constant(inf), high = -low;
  for (int i : bounded_) {
    const Vector3 centre = 0.5 * (cache.bounds[i].low + cache.bounds[i].high);
    low = low.cwiseMin(centre);
    high = high.cwiseMax(centre);
  }
  Index axis = 0;
  if (!bounded_.empty()) (high - low).maxCoeff(&axis);
  const auto start = [&](int i) { return cache.bounds[i].low[axis]; };
  if (cache.order.size() != bounded_.size() || cache.axis != axis) {
    cache.order = bounded_;
    cache.axis = axis;
    std::sort(cache.order.begin(), cache.order.end(),
              [&](int a, int b) { return start(a) < start(b); });
  }
  std::vector<int>& order = cache.order;  // nearly sorted: insertion
  for (std::size_t a = 1; a < order.size(); ++a) {
    const int moving = order[a];
    std::size_t place = a;
    for (; place > 0 && start(order[place - 1]) > start(moving); --place)
      order[place] = order[place - 1];
    order[place] = moving;
  }
  for (std::size_t a = 0; a < order.size(); ++a) {
    const Cache::Bounds& first = cache.bounds[order[a]];
    for (std::size_t b = a + 1; b < order.size() && start(order[b]) <= first.high[axis]; ++b) {
      const Cache::Bounds& second = cache.bounds[order[b]];
      if ((first.low.array() <= second.high.array()).all() &&
          (second.low.array() <= first.high.array()).all() && may_meet(order[a], order[b]))
        cache.pairs.emplace_back(std::minmax(order[a], order[b]));
    }
  }
  std::sort(cache.pairs.begin(), cache.pairs.end());
}

/// Contacts of shapes i and j, normals from j to i.
void ContactScene::collide_parts(int i, int j, double reach, Cache& cache) const {
  const auto rank = [&](int k) { return parts_[k].hull ? 1 : is_rounded(parts_[k].shape) ? 0 : 2; };
  const int a = rank(i), b = rank(j);
  if (a > b) {
    collide_parts(j, i, reach, cache);
    cache.manifold.flip();
    return;
  }
  cache.manifold.clear();
  Manifold& out = cache.manifold;
  const Pose &pi = cache.pose[i], &pj = cache.pose[j];
  if (a == 0 && b == 0)
    collide(rounded(parts_[i].shape, pi), rounded(parts_[j].shape, pj), reach, out);
  else if (a == 0 && b == 1)
    collide(rounded(parts_[i].shape, pi), placed_hull(j, cache), reach, out);
  else if (a == 0)
    collide(rounded(parts_[i].shape, pi), placed_plane(parts_[j].shape, pj), reach, out);
  else if (b == 1)
    collide(placed_hull(i, cache), placed_hull(j, cache), reach, out);
  else
    collide(placed_hull(i, cache), placed_plane(parts_[j].shape, pj), reach, out);
}

void ContactScene::append_contacts(const Model& model, const Vector& q, int i, int j, Cache& cache,
                                   ContactList& list) const {
  const Part &first = parts_[i], &second = parts_[j];
  const auto points = cache.manifold.points();
  std::sort(points.begin(), points.end(),
            [](const ManifoldPoint& a, const ManifoldPoint& b) { return a.feature < b.feature; });
  const Law law = law_between(first.material, second.material);
  const Matrix3 axes = body_pose(model, q, first.body.world() ? second.body : first.body).R;
  for (const ManifoldPoint& p : points) {
    DetectedContact& contact = list.emplace_back();
    contact.key.pair = static_cast<std::uint64_t>(i) << 32 | static_cast<std::uint64_t>(j);
    contact.key.feature = p.feature;
    contact.bodies = {first.body, second.body};
    contact.law = law;
    contact.gap = p.gap;
    contact.point = p.point;
    contact.frame = frame_of(p.normal, axes);
    for (std::size_t side = 0; side < 2; ++side) {
      contact.H[side].setZero();
      const Endpoint& end = contact.bodies[side];
      if (end.world()) continue;
      contact.H[side] = jacobian(contact.frame, p.point, body_pose(model, q, end));
      if (side == 1) contact.H[side] *= -1;
    }
  }
}

void ContactScene::detect(const Model& model, double, const Vector& q, double reach, Cache& cache,
                          ContactList& list) const {
  place(model, q, reach, cache);
  find_pairs(cache);
  for (const auto& [i, j] : cache.pairs) {
    const double size = std::min(parts_[i].size, parts_[j].size);
    collide_parts(i, j, reach + touching * size, cache);
    if (!cache.manifold.empty()) append_contacts(model, q, i, j, cache, list);
  }
}

}  // namespace saltus::mechanics
