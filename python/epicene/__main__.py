"""The command `epicene`, and `python -m epicene`."""
import sys

from . import _epicene


def main() -> int:
    return _epicene.main(["epicene", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
