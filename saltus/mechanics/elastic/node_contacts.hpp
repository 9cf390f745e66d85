#pragma once

#include "saltus/mechanics/elastic/elastic_body.hpp"
#include "saltus/model/model.hpp"

namespace saltus::mechanics {

// Contacts of the nodes of elastic bodies, declared up front (TI:TI-124). A law of friction takes
// all rows of the frame (n, t…), NewtonImpact the normal alone; e = 0 is the law for nodes
// (AC:B.11), whose mass goes to zero with the mesh. Held degrees of freedom take part in the gap
// but feel no percussion; those that move have no contacts.

/// Nodes of a body against the half space n·x ≤ offset of the world:
///     y = n·(X + q) − offset,   u = (n·v, t·v)
/// One interaction per node, "name[node]". Returns them in the order of `nodes`.
std::vector<InteractionId> link_plane(Model& model, SystemId system, const ElasticBody& body,
                                      const std::vector<Index>& nodes, const Values& normal,
                                      double offset, const Law& law,
                                      const std::string& name = "plane");

/// Nodes of a body against flat sides of another, or of itself, under small displacements: each
/// node is projected along the normal n (which points from the sides to the nodes) on the side that
/// it faces,
///     y = n·(X + q − Σ N_a (X_a + q_a)),   u = (n, t…)·(v − Σ N_a v_a)
/// Nodes that face no side, to 1e-6 of its size, take no part. One interaction per node.
std::vector<InteractionId> link_sides(Model& model, SystemId system, const ElasticBody& body,
                                      const std::vector<Index>& nodes, SystemId other,
                                      const ElasticBody& other_body,
                                      const std::vector<Index>& other_nodes, const Values& normal,
                                      const Law& law, const std::string& name = "sides");

}  // namespace saltus::mechanics
