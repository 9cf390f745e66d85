#include "saltus/io/atomic_file.hpp"

#include "io/trajectory_fixture.hpp"

namespace saltus {

class AtomicFileTest : public InFolder {};

TEST_F(AtomicFileTest, AppearsUnderItsNameOnCommit) {
  const auto path = folder / "new.txt";
  AtomicFile file(path);
  put(file.temporary(), "whole");
  EXPECT_FALSE(std::filesystem::exists(path));
  file.commit();
  EXPECT_EQ(text_of(path), "whole");
  EXPECT_EQ(files_in_folder(), 1);
}

TEST_F(AtomicFileTest, KeepsTheOldFileWithoutCommit) {
  const auto path = folder / "old.txt";
  put(path, "precious");
  {
    const AtomicFile file(path);
    put(file.temporary(), "half");
  }
  EXPECT_EQ(text_of(path), "precious");
  EXPECT_EQ(files_in_folder(), 1) << "the temporary file was left behind";
}

TEST_F(AtomicFileTest, ReplacesTheOldFileOnCommit) {
  const auto path = folder / "old.txt";
  put(path, "old");
  AtomicFile file(path);
  put(file.temporary(), "new");
  file.commit();
  EXPECT_EQ(text_of(path), "new");
}

TEST_F(AtomicFileTest, NamesThePathThatCannotBeWritten) {
  put(folder / "file", "");
  for (const auto& path : {folder / "missing" / "a.txt", folder / "file" / "a.txt"}) {
    const std::string text = error_of([&] { const AtomicFile file(path); });
    EXPECT_NE(text.find("cannot write '" + path.string() + "': "), std::string::npos) << text;
  }
  EXPECT_NE(error_of([&] { const AtomicFile file(folder); }).find("it is a folder"),
            std::string::npos);
}

TEST_F(AtomicFileTest, TwoWritersOfOneNameDoNotMix) {
  const auto path = folder / "shared.txt";
  AtomicFile first(path), second(path);
  put(first.temporary(), "first");
  put(second.temporary(), "second");
  first.commit();
  EXPECT_EQ(text_of(path), "first");
  second.commit();
  EXPECT_EQ(text_of(path), "second");
}

}  // namespace saltus
