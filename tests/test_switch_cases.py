"""Eighteen faults that shipped buffer configurations once met, each with a small input of its own."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from refusals import refused

from dtmodel import sheet
from dtmodel.base.mathtext import text_of
from dtmodel.cli import run
from dtmodel.switches import counts
from dtmodel.switches.count_rows import yaml_lines
from dtmodel.switches.profile import read_buffer_profile


def pool(size: int, side: str = "ingress", mode: str = "dynamic", **more: Any) -> dict[str, Any]:
    return {"type": side, "mode": mode, "size": str(size), **more}


def document(pools: dict[str, Any], profiles: dict[str, Any], queues: dict[str, str], **more: Any) -> dict[str, Any]:
    """Return the tables of a configuration; the queues before "=" are groups, those after "@" egress queues."""
    tables: dict[str, Any] = {"BUFFER_PG": {}, "BUFFER_QUEUE": {}}
    for key, name in queues.items():
        tables["BUFFER_QUEUE" if key.startswith("@") else "BUFFER_PG"][key.lstrip("@")] = {"profile": name}
    return {"BUFFER_POOL": pools, "BUFFER_PROFILE": profiles, **tables, **more}


def asked(tmp_path: Path, capsys: Any, tables: Any, *options: str, name: str = "c.json") -> tuple[int, Any, str]:
    file = tmp_path / name
    file.write_text(tables if isinstance(tables, str) else json.dumps(tables), encoding="utf-8")
    status = run(["params", "profile", str(file), *options])
    said = capsys.readouterr()
    return status, (json.loads(said.out) if "--json" in options and said.out else said.out), said.err


def test_a_static_limit_in_a_dynamic_pool_is_at_most_the_pool() -> None:
    lossless = {"pool": "p", "size": "1248", "xon": "1248", "xoff": "101088", "dynamic_th": "0"}
    lossy = {"pool": "p", "size": "0", "static_th": "44302336"}
    tables = document(
        {"p": pool(33329088)}, {"lossy": lossy, "x": lossless}, {"Ethernet0|0": "lossy", "Ethernet0|3": "x"}
    )
    assert sheet("profile", tables, active=["Ethernet0|0"])["p.lossy.alone"] == 33329088
    assert sheet("profile", tables, active=["Ethernet0|3"])["p.x.threshold"] == 1248 + 33329088 // 2


@pytest.mark.parametrize("fields", [{}, {"dynamic_th": "0", "static_th": "5"}])
def test_a_profile_has_one_threshold(fields: dict[str, str]) -> None:
    with refused("BUFFER_PROFILE.x.dynamic_th"):
        read_buffer_profile(document({"p": pool(9)}, {"x": {"pool": "p", **fields}}, {}))


def test_a_dynamic_threshold_in_a_static_pool_gives_the_measured_drop() -> None:
    lossy = {"pool": "e", "size": "1778", "dynamic_th": "-1"}
    tables = document({"e": pool(38462204, "egress", "static")}, {"q": lossy}, {"@Ethernet0|0": "q"})
    assert abs(counts(tables, packet=64, cell=254)["counts"]["trig_egr_drp"] - 50482) <= 2


def test_a_size_that_contains_the_headroom_is_promised_in_the_pool() -> None:
    lossless = {"pool": "p", "size": "56368", "xon": "18432", "xoff": "55120", "xon_offset": "2496", "dynamic_th": "-3"}
    ports = ",".join(f"Ethernet{4 * i}" for i in range(32))
    found = counts(document({"p": pool(12766208)}, {"x": lossless}, {f"{ports}|3-4": "x"}), chip="td2", packet=64)
    assert found["counts"]["fill_min"] == 6
    assert abs(found["counts"]["trig_pfc"] - 4898) <= 2
    assert abs(found["counts"]["trig_ingr_drp"] - 5164) <= 2


def test_a_queue_reaches_one_slice_of_the_memory() -> None:
    lossless = {"pool": "p", "size": "1248", "xon": "2288", "xoff": "268736", "dynamic_th": "0", "xon_offset": "2288"}
    tables = document({"p": pool(10875072, xoff="4194112")}, {"x": lossless}, {"Ethernet0|3-4": "x"})
    assert counts(tables, chip="th", packet=64)["counts"] == {
        "fill_min": 6, "trig_pfc": 6542, "trig_ingr_drp": 7835, "dismiss_pfc": 11, "trig_egr_drp": None,
        "hysteresis": 0, "trig_pfc_multi": [6542, 3274],
        "hdrm_pool": {"groups": 4, "trig_pfc": 2620, "full": 1292, "partial": 1165, "cells": 5041},
    }  # fmt: skip


def test_blocked_queues_are_filled_one_after_another_by_one_command(tmp_path: Path, capsys: Any) -> None:
    tables = document({"p": pool(240086)}, {"x": {"pool": "p", "size": "74", "xoff": "1", "dynamic_th": "0"}},
                      {f"Ethernet{i}|3": "x" for i in range(20)})  # fmt: skip
    _, found, _ = asked(tmp_path, capsys, tables, "--packet", "1", "--cell", "1", "--fill", "sequence", "--json")
    expected = [
        120117,
        60096,
        30085,
        15079,
        7577,
        3825,
        1950,
        1012,
        543,
        308,
        191,
        133,
        103,
        89,
        81,
        78,
        76,
        75,
        74,
        74,
    ]
    assert all(abs(a - b) <= 1 for a, b in zip(found["counts"]["trig_pfc_multi"], expected, strict=True))


def test_static_limits_above_the_pool_are_answered_for_equal_sources(capsys: Any) -> None:
    lossy = {"pool": "p", "size": "0", "static_th": "32744448"}
    tables = document({"p": pool(32744448, mode="static")}, {"x": lossy}, {"Ethernet0|0": "x", "Ethernet4|0": "x"})
    made = sheet("profile", tables)
    assert (made["p.free"], made["p.x.threshold"], made["p.x.alone"]) == (0, 16372224, 32744448)
    queues = "cap=131072,count=128,headroom=1KB"
    assert run(["params", "pools", "--buffer", "12582912", "--queue", queues, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["parameters"]["pool.queue1.threshold"]["value"] == "98304"
    assert any("never pauses" in warning for warning in found["warnings"])


def test_known_fields_are_read_and_unknown_ones_are_named() -> None:
    fields = {
        "pool": "p",
        "size": "0",
        "headroom_type": "static",
        "mode": "static",
        "static_th": "400",
        "colour": "red",
    }
    read = read_buffer_profile(document({"p": pool(1000, "egress", "static")}, {"x": fields}, {"@Ethernet0|3-4": "x"}))
    assert read.profile_of("Ethernet0|4", "egress").cap == 400
    assert read.warnings == ("BUFFER_PROFILE.x.colour is not a field of this table and is ignored",)


def test_a_queue_of_a_chassis_has_host_and_asic_in_its_key() -> None:
    tables = document({"p": pool(1000, "both")}, {"x": {"pool": "p", "size": "0", "dynamic_th": "-1"}},
                      {"@lc1|asic0|Ethernet8|0-2": "x"})  # fmt: skip
    assert list(read_buffer_profile(tables).egress) == [f"lc1|asic0|Ethernet8|{i}" for i in range(3)]


DUMP: dict[str, Any] = {
    "BUFFER_POOL_TABLE:p": {"type": "hash", "ttl": -0.001, "value": pool(9595904, xoff="614400")},
    "BUFFER_PROFILE_TABLE:x": {
        "type": "hash",
        "value": {"dynamic_th": "0", "pool": "[BUFFER_POOL_TABLE:p]", "size": "19456", "xoff": "29696", "xon": "19456"},
    },
    "BUFFER_PG_TABLE:Ethernet0:3-4": {"value": {"profile": "x"}},
}


def test_a_dump_of_the_database_and_a_list_of_operations_are_read(tmp_path: Path, capsys: Any) -> None:
    assert counts(DUMP, chip="spectrum1", packet=64)["counts"]["trig_pfc"] == 50182
    operations = [{key: value["value"], "OP": "SET"} for key, value in DUMP.items()]
    _, found, _ = asked(tmp_path, capsys, operations, "--chip", "spectrum1", "--packet", "64", "--json")
    assert found["counts"]["trig_ingr_drp"] == 50802


def test_a_pool_without_a_size_asks_for_the_dump_or_the_memory(tmp_path: Path, capsys: Any) -> None:
    tables = {
        "BUFFER_POOL": {"p": {"type": "ingress", "mode": "dynamic"}},
        "BUFFER_PROFILE": {"x": {"pool": "p", "size": "0", "dynamic_th": "7"}},
        "BUFFER_PG": {"Ethernet0|3-4": {"profile": "NULL"}},
    }
    status, _, said = asked(tmp_path, capsys, tables)
    assert status == 2
    assert "BUFFER_POOL.p.size: missing" in said
    assert "APPL_DB" in said
    assert "--memory" in said
    assert asked(tmp_path, capsys, tables, "--memory", "10MB")[0] == 0


def test_a_lookup_of_profiles_is_read_with_the_memory(tmp_path: Path, capsys: Any) -> None:
    text = "# speed cable size xon xoff threshold xon_offset\n 40000  300m 1248 2288 108160 0 2288\n"
    options = ("--memory", "10875072", "--chip", "th", "--packet", "64", "--json")
    _, found, _ = asked(tmp_path, capsys, text, *options, name="pg_profile_lookup.ini")
    assert (found["counts"]["trig_pfc"], found["counts"]["trig_ingr_drp"]) == (6542, 7063)
    assert asked(tmp_path, capsys, "40000 300m\n", name="short.ini")[0] == 2


def test_the_ends_of_the_scale_are_no_limit_and_no_buffer_on_spectrum(capsys: Any) -> None:
    profiles = {name: {"pool": "p", "size": "0", "dynamic_th": th} for name, th in (("zero", "-8"), ("inf", "7"))}
    tables = document({"p": pool(1000000, "egress")}, profiles, {"@Ethernet0|0": "zero", "@Ethernet4|0": "inf"})
    made = sheet("profile", tables, side="egress", chip="spectrum1", packet=64)
    assert (made["p.zero.packets.before_drop"], made["p.inf.packets.before_drop"]) == (0, 10416)
    assert (made["p.zero.alone"], made["p.inf.alone"]) == (0, 1000000)
    for alpha, value in (("inf", "1000000"), ("0", "0")):
        assert run(["params", "pools", "--buffer", "1MB", "--queue", f"alpha={alpha}", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["parameters"]["pool.queue1.threshold"]["value"] == value


def test_the_threshold_of_a_port_limits_its_queues_together() -> None:
    each = {"pool": "p", "size": "0", "dynamic_th": "0"}
    ports = {"BUFFER_PORT_INGRESS_PROFILE_LIST": {"Ethernet0": {"profile_list": "[BUFFER_PROFILE|port]"}}}
    tables = document({"p": pool(1000000)}, {"port": each, "pg": each}, {"Ethernet0|0-1": "pg"}, **ports)
    made = sheet("profile", tables)
    assert (made["p.free"], made["p.pg.threshold"]) == (500000, 250000)
    nested = sheet("profile", tables, chip="spectrum4", active=["Ethernet0|0"])
    assert str(nested["p.pg.threshold"]) == "1000000/3"
    static = {"pool": "p", "size": "0", "static_th": "900000"}
    tables = document({"p": pool(1000000)}, {"port": each, "pg": static}, {"Ethernet0|0": "pg"}, **ports)
    assert sheet("profile", tables, chip="spectrum4")["p.pg.threshold"] == 500000


def test_a_port_at_the_end_of_the_scale_has_the_factor_of_the_tests_where_levels_are_nested() -> None:
    x = {"pool": "p", "size": "0", "dynamic_th": "0"}
    profiles = {"port": x | {"dynamic_th": "7"}, "x": x | {"xoff": "1"}, "e": x | {"pool": "e"}}
    profiles |= {"out": profiles["port"] | {"pool": "e"}, "all": {"pool": "e", "size": "0", "static_th": "142703616"}}
    ports = {f"BUFFER_PORT_{side}_PROFILE_LIST": {"Ethernet0": {"profile_list": name}}
             for side, name in (("INGRESS", "port"), ("EGRESS", "out"))}  # fmt: skip
    pools = {"p": pool(192 * 743248), "e": pool(192 * 743248, "egress")}
    tables = document(pools, profiles, {"Ethernet0|3-4": "x", "@Ethernet0|1": "e", "@Ethernet8|3": "all"}, **ports)
    found = counts(tables, chip="spectrum4", packet=64, flow=["Ethernet0|3 to Ethernet8"])
    assert found["counts"]["trig_pfc_multi"] == [720726, 10920]
    assert found["counts"]["trig_egr_drp"] == 720727
    assert found["flows"][0]["packets"] == 720726
    assert str(sheet("profile", tables, chip="spectrum4", active=["Ethernet0|3"])["p.free"]) == "4324352"


def test_a_paused_queue_of_spectrum_uses_the_shared_headroom_of_its_port() -> None:
    found = counts(DUMP, chip="spectrum1", packet=64)["counts"]
    assert found["trig_ingr_drp"] == found["trig_pfc"] + 2 * 310 == 50802
    assert counts(DUMP, chip="th", cell=96, packet=64)["counts"]["trig_ingr_drp"] < 50802


PATTERN = {"LOSSLESS_TRAFFIC_PATTERN": {"AZURE": {"mtu": "1024", "small_packet_percentage": "50"}}}


def test_the_headroom_of_a_vendor_is_printed_beside_the_plain_one() -> None:
    made = sheet("pfc", cable="300m", rate="800Gbps", cell=192, mac_phy="819.2", pipeline=12000)
    assert (made["vendor"], made["frame"]) == (474112, 9122)
    assert sheet("pfc", cable="40m", rate="200Gbps", cell=192, mac_phy="819.2", pipeline=3000)["vendor"] == 65536
    for cable, rate, need in (("300m", "400Gbps", 272384), ("40m", "100Gbps", 51200)):  # Spectrum-3: without a tile
        assert sheet("pfc", cable=cable, rate=rate, cell=144, mac_phy="819.2")["vendor"] == need
    x = {"pool": "p", "size": "0", "xoff": "200000", "dynamic_th": "0"}
    tables = document({"p": pool(47792128)}, {"x": x}, {"Ethernet0|3": "x"}, **PATTERN)
    check = sheet("profile", tables, chip="spectrum3", cable="300m", rate="400Gbps", packet=64).checks[0]
    assert "packets may be lost if the sender reacts as late as 802.1Qbb allows" in check.sentence
    assert "2 C p + C r + 2 M + 64 B = 227.931 KB" in check.numbers
    assert "by a vendor's rule" in check.numbers


def test_the_metadata_of_a_packet_takes_a_second_cell(capsys: Any) -> None:
    options = ["--packet", "160", "--cell", "208", "--overhead", "64", "--json"]
    assert run(["params", "pools", "--buffer", "4MB", "--queue", "alpha=1", *options]) == 0
    found = json.loads(capsys.readouterr().out)["parameters"]
    assert found["pool.queue1.packets.stored"]["value"] == "416"
    assert found["pool.queue1.packets.before_drop"]["value"] == 4808


def test_a_pool_of_size_zero_takes_no_packet_and_the_others_are_counted(tmp_path: Path, capsys: Any) -> None:
    tables = document(
        {"p": pool(9595904), "ingress_zero_pool": pool(0, mode="static")},
        {"lossy": {"pool": "p", "size": "0", "dynamic_th": "3"},
         "zero": {"pool": "ingress_zero_pool", "size": "0", "static_th": "0"}},
        {"Ethernet0|0": "lossy", "Ethernet4|0": "zero"},
    )  # fmt: skip
    status, found, _ = asked(tmp_path, capsys, tables, "--packet", "64", "--cell", "96", "--json")
    assert status == 0
    assert found["parameters"]["ingress_zero_pool.zero.packets.before_drop"]["value"] == 0
    assert found["parameters"]["p.lossy.packets.before_drop"]["value"] == 88851


def test_the_side_that_refuses_first_is_named(tmp_path: Path, capsys: Any) -> None:
    profiles = {
        "out": {"pool": "p", "size": "0", "dynamic_th": "-1"},
        "in": {"pool": "p", "size": "0", "dynamic_th": "-6"},
    }
    tables = document({"p": pool(6441610000, "both", xoff="396096307")}, profiles,
                      {"Ethernet0|0": "in", "Ethernet4|0": "in", "@Ethernet8|0": "out"})  # fmt: skip
    check = sheet("profile", tables, check=True).checks[-1]
    assert (check.verdict, check.sentence) == ("WARN", "the ingress groups refuse first")
    assert check.numbers.startswith("195.200 MB in all groups")
    assert sheet("profile", tables, check=True, fan_in=40).checks[-1].verdict == "PASS"
    assert counts(tables, packet=64, cell=256)["refused_by"] == {"trig_egr_drp": "group"}
    _, said, _ = asked(tmp_path, capsys, tables, "--packet", "64", "--cell", "256", "--yaml")
    answer = {"counts": counts(tables, packet=64, cell=256)["counts"]}
    assert said == yaml_lines(answer)
    assert said.startswith("lossy_queue_1:\n    pkts_num_trig_egr_drp: ")


def test_packets_that_leak_out_are_added_to_what_a_tester_sends() -> None:
    made = sheet("profile", DUMP, chip="spectrum1", packet=64, leak=48, egress_memory=101, margin=4)
    most = 48 + 101 + 50182 - 1 - 4
    assert (made["send.without_pause"], made["send.surely_pause"]) == (most, most + 1 + 2 * 4)


def test_without_a_chip_the_sheet_says_by_how_much_readings_differ() -> None:
    warning = sheet("profile", DUMP, packet=64, cell=96).warnings[-1]
    assert warning.startswith(
        "no --chip: the file is read as generic; packets before a pause by reading: generic 50,182"
    )
    assert "th 12,698" in warning
    named = sheet("profile", DUMP, packet=64, chip="th")
    assert not any("--chip" in warning for warning in named.warnings)
    assert named["reading.ingress_slices"] == "4"


def test_a_count_cannot_be_written_without_a_packet(tmp_path: Path, capsys: Any) -> None:
    assert asked(tmp_path, capsys, DUMP, "--yaml")[0] == 2


@pytest.mark.parametrize(
    ("rate", "plain", "both"),
    [("10Gbps", "24046.6", "26094.6"), ("25Gbps", "26772.6", "28308.6"), ("40Gbps", "31098.5", "37242.5"),
     ("100Gbps", "56338.3", "87058.3")],
)  # fmt: skip
def test_the_headroom_has_a_term_for_the_delay_of_the_interfaces(rate: str, plain: str, both: str) -> None:
    made = sheet("pfc", cable="100m", rate=rate, mtu=9194)
    assert [f"{float(Fraction(str(made[name]))):.1f}" for name in ("headroom", "with_interfaces")] == [plain, both]


def test_the_vendor_s_rule_counts_a_gearbox_at_both_ends() -> None:
    delays = [sheet("pfc", cable="100m", rate="100Gbps", **given)["delays"]
              for given in ({}, {"gearbox": "1 KB"}, {"mac_phy": "1 KB"}, {"pipeline": "1 KB"})]  # fmt: skip
    assert [each - delays[0] for each in delays] == [0, 2000, 1000, 1000]


def test_an_unknown_interface_or_reaction_is_said() -> None:
    made = sheet("pfc", cable="100m", rate="400Gbps")
    assert made["with_interfaces"] is None
    with refused("reaction"):
        sheet("pfc", cable="100m", rate="99Gbps")
    with refused("reaction"):
        sheet("pfc", cable="100m", rate="100.0001Gbps")
    with refused("small"):
        sheet("pfc", cable="100m", rate="100Gbps", small="2")


def test_57_kb_at_100g_do_not_cover_the_interfaces_and_the_quanta_at_10g_say_whose_they_are() -> None:
    def check(xoff: str, rate: str) -> Any:
        x = {"pool": "p", "dynamic_th": "0", "size": "0", "xoff": xoff}
        tables = document({"p": pool(10000000)}, {"x": x}, {"Ethernet0|3": "x"})
        return sheet("profile", tables, cable="100m", rate=rate, frame=9216).checks[0]

    assert (check("57000", "100Gbps").verdict, "interface" in check("57000", "100Gbps").sentence) == ("WARN", True)
    assert check("23900", "10Gbps").numbers.endswith("SONiC, 67 quanta")


@pytest.mark.parametrize("size", ["208000", "640000"])
def test_a_vendors_example_passes_with_the_reserves_inside_and_beside_the_pool(size: str) -> None:
    x = {"pool": "p", "dynamic_th": "0", "size": "18000", "xoff": "76000"}
    tables = document({"p": pool(int(size), xoff="840000")}, {"x": x}, {f"Ethernet{i}|3-4": "x" for i in range(12)})
    made = sheet("profile", tables, cable="300m", rate="40Gbps", frame=12000, memory="1480KB")
    assert "FAIL" not in {check.verdict for check in made.checks}
    assert made["p.size"] == 208000
    assert any(check.numbers == "1.48 MB of 1.48 MB" for check in made.checks)
    del tables["BUFFER_POOL"]["p"]["xoff"]
    tables["BUFFER_POOL"]["p"]["size"] = "208000"
    assert "2.464 MB of 2.464 MB" in sheet("profile", tables, memory="2464KB").checks[-1].numbers


GROUP = {"pool": "p", "size": "0", "xon": "0", "xoff": "500", "dynamic_th": "0"}


def test_a_range_of_ports_has_those_of_the_table_of_ports() -> None:
    known = {f"Ethernet{i}": {} for i in (0, 4, 8, 12)} | {"Ethernet-BP0": {}}
    for ports in ("Ethernet0-Ethernet8", "Ethernet0-8", "Ethernet0, Ethernet4-8,"):
        read = read_buffer_profile(document({"p": pool(1000)}, {"x": GROUP}, {f"{ports}|3-4": "x"}, PORT=known))
        assert list(read.ingress) == [f"Ethernet{i}|{j}" for i in (0, 4, 8) for j in (3, 4)]
    assert (
        "Ethernet-BP0|3"
        in read_buffer_profile(document({"p": pool(1000)}, {"x": GROUP}, {"Ethernet-BP0|3": "x"}, PORT=known)).ingress
    )
    with refused("BUFFER_PG.Ethernet0-Ethernet8|3", "Ethernet0-Ethernet8"):
        read_buffer_profile(document({"p": pool(1000)}, {"x": GROUP}, {"Ethernet0-Ethernet8|3": "x"}))


def test_the_configurations_of_several_asics_are_told_apart() -> None:
    tables = document({"p": pool(1000)}, {"x": GROUP}, {"Ethernet0|3": "x"})
    one = {"localhost": {"DEVICE_METADATA": {}}, "asic0": tables}
    assert counts(one, packet=1) == counts(tables, packet=1)
    with refused("file", "asic0, asic1"):
        counts({"asic0": tables, "asic1": tables}, packet=1)


def test_a_size_in_percent_is_a_part_of_the_memory() -> None:
    tables = document({"p": pool(0) | {"size": "25 %"}}, {"x": GROUP}, {"Ethernet0|3": "x"})
    assert counts(tables, packet=1, memory=4000) == counts(
        document({"p": pool(1000)}, {"x": GROUP}, {"Ethernet0|3": "x"}), packet=1, memory=4000
    )
    with refused("BUFFER_POOL.p.size", "25 %", match="--memory"):
        counts(tables, packet=1)


def test_a_list_of_a_database_has_a_name_that_ends_with_a_sign() -> None:
    listed = {"Ethernet0": {"profile_list@": "x"}}
    tables = document({"p": pool(1000)}, {"x": GROUP}, {"Ethernet0|3": "x"}, BUFFER_PORT_INGRESS_PROFILE_LIST=listed)
    assert read_buffer_profile(tables).ports["ingress"] == {"Ethernet0": ("x",)}


def test_the_link_of_a_chassis_port_is_that_of_the_port() -> None:
    tables = document({"p": pool(1000)}, {"x": GROUP}, {"lc1|asic0|Ethernet0|3": "x"},
                      PORT={"Ethernet0": {"speed": "100000"}}, CABLE_LENGTH={"A": {"Ethernet0": "5m"}})  # fmt: skip
    (title,) = [each.name for each in sheet("profile", tables, check=True).checks if "headroom of x" in each.name]
    assert "at 100 Gbps over 5 m" in title


def test_each_count_has_the_numbers_of_its_formula() -> None:
    group = {"pool": "p", "size": "1248", "xon": "2288", "xoff": "268736", "dynamic_th": "0", "xon_offset": "2288"}
    tables = document({"p": pool(10875072, xoff="4194112")}, {"x": group}, {"Ethernet0|3-4": "x"})
    made = {row.name.removeprefix("counts."): row for row in sheet("profile", tables, chip="th", packet=64).parameters}
    worked = {name: text_of(f"${row.worked}$") for name, row in made.items()}
    assert [worked[name] for name in ("fill_min", "dismiss_frozen")] == ["6", "11"]
    assert (worked["headroom_groups"], worked["headroom_partial"]) == ("⌈5041/1292⌉", "5041 - (4 - 1) · 1292")
    assert "13071 - U" in worked["trig_pfc_multi"]
    assert made["headroom_groups"].unit == ""
    assert (worked["packet_cells"], made["hysteresis"].formula) == ("⌈(64 B + 0 B)/(208 B)⌉", "0")
    group["size"] = "280000"
    made = {row.name: row for row in sheet("profile", tables, chip="td2", packet=500).parameters}
    shown = text_of(f"${made['counts.hysteresis'].worked}$")
    assert shown == "⌊(max(0, ⌈(280000 B)/(208 B)⌉ - ⌈(2288 B)/(208 B)⌉ - ⌈(268736 B)/(208 B)⌉))/3⌋"


@pytest.mark.parametrize("name", ["[BUFFER_POOL|p]", "BUFFER_POOL|p", "[BUFFER_POOL_TABLE:p]", " p "])
def test_a_reference_to_a_pool_may_be_written_in_each_way_that_is_shipped(name: str) -> None:
    tables = document({"p": pool(1000)}, {"x": {"pool": name, "dynamic_th": "0"}}, {})
    assert read_buffer_profile(tables).profiles["x"].pool == "p"


def test_an_exponent_is_any_int8_and_a_percentage_is_a_part_of_the_memory() -> None:
    profile = {"pool": "p", "dynamic_th": "-128"}
    parts = {"p": {"type": "egress", "mode": "dynamic", "percentage": "25"}}
    tables = document(parts, {"x": profile}, {"@Ethernet0|0": "x"})
    read = read_buffer_profile(tables, Fraction(1000))
    assert (read.pools["p"].size, read.profiles["x"].exponent) == (250, -128)
    assert counts(tables, chip="spectrum1", packet=64, memory=10**6)["counts"]["trig_egr_drp"] == 1
    with refused("BUFFER_PROFILE.x.dynamic_th"):
        read_buffer_profile(document(parts, {"x": profile | {"dynamic_th": "128"}}, {}), Fraction(1000))


def test_a_profile_whose_headroom_the_switch_computes_is_named() -> None:
    tables = document({"p": pool(1000)}, {"x": {"pool": "p", "headroom_type": "dynamic", "dynamic_th": "0"}}, {})
    (warning,) = read_buffer_profile(tables).warnings
    assert "APPL_DB" in warning


def test_a_pause_that_ends_at_0_is_dismissed_by_all_packets() -> None:
    tables = document(
        {"p": pool(64000)}, {"x": {"pool": "p", "xon": "0", "xoff": "64", "dynamic_th": "0"}}, {"Ethernet0|3": "x"}
    )
    found = counts(tables, packet=64, cell=64)["counts"]
    assert found["dismiss_pfc"] == found["trig_pfc"] == 500
