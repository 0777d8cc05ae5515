"""Natural language inference: premises, the cross-encoder, and what it says of each claim."""
