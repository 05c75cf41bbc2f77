# Assay's commands. Everything else is behind these; tools/ has the scripts.
SHELL := /usr/bin/env bash
PORT ?= 8080

.DEFAULT_GOAL := help
.PHONY: help serve build test setup model bench-embed bench-embed-native bench-lines bench-drag bench-look bench-large bench-open bench-voice control fmt lint test-core test-browser fuzz soak audit screenshots states clean

help: ## This list
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1|\2/p' Makefile | column -t -s '|'

serve: ## The app on http://localhost:8080 (PORT=... for another), rebuilt when a file changes
	@tools/serve $(PORT)

build: ## The release build in dist/, ready for any static web server
	@tools/build

test: ## Everything that is checked before a change goes in
	@tools/test

setup: ## Finds or installs the tools and makes the model; the others do this by themselves
	@tools/setup

model: ## The embedding model in public/model, from the original weights
	@tools/setup rust crates model

bench-embed: ## The embedder against transformers.js in a browser, as a table (needs Node)
	@tools/bench-embed

bench-embed-native: ## The command line's embedder against onnxruntime, as a table (needs Python)
	@tools/bench-embed-native

bench-lines: ## How many debates, turns and replies the command line scores in a second, as tables (needs Python; NUMBER=100000)
	@tools/bench-lines $(or $(NUMBER),100000)

bench-voice: ## How well voice/1 tells a persona's replies from others, as a table (FOLDERS=... for more personas)
	@tools/setup rust crates model && . tools/env && on_host cargo bench --locked --bench voice -- $(FOLDERS)

bench-large: ## How long large files take and how much memory, as a table (SIZE=1000 in MB, ROWS=200000)
	@. tools/env && SIZE=$(or $(SIZE),1000) ROWS=$(or $(ROWS),200000) \
		on_host cargo bench --locked --no-default-features --bench large

control: ## The vectors of the control sample again, after a change of its texts or of the model
	@tools/setup rust crates model && . tools/env && on_host cargo run --locked --release --example control

fmt: ## Formats the sources
	cargo fmt -p assay -p assay-kernels -p assay-patterns -p assay-bindgen

lint: ## Format and lints, for this machine and for the browser
	@tools/test fmt clippy clippy-wasm

test-core: ## The tests that need neither the model nor a browser
	@tools/test core

test-browser: ## The release build in a real browser
	@tools/test build size wasm browser

fuzz: ## Spoiled texts for readers, forms, scorers, exports and links (TIME=600 seconds, SEED=...)
	@. tools/env && ASSAY_FUZZ_SECONDS=$(or $(TIME),600) ASSAY_FUZZ_SEED=$(or $(SEED),$(shell date +%s)) \
		on_host cargo test --locked --release --no-default-features --test fuzz -- --nocapture

soak: ## Use without a plan in a browser (TIME=1800 seconds, SEED=...)
	@. tools/env && ASSAY_SOAK_SECONDS=$(or $(TIME),1800) ASSAY_SOAK_SEED=$(or $(SEED),$(shell date +%s)) \
		on_host cargo test --locked --no-default-features --features browser-tests --test browser soak:: -- --nocapture

audit: ## Known weaknesses, licences and sources of all packages (needs the network)
	@tools/setup rust crates deny && . tools/env && cargo deny --locked check

screenshots: ## Makes the pictures in docs/ from the running app
	@tools/screenshots

states: ## Pictures of every state of the page, wide and on a phone, to be looked at
	@tools/states

bench-drag: ## What dragging a weight costs per frame, with 200 candidates and 12 debaters
	@tools/bench-drag

bench-look: ## What of verdict, weights and rows is in the window while a weight is dragged
	@tools/bench-look

bench-open: ## How long a debate's permalink takes to its verdict on a phone
	@tools/bench-open

clean: ## Removes what was built here; what was downloaded stays
	@. tools/env && rm -rf dist target "$$ASSAY_TARGET"
