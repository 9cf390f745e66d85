"""The type stubs and the package say the same, and everything has a docstring."""

import ast
import builtins
import inspect
from pathlib import Path

import pytest
import saltus

STUBS = {
    path.stem: ast.parse(path.read_text(encoding="utf-8"))
    for path in Path(saltus.__file__).parent.glob("*.pyi")
}
BODY = [node for stub in STUBS.values() for node in stub.body]
CLASSES = {node.name: node for node in BODY if isinstance(node, ast.ClassDef)}
FUNCTIONS = {node.name: node for node in BODY if isinstance(node, ast.FunctionDef)}
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


def names(stub):
    """What a stub defines itself, in the order of the file."""
    for node in stub.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.AnnAssign):
            yield node.target.id


def test_the_package_takes_everything_from_the_stubs_by_topic():
    taken = {
        node.module
        for node in STUBS["__init__"].body
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
    }
    assert taken == set(STUBS) - {"__init__"}
    owners = [(name, stem) for stem, stub in STUBS.items() for name in set(names(stub))]
    assert len({name for name, _ in owners}) == len(owners)  # each name in one stub


@pytest.mark.parametrize("stem", STUBS)
def test_a_stub_knows_the_names_it_uses(stem):
    known = set(names(STUBS[stem])) | set(vars(builtins))
    for node in STUBS[stem].body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            known |= {alias.asname or alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.names[0].name != "*":
            if node.module is None:  # a module of the package
                for alias in node.names:
                    assert (Path(saltus.__file__).parent / f"{alias.name}.py").exists()
            else:
                assert {alias.name for alias in node.names} <= set(names(STUBS[node.module]))
    used = {
        node.id
        for node in ast.walk(STUBS[stem])
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    assert used <= known


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
