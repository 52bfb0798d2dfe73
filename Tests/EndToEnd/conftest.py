"""The tests import what stands beside this file, and each other."""

import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE), *(str(path) for path in HERE.iterdir() if path.is_dir())]
