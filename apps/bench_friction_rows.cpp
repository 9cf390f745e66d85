#include "apps/bench_friction_solve.hpp"

#include <fmt/format.h>

#include <sstream>

namespace saltus {

namespace {

/// The fields of a row, once for both directions.
template <class Row, class Visitor>
void for_each_field(Row& row, Visitor&& visit) {
  visit(row.file), visit(row.family), visit(row.contacts), visit(row.form), visit(row.tolerance);
  visit(row.solver), visit(row.status), visit(row.reason), visit(row.error);
  visit(row.self_stress), visit(row.seconds), visit(row.iterations), visit(row.factorisations);
}

std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  return text;
}

}  // namespace

std::string to_text(const BenchedFile& file) {
  std::string text = one_line(file.skipped) + '\n';
  for (const BenchRow& row : file.rows) {
    for_each_field(
        row, [&]<class T>(const T& value) { text += one_line(fmt::format("{}", value)) + '\t'; });
    text.back() = '\n';
  }
  return text;
}

BenchedFile benched_file_from(const std::string& text) {
  BenchedFile file;
  std::istringstream lines(text);
  std::getline(lines, file.skipped);
  for (std::string line; std::getline(lines, line);) {
    BenchRow row;
    std::istringstream words(line);
    for_each_field(row, [&]<class T>(T& value) {
      std::string word;
      std::getline(words, word, '\t');
      if constexpr (std::is_same_v<T, std::string>)
        value = word;
      else if constexpr (std::is_same_v<T, double>)
        value = std::stod(word);
      else
        value = std::stol(word);
    });
    file.rows.push_back(row);
  }
  return file;
}

std::string tolerance_text(double tolerance) {
  std::string text;
  for (int digits = 0; digits < 17 && (text.empty() || std::stod(text) != tolerance); ++digits)
    text = fmt::format("{:.{}e}", tolerance, digits);
  const std::size_t exponent = text.find('e') + 2;
  if (exponent < text.size() && text[exponent] == '0') text.erase(exponent, 1);
  return text;
}

std::string csv_entry(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string inside;
  for (const char c : text) inside += c == '"' ? "\"\"" : std::string(1, c);
  return '"' + inside + '"';
}

std::string csv_header() {
  return "file,family,contacts,form,tolerance,solver,status,reason,error,self_stress,seconds,"
         "iterations,factorisations,seconds_per_contact\n";
}

std::string csv_line(const BenchRow& row) {
  std::string line;
  for_each_field(row,
                 [&](const auto& value) { line += csv_entry(fmt::format("{}", value)) + ','; });
  return line + fmt::format("{}\n", row.seconds_per_contact());
}

}  // namespace saltus
