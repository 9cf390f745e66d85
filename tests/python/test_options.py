"""Options: keywords with the defaults of C++, attributes, repr, comparison, pickle."""

import copy
import inspect
import pickle

import numpy as np
import pytest
import saltus

CLASSES = [
    getattr(saltus, name) for name in saltus.__all__ if hasattr(getattr(saltus, name), "_fields")
]


@pytest.mark.parametrize("cls", CLASSES, ids=lambda c: c.__name__)
def test_defaults_can_be_read_written_copied_and_pickled(cls):
    options = cls()
    assert options == cls(**{name: getattr(options, name) for name in cls._fields})
    assert copy.deepcopy(options) == options
    assert pickle.loads(pickle.dumps(options)) == options
    assert eval(repr(options), {**vars(saltus), "inf": np.inf}) == options
    for name in cls._fields:
        setattr(options, name, getattr(options, name))
        assert name in cls.__doc__


@pytest.mark.parametrize("cls", CLASSES, ids=lambda c: c.__name__)
def test_the_signature_lists_the_fields(cls):
    assert list(inspect.signature(cls).parameters) == list(cls._fields)


def test_defaults_are_those_of_cpp():
    scheme = saltus.MoreauJean()
    assert (scheme.theta, scheme.gamma, scheme.newton_iterations) == (0.5, 0.5, 30)
    assert scheme.solver == saltus.Automatic()
    assert repr(saltus.Lemke()) == "Lemke(tolerance=1e-08, max_iterations=0)"


def test_a_value_out_of_range_leaves_the_option_as_it_was():
    scheme = saltus.MoreauJean(theta=0.75)
    with pytest.raises(saltus.Error, match="theta is 2"):
        scheme.theta = 2.0
    assert scheme.theta == 0.75


def test_options_within_options_are_shared_not_copied():
    scheme = saltus.MoreauJean(solver=saltus.Lemke())
    scheme.solver.tolerance = 1e-11
    assert scheme.solver.tolerance == 1e-11
    model = saltus.BouncingBall().model()
    sim = saltus.Simulation(model, scheme, step=1e-2)
    scheme.solver.tolerance = 1e-3
    assert sim.scheme().solver == saltus.Lemke(tolerance=1e-11)


def test_arrays_within_options_may_be_changed_in_place():
    mass = saltus.PointMass(m=1.0, gravity=[-9.81])
    mass.gravity[0] = -1.0
    model = saltus.Model()
    model.add(mass, q=[0.0])
    assert saltus.Simulation(model, step=1.0).run(1.0).v[-1, 0] == -1.0


def test_given_arrays_are_copied():
    H = np.array([[1.0]])
    relation = saltus.LinearRelation(H=H)
    H[0, 0] = 2.0
    assert relation.H[0, 0] == 1.0


def test_ready_models_have_their_parameters():
    assert saltus.BeadColumn(count=7).model().dof() == 7
    assert saltus.DiodeBridge().model().first_order_size() == 2
    assert saltus.BouncingBall(e=0.5).model().interactions()[0].law == saltus.NewtonImpact(e=0.5)
