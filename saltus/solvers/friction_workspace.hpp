#pragma once

#include "saltus/solvers/block_iteration.hpp"
#include "saltus/solvers/newton_linear.hpp"

#include <vector>

namespace saltus {

/// Buffers of the solvers for contact with friction.
struct FrictionWorkspace {
  BlockPoint point, trial, next;  // projections
  BlockPoint newton, candidate;   // Newton: iterate and trial of the line search
  Vector G, step, scratch;
  std::vector<double> rho_n, rho_t;  // per block
  std::vector<double> by_u, by_r;    // Clarke blocks of all contacts
  std::vector<Index> block_begin;    // where those of a block start
  NewtonLinear linear;

  // outer loops: the sub-problem, the iterate and what it was
  BlockForm sub, sub_tangent;
  std::vector<Index> sub_rows;
  Vector outer, outer_u, outer_old;

  std::vector<Index> order;  // of the sweeps
};

}  // namespace saltus
