"""The examples run."""

import importlib.util
import os
import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def test_stand(capsys):
    runpy.run_path(str(EXAMPLES / "stand.py"), run_name="__main__")
    assert "N in all" in capsys.readouterr().out


def test_cross_entropy_learns():
    assert runpy.run_path(str(EXAMPLES / "cross_entropy.py"))["main"](rounds=5) > 0.8


@pytest.mark.skipif(not importlib.util.find_spec("nbclient"), reason="needs nbclient and ipykernel")
@pytest.mark.skipif(not importlib.util.find_spec("matplotlib"), reason="needs matplotlib")
@pytest.mark.filterwarnings("ignore")
def test_the_notebook():
    import nbformat
    from nbclient import NotebookClient

    os.environ["MPLBACKEND"] = "agg"
    notebook = nbformat.read(EXAMPLES / "forces.ipynb", as_version=4)
    lines = [line for cell in notebook.cells if cell.cell_type == "code" for line in cell.source.splitlines()]
    assert len(lines) <= 20
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(EXAMPLES)}}).execute()
