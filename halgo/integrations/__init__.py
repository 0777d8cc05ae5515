"""halgo in the frameworks where answers are evaluated or guarded: a thin file each."""
