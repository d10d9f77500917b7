"""Uses the example app: gate, onboarding, its main window, and signing out, which begins anew."""

import sys

from desktop import Window, until

app = Window(sys.argv[1:], "Aurora")
app.heading("Find your night sky")
app.press("Sign Up")
app.heading("What’s your name?")
app.find("text", "Your name").set_text_contents("Ada")
app.press("Next")
until("the app's own page is shown", lambda: any(node.get_name() == "Tonight looks good" for node in app.nodes()))
app.press("Finish")
until("the app greets", lambda: any(node.get_name() == "Clear skies, Ada!" for node in app.nodes()))
app.press("Sign Out")
app.heading("Find your night sky")
app.focus()
app.type("ctrl+w")
app.end()

again = Window(sys.argv[1:], "Aurora")
again.heading("Find your night sky")
again.focus()
again.type("ctrl+w")
again.end()
