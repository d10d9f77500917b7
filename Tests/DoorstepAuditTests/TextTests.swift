import Doorstep
import DoorstepSQLite
import Testing

@testable import DoorstepAudit

@Suite("Texts that an audit reads and writes")
struct TextTests {
    @Test(
        "what is written as CSV is read again, absent and empty apart",
        arguments: [
            ["a", "b"], [nil, ""], ["", nil], ["a,b", "\"q\"", "line\nend\r\n", "="], ["é", "日本", nil],
            ["\"\u{301}", "a\"\u{308}\"b,", ",\u{301}", "\n\u{301}"],
            [nil, nil, nil],
        ] as [[String?]])
    func csv(values: [String?]) throws {
        let text = CSV.line(values) + CSV.line(["next"] + values)
        let (rows, fault) = try rows(text)
        #expect(fault == nil && rows == [values, ["next"] + values])
    }

    private func rows(_ text: String) throws -> (rows: [[String?]], fault: Int?) {
        var source = ImportSource(Array(text.utf8))
        var rows: [[String?]] = []
        let fault = try CSV.forEachRow(of: &source) { (row) throws(SuiteImport.Failure) in
            #expect(row.count == row.values.count)
            rows.append(row.values)
            return true
        }
        return (rows, fault)
    }

    @Test("a quote that never ends is a fault at its line", arguments: ["a\nb,\"c", "\"a\"b", "a\"b"])
    func faultyCSV(text: String) throws {
        #expect(try rows(text).fault != nil)
    }

    @Test func `a quote under a mark is doubled like any other`() {
        #expect(CSV.line(["a\"\u{301}", "b"]) == "\"a\"\"\u{301}\",b\n")
    }

    @Test("moments are read as dates, as dates with times, and as spans")
    func moments() {
        let now = OnboardingInstant(milliseconds: 1_700_000_000_000)
        #expect(TimeText.instant("2023-11-14T22:13:20Z")?.milliseconds == 1_700_000_000_000)
        #expect(TimeText.instant("2023-11-14 22:13Z")?.milliseconds == 1_699_999_980_000)
        #expect(TimeText.instant("1d", now: now)?.milliseconds == 1_699_913_600_000)
        #expect(TimeText.instant("2w", now: now)?.milliseconds == 1_698_790_400_000)
        #expect(TimeText.instant("9999999999w", now: now) != nil)
        for text in [
            "", "x", "2023-13-01", "2023-02-30", "2023-1-1", "-1d", "2023-11-14T25:00Z", "99999999999999999999d",
        ] {
            #expect(TimeText.instant(text) == nil)
        }
        #expect(TimeText(utc: true).text(now) == "2023-11-14 22:13:20Z")
        #expect(TimeText(utc: true).text(OnboardingInstant(milliseconds: -1)) == "1969-12-31 23:59:59Z")
        #expect(TimeText(utc: true).text(OnboardingInstant(milliseconds: .max)) == "292278994-08-17 07:12:55Z")
        #expect(TimeText(utc: true).text(OnboardingInstant(milliseconds: .min)).hasSuffix("Z"))
    }

    @Test("an import can't use up the places of a history, nor bring a moment outside of all years")
    func largestSequence() throws {
        let suite = try OnboardingSuite.open(at: "/nowhere/suite.db", access: .readOnly)
        func faults(_ sequence: Int64, at: Int64 = 0) throws -> [String] {
            let event = """
                {"kind":"event","sequence":\(sequence),"at":\(at),"prefix":"a.","app":"a","step":"a.b","old":null,"new":true,\
                "revision":1,"origin":"user","uid":0,"program":""}
                """
            let source = ImportSource(Array("{\"doorstep\":\"export\",\"format\":1}\n\(event)\n".utf8))
            return try ImportFile(source, into: try SuiteRestoration(beside: suite)).faults
        }
        #expect(try faults(OnboardingEvent.largestSequence) == [])
        #expect(try faults(OnboardingEvent.largestSequence + 1).count == 1)
        #expect(try faults(1, at: -62_135_596_800_000) == [])
        #expect(try faults(1, at: 253_402_300_799_999) == [])
        for moment in [Int64.min, -62_135_596_800_001, 253_402_300_800_000, .max] {
            #expect(try faults(1, at: moment).map { $0.contains("the years 1 to 9999") } == [true])
        }
    }

    @Test("HTML keeps every text a text")
    func html() {
        #expect(HTML.escaped("<a href='x'>&\"\u{0}\u{202E}") == "&lt;a href=&#39;x&#39;&gt;&amp;&quot;\u{FFFD}\u{FFFD}")
        #expect(HTML.escaped("<\u{301}&\u{301}\"\u{301}") == "&lt;\u{301}&amp;\u{301}&quot;\u{301}")
    }
}
