import PhoneDomain
import Testing

@Suite struct TraceParentTests {
    @Test func `what a field says is read, and written back`() throws {
        let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        let parent = try #require(TraceParent(text))
        #expect(parent.traceIDHigh == 0x4bf9_2f35_77b3_4da6)
        #expect(parent.traceIDLow == 0xa3ce_929d_0e0e_4736)
        #expect(parent.spanID == 0x00f0_67aa_0ba9_02b7)
        #expect(parent.isSampled)
        #expect(parent.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(parent.description == text)
    }

    @Test(arguments: ["00", "02", "fe"]) func `only the flag that says sampled counts`(flags: String) throws {
        let parent = try #require(TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-\(flags)"))
        #expect(!parent.isSampled)
        #expect(parent.description == "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00")
    }

    @Test(arguments: [
        "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-the-future-will-be-like",
    ])
    func `of a version to come what is known is read`(text: String) {
        #expect(TraceParent(text)?.description == "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
    }

    @Test(arguments: [
        "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what",
        "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.what",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00F067AA0BA902B7-01",
        "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01",
        " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473-600f067aa0ba902b7-01",
        "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    ])
    func `anything else is nothing`(text: String) {
        #expect(TraceParent(text) == nil)
    }

    @Test func `names of zeros are none`() {
        #expect(TraceParent(traceIDHigh: 0, traceIDLow: 0, spanID: 1, isSampled: true) == nil)
        #expect(TraceParent(traceIDHigh: 1, traceIDLow: 0, spanID: 0, isSampled: true) == nil)
        let parent = TraceParent(traceIDHigh: 0, traceIDLow: 1, spanID: 1, isSampled: true)
        #expect(parent?.description == "00-00000000000000000000000000000001-0000000000000001-01")
    }
}
