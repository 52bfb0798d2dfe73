"""The limits that the cluster is run under and judged by."""

import dataclasses

from cluster.quota import Quota


@dataclasses.dataclass(frozen=True)
class Rules:
    """Small, so that the load runs into all of them."""

    # Long, so that no two codes are the same by chance: a message is known by the code in it.
    code_length: int = 8
    max_checks: int = 3
    max_sends: int = 3
    cooldowns: tuple = (1, 2)
    sends_per_number: int = 5
    failures_per_number: int = 5
    address_sends: Quota = Quota(8, 3600)
    address_checks: Quota = Quota(12, 3600)
    address_signups: Quota = Quota(12, 3600)
    prefix_sends: Quota = Quota(40, 3600)
    service_sends: Quota = Quota(70, 10)
    # How long one who had the right code may ask again, in milliseconds.
    repeat_time: int = 70_000
    gateway_timeout: int = 1

    @property
    def lease(self):
        """Seconds for which nobody else takes a message that an instance has claimed."""
        return self.gateway_timeout * 6

    @property
    def settings(self):
        """What an instance is started with."""
        return {
            "VERIFICATION_CODE_LENGTH": self.code_length,
            "VERIFICATION_MAX_CHECKS": self.max_checks,
            "VERIFICATION_MAX_SENDS": self.max_sends,
            "VERIFICATION_RESEND_COOLDOWNS_SECONDS": ",".join(map(str, self.cooldowns)),
            "VERIFICATION_MAX_SENDS_PER_NUMBER_PER_DAY": self.sends_per_number,
            "VERIFICATION_MAX_CONSECUTIVE_FAILURES": self.failures_per_number,
            "LIMITS_ADDRESS_SENDS": self.address_sends,
            "LIMITS_ADDRESS_CHECKS": self.address_checks,
            "LIMITS_ADDRESS_SIGNUPS": self.address_signups,
            "LIMITS_PREFIX_SENDS": self.prefix_sends,
            "LIMITS_SERVICE_SENDS": self.service_sends,
            "LIMITS_COUNTRY_SENDS": "off",
            # The load is what the guard is made to stop; it notes what it would have done.
            "GUARD_MODE": "shadow",
            "SMS_TIMEOUT_SECONDS": self.gateway_timeout,
        }
