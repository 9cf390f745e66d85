#!/usr/bin/env python3
"""The map from the theory to the code.

The catalogue (catalogue/*.csv, one file per reference card) lists every capability,
algorithm, correction and validation case of the theory under a key such as `S:LCP-30`.
Code names the keys it covers in its comments; this script collects them.

    generate.py                write README.md, the page that shows what covers what
    generate.py --check        fail if the code names a key that the catalogue does not know
    generate.py --check-page   fail if README.md differs from what would be written now

A file below a folder `tests`, or named `test_*.py`, is a proof; every other source is an
implementation. Keys are written one by one, each with its card: `S:FC-31, S:FC-32`.
"""

import argparse
import csv
import difflib
import os
import re
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE = HERE / "README.md"

CARDS = {  # key -> (title, file of the catalogue, what the card is about)
    "F": ("Formulations", "formulations", "laws, formalisms, mechanics, well-posedness"),
    "TI": ("Time integration", "time-integration", "event-driven and time-stepping schemes"),
    "S": ("Solvers", "solvers", "QP, LCP, NCP, VI and contact solvers"),
    "FS": ("Friction solvers", "friction-solvers", "3D Coulomb friction and its benchmark"),
    "PL": ("Platform", "platform", "model, events, control, files, shipped examples"),
    "AI": ("Impacts and periodic motions", "advanced-impacts-periodic",
           "multiple impacts, vibro-impact, nonsmooth modes"),
    "AC": ("Integrators and control", "advanced-integrators-control",
           "bipotentials, energy sinks, drill strings, generalized-alpha"),
}
KINDS = ("capability", "algorithm", "correction", "case")
PRIORITIES = ("core", "full", "research")
COLUMNS = ("key", "kind", "priority", "group", "name")

SCANNED = ("saltus", "apps", "python", "examples", "benchmarks", "tests")
SOURCES = {".hpp", ".h", ".hxx", ".inl", ".ipp", ".cpp", ".cc", ".cxx", ".c", ".py", ".pyi",
           ".toml", ".yaml", ".yml", ".xml"}
SKIPPED = {"tests/coverage"}  # speaks of keys without covering any

_LOCAL_ID = r"[A-Z]{1,5}\d?[.-]?\d+[a-z]?"  # LCP-30, V-10b, QP-21a, F001, C0-05, B.9, B15a
_END = r"(?![A-Za-z0-9])"
_CARD = "|".join(CARDS)
KEY = re.compile(rf"(?<![\w:])({_CARD}):({_LOCAL_ID}){_END}")
RANGE = re.compile(rf"(?:[-/–—]|\s*(?:\.\.+|…)\s*)(?:(?:{_CARD}):)?(?:[A-Z]{{1,5}}\d?[.-]?)?\d")
BARE_ID = re.compile(rf"\s*(?:[,;+&]|and\b)\s*({_LOCAL_ID}){_END}")
URL = re.compile(r"\w+://\S+")


@dataclass(frozen=True)
class Entry:
    """One row of the catalogue."""

    key: str
    kind: str
    priority: str
    group: str
    name: str

    @property
    def card(self):
        return self.key.split(":", 1)[0]


@dataclass(frozen=True)
class Citation:
    """A key named in a file, with the text that follows it on the line."""

    path: str
    line: int
    key: str
    tail: str


@dataclass
class Coverage:
    """Files that name a key, as paths relative to the root."""

    implementation: set = field(default_factory=set)
    proof: set = field(default_factory=set)


# --- catalogue and citations ------------------------------------------------------------------


def load_catalogue(folder=HERE / "catalogue"):
    """Rows in the order of the cards; a broken row is an error that names file and line."""
    entries = {}
    for card, (_, stem, _) in CARDS.items():
        path = Path(folder) / f"{stem}.csv"
        with path.open(newline="", encoding="utf-8") as stream:
            reader = csv.DictReader(stream)
            if tuple(reader.fieldnames or ()) != COLUMNS:
                raise ValueError(f"{path}: columns must be {', '.join(COLUMNS)}")
            for row in reader:
                where = f"{path}:{reader.line_num}"
                if None in row or None in row.values():
                    raise ValueError(f"{where}: expected {len(COLUMNS)} cells")
                entry = Entry(**row)
                require_valid(entry, card, where)
                if entry.key in entries:
                    raise ValueError(f"{where}: key {entry.key} occurs twice")
                entries[entry.key] = entry
    return entries


def require_valid(entry, card, where):
    """A row must carry a key of its card, a known kind and priority, a group and a name."""
    match = KEY.fullmatch(entry.key)
    if not match or match[1] != card:
        raise ValueError(f"{where}: '{entry.key}' is not a key of card {card}")
    if entry.kind not in KINDS:
        raise ValueError(f"{where}: kind '{entry.kind}', expected one of {', '.join(KINDS)}")
    if (entry.priority in PRIORITIES) != (entry.kind == "capability"):
        raise ValueError(f"{where}: capabilities, and only they, have a priority "
                         f"({', '.join(PRIORITIES)}), given '{entry.priority}'")
    if not entry.group or not entry.name or "|" in entry.name + entry.group:
        raise ValueError(f"{where}: group and name must be filled and free of '|'")


def load_index(path=HERE / "catalogue" / "index.txt"):
    """Names of authors and methods that the page lists in alphabetical order, one per line."""
    terms = Path(path).read_text(encoding="utf-8").split("\n")
    return sorted((term for term in terms if term), key=str.casefold)


def source_files(root):
    """Sorted paths of all sources, relative to the root."""
    found = []
    for top in SCANNED:
        for folder, subfolders, names in os.walk(Path(root) / top):
            here = Path(folder).relative_to(root).as_posix()
            subfolders[:] = sorted(
                name for name in subfolders
                if not name.startswith((".", "__", "build")) and f"{here}/{name}" not in SKIPPED)
            found += [f"{here}/{name}" for name in names if Path(name).suffix in SOURCES]
    return sorted(found)


def find_citations(root):
    """Every key named by a source, in the order of files and lines."""
    citations = []
    for path in source_files(root):
        text = (Path(root) / path).read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate(text.split("\n"), start=1):
            line = URL.sub(" ", line)
            for match in KEY.finditer(line):
                citations.append(Citation(path, number, match[0], line[match.end():]))
    return citations


def is_proof(path):
    *folders, name = path.split("/")
    return "tests" in folders or (name.startswith("test_") and name.endswith(".py"))


def collect(citations):
    """Coverage per key."""
    coverage = defaultdict(Coverage)
    for citation in citations:
        files = coverage[citation.key]
        (files.proof if is_proof(citation.path) else files.implementation).add(citation.path)
    return coverage


# --- check ------------------------------------------------------------------------------------


def squeeze(key):
    """The key without hyphens, dots and leading zeros: `V-01`, `V.1` and `V1` become one."""
    return re.sub(r"(?<!\d)0+(?=\d)", "", re.sub(r"[-.]", "", key)).lower()


def closest(key, entries):
    """The known key most like this one, preferably of the same card."""
    known = sorted(entries)
    for candidate in known:
        if squeeze(candidate) == squeeze(key) or candidate[:-1] == key:  # or lacks its letter
            return candidate
    card = key.split(":", 1)[0]
    same_card = [candidate for candidate in known if entries[candidate].card == card]
    return difflib.get_close_matches(key, same_card or known, n=1, cutoff=0.0)[0]


def check(root=ROOT, entries=None):
    """Messages, each with file:line, on keys that are unknown or would be lost to the map."""
    entries = load_catalogue() if entries is None else entries
    messages = []
    for citation in find_citations(root):
        where = f"{citation.path}:{citation.line}"
        if citation.key not in entries:
            guess = closest(citation.key, entries)
            messages.append(f"{where}: unknown id {citation.key}; "
                            f"the closest known id is {guess} ({entries[guess].name})")
        bare = BARE_ID.match(citation.tail)
        lost = bare and f"{citation.key.split(':', 1)[0]}:{bare[1]}"
        if RANGE.match(citation.tail):
            messages.append(f"{where}: range after {citation.key}; "
                            "name the ids one by one, each with its card")
        elif lost in entries:
            messages.append(f"{where}: {bare[1]} after {citation.key} lacks its card; "
                            f"write {lost}")
    return messages


# --- page -------------------------------------------------------------------------------------


def is_open(entry, files):
    """A case waits for a test, a correction for any mention, the rest for an implementation."""
    if entry.kind == "case":
        return not files.proof
    if entry.kind == "correction":
        return not (files.proof or files.implementation)
    return not files.implementation


def links(paths):
    """Links relative to docs/coverage; the text drops the two commonest folders."""
    texts = []
    for path in sorted(paths):
        text = re.sub(r"^(saltus|tests)/", "", path)
        texts.append(f"[{text}](../../{path})")
    return ", ".join(texts)


def anchor(card, group):
    return f"{card.lower()}-" + re.sub(r"[^a-z0-9]+", "-", group.lower()).strip("-")


def groups_of(entries, card):
    """Entries of a card by group, in the order of the catalogue."""
    groups = defaultdict(list)
    for entry in entries.values():
        if entry.card == card:
            groups[entry.group].append(entry)
    return groups


def tally(selected, coverage):
    """`implemented / tested / open` of some entries, a dash if there are none."""
    if not selected:
        return "–"
    implemented = sum(bool(coverage[e.key].implementation) for e in selected)
    tested = sum(bool(coverage[e.key].proof) for e in selected)
    waiting = sum(is_open(e, coverage[e.key]) for e in selected)
    return f"{implemented} / {tested} / {waiting}"


def render_totals(entries, coverage):
    classes = [(p, lambda e, p=p: e.priority == p) for p in PRIORITIES]
    classes += [(k + "s", lambda e, k=k: e.kind == k) for k in KINDS[1:]]
    head = ["card", "ids"] + [name for name, _ in classes] + ["all"]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    rows = [("**all cards**", list(entries.values()))]
    for card, (title, _, _) in CARDS.items():
        rows.append((f"[{title}](#{card.lower()}) ({card})",
                     [e for e in entries.values() if e.card == card]))
    for label, selected in rows:
        cells = [label, str(len(selected))]
        cells += [tally([e for e in selected if wanted(e)], coverage) for _, wanted in classes]
        lines.append(f"| {' | '.join(cells + [tally(selected, coverage)])} |")
    return lines


def render_contents(entries, coverage):
    """One line per card that leads to each group: to its table, or to its open list."""
    lines = []
    for card, (title, _, subject) in CARDS.items():
        targets = []
        for group, members in groups_of(entries, card).items():
            some_done = any(not is_open(e, coverage[e.key]) for e in members)
            prefix = "" if some_done else "open-"
            targets.append(f"[{group}](#{prefix}{anchor(card, group)})")
        lines.append(f"- **{title}** ({card}), {subject}: {' · '.join(targets)}")
    return lines


def render_index(entries, coverage):
    """For each term of the index the files behind all entries whose name contains it."""
    lines = ["| name | covered | implemented in | proved by |", "|---|---|---|---|"]
    for term in load_index():
        pattern = rf"\b[{term[0].lower()}{term[0].upper()}]{re.escape(term[1:])}"
        found = [e for e in entries.values() if re.search(pattern, e.name)]
        done = [e for e in found if not is_open(e, coverage[e.key])]
        code = links({path for e in done for path in coverage[e.key].implementation})
        proof = links({path for e in done for path in coverage[e.key].proof})
        lines.append(f"| {term} | {len(done)} of {len(found)} | {code or '–'} | {proof or '–'} |")
    return lines


def render_card(card, entries, coverage):
    """Tables of the covered ids of one card, group by group."""
    lines = [f'<a id="{card.lower()}"></a>', "", f"## {CARDS[card][0]} ({card})", ""]
    any_done = False
    for group, members in groups_of(entries, card).items():
        done = [e for e in members if not is_open(e, coverage[e.key])]
        if not done:
            continue
        any_done = True
        name = anchor(card, group)
        rest = len(members) - len(done)
        lines += [f'<a id="{name}"></a>', "", f"### {group}", "",
                  f"{len(done)} of {len(members)} covered"
                  + (f", {rest} [open](#open-{name})." if rest else "."), "",
                  "| id | name | priority | implemented in | proved by |", "|---|---|---|---|---|"]
        for e in done:
            files = coverage[e.key]
            code = links(files.implementation) or "–"
            proof = links(files.proof) or "**no test**"
            lines.append(f"| `{e.key}` | {e.name} | {e.priority or e.kind} | {code} | {proof} |")
        lines.append("")
    return lines if any_done else lines + ["Nothing of this card is covered yet.", ""]


def render_open(entries, coverage):
    """What is not covered, by card, group and priority."""
    lines = ['<a id="open"></a>', "", "## Not covered yet", ""]
    for card, (title, _, _) in CARDS.items():
        items = []
        for group, members in groups_of(entries, card).items():
            items += open_group(anchor(card, group), group,
                                [e for e in members if is_open(e, coverage[e.key])], coverage)
        lines += [f"### {title} ({card}): open", ""] + (items or ["Nothing is open."]) + [""]
    return lines


def open_group(name, group, waiting, coverage):
    """One item, with one line per priority if the group has any."""
    texts = defaultdict(list)
    for entry in waiting:
        texts[entry.priority].append(open_item(entry, coverage[entry.key]))
    lines = [f'- <a id="open-{name}"></a>**{group}**'] if texts else []
    for priority in ("", *PRIORITIES):
        if texts[priority]:
            label = f"{priority}: " if priority else ""
            lines.append(f"  - {label}{'; '.join(texts[priority])}.")
    return lines


def open_item(entry, files):
    """Key and name; a mention that does not suffice is named."""
    text = f"`{entry.key}` {entry.name}"
    if files.implementation or files.proof:
        missing = "no test" if entry.kind == "case" else "no implementation"
        text += f" ({missing}, named in {links(files.implementation | files.proof)})"
    return text


def render(entries, coverage):
    """The whole page; depends on the catalogue and on the citations only."""
    coverage = defaultdict(Coverage, coverage)
    lines = [
        "# From the theory to the code",
        "",
        "Seven reference cards hold the theory that Saltus implements: formulations, schemes,",
        "solvers, and the cases with known answers that prove them. Each item has a key, a card",
        "and an id within it (`card:id`). Headers name the keys they implement and tests those",
        "they prove; this page is collected from them. To find a method, search the page for its",
        "name, or start from the [names](#names).",
        "",
        "`docs/coverage/generate.py` writes the page; do not edit it. The names of the keys stand",
        "in [catalogue](catalogue).",
        "",
        "## Totals",
        "",
        "Each cell counts *implemented / tested / open*. Implemented: a source outside the tests",
        "names the key. Tested: a test names it. Open: a capability or an algorithm without",
        "implementation, a case without test, a correction named nowhere. Priorities are those of",
        "the card: core (first release), full (complete product), research (specialised).",
        "",
        *render_totals(entries, coverage),
        "",
        "## Contents",
        "",
        *render_contents(entries, coverage),
        "- [Methods and authors by name](#names)",
        "- [Not covered yet](#open)",
        "",
    ]
    for card in CARDS:
        lines += render_card(card, entries, coverage)
    lines += ['<a id="names"></a>', "", "## Methods and authors by name", ""]
    lines += render_index(entries, coverage) + [""]
    lines += render_open(entries, coverage)
    return "\n".join(lines).rstrip("\n") + "\n"


def page(root=ROOT, entries=None):
    """The page as it should be now. Unknown keys do not appear in it; check() reports them."""
    entries = load_catalogue() if entries is None else entries
    return render(entries, collect(find_citations(root)))


# --- command line -----------------------------------------------------------------------------


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="check the keys named by the code")
    mode.add_argument("--check-page", action="store_true", help="check that the page is current")
    options = parser.parse_args(arguments)
    if options.check:
        messages = check()
        for message in messages:
            print(message, file=sys.stderr)
        return 1 if messages else 0
    if options.check_page:
        current = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
        if current != page():
            print("docs/coverage/README.md is stale: run docs/coverage/generate.py",
                  file=sys.stderr)
            return 1
        return 0
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
