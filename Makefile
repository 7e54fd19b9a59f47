# `make run` and `make test` need only git, make, a C compiler, rustup, Node and Python with pip.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

TOOLS := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/keepsake/tools/bin
export PATH := $(TOOLS):$(CURDIR)/end2end/node_modules/.bin:$(PATH)

.PHONY: help run watch test check build bench weights shots lighthouse model setup

help: ## Says what there is
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "make %-10s %s\n", $$1, $$2 }'

run: build model ## Runs Keepsake with sample data on http://127.0.0.1:3000
	@scripts/run.sh

watch: setup model ## Serves what make run left in data/, and builds again with every change; needs cargo-leptos
	@cargo leptos watch -- serve

test: ## Everything: format, lints, docs, unit, conformance, API, browser
	@scripts/test.sh

check: setup ## Fast: format and lints of both builds, unit tests
	@scripts/test.sh check

build: setup ## The optimised server and browser bundle
	@scripts/build.sh

bench: model ## Measures: merge guard, LoCoMo recall, embeddings, recall, learning, peers
	@cargo bench --bench keepsake

weights: setup ## Learns from the labelled lines in crates/language/ again, after a line was changed
	@cargo run --quiet --package gate --bin weights
	@cargo run --quiet --package extractor --bin extractor-weights
	@cargo run --quiet --release --bin meaning-weights "$$(scripts/model.sh minilm)"

shots: build model ## Screenshots of every screen in both themes, into end2end/shots
	@cd end2end && npx playwright test --config playwright.config.ts --project shots

lighthouse: build model ## Lighthouse over every screen; needs the network for npx
	@scripts/lighthouse.sh

model: ## The embedding model, into the cache
	@scripts/model.sh >/dev/null

setup: ## Tools that are missing
	@scripts/setup.sh
