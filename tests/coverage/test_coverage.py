#!/usr/bin/env python3
"""Tests of the map from the theory to the code (docs/coverage/generate.py).

Run directly, or by pytest. The folder of this file is left out of the map, so that the keys
below count neither as citations nor as errors.
"""

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "docs" / "coverage"))

import generate  # noqa: E402


class Tree:
    """A temporary project with the given files."""

    def __init__(self, files):
        self.files = files

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        for path, text in self.files.items():
            target = Path(self.folder.name) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        return Path(self.folder.name)

    def __exit__(self, *_):
        self.folder.cleanup()


def keys_found(text):
    with Tree({"saltus/a.hpp": text}) as root:
        return [citation.key for citation in generate.find_citations(root)]


def messages_on(text):
    with Tree({"saltus/a.hpp": text}) as root:
        return generate.check(root)


class TheTree(unittest.TestCase):
    def test_names_only_ids_of_the_catalogue(self):
        self.assertEqual(generate.check(), [])


class TheCatalogue(unittest.TestCase):
    def setUp(self):
        self.entries = generate.load_catalogue()

    def test_rows_parse_and_no_key_occurs_twice(self):
        rows = []
        for path in sorted((ROOT / "docs/coverage/catalogue").glob("*.csv")):
            rows += path.read_text(encoding="utf-8").splitlines()[1:]
        keys = [row.split(",", 1)[0] for row in rows]
        self.assertEqual([k for k, count in Counter(keys).items() if count > 1], [])
        self.assertEqual([k for k in keys if not generate.KEY.fullmatch(k)], [])
        self.assertEqual(sorted(keys), sorted(self.entries))

    def test_holds_every_shape_of_id_that_the_cards_use(self):
        for card, identifier in [("F", "F001"), ("F", "C0-05"), ("F", "B32"), ("TI", "TI-072a"),
                                 ("TI", "V-10b"), ("TI", "B.9"), ("TI", "E17"), ("S", "QP-21a"),
                                 ("S", "B15a"), ("FS", "FS-106i"), ("PL", "C-01"),
                                 ("PL", "DS-02"), ("AI", "V52"), ("AC", "AV-24")]:
            self.assertIn(f"{card}:{identifier}", self.entries)

    def test_names_are_short(self):
        self.assertEqual([e.key for e in self.entries.values() if len(e.name.split()) > 10], [])

    def test_a_repeated_key_is_refused_with_file_and_line(self):
        with self.assertRaisesRegex(ValueError, r"formulations\.csv:3: key F:F001 occurs twice"):
            self.load_with("F:F001,capability,core,g,n\nF:F001,capability,core,g,n\n")

    def test_a_key_of_another_card_is_refused(self):
        with self.assertRaisesRegex(ValueError, "'S:LCP-30' is not a key of card F"):
            self.load_with("S:LCP-30,capability,core,g,n\n")

    def test_a_case_with_a_priority_is_refused(self):
        with self.assertRaisesRegex(ValueError, "priority"):
            self.load_with("F:V01,case,core,g,n\n")

    def test_every_term_of_the_index_is_found_in_some_name(self):
        rows = generate.render_index(self.entries, generate.collect([]))
        self.assertEqual([row for row in rows if " of 0 " in row], [])

    def load_with(self, rows):
        header = ",".join(generate.COLUMNS) + "\n"
        files = {f"{stem}.csv": header for _, stem, _ in generate.CARDS.values()}
        files["formulations.csv"] += rows
        with Tree(files) as folder:
            generate.load_catalogue(folder)


class Recognition(unittest.TestCase):
    def test_a_list_of_ids_gives_each_of_them(self):
        wanted = ["S:FC-31", "S:FC-32", "TI:B.9", "F:C0-05"]
        self.assertEqual(keys_found(f"/// ({wanted[0]}, {wanted[1]}; {wanted[2]}. [{wanted[3]}]"),
                         wanted)

    def test_the_longest_card_name_wins(self):
        self.assertEqual(keys_found("// FS:B.1"), ["FS:B.1"])

    def test_text_that_only_resembles_an_id_is_left_alone(self):
        for text in ["std::S:", "AC:DC", "a::S:B1", "xS:B1", "case S: 1",
                     "https://example.org/S:B1", "S:12", "TI:V-10bis",
                     "flag ? F : B1"]:
            self.assertEqual(keys_found(text), [], text)

    def test_only_sources_of_the_project_are_read(self):
        text = "// S:LCP-30"
        with Tree({"saltus/a.hpp": text, "saltus/a.o": text, "other/a.hpp": text,
                   "saltus/build-x/a.hpp": text, "tests/coverage/a.py": text,
                   "python/saltus/a.py": text}) as root:
            paths = [citation.path for citation in generate.find_citations(root)]
        self.assertEqual(paths, ["python/saltus/a.py", "saltus/a.hpp"])

    def test_tests_prove_and_all_other_sources_implement(self):
        text = "// S:LCP-30"
        with Tree({"saltus/a.hpp": text, "tests/b.cpp": text, "python/tests/test_c.py": text,
                   "examples/d.py": text}) as root:
            files = generate.collect(generate.find_citations(root))["S:LCP-30"]
        self.assertEqual(files.implementation, {"saltus/a.hpp", "examples/d.py"})
        self.assertEqual(files.proof, {"tests/b.cpp", "python/tests/test_c.py"})


class Check(unittest.TestCase):
    def test_an_unknown_id_is_reported_with_file_line_and_closest_id(self):
        [message] = messages_on("// first line\n// solves S:LCP-300\n")
        self.assertIn("saltus/a.hpp:2: unknown id S:LCP-300", message)
        self.assertIn("closest known id is S:LCP-30 (", message)

    def test_a_missing_hyphen_or_zero_is_seen_through(self):
        [message] = messages_on("// TI:V1")
        self.assertIn("closest known id is TI:V-01 (", message)

    def test_a_missing_letter_is_seen_through(self):
        [message] = messages_on("// FS:FS-50")
        self.assertIn("closest known id is FS:FS-50a (", message)

    def test_a_known_id_passes(self):
        self.assertEqual(messages_on("// S:LCP-30, 4 pivots - 3 rows"), [])

    def test_a_range_is_reported_because_its_middle_would_be_lost(self):
        for tail in ["..FC-34", "/32", "-34", "–34", " ... FC-34"]:
            [message] = messages_on("// S:FC-31" + tail)
            self.assertIn("saltus/a.hpp:1: range after", message)

    def test_an_id_without_its_card_is_reported(self):
        [message] = messages_on("// S:FC-31, FC-32")
        self.assertIn("write S:FC-32", message)

    def test_the_command_fails_on_an_unknown_id_and_prints_it(self):
        errors = io.StringIO()
        with mock.patch.object(generate, "check", return_value=["a.hpp:1: unknown id"]):
            with contextlib.redirect_stderr(errors):
                self.assertEqual(generate.main(["--check"]), 1)
        self.assertIn("a.hpp:1: unknown id", errors.getvalue())


class ThePage(unittest.TestCase):
    def setUp(self):
        self.entries = generate.load_catalogue()

    def assert_lists_each_key_once(self, text):
        listed = Counter(re.findall(r"`([A-Z]+:[A-Z][^`]*)`", text))
        self.assertEqual(listed, Counter(list(self.entries)))

    def test_lists_each_key_once_for_the_present_tree(self):
        self.assert_lists_each_key_once(generate.page())

    def test_as_last_written_lists_each_key_once(self):
        self.assert_lists_each_key_once(generate.PAGE.read_text(encoding="utf-8"))

    def test_lists_each_key_once_whoever_names_it(self):
        every_key = "\n".join(self.entries)
        for path in ["saltus/a.hpp", "tests/a.cpp"]:
            with Tree({path: every_key}) as root:
                self.assert_lists_each_key_once(generate.page(root))

    def test_shows_implementation_and_proof_with_links_from_its_folder(self):
        text = "// S:LCP-30"
        with Tree({"saltus/lcp/lemke.hpp": text, "tests/lcp/lemke.cpp": text}) as root:
            page = generate.page(root)
        self.assertIn("| `S:LCP-30` | Lemke's complementary pivoting | core "
                      "| [lcp/lemke.hpp](../../saltus/lcp/lemke.hpp) "
                      "| [lcp/lemke.cpp](../../tests/lcp/lemke.cpp) |", page)

    def test_a_case_without_test_stays_open(self):
        with Tree({"saltus/a.hpp": "// TI:V-30"}) as root:
            page = generate.page(root)
        covered, waiting = page.split("## Not covered yet")
        self.assertNotIn("`TI:V-30`", covered)
        self.assertRegex(waiting, "`TI:V-30` [^;]*no test, named in")

    def test_an_implementation_without_test_says_so(self):
        with Tree({"saltus/a.hpp": "// S:LCP-30"}) as root:
            row = next(line for line in generate.page(root).split("\n")
                       if line.startswith("| `S:LCP-30`"))
        self.assertTrue(row.endswith("| **no test** |"))

    def test_counts_implemented_tested_and_open(self):
        text = "// PL:C-01"
        with Tree({"saltus/a.hpp": "// PL:DS-01", "tests/a.cpp": text}) as root:
            [row] = [line for line in generate.page(root).split("\n")
                     if line.startswith("| [Platform]")]
        rows = [e for e in self.entries.values() if e.card == "PL"]
        cases = [e for e in rows if e.kind == "case"]
        core = [e for e in rows if e.priority == "core"]
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        self.assertEqual(cells[1:3], [str(len(rows)), f"1 / 0 / {len(core) - 1}"])
        self.assertEqual(cells[-2:], [f"0 / 1 / {len(cases) - 1}", f"1 / 1 / {len(rows) - 2}"])

    def test_every_internal_link_has_its_anchor(self):
        page = generate.page()
        anchors = re.findall(r'<a id="([^"]+)">', page)
        self.assertEqual([a for a, count in Counter(anchors).items() if count > 1], [])
        self.assertEqual(set(re.findall(r"\(#([^)]+)\)", page)) - set(anchors), set())

    def test_every_linked_file_exists(self):
        paths = re.findall(r"\]\((\.\./\.\./[^)]+)\)", generate.page())
        missing = [p for p in paths if not (generate.HERE / p).exists()]
        self.assertEqual(missing, [])

    def test_is_the_same_in_every_process(self):
        script = "import generate, sys; sys.stdout.write(generate.page(sys.argv[1]))"
        every_key = "\n".join(reversed(list(self.entries)))
        pages = set()
        with Tree({"tests/b.cpp": every_key, "saltus/a.hpp": every_key,
                   "saltus/c.hpp": every_key}) as root:
            for seed in ("0", "1", "2"):  # of the hash that orders sets
                environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
                run = subprocess.run([sys.executable, "-B", "-c", script, str(root)], check=True,
                                     cwd=generate.HERE, env=environment, capture_output=True)
                pages.add(run.stdout)
        self.assertEqual(len(pages), 1)

    def test_a_stale_page_is_reported(self):
        with Tree({"README.md": "old"}) as folder, contextlib.redirect_stderr(io.StringIO()):
            with mock.patch.object(generate, "PAGE", folder / "README.md"):
                self.assertEqual(generate.main(["--check-page"]), 1)
                self.assertEqual(generate.main([]), 0)
                self.assertEqual(generate.main(["--check-page"]), 0)


if __name__ == "__main__":
    unittest.main()
