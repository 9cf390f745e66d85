"""Rigid bodies in contact with friction, from Python."""

import numpy as np
import pytest
import saltus


def box_on_the_ground(mu=0.5, **body):
    scene = saltus.RigidScene()
    scene.fix_plane(mu=mu)
    number = scene.add_box([0.5, 0.4, 0.1], x=[0.0, 0.0, 0.1], mu=mu, **body)
    assert number == 0 and scene.bodies() == 1
    return scene


def test_a_box_at_rest_stands_on_four_points_that_carry_its_weight():
    sim = saltus.Simulation(box_on_the_ground().model(), step=0.01)
    for _ in range(5):
        assert sim.advance().done()
    contacts = sim.contacts()
    assert len(contacts) == 4
    assert contacts.points.shape == (4, 3)
    assert np.allclose(contacts.gaps, 0.0, atol=1e-9)
    assert set(contacts.bodies.ravel()) == {-1.0, 0.0}
    # percussions act on the first body of each contact, the world: weight 160 kg · g · h
    assert contacts.percussions.sum(axis=0) == pytest.approx([0.0, 0.0, -160 * 9.81 * 0.01],
                                                             abs=1e-6)


def test_gravity_and_friction_decide_whether_a_box_slides():
    down = 9.81 * np.array([np.sin(0.3), 0.0, -np.cos(0.3)])
    sim = saltus.Simulation(box_on_the_ground(mu=0.2).model(gravity=down), step=0.01)
    run = sim.run(1.0)
    assert run.report.ok()
    assert run["bodies.v[0]"][-1] == pytest.approx(
        9.81 * (np.sin(0.3) - 0.2 * np.cos(0.3)), abs=1e-6)
    assert run.q.shape[1] == 7 and run.v.shape[1] == 6


def test_a_pool_keeps_the_norm_of_its_quaternions():
    model = saltus.Model()
    model.add(saltus.RigidBodies(m=[1.0], inertia=[[1.0, 2.0, 3.0]]), q=[0, 0, 0, 2, 0, 0, 0],
              v=[0, 0, 0, 1, 2, 3])
    assert (model.dof(), model.positions()) == (6, 7)
    run = saltus.Simulation(model, step=0.01).run(1.0)
    assert np.linalg.norm(run.q[:, 3:7], axis=1) == pytest.approx(1.0, abs=1e-14)


def test_problems_are_dumped_as_fclib_files(tmp_path):
    sim = saltus.Simulation(saltus.BoxStack(count=2).model(), step=5e-3)
    sim.dump_problems(tmp_path, title="stack", every=2)
    sim.run(0.02)
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == ["stack-nc-8-2.hdf5", "stack-nc-8-4.hdf5"]
    stored = saltus.read_fclib(tmp_path / files[0])
    assert stored.problem.mu.size == 8


def test_polyhedra_capsules_and_spheres_meet():
    scene = saltus.RigidScene()
    scene.fix_box([1.0, 1.0, 0.5], x=[0.0, 0.0, -0.5])
    scene.add_sphere(0.1, x=[0.0, 0.0, 0.1])
    scene.add_capsule(0.1, 0.2, x=[0.4, 0.0, 0.1], turn=[np.pi / 2, 0.0, 0.0])
    corners = [[x, y, z] for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)]
    scene.add_polyhedron(corners, x=[-0.4, 0.0, 0.1])
    sim = saltus.Simulation(scene.model(), step=1e-3)
    assert sim.advance().done()
    assert len(sim.contacts()) == 1 + 2 + 4


def test_mistakes_are_named():
    scene = saltus.RigidScene()
    with pytest.raises(saltus.Error, match="radius is -1"):
        scene.add_sphere(-1.0)
    with pytest.raises(saltus.Error, match="expected 3"):
        scene.add_box([1.0, 2.0])
    with pytest.raises(saltus.Error, match="there is no body"):
        scene.model()
