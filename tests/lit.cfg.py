# The same tests under LLVM's lit and FileCheck.
import os
import shutil

import lit.formats

config.name = "orison"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.excludes = ["malformed", "Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(os.path.dirname(__file__), "..", "target", "lit")

root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
tools = os.environ.get("ORISON_TOOLS", os.path.join(root, "target", "release"))
llvm = "/usr/lib/llvm-22/bin"
config.environment["PATH"] = os.pathsep.join(
    [tools, llvm, os.environ.get("PATH", "")]
)
if shutil.which("mlir-opt-22"):
    config.available_features.add("mlir-opt")
    config.substitutions.append((r"\bmlir-opt\b(?![-.\w])", "mlir-opt-22"))
