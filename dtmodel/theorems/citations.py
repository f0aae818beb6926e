"""The BibTeX entries of the documents that the statements come from."""

_DT_EDT = """@article{shan2017analyzing,
  author  = {Shan, Danfeng and Jiang, Wanchun and Ren, Fengyuan},
  title   = {Analyzing and Enhancing Dynamic Threshold Policy of Data Center Switches},
  journal = {IEEE Transactions on Parallel and Distributed Systems},
  volume  = {28},
  number  = {9},
  pages   = {2454--2470},
  year    = {2017}
}"""
"""Dynamic Threshold and its enhancement."""

_DYNAQ = """@article{kim2023dynaq,
  author  = {Kim, Gyuyeong and Lee, Wonjun},
  title   = {DynaQ: Enabling Protocol-Independent Service Queue Isolation in Cloud Data Centers},
  journal = {IEEE Transactions on Cloud Computing},
  year    = {2023},
  doi     = {10.1109/TCC.2021.3110276}
}"""
"""Service-queue isolation."""

_L2BM = """@inproceedings{liu2023l2bm,
  author    = {Liu, Yi and Han, Jiangping and Xue, Kaiping and Li, Ruidong and Li, Jian},
  title     = {{L2BM}: Switch Buffer Management for Hybrid Traffic in Data Center Networks},
  booktitle = {IEEE International Conference on Distributed Computing Systems (ICDCS)},
  year      = {2023}
}"""
"""Ingress thresholds by sojourn time."""

_LOSSPASS = """@article{kim2020losspass,
  author = {Kim, Gyuyeong and Lee, Wonjun},
  title = {{LossPass}: Absorbing Microbursts by Packet Eviction for Data Center Networks},
  journal = {IEEE Transactions on Cloud Computing},
  year = {2020}
}"""
"""Packet eviction, and headroom under ECN."""

PROJECT = """@misc{dtmodel,
  author = {{The dtmodel authors}},
  title  = {dtmodel: a machine-checked companion to the theory of shared-memory switch buffers},
  note   = {Software, version 0.1.0}
}"""
"""This package, as ``CITATION.cff`` has it."""

ENTRIES = {"edt": _DT_EDT, "dynaq": _DYNAQ, "l2bm": _L2BM, "losspass": _LOSSPASS}
"""Each entry by the first part of the ids of its document's claims."""


def entry_of(claim: str) -> str:
    """Return the BibTeX entry of a claim's document, preceded by that of this package for a theorem of its own."""
    paper, own, _ = claim.partition(".ours.")
    document = ENTRIES.get(paper.partition(".")[0], "")
    return f"{PROJECT}\n\n{document}" if own and document else document
