#pragma once

#include "saltus/problems/friction_contact.hpp"
#include "saltus/problems/soclcp.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace saltus {

/// A problem of contact in SICONOS' plain text.
using ContactProblem = std::variant<FrictionContact, GlobalFrictionContact, Soclcp, BlockForm>;

/// Contact problems in the plain-text files of SICONOS, with matrices as in siconos_text.hpp:
///
///     friction            dimension (2 or 3), contacts, matrix W, q, mu       FrictionContact
///     rolling friction    dimension (3 or 5), contacts, W, q, mu, mu_r        FrictionContact
///     global friction     dimension, contacts, M, H, q, b, mu [, mu_r] GlobalFrictionContact
///                         (M v = H r + q, u = Hᵀ v + b)
///     SOCLCP              rows, cones, M, q, begins of the cones (and the end), mu     Soclcp
///     generic mechanical  sparse blocks M, q, for each block its type and, for friction, mu
///                         (0 complementarity, 2 equality, 3 friction 2D, 4 3D,         BlockForm
///                         9 relay: the lower bounds of its rows follow, then the upper)
///
/// SICONOS itself writes no bounds of relay blocks (and leaves them unset when it reads): files
/// with such blocks are ours. Rows of different bounds become blocks of one row.
///
/// Older files of sliding friction end with a flag, 0 or 1, that means nothing here. The form is
/// not written in the file; it is the one as which the whole text makes sense, text after the last
/// number being a comment. Every mistake is an Error with its line and what was
/// expected there; nothing is allocated that the bytes of the file cannot fill. Coefficients must
/// be ≥ 0.
[[nodiscard]] ContactProblem parse_siconos_friction(std::string_view text,
                                                    const std::filesystem::path& file);
[[nodiscard]] ContactProblem read_siconos_friction(const std::filesystem::path& path);

/// What comes of a text that may hold something else.
struct ContactReading {
  std::optional<ContactProblem> problem = std::nullopt;  ///< none if no form fits the whole text
  std::size_t understood = 0;                            ///< bytes, by the form that fits best
  std::string mistake = {};                              ///< of that form
};
[[nodiscard]] ContactReading try_siconos_friction(std::string_view text,
                                                  const std::filesystem::path& file);

/// Writes the problem with the shortest digits that read back to the same double. A BlockForm must
/// have complementarity, equality, relay and friction blocks only.
void write_siconos_friction(const std::filesystem::path& path, const ContactProblem& problem);
[[nodiscard]] std::string to_siconos_friction(const ContactProblem& problem);

}  // namespace saltus
