/// Of whom a check speaks: how far steps with equal options ask one question.
///
/// A pass asks equal questions once, and each of their steps gets the answer. Options are equal when everything that the
/// manifest gives is, `accept` and `timeout` too.
public enum CheckSubject: Sendable, Hashable {
    /// Of the step: each one is asked.
    case step
    /// Of the app, and nothing else that tells one step from another: an app's equal steps are asked once.
    case app
    /// Of the user on this machine, whichever app asks: equal steps of all apps are asked once.
    case user
}
