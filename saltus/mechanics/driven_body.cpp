#include "saltus/mechanics/driven_body.hpp"

namespace saltus::mechanics {

void DrivenBody::prepare() const {
  require(static_cast<bool>(motion), "DrivenBody: no motion is given");
  joint(0).prepare();
}

}  // namespace saltus::mechanics
