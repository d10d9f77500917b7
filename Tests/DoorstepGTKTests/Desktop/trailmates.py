"""Does the sign-up flow of Trailmates in a language: by assistive technology's actions, or by the keyboard alone."""

import sys

from desktop import Window, expect, states, until

TEXTS = {
    "en": {
        "app": "Trailmates", "welcome": "Find people to walk with", "sign up": "Sign Up",
        "name": "What should we call you?", "fault": "Please use at least 3 characters.", "next": "Next",
        "age": "How old are you?", "gender": "And your gender?", "finish": "Finish", "female": "Female",
        "field": "Name", "slider": "Age", "choice": "Gender", "profile": "Your profile", "done": "Done",
    },
    "de": {
        "app": "Wegbegleiter", "welcome": "Finde Leute zum Wandern", "sign up": "Registrieren",
        "name": "Wie sollen wir dich nennen?", "fault": "Bitte mindestens 3 Zeichen eingeben.", "next": "Weiter",
        "age": "Wie alt bist du?", "gender": "Und dein Geschlecht?", "finish": "Fertig", "female": "Weiblich",
        "field": "Name", "slider": "Alter", "choice": "Geschlecht", "profile": "Dein Profil", "done": "Fertig",
    },
    "ar": {
        "app": "رفاق الدرب", "welcome": "اعثر على رفاق للمشي", "sign up": "التسجيل", "name": "بماذا نناديك؟",
        "fault": "يرجى إدخال 3 من الأحرف على الأقل.", "next": "التالي", "age": "كم عمرك؟", "gender": "وما جنسك؟",
        "finish": "إنهاء", "female": "أنثى", "field": "الاسم", "slider": "العمر", "choice": "الجنس",
        "profile": "ملفك الشخصي", "done": "تم",
    },
}


def is_invalid(field):
    # Which of the two stands for a wrong value depends on the version of GTK.
    return bool(states(field) & {"invalid", "invalid-entry"})


def by_actions(window, text):
    window.heading(text["welcome"])
    window.press(text["sign up"])
    window.heading(text["name"])
    field = window.find("text", text["field"])
    expect("focused" in states(field), "the first field has the keyboard")
    field.set_text_contents("Ad")
    window.press(text["next"])
    window.find("alert", text["fault"])
    field = window.find("text", text["field"])
    expect(is_invalid(field), "the field is known as invalid")
    expect(text["fault"] in field.get_description(), "the fault is read along with the field")
    expect(not window.unnamed_controls(), f"every control has a name: {window.unnamed_controls()}")
    field.set_text_contents("Ada")
    expect(not is_invalid(window.find("text", text["field"])), "the field is fine again")
    window.press(text["next"])
    window.heading(text["age"])
    slider = window.find("slider", text["slider"])
    expect(slider.get_current_value() == 50, "the slider begins at 50")
    slider.set_current_value(44)
    window.find("label", "44")
    expect(not window.unnamed_controls(), f"every control has a name: {window.unnamed_controls()}")
    window.press(text["next"])
    window.heading(text["gender"])
    expect(not window.unnamed_controls(), f"every control has a name: {window.unnamed_controls()}")
    window.press(f"{text['choice']}: —")
    # The open list has the keyboard; its items have no action of their own in this GTK.
    window.focus()
    until("the list is open", lambda: any(node.get_role_name() == "list item" for node in window.nodes()))
    window.type("Down", "Return")
    window.find("push button", f"{text['choice']}: {text['female']}")
    window.press(text["finish"])


def by_keyboard(window, text):
    window.heading(text["welcome"])
    window.focus()
    window.type("Return")
    window.heading(text["name"])
    window.type("A", "d", "Return")
    window.find("alert", text["fault"])
    window.type("a", "Return")
    window.heading(text["age"])
    # The arrow that points to where the numbers grow.
    smaller = "Right" if text is TEXTS["ar"] else "Left"
    window.type(*[smaller] * 6)
    window.find("label", "44")
    window.type("Return")
    window.heading(text["gender"])
    window.type("space")
    until("the list is open", lambda: any(node.get_role_name() == "list item" for node in window.nodes()))
    window.type("Down", "Return")
    window.find("push button", f"{text['choice']}: {text['female']}")
    # Enter in a field is the page's own action.
    window.type("Return")


def main():
    program, way, language = sys.argv[1:4]
    text = TEXTS[language]
    window = Window([program, "com.example.trailmates"], text["app"])
    (by_keyboard if way == "keyboard" else by_actions)(window, text)
    window.find("push button", text["done"])
    until("the profile is shown", lambda: any(text["profile"] in node.get_name() for node in window.nodes()))
    if way == "keyboard":
        window.type("Return")
    else:
        window.press(text["done"])
    window.end()


main()
