"""``dtmodel params losspass``: both absorbable bursts, utilisation and the least K for one port."""

from dtmodel.cli.params import sheet_command

command = sheet_command(
    "losspass",
    "Compare LossPass with ECN for one port: absorbable bursts, utilisation, the least K for line rate.",
    rate="Link capacity C, such as 10Gbps.",
    rtt="Base round-trip time, such as 100us.",
    buffer="Port buffer B, such as 128KB.",
    flows="Number N of large flows.",
    threshold='Marking threshold K: bytes, or "45 packets".',
    tau="Share tau of the buffered bytes that belongs to large flows, from 0 to 1.",
    reserve='Reserve B_l of the large queue: bytes, or "9 packets".',
    segment="Bytes by which a window grows.",
    cut="Fraction by which a marked sender cuts its window.",
)
