"""The user's own folders: for what can be made again (cache), and for what cannot (data).

A process may have no home directory (a container with a user id of its own), or one that is not
its own. Nothing here raises for that: each function says so, and its callers go on without.
"""

from __future__ import annotations

import functools
import os
import stat
import sys
import tempfile
from pathlib import Path
from typing import Final

#: The name of our folder within the user's.
OWN: Final = "sorry_env"


def cache_folder() -> Path | None:
    """Our folder in the user's cache folder; it need not exist. None without a home directory."""
    return _user_folder("XDG_CACHE_HOME", ".cache")


def data_folder() -> Path | None:
    """Our folder among the user's data; it need not exist. None without a home directory."""
    return _user_folder("XDG_DATA_HOME", ".local/share")


def temporary_folder() -> Path | None:
    """Our folder for this user in the system's temporary folder, made and private, or None.

    None where it cannot be made, or where a link or another user's folder has its name.
    """
    try:
        folder = Path(tempfile.gettempdir()).resolve() / f"{OWN}-{_user()}"
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError:
        return None
    if folder.is_symlink() or stat.S_IMODE(folder.lstat().st_mode) & 0o077:
        return None
    return folder if is_private(folder) else None


def is_private(folder: Path) -> bool:
    """Whether nobody else can change what is in ``folder``, or put another one in its place.

    True where it and all folders above it belong to this user or to root, and others may not write
    to them. Above it they may where each can remove only what is his (as in /tmp). What lies below
    a folder that others cannot enter is out of their reach.
    """
    if sys.platform == "win32":
        return True  # the folders asked about are within the user's profile, temporary ones too
    real = Path(os.path.realpath(folder))
    try:
        for at in reversed((real, *real.parents)):
            state = at.stat()
            if not _is_ours(state, sticky=at != real):
                return False
            if not state.st_mode & 0o077:
                return True
    except OSError:
        return False
    return True


def make_private(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for this user alone.

    Raises OSError where that cannot be done.
    """
    for at in reversed((folder, *folder.parents)):
        if not at.exists():
            at.mkdir(mode=0o700, exist_ok=True)


def _user_folder(variable: str, usual: str) -> Path | None:
    named = os.environ.get(variable, "")
    if Path(named).is_absolute():  # the XDG specification: a relative one is ignored
        return Path(named) / OWN
    try:
        home = Path("~").expanduser()
    except RuntimeError:  # no HOME, and no entry for the user
        return None
    return home / usual / OWN if home.is_absolute() else None


def _user() -> str:
    return str(os.getuid()) if sys.platform != "win32" else "user"


def _is_ours(state: os.stat_result, *, sticky: bool) -> bool:
    """Whether a folder is the user's or root's, and only theirs to write.

    sticky: others may write to it where the sticky bit keeps them from what is not theirs
    """
    if state.st_uid not in _trusted():
        return False
    if sticky and state.st_mode & stat.S_ISVTX:
        return True
    if state.st_mode & stat.S_IWOTH:
        return False
    return not state.st_mode & stat.S_IWGRP or state.st_gid == _own_group()


@functools.cache
def _trusted() -> frozenset[int]:
    """The users who may own what is trusted."""
    trusted = {0, os.getuid()}
    try:
        # Within a user namespace root's folders from outside it belong to the overflow user.
        ranges = Path("/proc/self/uid_map").read_text(encoding="utf-8").split()
        if int(ranges[-1]) < 2**32 - 1:
            trusted.add(int(Path("/proc/sys/kernel/overflowuid").read_text(encoding="utf-8")))
    except (OSError, ValueError, IndexError):
        return frozenset(trusted)  # a system without user namespaces
    return frozenset(trusted)


@functools.cache
def _own_group() -> int | None:
    """The group that has the user alone in it, where groups are made so; its members are he."""
    import grp
    import pwd

    try:
        user = pwd.getpwuid(os.getuid())
        group = grp.getgrgid(user.pw_gid)
    except KeyError:
        return None
    alone = group.gr_name == user.pw_name and set(group.gr_mem) <= {user.pw_name}
    return group.gr_gid if alone else None
