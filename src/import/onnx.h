/*
 * onnx.h -- a classifier from an ONNX file.
 */
#ifndef TCT_ONNX_H
#define TCT_ONNX_H

#include "model.h"

/* The classifier in the bytes of an ONNX file, over encoded inputs.  The network reads raw values, attribute after
 * attribute in the order of the codec's schema: the value of a number or integer, the index (from 0) of an ordinal
 * category's level, a 0 or 1 for each level of a one-hot category.  Classes are matched by name where the file names
 * them, else by index.  `file` is for messages.  What cannot be a linear classifier or a ReLU network is refused. */
tacit_status tct_onnx_parse(tct_classifier **out, const void *bytes, size_t size, const char *file,
                            const tct_codec *codec, tacit_error *err);

#endif
