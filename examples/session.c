/*
 * session.c -- one person's questionnaire on standard input: the whole protocol in ten lines.
 *
 *     session MODEL.tacit
 *
 * Type an answer and Enter; an empty line means "I would rather not say".
 */
#include <stdio.h>
#include <string.h>

#include <tacit.h>

/* Read one answer; NULL at the end of the input. */
static char *read_answer(const char *question, char *text, int size)
{
    printf("%s ", question);
    fflush(stdout);
    if (!fgets(text, size, stdin))
        return NULL;
    text[strcspn(text, "\r\n")] = 0;
    return text;
}

int main(int argc, char **argv)
{
    tacit_model *model = NULL;
    tacit_session *session = NULL;
    tacit_release_options options = {.delta = 0}; /* 0: stop only when the decision is proven */
    tacit_decision decision;
    tacit_error err = {0};
    size_t attribute;
    char text[256];
    int failed = 1;

    if (argc != 2 || tacit_model_load(&model, argv[1], &err))
        goto done;
    const tacit_schema *schema = tacit_model_schema(model);

    if (tacit_session_open(&session, model, &options, &err))
        goto done;
    while (!(failed = tacit_session_next(session, &attribute, &err)) && attribute != TACIT_NONE) {
        const char *answer = read_answer(tacit_schema_attribute(schema, attribute)->question, text, sizeof text);
        if (!answer || !*answer)
            tacit_session_refuse(session, attribute, &err);
        else if (tacit_session_answer(session, attribute, answer, &err))
            printf("%s\n", err.message); /* for instance "expected a number"; it is asked again */
    }
    if (failed || (failed = tacit_session_decision(session, &decision, &err)))
        goto done;
    printf("\n%s: %s (%s, %zu asked)\n", tacit_schema_label(schema), tacit_schema_class(schema, decision.label),
           tacit_settled_name(decision.settled), decision.asked);

done:
    if (failed)
        fprintf(stderr, "session: %s\n", argc == 2 ? err.message : "usage: session MODEL.tacit");
    tacit_session_free(session); /* wipes what the person said */
    tacit_model_free(model);
    return failed != 0;
}
