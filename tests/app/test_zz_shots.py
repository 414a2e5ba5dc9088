import asyncio, os
from pathlib import Path
import pytest
from PySide6.QtWidgets import QApplication
from tests.app.test_window_live import *
from tests.support.faulty_driver import *
from widgets.theme import Scheme, apply_theme
OUT = Path("/tmp/shots"); OUT.mkdir(exist_ok=True)
TAG = os.environ.get("TAG","")
@pytest.mark.parametrize("scheme", ["light","dark"])
async def test_shot(tmp_path, monkeypatch, scheme):
    apply_theme(QApplication.instance(), Scheme(scheme))
    project = ferry_store(tmp_path / "quay")
    driver = install(monkeypatch)
    def save(o, n):
        o.window.grab().save(str(OUT/f"{n}-{scheme}{TAG}.png"))
    async with open_window(stub_services(stub(), tmp_path), project) as o:
        o.window.resize(1024, 640)
        v = o.window.browse_view
        v.select(uuid_of("bus")); await o.settled()
        write(project, *news(4))
        await until(v.pill.isVisible)
        driver.fault, driver.within = READ_FAILED, "m.content"
        v.select(uuid_of("tide")); await o.settled()
        o.controller.messages.tell("file", "Another file has taken the place of /home/me/projects/harbour/.zikaron/memory.db; it was opened.", "store_changed")
        o.controller.messages.confirm("Copied.")
        await asyncio.sleep(0.1)
        save(o, "a")
        o.controller.messages.clear()
        driver.fault, driver.within = LOCKED, ""
        await until(o.window.message_bar.messages)
        await asyncio.sleep(0.1)
        save(o, "b")
        await o.open(project); await asyncio.sleep(0.1)
        save(o, "c")
        driver.fault = None
        await o.open(project)
        o.type("zzz qqq"); await o.settled()
        o.window.literal_list._say_looking()
        o.window.show_results()
        await asyncio.sleep(0.1)
        save(o, "d")
        o.window.literal_list.clear()
        (project/".zikaron"/"memory.db").rename(tmp_path/"away.db")
        await until(lambda: "no_store" in o.page_text())
        await asyncio.sleep(0.1)
        save(o, "e")
    apply_theme(QApplication.instance(), Scheme.LIGHT)
