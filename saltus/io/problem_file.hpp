#pragma once

#include "saltus/io/fclib.hpp"
#include "saltus/io/matrix_market.hpp"
#include "saltus/io/problem_hdf5.hpp"
#include "saltus/io/siconos_friction.hpp"
#include "saltus/io/siconos_text.hpp"

namespace saltus {

/// How to read a file that does not say everything itself.
struct ProblemReading {
  std::optional<ProblemKind> kind = std::nullopt;  ///< of a SICONOS text, if it does not tell
  std::filesystem::path q = {};  ///< vector of a Matrix Market problem; empty: its sibling
};

/// Reads a problem from a file of any form, told by its content:
///
///     HDF5 signature      the form of problem_hdf5.hpp
///     %%MatrixMarket      M of an LCP; q stands in `q`, or else in the sibling NAME_q.mtx of
///                         NAME.mtx or of NAME_M.mtx
///     other text          the forms of siconos_text.hpp
///
/// Throws Error on everything that does not fit, and on the contact problems of read_any_problem.
[[nodiscard]] ComplementarityProblem read_problem(const std::filesystem::path& path,
                                                  const ProblemReading& how = {});

/// Every problem that a file may hold: those of complementarity and those of contact. A BlockForm
/// is a relay or a generic mechanical problem.
using StoredProblem = std::variant<Lcp, Mlcp, BlockForm, Soclcp, FrictionContact,
                                   GlobalFrictionContact, GlobalBlockForm>;

/// As read_problem, and beside its forms
///
///     HDF5 with a group fclib_…   the form of fclib.hpp (without its guesses and solution)
///     other text                  also the forms of siconos_friction.hpp; tried first
[[nodiscard]] StoredProblem read_any_problem(const std::filesystem::path& path,
                                             const ProblemReading& how = {});

}  // namespace saltus
