#pragma once

#include "saltus/integrators/explicit_inclusion.hpp"
#include "saltus/integrators/generalized_alpha.hpp"
#include "saltus/integrators/moreau_jean.hpp"
#include "saltus/integrators/one_step.hpp"
#include "saltus/integrators/paoli_schatzman.hpp"
#include "saltus/integrators/stewart_trinkle.hpp"
#include "saltus/integrators/theta_method.hpp"
#include "saltus/integrators/zero_order_hold.hpp"

#include <variant>

namespace saltus {

/// Any time-stepping scheme: an options value, with prepare() and step() of its own. A new one
/// enters here, and the time loop, Python and the program find it.
using Scheme = std::variant<MoreauJean, StewartTrinkle, AnitescuPotra, PaoliSchatzman,
                            GeneralizedAlpha, ThetaMethod, Bdf2, Sdirk, CatchingUp,
                            ExplicitInclusion, Mannshardt, ZeroOrderHold>;

/// prepare() of the scheme held.
void prepare(const Model& model, const Scheme& scheme, StepWorkspace& work);

/// step() of the scheme held: advances `state` by h > 0; if the report says it failed, the state is
/// as before.
[[nodiscard]] StepReport step(const Model& model, State& state, double h, const Scheme& scheme,
                              StepWorkspace& work);

/// The scheme of that name with its default options. Throws Error, listing the known names, if
/// there is none.
[[nodiscard]] Scheme scheme_by_name(std::string_view name);

/// The name of the scheme held.
[[nodiscard]] std::string_view name(const Scheme& scheme);

}  // namespace saltus
