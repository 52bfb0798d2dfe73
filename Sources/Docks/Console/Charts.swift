import PhoneHTTP

/// Charts as inline SVG: no script, no file. The figures are in a table or a title beside them, so that nothing is said
/// by a picture alone.
enum Chart {
    /// Bars side by side, each of several parts on top of each other.
    ///
    /// - Parameters:
    ///   - bars: what each is of, and its parts from below: how many, and their class.
    static func bars(_ label: String, _ bars: [(name: String, parts: [(count: Int, kind: String)])]) -> HTML {
        guard let most = bars.map({ $0.parts.reduce(0) { $0 + $1.count } }).max(), most > 0 else {
            return "<p>\(label): nothing yet.</p>"
        }
        let names = max(1, (bars.count + 5) / 6)
        var shapes: [HTML] = []
        for (index, bar) in bars.enumerated() {
            // In hundredths of a percent, so that texts are not stretched with the chart.
            let (left, width) = (Self.left + index * Self.width / bars.count, Self.width / bars.count)
            var (top, rects) = (Self.bottom, [HTML]())
            for part in bar.parts where part.count > 0 {
                let size = max(50, part.count * (Self.bottom - Self.top) / most)
                top -= size
                rects.append(
                    """
                    <rect class="bar \(part.kind)" x="\(share(left + width / 8))" y="\(share(top))" \
                    width="\(share(width * 3 / 4))" height="\(share(size))"/>
                    """
                )
            }
            let total = bar.parts.map { "\($0.count)" }.joined(separator: " / ")
            let name: HTML = """
                <text class="axis" x="\(share(left + width / 8))" y="98%">\(bar.name.prefix(8))</text>
                """
            shapes.append(
                "<g><title>\(bar.name): \(total)</title>\(rects.joined())\(name, if: index.isMultiple(of: names))</g>"
            )
        }
        let marks = [(Self.top, "\(most)"), ((Self.top + Self.bottom) / 2, "\(most / 2)"), (Self.bottom, "")]
        let lines = marks.map { y, count -> HTML in
            """
            <line class="grid" x1="\(share(Self.left))" x2="100%" y1="\(share(y))" y2="\(share(y))"/>\
            <text class="axis" x="0" y="\(share(y + 300))">\(count)</text>
            """
        }
        return """
            <svg class="chart" role="img" aria-label="\(label)">\(lines.joined())\(shapes.joined())</svg>
            """
    }

    /// The edges of the bars' area, in hundredths of a percent. On the left of it are the counts.
    private static let (top, bottom) = (1_000, 8_600)
    private static let (left, width) = (900, 9_100)

    private static func share(_ hundredths: Int) -> String {
        "\(hundredths / 100).\(String(100 + hundredths % 100).dropFirst())%"
    }

    /// What the colors of bars mean.
    static func key(_ parts: KeyValuePairs<String, String>) -> HTML {
        let parts = parts.map { kind, name -> HTML in "<span class=\"\(kind)\">\(name)</span>" }
        return "<p class=\"small key\">\(parts.joined())</p>"
    }

    /// A line without axes, as wide as a word.
    static func sparkline(_ label: String, _ counts: [Int]) -> HTML {
        guard let most = counts.max(), most > 0, counts.count > 1 else { return "" }
        let points = counts.enumerated().map { "\($0.offset * 96 / (counts.count - 1)),\(22 - $0.element * 20 / most)" }
        return """
            <svg viewBox="0 0 96 24" width="96" height="24" role="img" aria-label="\(label)">\
            <polyline class="line" points="\(points.joined(separator: " "))"/></svg>
            """
    }
}
