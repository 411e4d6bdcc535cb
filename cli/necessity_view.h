/*
 * necessity_view.h -- what `tacit necessity` found, on the terminal.
 */
#ifndef CLI_NECESSITY_VIEW_H
#define CLI_NECESSITY_VIEW_H

/* Print the tables of a document as tacit_necessity_json makes it.  CLI_DONE or CLI_INTERNAL. */
int necessity_view(const char *document);

#endif
