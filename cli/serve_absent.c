/*
 * serve_absent.c -- tacit serve in a program that was built without GnuTLS.
 */
#include "cli.h"
#include "serve.h"

int serve_run(const char *const *models, size_t n_models, const serve_settings *settings)
{
    (void)models;
    (void)n_models;
    (void)settings;
    return cli_complain(CLI_USAGE, "serve: this program was built without GnuTLS");
}
