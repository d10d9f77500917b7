"""Goes through an app's flow in a language: by assistive technology's actions, by the keyboard alone, or by a pointer.

flow.py APP WAY LANGUAGE PROGRAM [ARGUMENT…]
"""

import json
import os
import sys

from desktop import Atspi, Window, expect, states, until

# What the presenter says by itself; everything else is the manifest's.
PHRASES = {
    "en": {
        "next": "Next", "finish": "Finish", "skip": "Skip", "without": "Continue Without", "done": "Done",
        "short": "Please use at least 3 characters.", "profile": "Your profile",
    },
    "de": {
        "next": "Weiter", "finish": "Fertig", "skip": "Überspringen", "without": "Ohne fortfahren", "done": "Fertig",
        "short": "Bitte mindestens 3 Zeichen eingeben.", "profile": "Dein Profil",
    },
    "ar": {
        "next": "التالي", "finish": "إنهاء", "skip": "تخطٍّ", "without": "المتابعة بدونه", "done": "تم",
        "short": "يرجى إدخال 3 من الأحرف على الأقل.", "profile": "ملفك الشخصي",
    },
}


def is_invalid(field):
    # Which of the two stands for a wrong value depends on the version of GTK.
    return bool(states(field) & {"invalid", "invalid-entry"})


class Hands:
    """What every way of using a page shares."""

    def __init__(self, window, language):
        self.window, self.language, self.say = window, language, PHRASES[language]

    def page(self, step):
        """Does what a page is for; one that is about a permission is left without."""
        fields = step.get("options", {}).get("inputs", [])
        for field in fields:
            getattr(self, field["type"])(field, self.read(field["label"]))
        if fields:
            self.leave()
        elif step.get("plugin", "welcome") in ("welcome", "info"):
            self.accept(step)
        else:
            self.pass_by()

    def read(self, texts):
        return texts[self.language]

    def chosen(self, label, choice):
        return self.window.find("push button", f"{label}: {choice}")

    def choose(self, label, field):
        """Takes the second entry of the list that is open."""
        until("the list is open", lambda: any(node.get_role_name() == "list item" for node in self.window.nodes()))
        self.window.type("Down", "Return")
        self.chosen(label, self.read(field["choices"][1]["label"]))


class Actions(Hands):
    """Assistive technology's own: no key, but where this GTK has no action."""

    def accept(self, step):
        self.press(self.read(step["action"]))

    def press(self, *names):
        self.window.press(*names)

    def leave(self):
        expect(not self.window.unnamed_controls(), f"every control has a name: {self.window.unnamed_controls()}")
        self.go_on()

    def go_on(self):
        self.press(self.say["next"], self.say["finish"])

    def pass_by(self):
        self.press(self.say["skip"], self.say["without"], self.say["next"], self.say["finish"])

    def end(self):
        self.press(self.say["done"])

    def text(self, field, label):
        def focused():
            entry = self.window.find("text", label)
            return entry if "focused" in states(entry) else None

        until("the field has the keyboard", focused).set_text_contents("Ad")
        self.go_on()
        self.window.find("alert", self.say["short"])
        entry = self.window.find("text", label)
        expect(is_invalid(entry), "the field is known as invalid")
        expect(self.say["short"] in entry.get_description(), "the fault is read along with the field")
        entry.set_text_contents("Ada")
        until("the field is fine again", lambda: not is_invalid(self.window.find("text", label)))

    def integer(self, field, label):
        slider = self.window.find("slider", label)
        expect(slider.get_current_value() == field["default"], "the slider begins at its default")
        slider.set_current_value(44)
        self.window.find("label", "44")

    def choice(self, field, label):
        self.press(f"{label}: —")
        # The open list has the keyboard; its items have no action of their own in this GTK.
        self.window.focus()
        self.choose(label, field)


class Keyboard(Hands):
    """Keys and nothing else. Enter in a field, or anywhere on a page, is the page's own action."""

    def __init__(self, window, language):
        super().__init__(window, language)
        window.focus()

    def accept(self, step):
        self.window.type("Return")

    def leave(self):
        self.window.type("Return")

    def pass_by(self):
        self.window.type("alt+Left" if self.language == "ar" else "alt+Right")

    def end(self):
        self.window.type("Return")

    def text(self, field, label):
        self.window.type("A", "d", "Return")
        self.window.find("alert", self.say["short"])
        self.window.type("a")

    def integer(self, field, label):
        # The arrow that points to where the numbers shrink.
        self.window.type(*["Right" if self.language == "ar" else "Left"] * 6)
        self.window.find("label", "44")

    def choice(self, field, label):
        self.window.type("space")
        self.choose(label, field)


class Pointer(Actions):
    """Clicks, wherever things stand; letters are typed."""

    def __init__(self, window, language):
        super().__init__(window, language)
        window.focus()

    def press(self, *names):
        self.window.click_until_changed(lambda: self.window.button(*names))

    def text(self, field, label):
        self.window.click(lambda: self.window.find("text", label))
        self.window.type("A", "d")
        self.go_on()
        self.window.find("alert", self.say["short"])
        self.window.type("a")
        until("the field is fine again", lambda: not is_invalid(self.window.find("text", label)))

    def integer(self, field, label):
        def slider():
            return self.window.find("slider", label)

        self.window.click_until_changed(slider, share=0.3)
        until("the slider has moved", lambda: slider().get_current_value() not in (None, field["default"]))


WAYS = {"actions": Actions, "keyboard": Keyboard, "pointer": Pointer}


def main():
    app, way, language, *program = sys.argv[1:]
    with open(f"{os.environ['DOORSTEP_REGISTRY_PATH']}/{app}.json", encoding="utf-8") as file:
        manifest = json.load(file)
    steps = {step["title"][language]: step for step in [manifest.get("welcome"), *manifest["steps"]] if step}
    window = Window(program + [app], manifest["name"][language])
    # The title bar's.
    print(f"line height: {window.find('label').get_extents(Atspi.CoordType.WINDOW).height}")
    hands = None
    seen = []

    def ahead():
        """The next page's title, or the profile's, or that the program has ended."""
        if window.process.poll() is not None:
            return "end"
        names = [(node.get_role_name(), node.get_name()) for node in window.nodes()]
        headings = [name for role, name in names if role == "heading" and name in steps and name not in seen]
        if headings:
            return headings[0]
        return "profile" if any(hands.say["profile"] == name for _, name in names) else None

    while True:
        page = until(f"something comes after {seen}", ahead)
        hands = hands or WAYS[way](window, language)
        if page == "end":
            break
        window.picture(len(seen))
        if page == "profile":
            break
        seen.append(page)
        hands.page(steps[page])
    if page == "profile":
        window.button(hands.say["done"])
        hands.end()
    expect(list(steps)[:1] == seen[:1], f"the pages begin with the first: {seen}")
    window.end()


main()
