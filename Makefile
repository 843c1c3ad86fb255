# Two commands: `make run` and `make test`. Everything else is for those who work on the house.
PYTHON ?= python3
PORT ?= 8000
VENV = .venv/bin/python
.PHONY: run test bench bench-bots lint messages setup setup-dev clean

run: setup
	@DEBUG=1 PORT=$(PORT) exec $(VENV) manage.py dev

test: setup-dev
	@exec $(VENV) -m tests.run

lint: setup-dev
	@exec $(VENV) -m tests.run --static

bench: setup-dev
	@exec $(VENV) -m bench

bench-bots: setup-dev
	@exec $(VENV) -m bench.bots

messages: setup-dev
	@exec $(VENV) -m tests.translations --update

setup:
	@$(PYTHON) cinqsite/management/install.py

setup-dev:
	@$(PYTHON) cinqsite/management/install.py --dev

# The virtual environment, caches and collected files; not var/, which holds the database and the keys.
clean:
	@rm -rf .venv staticfiles .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
