#!/usr/bin/env python3
"""Rules of the source tree: arrows between layers point down, headers are listed and guarded, files
stay short, and nothing names a path of somebody's machine.

All targets share one include root, so the compiler does not stop an include that goes up: this test
does. The table is that of docs/decisions/0001-architecture.md.
"""

import re
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Layer -> layers it may include directly; what those include comes along.
LAYERS = {
    "base": [],
    "algebra": ["base"],
    "sets": ["algebra"],
    "systems": ["algebra"],
    "relations": ["algebra"],
    "laws": ["sets"],
    "model": ["systems", "relations", "laws"],
    "problems": ["sets"],
    "solvers": ["problems"],
    "integrators": ["model", "solvers"],
    "simulation": ["integrators"],
    "mechanics": ["model"],
    "circuits": ["model"],
    "inclusions": ["model"],
    "control": ["simulation"],
    "analysis": ["simulation"],
    "io": ["simulation", "mechanics", "circuits"],
}
# Folders outside saltus/ that may include every layer, and that no layer may include.
ON_TOP = ["python", "apps", "viewer"]

SOURCE_FOLDERS = ["saltus", "python", "apps", "viewer", "tests", "examples", "benchmarks", "cmake",
                  "docs"]
CPP = {".hpp", ".cpp", ".h"}
CODE = CPP | {".py", ".cmake", ".txt"}
TEXT = CODE | {".md", ".json", ".in", ".toml", ".pyi", ""}
MAX_LINES = 800

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
HEADER_NAME = re.compile(r"[\w/]+\.hpp\b")
# Absolute folders that exist on one machine only. Names and slash are kept apart, here and below, so
# that this file does not break its own rule.
MACHINE_PATH = re.compile(r"(?<![\w.~})/])/(" + "|".join(
    ["home", "root", "tmp", "work", "Users", "mnt", "media"]) + r")(?![\w-])")


def closure(layer):
    """The layer and all below it."""
    found, open_ = set(), [layer]
    while open_:
        name = open_.pop()
        if name not in found:
            found.add(name)
            open_.extend(LAYERS[name])
    return found


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def files(root, folders, suffixes):
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix in suffixes and "__pycache__" not in path.parts:
                yield path


def layer_of(root, path):
    parts = path.relative_to(root).parts
    return parts[1] if parts[0] == "saltus" else parts[0]


def includes(text):
    for match in INCLUDE.finditer(text):
        yield line_of(text, match.start(1)), match.group(1)


def check_include(layer, target):
    """What is wrong with `#include "target"` in a file of `layer`; None if nothing."""
    first, *rest = target.split("/")
    if first in ON_TOP and rest:
        return None if layer == first else f"nothing may include {first}"
    if first != "saltus":
        return None
    if len(rest) < 2 or rest[0] not in LAYERS:
        return f"'{target}' is in no layer of the table"
    if layer in ON_TOP or rest[0] in closure(layer):
        return None
    allowed = ", ".join(name for name in LAYERS if name in closure(layer))
    return f"layer '{layer}' may not include layer '{rest[0]}'; allowed: {allowed}"


def layer_violations(root):
    found = []
    for folder in sorted(p for p in (root / "saltus").iterdir() if p.is_dir()):
        if folder.name not in LAYERS:
            found.append(f"saltus/{folder.name}: not in the table of layers")
    for path in files(root, ["saltus", *ON_TOP], CPP):
        layer = layer_of(root, path)
        if layer not in LAYERS and layer not in ON_TOP:
            continue
        for line, target in includes(path.read_text(encoding="utf-8")):
            problem = check_include(layer, target)
            if problem:
                found.append(f"{path.relative_to(root)}:{line}: {problem}")
    return found


def target_violations(root):
    """The layers a CMakeLists.txt names after USES against the table."""
    found = []
    for path in sorted((root / "saltus").glob("*/CMakeLists.txt")):
        layer = path.parent.name
        match = re.search(r"\bUSES\b([\w\s]*?)(?:\bLINK\b|\))", path.read_text(encoding="utf-8"))
        for used in match.group(1).split() if match else []:
            if layer in LAYERS and used not in LAYERS[layer]:
                found.append(f"{path.relative_to(root)}: '{layer}' USES '{used}'; "
                             f"allowed: {', '.join(LAYERS[layer]) or 'none'}")
    return found


def header_violations(root):
    found = []
    for path in files(root, ["saltus"], {".hpp"}):
        name = path.relative_to(root)
        build = root / "saltus" / name.parts[1] / "CMakeLists.txt"
        listed = set(HEADER_NAME.findall(build.read_text(encoding="utf-8"))) if build.exists() else set()
        if str(path.relative_to(build.parent)) not in listed:
            found.append(f"{name}: not listed in {build.relative_to(root)}")
    for path in files(root, ["saltus", *ON_TOP, "tests", "examples", "benchmarks"], {".hpp", ".h"}):
        if not re.search(r"^#pragma once$", path.read_text(encoding="utf-8"), re.MULTILINE):
            found.append(f"{path.relative_to(root)}: has no #pragma once")
    return found


def length_violations(root):
    found = []
    for path in files(root, SOURCE_FOLDERS, CODE):
        lines = path.read_text(encoding="utf-8").count("\n")
        if lines > MAX_LINES and "catalogue" not in path.parts:
            found.append(f"{path.relative_to(root)}: {lines} lines, at most {MAX_LINES}: split it")
    return found


def machine_path_violations(root):
    found = []
    top = [p for p in sorted(root.iterdir()) if p.is_file() and p.suffix in TEXT and p.name != ".git"]
    for path in [*top, *files(root, SOURCE_FOLDERS, TEXT)]:
        text = path.read_text(encoding="utf-8", errors="replace")
        for match in MACHINE_PATH.finditer(text):
            found.append(f"{path.relative_to(root)}:{line_of(text, match.start())}: "
                         f"names the machine path '{match.group(0)}'")
    return found


class TheTree(unittest.TestCase):
    def check(self, violations):
        if violations:
            self.fail("\n" + "\n".join(violations))

    def test_includes_point_down(self):
        self.check(layer_violations(ROOT))

    def test_targets_use_what_the_table_allows(self):
        self.check(target_violations(ROOT))

    def test_headers_are_listed_and_guarded(self):
        self.check(header_violations(ROOT))

    def test_files_are_short(self):
        self.check(length_violations(ROOT))

    def test_no_machine_paths(self):
        self.check(machine_path_violations(ROOT))


class TheRules(unittest.TestCase):
    """The checks find what they are for, on a small tree with one fault."""

    def tree(self, contents):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in contents.items():
            path = Path(folder.name) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return Path(folder.name)

    def test_the_table_has_no_cycle(self):
        for layer, below in LAYERS.items():
            for used in below:
                self.assertNotIn(layer, closure(used))

    def test_an_arrow_that_goes_up_is_named(self):
        root = self.tree({"saltus/model/a.cpp": '#include "saltus/base/error.hpp"\n\n'
                                                '#include "saltus/solvers/lemke.hpp"\n'})
        self.assertEqual(layer_violations(root), [
            "saltus/model/a.cpp:3: layer 'model' may not include layer 'solvers'; allowed: base, "
            "algebra, sets, systems, relations, laws, model"])

    def test_the_towers_do_not_see_each_other(self):
        root = self.tree({"saltus/solvers/a.hpp": '#include "saltus/laws/law.hpp"\n'})
        self.assertIn("saltus/solvers/a.hpp:1: layer 'solvers' may not include layer 'laws'",
                      layer_violations(root)[0])

    def test_what_lies_below_comes_along(self):
        root = self.tree({"saltus/io/a.cpp": '#include "saltus/base/error.hpp"\n'
                                             '#include "saltus/io/b.hpp"\n'
                                             "#include <saltus/laws/law.hpp>\n",
                          "apps/main.cpp": '#include "saltus/io/b.hpp"\n'})
        self.assertEqual(layer_violations(root), [])

    def test_nothing_includes_the_programs(self):
        root = self.tree({"saltus/io/a.cpp": '#include "apps/main.hpp"\n'})
        self.assertEqual(layer_violations(root), ["saltus/io/a.cpp:1: nothing may include apps"])

    def test_unknown_layers_are_named(self):
        root = self.tree({"saltus/misc/a.cpp": "", "saltus/base/b.cpp": '#include "saltus/c.hpp"\n'})
        self.assertEqual(layer_violations(root), [
            "saltus/misc: not in the table of layers",
            "saltus/base/b.cpp:1: 'saltus/c.hpp' is in no layer of the table"])

    def test_a_target_that_uses_too_much_is_named(self):
        root = self.tree({"saltus/laws/CMakeLists.txt":
                          "saltus_library(laws HEADERS law.hpp USES sets solvers LINK fmt::fmt)"})
        self.assertEqual(target_violations(root), [
            "saltus/laws/CMakeLists.txt: 'laws' USES 'solvers'; allowed: sets"])

    def test_an_unlisted_or_unguarded_header_is_named(self):
        root = self.tree({"saltus/base/CMakeLists.txt": "saltus_library(base HEADERS a.hpp sub/b.hpp)",
                          "saltus/base/a.hpp": "#pragma once\n",
                          "saltus/base/b.hpp": "#pragma once\n",
                          "saltus/base/sub/b.hpp": "int x;\n"})
        self.assertEqual(header_violations(root), [
            "saltus/base/b.hpp: not listed in saltus/base/CMakeLists.txt",
            "saltus/base/sub/b.hpp: has no #pragma once"])

    def test_a_long_file_is_named(self):
        root = self.tree({"saltus/base/a.cpp": "\n" * (MAX_LINES + 1),
                          "saltus/base/b.cpp": "\n" * MAX_LINES})
        self.assertEqual(len(length_violations(root)), 1)
        self.assertIn("saltus/base/a.cpp", length_violations(root)[0])

    def test_a_machine_path_is_named(self):
        slash = "/"
        root = self.tree({"README.md": f"see\n{slash}home/ada/notes\n",
                          "saltus/base/a.cpp": f'"{slash}tmp"; // a{slash}tmp, http:{slash * 2}work.org, '
                                               f"{slash}workshop, ..{slash}work\n"})
        self.assertEqual(machine_path_violations(root), [
            f"README.md:2: names the machine path '{slash}home'",
            f"saltus/base/a.cpp:1: names the machine path '{slash}tmp'"])


if __name__ == "__main__":
    unittest.main()
