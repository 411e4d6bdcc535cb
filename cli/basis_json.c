/*
 * basis_json.c -- what a decision rests on: how likely each label is, and what is believed of what is not known.  What is
 * known is not printed.
 */
#include "basis_json.h"

enum { LEVEL_ROOM = 512 };

static void levels_json(json_out *json, const tacit_basis *basis, size_t attribute, const tacit_expectation *e)
{
    json_begin(json, "levels", '[');
    for (size_t k = 0; k < e->n_levels; k++) {
        char text[LEVEL_ROOM];

        tacit_basis_level_text(basis, attribute, k, text, sizeof(text));
        json_begin(json, NULL, '{');
        json_text(json, "level", text);
        json_number(json, "probability", e->levels[k]);
        json_end(json, '}');
    }
    json_end(json, ']');
}

void basis_json(json_out *json, const tacit_schema *schema, const tacit_basis *basis)
{
    json_begin(json, "probabilities", '{');
    for (size_t c = 0; c < tacit_schema_classes(schema); c++)
        json_number(json, tacit_schema_class(schema, c), tacit_basis_probability(basis, c));
    json_end(json, '}');
    json_begin(json, "believed", '[');
    for (size_t a = 0; a < tacit_schema_attributes(schema); a++) {
        const tacit_expectation *e = tacit_basis_expectation(basis, a);

        if (!e)
            continue;
        json_begin(json, NULL, '{');
        json_text(json, "attribute", tacit_schema_attribute(schema, a)->name);
        if (e->levels) {
            levels_json(json, basis, a, e);
        } else {
            json_number(json, "mean", e->mean);
            json_number(json, "deviation", e->deviation);
        }
        json_end(json, '}');
    }
    json_end(json, ']');
}
