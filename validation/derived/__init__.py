"""Own theorems that `dtmodel.derive` finds: claims and the atlas."""
