# The suite: every .mlir file whose RUN lines succeed.
import os

import lit.formats

config.name = "xlac"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.environment["PATH"] = os.pathsep.join(
    [config.xlac_tools, config.llvm_tools, os.environ.get("PATH", "")])
