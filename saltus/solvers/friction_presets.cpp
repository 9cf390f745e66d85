#include "saltus/solvers/friction_presets.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace saltus {

namespace {

struct Preset {
  std::string_view name;
  FrictionAlgorithm (*make)();
};

const std::array presets{
    Preset{"FP-DS", [] { return FrictionAlgorithm(FixedPointProjection{.step = FixedStep{}}); }},
    Preset{"FP-VI-UPK",
           [] { return FrictionAlgorithm(FixedPointProjection{.step = AdaptiveStep{}}); }},
    Preset{"FP-VI-UPTS",
           [] {
             return FrictionAlgorithm(
                 FixedPointProjection{.step = AdaptiveStep{.solodov_tseng = true}});
           }},
    Preset{"EG-VI-UPK",
           [] {
             return FrictionAlgorithm(
                 FixedPointProjection{.step = AdaptiveStep{}, .extragradient = true});
           }},
    Preset{"EG-VI-UPTS",
           [] {
             return FrictionAlgorithm(FixedPointProjection{
                 .step = AdaptiveStep{.solodov_tseng = true}, .extragradient = true});
           }},
    Preset{"FP-VI-KHOBOTOV",
           [] {
             return FrictionAlgorithm(FixedPointProjection{.step = AdaptiveStep{.restart = true}});
           }},
    Preset{"FP-VI-HAN-LO",
           [] {
             return FrictionAlgorithm(FixedPointProjection{.step = AdaptiveStep{.han_lo = true}});
           }},
    Preset{"UZAWA", [] { return FrictionAlgorithm(FixedPointProjection{.step = AdaptiveStep{}}); }},
    Preset{"FP-HP", [] { return FrictionAlgorithm(HyperplaneProjection{}); }},
    Preset{"FP-VI-BB", [] { return FrictionAlgorithm(SpectralProjection{}); }},
    Preset{"PC-VI-HE", [] { return FrictionAlgorithm(PredictionCorrection{}); }},
    Preset{"PC-VI-HE-CONTRACTION",
           [] { return FrictionAlgorithm(PredictionCorrection{.projected = false}); }},
    Preset{"FP-VI-SKEW", [] { return FrictionAlgorithm(SkewedProjection{}); }},
    Preset{"EG-VI-SKEW", [] { return FrictionAlgorithm(SkewedProjection{.extragradient = true}); }},
    Preset{"NSN-NM", [] { return FrictionAlgorithm(NonsmoothNewton{.equation = NaturalMap{}}); }},
    Preset{"NSN-NM-GP",
           [] {
             return FrictionAlgorithm(
                 NonsmoothNewton{.equation = NaturalMap{}, .line_search = GoldsteinPrice{}});
           }},
    Preset{"NSN-NM-A",
           [] {
             return FrictionAlgorithm(
                 NonsmoothNewton{.equation = NaturalMap{}, .line_search = Armijo{}});
           }},
    Preset{"NSN-AC", [] { return FrictionAlgorithm(NonsmoothNewton{.equation = AlartCurnier{}}); }},
    Preset{"NSN-AC-GP",
           [] {
             return FrictionAlgorithm(
                 NonsmoothNewton{.equation = AlartCurnier{}, .line_search = GoldsteinPrice{}});
           }},
    Preset{"NSN-AC-A",
           [] {
             return FrictionAlgorithm(
                 NonsmoothNewton{.equation = AlartCurnier{}, .line_search = Armijo{}});
           }},
    Preset{"NSN-JM", [] { return FrictionAlgorithm(NonsmoothNewton{.equation = JeanMoreau{}}); }},
    Preset{"NSN-JM-GP",
           [] {
             return FrictionAlgorithm(
                 NonsmoothNewton{.equation = JeanMoreau{}, .line_search = GoldsteinPrice{}});
           }},
    Preset{"NSN-JM-A",
           [] {
             return FrictionAlgorithm(
                 NonsmoothNewton{.equation = JeanMoreau{}, .line_search = Armijo{}});
           }},
    Preset{"NSN-FB",
           [] { return FrictionAlgorithm(NonsmoothNewton{.equation = ConeFischerBurmeister{}}); }},
    Preset{"NSN-FB-GP",
           [] {
             return FrictionAlgorithm(NonsmoothNewton{.equation = ConeFischerBurmeister{},
                                                      .line_search = GoldsteinPrice{}});
           }},
    Preset{"NSN-FB-A",
           [] {
             return FrictionAlgorithm(
                 NonsmoothNewton{.equation = ConeFischerBurmeister{}, .line_search = Armijo{}});
           }},
    Preset{"NSN-HSW",
           [] { return FrictionAlgorithm(NonsmoothNewton{.equation = HueberStadlerWohlmuth{}}); }},
    Preset{"NSN-HSW-GP",
           [] {
             return FrictionAlgorithm(NonsmoothNewton{.equation = HueberStadlerWohlmuth{},
                                                      .line_search = GoldsteinPrice{}});
           }},
    Preset{"NSN-HSW-A",
           [] {
             return FrictionAlgorithm(
                 NonsmoothNewton{.equation = HueberStadlerWohlmuth{}, .line_search = Armijo{}});
           }},
    Preset{"NSN-XSW",
           [] { return FrictionAlgorithm(NonsmoothNewton{.equation = XuewenSohWanji{}}); }},
    Preset{"NSN-PKL",
           [] { return FrictionAlgorithm(NonsmoothNewton{.equation = SlidingAngle{}}); }},
    Preset{"NSN-PKL-GP",
           [] {
             return FrictionAlgorithm(
                 NonsmoothNewton{.equation = SlidingAngle{}, .line_search = GoldsteinPrice{}});
           }},
    Preset{"NSN-REGULARISED",
           [] { return FrictionAlgorithm(NonsmoothNewton{.equation = RegularisedCoulomb{}}); }},
    Preset{"NSN-AC-ADAPTIVE",
           [] { return FrictionAlgorithm(NonsmoothNewton{.rho = AdaptiveRho{}}); }},
    Preset{"NSN-AC-HYBRID",
           [] { return FrictionAlgorithm(NonsmoothNewton{.start_projections = 100}); }},
    Preset{"NSN-NOR", [] { return FrictionAlgorithm(NonsmoothNewton{.equation = NormalMap{}}); }},
    Preset{"NSN-NOR-GP",
           [] {
             return FrictionAlgorithm(
                 NonsmoothNewton{.equation = NormalMap{}, .line_search = GoldsteinPrice{}});
           }},
    Preset{"NSN-SKEW",
           [] { return FrictionAlgorithm(NonsmoothNewton{.equation = SkewedNaturalMap{}}); }},
    Preset{"NSN-SKEW-GP",
           [] {
             return FrictionAlgorithm(
                 NonsmoothNewton{.equation = SkewedNaturalMap{}, .line_search = GoldsteinPrice{}});
           }},
    Preset{"NSN-SMOOTH-FB",
           [] {
             return FrictionAlgorithm(NonsmoothNewton{.equation = SmoothedFischerBurmeister{},
                                                      .line_search = GoldsteinPrice{}});
           }},
    Preset{"NSN-SMOOTH-NM",
           [] {
             return FrictionAlgorithm(NonsmoothNewton{.equation = SmoothedNaturalMap{},
                                                      .line_search = GoldsteinPrice{}});
           }},
    Preset{"NSN-AC-GMRES", [] { return FrictionAlgorithm(NonsmoothNewton{.linear = GmresIlu{}}); }},
    Preset{"NSN-AC-BICGSTAB",
           [] { return FrictionAlgorithm(NonsmoothNewton{.linear = BicgstabIlu{}}); }},
    Preset{"NSGS-AC", [] { return FrictionAlgorithm(Nsgs{.local = LocalNonsmoothNewton{}}); }},
    Preset{"NSGS-JM",
           [] {
             return FrictionAlgorithm(
                 Nsgs{.local = LocalNonsmoothNewton{.equation = JeanMoreau{}}});
           }},
    Preset{"NSGS-AC-GP",
           [] {
             return FrictionAlgorithm(
                 Nsgs{.local = LocalNonsmoothNewton{.line_search = GoldsteinPrice{}}});
           }},
    Preset{"NSGS-JM-GP",
           [] {
             return FrictionAlgorithm(
                 Nsgs{.local = LocalNonsmoothNewton{.equation = JeanMoreau{},
                                                    .line_search = GoldsteinPrice{}}});
           }},
    Preset{"NSGS-FP-DS-One",
           [] { return FrictionAlgorithm(Nsgs{.local = LocalProjection{.max_iterations = 1}}); }},
    Preset{"NSGS-FP-VI-UPK", [] { return FrictionAlgorithm(Nsgs{.local = LocalVi{}}); }},
    Preset{"NSGS-EXACT", [] { return FrictionAlgorithm(Nsgs{.local = LocalExact{}}); }},
    Preset{"NSGS-DISK", [] { return FrictionAlgorithm(Nsgs{.local = LocalDisk{}}); }},
    Preset{"PSOR-AC",
           [] {
             return FrictionAlgorithm(
                 Nsgs{.local = LocalNonsmoothNewton{}, .over_relaxation = 1.5});
           }},
    Preset{"PSOR-AC-GP",
           [] {
             return FrictionAlgorithm(
                 Nsgs{.local = LocalNonsmoothNewton{.line_search = GoldsteinPrice{}},
                      .over_relaxation = 1.5});
           }},
    Preset{"NSGS-AC-SHUFFLED",
           [] {
             return FrictionAlgorithm(
                 Nsgs{.local = LocalNonsmoothNewton{}, .order = ShuffledOnce{}});
           }},
    Preset{"NSGS-AC-FULLY-SHUFFLED",
           [] {
             return FrictionAlgorithm(
                 Nsgs{.local = LocalNonsmoothNewton{}, .order = ShuffledEverySweep{}});
           }},
    Preset{"PPA-NSN-AC",
           [] {
             return FrictionAlgorithm(
                 FrictionProximalPoint{.inner = NonsmoothNewton{.max_iterations = 30}});
           }},
    Preset{"PPA-NSN-AC-GP", [] { return FrictionAlgorithm(FrictionProximalPoint{}); }},
    Preset{"PPA-NSGS-AC",
           [] {
             return FrictionAlgorithm(
                 FrictionProximalPoint{.inner = Nsgs{.local = LocalNonsmoothNewton{}}});
           }},
    Preset{"PANA-PGS-FP-VI-UPK",
           [] {
             return FrictionAlgorithm(
                 Panagiotopoulos{.tangent = FixedPointProjection{.max_iterations = 1000}});
           }},
    Preset{"PANA-PGS-EG-VI-UPK",
           [] {
             return FrictionAlgorithm(Panagiotopoulos{
                 .tangent = FixedPointProjection{.max_iterations = 1000, .extragradient = true}});
           }},
    Preset{"PANA-PGS-CONVEXQP-PG",
           [] {
             return FrictionAlgorithm(
                 Panagiotopoulos{.tangent = ConvexProjectedGradient{.max_iterations = 1000}});
           }},
    Preset{"PANA-CONVEXQP-PG",
           [] {
             return FrictionAlgorithm(
                 Panagiotopoulos{.normal = ConvexProjectedGradient{.max_iterations = 1000},
                                 .tangent = ConvexProjectedGradient{.max_iterations = 1000}});
           }},
    Preset{
        "PANA-MPRGP",
        [] { return FrictionAlgorithm(Panagiotopoulos{.normal = Mprgp{}, .tangent = Mprgp{}}); }},
    Preset{"PANA-GPCG-MPRGP",
           [] { return FrictionAlgorithm(Panagiotopoulos{.normal = Gpcg{}, .tangent = Mprgp{}}); }},
    Preset{"PANA-TWO-PHASE-FP-VI-UPK",
           [] {
             return FrictionAlgorithm(
                 Panagiotopoulos{.normal = TwoPhaseProjection{.jacobi = true}});
           }},
    Preset{"TRESCA-NSGS-FP-VI-UPK",
           [] { return FrictionAlgorithm(TrescaFixedPoint{.inner = Nsgs{.local = LocalVi{}}}); }},
    Preset{"TRESCA-FP-VI-UPK",
           [] { return FrictionAlgorithm(TrescaFixedPoint{.inner = FixedPointProjection{}}); }},
    Preset{"TRESCA-EG-VI-UPK",
           [] {
             return FrictionAlgorithm(
                 TrescaFixedPoint{.inner = FixedPointProjection{.extragradient = true}});
           }},
    Preset{"TRESCA-CONVEXQP-PG",
           [] { return FrictionAlgorithm(TrescaFixedPoint{.inner = ConvexProjectedGradient{}}); }},
    Preset{"TRESCA-MPRGP", [] { return FrictionAlgorithm(TrescaFixedPoint{.inner = Mprgp{}}); }},
    Preset{"ACLM-NSGS-FP-VI-UPK",
           [] { return FrictionAlgorithm(Aclm{.inner = Nsgs{.local = LocalVi{}}}); }},
    Preset{"ACLM-FP-VI-UPK",
           [] { return FrictionAlgorithm(Aclm{.inner = FixedPointProjection{}}); }},
    Preset{"ACLM-EG-VI-UPK",
           [] {
             return FrictionAlgorithm(Aclm{.inner = FixedPointProjection{.extragradient = true}});
           }},
    Preset{"ACLM-CONVEXQP-PG",
           [] { return FrictionAlgorithm(Aclm{.inner = ConvexProjectedGradient{}}); }},
    Preset{"ACLM-MPRGP", [] { return FrictionAlgorithm(Aclm{.inner = Mprgp{}}); }},
    Preset{"SOCLCP-NSGS-PLI",
           [] {
             return FrictionAlgorithm(SoclcpRelaxation{.inner = Nsgs{.local = LocalProjection{}}});
           }},
    Preset{"CONVEXQP-PG", [] { return FrictionAlgorithm(ConvexProjectedGradient{}); }},
    Preset{"CONVEXQP-MPRGP", [] { return FrictionAlgorithm(Mprgp{}); }},
    Preset{"ADMM", [] { return FrictionAlgorithm(Admm{}); }},
    Preset{"LCP-INNER", [] { return FrictionAlgorithm(FacetedFriction{}); }},
    Preset{"LCP-OUTER", [] { return FrictionAlgorithm(FacetedFriction{.outer = true}); }},
    Preset{"NCP-GLOCKER", [] { return FrictionAlgorithm(GlockerNcp{}); }},
    Preset{"MCP-DIRECT", [] { return FrictionAlgorithm(DirectMcp{}); }},
};

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

constexpr auto names_of(const auto& table) {
  std::array<std::string_view, std::tuple_size_v<std::remove_cvref_t<decltype(table)>>> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = table[i].name;
  return names;
}

}  // namespace

std::optional<FrictionAlgorithm> friction_preset(std::string_view name) {
  for (const Preset& preset : presets)
    if (same_letters(preset.name, name)) return preset.make();
  return std::nullopt;
}

std::span<const std::string_view> friction_preset_names() {
  static const auto names = names_of(presets);
  return names;
}

}  // namespace saltus
