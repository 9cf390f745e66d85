# The two commands are `make run` and `make test`; `make help` lists the others.
# Each installs what it lacks (cmake/debian-packages.txt), configures, builds, and does its job.

MODEL ?= diode_bridge
PYTHON := /usr/bin/python3
JOBS := $(shell nproc)

.PHONY: help packages build run test asan tsan bench docs format tidy clean

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
	@echo "make clean             remove the build folders and out/"

packages:
	@cmake/install-packages base

# Configures once, and anew when the presets change; Ninja itself notices changed CMake files.
build/build.ninja: preset = release
build-asan/build.ninja: preset = asan
build-tsan/build.ninja: preset = tsan
build/build.ninja build-asan/build.ninja build-tsan/build.ninja: CMakePresets.json | packages
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

bench: build
	@cmake/install-packages bench
	cmake --build build --target benchmarks/all
	PYTHONPATH=build/python $(PYTHON) benchmarks/spine.py

docs: packages
	$(PYTHON) docs/coverage/generate.py

format: packages
	cmake/format

tidy: packages build/build.ninja
	@cmake/install-packages tidy
	run-clang-tidy -quiet -j $(JOBS) -p build "$(CURDIR)/saltus/.*\.cpp$$"

clean:
	rm -rf build build-dev build-asan build-tsan out
