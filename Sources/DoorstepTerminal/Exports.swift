// What every presenter shares shows in this one's interface too.
@_exported public import DoorstepPresenting
