#include "saltus/integrators/layout.hpp"

#include "saltus/integrators/law_sets.hpp"

namespace saltus {

namespace {

void lay_out_bodies(const Model& model, Layout& layout) {
  layout.velocities = model.dof();
  layout.unknowns = model.dof() + model.first_order_size();
  Index s = 0, coupled_systems = 0;
  for (const SystemEntry& entry : model.systems()) {
    const bool coupled = entry.system.coupled();
    const Index n = entry.system.body_size();
    const Index start = entry.system.order() == Order::second ? 0 : layout.velocities;
    layout.first_body.push_back(static_cast<Index>(layout.bodies.size()));
    for (Index b = 0; b < entry.system.bodies(); ++b) {
      layout.bodies.push_back({s, b, start + entry.offset + b * n, n, layout.matrix_values,
                               entry.q_offset + b * entry.system.body_positions(), layout.parts,
                               coupled ? coupled_systems : -1});
      if (coupled) continue;
      layout.matrix_values += n * n;
      ++layout.parts;
    }
    if (coupled) ++coupled_systems, ++layout.parts;
    ++s;
  }
}

void lay_out_block(const Model& model, Index interaction, Index local, Index size, Layout& layout) {
  const Interaction& tie = model.interactions()[interaction];
  Layout::Block block{.interaction = interaction,
                      .contact = -1,
                      .row = model.row_offset({interaction}) + local,
                      .local = local,
                      .size = size,
                      .first_entry = static_cast<Index>(layout.entries.size()),
                      .last_entry = 0,
                      .feedthrough = -1,
                      .restitution = restitution(tie.law),
                      .always = !switched_by_gap(tie.law),
                      .constant = tie.relation.time_invariant(),
                      .unilateral = switched_by_gap(tie.law),
                      .bilateral = tie.relation.lagrangian() && bilateral(tie.law),
                      .terms = has_terms(tie.law)};
  Index column = 0;
  for (const Endpoint& end : tie.endpoints) {
    const Index body = layout.first_body[end.system.index] + end.body;
    layout.entries.push_back({body, column, layout.entry_values});
    column += layout.bodies[body].size;
    layout.entry_values += size * layout.bodies[body].size;
  }
  block.last_entry = static_cast<Index>(layout.entries.size());
  if (!tie.relation.lagrangian()) {
    block.feedthrough = layout.feedthrough_values;
    layout.feedthrough_values += size * size;
  }
  layout.blocks.push_back(block);
}

}  // namespace

Layout lay_out(const Model& model, bool normals_only) {
  Layout layout;
  layout.normals_only = normals_only;
  lay_out_bodies(model, layout);
  const auto interactions = static_cast<Index>(model.interactions().size());
  for (Index i = 0; i < interactions; ++i) {
    const Interaction& tie = model.interactions()[i];
    layout.first_block.push_back(static_cast<Index>(layout.blocks.size()));
    if (rows_apart(tie.law)) {
      for (Index row = 0; row < tie.relation.rows(); ++row) lay_out_block(model, i, row, 1, layout);
    } else {
      const bool normal = normals_only && switched_by_gap(tie.law);
      lay_out_block(model, i, 0, normal ? 1 : tie.relation.rows(), layout);
    }
  }
  layout.first_block.push_back(static_cast<Index>(layout.blocks.size()));
  layout.declared_blocks = static_cast<Index>(layout.blocks.size());
  layout.declared_entries = static_cast<Index>(layout.entries.size());
  layout.declared_rows = layout.rows = model.rows();
  layout.declared_values = layout.entry_values;
  return layout;
}

void lay_out_contacts(const ContactList& contacts, Layout& layout) {
  layout.blocks.resize(layout.declared_blocks);
  layout.entries.resize(layout.declared_entries);
  layout.rows = layout.declared_rows;
  layout.entry_values = layout.declared_values;
  Index number = 0;
  for (const DetectedContact& contact : contacts) {
    const Index size = layout.normals_only ? 1 : contact_rows(contact.law);
    Layout::Block block{.interaction = -1,
                        .contact = number++,
                        .row = layout.rows,
                        .local = 0,
                        .size = size,
                        .first_entry = static_cast<Index>(layout.entries.size()),
                        .last_entry = 0,
                        .feedthrough = -1,
                        .restitution = restitution(contact.law),
                        .always = true,
                        .constant = false,
                        .unilateral = true,
                        .bilateral = false,
                        .terms = has_terms(contact.law)};
    for (Index side = 0; side < 2; ++side) {
      const Endpoint& end = contact.bodies[side];
      if (end.world()) continue;
      const Index body = layout.first_body[end.system.index] + end.body;
      layout.entries.push_back({body, side, layout.entry_values});
      layout.entry_values += size * layout.bodies[body].size;
    }
    block.last_entry = static_cast<Index>(layout.entries.size());
    layout.blocks.push_back(block);
    layout.rows += size;
  }
}

}  // namespace saltus
