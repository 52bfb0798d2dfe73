import PhoneDelivery

extension Settings {
    /// When gateways that say nothing by themselves are asked how messages fared; nil for never.
    static func receiptSchedule(_ reader: inout SettingsReader) throws(SettingsError) -> ReceiptSchedule? {
        let first = try reader.seconds("sms.receipts.first_seconds", default: .seconds(5), in: 1...3600)
        let hours = try reader.integer("sms.receipts.hours", default: 24, in: 0...48)
        return hours == 0 ? nil : ReceiptSchedule(from: first, to: .seconds(hours * 3600))
    }
}
