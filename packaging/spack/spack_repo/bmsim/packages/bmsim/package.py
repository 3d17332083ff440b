# Copyright (c) 2026 the bmsim authors
#
# SPDX-License-Identifier: MIT

import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Bmsim(CMakePackage):
    """Ensembles of Langevin equations, on GPUs and CPUs, from a Lua or Python script.

    Built from the clone that has this recipe: its release, or its working tree by
    spack dev-build bmsim@0.1.0.
    """

    git = f"file://{pathlib.Path(__file__).resolve().parents[6]}"

    license("MIT")

    version("0.1.0", tag="v0.1.0")

    variant("cuda", default=False, description="NVRTC, for kernels on GPUs")
    variant("plots", default=True, description="gnuplot, for pictures")

    generator("ninja")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("lua-luajit@2.1.0-beta3:")
    depends_on("yaml-cpp@0.7:")
    depends_on("cli11@2:", type="build")
    depends_on("fmt@9:")
    depends_on("eigen@3.4:", type="build")
    depends_on("hdf5@1.10.3:+hl~mpi")
    depends_on("zlib-api")
    depends_on("libedit")
    depends_on("gcc@12:", type="run")  # of kernels
    depends_on("cuda@12:", type="run", when="+cuda")
    depends_on("gnuplot", type="run", when="+plots")

    def cmake_args(self):
        return [self.define("BMSIM_TESTS", False)]

    def setup_run_environment(self, env):
        env.set("BMSIM_CXX", self.spec["gcc"].prefix.bin.join("g++"))
        if self.spec.satisfies("+cuda"):
            env.set("CUDA_HOME", self.spec["cuda"].prefix)
        env.prepend_path("PYTHONPATH", self.prefix.share.bmsim.python)
