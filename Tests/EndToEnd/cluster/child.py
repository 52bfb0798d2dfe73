"""How the processes of a trial are started."""


def bound(*command):
    """The command, which ends with the one who started it, however that ends."""
    return ["setpriv", "--pdeathsig", "KILL", "--", *command]
