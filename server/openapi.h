/*
 * openapi.h -- openapi.json, carried in the program as bytes that the build makes.
 */
#ifndef SRV_OPENAPI_H
#define SRV_OPENAPI_H

#include <stddef.h>

extern const unsigned char srv_openapi[]; /* terminated */
extern const size_t srv_openapi_size;     /* without the terminator */

#endif
