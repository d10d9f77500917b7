// What the commands stand on is shared with the other executables; every file of this one works with it.
@_exported public import DoorstepWorkspace
