"""The commands, one file each; `assay/cli.py` registers them."""
