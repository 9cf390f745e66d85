"""NumPy without copies, and memory that lives as long as somebody looks at it."""

import gc
import weakref

import numpy as np
import pytest
import saltus


def simulation(**options):
    return saltus.Simulation(saltus.BouncingBall().model(), step=5e-3, **options)


def test_the_arrays_of_a_run_are_views():
    run = simulation().run(1.0)
    for letter in "tqvyur":
        array = getattr(run, letter)
        assert not array.flags.owndata
        assert array.base is run
        assert np.shares_memory(array, getattr(run, letter))


def test_a_column_by_name_is_a_view_of_its_table():
    run = simulation().run(1.0)
    assert np.shares_memory(run["ball.q[0]"], run.q)
    assert np.array_equal(run["ground.r[0]"], run.r[:, 0])
    assert np.shares_memory(run["t"], run.t)
    assert "ball.q[0]" in run and "ball.q[1]" not in run
    assert run.names() == ["t", "ball.q[0]", "ball.v[0]", "ground.y[0]", "ground.u[0]", "ground.r[0]"]


def test_the_arrays_of_a_run_are_read_only():
    run = simulation().run(0.1)
    with pytest.raises(ValueError, match="read-only"):
        run.q[0, 0] = 1.0


def test_an_array_outlives_run_and_simulation():
    q = simulation().run(1.0).q
    expected = q.tobytes()
    gc.collect()
    rubbish = [np.full(201, 7.0) for _ in range(100)]
    assert q.tobytes() == expected and len(rubbish) == 100


def test_a_state_that_an_observer_keeps_is_not_overwritten():
    sim, kept = simulation(), []
    sim.observe(lambda o: kept.append(o.state))
    run = sim.run(0.5)
    assert [state.t for state in kept] == list(run.t[1:])
    assert np.array_equal([state.q[0] for state in kept], run.q[1:, 0])


def test_an_array_that_a_callback_keeps_is_not_overwritten():
    kept = []

    def force(state):
        kept.append((state.t, state.v))
        return [-1.0]

    model = saltus.Model()
    model.add(saltus.Lagrangian(n=1, M=1.0, F=force), q=[0.0], v=[0.0])
    run = saltus.Simulation(model, step=0.1).run(1.0)
    recorded = {t: v for t, v in zip(run.t, run.v[:, 0])}
    begun = [(t, v[0]) for t, v in kept if t in recorded and v[0] == recorded[t]]
    assert len({t for t, _ in begun}) == len(run.t)


def test_the_state_shown_to_a_callback_is_read_only():
    sim = simulation()
    sim.stop_when(lambda state: state.q.flags.writeable)
    assert sim.run(0.1).report.end == saltus.RunEnd.reached_end


def test_a_state_may_be_changed_and_put_back():
    sim = simulation()
    state = sim.state()
    state.q[0] = 2.0
    assert np.shares_memory(state.q, state.q)
    assert sim.state().q[0] == 1.0
    sim.set_state(state)
    assert sim.state().q[0] == 2.0


def test_vectors_of_a_problem_are_views_that_may_be_changed():
    problem = saltus.Lcp(np.eye(2), [-1.0, -2.0])
    problem.q[0] = -5.0
    solution, report = saltus.solve(problem)
    assert report.converged() and list(solution) == [5.0, 2.0]


def test_a_simulation_that_its_observers_refer_to_is_freed():
    sim = simulation()
    sim.observe(lambda o, own=sim: own.state())
    sim.stop_when(lambda state, own=sim: own is None)
    sim.run(0.1)
    last = weakref.ref(sim)
    del sim
    gc.collect()
    assert last() is None
