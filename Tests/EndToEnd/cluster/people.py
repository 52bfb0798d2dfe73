"""The numbers that are signed up, and the addresses that people come from."""

import random


class People:
    """Few at a time, so that many meet at one number, one prefix and one address; others as time goes on, since what has
    met its limit stays closed for the hour.
    """

    # How long a prefix and an address stay in use, in seconds.
    PREFIX_TIME, ADDRESS_TIME = 10, 8
    PREFIXES, NUMBERS, ADDRESSES = 4, 40, 24

    def __init__(self, seed):
        self._first = random.Random(f"{seed} people").randrange(1000, 2000)

    def number(self, chance, elapsed):
        """As the country writes it, and as the world does."""
        prefix = self._first + int(elapsed / self.PREFIX_TIME) * 2 + chance.randrange(self.PREFIXES)
        # The lower ones more often.
        number = 5000 + min(chance.randrange(self.NUMBERS) for _ in range(2))
        return f"010{prefix}{number}", f"+8210{prefix}{number}"

    def address(self, chance, elapsed):
        index = 256 + int(elapsed / self.ADDRESS_TIME) * 12 + chance.randrange(self.ADDRESSES)
        return f"127.1.{index // 250}.{index % 250 + 1}"
