"""Accounts over PostgreSQL: as over a file."""

import test_accounts
from test_postgresql import OnPostgreSQL


class AccountsOnPostgreSQLTests(OnPostgreSQL, test_accounts.AccountTests):
    # What it does, it does without a database.
    test_the_settings_are_checked = None

    def is_postgresql(self):
        return True
