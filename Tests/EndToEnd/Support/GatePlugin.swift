import DoorstepJSON
import DoorstepTestSupport
import Foundation
import Testing

/// A plugin of a test's own, in another language: a gate that is open while a file is there, and that its page can open.
struct GatePlugin {
    /// The file that the gate is.
    let file: String

    /// Installs it for a user.
    init(for user: TestUser) throws {
        file = user.directory + "/gate"
        let directory = user.home + "/.local/share/doorstep/plugins"
        try user.write(
            #"""
            { "format": 1, "kind": "gate", "summary": "The gate is open", "program": "gate", "protocol": 1,
              "options": { "type": "object", "properties": { "file": { "type": "string" } } } }
            """#, to: directory + "/gate.plugin.json")
        try user.write(Self.program, to: "gate.py")
        try #require(TestProgram.install(user.directory + "/gate.py", at: directory + "/gate"))
    }

    func step(_ id: String, skippable: Bool = true) -> JSONObject {
        [
            "id": .string(id), "plugin": "gate", "required": true, "skippable": .bool(skippable),
            "options": ["file": .string(file)],
        ]
    }

    /// Opens the gate, as if somebody else did.
    func open() throws {
        try #require(FileManager.default.createFile(atPath: file, contents: nil))
    }

    /// Has the next action be refused, or end the program in its middle.
    func expect(_ trouble: String) throws {
        try #require(FileManager.default.createFile(atPath: "\(file).\(trouble)", contents: nil))
    }

    private static let program = #"""
        #!/usr/bin/env python3
        import json, os, sys

        def page(question):
            return {"page": {"title": "Open the gate", "body": ["Behind it is the rest."],
                             "action": {"name": "open", "title": "Open It"}, "status": "closed"}}

        def check(question):
            path = question["options"]["file"]
            if os.path.exists(path):
                return {"satisfied": True, "status": "granted", "basis": "ungated", "evidence": "the gate is open"}
            return {"satisfied": False, "status": "denied", "evidence": "the gate is closed"}

        def perform(question):
            path = question["options"]["file"]
            for trouble in ["refuse", "crash"]:
                if os.path.exists(f"{path}.{trouble}"):
                    os.remove(f"{path}.{trouble}")
                    if trouble == "crash":
                        os.abort()
                    return {"error": {"message": "The gate is stuck."}}
            if question["action"] == "open":
                open(path, "w").close()
            return page(question)

        def hello(question):
            return {"hello": {"protocol": 1, "kinds": ["gate"], "features": ["page"]}}

        METHODS = {"hello": hello, "check": check, "page": page, "perform": perform}
        for line in sys.stdin:
            message = json.loads(line)
            for name, question in message.items():
                if name in METHODS:
                    print(json.dumps({"id": message["id"], **METHODS[name](question)}), flush=True)

        """#
}
