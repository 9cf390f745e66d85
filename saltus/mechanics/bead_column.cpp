#include "saltus/mechanics/bead_column.hpp"

#include "saltus/relations/linear.hpp"
#include "saltus/systems/lagrangian.hpp"

namespace saltus::mechanics {

Model BeadColumn::model() const {
  validate(*this);
  Vector heights(count);
  for (int i = 0; i < count; ++i) heights[i] = drop + radius + i * (2 * radius + gap);
  Model model;
  const auto beads =
      model.add(PointMasses{.m = Vector::Constant(count, mass), .gravity = {-gravity}},
                {.q = heights}, "bead");
  const Law law = NewtonImpact{.e = e};
  model.link(Endpoint(beads, 0), LinearRelation{.H = {{1.0}}, .b = {-radius}}, law, "contact0");
  const Relation pair = LinearRelation{.H = {{-1.0, 1.0}}, .b = {-2 * radius}};
  for (int i = 1; i < count; ++i)
    model.link({Endpoint(beads, i - 1), Endpoint(beads, i)}, pair, law,
               fmt::format("contact{}", i));
  return model;
}

}  // namespace saltus::mechanics
