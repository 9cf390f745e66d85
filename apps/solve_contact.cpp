#include "apps/solve_contact.hpp"

#include "apps/solver_catalogue.hpp"
#include "apps/suggest.hpp"
#include "saltus/base/overloaded.hpp"
#include "saltus/problems/friction_measures.hpp"
#include "saltus/solvers/coulomb_cascade.hpp"
#include "saltus/solvers/friction_presets.hpp"
#include "saltus/solvers/positive_definite.hpp"

namespace saltus {

namespace {

bool is_default(const FrictionAlgorithm& algorithm) {
  return std::holds_alternative<Automatic>(algorithm) ||
         std::holds_alternative<CoulombCascade>(algorithm);
}

/// The default with a number of threads, or the algorithm itself.
FrictionAlgorithm with_threads(const FrictionAlgorithm& algorithm, int threads) {
  if (!is_default(algorithm)) return algorithm;
  const double tolerance =
      std::visit([](const auto& options) { return options.tolerance; }, algorithm);
  return CoulombCascade{.tolerance = tolerance, .threads = threads};
}

SolveReport run(const BlockForm& problem, VectorRef r, const FrictionAlgorithm& algorithm,
                Workspace& work) {
  return std::visit(
      [&](const auto& options) { return solve(problem, r, Algorithm(options), work); }, algorithm);
}

/// The default and Newton's method take the global form as it is; the others its reduction.
SolveReport run(const GlobalBlockForm& problem, VectorRef r, const FrictionAlgorithm& algorithm,
                Workspace& work) {
  Vector v = Vector::Zero(problem.M.rows());
  if (const auto* newton = std::get_if<NonsmoothNewton>(&algorithm))
    return solve(problem, v, r, *newton, work);
  if (const auto* cascade = std::get_if<CoulombCascade>(&algorithm))
    return solve(problem, v, r, *cascade, work);
  return run(reduce(problem), r, algorithm, work);
}

std::vector<Index> sizes_of(const BlockForm& problem) { return block_sizes(problem); }
std::vector<Index> sizes_of(const GlobalBlockForm& problem) { return problem.sizes; }

struct Judgement {
  FrictionErrors errors;
  FrictionCertificate proof;
};

Judgement judge(const BlockForm& problem, ConstVectorRef r) {
  return {friction_errors(problem, r), friction_certificate(problem, r)};
}

Judgement judge(const GlobalBlockForm& problem, ConstVectorRef r) {
  const LinearSolve solve = factorise("GlobalBlockForm", problem.M);
  return {friction_errors(problem, r, solve), friction_certificate(problem, r, solve)};
}

template <class F>
std::string details(const F& problem, ConstVectorRef r, int factorisations) {
  const auto [errors, proof] = judge(problem, r);
  const std::vector<ContactStatus> status = contact_status(problem.K, sizes_of(problem), proof);
  const std::array<Index, 3> counts = count(status);
  return fmt::format(
      R"(, "factorisations": {}, "contacts": {}, "e1": {}, "e2": {}, "self_stress": {}, )"
      R"("certificate": {{"velocity_perturbation": {}, "relative": {}}}, )"
      R"("open": {}, "stick": {}, "slide": {})",
      factorisations, status.size(), json_number(errors.e1), json_number(errors.e2),
      json_number(errors.self_stress), json_number(proof.perturbation), json_number(proof.relative),
      counts[0], counts[1], counts[2]);
}

/// The proof that there is no solution (problems/certificates.hpp).
std::string separating_direction(const Vector& d) {
  std::string text;
  for (Index i = 0; i < d.size(); ++i) text += (i > 0 ? ", " : "") + json_number(d[i]);
  return fmt::format(R"(, "separating_direction": [{}])", text);
}

void check_mass(const BlockForm&, const std::filesystem::path&) {}
void check_mass(const GlobalBlockForm& problem, const std::filesystem::path& file) {
  require_positive_definite(fmt::format("cannot solve '{}'", file.string()).c_str(), problem.M);
}

}  // namespace

ContactForm contact_form(const StoredProblem& problem) {
  return std::visit(
      Overloaded{
          [](const FrictionContact& p) -> ContactForm { return to_block_form(p); },
          [](const GlobalFrictionContact& p) -> ContactForm { return to_global_block_form(p); },
          [](const GlobalBlockForm& p) -> ContactForm { return p; },
          [](const BlockForm& p) -> ContactForm { return p; },
          [](const Soclcp& p) -> ContactForm { return to_block_form(p); },
          [](const auto&) -> ContactForm { fail("not a contact problem"); }},
      problem);
}

std::string contact_kind(const StoredProblem& problem) {
  const auto rolling = [](const auto& p) {
    return p.mu_rolling.size() > 0 ? "rolling" : "friction";
  };
  return std::visit(Overloaded{[&](const FrictionContact& p) { return std::string(rolling(p)); },
                               [&](const GlobalFrictionContact& p) {
                                 return fmt::format("global {}", rolling(p));
                               },
                               [](const GlobalBlockForm&) { return std::string("global contact"); },
                               [](const Soclcp&) { return std::string("soclcp"); },
                               [](const auto&) { return std::string("contact"); }},
                    problem);
}

FrictionAlgorithm contact_solver(const std::string& name, double tolerance,
                                 const std::string& option) {
  std::optional<FrictionAlgorithm> algorithm = find_algorithm<FrictionAlgorithm>(name);
  if (!algorithm) algorithm = friction_preset(name);
  require(algorithm.has_value(), "{} {}", option, unknown_name(name, contact_solver_names()));
  std::visit([&](auto& options) { options.tolerance = tolerance; }, *algorithm);
  return *algorithm;
}

SolveReport solve_form(const ContactForm& form, VectorRef r, const FrictionAlgorithm& algorithm,
                       int threads, Workspace& work) {
  const FrictionAlgorithm chosen = with_threads(algorithm, threads);
  return std::visit([&](const auto& problem) { return run(problem, r, chosen, work); }, form);
}

bool is_contact(const StoredProblem& problem) {
  return std::visit(Overloaded{[](const Lcp&) { return false; }, [](const Mlcp&) { return false; },
                               [](const BlockForm& p) { return has_friction(p); },
                               [](const auto&) { return true; }},
                    problem);
}

SolvedFile solve_contact_problem(const SolveRequest& request, const std::filesystem::path& file,
                                 const StoredProblem& problem) {
  const FrictionAlgorithm algorithm = contact_solver(request.solver, request.tolerance, "--solver");
  SolvedFile result{.file = file, .problem = contact_kind(problem)};
  result.solution.tolerance = request.tolerance;
  result.solution.solver = std::visit([](const auto& a) { return std::string(a.name); }, algorithm);
  std::visit(
      [&](const auto& form) {
        validate(form);
        check_mass(form, file);
        Index rows = 0;
        for (const Index size : sizes_of(form)) rows += size;
        result.solution.z = Vector::Zero(rows);
        Workspace work;
        result.solution.report =
            run(form, result.solution.z, with_threads(algorithm, request.threads), work);
        if (result.solution.report.status == SolveStatus::infeasible)
          result.details = separating_direction(work.certificate);
        result.details += details(form, result.solution.z, result.solution.report.factorisations);
      },
      contact_form(problem));
  return result;
}

void write_contact_solution(const std::filesystem::path& target,
                            const std::filesystem::path& source, const StoredProblem& problem,
                            const SolvedFile& result) {
  FclibFile file;
  std::visit(Overloaded{[&](const FrictionContact& p) { file.problem = p; },
                        [&](const GlobalFrictionContact& p) { file.problem = p; },
                        [&](const GlobalBlockForm& p) { file.problem = p; },
                        [&](const BlockForm& p) { file.problem = p; },
                        [&](const auto&) {
                          fail(
                              "'{}' holds a problem of kind {}, which FCLib files have no form "
                              "for: solve it without --output",
                              source.string(), result.problem);
                        }},
             problem);
  const FclibPoint point = fclib_point(file, result.solution.z);
  if (is_fclib(source)) {
    write_fclib_solution(source, target, point);
  } else {
    file.title = source.stem().string();
    file.solution = point;
    write_fclib(target, file);
  }
}

std::vector<std::string> contact_solver_names() {
  std::vector<std::string> names = algorithm_names<FrictionAlgorithm>();
  for (const std::string_view preset : friction_preset_names()) names.emplace_back(preset);
  return names;
}

}  // namespace saltus
