import PhoneDomain

/// A message in the form that Korean vendors take: in which class it goes, to which digits of which country.
struct KoreanMessage {
    /// How it goes, and what it costs.
    enum Class: String {
        case sms = "SMS", lms = "LMS"
    }

    let kind: Class
    /// The calling code without `+`.
    let country: String
    /// At home as it is dialled there, `01012345678`; abroad behind the calling code, `4155550100`.
    let to: String

    /// Fits a message into the smallest class that holds it.
    ///
    /// Vendors cut off what is too long instead of refusing it, and the line that fills in the code stands last.
    ///
    /// - Parameter allowsLong: whether it may go as an LMS, which is dearer.
    /// - Throws: ``GatewayFailure/Kind/failover`` if it fits none: another gateway may know no such classes.
    init(_ message: GatewayMessage, allowsLong: Bool) throws(GatewayFailure) {
        country = message.to.callingCode
        let bytes = CP949.byteCount(of: message.body)
        guard message.to.region == .korea else {
            to = String(message.to.significantDigits)
            kind = .sms
            // Abroad there is no LMS (https://api.ncloud-docs.com/docs/sens-sms-send).
            guard SegmentCount(of: message.body).segments == 1, bytes ?? 0 <= CP949.bytesInSMS else {
                throw .failover("the text is too long for an SMS abroad")
            }
            return
        }
        to = message.to.nationalDigits
        guard let bytes else { throw .failover("the text has a character that Korean carriers lack") }
        if bytes <= CP949.bytesInSMS {
            kind = .sms
        } else if allowsLong, bytes <= CP949.bytesInLMS {
            kind = .lms
        } else {
            throw .failover("the text is too long for an SMS")
        }
    }
}
