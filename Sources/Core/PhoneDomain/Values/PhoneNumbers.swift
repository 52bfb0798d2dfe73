// Numbers, and the small values of a signup, are words of the domain: who imports it has them.
@_exported public import PhoneNumbers
@_exported public import PhoneSignup
