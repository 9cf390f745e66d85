#pragma once

#include "apps/solve_output.hpp"

namespace saltus {

/// The problem is one of contact (friction, second-order cones), not of complementarity alone.
[[nodiscard]] bool is_contact(const StoredProblem& problem);

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
