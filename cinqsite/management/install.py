"""Makes .venv and installs the pinned packages, once: `python3 cinqsite/management/install.py [--dev]`.

Runs before anything is installed, and on a Python that may be too old: standard library and plain syntax only.
"""

import hashlib
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VENV = os.path.join(ROOT, ".venv")
NEEDED = (3, 11)
NEWER = ("python3.14", "python3.13", "python3.12", "python3.11")


def main():
    if sys.version_info < NEEDED:
        better = next((path for path in map(shutil.which, NEWER) if path), None)
        if better:
            os.execv(better, [better] + sys.argv)
        return fail("Python 3.11 or later is needed, this is %d.%d: apt install python3.11-venv" % sys.version_info[:2])
    names = ["requirements-dev.txt"] if "--dev" in sys.argv else ["requirements-demo.txt"]
    python = os.path.join(VENV, "bin", "python")
    stamp = os.path.join(VENV, "installed-" + names[0])
    wanted = digest(["requirements.txt", "requirements-demo.txt", "requirements-dev.txt", "constraints.txt"])
    if read(stamp) == wanted and os.path.exists(python):
        return 0
    if not os.path.exists(python):
        print("Creating .venv ...", flush=True)
        made = subprocess.run([sys.executable, "-m", "venv", VENV], capture_output=True, text=True, check=False)
        if made.returncode:
            shutil.rmtree(VENV, ignore_errors=True)
            return fail("no virtual environment can be made: apt install python3-venv")
    print("Installing the packages of %s ..." % ", ".join(names), flush=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", names[0], "-c", "constraints.txt"]
    installed = subprocess.run(pip, cwd=ROOT, capture_output=True, text=True, check=False)
    if installed.returncode:
        return fail("the packages could not be installed:\n" + installed.stderr[-3000:].strip())
    with open(stamp, "w") as file:
        file.write(wanted)
    return 0


def digest(names):
    """One hash of the files' contents and the Python that installs them."""
    total = hashlib.sha256(sys.version.encode())
    for name in names:
        with open(os.path.join(ROOT, name), "rb") as file:
            total.update(file.read())
    return total.hexdigest()


def read(path):
    """The file's text, or "" when there is none."""
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


def fail(message):
    sys.stderr.write(message + "\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
