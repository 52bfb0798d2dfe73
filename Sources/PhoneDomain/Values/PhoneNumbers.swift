// Numbers are words of the domain: whoever imports it has them.
@_exported public import PhoneNumbers
