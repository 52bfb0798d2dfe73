import DockTestSupport
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import TwilioVerify

@Suite struct TwilioRateLimitTests {
    @Test func `limits and buckets are made, seen, changed and taken away`() async throws {
        try await TwilioServer.open { shop in
            let path = shop.path + "/RateLimits"
            let made = try await shop.call("POST", path, "UniqueName=end_user_ip&Description=By%0Aaddress")
            let sid = try #require(made.text("sid"))
            let url = "http://127.0.0.1:8080/v2\(path)/\(sid)"
            let head = #""service_sid":"\#(shop.sid)","account_sid":"\#(shop.key.sid)""#
            let dates = #""date_created":"2026-01-01T00:00:00Z","date_updated":"2026-01-01T00:00:00Z""#
            let limit =
                #"{"sid":"\#(sid)",\#(head),"unique_name":"end_user_ip","description":"By address",\#(dates),"#
                + #""url":"\#(url)","links":{"buckets":"\#(url)/Buckets"}}"#
            #expect(made.status == 201)
            #expect(made.body == limit)
            #expect(try await shop.call("GET", "\(path)/\(sid)").body == limit)
            let changed = try await shop.call("POST", "\(path)/\(sid)", "Description=Other")
            #expect(changed.body == limit.replacing("By address", with: "Other"))
            let listed = try await shop.call("GET", path)
            #expect(listed.body.hasPrefix(#"{"rate_limits":["# + changed.body + #"],"meta":{"page":0,"#))

            let buckets = "\(path)/\(sid)/Buckets"
            let bucket = try await shop.call("POST", buckets, "Max=2&Interval=60")
            let bucketSID = try #require(bucket.text("sid"))
            let shape =
                #"{"sid":"\#(bucketSID)","rate_limit_sid":"\#(sid)",\#(head),"max":2,"interval":60,\#(dates),"#
                + #""url":"\#(url)/Buckets/\#(bucketSID)"}"#
            #expect(bucket.status == 201)
            #expect(bucket.body == shape)
            #expect(try await shop.call("GET", "\(buckets)/\(bucketSID)").body == shape)
            #expect(
                try await shop.call("GET", buckets).body.hasPrefix(#"{"buckets":[\#(shape)],"meta":"#)
            )
            let more = try await shop.call("POST", "\(buckets)/\(bucketSID)", "Max=3")
            #expect(more.body == shape.replacing(#""max":2"#, with: #""max":3"#))
            for (path, form, status, code) in [
                (path, "UniqueName=end_user_ip", 409, 60208), (path, "", 400, 60200),
                (path, "UniqueName=a+b", 400, 60209),
                (buckets, "Max=5&Interval=60", 409, 60211), (buckets, "Max=0&Interval=1", 400, 60200),
                (buckets, "Max=1", 400, 60200), (buckets, "Interval=1", 400, 60200),
                (buckets, "Max=1&Interval=x", 400, 60200),
            ] {
                let answer = try await shop.call("POST", path, form)
                #expect(answer.status == status, "\(form)")
                #expect(answer.body.hasPrefix(#"{"code":\#(code),"#), "\(form) \(answer.body)")
            }
            #expect(try await shop.call("DELETE", "\(buckets)/\(bucketSID)").status == 204)
            #expect(try await shop.call("GET", "\(buckets)/\(bucketSID)").status == 404)
            #expect(try await shop.call("DELETE", "\(path)/\(sid)").status == 204)
            #expect(try await shop.call("GET", "\(path)/\(sid)").status == 404)
        }
    }

    @Test func `each value is counted by itself, and kept as a digest`() async throws {
        try await TwilioServer.open { shop in
            let made = try await shop.call("POST", shop.path + "/RateLimits", "UniqueName=ip")
            let buckets = "\(shop.path)/RateLimits/\(try #require(made.text("sid")))/Buckets"
            _ = try await shop.call("POST", buckets, "Max=2&Interval=60")
            func send(_ value: String, to number: Int) async throws -> TwilioServer.Answer {
                try await shop.send("To=%2B8210\(number)&Channel=sms&RateLimits=%7B%22ip%22%3A%22\(value)%22%7D")
            }
            #expect(try await send("192.0.2.1", to: 1234_5678).status == 201)
            #expect(try await send("192.0.2.1", to: 1234_5679).status == 201)
            let third = try await send("192.0.2.1", to: 1234_5680)
            #expect(third.status == 429)
            #expect(third.headers["retry-after"] == "30")
            #expect(third.body == twilioError(20429, "Too many requests", 429))
            let keys = try await shop.store.metersInUse(at: shop.clock.now(), limit: 9).map(\.key.description)
            // The result of the tests' digester.
            #expect(keys.contains { $0.hasPrefix("tenant-1m ") && $0.contains(".ip.test:tenant limit ten_") })
            #expect(try await send("192.0.2.2", to: 1234_5680).status == 201)
            shop.clock.advance(by: .seconds(30))
            #expect(try await send("192.0.2.1", to: 1234_5681).status == 201)
            let empty = try await send("", to: 1234_5682)
            #expect(empty.body.hasPrefix(#"{"code":60200,"message":"Invalid parameter: RateLimits"#))
        }
    }

    @Test func `a safe number is sent to whatever its country`() async throws {
        try await TwilioServer.open { shop in
            let (path, form) = ("/SafeList/Numbers/%2B14155550100", "To=%2B14155550100&Channel=sms")
            #expect(try await shop.send(form).status == 403)
            let listed = try await shop.call("POST", "/SafeList/Numbers", "PhoneNumber=%2B14155550100")
            #expect(listed.status == 201)
            let sid = try #require(listed.text("sid"))
            #expect(sid.hasPrefix("GN"))
            let url = "http://127.0.0.1:8080/v2/SafeList/Numbers/+14155550100"
            #expect(listed.body == #"{"sid":"\#(sid)","phone_number":"+14155550100","url":"\#(url)"}"#)
            let twice = try await shop.call("POST", "/SafeList/Numbers", "PhoneNumber=%2B14155550100")
            #expect(twice.status == 409)
            #expect(twice.body == twilioError(60411, "The number is on the safe list already.", 409))
            #expect(try await shop.call("GET", path).body == listed.body)
            #expect(try await shop.send(form).status == 201)
            let other = try await Shop(shop.server, key: shop.server.twilioAccount())
            #expect(try await other.call("GET", path).status == 404)
            #expect(try await other.send(form).status == 403)
            #expect(try await shop.call("DELETE", path).status == 204)
            #expect(try await shop.call("DELETE", path).status == 404)
            shop.clock.advance(by: .seconds(700))
            #expect(try await shop.send(form).status == 403)
            let bad = try await shop.call("POST", "/SafeList/Numbers", "PhoneNumber=415")
            #expect(bad.body == twilioError(60200, "Invalid parameter: PhoneNumber", 400))
        }
    }

    @Test func `what was sent is listed, filtered and summed up`() async throws {
        try await TwilioServer.open { shop in
            var sids: [String] = []
            for number in ["1012345678", "1012345679", "1087654321"] {
                let begun = try await shop.send("To=%2B82\(number)&Channel=sms")
                sids.append(try #require(begun.text("attempt_sid")))
                shop.clock.advance(by: .seconds(1))
            }
            _ = try await shop.check("314159", of: "To=%2B821087654321")
            func listed(_ query: String) async throws -> [String] {
                let body = try await shop.call("GET", "/Attempts" + query).body
                return body.ranges(of: #"{"sid":"VL"#).map { "VL" + body[$0.upperBound...].prefix(32) }
            }
            let all = Array(sids.reversed())
            for (query, wanted) in [
                ("", all), ("?Status=converted", [sids[2]]), ("?Status=unconverted", [sids[1], sids[0]]),
                ("?ChannelData.To=%2B821012345678", [sids[0]]), ("?Country=KR", all), ("?Country=US", []),
                ("?Channel=sms", all), ("?Channel=call", []),
                ("?DateCreatedAfter=2026-01-01T00:00:01Z", [sids[2], sids[1]]),
                ("?DateCreatedBefore=2026-01-01T00:00:00Z", [sids[0]]),
                ("?VerifyServiceSid=" + shop.sid, all), ("?PageSize=2", [sids[2], sids[1]]),
            ] {
                #expect(try await listed(query) == wanted, "\(query)")
            }
            let page = try await shop.call("GET", "/Attempts?Country=KR&PageSize=2")
            let next = try #require(page.text("next_page_url"))
            #expect(try await listed(String(next[next.firstRange(of: "/Attempts")!.upperBound...])) == [sids[0]])
            let shown = try await shop.call("GET", "/Attempts/\(sids[2])")
            #expect(shown.text("conversion_status") == "converted")
            #expect(shown.text("to") == "+821087654321")
            let data =
                #""message_status":"queued","error_code":null,"country":"KR","code_length":null,"locale":"ko","mcc":null"#
            #expect(shown.body.contains(data))
            let summary = try await shop.call("GET", "/Attempts/Summary")
            let url = "http://127.0.0.1:8080/v2/Attempts/Summary"
            #expect(
                summary.body
                    == #"{"total_attempts":3,"total_converted":1,"total_unconverted":2,"conversion_rate_percentage":"33.33","#
                    + #""url":"\#(url)"}"#
            )
            let prefix = try await shop.call("GET", "/Attempts/Summary?DestinationPrefix=821012")
            #expect(prefix.body.hasPrefix(#"{"total_attempts":2,"total_converted":0,"#))
            for query in ["?Status=maybe", "?DateCreatedAfter=yesterday", "?PageToken=x", "?VerificationSid=VE1"] {
                #expect(try await shop.call("GET", "/Attempts" + query).status == 400, "\(query)")
            }
        }
    }

    @Test func `templates are listed with their texts in Twilio's words`() async throws {
        try await TwilioServer.open { shop in
            let all = try await shop.call("GET", "/Templates")
            #expect(all.body.hasPrefix(#"{"templates":[{"sid":"HJ64656661756c74000000000000000000","#))
            let promo = try await shop.call("GET", "/Templates?FriendlyName=promo")
            #expect(
                promo.body.hasPrefix(
                    #"{"templates":[{"sid":"HJ70726f6d6f0000000000000000000000","account_sid":"\#(shop.key.sid)","#
                        + #""friendly_name":"promo","channels":["sms"],"translations":{"en":{"is_default_translation":true,"#
                        + #""status":"approved","locale":"en","text":"{{friendly_name}}: {{code}} for {{amount}}","#
                        + #""date_updated":null,"date_created":null}}}],"meta":"#
                )
            )
        }
    }
}
