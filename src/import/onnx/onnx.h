/*
 * onnx.h -- a classifier from an ONNX file.
 */
#ifndef TCT_ONNX_H
#define TCT_ONNX_H

#include "model.h"
#include "raw_trees.h"

/* The classifier in the bytes of an ONNX file, over encoded inputs.  The graph reads raw values.  Inputs of one column
 * that are called like attributes are these.  Else they are the attributes one after the other in the order of the
 * codec's schema: the value of a number or integer, the index (from 0) of an ordinal category's level, a 0 or 1 for each
 * level of a one-hot category; or one column for each attribute, as a table has it.  Classes are matched by name where the
 * file names them, else by index.  The table (or NULL) tells trees which numbers may be missing.  threshold: an ensemble of two
 * classes decides for the second from this probability on; NaN: as the file says.  `file` is for messages.
 * What can be no linear classifier, ReLU network or ensemble of trees is refused. */
tacit_status tct_onnx_parse(tct_classifier **out, const void *bytes, size_t size, const char *file,
                            const tct_codec *codec, const tacit_table *table, double threshold, tacit_error *err);

/* Before there is a schema: does the file hold an ensemble of trees, and which columns does it name?  `out` is given its
 * file and names only; NULL names: it reads a matrix. */
tacit_status tct_onnx_columns(tct_raw_trees *out, bool *trees, const void *bytes, size_t size, const char *file,
                              tacit_error *err);

#endif
