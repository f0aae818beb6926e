"""The parts of ``check_certificates.py``: one file a kind, the standard library only, nothing of the package."""
