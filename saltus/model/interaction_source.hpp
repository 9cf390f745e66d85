#pragma once

#include "saltus/base/id.hpp"
#include "saltus/laws/law.hpp"

#include <Eigen/Core>

#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace saltus {

class Model;

/// One body of one system: what an interaction is tied to. A system that is not a pool has the one
/// body 0, and its id alone names it. Without a system: the world, which does not move.
struct Endpoint {
  SystemId system = {};
  Eigen::Index body = 0;
  Endpoint() = default;
  Endpoint(SystemId id) : system(id) {}
  Endpoint(SystemId id, Eigen::Index b) : system(id), body(b) {}
  [[nodiscard]] bool world() const { return system.index < 0; }
  auto operator<=>(const Endpoint&) const = default;
};

/// Which contact it is: the same key in the next step means the same contact.
struct ContactKey {
  std::uint32_t source = 0;   ///< which source of the model; filled in by the integrator
  std::uint64_t pair = 0;     ///< which two shapes
  std::uint64_t feature = 0;  ///< which of their vertices, edges and faces
  auto operator<=>(const ContactKey&) const = default;
};

/// A contact that was found at given positions (F:F123): the gap y along the normal n and
///     u = H₀ v₀ + H₁ v₁ = (u_N, u_T1, u_T2),   p = Hᵀ r
/// in the orthonormal frame (n, t₁, t₂). n points from body 1 to body 0, so that u_N = ẏ.
struct DetectedContact {
  ContactKey key = {};
  std::array<Endpoint, 2> bodies = {};  ///< either may be the world
  Law law = {};                         ///< takes the first 1, 3, 5 or 6 rows (contact_rows)
  double gap = 0;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();  ///< columns n, t₁, t₂
  /// u, and in rows 3 to 5 the relative angular velocity along t₁, t₂, n; zero for the world.
  std::array<Eigen::Matrix<double, 6, 6>, 2> H;
};

using ContactList = std::vector<DetectedContact>;

/// Whatever finds contacts, say collision detection between shapes:
///     source.detect(model, t, q, reach, cache, list)
/// appends the contacts with gap ≤ reach at the positions q of the whole model, in increasing order
/// of their keys. `Source::Cache` keeps what helps the next call (default-constructible).
/// Optional: `source.check(model)`, called when the source enters a model.
template <class T>
concept ContactSource = requires(const T& s, const Model& model, const Eigen::VectorXd& q,
                                 typename T::Cache& cache, ContactList& list) {
  s.detect(model, 0.0, q, 0.0, cache, list);
};

/// Value handle over any source of contacts; constant after construction. It enters a model once
/// and refreshes the list of contacts in every step.
class InteractionSource {
 public:
  struct Cache {
    virtual ~Cache() = default;
  };

  template <class T>
  requires ContactSource<T> &&
      (!std::same_as<std::remove_cvref_t<T>, InteractionSource>)InteractionSource(T source)
      : self_(std::make_shared<const Holder<T>>(std::move(source))) {}

  [[nodiscard]] std::unique_ptr<Cache> make_cache() const { return self_->make_cache(); }
  void check(const Model& model) const { self_->check(model); }
  /// `cache` comes from make_cache() of this source.
  void detect(const Model& model, double t, const Eigen::VectorXd& q, double reach, Cache& cache,
              ContactList& list) const {
    self_->detect(model, t, q, reach, cache, list);
  }

 private:
  struct Interface {
    virtual ~Interface() = default;
    [[nodiscard]] virtual std::unique_ptr<Cache> make_cache() const = 0;
    virtual void check(const Model&) const = 0;
    virtual void detect(const Model&, double, const Eigen::VectorXd&, double, Cache&,
                        ContactList&) const = 0;
  };
  template <class T>
  struct Holder final : Interface {
    struct Store final : Cache {
      typename T::Cache cache;
    };
    explicit Holder(T s) : source(std::move(s)) {}
    [[nodiscard]] std::unique_ptr<Cache> make_cache() const override {
      return std::make_unique<Store>();
    }
    void check(const Model& model) const override {
      if constexpr (requires { source.check(model); }) source.check(model);
    }
    void detect(const Model& model, double t, const Eigen::VectorXd& q, double reach, Cache& cache,
                ContactList& list) const override {
      source.detect(model, t, q, reach, static_cast<Store&>(cache).cache, list);
    }
    T source;
  };

  std::shared_ptr<const Interface> self_;
};

}  // namespace saltus
