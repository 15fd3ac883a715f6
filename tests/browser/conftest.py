"""A browser and a server for the tests of the page; every page is heard for complaints.

Debian's Chromium is installed by `make browser-deps`. Where there is none the tests are skipped,
except in continuous integration.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.support import Ear, NewPage, Server

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
# Generous: on a busy machine nothing is quick, and what is right is seen at once.
expect.set_options(timeout=60_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if shutil.which(CHROMIUM) is None:
        reason = f"no Chromium at {CHROMIUM}: install it with `make browser-deps`"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        # As root, as in most containers, Chromium runs only without its sandbox.
        # Nothing here needs a graphics card, and without the search for one it starts sooner.
        arguments = ["--disable-gpu", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server"))
    yield server
    server.kill()


@pytest.fixture
def ears() -> Iterator[list[Ear]]:
    """Those who hear the test's pages; at its end no page may have complained."""
    heard: list[Ear] = []
    yield heard
    complaints = [text for ear in heard for text in ear.complaints]
    assert complaints == []


@pytest.fixture
def new_page(browser: Browser, ears: list[Ear]) -> Iterator[NewPage]:
    """Makes pages, each in a context of its own, as if on devices of their own.

    likes: what the person likes, as the page keeps it; speed is `instant` unless said otherwise
    Other arguments are those of a browser context.
    """
    contexts = []

    def make(likes: dict[str, Any] | None = None, **settings: Any) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **settings})
        contexts.append(context)
        kept = json.dumps({"speed": "instant", **(likes or {})})
        context.add_init_script(
            f"if (!localStorage.sorry_env) localStorage.sorry_env = {json.dumps(kept)}"
        )
        context.set_default_timeout(60_000)
        page = context.new_page()
        ears.append(Ear(page))
        return page

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """A page on a desk's screen."""
    return new_page()
