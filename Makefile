# The two commands are `make run` and `make test`; `make help` lists the others.
# Each installs what it lacks (cmake/debian-packages.txt), configures, builds, and does its job.

MODEL ?= diode_bridge
PYTHON := /usr/bin/python3
JOBS := $(shell nproc)
SECONDS ?= 60

.PHONY: help packages build run test asan tsan fuzz bench docs format tidy clean

help:
	@echo "make run [MODEL=name]  simulate a built-in model (default: $(MODEL)), results in out/"
	@echo "make test              build everything and run all tests"
	@echo "make build             the program build/bin/saltus, the Python package build/python/saltus"
	@echo "make bench             compare with SICONOS 4.4, tables in out/bench/"
	@echo "make docs              write the generated pages of docs/"
	@echo "make format            format the C++ sources"
	@echo "make tidy              static analysis of the library"
	@echo "make asan              the C++ tests under the address and undefined behaviour sanitizers"
	@echo "make tsan              the C++ tests under the thread sanitizer"
	@echo "make fuzz [SECONDS=60] search every file reader for bytes that make it fail"
	@echo "make clean             remove the build folders and out/"

packages:
	@cmake/install-packages base

# Configures once, and anew when the presets change; Ninja itself notices changed CMake files.
build/build.ninja: preset = release
build-asan/build.ninja: preset = asan
build-tsan/build.ninja: preset = tsan
build-fuzz/build.ninja: preset = fuzz
build/build.ninja build-asan/build.ninja build-tsan/build.ninja build-fuzz/build.ninja: CMakePresets.json | packages
	cmake --preset $(preset)
	@touch $@

build: packages build/build.ninja
	cmake --build build --target apps/all python/all

run: build
	build/bin/saltus run $(MODEL) --output out

test: packages build/build.ninja
	cmake --build build
	ctest --preset release --parallel $(JOBS)

asan tsan: %: packages build-%/build.ninja
	cmake --build build-$@
	ctest --preset $@ --parallel $(JOBS)

# A finding stops it: the bytes are left in build-fuzz/, give them to the fuzzer to see it again.
# What was found interesting stays in build-fuzz/corpus for the next time. Leaks are not counted
# for HDF5 files: the HDF5 library itself leaks when it refuses a damaged one.
fuzz: packages
	@cmake/install-packages fuzz
	@$(MAKE) --no-print-directory build-fuzz/build.ninja
	cmake --build build-fuzz
	build-fuzz/bin/fuzz_seeds build-fuzz/seeds
	@set -e; for program in build-fuzz/bin/fuzz_*; do \
	  reader=$${program##*/fuzz_}; \
	  [ -d build-fuzz/seeds/$$reader ] || continue; \
	  echo "fuzzing $$reader for $(SECONDS) s"; \
	  mkdir -p build-fuzz/corpus/$$reader; \
	  case $$reader in *hdf5) leaks=0;; *) leaks=1;; esac; \
	  ASAN_OPTIONS=detect_leaks=$$leaks $$program -max_total_time=$(SECONDS) -max_len=65536 \
	    -detect_leaks=$$leaks -rss_limit_mb=2048 -timeout=10 \
	    -verbosity=0 -print_final_stats=1 -artifact_prefix=build-fuzz/$$reader- \
	    build-fuzz/corpus/$$reader build-fuzz/seeds/$$reader; \
	done

bench: build
	@cmake/install-packages bench
	cmake --build build --target benchmarks/all
	$(PYTHON) benchmarks/spine.py
	$(PYTHON) benchmarks/column_growth.py
	$(PYTHON) benchmarks/complementarity.py
	$(PYTHON) benchmarks/friction_threads.py
	$(PYTHON) benchmarks/circuits_siconos.py
	$(PYTHON) benchmarks/circuits.py
	@if [ -d benchmarks/friction ]; then \
	  build/bin/saltus bench friction benchmarks/friction --against siconos; \
	fi

docs: packages
	$(PYTHON) docs/coverage/generate.py

format: packages
	cmake/format

# Without precompiled headers: clang-tidy does not read those of GCC.
tidy: packages
	@cmake/install-packages tidy
	cmake --preset release -B build-tidy -DSALTUS_PCH=OFF
	run-clang-tidy -quiet -j $(JOBS) -p build-tidy "$(CURDIR)/saltus/.*\.cpp$$"

clean:
	rm -rf build build-dev build-asan build-tsan build-fuzz build-tidy out
