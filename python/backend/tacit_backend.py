"""Builds wheels of Tacit: a PEP 517 backend that needs Python, CMake, a C compiler and what the library itself needs.

A wheel holds python/tacit and, in tacit/_libs, the three shared libraries.  Where patchelf is installed it also holds the
libraries that these need and that not every Linux has (all but those of glibc): each under a name of its own, so that it
meets no other copy in the same process, and found by a run path that begins where the library lies.  Such a wheel runs
wherever glibc is new enough, which its tag says.  Without patchelf the wheel is for this machine.

    python3 python/backend/tacit_backend.py FOLDER [LIBRARIES]

writes the wheel into FOLDER, from libraries that are built already if their folder is said (`make python` does so).
"""

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OWN = ("libtacit.so.0", "libtacit-train.so.0", "libtacit-import.so.0")
# Part of glibc, or of the kernel: the same copy must serve the whole process.
SYSTEM = re.compile(r"^(lib(c|m|dl|rt|pthread|resolv|util|mvec)\.so\.\d+|ld-linux.*|linux-vdso.*)$")
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same tree gives the same bytes


def version():
    """The version that CMakeLists.txt has."""
    with open(os.path.join(TOP, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"project\(tacit VERSION ([0-9.]+)", file.read()).group(1)


def metadata():
    with open(os.path.join(TOP, "README.md"), encoding="utf-8") as file:
        text = file.read()
    return ("Metadata-Version: 2.1\nName: tacit\nVersion: %s\nSummary: Ask only what the decision needs\n"
            "License: Apache-2.0\nRequires-Python: >=3.9\nProvides-Extra: frames\n"
            "Requires-Dist: numpy; extra == 'frames'\nRequires-Dist: pandas; extra == 'frames'\n"
            "Description-Content-Type: text/markdown\n\n%s" % (version(), text))


# ---- libraries ----


def build_libraries():
    """The folder of the libraries, built there."""
    folder = os.path.join(TOP, "build", "wheel")
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    options = ["-DCMAKE_BUILD_TYPE=Release"] + [
        "-DTACIT_%s=OFF" % name for name in ("TESTS", "BENCH", "WEB", "MPI", "SERVER", "PYTHON")]
    subprocess.run(["cmake", "-S", TOP, "-B", folder] + generator + options, check=True, stdout=sys.stderr)
    subprocess.run(["cmake", "--build", folder, "--parallel", str(os.cpu_count() or 2), "--target", "tacit_shared",
                    "tacit_train_shared", "tacit_import_shared"], check=True, stdout=sys.stderr)
    return os.path.join(folder, "src")


def said_by(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def needed(path):
    """What a library is linked with, and where that is on this machine."""
    direct = set(re.findall(r"\(NEEDED\).*\[(.*)\]", said_by("readelf", "-dW", path)))
    found = dict(re.findall(r"^\s*(\S+) => (/\S+)", said_by("ldd", path), flags=re.M))
    return {name: found.get(name) for name in direct if not SYSTEM.match(name)}


def newest_glibc(paths):
    """The newest version of glibc that these libraries ask for."""
    asked = [(2, 17)]
    for path in paths:
        found = re.findall(r"GLIBC_(\d+)\.(\d+)", said_by("readelf", "-VW", path))
        asked += [(int(major), int(minor)) for major, minor in found]
    return max(asked)


def own_name(path):
    """A name that no other copy of this library has."""
    with open(path, "rb") as file:
        mark = hashlib.sha256(file.read()).hexdigest()[:8]
    stem, rest = os.path.basename(path).split(".so", 1)
    return "%s-tacit-%s.so%s" % (stem, mark, rest)


def gather(libraries, folder):
    """Our libraries and what they need, copied into a folder and made to find each other.  True if all is inside."""
    for name in OWN:
        shutil.copyfile(os.path.join(libraries, name), os.path.join(folder, name))
        if shutil.which("strip"):
            subprocess.run(["strip", "--strip-unneeded", os.path.join(folder, name)], check=True)
    patchelf = shutil.which("patchelf")
    if not patchelf:
        return False
    names, waiting = {}, [os.path.join(libraries, name) for name in OWN]
    while waiting:
        for name, path in sorted(needed(waiting.pop()).items()):
            if name in names or name in OWN:
                continue
            if path is None:
                raise SystemExit("tacit: the library %s is not there" % name)
            names[name] = own_name(os.path.realpath(path))
            shutil.copyfile(path, os.path.join(folder, names[name]))
            waiting.append(path)
            add_licence(os.path.realpath(path), folder)
    for file in sorted(os.listdir(folder)):
        path = os.path.join(folder, file)
        if ".so" not in file:
            continue
        # One change at a time: patchelf 0.14 mixes several up.
        changes = [["--replace-needed", name, names[name]] for name in sorted(needed(path)) if name in names]
        changes += [] if file in OWN else [["--set-soname", file]]
        changes += [["--set-rpath", "$ORIGIN"]]
        for change in changes:
            subprocess.run([patchelf] + change + [path], check=True)
    return True


def add_licence(path, folder):
    """What the Debian package of a library says about its licence."""
    if not shutil.which("dpkg"):
        return
    for candidate in (path, re.sub("^/usr", "", path)):
        found = subprocess.run(["dpkg", "-S", candidate], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        package = found.stdout.split(":", 1)[0]
        said = os.path.join("/usr/share/doc", package, "copyright")
        if found.returncode == 0 and os.path.exists(said):
            shutil.copyfile(said, os.path.join(folder, "licence-of-%s.txt" % package))
            return


def tag(folder, whole):
    """What the wheel runs on: any Python 3, and machines like this one."""
    machine = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    if not whole or not machine.startswith("linux_"):
        return "py3-none-" + machine
    glibc = newest_glibc(os.path.join(folder, name) for name in os.listdir(folder) if ".so" in name)
    return "py3-none-manylinux_%d_%d_%s" % (glibc[0], glibc[1], machine[len("linux_"):])


# ---- wheels ----


def package_files():
    """Paths of the package's own files: in the archive, and here."""
    for folder, folders, files in sorted(os.walk(os.path.join(TOP, "python", "tacit"))):
        folders[:] = sorted(name for name in folders if name not in ("__pycache__", "_libs"))
        for name in sorted(files):
            if name.endswith(".py") or name == "py.typed":
                path = os.path.join(folder, name)
                yield os.path.relpath(path, os.path.join(TOP, "python")), path


def write_wheel(path, entries):
    """A wheel from pairs of names and bytes, the record of them last."""
    record = []
    info = "tacit-%s.dist-info" % version()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        def add(name, data):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = (0o755 if ".so" in name else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)

        for name, data in entries:
            add(name, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode("ascii")
            record.append("%s,sha256=%s,%d\n" % (name, digest, len(data)))
        add(info + "/RECORD", "".join(record) + info + "/RECORD,,\n")


def wheel_entries(libs, tags):
    def read(path):
        with open(path, "rb") as file:
            return file.read()

    info = "tacit-%s.dist-info" % version()
    for name, path in package_files():
        yield name, read(path)
    for name in sorted(os.listdir(libs)) if libs else ():
        yield "tacit/_libs/" + name, read(os.path.join(libs, name))
    yield info + "/METADATA", metadata().encode("utf-8")
    yield info + "/WHEEL", ("Wheel-Version: 1.0\nGenerator: tacit_backend\nRoot-Is-Purelib: false\nTag: %s\n"
                            % tags).encode("ascii")
    yield info + "/LICENSE", read(os.path.join(TOP, "LICENSE"))


def make_wheel(into, libraries):
    with tempfile.TemporaryDirectory() as folder:
        tags = tag(folder, gather(libraries, folder))
        name = "tacit-%s-%s.whl" % (version(), tags)
        write_wheel(os.path.join(into, name), wheel_entries(folder, tags))
    return name


# ---- what PEP 517 asks for ----


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return make_wheel(wheel_directory, os.environ.get("TACIT_LIBRARY") or build_libraries())


def build_sdist(sdist_directory, config_settings=None):
    """The files that git knows, or all but those that were built."""
    name = "tacit-%s" % version()
    try:
        files = said_by("git", "-C", TOP, "ls-files").splitlines()
    except (OSError, subprocess.CalledProcessError):
        files = [os.path.relpath(os.path.join(folder, file), TOP) for folder, _, listed in os.walk(TOP)
                 if not re.search(r"/(build|node_modules|__pycache__|\.git)(/|$)", folder) for file in listed]
    with tarfile.open(os.path.join(sdist_directory, name + ".tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for file in sorted(files):
            archive.add(os.path.join(TOP, file), os.path.join(name, file), recursive=False)
        with tempfile.NamedTemporaryFile("w", suffix="PKG-INFO", encoding="utf-8") as info:
            info.write(metadata())
            info.flush()
            archive.add(info.name, os.path.join(name, "PKG-INFO"))
    return name + ".tar.gz"


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    os.makedirs(sys.argv[1], exist_ok=True)
    for old in os.listdir(sys.argv[1]):
        if old.endswith(".whl"):
            os.remove(os.path.join(sys.argv[1], old))
    print(os.path.join(sys.argv[1], make_wheel(sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else build_libraries())))
