/// The files of a new plugin.
struct PluginTemplate {
    struct File {
        var path: String
        var text: String
        var isProgram = false
    }

    var files: [File]
    /// What to do next, in a line or two.
    var next: String

    /// The description that a plugin in any language has beside its program.
    static func description(_ kind: String) -> File {
        File(
            path: "\(kind).plugin.json",
            text: """
                {
                  "format": 1,
                  "kind": "\(kind)",
                  "summary": "A file is there",
                  "program": "\(kind)",
                  "protocol": 1,
                  "timeout": "1s",
                  "environment": [],
                  "options": {
                    "type": "object",
                    "required": ["file"],
                    "additionalProperties": false,
                    "properties": {
                      "file": { "type": "string", "default": "/etc/passwd", "description": "the file's absolute path" }
                    }
                  }
                }

                """)
    }

    /// The test that a plugin in a script language comes with: the protocol, and both of its answers.
    static func test(_ kind: String) -> File {
        File(
            path: "test.sh",
            text: """
                #!/bin/sh
                # Tests the plugin as doorstep runs it. Needs doorstep on PATH; prints nothing but verdicts.
                set -eu
                cd "$(dirname "$0")"
                export DOORSTEP_PLUGIN_PATH="$PWD"

                doorstep plugin check \(kind).plugin.json

                answer() { doorstep probe \(kind) --json --option "file=$1" | tr -d ' \\n'; }
                case $(answer /etc/passwd) in *'"satisfied":true'*) ;; *) echo "a file that is there was not found" >&2; exit 1 ;; esac
                case $(answer /no/such/file) in *'"satisfied":false'*) ;; *) echo "a file that isn't there was found" >&2; exit 1 ;; esac
                echo "all good"

                """, isProgram: true)
    }

    static func next(_ kind: String) -> String {
        "Next: edit \(kind)/\(kind), then run \(kind)/test.sh; copy both files of the plugin into a plugin directory to use it."
    }
}
