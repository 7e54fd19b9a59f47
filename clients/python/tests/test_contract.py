"""The contract kit finds each fault that it is made for."""

from __future__ import annotations

import html
import unittest

from keepsake_client.contract import CLOSE, ContractBroken, block_of, cached_prefix_hash, check_prompt_assembly

PREFIX = "You are a helpful assistant."


def good(block: str, message: str, user: str) -> tuple[str, str]:
    return PREFIX, f"{block}\n\n{message}"


class Kit(unittest.TestCase):
    def fault(self, assemble, words: str, **how) -> None:
        with self.assertRaises(ContractBroken) as caught:
            check_prompt_assembly(assemble, **how)
        self.assertIn(words, str(caught.exception))

    def test_a_good_host_passes(self) -> None:
        self.assertEqual(check_prompt_assembly(good, blocks=[block_of("a < b & c")]), cached_prefix_hash(PREFIX))

    def test_each_fault_is_found(self) -> None:
        self.fault(lambda block, message, user: (PREFIX + block, message), "in the cached prefix")
        self.fault(lambda block, message, user: (f"{PREFIX} Hello {user}", block + message), "different hashes")
        self.fault(lambda block, message, user: (PREFIX, block + block + message), "there once")
        self.fault(lambda block, message, user: (PREFIX, message), "there once")
        self.fault(lambda block, message, user: (PREFIX, html.unescape(block) + message), "unescaped")
        self.fault(lambda block, message, user: (PREFIX, block.replace("- ", "* ") + message), "was changed")
        empty = f"<keepsake_memories>\n{CLOSE}"
        self.fault(lambda block, message, user: (PREFIX, (block or empty) + message), "nothing was recalled")

        def beside(block: str, message: str, user: str) -> tuple[str, str]:
            lines = "\n".join(line for line in block.splitlines() if line.startswith("- "))
            return PREFIX, f"{lines}\n{block}\n{message}"

        self.fault(beside, "outside of the wrapper")

    def test_a_budget_is_kept_by_whole_lines_or_nothing(self) -> None:
        budget = 400

        def shortened(block: str, message: str, user: str) -> tuple[str, str]:
            lines = block.splitlines()
            while len("\n".join(lines)) > budget:
                del lines[-2]
            return PREFIX, "\n".join([*lines, message])

        def left_out(block: str, message: str, user: str) -> tuple[str, str]:
            return good(block if len(block) <= budget else "", message, user)

        def cut(block: str, message: str, user: str) -> tuple[str, str]:
            return good(block if len(block) <= budget else block[: budget - len(CLOSE)] + CLOSE, message, user)

        check_prompt_assembly(shortened, budget_chars=budget)
        check_prompt_assembly(left_out, budget_chars=budget)
        self.fault(good, "more than the budget", budget_chars=budget)
        self.fault(cut, "within a line", budget_chars=budget)


if __name__ == "__main__":
    unittest.main()
