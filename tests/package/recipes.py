#!/usr/bin/env python3
"""recipes.py: packaging/ and the workflow agree with bootstrap: every package that it installs for a build is in the
recipes of conda and Spack under its name there, and nothing else is; every way that the workflow calls bootstrap in is
one of its own; versions are CMakeLists.txt's; Spack's recipe passes the tools that `spack style` calls, as Spack sets
them. Skipped (77) without Jinja and PyYAML."""

import ast
import pathlib
import re
import subprocess
import sys

try:
    import jinja2
    import yaml
except ImportError as missing:
    print(f"not tested: {missing}")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
WRONG = []

# Debian's names of what a build needs: those of conda-forge and of Spack.
NAMES = {
    "g++": ({"compiler_c", "compiler_cxx"}, {"c", "cxx"}),
    "cmake": ({"cmake"}, {"cmake"}),
    "ninja-build": ({"ninja"}, set()),  # Spack's by generator("ninja")
    "pkg-config": ({"pkg-config"}, {"pkgconfig"}),
    "libluajit-5.1-dev": ({"luajit"}, {"lua-luajit"}),
    "libyaml-cpp-dev": ({"yaml-cpp"}, {"yaml-cpp"}),
    "libcli11-dev": ({"cli11"}, {"cli11"}),
    "libfmt-dev": ({"fmt"}, {"fmt"}),
    "libeigen3-dev": ({"eigen"}, {"eigen"}),
    "libhdf5-dev": ({"hdf5"}, {"hdf5"}),
    "zlib1g-dev": ({"zlib"}, {"zlib-api"}),
    "libedit-dev": ({"libedit"}, {"libedit"}),
    "libcpp-httplib-dev": (set(), set()),  # for the explorer, which needs Chart.js, too: neither has that
    "libjs-chart.js": (set(), set()),
}

# What `spack style` calls, with the settings of Spack's pyproject.toml.
STYLE_OF_SPACK = (
    ["black", "--check", "--quiet", "--diff", "--line-length=99", "--skip-magic-trailing-comma"],
    ["isort", "--check", "--diff", "--settings-path=/dev/null", "--profile=black", "--line-length=99", "--project=spack"],
    ["flake8", "--isolated", "--max-line-length=99", "--extend-ignore=E731,E203,F403,F405,F811,F821"],
)


def wrong(text):
    WRONG.append(text)


def same(what, has, needs):
    if has != needs:
        wrong(f"{what}: lacks {sorted(needs - has)}, has {sorted(has - needs)} too much")


def text_of(file):
    return (ROOT / file).read_text()


def name_of(requirement):
    return re.split(r"[ @+~<>=]", requirement)[0]


def conda(version):
    recipe = ROOT / "packaging/conda"

    def load_file_regex(load_file, regex_pattern, from_recipe_dir):
        return re.search(regex_pattern, (recipe / load_file).read_text()) if from_recipe_dir else None

    template = jinja2.Environment(undefined=jinja2.StrictUndefined).from_string((recipe / "meta.yaml").read_text())
    meta = yaml.safe_load(template.render(load_file_regex=load_file_regex, compiler=lambda name: f"compiler_{name}"))
    if str(meta["package"]["version"]) != version:
        wrong(f"conda: version {meta['package']['version']}, CMakeLists.txt has {version}")
    needs = meta["requirements"]
    has = {name_of(one) for one in needs["build"] + needs["host"]}
    same("conda", has, set().union(*(a for a, _ in NAMES.values())))
    for one in needs["run"]:
        if name_of(one) not in needs["host"] + ["gxx"]:
            wrong(f"conda: {one} is run with, but not built with")
    for file in (meta["about"]["license_file"],):
        if not (ROOT / file).exists():
            wrong(f"conda: there is no {file}")


def spack(version):
    folder = ROOT / "packaging/spack/spack_repo/bmsim"
    repository = yaml.safe_load((folder / "repo.yaml").read_text())["repo"]
    if repository["namespace"] != folder.name:
        wrong(f"spack: namespace {repository['namespace']} in the folder {folder.name}")
    tree = ast.parse((folder / "packages/bmsim/package.py").read_text())
    calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)]
    of_build = {"build", ("build", "link")}
    needs = set()
    for call in (one for one in calls if one.func.id == "depends_on"):
        kinds = next((one.value.value for one in call.keywords if one.arg == "type"), ("build", "link"))
        if kinds in of_build:
            needs.add(name_of(call.args[0].value))
    same("spack", needs, set().union(*(b for _, b in NAMES.values())))
    versions = [one.args[0].value for one in calls if one.func.id == "version"]
    if versions != [version]:
        wrong(f"spack: versions {versions}, CMakeLists.txt has {version}")
    tags = [key.value.value for one in calls if one.func.id == "version" for key in one.keywords if key.arg == "tag"]
    if tags != [f"v{version}"]:
        wrong(f"spack: tags {tags}, a release is tagged v{version}")
    for tool in STYLE_OF_SPACK:
        done = subprocess.run([*tool, folder / "packages/bmsim/package.py"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            wrong(f"spack: {tool[0]}: {done.stdout}{done.stderr}")


def workflow(bootstrap):
    ways = set(re.findall(r"^  ([a-z]+)\)$", bootstrap, re.M))
    jobs = yaml.safe_load(text_of(".github/workflows/ci.yml"))["jobs"]
    called = set()
    for name, job in jobs.items():
        for step in job["steps"]:
            for way in re.findall(r"\./bootstrap(?: ([a-z]+))?", step.get("run", "")):
                called.add(way)
                if way not in ways:
                    wrong(f"workflow: {name} calls ./bootstrap {way}, which it has not")
    for way in ("build", "test", "sanitize", "docs", "format"):
        if way not in called:
            wrong(f"workflow: nothing calls ./bootstrap {way}")


def main():
    bootstrap = text_of("bootstrap")
    version = re.search(r"^project\(bmsim VERSION ([0-9.]+)", text_of("CMakeLists.txt"), re.M)[1]
    packages = re.search(r"^build_packages=\((.*?)\)", bootstrap, re.M | re.S)[1].split()
    same("names of packages in this test", set(NAMES), set(packages))
    conda(version)
    spack(version)
    workflow(bootstrap)
    for file in ("packaging/conda/build.sh", "packaging/release.sh"):
        if subprocess.run(["bash", "-n", ROOT / file], check=False).returncode != 0:
            wrong(f"{file} is no bash")
    for line in WRONG:
        print(line)
    return 1 if WRONG else 0


sys.exit(main())
