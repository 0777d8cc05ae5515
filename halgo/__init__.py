"""halgo checks an AI's answer claim by claim against your documents. No LLM, no network."""

__version__ = "0.1.0"
