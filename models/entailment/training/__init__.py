"""Makes the entailment model: data, training, evaluation, export. README.md tells how."""
