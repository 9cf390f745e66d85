#include "apps/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

/// 5000000 → "5 000 000".
std::string grouped(long value) {
  const std::string digits = fmt::format("{}", value);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ' ';
    text += digits[i];
  }
  return text;
}

std::string time_table(const RunReport& report) {
  struct Row {
    const char* text;
    double seconds;
  };
  const StepTimes& t = report.times;
  Row rows[] = {{"free motion", t.free},
                {"active set", t.activate},
                {"assembly", t.assemble},
                {"solver", t.solve},
                {"update", t.update},
                {"recording", report.recording_seconds},
                {"time loop and other", report.seconds}};
  for (std::size_t i = 0; i + 1 < std::size(rows); ++i)
    std::end(rows)[-1].seconds -= rows[i].seconds;
  std::string table;
  for (const Row& row : rows) {
    const double share = report.seconds > 0 ? std::max(0.0, row.seconds) / report.seconds : 0;
    const auto stars = static_cast<std::size_t>(20 * share + 0.5);
    table += fmt::format("    {:<20} {:>9} {:5.1f} %  {}\n", row.text,
                         duration_text(std::max(0.0, row.seconds)), 100 * share,
                         std::string(stars, '#'));
  }
  return table;
}

/// Start and end, and where it went; parts that the tolerance of a solver makes up are left out.
std::string energy_text(const EnergyBalance& e) {
  struct Part {
    const char* text;
    double joule;
  };
  const Part parts[] = {{"impacts", -e.impact}, {"friction", -e.friction},
                        {"forces", e.forces},   {"drives", e.drives},
                        {"laws", -e.laws},      {"the scheme", -e.scheme}};
  double largest = std::max(std::abs(e.start), std::abs(e.total()));
  for (const Part& part : parts) largest = std::max(largest, std::abs(part.joule));
  if (largest == 0) return "";
  std::string text = fmt::format("  energy       {:.4g} J, then {:.4g} J", e.start, e.total());
  const char* before = ": ";
  for (const Part& part : parts) {
    if (std::abs(part.joule) <= 1e-9 * largest) continue;
    text += fmt::format("{}{:+.4g} by {}", before, part.joule, part.text);
    before = ", ";
  }
  return text + "\n";
}

/// Start and end, and what changed it: linear, then angular; parts that are rounding are left out.
std::string momentum_text(const MomentumBalance& balance, bool angular) {
  const auto part = [&](const Momentum& m) { return angular ? m.angular : m.linear; };
  struct Part {
    const char* text;
    Eigen::Vector3d value;
  };
  const Part parts[] = {{"forces", part(balance.forces)},
                        {"interactions", part(balance.interactions)},
                        {"the scheme", part(balance.scheme)}};
  double largest = std::max(part(balance.start).norm(), part(balance.end).norm());
  for (const Part& p : parts) largest = std::max(largest, p.value.norm());
  if (largest == 0) return "";
  const auto vector = [&](const Eigen::Vector3d& v) {
    const auto shown = [&](double x) { return std::abs(x) > 1e-9 * largest ? x : 0.0; };
    return fmt::format("({:.4g}, {:.4g}, {:.4g})", shown(v[0]), shown(v[1]), shown(v[2]));
  };
  std::string text = fmt::format("  {:<12} {}, then {} {}", angular ? "turning" : "momentum",
                                 vector(part(balance.start)), vector(part(balance.end)),
                                 angular ? "kg m2/s" : "kg m/s");
  const char* before = ": ";
  for (const Part& p : parts) {
    if (p.value.norm() <= 1e-9 * largest) continue;
    text += fmt::format("{}{} by {}", before, vector(p.value), p.text);
    before = ", ";
  }
  return text + "\n";
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", 1e6 * seconds);
  if (seconds < 1) return fmt::format("{:.3g} ms", 1e3 * seconds);
  return fmt::format("{:.2f} s", seconds);
}

std::string summary(const RunReport& report) {
  const auto steps = static_cast<double>(report.steps);
  const long rate = report.seconds > 0 ? static_cast<long>(steps / report.seconds) : 0;
  const double per_step = static_cast<double>(report.solver_iterations) /
                          static_cast<double>(std::max(1L, report.active_steps));
  std::string text;
  text += fmt::format("  end          {}\n", report.message());
  text += fmt::format("  steps        {}, {} with active constraints; {} steps per second\n",
                      grouped(report.steps), grouped(report.active_steps), grouped(rate));
  text += fmt::format("  iterations   {} of the solver, {:.3g} per active step\n",
                      grouped(report.solver_iterations), per_step);
  text += fmt::format("  residual     {:.3g} at worst\n", report.worst_residual);
  if (report.energy.known) text += energy_text(report.energy);
  if (report.momentum.known)
    text += momentum_text(report.momentum, false) + momentum_text(report.momentum, true);
  text += fmt::format("  wall time    {}, of which\n{}", duration_text(report.seconds),
                      time_table(report));
  return text;
}

}  // namespace saltus
