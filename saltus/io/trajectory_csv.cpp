#include "saltus/io/trajectory_csv.hpp"

#include "saltus/io/atomic_file.hpp"

#include <fmt/compile.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace saltus {

namespace {

/// A name as a field: quoted if a separator, a quote or a line break stands in it (RFC 4180).
std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

/// Collects text and hands it to the file in large pieces.
class TextWriter {
 public:
  TextWriter(const AtomicFile& file, std::string path)
      : path_(std::move(path)), file_(std::fopen(file.temporary().c_str(), "wb"), &std::fclose) {
    check(file_ != nullptr);
  }
  fmt::memory_buffer& buffer() { return buffer_; }
  void end_row() {
    buffer_.push_back('\n');
    if (buffer_.size() > piece) flush();
  }
  void close() {
    flush();
    check(std::fclose(file_.release()) == 0);
  }

 private:
  static constexpr std::size_t piece = 1 << 20;

  void flush() {
    check(std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) == buffer_.size());
    buffer_.clear();
  }
  void check(bool good) const {
    require(good, "write_csv: cannot write '{}': {}", path_, std::strerror(errno));
  }

  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  fmt::memory_buffer buffer_;
};

}  // namespace

void write_csv(const std::filesystem::path& path, const Trajectory& run) {
  AtomicFile file(path);
  TextWriter out(file, path.string());
  const std::array<const Table*, 6> tables{&run.q, &run.v, &run.x, &run.y, &run.u, &run.r};
  auto end = fmt::appender(out.buffer());
  end = fmt::format_to(end, "t");
  for (const Table* table : tables)
    for (const std::string& name : table->names) end = fmt::format_to(end, ",{}", quoted(name));
  out.end_row();
  for (Index row = 0; row < run.size(); ++row) {
    end = fmt::format_to(end, FMT_COMPILE("{}"), run.t[row]);
    for (const Table* table : tables) {
      const double* value = table->values.data() + row * table->columns();
      for (Index i = 0; i < table->columns(); ++i)
        end = fmt::format_to(end, FMT_COMPILE(",{}"), value[i]);
    }
    out.end_row();
  }
  out.close();
  file.commit();
}

}  // namespace saltus
