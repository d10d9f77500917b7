internal import CSDBus

/// Appends values to a message that is being built.
struct MessageWriter {
    let library: UnsafePointer<csdbus>
    /// A message not yet sealed, owned by whoever made this writer.
    let message: OpaquePointer

    /// Appends `values` one after another.
    ///
    /// - Throws: `BusError.invalidCall` for a value that D-Bus has no form for.
    func append(_ values: [BusValue]) throws(BusError) {
        var length = 0
        for value in values {
            let signature = value.signature
            // One check covers all types inside, down to the next variant, which brings a signature of its own.
            guard TypeSignature.isSingle(signature) else { throw .invalidCall("\(signature) isn't a type of D-Bus") }
            length += signature.utf8.count
            try append(value, depth: 0)
        }
        guard length <= TypeSignature.lengthLimit else { throw .invalidCall("it has too many arguments") }
    }

    private func append(_ value: BusValue, depth: Int) throws(BusError) {
        switch value {
        case .bool(let bool): try append(Int32(bool ? 1 : 0), as: "b")
        case .byte(let byte): try append(byte, as: "y")
        case .int16(let number): try append(number, as: "n")
        case .uint16(let number): try append(number, as: "q")
        case .int32(let number): try append(number, as: "i")
        case .uint32(let number): try append(number, as: "u")
        case .int64(let number): try append(number, as: "x")
        case .uint64(let number): try append(number, as: "t")
        case .double(let number): try append(number, as: "d")
        case .string(let text): try append(text: text, as: "s")
        case .objectPath(let text): try append(text: text, as: "o")
        case .signature(let text): try append(text: text, as: "g")
        case .array(let element, let elements):
            try container("a", of: element, depth: depth) { (depth) throws(BusError) in
                for value in elements {
                    try append(value, expecting: element, depth: depth)
                }
            }
        case .dictionary(let keyType, let valueType, let entries):
            try container("a", of: "{" + keyType + valueType + "}", depth: depth) { (depth) throws(BusError) in
                for (key, value) in entries {
                    try container("e", of: keyType + valueType, depth: depth) { (depth) throws(BusError) in
                        try append(key, expecting: keyType, depth: depth)
                        try append(value, expecting: valueType, depth: depth)
                    }
                }
            }
        case .structure(let fields):
            try container("r", of: fields.map(\.signature).joined(), depth: depth) { (depth) throws(BusError) in
                for field in fields {
                    try append(field, depth: depth)
                }
            }
        case .variant(let inner):
            let signature = inner.signature
            guard TypeSignature.isSingle(signature) else { throw .invalidCall("\(signature) isn't a type of D-Bus") }
            try container("v", of: signature, depth: depth) { (depth) throws(BusError) in
                try append(inner, depth: depth)
            }
        }
    }

    private func append(_ value: BusValue, expecting signature: String, depth: Int) throws(BusError) {
        guard value.signature == signature else {
            throw .invalidCall("a container of \(signature) holds a value of type \(value.signature)")
        }
        try append(value, depth: depth)
    }

    private func container(
        _ type: Unicode.Scalar, of contents: String, depth: Int, body: (Int) throws(BusError) -> Void
    ) throws(BusError) {
        // A dictionary's entry isn't a level of its own for whoever counts what they wrote.
        let inner = type == "e" ? depth : depth + 1
        guard inner <= BusValue.depthLimit else {
            throw .invalidCall("its values are nested deeper than \(BusValue.depthLimit) levels")
        }
        guard library.pointee.message_open_container(message, CChar(type), contents) >= 0 else {
            throw .invalidCall("\(contents) isn't a type that D-Bus can carry here")
        }
        try body(inner)
        guard library.pointee.message_close_container(message) >= 0 else {
            throw .invalidCall("a container of \(contents) couldn't be finished")
        }
    }

    private func append<Number>(_ number: Number, as type: Unicode.Scalar) throws(BusError) {
        let result = withUnsafePointer(to: number) {
            library.pointee.message_append_basic(message, CChar(type), $0)
        }
        guard result >= 0 else {
            throw .invalidCall("a value of type \(type) couldn't be appended (errno \(-result))")
        }
    }

    private func append(text: String, as type: Unicode.Scalar) throws(BusError) {
        // C would end the text at its first NUL and send the rest of nothing.
        guard !text.utf8.contains(0) else {
            throw .invalidCall("text with a NUL character isn't allowed")
        }
        guard library.pointee.message_append_basic(message, CChar(type), text) >= 0 else {
            switch type {
            case "o": throw .invalidCall("\"\(text)\" isn't an object path")
            case "g": throw .invalidCall("\"\(text)\" isn't a type signature")
            default: throw .invalidCall("text couldn't be appended")
            }
        }
    }
}

extension CChar {
    /// The character of an ASCII type code.
    init(_ type: Unicode.Scalar) {
        self = CChar(truncatingIfNeeded: type.value)
    }
}
