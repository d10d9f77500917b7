public import Doorstep
public import DoorstepJSON

/// Texts in manifests and options: a string, or a map from BCP 47 tags to strings.
extension JSONReader {
    /// A text that may be left out.
    public func optionalText(_ key: String) -> LocalizedText? {
        optionalValue(key).flatMap { text($0, at: path.key(key)) }
    }

    /// A required text.
    public func text(_ key: String) -> LocalizedText {
        guard has(key) else {
            fault("this key is missing; it must be a string, or a map from language tags to strings", at: key)
            return ""
        }
        return optionalText(key) ?? ""
    }

    /// Paragraphs that may be left out: one text, or a list of texts.
    public func optionalTexts(_ key: String) -> [LocalizedText] {
        guard let value = optionalValue(key) else { return [] }
        guard let list = value.array else { return text(value, at: path.key(key)).map { [$0] } ?? [] }
        return list.enumerated().compactMap { place, value in text(value, at: path.key(key).index(place)) }
    }

    private func text(_ value: JSONValue, at path: JSONPath) -> LocalizedText? {
        if let string = value.string {
            return isClean(string, at: path) ? LocalizedText(string) : nil
        }
        guard let map = value.object else {
            add([
                JSONFault(
                    path: path,
                    message: "this is \(value.typeName); it must be a string, or a map from language tags to strings")
            ])
            return nil
        }
        if map.isEmpty {
            add([JSONFault(path: path, message: "this map is empty; it needs at least one language, such as \"en\"")])
            return nil
        }
        var entries: [LocalizedText.Entry] = []
        var seen: Set<String> = []
        for (tag, value) in map {
            // Tags are the same in upper and lower case, so the second text would never be read.
            if !seen.insert(tag.lowercased()).inserted {
                let message = "the language \(quoted(tag)) stands twice; each can have one text"
                add([JSONFault(path: path.key(tag), message: message)])
            } else if let text = translation(value, tag: tag, at: path.key(tag)) {
                entries.append(LocalizedText.Entry(tag: tag, text: text))
            }
        }
        return entries.count == map.count ? LocalizedText(entries) : nil
    }

    private func translation(_ value: JSONValue, tag: String, at path: JSONPath) -> String? {
        if !Self.isLanguageTag(tag) {
            let message =
                "\(quoted(tag)) is not a language tag; accepted are BCP 47 tags such as \"en\", \"pt-BR\" or \"zh-Hans\""
            add([JSONFault(path: path, message: message)])
            return nil
        }
        guard let text = value.string else {
            add([JSONFault(path: path, message: "this is \(value.typeName); it must be a string")])
            return nil
        }
        return isClean(text, at: path) ? text : nil
    }

    private func isClean(_ text: String, at path: JSONPath) -> Bool {
        if text.allSatisfy(\.isWhitespace) {
            add([JSONFault(path: path, message: "this text is empty; write a text, or leave the key out")])
            return false
        }
        for scalar in text.unicodeScalars where scalar.isControl && scalar != "\n" {
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let code = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
            add([
                JSONFault(
                    path: path,
                    message: "this text holds the control character U+\(code); of those only line ends are accepted")
            ])
            return false
        }
        return true
    }

    /// Whether a word has the form of a BCP 47 tag: subtags of 1 to 8 letters and digits, the first of 2 to 8 letters.
    static func isLanguageTag(_ tag: String) -> Bool {
        let subtags = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let language = subtags.first, (2...8).contains(language.count), language.allSatisfy(\.isLetter) else {
            return false
        }
        return subtags.dropFirst().allSatisfy {
            (1...8).contains($0.count) && $0.allSatisfy { $0.isLetter || $0.isDigit }
        }
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
