#!/usr/bin/python3
"""Times one benchmark case in SICONOS 4.4 and prints one JSON line.

    /usr/bin/python3 run.py CASE [--key value ...]

    {"case": ..., "steps": ..., "seconds": ..., "cpu_seconds": ..., "final": {...}, "ok": ...,
     "note": ...}

`seconds` is the time of the time loop over `steps` steps: building the model and the first
`warmup` steps of the run (which allocate and assemble) are not counted. `cpu_seconds` is the
processor time of the same loop, which suffers less from other work on the machine. With
`repeat` > 1 the whole run is repeated with a fresh model and the shortest times count. `ok` says
whether the final state is the one the case's reference demands; `note` says which and how close.

When the model is built it prints {"steps": ..., "cpu": ...} on standard error, the steps to be done
and the processor time so far: compare.py takes the time from then on, if they are not done in time.

Keys common to all cases (each case adds its own, listed in its PARAMETERS):
    T        final time                         h        time step
    theta    parameter of the theta-scheme      warmup   steps before the clock starts, nominal 1
    repeat   runs, best one counts              threads  BLAS threads, nominal 1
    drive    run: TimeStepping.run(), the loop inside the C++ library (nominal, the faster one)
             python: computeOneStep() and nextStep() called from a Python loop
"""
import importlib
import json
import os
import sys
import time

CASES = ("bouncing_ball", "diode_bridge", "bead_column", "relay", "chain")
COMMON = {"warmup": 1, "repeat": 1, "threads": 1, "drive": "run"}


def parse(arguments):
    """Splits `CASE --key value ...` into the case name and a dictionary of texts."""
    if not arguments or arguments[0] not in CASES:
        sys.exit(f"run.py: expected a case, one of {', '.join(CASES)}; given {arguments[:1]}")
    keys, values = arguments[1::2], arguments[2::2]
    if len(keys) != len(values) or not all(key.startswith("--") for key in keys):
        sys.exit(f"run.py: expected pairs --key value after the case; given {arguments[1:]}")
    return arguments[0], {key[2:]: value for key, value in zip(keys, values)}


def parameters(case, given, defaults):
    """Defaults overwritten by the given texts, each converted to the type of its default."""
    unknown = set(given) - set(defaults)
    if unknown:
        sys.exit(f"run.py: {case} has no key {sorted(unknown)}; it has {sorted(defaults)}")
    return {key: type(value)(given.get(key, value)) for key, value in defaults.items()}


def advance(simulation, drive):
    """Runs the simulation to its final time; returns the seconds and processor seconds."""
    start, cpu_start = time.perf_counter(), time.process_time()
    if drive == "run":
        simulation.run()
    else:
        while simulation.hasNextEvent():
            simulation.computeOneStep()
            simulation.nextStep()
    return time.perf_counter() - start, time.process_time() - cpu_start


def measure(module, p):
    """Best times over p['repeat'] fresh models, and the last model in its final state."""
    times = []
    for _ in range(p["repeat"]):
        model = module.build(p)
        print(json.dumps({"steps": round(p["T"] / p["h"]), "cpu": time.process_time()}),
              file=sys.stderr, flush=True)
        for _ in range(p["warmup"]):
            model.simulation.computeOneStep()
            model.simulation.nextStep()
        times.append(advance(model.simulation, p["drive"]))
    return [min(column) for column in zip(*times)], model


def main():
    case, given = parse(sys.argv[1:])
    # BLAS reads its thread count when it is loaded, hence before the case imports SICONOS.
    os.environ["OPENBLAS_NUM_THREADS"] = given.get("threads", str(COMMON["threads"]))
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    module = importlib.import_module(case)
    p = parameters(case, given, {**COMMON, **module.PARAMETERS})
    if p["drive"] not in ("run", "python"):
        sys.exit(f"run.py: drive is 'run' or 'python'; given '{p['drive']}'")
    total = round(p["T"] / p["h"])
    if total <= max(p["warmup"], 1) or p["repeat"] < 1:
        sys.exit(f"run.py: expected T/h > max(warmup, 1) and repeat >= 1; given T/h = {total}, "
                 f"warmup = {p['warmup']}, repeat = {p['repeat']}")

    # The library reports on standard output from C++; only the JSON line belongs there.
    line = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    (seconds, cpu_seconds), model = measure(module, p)
    final = module.final(model)
    ok, note = module.check(p, model, final)
    if abs(final["t"] - total * p["h"]) > 0.1 * p["h"]:
        ok, note = False, f"stopped at t={final['t']}, expected {total * p['h']}; " + note
    result = {"case": case, "steps": total - p["warmup"], "seconds": seconds,
              "cpu_seconds": cpu_seconds, "final": final, "ok": bool(ok),
              "note": f"drive={p['drive']}; {note}"}
    line.write(json.dumps(result) + "\n")
    line.flush()


if __name__ == "__main__":
    main()
