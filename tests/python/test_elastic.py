"""Elastic bodies, systems given by sparse matrices, and contacts of nodes."""

import numpy as np
import pytest
import saltus
import scipy.sparse as sp


def test_box_mesh_numbers_nodes_along_x():
    mesh = saltus.box_mesh("quad", [2.0, 1.0], [2, 1], origin=[1.0, 0.0])
    assert mesh.kind == "quad"
    assert mesh.nodes.tolist() == [[1, 0], [2, 0], [3, 0], [1, 1], [2, 1], [3, 1]]
    assert mesh.elements.tolist() == [[0, 1, 4, 3], [1, 2, 5, 4]]
    assert mesh.nodes_on(1, 1.0) == [3, 4, 5]
    same = saltus.Mesh("quad", mesh.nodes, mesh.elements)
    assert same.nodes_on(0, 1.0) == [0, 3]


def test_matrices_of_a_body_are_sparse():
    body = saltus.ElasticBody(saltus.box_mesh("bar", [1.0], [4]), young=8.0, density=2.0, section=0.5)
    M, K = body.mass_matrix(), body.stiffness_matrix()
    assert sp.issparse(M) and sp.issparse(K)
    assert M.sum() == pytest.approx(1.0, rel=1e-14)
    assert body.mass() == pytest.approx(1.0, rel=1e-14)
    # E A / l = 16 between neighbours
    assert K.toarray()[1].tolist() == pytest.approx([-16, 32, -16, 0, 0])
    # a stretch of 1 %: stress E / 100
    stress = body.stresses(0.01 * body.mesh.nodes[:, 0])
    assert stress == pytest.approx(np.full((4, 1), 0.08))


def test_bar_rebounds_from_a_wall():
    bar = saltus.ElasticBody(saltus.box_mesh("bar", [1.0], [100]))
    model = saltus.Model()
    system = model.add(bar, q=np.zeros(bar.dof), v=np.ones(bar.dof))
    ids = saltus.link_plane(model, system, bar, [100], [-1.0], -1.0, saltus.NewtonImpact(), name="wall")
    assert model.interactions()[ids[0].index].name == "wall[100]"
    run = saltus.Simulation(model, saltus.MoreauJean(), step=5e-3).run(3.0)
    # exact: the impulse reverses the momentum 1; a front is a few elements wide
    assert run.r.sum() == pytest.approx(2.0, abs=0.03)


def test_sparse_and_dense_systems_move_alike():
    K = np.diag([4.0, 5.0, 6.0]) - np.eye(3, k=1) - np.eye(3, k=-1)
    q = [0.1, 0.0, -0.2]

    def end(system):
        model = saltus.Model()
        model.add(system, q=q)
        return saltus.Simulation(model, saltus.MoreauJean(), step=1e-2).run(2.0).q[-1]

    dense = end(saltus.LinearLagrangian(M=np.eye(3), K=K))
    sparse = end(saltus.SparseLagrangian(M=sp.identity(3), K=sp.csr_matrix(K), nodes=3))
    assert sparse == pytest.approx(dense, abs=1e-13)  # two factorisations, 200 steps


def test_held_degrees_of_freedom_follow_their_motion():
    K = sp.csc_matrix([[1.0, -1.0], [-1.0, 1.0]])
    model = saltus.Model()
    system = saltus.SparseLagrangian(M=sp.identity(2), K=K, nodes=2, held=[0],
                                     motion=lambda t, z: [np.cos(t)])
    model.add(system, q=[0.0, 0.0], v=[1.0, 0.0])
    run = saltus.Simulation(model, saltus.MoreauJean(), step=1e-2).run(1.0)
    assert run.v[:, 0] == pytest.approx(np.cos(run.t), abs=1e-14)


def test_descriptor_system_with_a_singular_matrix():
    # x0' = -x0 + x1, 0 = x0 + x1: x0 = exp(-2t)
    model = saltus.Model()
    model.add(saltus.SparseFirstOrder(A=sp.csc_matrix([[-1.0, 1.0], [1.0, 1.0]]), E=sp.diags([1.0, 0.0])),
              x=[1.0, -1.0])
    run = saltus.Simulation(model, saltus.MoreauJean(theta=1.0), step=1e-3).run(1.0)
    assert run.x[-1] == pytest.approx([np.exp(-2), -np.exp(-2)], rel=2e-3)  # order 1


def test_cubes_rest_on_each_other():
    def cube(n, z):
        return saltus.ElasticBody(saltus.box_mesh("brick", [1.0] * 3, [n] * 3, origin=[0, 0, z]), young=1e6,
                                  density=1000.0, damping_stiffness=0.02, gravity=[0, 0, -9.81])

    lower, upper = cube(2, 0.0), cube(1, 1.0)
    model = saltus.Model()
    a = model.add(lower, q=np.zeros(lower.dof))
    b = model.add(upper, q=np.zeros(upper.dof))
    law = saltus.Coulomb(mu=0.3)
    saltus.link_plane(model, a, lower, lower.mesh.nodes_on(2, 0.0), [0, 0, 1], 0.0, law)
    sides = saltus.link_sides(model, b, upper, upper.mesh.nodes_on(2, 1.0), a, lower,
                              lower.mesh.nodes_on(2, 1.0), [0, 0, 1], law)
    assert len(sides) == 4
    run = saltus.Simulation(model, saltus.MoreauJean(theta=0.7), step=5e-3).run(2.0)
    force = run.r[-1].reshape(-1, 3)[:, 0] / 5e-3
    # what is left of the vibration after 2 s of damping: below 1 %
    assert force[:9].sum() == pytest.approx(2 * 9810, rel=1e-2)
    assert force[9:].sum() == pytest.approx(9810, rel=1e-2)


def test_mistakes_are_told():
    mesh = saltus.box_mesh("quad", [1.0, 1.0], [1, 1])
    with pytest.raises(saltus.Error, match="kind is 'hexagon'"):
        saltus.box_mesh("hexagon", [1.0], [1])
    with pytest.raises(saltus.Error, match="young is -1"):
        saltus.ElasticBody(mesh, young=-1.0)
    with pytest.raises(saltus.Error, match="element 0 has node 7"):
        saltus.Mesh("bar", [[0.0], [1.0]], [[0, 7]])
    with pytest.raises(saltus.Error, match="K is 1x1, expected 2x2 like M"):
        saltus.SparseLagrangian(M=sp.identity(2), K=sp.identity(1))
    with pytest.raises(TypeError, match="held"):
        saltus.ElasticBody(mesh, held=[0.5])
    body = saltus.ElasticBody(mesh)
    model = saltus.Model()
    system = model.add(body, q=np.zeros(8))
    with pytest.raises(saltus.Error, match="node 9, there are 4"):
        saltus.link_plane(model, system, body, [9], [0, 1], 0.0, saltus.NewtonImpact())
