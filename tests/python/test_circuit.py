"""Circuits from netlists."""

import numpy as np
import pytest
import saltus

RC = """RC
V1 a 0 1
R1 a b 1k
C1 b 0 1u ic=0
.tran 1u 5m
.probe v(b) i(c1)
.meas mean avg v(b) from=1m to=2m
"""


def test_probes_are_columns_over_time():
    run = saltus.circuit(RC)
    assert run.names() == ["v(b)", "i(c1)"]
    assert run.failure == ""
    # steps of at most 1/50 of the run, 0.1 RC: (0.1)^3/6 on the way, 1e-3 of full scale at most
    np.testing.assert_allclose(run["v(b)"], 1 - np.exp(-run.t / 1e-3), atol=1e-3)
    exact = 1 - (np.exp(-1) - np.exp(-2))
    assert run.measures["mean"] == pytest.approx(exact, abs=1e-3)
    assert len(run.trajectory) == len(run.t) == 5001


def test_a_file_is_read_and_step_and_end_may_be_given(tmp_path):
    file = tmp_path / "rc.cir"
    file.write_text(RC)
    run = saltus.circuit(file, step=1e-5, until=1e-3, every=10)
    assert run.t[-1] == pytest.approx(1e-3)
    assert len(run.t) == 11
    second = saltus.circuit(str(file), theta=0.5)
    # order 2: (h / RC)^2
    np.testing.assert_allclose(second["v(b)"], 1 - np.exp(-second.t / 1e-3), atol=1e-6)


def test_the_accuracy_chooses_the_steps():
    errors = []
    for accuracy in (1e-3, 1e-5, 1e-7):
        run = saltus.circuit(RC, accuracy=accuracy)
        errors.append(np.abs(run["v(b)"] - (1 - np.exp(-run.t / 1e-3))).max())
        assert len(run.t) == 5001  # every step of .tran
        assert errors[-1] <= accuracy * run.trajectory.report.steps
    assert errors[2] < errors[1] < errors[0]
    assert len(saltus.circuit(RC, accuracy=1e-3, step=1e-4).t) == 51
    assert saltus.circuit(RC, accuracy=0).trajectory.report.steps == 5000
    with pytest.raises(saltus.Error, match="accuracy"):
        saltus.circuit(RC, accuracy=0.9)


def test_mistakes_are_told_with_line_and_column():
    with pytest.raises(saltus.Error, match="line 2, column 8: 'x' is no number"):
        saltus.circuit("t\nR1 a 0 x\n")
    with pytest.raises(saltus.Error, match="nothing.cir: cannot be read"):
        saltus.circuit("nothing.cir")
    with pytest.raises(saltus.Error, match="v2, v1 form a loop"):
        saltus.circuit("t\nV1 a 0 1\nV2 a 0 2\n.tran 1 2\n")


def test_a_failed_run_keeps_what_it_recorded():
    run = saltus.circuit("t\nV1 a 0 5\nS1 a 0 pulse(0 1 1m 0 0 1m 10m)\n.tran 0.1m 3m uic\n")
    assert "no solution at t = 0.001 s" in run.failure
    assert run.t[-1] == pytest.approx(1e-3)


def test_the_trajectory_draws_voltages_and_currents():
    axes = saltus.circuit(RC).trajectory.plot(show=False)
    assert [a.get_ylabel() for a in axes] == ["voltage [V]", "current [A]"]
