"""An empty Debian below a folder, for one try: made by debootstrap, entered by chroot.

What is mounted into it is seen by this process's mount namespace alone, see smoke_test.py: it is
gone when the process is, whatever became of it.
"""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

PERSON = "person"
_SURROUNDINGS = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "HOME": f"/home/{PERSON}",
    "USER": PERSON,
}
_CHROOT = shutil.which("chroot") or "/usr/sbin/chroot"
_APT = ["apt-get", "-qq", "-y", "-o", "DPkg::Lock::Timeout=300", "--no-install-recommends"]
_UNSEEN = ("proc", "dev", "sys", "tmp", "var/cache", "var/log", "var/lib/apt", "home")


class SmokeFailedError(Exception):
    """Say in one sentence what the packaged program did wrong."""


def done(*command: object) -> str:
    """Run a command of this machine and return what it printed. Raises SmokeFailedError."""
    said = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False
    )
    if said.returncode != 0:
        raise SmokeFailedError(f"`{command[0]}` failed: {(said.stdout + said.stderr).strip()}")
    return said.stdout


def make_base(folder: Path) -> None:
    """Put the packages of a minimal Debian into a folder, from where this machine has its own."""
    half_made = folder.with_name(f"{folder.name}.half-made")
    shutil.rmtree(half_made, ignore_errors=True)
    source, suite, _ = _sources()[0]
    done("debootstrap", "--variant=minbase", suite, half_made, source)
    lines = [f"deb {' '.join(line)}\n" for line in _sources()]
    (half_made / "etc/apt/sources.list").write_text("".join(lines), encoding="utf-8")
    half_made.rename(folder)


def _sources() -> list[list[str]]:
    """Return address, suite and component of every source that this machine's apt uses."""
    form = "$(REPO_URI) $(RELEASE) $(COMPONENT)"
    found = done("apt-get", "indextargets", "--format", form, "Created-By: Packages")
    return [line.split() for line in dict.fromkeys(found.splitlines())]


class CleanRoot:
    """A copy of the minimal system, with a person who is not root."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def set_up(self) -> None:
        """Mount what every Linux has, let apt work, add the person."""
        done("mount", "-t", "proc", "proc", self.folder / "proc")
        done("mount", "--rbind", "/dev", self.folder / "dev")
        for name in ("resolv.conf", "hosts"):
            shutil.copy(f"/etc/{name}", self.folder / "etc" / name)
        done("cp", "-r", "/etc/apt/apt.conf.d", self.folder / "etc/apt")
        self._as_root("useradd", "--create-home", PERSON)
        self._as_root(*_APT, "update")

    def share_screen(self) -> None:
        """Let programs inside reach the X server outside."""
        sockets = self.folder / "tmp" / ".X11-unix"
        sockets.mkdir(exist_ok=True)
        done("mount", "--bind", "/tmp/.X11-unix", sockets)

    def install(self, package: Path) -> None:
        """Install a package with what it declares to need, and nothing else."""
        shutil.copy(package, self.folder / "tmp")
        self._as_root(*_APT, "install", f"/tmp/{package.name}")
        (self.folder / "tmp" / package.name).unlink()

    def remove(self, name: str) -> list[str]:
        """Remove a package for good; return its files and links that are still there."""
        listed = self._as_root("dpkg", "-L", name).splitlines()
        own = [self.inside(path) for path in listed]
        own = [path for path in own if path.is_symlink() or not path.is_dir()]
        self._as_root(*_APT, "purge", name)
        return [str(path) for path in own if path.is_symlink() or path.exists()]

    def inside(self, path: str) -> Path:
        """Return where a path of the inside lies."""
        return self.folder / path.lstrip("/")

    def files(self) -> set[str]:
        """Return what lies in the system, outside homes and what comes and goes."""
        found: set[str] = set()
        for top, below, names in os.walk(self.folder):
            here = Path(top).relative_to(self.folder)
            below[:] = [name for name in below if str(here / name) not in _UNSEEN]
            found.update(str(here / name) for name in (*names, *below))
        return found

    def command(self, *command: str) -> list[str]:
        """Return a command line that runs a command inside as the person."""
        return [_CHROOT, f"--userspec={PERSON}", str(self.folder), *command]

    def surroundings(self, more: Mapping[str, str]) -> dict[str, str]:
        """Return the environment of the person's commands."""
        return {**_SURROUNDINGS, **more}

    def run(
        self, *command: str, more: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a command inside as the person, in the person's home."""
        return subprocess.run(
            self.command("env", f"--chdir=/home/{PERSON}", *command),
            env=self.surroundings(more or {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def _as_root(self, *command: str) -> str:
        quiet = ["env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8"]
        return done(_CHROOT, self.folder, *quiet, *command)
