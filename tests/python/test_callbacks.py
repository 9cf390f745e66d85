"""Observers, stop conditions, exceptions out of callbacks, Ctrl-C."""

import os
import signal
import threading
import time
import traceback

import numpy as np
import pytest
import saltus


def ball_simulation(step=5e-3, **options):
    return saltus.Simulation(saltus.BouncingBall().model(), step=step, **options)


class Trap:
    """A falling point whose force fails once it is armed and t exceeds 0.5."""

    armed = False

    def dof(self):
        return 1

    def mass(self, state):
        return 1.0

    def force(self, state):
        if self.armed and state.t > 0.5:
            raise ZeroDivisionError("sprung")
        return -9.81


def trap_simulation(trap):
    model = saltus.Model()
    body = model.add(trap, q=[1.0])
    model.link(body, saltus.LinearRelation(H=[[1.0]]), saltus.NewtonImpact(e=0.9))
    return saltus.Simulation(model, step=1e-2)


def test_an_exception_in_a_system_leaves_run_with_its_traceback():
    trap = Trap()
    sim = trap_simulation(trap)
    trap.armed = True
    with pytest.raises(ZeroDivisionError, match="sprung") as caught:
        sim.run(1.0)
    assert traceback.extract_tb(caught.tb)[-1].name == "force"


def test_after_an_exception_the_simulation_goes_on_as_if_nothing_had_been():
    trap = Trap()
    sim, untroubled = trap_simulation(trap), trap_simulation(Trap())
    trap.armed = True
    with pytest.raises(ZeroDivisionError):
        sim.run(1.0)
    assert 0.48 < sim.state().t < 0.51
    trap.armed = False
    assert sim.run(1.0).q[-1].tobytes() == untroubled.run(1.0).q[-1].tobytes()


def test_an_exception_in_a_relation_leaves_run():
    class Wall:
        def rows(self):
            return 1

        def dof(self):
            return 1

        def output(self, state):
            raise KeyError("no wall")

    model = saltus.Model()
    body = model.add(saltus.PointMass(), q=[0.0])
    model.link(body, Wall(), saltus.NewtonImpact())
    with pytest.raises(KeyError, match="no wall"):
        saltus.Simulation(model, step=1e-2).run(1.0)


def test_an_observer_sees_every_step():
    sim, steps = ball_simulation(), []
    sim.observe(lambda o: steps.append((o.step, o.state.t, o.report.done(), o.end_time)))
    run = sim.run(0.5)
    assert steps == [(n, t, True, 0.5) for n, t in enumerate(run.t[1:], start=1)]


def test_an_exception_in_an_observer_keeps_what_was_recorded():
    sim = ball_simulation()

    def observer(o):
        if o.step == 7 and o.state.t < 0.05:
            raise RuntimeError("enough")

    sim.observe(observer)
    with pytest.raises(RuntimeError, match="enough") as caught:
        sim.run(1.0)
    assert traceback.extract_tb(caught.tb)[-1].name == "observer"
    assert len(sim.last_run()) == 8
    assert sim.state().t == sim.last_run().t[-1]
    assert sim.run(1.0).t[-1] == 1.0


def test_a_stop_condition_ends_the_run():
    sim = ball_simulation()
    sim.stop_when(lambda state: state.v[0] > 0)
    run = sim.run(10.0)
    assert run.report.end == saltus.RunEnd.stopped and run.report.ok()
    assert run.t[-1] == pytest.approx(0.455)


def test_an_exception_in_a_stop_condition_leaves_run():
    sim = ball_simulation()
    sim.stop_when(lambda state: state.nothing)
    with pytest.raises(AttributeError, match="nothing"):
        sim.run(1.0)
    assert len(sim.last_run()) == 2


def test_a_run_cannot_be_restarted_by_its_own_observer():
    sim = ball_simulation()
    sim.observe(lambda o: sim.run(2.0))
    with pytest.raises(saltus.Error, match="is running"):
        sim.run(1.0)


def test_ctrl_c_interrupts_a_long_run_and_keeps_what_was_recorded():
    sim = ball_simulation(step=1e-6, record=saltus.RecordOptions(every=10**6))
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        sim.run(1e4)
    timer.join()
    assert time.monotonic() - begin < 10
    run = sim.last_run()
    assert run.report.end == saltus.RunEnd.stopped
    assert 0 < run.t[-1] == sim.state().t < 1e4
    assert sim.run(run.t[-1] + 1e-3).report.end == saltus.RunEnd.reached_end


def test_other_threads_work_while_a_run_computes():
    sim, ticks, done = ball_simulation(step=1e-6), [], threading.Event()

    def tick():
        while not done.wait(0.001):
            ticks.append(time.monotonic())

    sim.stop_when(lambda state: len(ticks) >= 3)
    thread = threading.Thread(target=tick)
    thread.start()
    run = sim.run(10.0)
    done.set()
    thread.join()
    assert run.report.end == saltus.RunEnd.stopped


def test_two_simulations_run_in_two_threads_as_they_do_alone():
    alone = ball_simulation().run(5.0)
    runs = {}

    def work(key):
        runs[key] = ball_simulation().run(5.0)

    threads = [threading.Thread(target=work, args=(key,)) for key in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(runs[key].q, alone.q) for key in range(2))
