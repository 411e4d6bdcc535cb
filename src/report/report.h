/*
 * report.h -- what reports of every kind agree on.
 */
#ifndef TCT_REPORT_H
#define TCT_REPORT_H

/* A group below this size is not described: figures of a handful of people describe the people. */
enum { TCT_SMALL_GROUP = 20 };

#endif
