/*
 * http_pages.h -- what is served beside the API: the files of the page, and what the server says of itself.
 */
#ifndef SRV_HTTP_PAGES_H
#define SRV_HTTP_PAGES_H

#include "call.h"

srv_endpoint srv_page_html;    /* BASE */
srv_endpoint srv_page_script;  /* BASE ask.js */
srv_endpoint srv_page_style;   /* BASE ask.css */
srv_endpoint srv_page_nothing; /* a path that is none */
/* "/m/NAME": "./NAME/", relative, because only the client knows what stands before our paths. */
srv_endpoint srv_page_no_slash;
srv_endpoint srv_page_health;  /* /healthz */
srv_endpoint srv_page_ready;   /* /readyz */
srv_endpoint srv_page_metrics; /* /metrics */

/* Find the model of the call by its path, or the only one; false: *reply is a problem. */
bool srv_page_model(srv_call *call, srv_reply *reply);

#endif
