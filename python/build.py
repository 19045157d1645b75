"""Makes the wheels: python3 build.py BINARIES OUTPUT VERSION [PLATFORM …]. BINARIES has a directory for each platform, as
make binaries leaves them; platforms are in Go's names, and without any all are made. The same binaries and version give
the same bytes on every machine.

It is also the build backend of pyproject.toml: pip install ./python compiles the binary with Go. Needs Python 3.11."""

import base64
import hashlib
import json
import keyword
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

here = Path(__file__).parent

# Wheel tags by platform, as Go names it. The binaries for Linux are static, so any libc will do; Go 1.26 asks for macOS 12.
platforms = {
    "darwin-amd64": "macosx_12_0_x86_64",
    "darwin-arm64": "macosx_12_0_arm64",
    "linux-amd64": "manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64",
    "linux-arm64": "manylinux2014_aarch64.manylinux_2_17_aarch64.musllinux_1_1_aarch64",
    "windows-amd64": "win_amd64",
}

command = "github.com/fakenode/fakenode/cmd/fakenode"


def main(binaries: str, output: str, version: str, *wanted: str) -> None:
    host = go_platform()
    flags = flags_source(Path(binaries, host, binary_name(host)))
    Path(output).mkdir(parents=True, exist_ok=True)
    for platform in wanted or platforms:
        binary = Path(binaries, platform, binary_name(platform))
        print(Path(output, write_wheel(output, platform, binary, flags, python_version(version))))


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Makes the wheel of this platform for an installer, with a binary compiled of the checkout around this folder."""
    if not (here.parent / "cmd" / "fakenode").is_dir():
        raise SystemExit("fakenode: the Go sources are not beside the folder python: install from a whole checkout, or a wheel")
    platform = go_platform()
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder, binary_name(platform))
        environment = {**os.environ, "CGO_ENABLED": "0", "GOWORK": "off"}
        subprocess.run(["go", "build", "-o", binary, command], cwd=here.parent, env=environment, check=True)
        return write_wheel(wheel_directory, platform, binary, flags_source(binary), project()["version"])


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("fakenode: there is no source distribution: the Go sources are outside of the folder python")


def go_platform() -> str:
    """Returns the platform that this machine's Go compiles for."""
    answer = subprocess.run(["go", "env", "-json", "GOOS", "GOARCH"], stdout=subprocess.PIPE, check=True)
    values = json.loads(answer.stdout)
    platform = f"{values['GOOS']}-{values['GOARCH']}"
    if platform not in platforms:
        raise SystemExit(f"fakenode: no wheel is made for {platform}: want one of {', '.join(platforms)}")
    return platform


def binary_name(platform: str) -> str:
    return "fakenode.exe" if platform.startswith("windows") else "fakenode"


def project() -> dict:
    """Returns the table project of pyproject.toml."""
    return tomllib.loads((here / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def python_version(version: str) -> str:
    """Returns a version of Go's as Python has it: v1.2.3-rc.1 is 1.2.3rc1, v0.0.0-devel is 0.0.0.dev0."""
    form = re.fullmatch(r"v?(\d+\.\d+\.\d+)(?:-(devel|alpha|beta|rc)(?:\.?(\d+))?)?", version)
    if form is None:
        raise SystemExit(f"fakenode: version {version}: want one such as v1.2.3 or v1.2.3-rc.1")
    number, stage, count = form.groups()
    return number + {None: "", "devel": ".dev", "alpha": "a", "beta": "b", "rc": "rc"}[stage] + ("" if stage is None else count or "0")


def flags_source(binary: Path) -> str:
    """Returns Python with the types of the flags that the help text of the binary lists."""
    help = subprocess.run([binary, "--help"], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    flags = re.findall(r"^ {2}--([a-z0-9-]+)(?: (\S+))?\n {4}\t(.*(?:\n {4}\t.*)*)", help, re.MULTILINE)
    if not flags:
        raise SystemExit(f"fakenode: no flags in the help text: {help}")
    lines = ['"""Made by build.py from the help text of the binary."""', "", "from __future__ import annotations", ""]
    lines += ["from typing import Sequence, TypedDict", "", "", "class Flags(TypedDict, total=False):"]
    lines += ['    """The flags of the command line."""', ""]
    for name, kind, about in flags:
        if name in ("config-out", "quiet", "exit-with-stdin", "console-log", "print-keys", "print-traces"):  # start is quiet
            continue
        about = " ".join(about.split()).replace("\\", "\\\\").replace('"', '\\"')
        member = name.replace("-", "_") + ("_" if keyword.iskeyword(name) else "")
        lines += [f"    {member}: {flag_type(kind, about)}", f'    """{about}"""']
    return "\n".join(lines) + "\n"


def flag_type(kind: str, about: str) -> str:
    if kind == "":
        return "bool"
    if kind in ("int", "uint", "float"):
        return "int | float | str"
    return "str | Sequence[str]" if re.search(r"\brepeatable\b", about) else "str | int"


def write_wheel(directory, platform: str, binary: Path, flags: str, version: str) -> str:
    """Writes a wheel and returns its name."""
    tag = f"py3-none-{platforms[platform]}"
    info = f"fakenode-{version}.dist-info"
    files = {f"fakenode/{path.name}": (path.read_bytes(), 0o644) for path in sorted((here / "src" / "fakenode").iterdir()) if path.is_file()}
    files["fakenode/flags.py"] = (flags.encode(), 0o644)
    files[f"fakenode/bin/{binary_name(platform)}"] = (binary.read_bytes(), 0o755)
    files[f"{info}/licenses/LICENSE"] = ((here.parent / "LICENSE").read_bytes(), 0o644)
    files[f"{info}/METADATA"] = (metadata(version).encode(), 0o644)
    files[f"{info}/WHEEL"] = (wheel_file(tag).encode(), 0o644)
    files[f"{info}/entry_points.txt"] = (entry_points().encode(), 0o644)
    record = "".join(f"{name},sha256={digest(content)},{len(content)}\n" for name, (content, _) in files.items())
    files[f"{info}/RECORD"] = (f"{record}{info}/RECORD,,\n".encode(), 0o644)
    name = f"fakenode-{version}-{tag}.whl"
    with zipfile.ZipFile(Path(directory, name), "w") as wheel:
        for path, (content, mode) in files.items():
            entry = zipfile.ZipInfo(path)  # of 1980, the earliest that zip can hold
            entry.create_system = 3  # Unix, whose modes follow
            entry.external_attr = (0o100000 | mode) << 16
            wheel.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return name


def metadata(version: str) -> str:
    about = project()
    lines = ["Metadata-Version: 2.4", f"Name: {about['name']}", f"Version: {version}", f"Summary: {about['description']}"]
    lines += [f"Keywords: {','.join(about['keywords'])}"]
    lines += [f"Classifier: {classifier}" for classifier in about["classifiers"]]
    lines += [f"Project-URL: {name}, {url}" for name, url in about["urls"].items()]
    lines += [f"License-Expression: {about['license']}", "License-File: LICENSE", f"Requires-Python: {about['requires-python']}"]
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", (here / about["readme"]).read_text(encoding="utf-8")])


def wheel_file(tag: str) -> str:
    python, abi, systems = tag.split("-")
    tags = "".join(f"Tag: {python}-{abi}-{system}\n" for system in systems.split("."))
    return f"Wheel-Version: 1.0\nGenerator: fakenode\nRoot-Is-Purelib: false\n{tags}"


def entry_points() -> str:
    about = project()
    groups = {"console_scripts": about["scripts"], **about["entry-points"]}
    return "\n".join(f"[{group}]\n" + "".join(f"{name} = {where}\n" for name, where in entries.items()) for group, entries in groups.items())


def digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
