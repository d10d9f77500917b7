// sd-bus through a table of functions, resolved at first use.
//
// Nothing here links libsystemd: linking would cost every start of the command its load time, and a machine without
// systemd its start. The prototypes come from libsystemd's own header, so a table can't drift from the library.

#ifndef CSDBUS_H
#define CSDBUS_H

#include <systemd/sd-bus.h>

/// Every function that the client uses, without its `sd_bus_` prefix.
#define CSDBUS_FUNCTIONS(X) \
    X(new) \
    X(set_address) \
    X(set_fd) \
    X(set_bus_client) \
    X(negotiate_fds) \
    X(start) \
    X(close_unref) \
    X(is_open) \
    X(is_ready) \
    X(get_fd) \
    X(get_events) \
    X(get_timeout) \
    X(process) \
    X(call_async) \
    X(add_match_async) \
    X(slot_unref) \
    X(message_new_method_call) \
    X(message_set_auto_start) \
    X(message_set_allow_interactive_authorization) \
    X(message_append_basic) \
    X(message_open_container) \
    X(message_close_container) \
    X(message_seal) \
    X(message_unref) \
    X(message_get_error) \
    X(message_get_errno) \
    X(message_get_signature) \
    X(message_get_destination) \
    X(message_get_path) \
    X(message_get_interface) \
    X(message_get_member) \
    X(message_peek_type) \
    X(message_read_basic) \
    X(message_enter_container) \
    X(message_exit_container)

/// The table: `table->process(bus, NULL)` is `sd_bus_process(bus, NULL)`.
typedef struct csdbus {
#define CSDBUS_FIELD(name) __typeof__(sd_bus_##name) *_Nonnull name;
    CSDBUS_FUNCTIONS(CSDBUS_FIELD)
#undef CSDBUS_FIELD
} csdbus;

/// The table of the system's libsystemd, loaded once for the process by whichever thread asks first, or NULL where
/// the library or one of its functions is missing. It stays loaded: there is nothing to free.
const csdbus *_Nullable csdbus_load(void);

/// Fills `table` from the named library. Returns 0, or -1 where the library or one of its functions is missing.
int csdbus_resolve(const char *_Nonnull library, csdbus *_Nonnull table);

/// eventfd(2), close-on-exec and non-blocking, which Swift's Glibc module doesn't import. Returns -1 with errno.
int csdbus_eventfd(void);

/// Names the calling thread, at most 15 bytes, as `/proc/self/task/*/comm` shows it: pthread_setname_np(3) isn't
/// imported by Swift's Glibc module either.
void csdbus_name_thread(const char *_Nonnull name);

#endif
