"""Converts the rules of gitleaks (https://github.com/gitleaks/gitleaks, MIT licence) for the gate.

    python3 scripts/secrets.py gitleaks.toml "$(git -C gitleaks describe --tags)" > crates/gate/secrets.toml

`gitleaks.toml` is its `config/gitleaks.toml`. The allow lists are left out: the gate reads
sentences, not source trees. Rules that need a certain file name are left out, too.
"""

import json
import sys
import tomllib

# The gate has rules of its own for these.
OURS = {"generic-api-key", "private-key"}


def literal(pattern: str) -> str:
    return f"'''{pattern}'''"


def main() -> None:
    with open(sys.argv[1], "rb") as file:
        rules = tomllib.load(file)["rules"]
    print("# Keys of services, by their form. Made by scripts/secrets.py from the rules of gitleaks; do not edit.")
    print(f"# https://github.com/gitleaks/gitleaks at {sys.argv[2]}, MIT licence, Copyright (c) 2019 Zachary Rice")
    for rule in sorted(rules, key=lambda rule: rule["id"]):
        if "regex" not in rule or "path" in rule or rule["id"] in OURS or not rule.get("keywords"):
            continue
        print(f'\n[[key]]\nname = "{rule["id"]}"')
        print(f"words = {json.dumps(sorted(set(word.lower() for word in rule['keywords'])))}")
        print(f"find = {literal(rule['regex'])}")
        if rule.get("entropy"):
            print(f"entropy = {float(rule['entropy'])}")


if __name__ == "__main__":
    main()
