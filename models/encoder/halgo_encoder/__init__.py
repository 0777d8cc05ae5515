"""halgo's sentence encoder, as files; halgo finds them here without importing this package."""
