"""Own theorems that `dtmodel.derive` finds: proofs."""
