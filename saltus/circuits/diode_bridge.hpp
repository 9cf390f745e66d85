#pragma once

#include "saltus/model/model.hpp"

namespace saltus::circuits {

/// An LC oscillator that feeds a resistor through a bridge of four ideal diodes (PL:C-01, PL:EX-01,
/// S:V-13). States x = (v_L, i_L), voltage over and current through the inductor side; multipliers
/// λ = (−v_DR1, −v_DF2, i_DF1, i_DR2), outputs y = (i_DR1, i_DF2, −v_DF1, −v_DR2):
///     ẋ = A x + B λ,   y = C x + D λ,   0 ≤ y ⟂ λ ≥ 0
/// An ideal bridge makes the oscillator see a plain resistor: v follows the linear parallel RLC
/// circuit, the resistor sees |v|.
struct DiodeBridge {
  static constexpr std::string_view name = "DiodeBridge";
  double inductance = 1e-2;   ///< L [H]
  double capacitance = 1e-6;  ///< C [F]
  double resistance = 1e3;    ///< R [Ω]
  double voltage = 10;        ///< v_L(0) [V]
  double current = 0;         ///< i_L(0) [A]
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"inductance", "L [H]", positive}, s.inductance);
    visit(Field{"capacitance", "C [F]", positive}, s.capacitance);
    visit(Field{"resistance", "R [ohm]", positive}, s.resistance);
    visit(Field{"voltage", "initial voltage [V]"}, s.voltage);
    visit(Field{"current", "initial current [A]"}, s.current);
  }

  [[nodiscard]] Model model() const;
};

}  // namespace saltus::circuits
