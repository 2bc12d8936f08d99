# Each target sets up what it needs: see install.sh. PYTHON chooses the interpreter (3.11).
.PHONY: help demo test check fuzz lint accept bench wheel clean
.DEFAULT_GOAL := help

# Three processes for two cores, each with tests of its own; who has none left takes half of what another has still to do.
SIDE_BY_SIDE := --numprocesses auto --maxprocesses 4 --dist worksteal

help:
	@echo 'make demo    a robot fetches the milk, its door is pushed shut half-way; writes a report'
	@echo 'make test    all tests'
	@echo 'make check   format, lint, types and the fast tests'
	@echo 'make fuzz    each reader of outside text against mutated texts, a minute each'
	@echo 'make accept  thirty whole runs in simulation, judged from outside (about 15 minutes)'
	@echo 'make bench   the timings of docs/benchmarks.md'
	@echo 'make wheel   a wheel in dist/, for pip install in another environment'

.venv/ready: locks/requirements.lock locks/torch.lock pyproject.toml install.sh
	@PYTHON='$(PYTHON)' ./install.sh

demo: .venv/ready
	@.venv/bin/graftwork demo

test: .venv/ready
	@.venv/bin/pytest $(SIDE_BY_SIDE)

lint: .venv/ready
	@.venv/bin/ruff format --check .
	@.venv/bin/ruff check .
	@.venv/bin/mypy

check: lint
	@.venv/bin/pytest $(SIDE_BY_SIDE) -m 'not slow'

fuzz: .venv/ready
	@GRAFTWORK_FUZZ_SECONDS=$${GRAFTWORK_FUZZ_SECONDS:-60} .venv/bin/pytest $(SIDE_BY_SIDE) tests/fuzz

accept: .venv/ready
	@.venv/bin/python -m benchmarks.accept

bench: .venv/ready
	@.venv/bin/python -m benchmarks.timings

wheel: .venv/ready
	@rm -rf build dist
	@.venv/bin/python -m pip wheel . --no-deps --no-build-isolation --quiet --wheel-dir dist
	@echo dist/*.whl

clean:
	rm -rf .venv runs build dist *.egg-info
