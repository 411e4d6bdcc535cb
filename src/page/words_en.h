/*
 * words_en.h -- the pages in English.  {0} ... are arguments; "|" parts what is said of one from what is said of many;
 * markup is allowed.  Included by words.h and words.c, which say what becomes of a TCT_WORD.
 */

/* ---- everywhere ---- */
TCT_WORD(and, " and ")
TCT_WORD(to, "{0} to {1}")
TCT_WORD(less_than, "less than {0}")
TCT_WORD(more_than, "more than {0}")
TCT_WORD(people, "{0} person|{0} people")
TCT_WORD(not_stated, "not stated")
TCT_WORD(caution, "Caution:")
TCT_WORD(numbers, "Numbers")
TCT_WORD(table_of, "Table: {0}")
TCT_WORD(written_by, "Written by Tacit {0}. This page is one file: it fetches nothing and sends nothing. All figures "
                     "and texts are complete without JavaScript.")
TCT_WORD(js_copy, "Copy as CSV")
TCT_WORD(js_copied, "Copied")
TCT_WORD(js_refused, "The browser did not allow copying")
TCT_WORD(js_download, "Download the data of this page (JSON)")
TCT_WORD(low, "low")
TCT_WORD(high, "high")
TCT_WORD(yes, "yes")
TCT_WORD(no, "no")
TCT_WORD(unknown, "not known")
TCT_WORD(none, "none")

/* ---- necessity ---- */
TCT_WORD(nec_title, "What the purpose needs")
TCT_WORD(nec_lead,
         "{0}, {1} in the data, {2} to predict “{3}”. Counts and means only: nobody’s values are in this page.")
TCT_WORD(rows_n, "{0} row|{0} rows")
TCT_WORD(attributes_n, "{0} attribute|{0} attributes")
TCT_WORD(nec_section, "Is it needed for the purpose?")
TCT_WORD(
    nec_how,
    "The rest of this page is about one model. This section is about the purpose: models were trained again without "
    "attributes, one at a time and then more and more of them, and judged on people they were not trained on.")
TCT_WORD(nec_how_own, "Models were trained again without attributes, one at a time and then more and more of them, and "
                      "judged on people they were not trained on.")
TCT_WORD(nec_best, "{0} of {1} attributes suffice for an accuracy of {2}; with all {1} it is {3}.")
TCT_WORD(nec_best_asked, "People are then asked for {0} attributes on average instead of {1}, every decision proven.")
TCT_WORD(nec_best_diff, "All attributes minus this set, on the same splits: {0} percentage points (95 % interval {1} "
                        "to {2}); {3} may be lost.")
TCT_WORD(nec_names, "The names are what all rows together choose. A split chooses from its training rows alone, and "
                    "has {0} of them on average.")
TCT_WORD(nec_best_all, "No smaller set is recommended: the run keeps all {0} attributes, with an accuracy of {1}.")
TCT_WORD(nec_dropped, "Left out: {0}.")
TCT_WORD(nec_kept, "Kept: {0}.")
TCT_WORD(nec_majority, "Always deciding for the most frequent class would be right for {0}.")
TCT_WORD(nec_frontier, "Accuracy by number of attributes collected")
TCT_WORD(nec_frontier_label, "Line chart of the accuracy on people not trained on against the number of attributes "
                             "collected, with intervals, from {0} to {1} attributes.")
TCT_WORD(nec_frontier_note,
         "Each point is what that many attributes give: in every split they are chosen from its training rows alone, "
         "leaving out one more at a time. Bars: 95 % intervals over the repeated splits. The dotted line is always "
         "deciding for the most frequent class. The axis does not start at 0.")
TCT_WORD(nec_asked, "Attributes asked for, by number collected")
TCT_WORD(nec_asked_label,
         "Line chart of the mean number of sensitive attributes asked for against the number of attributes collected.")
TCT_WORD(nec_asked_note, "How many sensitive attributes people are asked for on average before their decision is "
                         "proven, by the same models.")
TCT_WORD(nec_y_accuracy, "accuracy")
TCT_WORD(nec_y_asked, "asked (mean)")
TCT_WORD(nec_x, "attributes collected")
TCT_WORD(nec_majority_line, "most frequent class")
TCT_WORD(nec_models, "models trained again")
TCT_WORD(nec_each, "What each attribute adds")
TCT_WORD(nec_each_label,
         "For each attribute, how much accuracy is lost when models are trained without it, with 95 % intervals.")
TCT_WORD(
    nec_each_note,
    "Accuracy with all attributes minus accuracy without this one, paired by split, in percentage points. Left of the "
    "dashed line at 0 the models without the attribute were better. Bars: 95 % intervals. Needed: more than {0} "
    "percentage points are lost without it; not needed: at most that; need not shown: the interval allows for both. "
    "Several attributes that say the same can each look unneeded; the line chart above leaves them out together.")
TCT_WORD(nec_each_axis, "accuracy lost without it (percentage points)")
TCT_WORD(nec_yes, "needed")
TCT_WORD(nec_not_shown, "need not shown")
TCT_WORD(nec_no, "not needed")
TCT_WORD(nec_source, "How it was computed")
TCT_WORD(h_attribute, "attribute")
TCT_WORD(h_role, "role")
TCT_WORD(role_public, "public")
TCT_WORD(role_sensitive, "sensitive")
TCT_WORD(h_accuracy_lost, "accuracy lost")
TCT_WORD(h_asked_change, "asked more without it")
TCT_WORD(h_needed, "for the purpose")
TCT_WORD(h_collected, "collected")
TCT_WORD(h_accuracy, "accuracy")
TCT_WORD(h_difference, "all minus this")
TCT_WORD(h_asked_mean, "asked (mean)")
TCT_WORD(h_left_out, "left out")
TCT_WORD(p_data, "Data")
TCT_WORD(p_data_hash, "Data SHA-256")
TCT_WORD(p_model, "Model")
TCT_WORD(p_splits, "Random splits")
TCT_WORD(p_seed, "Seed")
TCT_WORD(p_command, "Command")
TCT_WORD(p_seconds, "Seconds")
TCT_WORD(p_made_by, "Tacit")
