import DoorstepRegistry
import Foundation
import Testing

@Suite struct `Where manifests are found` {
    func directories(_ environment: [String: String]) -> [String] {
        RegistryDirectories.standard(environment: environment)
    }

    static let system = ["/usr/local/share/doorstep/registry", "/usr/share/doorstep/registry"]

    @Test func `the user's own directory comes before the system's`() {
        #expect(
            directories(["XDG_DATA_HOME": "/data", "XDG_DATA_DIRS": "/a:/b", "HOME": "/home/ada"])
                == ["/data/doorstep/registry", "/a/doorstep/registry", "/b/doorstep/registry"])
    }

    @Test func `without XDG variables they are those of the specification`() {
        #expect(directories(["HOME": "/home/ada"]) == ["/home/ada/.local/share/doorstep/registry"] + Self.system)
    }

    @Test(arguments: ["", "data", "./data", "~/data"])
    func `an empty or relative XDG variable counts as unset`(value: String) {
        let environment = ["XDG_DATA_HOME": value, "XDG_DATA_DIRS": value, "HOME": "/home/ada"]
        #expect(directories(environment) == ["/home/ada/.local/share/doorstep/registry"] + Self.system)
    }

    @Test func `a relative entry among the data directories is passed over, the others stay`() {
        #expect(
            directories(["XDG_DATA_HOME": "/data", "XDG_DATA_DIRS": "share:/a::/b"])
                == ["/data/doorstep/registry", "/a/doorstep/registry", "/b/doorstep/registry"])
    }

    @Test(arguments: [nil, "", "ada"])
    func `without a usable HOME it is the home of the passwd entry`(home: String?) throws {
        let entry = try #require(getpwuid(geteuid()))
        let expected = String(cString: entry.pointee.pw_dir) + "/.local/share/doorstep/registry"
        #expect(directories(home.map { ["HOME": $0] } ?? [:]) == [expected] + Self.system)
    }

    @Test func `DOORSTEP_REGISTRY_PATH replaces all the rest`() {
        #expect(
            directories(["DOORSTEP_REGISTRY_PATH": "/one::two", "XDG_DATA_HOME": "/data", "HOME": "/home/ada"])
                == ["/one", "two"])
    }

    @Test(arguments: ["", ":", "::"])
    func `a DOORSTEP_REGISTRY_PATH that names nothing counts as unset`(path: String) {
        let environment = ["DOORSTEP_REGISTRY_PATH": path, "XDG_DATA_HOME": "/data"]
        #expect(directories(environment) == ["/data/doorstep/registry"] + Self.system)
    }
}
