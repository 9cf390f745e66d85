#pragma once

#include <klu.h>

namespace saltus {

/// What KLU holds of a sparse matrix [Davis, Palamadai 2010], given back at the end.
struct KluFactors {
  mutable klu_common common;  // KLU counts in it even when it only solves
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  KluFactors() { klu_defaults(&common); }
  ~KluFactors() { clear(); }
  KluFactors(const KluFactors&) = delete;
  KluFactors& operator=(const KluFactors&) = delete;
  void clear() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
};

}  // namespace saltus
