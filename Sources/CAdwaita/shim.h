// GTK 4 and libadwaita, plus what Swift can't call or doesn't see: variadic functions and macros.
#ifndef DOORSTEP_CADWAITA_H
#define DOORSTEP_CADWAITA_H
#include <adwaita.h>
#include <glib-unix.h>

/// libdispatch's descriptor that is readable once the main queue has work, and the way to do that work. CoreFoundation's
/// run loop uses them; no header of the toolchain names them.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

/// A label of a role, which can only be given when it is made.
static inline GtkWidget *doorstep_label_new(GtkAccessibleRole role) {
    return (GtkWidget *)g_object_new(GTK_TYPE_LABEL, "accessible-role", role, NULL);
}

/// An image that says nothing which the text beside it doesn't.
static inline GtkWidget *doorstep_ornament_new(void) {
    return (GtkWidget *)g_object_new(
        GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);
}

/// The dots of a carousel, as an image that can be named.
static inline GtkWidget *doorstep_dots_new(AdwCarousel *carousel) {
    return (GtkWidget *)g_object_new(
        ADW_TYPE_CAROUSEL_INDICATOR_DOTS, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, "carousel", carousel, NULL);
}

/// A box that assistive technology knows as a group.
static inline GtkWidget *doorstep_group_new(int spacing) {
    return (GtkWidget *)g_object_new(
        GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, "orientation", GTK_ORIENTATION_VERTICAL, "spacing",
        spacing, NULL);
}

/// What assistive technology calls a widget.
static inline void doorstep_set_accessible_label(GtkWidget *widget, const char *text) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

/// What assistive technology says of a widget besides its name; NULL for nothing.
static inline void doorstep_set_accessible_description(GtkWidget *widget, const char *text) {
    if (text) {
        gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
    } else {
        gtk_accessible_reset_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
    }
}

/// The text that stands for a widget's value.
static inline void doorstep_set_accessible_value_text(GtkWidget *widget, const char *text) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

/// Whether a widget must be filled in.
static inline void doorstep_set_accessible_required(GtkWidget *widget, gboolean is_required) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_REQUIRED, is_required, -1);
}

/// Whether a widget's value isn't accepted.
static inline void doorstep_set_accessible_invalid(GtkWidget *widget, gboolean is_invalid) {
    gtk_accessible_update_state(
        GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_INVALID,
        is_invalid ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}

/// Whether assistive technology passes a widget over.
static inline void doorstep_set_accessible_hidden(GtkWidget *widget, gboolean is_hidden) {
    gtk_accessible_update_state(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_HIDDEN, is_hidden, -1);
}

/// Which widgets describe and name a widget.
static inline void doorstep_set_accessible_relations(GtkWidget *widget, GtkWidget *label, GtkWidget *description) {
    gtk_accessible_update_relation(
        GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY, label, NULL,
        GTK_ACCESSIBLE_RELATION_DESCRIBED_BY, description, NULL, -1);
}
#endif
