// An app that shows its own flow imports this module alone.
@_exported public import Doorstep
@_exported public import DoorstepPresenting
