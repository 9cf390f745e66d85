#include "apps/figure.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace saltus {

std::string json_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      quoted += fmt::format("\\u{:04x}", c);
    else
      quoted += c;
  }
  return quoted + '"';
}

namespace {

template <class List, class Write>
std::string json(const List& list, Write write) {
  std::string text;
  for (const auto& item : list) text += (text.empty() ? "" : ", ") + write(item);
  return "[" + text + "]";
}

std::string json(const Curve& curve) {
  return fmt::format(R"({{"label": {}, "columns": {}, "scale": {}, "background": {}}})",
                     json_text(curve.label), json(curve.columns, json_text), curve.scale,
                     curve.background);
}

std::string json(const Panel& panel) {
  return fmt::format(R"({{"title": {}, "y_label": {}, "x_label": {}, "profile": {}, "until": {}, )"
                     R"("curves": {}}})",
                     json_text(panel.title), json_text(panel.y_label), json_text(panel.x_label),
                     panel.profile, panel.until,
                     json(panel.curves, [](const Curve& c) { return json(c); }));
}

}  // namespace

Figure default_figure(const Trajectory& run) {
  constexpr std::size_t most = 10;
  struct Named {
    const Table& table;
    const char* title;
    const char* letter;
  };
  const Named tables[] = {{run.q, "Positions", "q"},
                          {run.v, "Velocities", "v"},
                          {run.x, "States", "x"},
                          {run.r, "Multipliers", "r"}};
  Figure figure;
  for (const auto& [table, title, letter] : tables) {
    const std::size_t count = std::min(most, table.names.size());
    Panel panel{.title = title, .y_label = letter, .curves = {}};
    for (std::size_t i = 0; i < count; ++i)
      panel.curves.push_back({.label = table.names[i], .columns = {table.names[i]}});
    if (table.names.size() > most)
      panel.title += fmt::format(" (the first {} of {})", most, table.names.size());
    if (count > 0) figure.panels.push_back(panel);
  }
  return figure;
}

void add_notes(const Figure& figure, Notes& notes) {
  notes["figure"] =
      fmt::format(R"({{"title": {}, "time_label": {}, "time_scale": {}, "panels": {}}})",
                  json_text(figure.title), json_text(figure.time_label), figure.time_scale,
                  json(figure.panels, [](const Panel& p) { return json(p); }));
  std::string columns;
  for (const Panel& panel : figure.panels)
    for (const Curve& curve : panel.curves)
      for (const std::string& name : curve.columns) columns += name + '\n';
  notes["figure_columns"] = columns;
}

}  // namespace saltus
