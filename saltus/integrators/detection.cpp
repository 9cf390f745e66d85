#include "saltus/integrators/detection.hpp"

#include <algorithm>

namespace saltus {

namespace {

/// H of the detected blocks, from the contacts into the flat arrays.
void copy_jacobians(StepWorkspace& work) {
  const Layout& layout = work.layout;
  work.output.resize(layout.entry_values);
  work.input.resize(layout.entry_values);
  work.response.resize(layout.entry_values);
  const auto blocks = static_cast<Index>(layout.blocks.size());
  for (Index b = layout.declared_blocks; b < blocks; ++b) {
    const Layout::Block& block = layout.blocks[b];
    for (Index e = block.first_entry; e < block.last_entry; ++e) {
      const Layout::Entry& entry = layout.entries[e];
      const Index d = layout.bodies[entry.body].size;
      const auto H = work.contacts[block.contact].H[entry.column].topLeftCorner(block.size, d);
      Eigen::Map<Matrix>(work.output.data() + entry.values, block.size, d) = H;
      Eigen::Map<Matrix>(work.input.data() + entry.values, d, block.size) = H.transpose();
    }
  }
}

/// Both lists are in increasing order of the keys.
void guess_by_key(StepWorkspace& work) {
  auto known = work.remembered.begin();
  const auto blocks = static_cast<Index>(work.layout.blocks.size());
  for (Index b = work.layout.declared_blocks; b < blocks; ++b) {
    const Layout::Block& block = work.layout.blocks[b];
    const DetectedContact& contact = work.contacts[block.contact];
    known = std::lower_bound(
        known, work.remembered.end(), contact.key,
        [](const RememberedContact& old, const ContactKey& key) { return old.key < key; });
    if (known == work.remembered.end()) return;
    if (known->key != contact.key) continue;
    const Index force = std::min<Index>(3, block.size);
    const Eigen::Vector3d r = contact.frame.transpose() * known->percussion;
    work.r.segment(block.row, force) = r.head(force);
    if (block.size > 3)
      work.r.segment<2>(block.row + 3) = contact.frame.rightCols<2>().transpose() * known->moment;
    if (block.size > 5) work.r[block.row + 5] = contact.frame.col(0).dot(known->moment);
  }
}

}  // namespace

void prepare_sources(const Model& model, StepWorkspace& work) {
  work.caches.clear();
  for (const InteractionSource& source : model.sources())
    work.caches.push_back(source.make_cache());
  work.contacts.clear();
  work.remembered.clear();
}

void detect_contacts(const Model& model, double t, double reach, StepWorkspace& work) {
  work.contacts.clear();
  std::uint32_t number = 0;
  for (const InteractionSource& source : model.sources()) {
    const std::size_t first = work.contacts.size();
    source.detect(model, t, work.q_forecast, reach, *work.caches[number], work.contacts);
    for (std::size_t i = first; i < work.contacts.size(); ++i) work.contacts[i].key.source = number;
    ++number;
  }
  lay_out_contacts(work.contacts, work.layout);
  const Index declared = work.layout.declared_rows, detected = work.layout.rows - declared;
  for (Vector* v : {&work.gap, &work.u_minus, &work.bias, &work.r, &work.offset, &work.constant,
                    &work.compliance, &work.pull}) {
    v->conservativeResize(work.layout.rows);
    v->tail(detected).setZero();
  }
  copy_jacobians(work);
  for (const Layout::Block& block : work.layout.blocks)
    if (block.detected()) work.gap[block.row] = work.contacts[block.contact].gap;
  guess_by_key(work);
}

void remember_contacts(StepWorkspace& work) {
  work.remembered.clear();
  for (const Layout::Block& block : work.layout.blocks) {
    if (!block.detected()) continue;
    const DetectedContact& contact = work.contacts[block.contact];
    const Index force = std::min<Index>(3, block.size);
    Eigen::Vector3d r = Eigen::Vector3d::Zero(), moment = r;
    r.head(force) = work.r.segment(block.row, force);
    if (block.size > 3) moment = contact.frame.rightCols<2>() * work.r.segment<2>(block.row + 3);
    if (block.size > 5) moment += work.r[block.row + 5] * contact.frame.col(0);
    work.remembered.push_back({contact.key, contact.frame * r, moment});
  }
}

}  // namespace saltus
