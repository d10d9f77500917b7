package import CommandLineKit

/// The arguments and options that several commands take, declared once.
package enum Parameters {
    package static let suite = Option<String?>(
        "suite", valueName: "file",
        help: "The suite to use instead of $DOORSTEP_SUITE or the one in the XDG data home.", completion: .files)
    package static let json = Flag("json", help: "Print the result as JSON.")
    package static let app = Argument<String>(
        "app", help: "The app's ID, such as com.example.aurora.", completion: .command(["apps", "--names"]))
    package static let step = Argument<String>(
        "step", help: "The step's ID, as it stands in the app's manifest.", completion: stepCompletion)
    package static let stepCompletion = Completion.command(["apps", "--steps"])
    package static let kindCompletion = Completion.command(["plugins", "--names"])
    package static let files = Argument<[String]>(
        "file", help: "A manifest, named <app>.json.", isRequired: true, completion: .files)
    package static let timeout = Option<Timeout>(
        "timeout", help: "How long all checks together may take.", default: Timeout(.seconds(2)))
    package static let strict = Flag("strict", help: "Refuse to go on while a policy file is invalid.")
    package static let unmet = Flag(
        "unmet", help: "Take the required steps that aren't recorded true, also those that were declined.")
}
