import Testing

@testable import PhoneDelivery

@Suite struct RingBufferTests {
    @Test("it contains the newest, oldest first")
    func holds() {
        var ring = RingBuffer<Int>(capacity: 3)
        var seen: [[Int]] = []
        for number in 1...7 {
            ring.append(number)
            seen.append(Array(ring))
        }
        #expect(seen == [[1], [1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 6], [5, 6, 7]])
    }

    @Test("one that loses an element has room for another before the oldest goes", arguments: 0...3)
    func removes(turns: Int) {
        var ring = RingBuffer<Int>(capacity: 3)
        for number in 0..<(3 + turns) { ring.append(number) }
        ring.remove(at: 1)
        #expect(Array(ring) == [turns, turns + 2])
        ring.append(10)
        #expect(Array(ring) == [turns, turns + 2, 10])
        ring.append(11)
        #expect(Array(ring) == [turns + 2, 10, 11])
    }

    @Test("elements are changed where they are, and all are forgotten")
    func changes() {
        var ring = RingBuffer<Int>(capacity: 2)
        for number in 1...3 { ring.append(number) }
        ring[0] += 40
        #expect(Array(ring) == [42, 3])
        ring.removeAll()
        #expect(Array(ring) == [])
        ring.append(4)
        #expect(Array(ring) == [4])
    }
}
