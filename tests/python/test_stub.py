"""The type stub and the package say the same, and everything has a docstring."""

import ast
import inspect
from pathlib import Path

import pytest
import saltus

STUB = ast.parse(Path(saltus.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}
FUNCTIONS = {node.name: node for node in STUB.body if isinstance(node, ast.FunctionDef)}
PUBLIC = [name for name in CLASSES if not name.startswith("_")]


def members(name):
    """Methods and attributes of a class in the stub, those of its base classes included."""
    found = {}
    for base in CLASSES[name].bases:
        if isinstance(base, ast.Name) and base.id in CLASSES:
            found.update(members(base.id))
    for node in CLASSES[name].body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = node
        elif isinstance(node, ast.AnnAssign):
            found[node.target.id] = node
    return found


def is_property(node):
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list
    )


def parameters(node):
    """(name, kind, has a default) of each parameter in the stub, without self."""
    args = node.args
    plain = [a.arg for a in args.args]
    optional = len(plain) - len(args.defaults)
    found = [(name, "plain", i >= optional) for i, name in enumerate(plain)]
    if args.vararg:
        found.append((args.vararg.arg, "star", False))
    found += [(a.arg, "keyword", d is not None) for a, d in zip(args.kwonlyargs, args.kw_defaults)]
    return [p for p in found if p[0] != "self"]


def runtime_parameters(function):
    kinds = {
        inspect.Parameter.POSITIONAL_ONLY: "plain",
        inspect.Parameter.POSITIONAL_OR_KEYWORD: "plain",
        inspect.Parameter.VAR_POSITIONAL: "star",
        inspect.Parameter.KEYWORD_ONLY: "keyword",
    }
    return [
        (p.name, kinds[p.kind], p.default is not p.empty)
        for p in inspect.signature(function).parameters.values()
        if p.name != "self"
    ]


def test_the_stub_lists_the_names_of_the_package():
    assert set(PUBLIC) | set(FUNCTIONS) | {"__version__"} == set(saltus.__all__)
    assert (Path(saltus.__file__).parent / "py.typed").exists()


@pytest.mark.parametrize("name", PUBLIC)
def test_the_stub_lists_the_members_of_each_class(name):
    cls = getattr(saltus, name)
    runtime = {member for member in dir(cls) if not member.startswith("_")}
    if issubclass(cls, Exception):
        runtime -= set(dir(ValueError))
    assert {member for member in members(name) if not member.startswith("_")} == runtime


@pytest.mark.parametrize("name", PUBLIC)
def test_the_stub_has_the_keywords_of_each_method(name):
    cls = getattr(saltus, name)
    for member, node in members(name).items():
        if not isinstance(node, ast.FunctionDef) or is_property(node):
            continue
        if member == "__init__" and not hasattr(cls, "__members__"):
            assert parameters(node) == runtime_parameters(cls), name
        elif not member.startswith("_"):
            assert parameters(node) == runtime_parameters(getattr(cls, member)), member


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_stub_has_the_keywords_of_each_function(name):
    assert parameters(FUNCTIONS[name]) == runtime_parameters(getattr(saltus, name))


def test_everything_public_has_a_docstring():
    bare = [name for name in [*PUBLIC, *FUNCTIONS] if not inspect.getdoc(getattr(saltus, name))]
    for name in PUBLIC:
        cls = getattr(saltus, name)
        if issubclass(cls, Exception) or hasattr(cls, "__members__"):
            continue
        bare += [
            f"{name}.{member}"
            for member in dir(cls)
            if not member.startswith("_") and not getattr(cls, member).__doc__
        ]
    assert bare == []


def test_the_version_is_that_of_the_project():
    root = Path(__file__).parents[2] / "CMakeLists.txt"
    assert f"VERSION {saltus.__version__} " in root.read_text(encoding="utf-8")
