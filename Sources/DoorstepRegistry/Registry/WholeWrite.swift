internal import Glibc

/// Writing all of something to a descriptor that may take it piece by piece.
package enum WholeWrite {
    /// Writes all bytes and answers whether that worked; `errno` says why not.
    package static func put(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return false }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
        return true
    }

    /// Writes a whole text likewise.
    package static func put(_ text: String, to descriptor: Int32) -> Bool {
        var text = text
        return text.withUTF8 { put(UnsafeRawBufferPointer($0), to: descriptor) }
    }
}
