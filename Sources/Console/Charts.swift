import PhoneHTTP

/// Charts as inline SVG: no script, no file. The figures are in a table or a title beside them, so that nothing is said
/// by a picture alone.
enum Chart {
    /// Bars side by side, each of several parts on top of each other.
    ///
    /// - Parameters:
    ///   - bars: what each is of, and its parts from below: how many, and their class.
    static func bars(_ label: String, _ bars: [(name: String, parts: [(count: Int, kind: String)])]) -> HTML {
        let (width, height) = (720, 140)
        guard let most = bars.map({ $0.parts.reduce(0) { $0 + $1.count } }).max(), most > 0 else {
            return "<p>\(label): nothing yet.</p>"
        }
        let step = width / max(1, bars.count)
        var shapes: [HTML] = []
        for (index, bar) in bars.enumerated() {
            var top = height - 20
            let total = bar.parts.map { "\($0.count)" }.joined(separator: " / ")
            var parts: [HTML] = []
            for part in bar.parts where part.count > 0 {
                let size = max(1, part.count * (height - 30) / most)
                top -= size
                parts.append(
                    """
                    <rect class="bar \(part.kind)" x="\(index * step + 2)" y="\(top)" width="\(max(1, step - 4))" height="\(size)"/>
                    """
                )
            }
            let isNamed = bars.count <= 12 || index.isMultiple(of: max(1, bars.count / 8))
            let name: HTML =
                isNamed ? "<text class=\"axis\" x=\"\(index * step + 2)\" y=\"\(height - 6)\">\(bar.name)</text>" : ""
            shapes.append("<g><title>\(bar.name): \(total)</title>\(parts.joined())\(name)</g>")
        }
        return """
            <svg class="chart" viewBox="0 0 \(width) \(height)" role="img" aria-label="\(label)">\(shapes.joined())</svg>
            """
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
