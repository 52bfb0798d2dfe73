import Testing
import Texts

@Suite struct NormalizationFormCTests {
    /// Compared by scalars: to `==` both forms are one text.
    private static func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }

    @Test(arguments: [
        ("Acme", "Acme"), ("", ""), ("에이스은행", "에이스은행"),
        ("\u{110B}\u{1166}\u{110B}\u{1175}\u{1109}\u{1173}\u{110B}\u{1173}\u{11AB}\u{1112}\u{1162}\u{11BC}", "에이스은행"),
        ("co\u{301}digo", "c\u{F3}digo"), ("e\u{323}\u{302}", "\u{1EC7}"), ("e\u{302}\u{323}", "\u{1EC7}"),
        ("か\u{3099}", "が"), ("\u{212B}", "\u{C5}"), ("x\u{301}", "x\u{301}"), ("ﬁ👩‍👩‍👧", "ﬁ👩‍👩‍👧"),
    ])
    func composes(_ text: String, _ composed: String) {
        #expect(Self.scalars(text.inNFC) == Self.scalars(composed))
    }

    @Test func leavesMarksThatCostMoreThanTheirLength() {
        for (count, isComposed) in [(30, true), (31, false)] {
            let text = "e" + String(repeating: "\u{301}", count: count)
            #expect((Self.scalars(text.inNFC).first == "\u{E9}") == isComposed)
        }
    }
}
