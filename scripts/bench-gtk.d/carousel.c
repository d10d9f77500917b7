// One AdwCarousel with one page in a window: what a window of this toolkit costs at least.
#include <adwaita.h>

int main(void) {
    adw_init();
    GtkWidget *window = adw_window_new();
    gtk_window_set_title(GTK_WINDOW(window), "Carousel");
    gtk_window_set_default_size(GTK_WINDOW(window), 560, 680);
    GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *carousel = adw_carousel_new();
    GtkWidget *page = adw_status_page_new();
    adw_status_page_set_title(ADW_STATUS_PAGE(page), "Find people to walk with");
    adw_status_page_set_icon_name(ADW_STATUS_PAGE(page), "face-smile-symbolic");
    gtk_widget_set_hexpand(page, TRUE);
    gtk_widget_set_vexpand(carousel, TRUE);
    adw_carousel_append(ADW_CAROUSEL(carousel), page);
    GtkWidget *dots = adw_carousel_indicator_dots_new();
    adw_carousel_indicator_dots_set_carousel(ADW_CAROUSEL_INDICATOR_DOTS(dots), ADW_CAROUSEL(carousel));
    gtk_box_append(GTK_BOX(column), adw_header_bar_new());
    gtk_box_append(GTK_BOX(column), carousel);
    gtk_box_append(GTK_BOX(column), dots);
    gtk_box_append(GTK_BOX(column), gtk_button_new_with_label("Sign Up"));
    adw_window_set_content(ADW_WINDOW(window), column);
    gtk_window_present(GTK_WINDOW(window));
    while (TRUE) g_main_context_iteration(NULL, TRUE);
}
