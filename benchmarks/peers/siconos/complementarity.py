#!/usr/bin/env python3
"""Races every solver of SICONOS 4.4 on one complementarity problem.

    /usr/bin/python3 complementarity.py FILE.arrays [--tolerance 1e-8] [--limit 10] [--cut 2]

The file holds n, lower, upper, q, M by columns as doubles; the problem is w = M z + q,
-w_i in N_[lower_i, upper_i](z_i). Prints one JSON line per solver:

    {"solver": ..., "seconds": ..., "residual": ..., "info": ..., "note": ...}

`seconds` is null unless the residual, computed here from (M, q, z), is below tolerance * max(1, |q|).
The C function of the driver is called through ctypes on ready data from z = w = 0, and the cost of
an empty call is subtracted; elapsed or processor time, whichever is less, best repeat. Each solver
runs in a process of its own, ended after `limit` seconds of processor time, or (field `note`) when
it takes `cut` times as long as the fastest so far. Solvers that stop on their own error are given the
tolerance, a hundredth and a ten-thousandth of it; the fastest accepted answer counts.
"""
import argparse
import ctypes
import json
import os
import select
import signal
import time

import numpy as np
import siconos.numerics as sn

LIBRARY = ctypes.CDLL("libsiconos_numerics.so.7")
NO_CALL = ctypes.CDLL(None).labs
POINTER = ctypes.c_void_p
DENSE, BLOCKS, TRIPLETS = 0, 1, 2  # storage
REPEATS, BUDGET = 10000, 0.2  # of a solve, seconds for all

# Name and number; those that iterate until their own error is small come with the factors of the
# tolerance to try.
EXACT, LOOSE = (1,), (1, 1e-2, 1e-4)
LCP = [
    ("newton_min_fb", sn.SICONOS_LCP_NEWTON_MIN_FBLSA, LOOSE),
    ("newton_fb", sn.SICONOS_LCP_NEWTON_FB_FBLSA, LOOSE),
    ("cpg", sn.SICONOS_LCP_CPG, LOOSE),
    ("psor", sn.SICONOS_LCP_PSOR, LOOSE),
    ("pgs", sn.SICONOS_LCP_PGS, LOOSE),
    ("lemke", sn.SICONOS_LCP_LEMKE, EXACT),
    ("pivot_lumod", sn.SICONOS_LCP_PIVOT_LUMOD, EXACT),
    ("avi", sn.SICONOS_LCP_AVI_CAOFERRIS, EXACT),
    ("latin", sn.SICONOS_LCP_LATIN, LOOSE),
    ("latin_w", sn.SICONOS_LCP_LATIN_W, LOOSE),
    ("rpgs", sn.SICONOS_LCP_RPGS, LOOSE),
    ("projected_gradient", sn.SICONOS_LCP_CONVEXQP_PG, LOOSE),
    ("nsgs_sbm", sn.SICONOS_LCP_NSGS_SBM, LOOSE),
    ("newton_min", sn.SICONOS_LCP_NEWTONMIN, LOOSE),
    ("murty", sn.SICONOS_LCP_MURTY, EXACT),
    ("pivot", sn.SICONOS_LCP_PIVOT, EXACT),
    ("bard", sn.SICONOS_LCP_BARD, EXACT),
    ("pathsearch", sn.SICONOS_LCP_PATHSEARCH, LOOSE),
    ("qp", sn.SICONOS_LCP_QP, LOOSE),
    ("nsqp", sn.SICONOS_LCP_NSQP, LOOSE),
    ("path", sn.SICONOS_LCP_PATH, LOOSE),
    ("enum", sn.SICONOS_LCP_ENUM, EXACT),
]
MLCP = [
    ("fb", sn.SICONOS_MLCP_FB, LOOSE),
    ("lemke", sn.SICONOS_MLCP_LCP_LEMKE, EXACT),
    ("pgs", sn.SICONOS_MLCP_PGS, LOOSE),
    ("psor", sn.SICONOS_MLCP_PSOR, LOOSE),
    ("rpgs", sn.SICONOS_MLCP_RPGS, LOOSE),
    ("rpsor", sn.SICONOS_MLCP_RPSOR, LOOSE),
    ("direct_fb", sn.SICONOS_MLCP_DIRECT_FB, LOOSE),
    ("simplex", sn.SICONOS_MLCP_SIMPLEX, EXACT),
    ("path", sn.SICONOS_MLCP_PATH, LOOSE),
    ("enum", sn.SICONOS_MLCP_ENUM, EXACT),
]
RELAY = [
    ("lemke", sn.SICONOS_RELAY_LEMKE, EXACT),
    ("avi", sn.SICONOS_RELAY_AVI_CAOFERRIS, EXACT),
    ("pgs", sn.SICONOS_RELAY_PGS, LOOSE),
    ("path", sn.SICONOS_RELAY_PATH, LOOSE),
    ("enum", sn.SICONOS_RELAY_ENUM, EXACT),
]
ENUM_LIMIT = 12  # unknowns, 4096 bases
SPARSE = 0.1  # share of stored entries up to which block storage is tried


class LcpStruct(ctypes.Structure):
    _fields_ = [("size", ctypes.c_int), ("M", POINTER), ("q", POINTER)]


class MlcpStruct(ctypes.Structure):
    _fields_ = [("of_matrix", ctypes.c_int), ("of_parts", ctypes.c_int), ("n", ctypes.c_int),
                ("m", ctypes.c_int), ("begins", POINTER), ("complementary", POINTER),
                ("M", POINTER), ("q", POINTER), *((part, POINTER) for part in "ABCDab")]


class RelayStruct(ctypes.Structure):
    _fields_ = [("size", ctypes.c_int), ("M", POINTER), ("q", POINTER), ("lower", POINTER),
                ("upper", POINTER)]


def library(name, result, *arguments):
    function = getattr(LIBRARY, name)
    function.restype, function.argtypes = result, arguments
    return function


def read(path):
    data = np.fromfile(path)
    n = int(data[0])
    lower, upper, q = data[1:1 + 3 * n].reshape(3, n)
    return data[1 + 3 * n:].reshape(n, n).T, q, lower, upper


def residual(M, q, lower, upper, z):
    """|z - P(z - (M z + q))|, infinite if anything is NaN."""
    with np.errstate(all="ignore"):
        error = np.abs(z - np.clip(z - (M @ z + q), lower, upper)).max()
    return float(error) if np.isfinite(error) else float("inf")


def dense_matrix(M):
    create = library("NM_create_from_data", POINTER, *[ctypes.c_int] * 3, POINTER)
    values = np.asfortranarray(M).copy(order="F")
    return create(DENSE, *M.shape, values.ctypes.data), values


def block_matrix(M):
    """The same matrix in blocks of size 1."""
    n = M.shape[0]
    triplets = library("NM_create", POINTER, *[ctypes.c_int] * 3)(TRIPLETS, n, n)
    rows, columns = np.nonzero(M)
    library("NM_triplet_alloc", None, POINTER, ctypes.c_int)(triplets, len(rows))
    entry = library("NM_entry", None, POINTER, ctypes.c_int, ctypes.c_int, ctypes.c_double)
    for i, j in zip(rows, columns):
        entry(triplets, int(i), int(j), float(M[i, j]))
    blocks = library("SBM_new", POINTER)()
    columns = library("NM_csc", POINTER, POINTER)(triplets)
    library("SBM_from_csparse", ctypes.c_int, ctypes.c_int, POINTER, POINTER)(1, columns, blocks)
    return library("NM_new_SBM", POINTER, ctypes.c_int, ctypes.c_int, POINTER)(n, n, blocks)


class Problem:
    """Ready data for one kind of problem: the C function and its first argument."""

    def __init__(self, M, q, lower, upper):
        self.data = (M, q, lower, upper)
        self.free = np.isinf(lower) & np.isinf(upper)
        self.order = np.arange(len(q))  # row of the user at each row of the problem
        bounded = np.all((lower == 0) & np.isinf(upper) | self.free)
        if not bounded:
            self.kind, self.solvers, self.function = "relay", RELAY, "relay_driver"
        elif self.free.any():
            self.kind, self.solvers, self.function = "mlcp", MLCP, "mlcp_driver"
            self.order = np.argsort(~self.free, kind="stable")
        else:
            self.kind, self.solvers, self.function = "lcp", LCP, "linearComplementarity_driver"

    def build(self, blocks):
        M, q, lower, upper = self.data
        n = len(q)
        if self.kind == "mlcp":
            self.build_mlcp(M[np.ix_(self.order, self.order)], q[self.order])
            return
        matrix, values = (block_matrix(M), None) if blocks else dense_matrix(M)
        vectors = [np.ascontiguousarray(v).copy() for v in (q, lower, upper)]
        pointers = [v.ctypes.data for v in vectors]
        struct = (LcpStruct(n, matrix, pointers[0]) if self.kind == "lcp"
                  else RelayStruct(n, matrix, *pointers))
        self.keep = (values, vectors, struct)
        self.pointer = ctypes.addressof(struct)


    def build_mlcp(self, M, q):
        """Equalities first; both the whole matrix and its four parts, as each solver likes it."""
        n, m = int(self.free.sum()), int((~self.free).sum())
        begins, complementary = (np.array(v, dtype=np.intc) for v in ((0, n, n + m), (0, 1)))
        matrix, values = dense_matrix(M)
        parts = [np.asfortranarray(part).copy(order="F")
                 for part in (M[:n, :n], M[n:, n:], M[:n, n:], M[n:, :n], q[:n], q[n:])]
        vector = q.copy()
        struct = MlcpStruct(1, 1, n, m, begins.ctypes.data, complementary.ctypes.data, matrix,
                            vector.ctypes.data, *(part.ctypes.data for part in parts))
        self.keep = (begins, complementary, values, parts, vector, struct)
        self.pointer = ctypes.addressof(struct)


def timed(call, arguments):
    """Seconds of a call, and its result. Processor time, which leaves out the other work of the
    machine, is too coarse for calls below a millisecond; there the best of many is undisturbed."""
    processor = time.thread_time_ns()
    elapsed = time.perf_counter_ns()
    result = call(*arguments)
    elapsed = time.perf_counter_ns() - elapsed
    processor = time.thread_time_ns() - processor
    return 1e-9 * (elapsed if elapsed < 1e6 else min(elapsed, processor)), result


def solve(problem, name, number, tolerance):
    """What a solver does: seconds, residual, and its own answer."""
    problem.build(blocks=name == "nsgs_sbm")
    options = sn.SolverOptions(number)
    driver = library(problem.function, ctypes.c_int, *[POINTER] * 4)
    NO_CALL.argtypes = [POINTER] * 4
    n = len(problem.order)
    z, w = np.zeros(n), np.zeros(n)
    arguments = (problem.pointer, z.ctypes.data, w.ctypes.data, int(options.this))
    options.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = max(10000, 10 * n)
    if problem.kind == "mlcp":
        library("mlcp_driver_init", None, POINTER, POINTER)(problem.pointer, int(options.this))
    begin, best, overhead, info = time.perf_counter(), float("inf"), float("inf"), None
    for k in range(1 if name.startswith("direct") else REPEATS):  # these remember the solution
        if k > 0 and time.perf_counter() - begin > BUDGET:
            break
        z[:] = w[:] = 0
        seconds, info = timed(driver, arguments)
        best = min(best, seconds)
        overhead = min(overhead, timed(NO_CALL, arguments)[0])
    point = np.empty(n)
    point[problem.order] = z
    return {"seconds": max(best - overhead, 1e-9), "info": info,
            "residual": residual(*problem.data, point)}


def isolated(action, limit):
    """The result of action() in a process of its own, or a note why there is none."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, 1)
            os.dup2(nothing, 2)
            signal.setitimer(signal.ITIMER_PROF, limit)
            os.write(writing, json.dumps(action()).encode())
        finally:
            os._exit(0)
    os.close(writing)
    ready, _, _ = select.select([reading], [], [], 10 * limit + 10)
    if not ready:  # waits for something, or was stopped
        os.kill(child, signal.SIGKILL)
    with os.fdopen(reading, "rb") as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    if text:
        return json.loads(text)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGKILL):
        return {"note": f"ended after {limit:.3g} s"}
    return {"note": "crashed or refused"}


def race(problem, tolerance, limit, cut):
    M, q = problem.data[:2]
    target = tolerance * max(1.0, np.abs(q).max())
    best = float("inf")
    for name, number, factors in problem.solvers:
        if name == "enum" and len(q) > ENUM_LIMIT:
            continue
        if name == "nsgs_sbm" and np.count_nonzero(M) > SPARSE * M.size:
            continue
        row = {"solver": name, "seconds": None, "residual": None, "info": None, "note": ""}
        for factor in factors:
            allowed = min(limit, max(0.5, cut * best + BUDGET))
            answer = isolated(lambda: solve(problem, name, number, factor * tolerance), allowed)
            if "note" in answer:
                row["note"] = row["note"] or answer["note"]
                break
            if row["residual"] is None or answer["residual"] < row["residual"]:
                row.update(residual=answer["residual"], info=answer["info"])
            if answer["residual"] <= target:
                row.update(seconds=answer["seconds"], residual=answer["residual"], note="")
                break
        if row["seconds"] is not None:
            best = min(best, row["seconds"])
        print(json.dumps(row), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("arrays")
    parser.add_argument("--tolerance", type=float, default=1e-8)
    parser.add_argument("--limit", type=float, default=10)
    parser.add_argument("--cut", type=float, default=2)
    chosen = parser.parse_args()
    race(Problem(*read(chosen.arrays)), chosen.tolerance, chosen.limit, chosen.cut)


if __name__ == "__main__":
    main()
