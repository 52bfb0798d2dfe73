// Numbers are words of the domain: who imports it has them.
@_exported public import PhoneNumbers
