#pragma once

#include "saltus/mechanics/collision/narrow_phase.hpp"
#include "saltus/model/model.hpp"

#include <map>
#include <vector>

namespace saltus::mechanics {

/// What a surface is like. Where two meet, μ = (μ₁ μ₂)^½ and e = max(e₁, e₂).
struct Material {
  double mu = 0.5;  ///< coefficient of friction
  double e = 0;     ///< coefficient of normal restitution
  int kind = 0;     ///< of surface: pairs of kinds may have a law of their own
};

/// Shapes on rigid bodies and in the world, and the contacts between them (F:F123, F:F128, F:F129,
/// F:F133): an InteractionSource. A contact obeys Coulomb's law with Newton's restitution, or the
/// law that was given for its two kinds of surface.
///
///     broad phase    boxes along the axes, sorted along the longest axis of the scene (sweep and
///                    prune); the order of the last step is kept, so that sorting costs O(n)
///     narrow phase   exact gaps, points and normals (narrow_phase.hpp)
///     keys           numbers of the two shapes, and the vertices, edges and faces that touch
///
/// Shapes of one body do not meet, nor do two shapes of the world, nor bodies to be ignored.
/// Surfaces closer than `touching` times the size of the smaller shape count as touching, whatever
/// the reach: what the tolerance of a solver lets a resting body move in a step must not open its
/// contacts.
class ContactScene {
 public:
  static constexpr double touching = 1e-6;

  /// Broad-phase order and placed shapes of the last call.
  struct Cache {
    struct Bounds {
      Vector3 low, high;
    };
    std::vector<Pose> pose;         // of each shape
    std::vector<Bounds> bounds;     // of each shape
    std::vector<Vector3> vertices;  // of all hulls, in the world
    Index axis = 0;
    std::vector<int> order;  // bounded shapes, by their lower bound along `axis`
    std::vector<std::pair<int, int>> pairs;
    Manifold manifold;
  };

  /// A shape on a body (or the world, Endpoint{}) at a pose in the body's frame; returns its
  /// number. Throws Error on sizes, coefficients and rotations that are none.
  int add(Endpoint body, const Shape& shape, Material material = {}, const Pose& pose = {});

  /// Shapes of these two bodies (or a body and the world) do not meet.
  void ignore(Endpoint a, Endpoint b);

  /// The law where surfaces of these two kinds meet: any one of contact. Throws Error on others.
  void law(int kind_a, int kind_b, Law law);

  [[nodiscard]] int shapes() const { return static_cast<int>(parts_.size()); }
  [[nodiscard]] const Shape& shape(int number) const { return parts_.at(number).shape; }
  [[nodiscard]] Endpoint body(int number) const { return parts_.at(number).body; }
  /// Pose of a shape in the frame of its body.
  [[nodiscard]] const Pose& pose(int number) const { return parts_.at(number).pose; }

  /// Throws Error on a body that the model does not have or that is no rigid body in space.
  void check(const Model& model) const;
  void detect(const Model& model, double t, const Vector& q, double reach, Cache& cache,
              ContactList& list) const;

 private:
  struct Part {
    Endpoint body;
    Shape shape;
    Material material;
    Pose pose;
    double size = inf;                 // diameter, or smallest width of a hull
    std::shared_ptr<const Hull> hull;  // of boxes and polyhedra
    std::size_t first_vertex = 0;      // in Cache::vertices
  };

  [[nodiscard]] Law law_between(const Material& a, const Material& b) const;
  void place(const Model& model, const Vector& q, double reach, Cache& cache) const;
  void find_pairs(Cache& cache) const;
  void collide_parts(int i, int j, double reach, Cache& cache) const;
  void append_contacts(const Model& model, const Vector& q, int i, int j, Cache& cache,
                       ContactList& list) const;
  [[nodiscard]] PlacedHull placed_hull(int i, const Cache& cache) const;

  std::vector<Part> parts_;
  std::vector<int> planes_, bounded_;
  std::vector<std::pair<Endpoint, Endpoint>> ignored_;  // sorted, the smaller first
  std::map<std::pair<int, int>, Law> laws_;             // by kinds, the smaller first
  std::size_t vertices_ = 0;
};

}  // namespace saltus::mechanics
