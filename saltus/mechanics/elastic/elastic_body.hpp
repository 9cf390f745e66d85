#pragma once

#include "saltus/base/fields.hpp"
#include "saltus/mechanics/elastic/elements.hpp"
#include "saltus/systems/sparse.hpp"

namespace saltus::mechanics {

/// An elastic body of finite elements (F:F135, F:F136, F:F137, F:F139, TI:TI-124, AC:GA-29). Its q
/// are the displacements of the nodes, node after node, zero where the body is as the mesh has it:
///     M q̈ + C q̇ + F_int(q) = F + p,   C = damping_mass M + damping_stiffness K
/// with F_int = K q for small strains, linear(), or the force of the strain of Green and Lagrange,
/// finite(), in which a body may turn. An Endpoint names a node. Full integration: slender bodies
/// in bending need a few elements across.
struct ElasticBody {
  static constexpr std::string_view name = "ElasticBody";
  Mesh mesh = {};
  double young = 1;              ///< modulus E [Pa]
  double poisson = 0;            ///< ratio ν, −1 < ν < ½; bars do not use it
  double density = 1;            ///< [kg/m³]
  double section = 1;            ///< of a bar [m²], thickness of a plane body [m]; 1 for bricks
  bool plane_stress = false;     ///< plane bodies: no stress across in place of no strain
  bool finite_strains = false;   ///< system() is finite(), else linear()
  bool lumped = false;           ///< mass at the nodes, by the sums of the rows
  double damping_mass = 0;       ///< α of Rayleigh's damping [1/s]
  double damping_stiffness = 0;  ///< β [s]; with finite() K is that of the mesh at rest
  Values gravity = {};           ///< [m/s²]
  std::vector<Index> held = {};  ///< degrees of freedom that stand still or move (SparseLagrangian)
  std::function<void(double t, VectorView z, VectorRef v)> motion = {};  ///< velocities of those

  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"young", "Young's modulus [Pa]", positive}, s.young);
    visit(Field{"poisson", "Poisson's ratio", Range{-1, 0.4999, true}}, s.poisson);
    visit(Field{"density", "density [kg/m^3]", positive}, s.density);
    visit(Field{"section", "section of a bar [m^2], thickness of a plane body [m]", positive},
          s.section);
    visit(Field{"plane_stress", "no stress across a plane body, else no strain"}, s.plane_stress);
    visit(Field{"finite_strains", "any strains and rotations, else small ones"}, s.finite_strains);
    visit(Field{"lumped", "mass at the nodes"}, s.lumped);
    visit(Field{"damping_mass", "damping per mass [1/s]", non_negative}, s.damping_mass);
    visit(Field{"damping_stiffness", "damping per stiffness [s]", non_negative},
          s.damping_stiffness);
  }

  [[nodiscard]] Index dof() const { return mesh.node_count() * mesh.dimension(); }
  /// Throws Error on data that make no body.
  void check() const;
  [[nodiscard]] Lame lame() const;
  [[nodiscard]] double mass() const;  ///< [kg]
  [[nodiscard]] SparseMatrix mass_matrix() const;
  [[nodiscard]] SparseMatrix stiffness_matrix() const;  ///< of small strains
  [[nodiscard]] Vector weight() const;                  ///< forces of gravity at the nodes [N]
  /// Degrees of freedom of some nodes, all or along one axis: to be held.
  [[nodiscard]] std::vector<Index> dofs(const std::vector<Index>& nodes, Index axis = -1) const;

  /// Small strains: time-invariant, one factorisation for a whole run.
  [[nodiscard]] SparseLagrangian linear() const;
  /// Any strains and rotations: Newton's method in every step.
  [[nodiscard]] System finite() const;
  [[nodiscard]] System system() const { return finite_strains ? finite() : System(linear()); }
};

/// Stresses of small strains at displacements q, the mean of each element [Pa]: one row per
/// element, S₁₁ S₂₂ S₃₃ S₁₂ S₁₃ S₂₃ (S₁₁ S₂₂ S₁₂ in the plane, S along a bar).
[[nodiscard]] Matrix stresses(const ElasticBody& body, ConstVectorRef q);

}  // namespace saltus::mechanics
