enum Key: Hashable, Sendable {
    /// Typed text, without control characters.
    case text(String)
    /// Pasted text; line breaks and other control characters in it are spaces.
    case paste(String)
    case enter
    case backspace
    /// Ctrl-U, or Ctrl-W, as a field is one word.
    case clear
    /// Ctrl-C.
    case interrupt
    /// Ctrl-D.
    case endOfInput
}

/// Decodes the bytes of a terminal in raw mode into keys.
///
/// A character, an escape sequence or a paste may be spread over several portions. Keys that a one-line field does not use
/// (arrows, Home, function keys) are ignored, as are bytes that are not UTF-8. Ctrl-C is recognised anywhere, even in a sequence
/// or a paste that was begun and never ended.
struct KeyDecoder {
    private enum State {
        case ground
        /// After ESC.
        case escape
        /// After `ESC [` (ECMA-48, 5.4): the parameters so far.
        case sequence([UInt8])
        /// After `ESC O`: one more byte.
        case shift3
    }

    /// In bytes. The rest of a longer paste is dropped; no field of ours takes a hundredth of it.
    private static let longestPaste = 4096

    private var state = State.ground
    private var isPasting = false
    /// The bytes of an incomplete character.
    private var character: [UInt8] = []
    private var text = ""
    private var keys: [Key] = []
    private var endedByReturn = false

    /// The keys that these bytes complete; consecutive text is one key.
    mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
        for byte in bytes { decode(byte: byte) }
        if !isPasting { flushText() }
        defer { keys = [] }
        return keys
    }

    private mutating func decode(byte: UInt8) {
        if byte == 0x03 {
            text = ""
            isPasting = false
            state = .ground
            keys.append(.interrupt)
            return
        }
        switch state {
        case .ground: decodeGround(byte)
        case .escape: decodeAfterEscape(byte)
        case .sequence(let parameters): decodeSequence(byte, after: parameters)
        case .shift3: state = .ground
        }
    }

    private mutating func decodeGround(_ byte: UInt8) {
        let followsReturn = endedByReturn
        endedByReturn = false
        switch byte {
        case 0x1B: state = .escape
        case 0x20..<0x7F, 0x80...0xFF: decodeText(byte)
        case _ where isPasting: decodeText(0x20)
        case 0x0A where followsReturn: break
        case 0x0A, 0x0D:
            endedByReturn = byte == 0x0D
            append(.enter)
        case 0x08, 0x7F: append(.backspace)
        case 0x15, 0x17: append(.clear)
        case 0x04: append(.endOfInput)
        default: break
        }
    }

    /// Alt and a key arrive as ESC and the key; Alt is ignored.
    private mutating func decodeAfterEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "["): state = .sequence([])
        case UInt8(ascii: "O"): state = .shift3
        default:
            state = .ground
            decodeGround(byte)
        }
    }

    private mutating func decodeSequence(_ byte: UInt8, after parameters: [UInt8]) {
        switch byte {
        case 0x20...0x3F:
            // No sequence is that long, so the rest does not matter.
            state = .sequence(parameters.count < 16 ? parameters + [byte] : parameters)
        case 0x40...0x7E:
            state = .ground
            guard byte == UInt8(ascii: "~") else { return }
            if parameters.elementsEqual("200".utf8) {
                flushText()
                isPasting = true
            } else if parameters.elementsEqual("201".utf8), isPasting {
                isPasting = false
                if !text.isEmpty { keys.append(.paste(text)) }
                text = ""
            }
        default:
            state = .ground
            decodeGround(byte)
        }
    }

    private mutating func decodeText(_ byte: UInt8) {
        if byte & 0xC0 != 0x80 || character.count == 4 { character = [] }
        character.append(byte)
        guard text.utf8.count < Self.longestPaste, character.count == length(ofCharacterBeginningWith: character[0]),
            let whole = String(validating: character, as: UTF8.self)
        else { return }
        text += whole
    }

    /// In UTF-8; 0 for a byte that begins no character.
    private func length(ofCharacterBeginningWith byte: UInt8) -> Int {
        switch byte {
        case ..<0x80: 1
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 0
        }
    }

    private mutating func append(_ key: Key) {
        flushText()
        keys.append(key)
    }

    private mutating func flushText() {
        if !text.isEmpty { keys.append(.text(text)) }
        text = ""
    }
}
