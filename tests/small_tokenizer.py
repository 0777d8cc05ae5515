"""A tokenizer of a few words, for models small enough to make in a test."""

from __future__ import annotations

from collections.abc import Sequence

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
WORDS = [*MARKS, "the", "tower", "bridge", "opens", "closed", "in", "may"]


def tokenizer(words: Sequence[str]) -> Tokenizer:
    """Word pieces as BERT cuts them; `words` begins with `MARKS`."""
    cut = Tokenizer(
        models.WordPiece({word: at for at, word in enumerate(words)}, unk_token="[UNK]")
    )
    cut.normalizer = normalizers.BertNormalizer(lowercase=True)
    cut.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    cut.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return cut
