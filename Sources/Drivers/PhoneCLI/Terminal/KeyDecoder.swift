enum Key: Hashable, Sendable {
    /// Typed text, without control characters.
    case text(String)
    /// Pasted text; line breaks and other control characters in it are spaces.
    case paste(String)
    case enter
    case escape
    case left
    case right
    /// Or Ctrl-A.
    case home
    /// Or Ctrl-E.
    case end
    case backspace
    case delete
    /// Ctrl-W.
    case deleteWord
    /// Ctrl-U.
    case deleteToStart
    /// Ctrl-K.
    case deleteToEnd
    /// Ctrl-C.
    case interrupt
    /// Ctrl-D.
    case endOfInput
}

/// Decodes the bytes of a terminal in raw mode into keys.
///
/// A character, an escape sequence or a paste may be spread over several portions. Keys that a one-line field does not
/// use (Up, Page Down, function keys) are ignored, as are bytes that are not UTF-8. Ctrl-C is recognised anywhere, even
/// in a sequence or a paste that was begun and never ended.
struct KeyDecoder {
    private enum State {
        case ground
        /// Has read ESC; counts the ticks since then.
        case escape(ticks: Int)
        /// Has read `ESC [` (ECMA-48, 5.4) and these bytes: parameters, then intermediate ones.
        case sequence([UInt8])
        /// Has read `ESC O`: one more byte follows, in some terminals behind parameters.
        case shift3
        /// Has read `ESC [ [`: one more byte follows, of F1 to F5 on the Linux console (console_codes(4)).
        case consoleKey
        /// Has read the beginning of a control string (ECMA-48, 5.6), such as a terminal's late answer to the program
        /// before; counts the ticks since then. It comes at once, so what follows later is typed: Alt-P begins so too.
        case string(ticks: Int)
    }

    /// The most bytes of a paste. The rest of a longer one is dropped; no field of ours takes a hundredth of it.
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

    /// Call every ``KeyPrompt/tick``. ESC alone is the Esc key, but may also be the first byte of a sequence that a
    /// slow line delivers in parts: only time can say.
    mutating func tick() -> [Key] {
        switch state {
        case .escape(ticks: 0): state = .escape(ticks: 1)
        case .string(ticks: 0): state = .string(ticks: 1)
        case .string: state = .ground
        case .escape:
            state = .ground
            return isPasting ? [] : [.escape]
        case .ground, .sequence, .shift3, .consoleKey: break
        }
        return []
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
        case .shift3:
            if 0x30...0x3F ~= byte { return }
            state = .ground
            if !isPasting, let key = Self.cursorKey(byte) { append(key) }
        case .consoleKey: state = .ground
        case .string:
            if byte == 0x1B { state = .escape(ticks: 0) }
            if byte == 0x07 { state = .ground }
        }
    }

    private mutating func decodeGround(_ byte: UInt8) {
        let followsReturn = endedByReturn
        endedByReturn = false
        switch byte {
        case 0x1B: state = .escape(ticks: 0)
        case 0x20..<0x7F, 0x80...0xFF: decodeText(byte)
        case _ where isPasting: decodeText(0x20)
        case 0x0A where followsReturn: break
        case 0x0A, 0x0D:
            endedByReturn = byte == 0x0D
            append(.enter)
        case 0x08, 0x7F: append(.backspace)
        case 0x01: append(.home)
        case 0x04: append(.endOfInput)
        case 0x05: append(.end)
        case 0x0B: append(.deleteToEnd)
        case 0x15: append(.deleteToStart)
        case 0x17: append(.deleteWord)
        default: break
        }
    }

    /// Alt and a key arrive as ESC and the key; Alt is ignored.
    private mutating func decodeAfterEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "["): state = .sequence([])
        case UInt8(ascii: "O"): state = .shift3
        case UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            state = .string(ticks: 0)
        // The end of a control string.
        case UInt8(ascii: "\\"): state = .ground
        default:
            state = .ground
            decodeGround(byte)
        }
    }

    private mutating func decodeSequence(_ byte: UInt8, after parameters: [UInt8]) {
        let last = parameters.last ?? 0
        switch byte {
        case UInt8(ascii: "[") where parameters.isEmpty: state = .consoleKey
        // With Shift the keys of rxvt end so, as in `ESC [ 3 $`; by ECMA-48 it is an intermediate byte.
        case UInt8(ascii: "$") where parameters.first.map({ 0x30...0x39 ~= $0 }) == true: state = .ground
        // A parameter behind an intermediate byte ends what is no sequence then.
        case 0x20...0x3F where byte < 0x30 || !(0x20...0x2F ~= last):
            // No sequence is that long, so the rest does not matter.
            state = .sequence(parameters.count < 16 ? parameters + [byte] : parameters)
        case 0x40...0x7E:
            state = .ground
            perform(byte, String(decoding: parameters, as: UTF8.self))
        default:
            state = .ground
            decodeGround(byte)
        }
    }

    /// The keys as xterm, the Linux console and rxvt send them.
    private mutating func perform(_ final: UInt8, _ parameters: String) {
        switch (final, parameters) {
        case (UInt8(ascii: "~"), "201") where isPasting:
            isPasting = false
            if !text.isEmpty { keys.append(.paste(text)) }
            text = ""
        case _ where isPasting: break
        case (UInt8(ascii: "~"), "200"):
            flushText()
            isPasting = true
        case (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): append(.home)
        case (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"): append(.end)
        case (UInt8(ascii: "~"), "3"): append(.delete)
        default: if let key = Self.cursorKey(final) { append(key) }
        }
    }

    private static func cursorKey(_ final: UInt8) -> Key? {
        switch final {
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "H"): .home
        default: nil
        }
    }

    private mutating func decodeText(_ byte: UInt8) {
        if byte & 0xC0 != 0x80 || character.count == 4 { character = [] }
        character.append(byte)
        guard text.utf8.count < Self.longestPaste, let whole = String(validating: character, as: UTF8.self)
        else { return }
        text += whole
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
