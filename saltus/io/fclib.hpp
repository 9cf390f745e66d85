#pragma once

#include "saltus/problems/friction_contact.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace saltus {

/// A point of a problem: a guess or a solution. What is not stored is empty.
struct FclibPoint {
  Vector v = {};  ///< velocities, of a global problem
  Vector u = {};  ///< relative velocities at the contacts
  Vector r = {};  ///< reactions
  Vector l = {};  ///< multipliers of the bilateral rows
};

/// What an FCLib file holds (FS:FS-114).
struct FclibFile {
  /// With bilateral rows it is a block form: the contacts first, then one Reals block, with the
  /// columns of G and the entries of b (global, Gᵀ v + b = 0) or the rows of V, R and s (local,
  /// u = W r + V l + q, Vᵀ r + R l + s = 0).
  std::variant<FrictionContact, GlobalFrictionContact, GlobalBlockForm, BlockForm> problem = {};
  std::string title = {}, description = {}, math_info = {};
  std::vector<FclibPoint> guesses = {};
  std::optional<FclibPoint> solution = std::nullopt;  ///< judge it, do not trust it
};

/// Friction problems in the HDF5 files of the collection FCLib:
///
///     fclib_local           W, vectors/{q, mu}, spacedim 2 or 3             FrictionContact
///                           with vectors/mu_r, spacedim 3 or 5: rolling
///                           with V, R and vectors/s: bilateral rows         BlockForm
///     fclib_global          M, H, vectors/{f, w, mu}, spacedim 2 or 3       GlobalFrictionContact
///                           with G and vectors/b: bilateral rows            GlobalBlockForm
///     fclib_global_rolling  the same with vectors/mu_r, spacedim 3 or 5
///     …/info                title, description, math_info (optional)
///     guesses               number_of_guesses, 1/{u, r, v, l}, 2/…  (optional)
///     solution              u, r, v, l                              (optional)
///
/// A matrix is a group with m (rows), n (columns), nzmax, nz and the arrays p, i, x:
///
///     nz = −1   compressed columns: column j holds the entries p[j] … p[j+1]−1, i their rows
///     nz = −2   compressed rows, i the columns
///     nz ≥ 0    nz triplets: p[k] the column, i[k] the row
///
/// all counted from 0; entries of the same place are added. Integers may have 4 or 8 bytes.
///
/// Throws Error "cannot read 'FILE': …" with the dataset, what it holds and what was expected, on
/// everything that does not fit; files of the HDF5 format before 1.8 are read by a reader of our
/// own that checks every byte it uses (hdf5_old_format.hpp).
[[nodiscard]] FclibFile read_fclib(const std::filesystem::path& path);
/// The file is HDF5 and has one of the groups above.
[[nodiscard]] bool is_fclib(const std::filesystem::path& path);

/// Writes the file, in the HDF5 format that FCLib itself writes: 4-byte integers, compressed
/// columns. A block form must have contacts of one kind first, equalities behind them; the
/// bilateral part of a BlockForm must be symmetric (only V is stored, not its transpose).
void write_fclib(const std::filesystem::path& path, const FclibFile& file);

/// Copies `source` to `path` (they may be the same) and replaces its solution; everything else,
/// also what FCLib does not know, stays. Throws Error if the sizes do not fit the problem.
void write_fclib_solution(const std::filesystem::path& source, const std::filesystem::path& path,
                          const FclibPoint& solution);

/// The point (v, u, r) that belongs to r: v = M⁻¹(H r + f), u = Hᵀ v + w, or u = W r + q. r has one
/// entry per row of the block form; the multipliers of bilateral rows go to l.
[[nodiscard]] FclibPoint fclib_point(const FclibFile& file, ConstVectorRef r);

}  // namespace saltus
