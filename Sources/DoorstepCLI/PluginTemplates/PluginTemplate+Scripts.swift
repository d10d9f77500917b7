extension PluginTemplate {
    /// A plugin in POSIX shell.
    static func shell(_ kind: String) -> PluginTemplate {
        let program = #"""
            #!/bin/sh
            # The plugin KIND: is a file there?
            #
            # doorstep starts this program once for a pass and writes one JSON object a line to it. Each wants one line back
            # with the same id, in any order. Standard error is the log. The lines are compact and begin with
            # {"id":N,"METHOD":{ so that a shell can cut them up.

            # text KEY: the text of a key in $line, up to its closing quote.
            text() {
                case $line in *"\"$1\":\""*) rest=${line#*"\"$1\":\""} && printf '%s' "${rest%%\"*}" ;; esac
            }

            # The check: satisfied (true), not satisfied (false) or cannot tell (null), a status, and one line of evidence
            # that a person understands. It must not ask the user anything, and must not guess.
            check() {
                file=$(text file)
                case $file in
                *[\"\\]*) printf '{"id":%s,"satisfied":null,"evidence":"the path has characters that are not understood"}\n' "$id" ;;
                *)
                    if [ -e "$file" ]; then
                        printf '{"id":%s,"satisfied":true,"status":"granted","basis":"ungated","evidence":"%s is there"}\n' "$id" "$file"
                    else
                        printf '{"id":%s,"satisfied":false,"status":"denied","evidence":"%s is not there"}\n' "$id" "$file"
                    fi
                    ;;
                esac
            }

            # What the schema in KIND.plugin.json can't say of the options. Asked when an app is registered.
            validate() {
                case $(text file) in
                /*) printf '{"id":%s,"valid":true}\n' "$id" ;;
                *) printf '{"id":%s,"faults":[{"path":"/file","message":"this is relative; accepted: an absolute path"}]}\n' "$id" ;;
                esac
            }

            # The end of the input is the end of the pass: read fails, and the program exits.
            while IFS= read -r line; do
                id=${line#'{"id":'}
                id=${id%%[!0-9]*}
                case $line in
                '{"id":'*',"hello":'*) printf '{"id":%s,"hello":{"protocol":1,"kinds":["KIND"]}}\n' "$id" ;;
                '{"id":'*',"validate":'*) validate ;;
                '{"id":'*',"check":'*) check ;;
                '{"cancel":'*) ;; # Answers come at once here, so there is nothing to cancel.
                '{"id":'[0-9]*',"'*) printf '{"id":%s,"error":{"message":"no such method here"}}\n' "$id" ;;
                *) echo "not understood: $line" >&2 ;;
                esac
            done

            """#
        return script(kind, program)
    }

    /// A plugin in Python 3, with nothing but its standard library.
    static func python(_ kind: String) -> PluginTemplate {
        let program = #"""
            #!/usr/bin/env python3
            """The plugin KIND: is a file there?

            doorstep starts this program once for a pass and writes one JSON object a line to it. Each wants one line back with
            the same id, in any order. Standard error is the log.
            """
            import json
            import os
            import sys


            def check(question):
                """Satisfied (True), not satisfied (False) or cannot tell (None), a status, and one line of evidence that a
                person understands. It must not ask the user anything, and must not guess. question["deadline_ms"] is the time
                that there is, question["locale"] the reader's language."""
                path = question["options"]["file"]
                try:
                    os.stat(path)
                except FileNotFoundError:
                    return {"satisfied": False, "status": "denied", "evidence": f"{path} is not there"}
                except OSError as error:
                    return {"satisfied": None, "status": "unknown", "evidence": f"{path}: {error.strerror}"}
                return {"satisfied": True, "status": "granted", "basis": "ungated", "evidence": f"{path} is there"}


            def validate(question):
                """What the schema in KIND.plugin.json can't say of the options. Asked when an app is registered."""
                if question["options"]["file"].startswith("/"):
                    return {"valid": True}
                return {"faults": [{"path": "/file", "message": "this is relative; accepted: an absolute path"}]}


            def hello(question):
                return {"hello": {"protocol": 1, "kinds": ["KIND"]}}


            METHODS = {"hello": hello, "validate": validate, "check": check}


            def answer(message):
                for name, question in message.items():
                    if name in METHODS:
                        return METHODS[name](question)
                return {"error": {"message": "no such method here"}}


            # The end of the input is the end of the pass, and of this loop.
            for line in sys.stdin:
                try:
                    message = json.loads(line)
                except Exception as error:
                    print(f"not understood: {error}", file=sys.stderr)
                    continue
                if not isinstance(message, dict) or "id" not in message:
                    continue  # A cancellation: answers come at once here, so there is nothing to cancel.
                try:
                    reply = json.dumps({"id": message["id"], **answer(message)})
                except Exception as error:  # One question that goes wrong must not cost the others.
                    reason = f"{type(error).__name__}: {error}"
                    reply = json.dumps({"id": message["id"], "error": {"message": reason}})
                print(reply, flush=True)

            """#
        return script(kind, program)
    }

    private static func script(_ kind: String, _ program: String) -> PluginTemplate {
        PluginTemplate(
            files: [
                description(kind), File(path: kind, text: program.replacing("KIND", with: kind), isProgram: true),
                test(kind),
            ], next: next(kind))
    }
}
