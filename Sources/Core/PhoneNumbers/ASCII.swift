extension UInt8 {
    package var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }
    package var isASCIILowerCase: Bool { self >= 0x61 && self <= 0x7A }
    package var isASCIILetter: Bool { (self | 0x20).isASCIILowerCase }
    package var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }
    package var isASCIIHexDigit: Bool { isASCIIDigit || (0x61...0x66).contains(self | 0x20) }
}
