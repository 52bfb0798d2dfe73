import CoreEncodings
// The standard library composes texts to compare them, and has no public name for it. Foundation has one, and needs ICU
// with it.
@_spi(_Unicode) import Swift

extension String {
    /// The text in Normalization Form C (Unicode Standard Annex 15), as every text that goes out in a message is: a
    /// Hangul syllable or a letter with its accent is one character, however it was typed. So it has the length that a
    /// person sees, and the legacy alphabets of SMS have it at all.
    ///
    /// A text that is not ``isStreamSafe`` is left as it is: to order its marks takes their number squared.
    public var inNFC: String {
        if utf8.allSatisfy({ $0 < 0x80 }) || !isStreamSafe { return self }
        var composed = String.UnicodeScalarView()
        composed.append(contentsOf: _nfc)
        return String(composed)
    }
}
