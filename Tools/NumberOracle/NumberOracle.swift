import PhoneNumbers

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Answers questions about numbers, one a line, so that a script can compare the answers with those of another library.
///
/// A question is an operation, a region and a text, separated by tabs:
/// - `read`: region, E.164, kind, national and international format of the number; or `-` and the error's code.
/// - `type`: what a field shows after each character of the text.
///
/// With `--measure` a line is a region and a text, and it prints how many are numbers, the milliseconds of processor
/// time until the first, and the microseconds of each number and of each key typed (scripts/measure/numbers).
@main struct NumberOracle {
    static func main() {
        if CommandLine.arguments.contains("--measure") { measure() } else { answer() }
    }

    private static func measure() {
        var questions: [(region: Region, text: String)] = []
        while let line = readLine() {
            let parts = line.split(separator: "\t").map(String.init)
            if let region = Region(parts[0]) { questions.append((region, parts[1])) }
        }
        func microseconds() -> Double { Double(clock()) * 1e6 / Double(CLOCKS_PER_SEC) }
        func isNumber(_ question: (region: Region, text: String)) -> Bool {
            (try? PhoneNumber(parsing: question.text, region: question.region))?.kind != nil
        }
        let rounds = 20
        var start = microseconds()
        _ = isNumber(questions[0])
        let first = microseconds() - start
        let valid = questions.count(where: isNumber)
        start = microseconds()
        for _ in 0..<rounds { for question in questions { _ = isNumber(question) } }
        let each = (microseconds() - start) / Double(rounds * questions.count)
        var keys = 0
        start = microseconds()
        for (region, text) in questions {
            var typed = ""
            for digit in text where digit.isNumber {
                typed.append(digit)
                _ = NumberingPlans.builtIn.format(typed, region: region)
                keys += 1
            }
        }
        print(valid, first / 1000, each, (microseconds() - start) / Double(keys))
    }

    private static func answer() {
        let plans = NumberingPlans.builtIn
        while let line = readLine() {
            let question = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard question.count == 3, let region = Region(String(question[1])) else {
                print("?")
                continue
            }
            let text = String(question[2])
            switch question[0] {
            case "read":
                do {
                    let number = try PhoneNumber(parsing: text, region: region, plans: plans)
                    print(
                        number.region,
                        number.e164,
                        number.kind.rawValue,
                        number.nationalFormat,
                        number.internationalFormat,
                        separator: "\t"
                    )
                } catch {
                    print("-", error.code, separator: "\t")
                }
            case "type":
                var shown: [String] = []
                for end in text.indices { shown.append(plans.format(String(text[...end]), region: region)) }
                print(shown.joined(separator: "\t"))
            default: print("?")
            }
        }
    }
}
