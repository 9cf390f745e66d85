#pragma once

#include "saltus/model/model.hpp"

#include <vector>

namespace saltus {

/// A model laid out flat for an integrator. All unknowns of a step stand in one vector
///     w = (v of the second-order systems, x of the first-order systems),
/// cut into bodies (diagonal blocks of the mass matrix, but for coupled systems); all rows of all
/// interactions are cut into blocks (one set K of the one-step problem each), and each block has
/// one entry per body it touches. Contacts that a source finds follow the declared blocks and
/// change from step to step.
struct Layout {
  struct Body {
    Index system;    ///< index of its system in the model
    Index local;     ///< number of the body in its system
    Index offset;    ///< first unknown in w
    Index size;      ///< number of unknowns
    Index matrix;    ///< first value of its size×size matrix in a flat array
    Index position;  ///< first position in q
    Index part;      ///< diagonal block of the mass matrix in which it stands: its own, or that of
                     ///< its coupled system
    Index coupled;   ///< number of its coupled system among those, −1: of a pool
  };
  struct Block {
    Index interaction;  ///< −1: detected
    Index contact;      ///< number in the list of detected contacts, −1: declared
    Index row;          ///< first row in y, u, r
    Index local;        ///< first row in its relation
    Index size;         ///< number of rows
    Index first_entry, last_entry;
    Index feedthrough;  ///< first value of its size×size block D in a flat array; −1: Lagrangian
    double restitution;  ///< e of u_N⁺ + e u_N⁻, zero for laws without
    bool always;         ///< never switched off: every law but the impact laws, and found contacts
    bool constant;       ///< its relation is time-invariant
    bool unilateral;     ///< a contact: its first row is a gap, y ≥ 0
    bool bilateral;      ///< every row is a constraint on positions, y = 0
    bool terms;          ///< its law has terms of its own (law_sets.hpp)
    [[nodiscard]] bool detected() const { return contact >= 0; }
    [[nodiscard]] bool lagrangian() const { return feedthrough < 0; }
  };
  struct Entry {
    Index body;
    Index column;  ///< first column in the relation's Jacobian
    Index values;  ///< first value of its blocks (rows × body size) in the flat arrays
  };

  std::vector<Body> bodies;
  std::vector<Block> blocks;
  std::vector<Entry> entries;
  std::vector<Index> first_body;   ///< of each system
  std::vector<Index> first_block;  ///< of each interaction, and the end
  Index velocities = 0;            ///< size of v: where x starts in w
  Index unknowns = 0;              ///< size of w
  Index parts = 0;                 ///< diagonal blocks of the mass matrix
  Index matrix_values = 0;         ///< size of a flat array of body matrices
  Index entry_values = 0;          ///< size of a flat array of entry blocks
  Index feedthrough_values = 0;
  /// Sizes of the declared part.
  Index declared_blocks = 0, declared_entries = 0, declared_rows = 0, declared_values = 0;
  Index rows = 0;             ///< of all blocks, declared and detected
  bool normals_only = false;  ///< blocks of contacts have their normal row alone
};

[[nodiscard]] Layout lay_out(const Model& model, bool normals_only = false);

/// Replaces the detected blocks by those of `contacts`, one for each.
void lay_out_contacts(const ContactList& contacts, Layout& layout);

}  // namespace saltus
