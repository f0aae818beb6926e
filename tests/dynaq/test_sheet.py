"""The parameter sheet of DynaQ: ports worked out by hand, and the border of every warning."""

from fractions import Fraction

from refusals import refused

from dtmodel.theory.dynaq.sheet import PRESETS, parameters


def warned(words, *arguments, **keywords):
    return any(words in warning for warning in parameters(*arguments, **keywords).warnings)


def test_a_satisfaction_threshold_smaller_than_a_packet_is_warned_of_from_two_queues_on():
    small = "smaller than a packet"
    assert warned(small, "9 KB", "1 Gbps", "50 us", [1, 9])  # 900 bytes and 8100
    assert not warned(small, "15 KB", "1 Gbps", "50 us", [1, 9])  # 1500 bytes: just a packet
    assert not warned(small, "1500", "1 Gbps", "10 us", [1])


def test_only_queues_that_cannot_fill_the_pipe_alone_are_named():
    alone = "A single active queue cannot fill"
    sheet = parameters("85 KB", "1 Gbps", "500 us", [1, 1, 1, 1])
    assert not any(alone in warning for warning in sheet.warnings)
    assert all(sheet[f"alone_fills_{i}"] for i in range(1, 5))
    sheet = parameters("85 KB", "1 Gbps", "500 us", [8, 1, 1])
    assert any(alone in warning for warning in sheet.warnings)
    assert [i for i in (1, 2, 3) if not sheet[f"alone_fills_{i}"]] == [
        i for i in (1, 2, 3) if any(alone in w and f"{i} (" in w for w in sheet.warnings)
    ]


def test_a_queue_whose_guarantee_is_its_weighted_bdp_is_covered():
    """S = 20000, and the least threshold is (M-1)(L-g) = 1499 less: 18501 bytes, just its half of the BDP."""
    sheet = parameters("40 KB", "37002", "1", [1, 1])
    assert (sheet["guaranteed_1"], sheet["weighted_bdp_1"], sheet["covered_1"]) == (18501, 18501, True)
    assert parameters("40 KB", "37003", "1", [1, 1])["covered_1"] is False


def test_the_settings_of_the_paper_have_its_weights():
    assert {name: preset.weights for name, preset in PRESETS.items()} == {
        "testbed": (1, 1, 1, 1),
        "testbed-5": (1, 1, 1, 1, 1),
        "testbed-weights": (4, 3, 2, 1),
        "rack-10g": (1, 1, 1, 1, 1, 1, 1, 1),
        "rack-100g": (1, 1, 1, 1, 1, 1, 1, 1),
        "fabric-10g": (1, 1, 1, 1, 1, 1, 1, 1),
    }


def test_a_port_of_three_queues_worked_out_by_hand():
    """S = 10, 20, 30, WBDP = 2, 4, 6, (M-1)(L-g) = 2 (3-1); alone: (12 + 3 3) 6 / min(1 + 2 2, 2 + 2, 3 + 2) = 63/2.

    Queue 1 alone takes from 2 and 3 in turn until one has less than 3: 6 times from 2, 6 times from 3: 10 + 36. Queue 2
    takes from 1 and 3 in turn, three times each: 20 + 18. So does queue 3 with 1 and 2: 30 + 18.
    """
    sheet = parameters(60, 12, 1, [1, 2, 3], packet=3, granularity=1)
    assert {p.name: p.value for p in sheet.parameters} == {
        "bdp": 12, "worst_deficit": 4, "buffer_one_active": Fraction(63, 2), "pair_threshold": 10 + 20 + 3, "cycles": 6,
        "satisfaction_1": 10, "weighted_bdp_1": 2, "margin_1": 8, "guaranteed_1": 6, "covered_1": True,
        "alone_1": 46, "alone_fills_1": True,
        "satisfaction_2": 20, "weighted_bdp_2": 4, "margin_2": 16, "guaranteed_2": 16, "covered_2": True,
        "alone_2": 38, "alone_fills_2": True,
        "satisfaction_3": 30, "weighted_bdp_3": 6, "margin_3": 24, "guaranteed_3": 26, "covered_3": True,
        "alone_3": 48, "alone_fills_3": True,
    }  # fmt: skip
    assert len(sheet.warnings) == 1  # the one that always stands


def test_two_queues_have_a_pair_and_one_queue_has_none():
    """(10 + 2 3) 4 / (1 + 3) = 16, for either queue; a pair of two has the whole buffer."""
    two, one = parameters(40, 10, 1, [1, 3], packet=3), parameters(40, 10, 1, [2], packet=3)
    assert (two["buffer_one_active"], two["pair_threshold"]) == (16, 40)
    pairs = {"buffer_one_active", "pair_threshold"}
    assert pairs.isdisjoint(parameter.name for parameter in one.parameters)


def test_a_queue_alone_fills_the_line_with_whole_packets():
    """S = 10 each: T becomes 10 + 7, of which two packets of 7 bytes are held: a BDP of 14, and not of 16."""
    for BDP, fills in ((14, True), (16, False)):
        sheet = parameters(20, BDP, 1, [1, 1], packet=7)
        assert (sheet["alone_1"], sheet["alone_fills_1"]) == (17, fills)
        assert any("cannot fill the BDP of 16 B: queue 1 (14 B)" in text for text in sheet.warnings) != fills


def test_a_buffer_and_a_granularity_of_nothing_are_refused_as_such():
    with refused("buffer", match="greater than 0"):
        parameters(0, 10, 1, [1])
    for granularity in (0, 1000):
        with refused("granularity", granularity):
            parameters(4500, 10, 1, [1], packet=1500, granularity=granularity)
    assert parameters(4500, 10, 1, [1, 1], packet=1500, granularity=500)["worst_deficit"] == 1000


def test_a_queue_that_holds_just_a_bdp_alone_fills_the_pipe():
    """S = 10 and 10: queue 1 alone takes all that queue 2 has, in two packets of 5."""
    just, less = (parameters(20, rate, 1, [1, 1], packet=5) for rate in (20, 21))
    assert (just["alone_1"], just["alone_fills_1"], less["alone_fills_1"]) == (20, True, False)
    alone = "A single active queue cannot fill"
    assert [any(alone in warning for warning in sheet.warnings) for sheet in (just, less)] == [False, True]


def test_a_queue_that_alone_holds_just_a_bdp_is_not_named_beside_one_that_holds_less():
    """With 12 bytes and packets of one the queues hold 10, 8 and 10 alone."""
    assert warned("cannot fill the BDP of 10 B: queue 2 (8 B).", 12, 10, 1, [1, 2, 3], packet=1)


def test_a_buffer_of_just_a_bdp_is_not_larger_than_it():
    larger = "B is not larger than the BDP"
    assert [warned(larger, 20, rate, 1, [1, 1], packet=5) for rate in (19, 20, 21)] == [False, True, True]


def test_pairs_are_warned_of_where_there_are_other_queues():
    """Three queues of 10: a pair has 10 + 10 + 1, since the packets have 1 byte."""
    pairs = "pairs of queues that are active from the start have thresholds for less"
    assert [warned(pairs, 30, rate, 1, [1, 1, 1], packet=1) for rate in (20, 21, 22)] == [False, False, True]
    assert warned("3 of 3 pairs", 30, 22, 1, [1, 1, 1], packet=1)
    assert not warned(pairs, 20, 22, 1, [1, 1], packet=1)


def test_a_buffer_of_just_a_bdp_is_not_short_for_every_pair():
    """Thresholds of 28, 1 and 1: a pair with the first has 29 + 1 = 30, the other 1 + 1 + 1."""
    assert warned("1 of 3 pairs", 30, 30, 1, [28, 1, 1], packet=1)


def test_the_queues_that_mixed_packet_sizes_can_leave_short_are_named():
    """(70 - 49) w_i / 7 = 3, 6, 9, 3 bytes above the weighted BDP, of which (4-1)(3-1) = 6 can be missing."""
    short = "short of its weighted BDP: queue 1, 4. With one packet size"
    assert warned(short, 70, 49, 1, [1, 2, 3, 1], packet=3)
    assert not warned("short of its weighted BDP", 70, 49, 1, [1, 2, 3, 1], packet=3, granularity=3)
