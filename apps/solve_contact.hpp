#pragma once

#include "apps/solve_output.hpp"
#include "saltus/solvers/algorithm.hpp"

namespace saltus {

/// The problem is one of contact (friction, second-order cones), not of complementarity alone.
[[nodiscard]] bool is_contact(const StoredProblem& problem);

/// A contact problem in the form that is solved: that of the file.
using ContactForm = std::variant<BlockForm, GlobalBlockForm>;
/// Throws Error if the problem is none of contact.
[[nodiscard]] ContactForm contact_form(const StoredProblem& problem);
/// "friction", "rolling", "global friction", "global rolling", "global contact" (with bilateral
/// rows), "soclcp", "contact".
[[nodiscard]] std::string contact_kind(const StoredProblem& problem);

/// The algorithm or acronym of that name. Throws Error that begins with `option` otherwise.
[[nodiscard]] FrictionAlgorithm contact_solver(const std::string& name, double tolerance,
                                               const std::string& option);
/// The default on the form as it is and with that many threads (0: all), any other algorithm on its
/// reduced form.
[[nodiscard]] SolveReport solve_form(const ContactForm& form, VectorRef r,
                                     const FrictionAlgorithm& algorithm, int threads,
                                     Workspace& work);

/// Solves a contact problem: the default on the form of the file, any other algorithm on its
/// reduced form. The details of the result are the errors, the certificate and the contact status.
/// Throws Error if the solver is not one for contact.
[[nodiscard]] SolvedFile solve_contact_problem(const SolveRequest& request,
                                               const std::filesystem::path& file,
                                               const StoredProblem& problem);

/// Writes the problem with its solution as an FCLib file; what an FCLib source holds beside it
/// stays. Throws Error for problems that FCLib has no place for.
void write_contact_solution(const std::filesystem::path& target,
                            const std::filesystem::path& source, const StoredProblem& problem,
                            const SolvedFile& result);

/// The names that --solver takes for contact: algorithms and acronyms of the literature.
[[nodiscard]] std::vector<std::string> contact_solver_names();

}  // namespace saltus
