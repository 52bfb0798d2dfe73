// JSON, base64, hexadecimal and percent-encoding, which need no library: who imports this target has them.
@_exported public import CoreEncodings
