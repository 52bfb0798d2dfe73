import PhoneNumbers

/// Answers questions about numbers, one a line, so that a script can compare the answers with those of another library.
///
/// A question is an operation, a region and a text, separated by tabs:
/// - `read`: region, E.164, kind, national and international format of the number; or `-` and the error's code.
/// - `type`: what a field shows after each character of the text.
/// - `start`: what a field starts with.
@main struct NumberOracle {
    static func main() {
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
            case "start": print(plans.startText(for: region))
            default: print("?")
            }
        }
    }
}
