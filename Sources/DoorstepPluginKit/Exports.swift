// A plugin imports this module alone; the core's vocabulary and the JSON of its options come with it.
@_exported public import Doorstep
@_exported public import DoorstepJSON
