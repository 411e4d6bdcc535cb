/*
 * api_step.h -- the answer to sessions and answers: where a session stands, and the token to go on from there; and the
 * receipt of one that is decided.
 */
#ifndef SRV_API_STEP_H
#define SRV_API_STEP_H

#include "api.h"
#include "service_inside.h"

typedef struct srv_step {
    double delta;
    bool clipped; /* the answer just given was */
    bool receipt; /* wanted, should there be a decision */
    bool free_order;
    unsigned char session[SRV_SESSION_ID];
} srv_step;

/* Write the step that the session in the workspace has come to. */
void srv_step_write(srv_call *call, srv_workspace *workspace, const srv_step *step, srv_reply *reply);
/* Write the receipt of the session in the workspace, which is decided and whose state is there too; of the step only its
 * session and its order count. */
void srv_receipt_write(srv_call *call, srv_workspace *workspace, const srv_step *step, srv_reply *reply);

#endif
