#include "saltus/circuits/diode_bridge.hpp"

#include "saltus/relations/linear.hpp"
#include "saltus/systems/first_order.hpp"

namespace saltus::circuits {

Model DiodeBridge::model() const {
  validate(*this);
  const double elastance = 1 / capacitance, conductance = 1 / resistance;
  Model model;
  const auto oscillator = model.add(FirstOrderLinear{.A = {{0, -elastance}, {1 / inductance, 0}}},
                                    {.x = {voltage, current}}, "oscillator");
  model.link(oscillator,
             FirstOrderLinearRelation{
                 .C = {{0, 0}, {0, 0}, {-1, 0}, {1, 0}},
                 .B = {{0, 0, -elastance, elastance}, {0, 0, 0, 0}},
                 .D = {{conductance, conductance, -1, 0},
                       {conductance, conductance, 0, -1},
                       {1, 0, 0, 0},
                       {0, 1, 0, 0}},
             },
             Complementarity{}, "bridge");
  return model;
}

}  // namespace saltus::circuits
