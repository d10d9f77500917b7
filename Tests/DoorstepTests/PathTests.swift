import Doorstep
import Testing

@Suite struct `Paths are read byte by byte` {
    /// A slash, or a colon, and a combining mark behind it: one character for Swift.
    private static let mark = "\u{301}"

    @Test func `a slash is one whatever stands behind it`() {
        let path = "/home/\(Self.mark)ada//x\(Self.mark)/\(Self.mark)"
        #expect(path.isAbsolutePath && path.holdsSlash)
        #expect("/\(Self.mark)x".isAbsolutePath)
        #expect("../\(Self.mark)x".holdsSlash)
        #expect("~/\(Self.mark)x".isPathAtHome)
        #expect(path.pathParts == ["home", "\(Self.mark)ada", "x\(Self.mark)", "\(Self.mark)"])
        #expect(path.lastPathPart.unicodeScalars.map(\.value) == [0x301])
        #expect(path.directoryOfPath?.utf8.elementsEqual("/home/\(Self.mark)ada//x\(Self.mark)".utf8) == true)
        #expect("/bin:\(Self.mark)a::/usr/bin".listedPaths == ["/bin", "\(Self.mark)a", "/usr/bin"])
    }

    @Test func `the root, a name and nothing have their parts, too`() {
        #expect("/".pathParts.isEmpty && "/".lastPathPart == "/" && "/".directoryOfPath == "/")
        #expect("/x".directoryOfPath == "/" && "/x".lastPathPart == "x")
        #expect("x".directoryOfPath == nil && "x".lastPathPart == "x" && !"x".isAbsolutePath && !"x".holdsSlash)
        #expect("".pathParts.isEmpty && !"".isAbsolutePath && "".directoryOfPath == nil && "".listedPaths.isEmpty)
        #expect("~".isPathAtHome == false)
    }
}
