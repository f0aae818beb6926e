"""Studies of a switch: policies compared, sweeps over grids, traces of packets, parameter sheets."""
