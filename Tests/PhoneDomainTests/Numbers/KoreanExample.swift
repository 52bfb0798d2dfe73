import PhoneDomain
import Testing

/// One number of a class of the Korean plan, in all its forms, and what a field shows at each digit typed.
struct KoreanExample: CustomTestStringConvertible {
    let digits: String
    let kind: NumberKind
    let e164: String
    let national: String
    let international: String
    let masked: String
    let typing: [String]

    var testDescription: String { national }

    static let all = [
        KoreanExample(
            digits: "01012345678",
            kind: .mobile,
            e164: "+821012345678",
            national: "010-1234-5678",
            international: "+82 10-1234-5678",
            masked: "+82 10-****-5678",
            typing: [
                "0", "01", "010", "010-1", "010-12", "010-123", "010-1234", "010-1234-5", "010-1234-56", "010-1234-567",
                "010-1234-5678",
            ]
        ),
        KoreanExample(
            digits: "0111234567",
            kind: .legacyMobile,
            e164: "+82111234567",
            national: "011-123-4567",
            international: "+82 11-123-4567",
            masked: "+82 11-***-4567",
            typing: [
                "0", "01", "011", "011-1", "011-12", "011-123", "011-123-4", "011-123-45", "011-123-456",
                "011-123-4567",
            ]
        ),
        KoreanExample(
            digits: "01987654321",
            kind: .legacyMobile,
            e164: "+821987654321",
            national: "019-8765-4321",
            international: "+82 19-8765-4321",
            masked: "+82 19-****-4321",
            typing: [
                "0", "01", "019", "019-8", "019-87", "019-876", "019-876-5", "019-876-54", "019-876-543",
                "019-876-5432",
                "019-8765-4321",
            ]
        ),
        KoreanExample(
            digits: "021234567",
            kind: .fixedLine,
            e164: "+8221234567",
            national: "02-123-4567",
            international: "+82 2-123-4567",
            masked: "+82 2-***-4567",
            typing: ["0", "02", "02-1", "02-12", "02-123", "02-123-4", "02-123-45", "02-123-456", "02-123-4567"]
        ),
        KoreanExample(
            digits: "0212345678",
            kind: .fixedLine,
            e164: "+82212345678",
            national: "02-1234-5678",
            international: "+82 2-1234-5678",
            masked: "+82 2-****-5678",
            typing: [
                "0", "02", "02-1", "02-12", "02-123", "02-123-4", "02-123-45", "02-123-456", "02-123-4567",
                "02-1234-5678",
            ]
        ),
        KoreanExample(
            digits: "0311234567",
            kind: .fixedLine,
            e164: "+82311234567",
            national: "031-123-4567",
            international: "+82 31-123-4567",
            masked: "+82 31-***-4567",
            typing: [
                "0", "03", "031", "031-1", "031-12", "031-123", "031-123-4", "031-123-45", "031-123-456",
                "031-123-4567",
            ]
        ),
        KoreanExample(
            digits: "06498765432",
            kind: .fixedLine,
            e164: "+826498765432",
            national: "064-9876-5432",
            international: "+82 64-9876-5432",
            masked: "+82 64-****-5432",
            typing: [
                "0", "06", "064", "064-9", "064-98", "064-987", "064-987-6", "064-987-65", "064-987-654",
                "064-987-6543",
                "064-9876-5432",
            ]
        ),
        KoreanExample(
            digits: "07012345678",
            kind: .voip,
            e164: "+827012345678",
            national: "070-1234-5678",
            international: "+82 70-1234-5678",
            masked: "+82 70-****-5678",
            typing: [
                "0", "07", "070", "070-1", "070-12", "070-123", "070-1234", "070-1234-5", "070-1234-56", "070-1234-567",
                "070-1234-5678",
            ]
        ),
        KoreanExample(
            digits: "05051234567",
            kind: .personal,
            e164: "+825051234567",
            national: "0505-123-4567",
            international: "+82 505-123-4567",
            masked: "+82 505-***-4567",
            typing: [
                "0", "05", "050", "0505", "0505-1", "0505-12", "0505-123", "0505-123-4", "0505-123-45", "0505-123-456",
                "0505-123-4567",
            ]
        ),
        KoreanExample(
            digits: "050712345678",
            kind: .personal,
            e164: "+8250712345678",
            national: "0507-1234-5678",
            international: "+82 507-1234-5678",
            masked: "+82 507-****-5678",
            typing: [
                "0", "05", "050", "0507", "0507-1", "0507-12", "0507-123", "0507-123-4", "0507-123-45", "0507-123-456",
                "0507-123-4567", "0507-1234-5678",
            ]
        ),
        KoreanExample(
            digits: "15881234",
            kind: .representative,
            e164: "+8215881234",
            national: "1588-1234",
            international: "+82 1588-1234",
            masked: "+82 ****-1234",
            typing: ["1", "15", "158", "1588", "1588-1", "1588-12", "1588-123", "1588-1234"]
        ),
        KoreanExample(
            digits: "16001234",
            kind: .representative,
            e164: "+8216001234",
            national: "1600-1234",
            international: "+82 1600-1234",
            masked: "+82 ****-1234",
            typing: ["1", "16", "160", "1600", "1600-1", "1600-12", "1600-123", "1600-1234"]
        ),
        KoreanExample(
            digits: "0801234567",
            kind: .tollFree,
            e164: "+82801234567",
            national: "080-123-4567",
            international: "+82 80-123-4567",
            masked: "+82 80-***-4567",
            typing: [
                "0", "08", "080", "080-1", "080-12", "080-123", "080-123-4", "080-123-45", "080-123-456",
                "080-123-4567",
            ]
        ),
        KoreanExample(
            digits: "0301234567",
            kind: .tollFree,
            e164: "+82301234567",
            national: "030-123-4567",
            international: "+82 30-123-4567",
            masked: "+82 30-***-4567",
            typing: [
                "0", "03", "030", "030-1", "030-12", "030-123", "030-123-4", "030-123-45", "030-123-456",
                "030-123-4567",
            ]
        ),
        KoreanExample(
            digits: "0602345678",
            kind: .premium,
            e164: "+82602345678",
            national: "060-234-5678",
            international: "+82 60-234-5678",
            masked: "+82 60-***-5678",
            typing: [
                "0", "06", "060", "060-2", "060-23", "060-234", "060-234-5", "060-234-56", "060-234-567",
                "060-234-5678",
            ]
        ),
        KoreanExample(
            digits: "0151234567",
            kind: .pager,
            e164: "+82151234567",
            national: "015-123-4567",
            international: "+82 15-123-4567",
            masked: "+82 15-***-4567",
            typing: [
                "0", "01", "015", "015-1", "015-12", "015-123", "015-123-4", "015-123-45", "015-123-456",
                "015-123-4567",
            ]
        ),
        KoreanExample(
            digits: "01212345678",
            kind: .machine,
            e164: "+821212345678",
            national: "012-1234-5678",
            international: "+82 12-1234-5678",
            masked: "+82 12-****-5678",
            typing: [
                "0", "01", "012", "012-1", "012-12", "012-123", "012-123-4", "012-123-45", "012-123-456",
                "012-123-4567",
                "012-1234-5678",
            ]
        ),
    ]
}
