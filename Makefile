# A thin layer over CMake: every target is one or two commands that can be typed by hand.
# Build folders are build/PRESET (see CMakePresets.json).

PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 60
# Folder with the public data sets that some benchmarks read.
DATA ?= ../shared/data
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# Where `make bare` builds; a folder that is to hold a release afterwards saves building it again.
BARE ?= build/bare
# The Python that builds the wheel; any from 3.9 on.
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)
# SETUP=no: install nothing, take what is there.
SETUP ?= yes

ifeq ($(SETUP),no)
setup = @:
else
setup = @tools/setup.sh
endif
program_only = -DTACIT_TESTS=OFF -DTACIT_BENCH=OFF
everything = -DTACIT_TESTS=ON -DTACIT_BENCH=ON
# Pages that the release build made serve the other builds too, which then need no npm and test no pages again.
pages = $(if $(and $(wildcard build/release/web/dist/experiment.html),$(wildcard build/release/web/dist/ask.html)), \
    -DTACIT_WEB_DIST=build/release/web/dist)
build = cmake --build --preset $(1) --parallel $(JOBS)

.PHONY: all demo test bare install python bench format format-check lint asan clang fuzz symbols clean help

all: ## build the release
	$(setup) build
	@cmake --preset release $(program_only) >/dev/null
	@$(call build,release)

demo: all ## build, then show what Tacit does on a built-in sample
	@build/release/cli/tacit demo --keep build/demo

test: ## build and run all tests
	$(setup) test
	cmake --preset release $(everything)
	$(call build,release)
	ctest --preset release

bare: ## build without benchmarks, pages, MPI and server, all at once and each alone, and test that
	$(setup) test
	tools/check-builds.sh $(BARE)

install: ## install into DESTDIR/PREFIX (default /usr/local)
	$(setup) build
	cmake --preset release $(program_only) -DCMAKE_INSTALL_PREFIX=$(PREFIX)
	$(call build,release)
	DESTDIR=$(DESTDIR) cmake --install build/release

python: ## build a wheel of the Python package, with everything inside that it needs, in build/python
	$(setup) python
	cmake --preset release $(program_only)
	cmake --build --preset release --parallel $(JOBS) --target tacit_shared tacit_train_shared tacit_import_shared
	$(PYTHON) python/backend/tacit_backend.py build/python build/release/src

bench: ## build and run the benchmarks
	$(setup) build
	cmake --preset release -DTACIT_TESTS=OFF -DTACIT_BENCH=ON
	$(call build,release)
	tools/bench.sh build/release $(DATA)

format: ## lay out all C files with clang-format
	$(setup) dev
	tools/format.sh

format-check: ## complain about files that `make format` would change
	$(setup) dev
	tools/format.sh --check

lint: ## clang-tidy and the house rules
	$(setup) dev
	cmake --preset clang -B build/lint
	cmake --build build/lint --target tct_onnx_proto
	tools/lint.sh build/lint

asan: ## tests under the address and undefined-behaviour sanitizers (CMakePresets.json says which)
	$(setup) test
	cmake --preset asan-ubsan $(pages)
	$(call build,asan-ubsan)
	ctest --preset asan-ubsan

clang: ## what a compiler can change, with clang, warnings are errors
	$(setup) dev
	cmake --preset clang $(pages)
	$(call build,clang)
	ctest --preset clang

fuzz: ## run every fuzzer for FUZZ_SECONDS (default 60)
	$(setup) dev
	cmake --preset fuzz
	$(call build,fuzz)
	tools/fuzz.sh build/fuzz $(FUZZ_SECONDS)

symbols: all ## check that only tacit_* leaves the library
	tools/check-symbols.sh build/release

clean: ## remove the build folder
	rm -rf build

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile
