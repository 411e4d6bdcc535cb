/*
 * http_tls.h -- TLS on a socket that does not wait, with GnuTLS: versions 1.2 and 1.3, forward secrecy only.
 */
#ifndef SRV_HTTP_TLS_H
#define SRV_HTTP_TLS_H

#include <stddef.h>
#include <sys/types.h>

#include "tacit.h"

typedef struct srv_tls srv_tls;                 /* a certificate and its key */
typedef struct srv_tls_session srv_tls_session; /* one connection */

tacit_status srv_tls_new(srv_tls **out, const char *cert_path, const char *key_path, tacit_error *err);
void srv_tls_free(srv_tls *tls); /* once no connection uses it; NULL allowed */

/* NULL when memory is short. */
srv_tls_session *srv_tls_open(srv_tls *tls, int socket);
void srv_tls_close(srv_tls_session *session); /* NULL allowed; the socket stays open */

enum { SRV_TLS_AGAIN = -1, SRV_TLS_FAILED = -2 };
/* 0: done; else one of the two above. */
int srv_tls_shake(srv_tls_session *session);
/* Bytes read or written, 0 at the end of what there is to read, or one of the two above. */
ssize_t srv_tls_read(srv_tls_session *session, void *bytes, size_t size);
ssize_t srv_tls_write(srv_tls_session *session, const void *bytes, size_t size);
/* Say that nothing more will come. */
void srv_tls_bye(srv_tls_session *session);

#endif
