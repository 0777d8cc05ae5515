"""halgo's entailment model, as files; halgo finds them here without importing this package."""
