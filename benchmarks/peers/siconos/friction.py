"""Solves friction-contact problems with SICONOS 4.4, each solve in a process of its own.

The program `saltus` runs this file by itself for `saltus bench friction --against siconos`. It is
told what to do on the standard input, one request per line, and answers on the standard output:

    list DIMENSION ROLLING              name name ...    the solvers for such a problem
    read FILE                           ok, or: failed REASON
    solve NAME TOLERANCE SECONDS        ok SECONDS ITERATIONS INFO COUNT, then COUNT doubles: r
                                        or at the limit: late COUNT, then the r reached
                                        or: failed REASON

The first line, unasked, is the version. FILE holds 8-byte integers and doubles in the byte order of
the machine: dimension, contacts, blocks, rolling (0 or 1), the first block of each row and their
number, the column of each block; then the values of the blocks, each column by column, q, mu and,
with rolling, mu_r. The problem is u = W r + q, K* ∋ u + g(u) e_N ⟂ r ∈ K, normal component first,
which is SICONOS' own form.

Every solve starts from r = u = 0 on data and options made anew. Only the driver's call is timed, on
one thread; calls below 0.2 s are repeated twice and the fastest counts. Seconds are elapsed or
processor time, whichever is less, so that other users of the machine do not matter. The iterations
of methods that have one cheap kind of iteration are not limited: the seconds are.
"""

import ctypes
import mmap
import os
import select
import signal
import struct
import subprocess
import sys
import time

import numpy as np
import siconos
import siconos.numerics as sn

LIBRARY = ctypes.CDLL("libsiconos_numerics.so.7")
POINTER = ctypes.c_void_p
NEVER = 100_000_000  # iterations
SHORT, REPEATS = 0.2, 3
PREPARATION = 60  # seconds to build the data
DENSE_ROWS = 3000  # for solvers in the plane that take dense matrices only
ENUM_CONTACTS = 6


class Blocks(ctypes.Structure):
    _fields_ = [("count", ctypes.c_uint), ("block", POINTER), ("rows", ctypes.c_uint),
                ("columns", ctypes.c_uint), ("row_ends", POINTER), ("column_ends", POINTER),
                ("filled1", ctypes.c_size_t), ("filled2", ctypes.c_size_t), ("index1", POINTER),
                ("index2", POINTER), ("diagonal", POINTER), ("version", ctypes.c_size_t)]


class Contacts(ctypes.Structure):
    _fields_ = [("dimension", ctypes.c_int), ("contacts", ctypes.c_int), ("W", POINTER),
                ("q", POINTER), ("mu", POINTER), ("mu_r", POINTER)]


def variant(name, inner=None, iterations=None, **settings):
    """Number, inner solver, limit of iterations, and iparam entries by the names of their slots."""
    return getattr(sn, name), inner and getattr(sn, inner), iterations, settings


def space(name, **settings):
    return variant("SICONOS_FRICTION_3D_" + name, **settings)


ONE_CONTACT = "SICONOS_FRICTION_3D_ONECONTACT_"
SPACE = {
    "NSGS": space("NSGS", iterations=NEVER),
    "NSGS-quartic": space("NSGS", inner=ONE_CONTACT + "QUARTIC", iterations=NEVER),
    "NSGS-cone": space("NSGS", inner=ONE_CONTACT + "ProjectionOnConeWithLocalIteration",
                       iterations=NEVER),
    "NSGSV": space("NSGSV", inner=ONE_CONTACT + "ProjectionOnCone_velocity", iterations=NEVER),
    "EG": space("EG", iterations=NEVER),
    "FPP": space("FPP", iterations=NEVER),
    "VI_EG": space("VI_EG", iterations=NEVER),
    "VI_FPP": space("VI_FPP", iterations=NEVER),
    "DSFP": space("DSFP", iterations=NEVER),
    "HP": space("HP", iterations=NEVER),
    "NSN_AC": space("NSN_AC", iterations=1000),
    "NSN_AC-std": space("NSN_AC", iterations=1000, NSN_FORMULATION=0),
    "NSN_AC-hybrid": space("NSN_AC", iterations=1000, NSN_HYBRID_STRATEGY=3),
    "NSN_AC_TEST": space("NSN_AC_TEST", iterations=1000),
    "NSN_FB": space("NSN_FB", iterations=1000),
    "NSN_NM": space("NSN_NM", iterations=1000),
    "ADMM": space("ADMM", iterations=NEVER),
    "PROX": space("PROX"),
    "PROX-NSGS": space("PROX", inner="SICONOS_FRICTION_3D_NSGS"),
    "TFP": space("TFP"),
    "PFP": space("PFP"),
    "ACLMFP": space("ACLMFP"),
    "SOCLCP": space("SOCLCP"),
}
PLANE = {
    "NSGS": variant("SICONOS_FRICTION_2D_NSGS", iterations=NEVER),
    "CPG": variant("SICONOS_FRICTION_2D_CPG", iterations=NEVER),
    "LEMKE": variant("SICONOS_FRICTION_2D_LEMKE", iterations=NEVER),
    "ENUM": variant("SICONOS_FRICTION_2D_ENUM"),
}
ROLLING_SPACE = {
    "NSGS": variant("SICONOS_ROLLING_FRICTION_3D_NSGS", iterations=NEVER),
    "ADMM": variant("SICONOS_ROLLING_FRICTION_3D_ADMM", iterations=NEVER),
}
ROLLING_PLANE = {"NSGS": variant("SICONOS_ROLLING_FRICTION_2D_NSGS", iterations=NEVER)}
KINDS = {(3, False): (SPACE, "fc3d_driver"), (2, False): (PLANE, "fc2d_driver"),
         (5, True): (ROLLING_SPACE, "rolling_fc3d_driver"),
         (3, True): (ROLLING_PLANE, "rolling_fc2d_driver")}


def library(name, result, *arguments):
    function = getattr(LIBRARY, name)
    function.restype, function.argtypes = result, arguments
    return function


def version():
    """Of the Debian package; what the library says of itself if it is not one."""
    query = ["dpkg-query", "-W", "-f", "${Version}", "python3-siconos"]
    try:
        return subprocess.run(query, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return siconos.version


class Problem:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        self.dimension, self.contacts, blocks, rolling = struct.unpack_from("=4q", data)
        at = 32

        def take(kind, count):
            nonlocal at
            values = np.frombuffer(data, kind, count, at)
            at += 8 * count
            return values

        n, d = self.contacts, self.dimension
        self.rolling = bool(rolling)
        self.row_begin, self.column = take("=i8", n + 1), take("=i8", blocks)
        self.values, self.q, self.mu = take("=f8", blocks * d * d), take("=f8", n * d), take("=f8", n)
        self.mu_r = take("=f8", n if rolling else 0)
        self.solvers, self.driver = KINDS[d, self.rolling]

    def block_matrix(self):
        n, d = self.contacts, self.dimension
        values = self.values.copy()
        pointers = values.ctypes.data + 8 * d * d * np.arange(len(self.column), dtype=np.uintp)
        ends = (d * np.arange(1, n + 1)).astype(np.uintc)
        index1, index2 = self.row_begin.astype(np.uintp), self.column.astype(np.uintp)
        row = np.repeat(np.arange(n), np.diff(self.row_begin))
        diagonal = np.flatnonzero(row == self.column).astype(np.uintc)
        blocks = Blocks(len(self.column), pointers.ctypes.data, n, n, ends.ctypes.data,
                        ends.ctypes.data, n + 1, len(self.column), index1.ctypes.data,
                        index2.ctypes.data, diagonal.ctypes.data, 0)
        self.keep = (values, pointers, ends, index1, index2, diagonal, blocks)
        create = library("NM_new_SBM", POINTER, ctypes.c_int, ctypes.c_int, POINTER)
        return create(n * d, n * d, ctypes.addressof(blocks))

    def dense_matrix(self):
        n, d = self.contacts, self.dimension
        A = np.zeros((n * d, n * d), order="F")
        for i in range(n):
            for k in range(self.row_begin[i], self.row_begin[i + 1]):
                j = self.column[k]
                A[d * i:d * i + d, d * j:d * j + d] = (
                    self.values[d * d * k:d * d * (k + 1)].reshape(d, d).T)
        self.keep = A
        create = library("NM_create_from_data", POINTER, *[ctypes.c_int] * 3, POINTER)
        return create(0, n * d, n * d, A.ctypes.data)

    def sparse_matrix(self):
        rows = self.contacts * self.dimension
        sparse = library("NM_create", POINTER, *[ctypes.c_int] * 3)(2, rows, rows)
        library("NM_triplet_alloc", None, POINTER, ctypes.c_size_t)(sparse, len(self.values))
        copy = library("NM_copy_to_sparse", None, POINTER, POINTER, ctypes.c_double)
        copy(self.block_matrix(), sparse, 0.0)
        return sparse

    def matrix(self, name):
        """In the storage that the solver takes; blocks if it has the choice."""
        if name == "NSGSV" or self.dimension == 2 and name != "NSGS":
            return self.dense_matrix()
        sparse = self.rolling and name == "NSGS"
        return self.sparse_matrix() if sparse else self.block_matrix()

    def build(self, name):
        """Makes the C structure; or says why not."""
        if name == "ENUM" and self.contacts > ENUM_CONTACTS:
            return f"more than {ENUM_CONTACTS} contacts"
        if self.contacts * self.dimension > DENSE_ROWS and (name == "NSGSV" or self.dimension == 2):
            return f"more than {DENSE_ROWS} rows"
        matrix = self.matrix(name)
        self.vectors = [v.copy() for v in (self.q, self.mu, self.mu_r)]
        self.struct = Contacts(self.dimension, self.contacts, matrix,
                               *(v.ctypes.data for v in self.vectors))
        return None


def make_options(chosen, tolerance):
    number, inner, iterations, settings = chosen
    options = sn.SolverOptions(number)
    if inner:
        sn.solver_options_update_internal(options, 0, inner)
    options.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
    if iterations:
        options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = iterations
    for slot, value in settings.items():
        options.iparam[getattr(sn, "SICONOS_FRICTION_3D_" + slot)] = value
    return options


def call(problem, name, tolerance, r, started):
    """One solve: seconds, iterations, the driver's answer, r, which it works on."""
    refused = problem.build(name)
    if refused:
        raise ValueError(refused)
    options = make_options(problem.solvers[name], tolerance)
    driver = library(problem.driver, ctypes.c_int, *[POINTER] * 4)
    u = np.zeros(len(r))
    r[:] = 0
    arguments = (ctypes.addressof(problem.struct), r.ctypes.data, u.ctypes.data,
                 int(options.this))
    started()
    begin, processor = time.perf_counter(), time.process_time()
    info = driver(*arguments)
    seconds = min(time.perf_counter() - begin, time.process_time() - processor)
    return seconds, int(options.iparam[sn.SICONOS_IPARAM_ITER_DONE]), info, r.copy()


def best_call(problem, name, tolerance, r, started):
    best = call(problem, name, tolerance, r, started)
    for _ in range(REPEATS - 1):
        if best[0] >= SHORT:
            break
        best = min(best, call(problem, name, tolerance, r, lambda: None), key=lambda c: c[0])
    return best


def child(writing, problem, name, tolerance, shared):
    """In the process of one solve: a byte when the call begins, then the answer."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: ends with its parent
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    with os.fdopen(writing, "wb", buffering=0) as pipe:
        def send(data):
            view = memoryview(data)
            while len(view) > 0:
                view = view[pipe.write(view):]

        try:
            seconds, iterations, info, r = best_call(problem, name, tolerance, shared,
                                                     lambda: send(b"s"))
        except ValueError as refused:
            send(f"sfailed refused: {refused}\n".encode())
            return
        send(f"ok {seconds:.9e} {iterations} {info} {len(r)}\n".encode() + r.tobytes())


def processor_seconds(process):
    """That another process has used, by the clock that the system keeps of it."""
    return time.clock_gettime((~process << 3) | 2)


def read_until(reading, process, seconds, count=None):
    """What comes until the end of the stream, or `count` bytes; None if it takes too long."""
    data, begin, used = b"", time.monotonic(), processor_seconds(process)
    while count is None or len(data) < count:
        elapsed = time.monotonic() - begin
        left = seconds - min(elapsed, processor_seconds(process) - used)
        if left <= 0 or elapsed > 10 * seconds + 1:
            return None
        ready, _, _ = select.select([reading], [], [], min(left, 1) + 1e-3)
        if not ready:
            continue
        part = os.read(reading, count or 1 << 20)
        if not part:
            break
        data += part
    return data


def solve(problem, name, tolerance, limit):
    rows = problem.contacts * problem.dimension
    r = np.frombuffer(mmap.mmap(-1, max(8 * rows, 1)), count=rows)  # seen by both processes
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reading)
        try:
            child(writing, problem, name, tolerance, r)
        finally:
            os._exit(0)
    os.close(writing)
    answer = read_until(reading, process, PREPARATION, 1)
    if answer:
        answer = read_until(reading, process, limit + REPEATS * min(SHORT, limit))
    if answer is None:
        os.kill(process, signal.SIGKILL)
    os.close(reading)
    _, status = os.waitpid(process, 0)
    if answer:
        return answer
    if answer is None:
        return f"late {rows}\n".encode() + r.tobytes()
    if os.WIFSIGNALED(status):
        return f"failed crash: {signal.Signals(os.WTERMSIG(status)).name}\n".encode()
    return b"failed crash: ended by itself\n"


def main():
    out = sys.stdout.buffer

    def answer(data):
        out.write(data)
        out.flush()

    answer(f"{version()}\n".encode())
    problem = None
    for line in sys.stdin:
        word, *rest = line.rstrip("\n").split(" ", 1)
        rest = rest[0] if rest else ""
        if word == "list":
            dimension, rolling = rest.split()
            solvers, _ = KINDS.get((int(dimension), rolling == "1"), ({}, None))
            answer((" ".join(solvers) + "\n").encode())
        elif word == "read":
            try:
                problem = Problem(rest)
                answer(b"ok\n")
            except (OSError, ValueError, KeyError, struct.error) as mistake:
                answer(f"failed cannot read the problem: {mistake}\n".encode())
        elif word == "solve":
            name, tolerance, seconds = rest.split()
            answer(solve(problem, name, float(tolerance), float(seconds)))


if __name__ == "__main__":
    main()
