#include "saltus/algebra/types.hpp"

namespace saltus {

Rows::Rows(std::initializer_list<std::initializer_list<double>> list) {
  const auto columns = list.size() == 0 ? 0 : list.begin()->size();
  resize(static_cast<Index>(list.size()), static_cast<Index>(columns));
  Index i = 0;
  for (const auto& row : list) {
    require(row.size() == columns, "Rows: row {} has {} entries, row 0 has {}", i, row.size(),
            columns);
    Index j = 0;
    for (double value : row) (*this)(i, j++) = value;
    ++i;
  }
}

}  // namespace saltus
