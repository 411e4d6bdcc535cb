/*
 * http_tls.c -- TLS with GnuTLS.
 */
#include "http_tls.h"

#include <gnutls/gnutls.h>
#include <stdatomic.h>
#include <string.h>

#include "base.h"

/* Key exchanges that are forgotten afterwards; a key that leaks opens nothing that was recorded before. */
#define PRIORITIES                                                                                                     \
    "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:-CIPHER-ALL:+AES-256-GCM:+AES-128-"    \
    "GCM:"                                                                                                             \
    "+CHACHA20-POLY1305:%SERVER_PRECEDENCE"

enum { PEM_BYTES = 1024 * 1024 };

struct srv_tls {
    atomic_size_t users;
    gnutls_certificate_credentials_t credentials;
    gnutls_priority_t priorities;
};

struct srv_tls_session {
    srv_tls *tls;
    gnutls_session_t session;
};

static tacit_status read_pem(char **out, size_t *size, const char *path, const char *mark, const char *what,
                             tacit_error *err)
{
    tacit_status status = tct_file_read(out, size, path, PEM_BYTES, err);

    if (!status && (memchr(*out, '\0', *size) || !strstr(*out, mark)))
        status = tct_fail_at(err, TACIT_E_INPUT, path, 0, NULL, "expected %s in PEM format", what);
    return status;
}

static tacit_status take_files(srv_tls *tls, const char *cert_path, const char *key_path, tacit_error *err)
{
    char *cert = NULL, *key = NULL;
    size_t cert_size = 0, key_size = 0;
    tacit_status st = read_pem(&cert, &cert_size, cert_path, "-----BEGIN CERTIFICATE-----", "a certificate", err);

    if (!st)
        st = read_pem(&key, &key_size, key_path, "PRIVATE KEY-----", "a private key", err);
    if (!st) {
        gnutls_datum_t cert_text = {(unsigned char *)cert, (unsigned)cert_size};
        gnutls_datum_t key_text = {(unsigned char *)key, (unsigned)key_size};

        if (gnutls_certificate_set_x509_key_mem(tls->credentials, &cert_text, &key_text, GNUTLS_X509_FMT_PEM) < 0)
            st = tct_fail(err, TACIT_E_INPUT, "%s, %s: expected a certificate and the private key that belongs to it",
                          cert_path, key_path);
    }
    tct_free(cert);
    tct_free_wiped(key, key_size);
    return st;
}

tacit_status srv_tls_new(srv_tls **out, const char *cert_path, const char *key_path, tacit_error *err)
{
    srv_tls *tls = tct_calloc(1, sizeof(*tls));
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (!tls)
        return tct_fail_memory(err);
    atomic_store(&tls->users, 1);
    if (gnutls_certificate_allocate_credentials(&tls->credentials) < 0 ||
        gnutls_priority_init(&tls->priorities, PRIORITIES, NULL) < 0)
        st = tct_fail(err, TACIT_E_MEMORY, "GnuTLS cannot be initialised");
    if (!st)
        st = take_files(tls, cert_path, key_path, err);
    if (st)
        srv_tls_free(tls);
    else
        *out = tls;
    return st;
}

void srv_tls_free(srv_tls *tls)
{
    if (!tls || atomic_fetch_sub(&tls->users, 1) > 1)
        return;
    if (tls->priorities)
        gnutls_priority_deinit(tls->priorities);
    if (tls->credentials)
        gnutls_certificate_free_credentials(tls->credentials);
    tct_free(tls);
}

srv_tls_session *srv_tls_open(srv_tls *tls, int socket)
{
    srv_tls_session *s = tct_calloc(1, sizeof(*s));

    if (!s)
        return NULL;
    if (gnutls_init(&s->session, GNUTLS_SERVER | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL) < 0) {
        tct_free(s);
        return NULL;
    }
    s->tls = tls;
    atomic_fetch_add(&tls->users, 1);
    if (gnutls_priority_set(s->session, tls->priorities) < 0 ||
        gnutls_credentials_set(s->session, GNUTLS_CRD_CERTIFICATE, tls->credentials) < 0) {
        srv_tls_close(s);
        return NULL;
    }
    gnutls_transport_set_int(s->session, socket);
    return s;
}

void srv_tls_close(srv_tls_session *s)
{
    if (!s)
        return;
    gnutls_deinit(s->session);
    srv_tls_free(s->tls);
    tct_free(s);
}

/* What GnuTLS says as one of our two. */
static int judge(ssize_t code)
{
    return code == GNUTLS_E_AGAIN || code == GNUTLS_E_INTERRUPTED ? SRV_TLS_AGAIN : SRV_TLS_FAILED;
}

int srv_tls_shake(srv_tls_session *s)
{
    int code;

    do
        code = gnutls_handshake(s->session);
    while (code == GNUTLS_E_WARNING_ALERT_RECEIVED);
    if (code != GNUTLS_E_SUCCESS && judge(code) == SRV_TLS_FAILED)
        gnutls_alert_send_appropriate(s->session, code);
    return code == GNUTLS_E_SUCCESS ? 0 : judge(code);
}

ssize_t srv_tls_read(srv_tls_session *s, void *bytes, size_t size)
{
    ssize_t got;

    do
        got = gnutls_record_recv(s->session, bytes, size);
    while (got == GNUTLS_E_WARNING_ALERT_RECEIVED);
    if (got == GNUTLS_E_PREMATURE_TERMINATION)
        return 0;
    return got < 0 ? judge(got) : got;
}

ssize_t srv_tls_write(srv_tls_session *s, const void *bytes, size_t size)
{
    ssize_t sent = gnutls_record_send(s->session, bytes, size);

    return sent < 0 ? judge(sent) : sent;
}

void srv_tls_bye(srv_tls_session *s)
{
    gnutls_bye(s->session, GNUTLS_SHUT_WR);
}
