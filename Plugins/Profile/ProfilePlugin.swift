public import DoorstepPluginKit

/// Asks for values (name, age, …), validated on their page and stored with the step's record.
public struct ProfilePlugin: StepPlugin {
    /// `profile`.
    public let kind = "profile"
    /// What `doorstep plugins` says of it.
    public let summary = "Asks for values, such as a name or an age"
    /// The options of `doorstep plugins`.
    public let optionHelp = [
        PluginOption("inputs", "list of inputs", "what is asked, in order: 1 to 32, each with a key and a type"),
        PluginOption("inputs[].key", "letters, digits, _ and -", "the input's permanent name, unique in the flow"),
        PluginOption("inputs[].type", "text, integer, choice or toggle", "which values are accepted"),
        PluginOption("inputs[].label, help", "text", "what the field is called, and what is accepted in your words"),
        PluginOption("inputs[].optional", "true or false", "whether the field may be left empty; false by default"),
        PluginOption("inputs[].default", "a value", "what the field holds at first"),
        PluginOption("minLength, maxLength", "integers", "text: how many characters; 1 to 200 by default"),
        PluginOption("pattern", "regular expression", "text: what the whole text must match"),
        PluginOption("minimum, maximum, step", "integers", "integer: the range, and the step counted from minimum"),
        PluginOption("choices", "list of value and label", "choice: what can be chosen, 1 to 200"),
    ]

    /// The plugin.
    public init() {}

    /// Reads the inputs.
    public func options(from reader: JSONReader) -> [ProfileInput] {
        let inputs = reader.array("inputs", count: 1...32) { ProfileInput(from: $0) }
        var keys: Set<String> = []
        for (place, input) in inputs.enumerated() where !input.key.isEmpty && !keys.insert(input.key).inserted {
            let path = reader.path.key("inputs").index(place).key("key")
            reader.add([
                JSONFault(path: path, message: "the key \(quoted(input.key)) stands twice; each input needs its own")
            ])
        }
        return inputs
    }

    /// The inputs' keys.
    public func inputKeys(_ inputs: [ProfileInput]) -> [String] {
        inputs.map(\.key)
    }

    /// The step's texts with one field for each input.
    public func page(_ inputs: [ProfileInput], in context: StepContext) -> StepPage {
        let title = LocalizedText([
            LocalizedText.Entry(tag: "en", text: "About you"),
            LocalizedText.Entry(tag: "de", text: "Über dich"),
            LocalizedText.Entry(tag: "ar", text: "نبذة عنك"),
            LocalizedText.Entry(tag: "ja", text: "あなたについて"),
        ])
        var page = context.page(title: title, icon: "avatar-default-symbolic")
        page.fields = inputs.map { $0.field(in: context) }
        return page
    }
}
