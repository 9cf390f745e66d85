#include "saltus/systems/descriptor.hpp"

namespace saltus {

namespace {

bool all_finite(const Descriptor::Matrix& A) {
  for (Index k = 0; k < A.nonZeros(); ++k)
    if (!std::isfinite(A.valuePtr()[k])) return false;
  return true;
}

void check_matrix(const Descriptor::Matrix& A, char letter, Index n) {
  require(A.rows() == n && A.cols() == n, "Descriptor: {} is {}x{}, expected {}x{}", letter,
          A.rows(), A.cols(), n, n);
  require(A.isCompressed() && all_finite(A),
          "Descriptor: {} is not compressed or holds NaN or infinity", letter);
}

void check_hinges(const Descriptor& system) {
  const Index functions = static_cast<Index>(system.hinges.functions.size());
  std::vector<char> taken(static_cast<std::size_t>(system.size()), 0);
  for (const HingeRows::Row& hinge : system.hinges.rows) {
    const Index i = hinge.row;
    require(i >= 0 && i < system.size() && hinge.function >= 0 && hinge.function < functions &&
                taken[i] == 0,
            "Descriptor: hinges name row {} and function {}, expected one of {} rows, once, and of "
            "{} functions",
            i, hinge.function, system.size(), functions);
    taken[i] = 1;
  }
  for (const HingeRows::Row& hinge : system.hinges.rows) {
    const Index i = hinge.row;
    bool alone = system.E.outerIndexPtr()[i + 1] == system.E.outerIndexPtr()[i] &&
                 system.lower[i] == -inf && system.upper[i] == inf && system.G.coeff(i, i) == 1;
    for (Descriptor::Matrix::InnerIterator it(system.G, i); it; ++it)
      alone = alone && (it.col() == i || taken[it.col()] == 0);
    require(alone,
            "Descriptor: row {} ({}) is a function, expected an algebraic row without bounds, 1 on "
            "the diagonal of G, and no entry of another function",
            i, system.names[i]);
  }
}

}  // namespace

void validate(const Descriptor& system) {
  const Index n = system.size();
  check_matrix(system.E, 'E', n);
  check_matrix(system.G, 'G', n);
  require(system.upper.size() == n && system.initial.size() == n && system.constant.size() == n &&
              static_cast<Index>(system.by_step.size()) == n &&
              static_cast<Index>(system.names.size()) == n,
          "Descriptor: upper, initial, constant, by_step and names have sizes {}, {}, {}, {}, {}, "
          "expected {}",
          system.upper.size(), system.initial.size(), system.constant.size(), system.by_step.size(),
          system.names.size(), n);
  for (Index i = 0; i < n; ++i)
    require(system.lower[i] <= system.upper[i] && system.lower[i] < inf && system.upper[i] > -inf,
            "Descriptor: component {} ({}) lies in [{}, {}], expected lower <= upper", i,
            system.names[i], system.lower[i], system.upper[i]);
  require(system.initial.allFinite() && system.constant.allFinite(),
          "Descriptor: initial or constant holds NaN or infinity");
  check_hinges(system);
  for (const DescriptorSwitch& s : system.switches) {
    const auto known = [&](Index i) { return i >= -1 && i < n; };
    require(s.component >= 0 && s.component < n && known(s.plus) && known(s.minus),
            "Descriptor: a switch names components {}, {}, {}, expected less than {}", s.component,
            s.plus, s.minus, n);
    require(s.opens <= s.closes && s.clock >= 0,
            "Descriptor: a switch opens below {} and closes above {} with clock {}, expected opens "
            "<= closes and clock >= 0",
            s.opens, s.closes, s.clock);
  }
}

}  // namespace saltus
