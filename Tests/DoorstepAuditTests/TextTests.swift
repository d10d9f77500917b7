import Doorstep
import Testing

@testable import DoorstepAudit

@Suite("Texts that an audit reads and writes")
struct TextTests {
    @Test(
        "what is written as CSV is read again, absent and empty apart",
        arguments: [
            ["a", "b"], [nil, ""], ["", nil], ["a,b", "\"q\"", "line\nend\r\n", "="], ["é", "日本", nil],
            [nil, nil, nil],
        ] as [[String?]])
    func csv(values: [String?]) {
        let text = CSV.line(values) + CSV.line(["next"] + values)
        let (rows, fault) = CSV.rows(Array(text.utf8))
        #expect(fault == nil && rows.map(\.values) == [values, ["next"] + values])
    }

    @Test("a quote that never ends is a fault at its line", arguments: ["a\nb,\"c", "\"a\"b", "a\"b"])
    func faultyCSV(text: String) {
        #expect(CSV.rows(Array(text.utf8)).fault != nil)
    }

    @Test("moments are read as dates, as dates with times, and as spans")
    func moments() {
        let now = OnboardingInstant(milliseconds: 1_700_000_000_000)
        #expect(TimeText.instant("2023-11-14T22:13:20Z")?.milliseconds == 1_700_000_000_000)
        #expect(TimeText.instant("2023-11-14 22:13Z")?.milliseconds == 1_699_999_980_000)
        #expect(TimeText.instant("1d", now: now)?.milliseconds == 1_699_913_600_000)
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

    @Test("an import can't use up the places of a history")
    func largestSequence() {
        func file(_ sequence: Int) -> ImportFile {
            let event = """
                {"kind":"event","sequence":\(sequence),"at":0,"prefix":"a.","app":"a","step":"a.b","old":null,"new":true,\
                "revision":1,"origin":"user","uid":0,"program":""}
                """
            return ImportFile(Array("{\"doorstep\":\"export\",\"format\":1}\n\(event)\n".utf8))
        }
        #expect(file(ImportFile.largestSequence).faults == [])
        #expect(file(ImportFile.largestSequence + 1).faults.count == 1)
    }

    @Test("HTML keeps every text a text")
    func html() {
        #expect(HTML.escaped("<a href='x'>&\"\u{0}\u{202E}") == "&lt;a href=&#39;x&#39;&gt;&amp;&quot;\u{FFFD}\u{FFFD}")
    }
}
