#!/usr/bin/python3
"""Generates the collection of friction problems of this folder from our own scenes.

    python3 benchmarks/friction/generate.py                    the collection itself
    python3 benchmarks/friction/generate.py --largest 20000 --output DIR
                                                               and larger piles, up to 20 000 contacts

Each scene runs with `saltus run MODEL --dump-problems`; of its one-step problems a few are kept,
spread evenly over the run. A file holds the global problem M v = H r + f, u = H'v + w with one
friction coefficient per contact, the guess that the solver started from (the reactions of the step
before) and its solution: FCLib, compressed HDF5.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

# family -> runs: model, parameters, options of `saltus run`, files to keep
COLLECTION = {
    "spheres": [
        ("pile_of_spheres", {"count": 20, "mu": 0.3}, {"--time": 0.8}, 5),
        ("pile_of_spheres", {"count": 60, "mu": 0.5, "seed": 2}, {"--time": 0.8}, 6),
        ("pile_of_spheres", {"count": 110, "mu": 0.9, "seed": 3, "spread": 0.5}, {"--time": 0.8}, 4),
    ],
    "spheres_open": [
        ("pile_of_spheres", {"count": 80, "mu": 0.6, "walls": 0, "seed": 4}, {"--time": 0.6}, 6),
    ],
    "boxes": [
        ("pile_of_boxes", {"count": 12, "mu": 0.4}, {"--time": 0.8}, 5),
        ("pile_of_boxes", {"count": 40, "mu": 0.7, "seed": 2}, {"--time": 0.8}, 6),
        ("pile_of_boxes", {"count": 64, "mu": 0.2, "seed": 3, "spread": 0}, {"--time": 0.8}, 4),
    ],
    "capsules": [
        ("pile_of_capsules", {"count": 30, "mu": 0.5}, {"--time": 0.8}, 5),
        ("pile_of_capsules", {"count": 80, "mu": 0.8, "seed": 2}, {"--time": 0.8}, 5),
    ],
    "stack": [
        ("box_stack", {"count": 3, "mu": 0.5}, {"--time": 0.1}, 1),
        ("box_stack", {"count": 20, "mu": 0.5}, {"--time": 0.1}, 2),
        ("box_stack", {"count": 10, "mu": 0.3, "tilt": 0.25}, {"--time": 0.3}, 4),
        ("box_stack", {"count": 10, "mu": 0.1, "tilt": 0.25}, {"--time": 0.3}, 4),
        ("box_stack", {"count": 10, "mu": 0.8, "tilt": 0.25}, {"--time": 0.3}, 4),
    ],
    "wall": [
        ("wall", {"columns": 4, "rows": 4, "mu": 0.6}, {"--time": 0.1}, 1),
        ("wall", {"columns": 6, "rows": 6, "mu": 0.6}, {"--time": 0.1}, 2),
        ("wall", {"columns": 5, "rows": 5, "speed": 5, "mu": 0.6}, {"--time": 0.5, "--step": 2e-3}, 8),
    ],
    "arch": [
        ("arch", {"count": 25, "mu": 0.7}, {"--time": 0.1}, 2),
        ("arch", {"count": 25, "mu": 0.3}, {"--time": 0.3}, 5),
        ("arch", {"count": 15, "mu": 0.7, "thickness": 0.09}, {"--time": 0.6}, 5),
        ("arch", {"count": 60, "mu": 0.7}, {"--time": 0.1}, 2),
    ],
}


def larger(contacts):
    """Piles with about that many contacts at the end."""
    return {
        f"spheres_{contacts}": [("pile_of_spheres", {"count": round(contacts / 2.2)},
                                 {"--time": 1.0, "--tolerance": 1e-4}, 3)],
        f"boxes_{contacts}": [("pile_of_boxes", {"count": round(contacts / 3.4)},
                               {"--time": 1.0, "--tolerance": 1e-4}, 3)],
    }


def contacts_of(path):
    return int(re.search(r"-nc-(\d+)-", path.name).group(1))


def step_of(path):
    return int(re.search(r"-(\d+)\.hdf5$", path.name).group(1))


def run_scene(program, model, parameters, options, folder):
    command = [program, "run", model, "--dump-problems", folder, "--output", folder / "run",
               "--no-plot", "--no-progress", "--quiet", "--every", "1000000"]
    for name, value in parameters.items():
        command += ["--set", f"{name}={value}"]
    for name, value in options.items():
        command += [name, str(value)]
    done = subprocess.run([str(word) for word in command])
    if done.returncode == 2:
        sys.exit(f"{model} {parameters}: wrong input")
    return sorted(Path(folder).glob("*.hdf5"), key=step_of)


def spread(files, count):
    """`count` of the files, evenly spaced, the last among them."""
    if len(files) <= count:
        return files
    return [files[round((k + 1) * len(files) / count) - 1] for k in range(count)]


def generate(family, runs, arguments):
    target = arguments.output / family
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for number, (model, parameters, options, keep) in enumerate(runs, 1):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            files = [f for f in run_scene(arguments.saltus, model, parameters, options, folder)
                     if contacts_of(f) >= arguments.smallest]
            for file in spread(files, keep):
                kept = f"{family}{number}-nc-{contacts_of(file)}-{step_of(file)}.hdf5"
                shutil.copyfile(file, target / kept)
    files = list(target.glob("*.hdf5"))
    counts = [contacts_of(f) for f in files]
    size = sum(f.stat().st_size for f in files) / 1e3
    print(f"{family:16} {len(files):3} files, {min(counts, default=0)} to {max(counts, default=0)} "
          f"contacts, {size:.0f} kB", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--saltus", default=ROOT / "build" / "bin" / "saltus", help="the program")
    parser.add_argument("--output", type=Path, default=HERE, help="folder for the families")
    parser.add_argument("--family", action="append", help="only this family (may be repeated)")
    parser.add_argument("--smallest", type=int, default=5, help="contacts of the smallest problem")
    parser.add_argument("--largest", type=int, default=0,
                        help="add piles with 1000, 2000, 5000, ... contacts up to this number")
    arguments = parser.parse_args()
    families = dict(COLLECTION)
    for contacts in (1000, 2000, 5000, 10000, 20000, 50000):
        if contacts <= arguments.largest:
            families.update(larger(contacts))
    for family, runs in families.items():
        if not arguments.family or family in arguments.family:
            generate(family, runs, arguments)


if __name__ == "__main__":
    main()
