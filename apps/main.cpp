/// The program `saltus`: simulates the built-in models, solves problem files. Exit codes: 0 done, 1
/// the simulation failed or a problem is not solved, 2 a mistake of the caller (one line on the
/// standard error stream says which).
#include "apps/bench_friction.hpp"
#include "apps/circuit_command.hpp"
#include "apps/examples_command.hpp"
#include "apps/run_command.hpp"
#include "apps/solve_command.hpp"
#include "apps/solvers_command.hpp"
#include "apps/suggest.hpp"
#include "saltus/base/error.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <new>

namespace {

constexpr const char* overview =
    "Saltus simulates nonsmooth dynamical systems: mechanics with impacts and friction, circuits\n"
    "with ideal diodes and switches, whose motion obeys complementarity laws 0 <= y _|_ r >= 0.\n"
    "It also solves complementarity and friction problems from files.";

constexpr const char* examples =
    "Examples:\n"
    "  saltus run diode_bridge                        simulate a rectifier; files go to out/\n"
    "  saltus run bouncing_ball --set e=0.5 --time 4  another restitution, a shorter run\n"
    "  saltus examples bead_column                    the parameters of a model\n"
    "  saltus plot out/diode_bridge.h5                draw the picture of a trajectory again\n"
    "  saltus circuit buck.cir --plot                 simulate a netlist, print its measurements\n"
    "  saltus solve problem.dat --json                solve a complementarity problem of a file\n"
    "  saltus solvers lcp                             the algorithms for a kind of problem\n"
    "  saltus bench friction contacts                 measure friction solvers on a folder\n"
    "\n"
    "`saltus COMMAND --help` explains a command. Exit codes: 0 done, 1 the simulation failed or\n"
    "a problem is not solved, 2 wrong input. Pictures need Python with matplotlib; SALTUS_PYTHON "
    "names another interpreter.";

void add_run(CLI::App& app, saltus::RunRequest& request) {
  CLI::App* run = app.add_subcommand("run", "Simulate a built-in model, write its files");
  run->add_option("MODEL", request.model, "name of the model, see `saltus examples`")->required();
  run->add_option("--set", request.settings, "change a parameter: name=value (may be repeated)")
      ->allow_extra_args(false);
  run->add_option("--step", request.step, "time step h [s]");
  run->add_option("--time", request.time, "end time [s]");
  run->add_option("--scheme", request.scheme, "time-stepping scheme (default MoreauJean)");
  run->add_option("--adaptive", request.adaptive,
                  "tolerance of adaptive steps, of which --step is the longest (default: none)");
  run->add_option("--theta", request.theta, "implicitness of the scheme, 0.5 to 1 (default 0.5)");
  run->add_option("--gamma", request.gamma, "forecast of the gap, in steps (default 0.5)");
  run->add_option("--solver", request.solver,
                  "Automatic, Lemke, Murty, BlockPivoting, Psor or Nsgs");
  run->add_option("--tolerance", request.tolerance, "of the solver (default 1e-8)");
  run->add_option("--every", request.every, "record each N-th step");
  run->add_option("--output,-o", request.output, "folder for the files (default out)");
  run->add_option("--dump-problems", request.dump,
                  "folder: write the one-step problems with friction as FCLib files");
  run->add_option("--dump-every", request.dump_every, "write the problems of each N-th step only");
  run->add_flag_callback(
      "--no-plot", [&] { request.plot = false; }, "write no picture");
  run->add_flag_callback(
      "--progress", [&] { request.progress = true; },
      "show the progress bar even if this is not a terminal");
  run->add_flag_callback(
      "--no-progress", [&] { request.progress = false; }, "do not show the progress bar");
  run->add_flag("--quiet,-q", request.quiet, "print errors only");
  run->footer(
      "Writes MODEL.h5 (trajectory and report), MODEL.csv and MODEL.png into the folder.\n"
      "Step, time, recording and solver default to what suits the model.\n"
      "Example:\n  saltus run bouncing_ball --set height=2 --set e=0.8 --step 1e-3 --output "
      "out/ball");
}

void add_solve(CLI::App& app, saltus::SolveRequest& request) {
  CLI::App* solve =
      app.add_subcommand("solve", "Solve complementarity and contact problems from files");
  solve->add_option("FILE", request.files, "problem files")->required();
  solve->add_option("--solver", request.solver, "see `saltus solvers` (default Automatic)");
  solve->add_option(
      "--tolerance", request.tolerance,
      "residual <= T max(1, largest |q_i|); contact: max(e1, e2) <= T (default 1e-8)");
  solve->add_option("--problem", request.problem,
                    "lcp, mlcp or relay: what a text file holds if it does not tell");
  solve->add_option("--q", request.q, "vector of a Matrix Market file (default NAME_q.mtx)");
  solve
      ->add_option("--threads", request.threads,
                   "of the default solver on large contact problems (default: all; the result is "
                   "the same)")
      ->check(CLI::NonNegativeNumber);
  solve->add_flag("--json", request.json, "print one JSON object per file");
  solve->add_flag_callback(
      "--no-progress", [&] { request.progress = false; },
      "do not show the seconds of a file that takes long");
  solve->add_option("--output,-o", request.output,
                    "folder: write each problem with its solution as NAME.h5");
  solve->footer(
      "Reads SICONOS text (LCP, MLCP, relay), HDF5 as written by --output, and Matrix Market: M\n"
      "from NAME.mtx or NAME_M.mtx, q from NAME_q.mtx. The residual is max|min(z, Mz + q)|, its\n"
      "likes for mixed and bounded problems. Contact with friction: FCLib (HDF5) and SICONOS "
      "text,\n"
      "local, global, rolling; the errors e1, e2 are relative to |q|, --solver also takes the\n"
      "acronyms of the literature (NSN-AC-GP, PPA-NSN-AC). Exit code 0 if all are solved, 1 if one "
      "is not (no\n"
      "solution, even if proved, is not solved), 2 if a file cannot be read.\n"
      "Example:\n  saltus solve a.dat b.dat --solver Lemke --tolerance 1e-10 --output solved");
}

void add_circuit(CLI::App& app, saltus::CircuitRequest& request) {
  CLI::App* circuit = app.add_subcommand("circuit", "Simulate a circuit from a netlist");
  circuit->add_option("FILE", request.file, "netlist (SPICE-like text)")->required();
  circuit->add_option("--accuracy", request.accuracy,
                      "error of a step, in parts of full scale, by which its length is chosen\n"
                      "(default 1e-3); 0: fixed steps");
  circuit->add_option(
      "--step", request.step,
      "fixed steps of at most this length [s]; with --accuracy the distance of the\n"
      "instants recorded (default: that of .tran)");
  circuit->add_option("--until", request.until, "end time [s] (default: that of .tran)");
  circuit->add_option("--theta", request.theta,
                      "of fixed steps: 1 (default) damps, 0.5 is of second order");
  circuit->add_option("--every", request.every, "record each N-th fixed step");
  circuit->add_option("--output,-o", request.outputs, "write the probes to FILE.csv or FILE.h5")
      ->allow_extra_args(false);
  circuit->add_flag("--plot", request.plot, "draw the probes as NAME.png");
  circuit->add_flag("--json", request.json, "print one JSON object");
  circuit->add_flag("--quiet,-q", request.quiet, "print errors only");
  circuit->footer(
      "The first line is the title; * begins a comment, + continues a line; 10u, 1meg, {2*x}.\n"
      "  R C L (ic=)  V I: [dc] X, sin(), pulse(), pwl()  E G F H: controlled   K: coupled coils\n"
      "  D anode cathode [model]      ideal diode; .model NAME d(vf= ron= bv=), bv: Zener\n"
      "  S a b c d [model]            closed while v(c,d) > vt; .model NAME sw(vt= vh= ron= roff= "
      "clock=)\n"
      "  S a b pulse(...)             closed while the wave is above 0.5\n"
      "  M d g s b model              piecewise-linear MOS; .model NAME nmos|pmos(kp= vto= w= l= "
      "cgs= cgd=)\n"
      "  O plus minus out [low= high=]  ideal amplifier; without feedback a relay\n"
      "  T a b c d ratio              ideal transformer;  X node ... NAME: .subckt/.ends\n"
      "  .tran STEP STOP [START [LONGEST]] [uic]   .options accuracy=|theta=|method=trap|euler\n"
      "  .probe v(a) v(a,b) i(L1)   .ic v(a)=1   .param x=1\n"
      "  .meas NAME avg|rms|max|min|pp|thd|last v(a) [from= to= freq=]\n"
      "The steps are chosen by their error, around commutations, too, and every STEP is recorded.\n"
      "With LONGEST or theta they are fixed, of at most min(STEP, LONGEST), and diodes commute at\n"
      "their ends. Edges of the sources are met exactly. With uic the start is the given charges\n"
      "and fluxes, made consistent by the least jump; without, the operating point.\n"
      "Example:\n  saltus circuit examples/21_converters/buck.cir --plot --output buck.csv");
}

void add_bench(CLI::App& app, saltus::BenchRequest& request) {
  CLI::App* bench = app.add_subcommand("bench", "Measure solvers on a collection of problems");
  bench->require_subcommand(1);
  CLI::App* friction = bench->add_subcommand("friction", "Solvers of contact with friction");
  friction->add_option("DIR", request.places, "folders of problem files, or files")->required();
  friction
      ->add_option("--solvers", request.solvers,
                   "names of `saltus solvers friction`, acronyms, default or all, with commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  friction->add_option("--tolerance", request.tolerances, "with commas (default 1e-4,1e-8,1e-12)")
      ->delimiter(',')
      ->allow_extra_args(false);
  friction->add_option("--time-limit", request.time_limit, "of one solve [s] (default 10)");
  friction->add_option("--against", request.against, "siconos: run its solvers, too");
  friction->add_option("--peers", request.peers, "only these of its solvers, with commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  friction->add_option("--patience", request.patience,
                       "end those of its solvers that take so many times as long as its best");
  friction->add_option("--sample", request.sample, "at most so many files, of all families alike");
  friction->add_option("--jobs", request.jobs, "files at a time (default 1: clean times)");
  friction->add_option("--output,-o", request.output, "folder (default out/bench/friction)");
  friction->add_flag_callback(
      "--no-plot", [&] { request.plot = false; }, "write no pictures");
  friction->add_flag_callback(
      "--progress", [&] { request.progress = true; },
      "show the progress bar even if this is not a terminal");
  friction->footer(
      "Solves every contact problem (FCLib *.hdf5, *.h5; SICONOS text *.dat) from r = 0 with "
      "every\n"
      "solver. A solve has its own process: crash, time-out and lack of memory are results. "
      "Solved\n"
      "means max(e1, e2) <= tolerance, computed from r alone, and no undue self-stress. Writes\n"
      "results.csv, index.html and performance profiles by family. A family is a folder, or in a\n"
      "flat folder the name up to the first '-'. Other files are skipped and listed. --against\n"
      "siconos needs the Debian package python3-siconos.\n"
      "Example:\n  saltus bench friction collection --solvers default,NSN-AC-GP --tolerance 1e-8 "
      "--sample 60\n      --time-limit 5 --against siconos");
}

/// Says what the parser would not: that a command is misspelt.
void require_known_command(int argc, char** argv, const CLI::App& app) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
  saltus::require(std::find(known.begin(), known.end(), argv[1]) != known.end(), "command {}",
                  saltus::unknown_name(argv[1], known));
}

int start(int argc, char** argv) {
  CLI::App app(overview, "saltus");
  app.footer(examples);
  app.set_version_flag("--version", "saltus " SALTUS_VERSION, "Print the version and exit");
  app.require_subcommand(1);
  app.get_formatter()->column_width(28);

  saltus::RunRequest request;
  request.progress = isatty(STDERR_FILENO) != 0;
  add_run(app, request);
  saltus::SolveRequest problems;
  problems.progress = request.progress;
  add_solve(app, problems);
  saltus::CircuitRequest circuit;
  add_circuit(app, circuit);
  saltus::BenchRequest benchmark;
  benchmark.progress = request.progress;
  add_bench(app, benchmark);
  std::string kind;
  CLI::App* solvers = app.add_subcommand("solvers", "List the algorithms and when to use them");
  solvers->add_option("PROBLEM", kind, "lcp, mlcp, relay or friction (default: all)");
  std::string example;
  std::filesystem::path file, png;
  CLI::App* list = app.add_subcommand("examples", "List the built-in models, or explain one");
  list->add_option("NAME", example, "model to explain, with its parameters");
  CLI::App* plot = app.add_subcommand("plot", "Draw the picture of a trajectory file");
  plot->add_option("FILE", file, "trajectory (HDF5)")->required();
  plot->add_option("--output,-o", png, "picture to write (default: FILE with the ending .png)");

  require_known_command(argc, argv, app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    return app.exit(asked);
  } catch (const CLI::ParseError& mistake) {
    std::string text = mistake.what();
    for (char& c : text)
      if (c == '\n') c = ' ';
    saltus::fail("{} (see saltus --help)", text);
  }
  if (app.got_subcommand("run")) return saltus::run(request);
  if (app.got_subcommand("solve")) return saltus::solve_files(problems);
  if (app.got_subcommand("circuit")) return saltus::simulate_circuit(circuit);
  if (app.got_subcommand("bench")) return saltus::bench_friction(benchmark);
  if (app.got_subcommand(solvers)) {
    fmt::print("{}", saltus::list_solvers(kind));
    return 0;
  }
  if (png.empty()) png = std::filesystem::path(file).replace_extension(".png");
  if (app.got_subcommand(plot)) return saltus::plot(file, png);
  fmt::print("{}", example.empty() ? saltus::list_examples() : saltus::describe_example(example));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return start(argc, argv);
  } catch (const saltus::Error& mistake) {
    fmt::print(stderr, "saltus: {}\n", mistake.what());
    return 2;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "saltus: not enough memory\n");
  } catch (const std::exception& failure) {
    fmt::print(stderr, "saltus: {}\n", failure.what());
  }
  return 1;
}
