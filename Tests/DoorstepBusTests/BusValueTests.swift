import Testing

@testable import DoorstepBus

@Suite("D-Bus values") struct BusValueTests {
    @Test func `a value knows its signature`() {
        let entries: [BusValue: BusValue] = [.string("a"): .variant(.uint32(1))]
        let value = BusValue.structure([
            .bool(true), .byte(1), .int16(1), .uint16(1), .int32(1), .uint32(1), .int64(1), .uint64(1), .double(1),
            .string(""), .objectPath("/"), .signature(""), .array(of: "(ii)", []),
            .dictionary(key: "s", value: "v", entries), .structure([.array(of: "ay", [])]),
        ])
        #expect(value.signature == "(bynqiuxtdsoga(ii)a{sv}(aay))")
        #expect(BusValue.variant(value).signature == "v")
    }

    @Test func `a value reads as its own type and no other`() {
        let value = BusValue.uint32(7)
        #expect(value.uint32 == 7)
        #expect(value.integer == 7)
        #expect(value.int32 == nil && value.uint64 == nil && value.byte == nil && value.bool == nil)
        #expect(value.string == nil && value.double == nil && value.array == nil && value.dictionary == nil)
        #expect(BusValue.objectPath("/a").string == nil)
        #expect(BusValue.string("/a").objectPath == nil)
        #expect(BusValue.uint64(.max).integer == nil)
        #expect(BusValue.structure([value]).fields == [value])
    }

    @Test func `a variant reads as what is inside it`() {
        #expect(BusValue.variant(.variant(.bool(true))).bool == true)
        #expect(BusValue.variant(.variant(.bool(true))).unwrapped == .bool(true))
    }

    @Test func `an array of strings reads as strings`() {
        #expect(BusValue.array(of: "s", [.string("a"), .string("b")]).strings == ["a", "b"])
        #expect(BusValue.array(of: "s", []).strings == [])
        #expect(BusValue.array(of: "o", [.objectPath("/")]).strings == nil)
        #expect(BusValue.array(of: "o", [.objectPath("/")]).objectPaths == ["/"])
        #expect(BusValue.array(of: "s", [.string("a")]).objectPaths == nil)
    }

    @Test func `a dictionary by strings or paths reads by name`() {
        let byPath = BusValue.dictionary(key: "o", value: "u", [.objectPath("/a"): .uint32(1)])
        #expect(byPath.dictionary == ["/a": .uint32(1)])
        let byNumber = BusValue.dictionary(key: "u", value: "u", [.uint32(1): .uint32(1)])
        #expect(byNumber.dictionary == nil)
    }
}

@Suite("Type signatures") struct TypeSignatureTests {
    @Test(arguments: ["y", "v", "as", "a{sv}", "a{oa{sa{sv}}}", "(ii)", "((y))", "aa(sa{sv})", "(bba{ss})", "h"])
    func `one complete type passes`(text: String) {
        #expect(TypeSignature.isSingle(text))
    }

    @Test(arguments: [
        "", "!", "ss", "a", "(", ")", "()", "(i", "i)", "{sv}", "a{}", "a{s}", "a{sv", "a{vs}", "a{(i)s}", "a{svs}",
        "a()", "r", "e", "é",
    ])
    func `anything else doesn't`(text: String) {
        #expect(!TypeSignature.isSingle(text))
    }

    @Test func `length and depth are bounded`() {
        #expect(TypeSignature.isSingle("(" + String(repeating: "i", count: 253) + ")"))
        #expect(!TypeSignature.isSingle("(" + String(repeating: "i", count: 254) + ")"))
        #expect(TypeSignature.isSingle(String(repeating: "a", count: 64) + "i"))
        #expect(!TypeSignature.isSingle(String(repeating: "a", count: 65) + "i"))
    }
}
