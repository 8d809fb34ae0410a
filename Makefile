# The two commands of a newcomer: make demo, make test. Both install what is missing (scripts/install).
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

# Where make demo leaves its report.
REPORT ?= pact-conform-report

.PHONY: help deps build demo test proof test-browser bench lint docs clean browser compiler
.DEFAULT_GOAL := help

help:
	@echo "make demo   certify the embedded Provider and leave a report"
	@echo "make test   all checks and tests"
	@echo "make proof  every design and every defect of login and consent pages, in Chromium"
	@echo "make build  bin/pact-conform"
	@echo "make bench  what a run costs: turns and times"
	@echo "make lint   formatting, vet, staticcheck, generated pages"
	@echo "make docs   write the generated pages of docs/"
	@echo "make deps   everything that the others install"
	@echo "make clean  remove what was built"

deps: compiler browser
	@go mod download

compiler:
	@scripts/install compiler

browser:
	@scripts/install browser

build:
	@go build -o bin/pact-conform ./cmd/pact-conform

# Without a browser the demo goes on: the report says which requirements it could not show.
demo: build
	@scripts/install browser || echo "going on without a browser" >&2
	@bin/pact-conform demo --report-dir "$(REPORT)"

# Every design and every defect of login and consent pages is for make proof, which wants the machine
# for itself; make test drives Chromium through the command.
# The race detector slows the proof of the suites down, so that it sees a sample of the defects and
# dialects; all of them are run without it.
BROWSER := ./harness/browser
PAGES := TestEveryLookIsRead|TestEveryDefectOfPagesIsCaught
test: compiler browser lint
	go test -race -timeout 20m $$(go list ./... | grep -v "$(BROWSER:.%=%)$$")
	go test -timeout 20m ./suites/identity
	go test -timeout 20m -skip '$(PAGES)' ./suites/delegated

proof: browser
	PROOF=full go test -timeout 30m -run '$(PAGES)' -v ./suites/delegated

# The tests of what drives Chromium provoke crashes and deadlines, and want the machine for themselves.
test-browser: browser
	go test -timeout 20m $(BROWSER)

bench:
	go test -run '^$$' -bench . -benchtime 1x -timeout 60m ./...

lint:
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	go vet ./...
	go tool staticcheck ./...
	scripts/check-docs

docs:
	go generate ./...

clean:
	rm -rf bin pact-conform-report
