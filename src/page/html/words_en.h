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
         "deciding for the most frequent class.")
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
TCT_WORD(p_made_by, "Tacit")

/* ---- the audit: title, form, summary ---- */
TCT_WORD(a_title, "{0} – Tacit audit")
TCT_WORD(a_audit, "Audit")
TCT_WORD(a_heading, "What people are asked for, and what it takes to decide")
TCT_WORD(a_heading_file, "What people are asked for, and what it takes to decide: {0}")
TCT_WORD(a_lead, "{0}, {1}. Counts and means only: nobody’s values are in this page.")
TCT_WORD(sensitive_n, "{0} sensitive attribute|{0} sensitive attributes")
TCT_WORD(f_section, "The processing")
TCT_WORD(f_form, "As stated by those who answer for it")
TCT_WORD(f_title, "Title")
TCT_WORD(f_purpose, "Purpose")
TCT_WORD(f_controller, "Controller")
TCT_WORD(f_legal_basis, "Legal basis")
TCT_WORD(f_special, "Special categories (Art. 9 GDPR)")
TCT_WORD(f_retention, "Retention")
TCT_WORD(f_contact, "Contact")
TCT_WORD(f_model_owner, "Model owner")
TCT_WORD(f_date, "Date")
TCT_WORD(f_privacy_notice, "Privacy notice")
TCT_WORD(f_human_review, "Human review (Art. 22 GDPR)")
TCT_WORD(f_source, "Source of the data")
TCT_WORD(f_licence, "Licence")
TCT_WORD(f_note, "Note")
TCT_WORD(special_of, "{0} ({1}, {2})")
TCT_WORD(special_public, "public: used without being asked for")
TCT_WORD(special_asked, "asked of {0} at {1}")
TCT_WORD(s_section, "Summary for an impact assessment")
TCT_WORD(s_about, "Made from the figures below, in the shape of Art. 35 GDPR. It does not replace the judgement of "
                  "those who answer for the processing.")
TCT_WORD(s_finding, "Finding")
TCT_WORD(s_risk, "Risk")
TCT_WORD(s_measure, "Measure")
TCT_WORD(s_left, "What is left")
TCT_WORD(s_asked, "People are asked for {0} of {1} sensitive attributes on average ({2}); {3} are asked for none.")
TCT_WORD(s_none_sensitive, "No attribute is sensitive: nobody is asked for anything.")
TCT_WORD(s_indispensable_none, "No attribute is indispensable for anybody: with everything else known, no decision "
                               "counted here depends on a single one.")
TCT_WORD(s_indispensable_only, "The one sensitive attribute is indispensable for somebody.")
TCT_WORD(s_indispensable_all, "Each of the {0} sensitive attributes is indispensable for somebody.")
TCT_WORD(s_indispensable_some, "{0} of {1} sensitive attributes are indispensable for nobody: {2}. With everything "
                               "else known, no decision counted here depends on them.")
TCT_WORD(s_indispensable_one, "One of {1} sensitive attributes is indispensable for nobody: {2}. With everything else "
                              "known, no decision counted here depends on it.")
TCT_WORD(s_spare, "{0} of the answers given at {1} were spare: the proof holds without them once the rest is known.")
TCT_WORD(s_spare_none, "No answer given at {0} was spare.")
TCT_WORD(r_special, "Special categories are asked for: {0}.")
TCT_WORD(r_identifying, "Columns may point at persons or repeat each other: see the remarks on columns.")
TCT_WORD(r_no_better, "On these people the model is no better than always deciding for the most frequent class: asking "
                      "for anything is hard to justify.")
TCT_WORD(r_not_shown, "The model is not shown to be better than always deciding for the most frequent class.")
TCT_WORD(r_broken, "The promise is broken at δ = {0}: decisions differ more often than allowed.")
TCT_WORD(r_promise_open, "The promise is not shown to be kept at δ = {0}.")
TCT_WORD(r_groups, "Groups fare differently beyond noise: {0}.")
TCT_WORD(r_trained, "Figures are about people the model was trained on and may be rosier than for others.")
TCT_WORD(r_clipped, "Values lay outside their domain and were moved to its end: {0} in all.")
TCT_WORD(r_none,
         "None of what this report looks for was found: special categories asked for, a model no better than guessing, "
         "a broken or undecided promise, differences between groups beyond noise, training data among the people, "
         "values outside their domain. What was not stated or not counted could not be looked for.")
TCT_WORD(m_stop, "Asking one attribute at a time and stopping when the decision is settled leaves out {0} of the "
                 "answers that a form for everybody would collect ({1} instead of {2} per person, {3}).")
TCT_WORD(m_stop_nothing, "Asking one attribute at a time spares these people nothing at {0}: all give everything.")
TCT_WORD(m_never, "Nobody is asked for {0} at {1}: leaving it off the form changes nothing for these people.")
TCT_WORD(m_never_many,
         "Nobody is asked for any of {0} at {1}: leaving them off the form changes nothing for these people.")
TCT_WORD(m_necessity, "For the purpose, {0} of {1} attributes suffice (see “Is it needed for the purpose?”).")
TCT_WORD(l_all, "Every sensitive attribute is given at {2} by {0} of {1}.")
TCT_WORD(l_nobody_all, "Nobody gives every sensitive attribute at {0}.")
TCT_WORD(l_fidelity, "{0} of people get the decision they would have got by giving everything ({1}).")
TCT_WORD(l_wrong,
         "With everything known the model is wrong for {0} of people whose outcome is known (95 % interval {1}).")
TCT_WORD(l_no_truth, "Whether decisions are right cannot be said: the file has no outcomes.")
TCT_WORD(
    l_person,
    "Nothing here is about a single person, and nothing says whether the decision should be made by a model at all.")
TCT_WORD(l_few,
         "These figures are about {0}, so few that they can tell about single ones. Nothing says whether the decision "
         "should be made by a model at all.")

/* ---- what is decided ---- */
TCT_WORD(d_section, "What is decided")
TCT_WORD(d_label, "The model decides on “{0}”: {1}.")
TCT_WORD(
    d_one_class,
    "Everybody counted here gets the same decision, “{0}”: these people do not show that anything asked for is of use.")
TCT_WORD(d_public_some, "Taken as known without asking (public): {0}. What is public lowers the count: it is used for "
                        "every decision and never counted as asked.")
TCT_WORD(d_public_none, "Nothing is taken as known: every attribute that the model uses is sensitive.")
TCT_WORD(d_sensitive, "People may be asked for (sensitive): {0}.")
TCT_WORD(d_sensitive_none, "People are asked for nothing: no attribute is sensitive.")
TCT_WORD(d_figure, "How often each decision is made")
TCT_WORD(d_figure_label, "For each class, the share of people decided that way with everything known, and the share of "
                         "people of whom it is true.")
TCT_WORD(d_decided, "decided, everything known")
TCT_WORD(d_true, "true, where the outcome is known")
TCT_WORD(d_axis, "share of people")
TCT_WORD(d_note, "With everything known, as the model decides.")
TCT_WORD(d_note_true, "The upright mark is how often the class is true among those whose outcome is known.")
TCT_WORD(h_class, "class")
TCT_WORD(h_decided, "decided (people)")
TCT_WORD(h_share_decided, "share")
TCT_WORD(h_true, "true (people)")
TCT_WORD(h_share_true, "share true")
TCT_WORD(d_accuracy,
         "With everything known the model is right for {0} of the {1} with a known outcome (95 % interval {2}).")
TCT_WORD(d_no_truth, "The file has no known outcomes: how often the model is right is not known.")
TCT_WORD(d_majority, "Always deciding “{0}”, the most frequent outcome, would be right for {1}.")
TCT_WORD(d_gain, "The model’s gain over that: {0} percentage points (paired 95 % interval {1} to {2}).")
TCT_WORD(d_no_better, "On these people the model is right no more often than always deciding “{0}” would be. How "
                      "little it asks for says nothing in its favour.")
TCT_WORD(d_not_shown, "These people do not show that the model is better than always deciding “{0}”: the interval of "
                      "its gain contains 0.")
TCT_WORD(d_unclipped, "In the rows of {0} values lay outside their domain: the classifier’s own label on the values as "
                      "they are is the decision here for {1} of them.")
TCT_WORD(d_unclipped_few, "In the rows of {0} values lay outside their domain: too few to tell how often the "
                          "classifier’s own label on the values as they are is the decision here.")
TCT_WORD(d_confusion, "Confusion matrix: outcome against decision")
TCT_WORD(d_confusion_note, "People by known outcome (rows) and by the decision with everything known (columns).")
TCT_WORD(d_truth, "outcome")
TCT_WORD(d_as, "decided: {0}")
TCT_WORD(d_many_classes, "{0} classes; those of the confusion matrix are in the JSON file.")

/* ---- the main result ---- */
TCT_WORD(i_section, "In short")
TCT_WORD(i_none_sensitive, "No attribute is sensitive: nobody is asked for any.")
TCT_WORD(i_main, "People are asked for {0} of {1} sensitive attributes on average; {2}.")
TCT_WORD(i_some_none, "{0} of people are asked for none")
TCT_WORD(i_all_none, "nobody is asked for any")
TCT_WORD(i_all_some, "everybody is asked for at least one")
TCT_WORD(i_proven, "Every decision is proven: no value of what was not asked for could change it ({0}). All decisions "
                   "are the same as if everything had been given.")
TCT_WORD(i_likely, "Asking stops when the decision is proven or when the model gives it a probability of at least {0} "
                   "({1}). {2} of people get the same decision as if they had given everything.")
TCT_WORD(i_other_proven, "If every decision is to be proven ({0}): {1} attributes on average; {2}; all get the same "
                         "decision as if they had given everything.")
TCT_WORD(i_other_likely, "If a probability of {0} by the model’s estimate is enough ({1}): {2} attributes on average; "
                         "{3}; {4} get the same decision as if they had given everything.")
TCT_WORD(i_opt, "No way of asking can prove decisions with fewer than {0} attributes on average (Opt, which looks at "
                "all values beforehand).")
TCT_WORD(i_opt_found, "The smallest sets found that prove a decision (Opt, which looks at all values beforehand) have "
                      "{0} attributes on average.")
TCT_WORD(g_title, "At a glance")
TCT_WORD(g_all, "everything asked")
TCT_WORD(g_opt, "Opt: least possible")
TCT_WORD(g_opt_found, "Opt: least found")
TCT_WORD(g_opt_sample, "Opt: of a sample")
TCT_WORD(h_way, "way of asking")
TCT_WORD(h_asked, "asked")
TCT_WORD(h_of, "of {0}")
TCT_WORD(h_none_asked, "asked for none")
TCT_WORD(h_cost, "cost")
TCT_WORD(h_same, "same decision")
TCT_WORD(h_right, "right")
TCT_WORD(h_proven, "proven")
TCT_WORD(h_likely, "likely")
TCT_WORD(h_gave_all, "gave all")
TCT_WORD(h_rule, "rule")
TCT_WORD(h_calibrated, "calibrated")
TCT_WORD(
    g_note,
    "<b>Asked:</b> mean number of sensitive attributes. <b>Same decision:</b> share of people who get the decision "
    "they would have got by giving everything (fidelity). <b>Right:</b> share of decisions that agree with the known "
    "outcome (accuracy). <b>Proven, likely, gave all:</b> people by how their decision was settled.")

/* ---- how much, and which attributes ---- */
TCT_WORD(c_section, "How much people are asked for")
TCT_WORD(c_title, "How many people are asked for how many attributes")
TCT_WORD(c_least, "least possible")
TCT_WORD(c_x, "attributes asked for")
TCT_WORD(c_label, "Histograms of the number of sensitive attributes people are asked for, one for each δ.")
TCT_WORD(c_label_opt, "Histograms of the number of sensitive attributes people are asked for, one for each δ, and one "
                      "of the smallest sets that prove the decision.")
TCT_WORD(c_note,
         "Each bar is the share of the {0} who are asked for that many sensitive attributes before their decision is "
         "settled. δ is the chance of another decision that one is willing to take; at δ = 0 every decision is proven.")
TCT_WORD(c_note_opt, "“Least possible” (Opt) is the size of the smallest set that proves each decision: it looks at "
                     "all values beforehand, so it is a lower bound for δ = 0 and not a way to ask.")
TCT_WORD(h_delta, "δ")
TCT_WORD(h_attributes, "attributes")
TCT_WORD(h_people, "people")
TCT_WORD(h_share, "share")
TCT_WORD(t_section, "Which attributes: asked, indispensable, spare")
TCT_WORD(t_section_asked, "Which attributes are asked for")
TCT_WORD(t_words_asked, "<b>Asked:</b> the questionnaire came to this question. What is asked first is asked most, so "
                        "this alone does not say that anything depends on it.")
TCT_WORD(t_words_indispensable, "<b>Indispensable:</b> with everything else known, the person’s decision still depends "
                                "on it: some value of it would lead to another decision.")
TCT_WORD(t_words_spare, "<b>Spare:</b> the person gave it, and the proof of the decision holds without it once the "
                        "person’s other answers are known.")
TCT_WORD(
    t_words_undecided,
    "For {0} the proof was not decided within the work budget: where it was not, the attribute is counted as neither.")
TCT_WORD(t_title, "Asked, indispensable and spare, by attribute")
TCT_WORD(t_title_asked, "Asked, by attribute")
TCT_WORD(t_label, "For each sensitive attribute, the shares of people who were asked for it, for whom it is "
                  "indispensable, and whose answer was spare.")
TCT_WORD(t_label_asked, "For each sensitive attribute, the share of people who were asked for it.")
TCT_WORD(t_key_asked, "asked at {0}")
TCT_WORD(t_key_indispensable, "indispensable")
TCT_WORD(t_key_spare, "spare at {0}")
TCT_WORD(t_axis, "share of people")
TCT_WORD(t_note_drawn, "The {0} most often asked of {1} are drawn.")
TCT_WORD(t_note_table, "The numbers have {0} of {1}; all are in the JSON file of the audit.")
TCT_WORD(t_note, "Bars are about {0}, symbols about the other δ. A symbol at the left end of a row: nobody, or hardly "
                 "anybody, was asked for the attribute at that δ.")
TCT_WORD(t_note_one, "Bars are about {0}.")
TCT_WORD(h_asked_people, "people asked")
TCT_WORD(h_asked_share, "asked")
TCT_WORD(h_indispensable_people, "indispensable (people)")
TCT_WORD(h_indispensable, "indispensable")
TCT_WORD(h_undecided_people, "undecided (people)")
TCT_WORD(h_spare_people, "spare (people)")
TCT_WORD(o_title, "What happens if an attribute is never asked for")
TCT_WORD(o_proven, "stay proven")
TCT_WORD(o_open, "become open")
TCT_WORD(o_others, "asked for others instead")
TCT_WORD(o_special, "Art. 9")
TCT_WORD(
    o_note,
    "Least affected first, at {0}. <b>Stay proven:</b> people whose decision can be proven with everything but this "
    "attribute. <b>Become open:</b> people whose decision everything else does not prove. <b>Asked for "
    "others instead:</b> people who were asked for it and would be asked for at least one attribute that they are not "
    "asked for now. Figures are for one attribute left out at a time: they do not add up for several.")
TCT_WORD(o_free, "Without any effect on these people’s decisions being proven, one at a time: {0}.")
TCT_WORD(o_never, "Nobody is asked for {0} at {1}: it could be left off the form without any change for these people.")
TCT_WORD(o_never_many, "Nobody is asked for any of {0} at {1}: they could be left off the form together without any "
                       "change for these people.")
TCT_WORD(o_more, "{0} and {1} more")

/* ---- the price of certainty, the promise ---- */
TCT_WORD(p_section, "The price of certainty")
TCT_WORD(p_asked, "What people are asked for, by δ")
TCT_WORD(p_asked_label, "Line chart of the mean number of sensitive attributes people are asked for against δ.")
TCT_WORD(p_asked_y, "attributes (mean)")
TCT_WORD(p_x, "δ: chance of another decision that is allowed")
TCT_WORD(p_line_asked, "asked for")
TCT_WORD(p_line_opt, "Opt: least for a proof")
TCT_WORD(p_line_all, "all {0} asked")
TCT_WORD(p_asked_note, "How many of the {0} sensitive attributes people are asked for on average. Bars: 95 % intervals "
                       "(normal approximation).")
TCT_WORD(p_decisions, "What becomes of the decisions, by δ")
TCT_WORD(p_decisions_label, "Line chart of the share of people who get the same decision as with everything given, and "
                            "of right decisions, against δ.")
TCT_WORD(p_decisions_label_same,
         "Line chart of the share of people who get the same decision as with everything given, against δ.")
TCT_WORD(p_decisions_y, "share of people")
TCT_WORD(p_line_same, "same decision (fidelity)")
TCT_WORD(p_line_right, "right decision (accuracy)")
TCT_WORD(p_line_right_all, "right, all asked")
TCT_WORD(p_decisions_note, "Bars: 95 % intervals (Clopper–Pearson).")
TCT_WORD(p_axis_cut, "The axis does not start at 0.")
TCT_WORD(p_no_truth, "The file has no outcomes, so how many decisions are right is not known.")
TCT_WORD(k_section, "Is the promise kept?")
TCT_WORD(k_about, "At δ > 0 asking may stop before a proof, on the promise that the decision differs from the one with "
                  "everything given for at most a share δ of those so stopped. At δ = 0 it stops only with a proof.")
TCT_WORD(k_title, "Promised and observed failure")
TCT_WORD(k_label, "For each δ, the observed share of decisions that differ from the decision with everything given, "
                  "with its 95 % interval, and what was promised.")
TCT_WORD(k_key_promised, "promised: at most δ")
TCT_WORD(k_key_observed, "observed, with 95 % interval")
TCT_WORD(k_axis, "share of decisions that differ")
TCT_WORD(
    k_note,
    "Among people for whom asking stopped early on the strength of the promise. <b>Kept:</b> the whole interval lies "
    "at or below δ. <b>Broken:</b> the whole interval lies above δ. <b>Not shown:</b> δ lies inside the interval, or "
    "nobody was stopped early. At δ = 0 decisions are proven, and the promise is kept if none differs.")
TCT_WORD(k_kept, "kept")
TCT_WORD(k_not_shown, "not shown")
TCT_WORD(k_broken, "broken")
TCT_WORD(k_nobody, "nobody was stopped early")
TCT_WORD(k_say_kept, "At {0} the promise is kept: another decision for {1} of {2} ({3}, 95 % interval {4}).")
TCT_WORD(k_say_proven, "At {0} the promise is kept: no other decision ({1} stopped with a proof).")
TCT_WORD(k_say_not_shown, "At {0} the promise is not shown to be kept: another decision for {1} of {2} ({3}), and the "
                          "95 % interval {4} contains δ.")
TCT_WORD(k_say_broken, "At {0} the promise is broken: another decision for {1} of {2} ({3}, 95 % interval {4}). Use a "
                       "smaller δ, or calibrate the model.")
TCT_WORD(k_say_all_gave, "At {0} nobody was stopped early: everybody gave everything, so no decision can differ.")
TCT_WORD(k_say_nobody, "At {0} nobody was stopped early, so there is nothing to judge the promise by.")
TCT_WORD(k_more, "At the observed rate, {0} more person stopped early would show it one way or the other.|At the "
                 "observed rate, {0} more people stopped early would show it one way or the other.")
TCT_WORD(k_label_fails,
         "At {0} this does not hold for everybody: of {2} stopped early whose decision with everything known is "
         "“{1}”, {3} got another one.")
TCT_WORD(k_no_limit,
         "δ = 0 was not counted. It shows the upper limit of what a promise need ask for: decisions that are "
         "proven keep every promise.")
TCT_WORD(k_above_limit, "At {0} people are asked for more on average than at δ = 0, which keeps every promise: {1} "
                        "against {2}.")
TCT_WORD(k_own_test,
         "The model was calibrated with people who are counted here: at δ > 0 this is no test of it, other people are.")
TCT_WORD(h_promised, "promised")
TCT_WORD(h_stopped, "stopped early")
TCT_WORD(h_failed, "differ")
TCT_WORD(h_observed, "observed")
TCT_WORD(h_state, "state")
TCT_WORD(h_more, "more people needed")

/* ---- groups ---- */
TCT_WORD(b_section, "Who carries the burden, and who gets which decision")
TCT_WORD(b_by, "By {0}")
TCT_WORD(b_times, "{0} × {1}")
TCT_WORD(b_empty, "(empty)")
TCT_WORD(b_below, "below {0}")
TCT_WORD(b_between, "{0} to below {1}")
TCT_WORD(b_above, "{0} and above")
TCT_WORD(b_missing, "(missing)")
TCT_WORD(b_points, "{0} percentage points")
TCT_WORD(b_points_to, "{0} to {1} percentage points")
TCT_WORD(b_pooled, "all other groups together")
TCT_WORD(b_differs,
         "By {0}, {1} at {2}: {3} ({4}) against {5} ({6}). The difference of {7} exceeds noise (95 % interval {8}).")
TCT_WORD(b_more_differences, "{0} more difference exceeds noise; all are in the JSON file of the audit.|{0} more "
                             "differences exceed noise; all are in the JSON file of the audit.")
TCT_WORD(b_no_difference, "No difference between the groups shown exceeds noise.")
TCT_WORD(b_short, "{0}: {1}")
TCT_WORD(b_fig_mean_asked, "attributes asked for (mean)")
TCT_WORD(b_fig_fidelity, "same decision")
TCT_WORD(b_fig_accuracy, "right decisions")
TCT_WORD(b_fig_failure, "observed failure")
TCT_WORD(b_fig_none_asked, "asked for none")
TCT_WORD(b_fig_selection_rate, "share decided “{0}”")
TCT_WORD(b_fig_selection, "selection rate")
TCT_WORD(b_fig_false_positive_rate, "false positive rate")
TCT_WORD(b_fig_false_negative_rate, "false negative rate")
TCT_WORD(b_fig_recall, "found, among those of whom “{0}” is true")
TCT_WORD(b_asked_title, "Attributes asked for by {0}, {1}")
TCT_WORD(b_asked_label,
         "Mean number of sensitive attributes asked for in each group of {0}, with 95 % intervals, at {1}.")
TCT_WORD(b_asked_note, "How many sensitive attributes people of each group are asked for on average. The dashed line "
                       "is everybody. Bars: 95 % intervals.")
TCT_WORD(b_asked_axis, "attributes asked for (mean)")
TCT_WORD(b_rate_title, "Share decided “{0}”, by {1}")
TCT_WORD(b_rate_label, "Share of people in each group of {1} whose decision is “{0}”, with 95 % intervals.")
TCT_WORD(b_rate_note, "Share of each group that gets this decision at {0}. Bars: 95 % intervals.")
TCT_WORD(b_key_group, "group, with 95 % interval")
TCT_WORD(b_key_all, "everybody")
TCT_WORD(
    b_hidden,
    "{0} group is not shown: a group of fewer than {1} people is not described, because figures of a handful of people "
    "describe the people; and where it could be worked out from the rest, another group is left out as well.|{0} "
    "groups are not shown: a group of fewer than {1} people is not described, because figures of a handful of people "
    "describe the people; and where it could be worked out from the rest, another group is left out as well.")
TCT_WORD(b_pooled_note, "{0} of them is in the row of all other groups together.|{0} of them are in the row of all "
                        "other groups together.")
TCT_WORD(b_left_out, "{0} more group is left out to keep this page small; all are in the JSON file of the audit.|{0} "
                     "more groups are left out to keep this page small; all are in the JSON file of the audit.")
TCT_WORD(b_nothing, "No group is large enough to be described.")
TCT_WORD(h_group, "group")
TCT_WORD(h_low_high, "95 % interval")

/* ---- quality ---- */
TCT_WORD(q_section, "Data quality")
TCT_WORD(q_all_well, "No value was missing, lay outside its domain or was a category unknown to the model.")
TCT_WORD(q_clipped, "{0} value lay outside its domain and was moved to the nearest end.|{0} values lay outside their "
                    "domain and were moved to the nearest end.")
TCT_WORD(q_missing, "{0} value was missing: it counted as a category of its own where the model has one, elsewhere as "
                    "a typical value.|{0} values were missing: they counted as a category of their own where the model "
                    "has one, elsewhere as typical values.")
TCT_WORD(q_unknown, "{0} category was unknown to the model and taken as missing.|{0} categories were unknown to the "
                    "model and taken as missing.")
TCT_WORD(q_skipped,
         "{0} bad row of the file was left out before anything was counted: nothing here is about it.|{0} bad "
         "rows of the file were left out before anything was counted: nothing here is about them.")
TCT_WORD(q_unlabelled, "{0} person has no known outcome and does not count in the accuracy.|{0} people have no known "
                       "outcome and do not count in the accuracy.")
TCT_WORD(q_title, "Cells by column")
TCT_WORD(q_note, "Shares of the rows. <b>Drift</b> is the population stability index against {0}. Beyond "
                 "what chance alone gives with this many people (psi_by_chance in the JSON file), below 0.1 is "
                 "commonly read as little, above 0.25 as a different population. A dash means that it cannot be told: "
                 "no reference in the model file, or too few people.")
TCT_WORD(q_note_counts, "Number of cells.")
TCT_WORD(q_drift, "Strong drift, more than 0.25 beyond chance, people unlike those of {1}: {0}.")
TCT_WORD(q_training, "the training data")
TCT_WORD(q_import, "the data that the model was imported with")
TCT_WORD(h_missing, "missing")
TCT_WORD(h_training_missing, "missing in training")
TCT_WORD(h_import_missing, "missing at import")
TCT_WORD(h_clipped, "outside domain")
TCT_WORD(h_unknown, "unknown category")
TCT_WORD(h_drift, "drift (PSI)")
TCT_WORD(q_people_clipped, "{0} had at least one value outside its domain.")
TCT_WORD(q_people_missing, "{0} had at least one value missing.")
TCT_WORD(q_people_right, "The model is right for {0} of those whose outcome is known, against {1} of all.")
TCT_WORD(q_released, "Decisions about people with such values")
TCT_WORD(h_released_all, "same decision")
TCT_WORD(h_released_all_own, "model’s own")
TCT_WORD(h_released_clipped, "same, outside domain")
TCT_WORD(h_released_own, "own, outside domain")
TCT_WORD(h_released_missing, "same, missing")
TCT_WORD(q_released_note, "<b>Same:</b> share of people who are given the decision that they get with everything "
                          "known; of all, and of those with a value outside its domain, or a missing one.")
TCT_WORD(q_released_trained, "Moving values to the end of their domain is part of this model: it was trained so.")
TCT_WORD(q_released_note_own,
         "<b>Same:</b> share of people who are given the decision that they get with everything known. <b>Own:</b> "
         "share of those who are given what the classifier itself says about the values as they are: it was imported, "
         "and knows nothing of domains. Of all people, and of those with a value outside its domain, or a missing one.")
TCT_WORD(e_section, "Remarks on columns")
TCT_WORD(e_identifier,
         "{0} looks like an identifier: if it is one, it points at persons and should not be used to decide.")
TCT_WORD(e_near_unique, "{0} has a different value in nearly every row: it can point at persons.")
TCT_WORD(e_date, "{0} holds dates, which can point at persons.")
TCT_WORD(e_date_out, "{0} holds dates and was left out.")
TCT_WORD(e_determined, "{1} follows from {0}: asking for both asks twice for the same.")
TCT_WORD(e_near_duplicate, "{0} and {1} say nearly the same: asking for both asks twice for nearly the same.")
TCT_WORD(e_constant, "{0} has the same value in every row of the training data: it cannot help to decide.")
TCT_WORD(e_missing_markers, "Words that usually mean “missing”, like NA, were read as missing in {0}.")
TCT_WORD(e_decimal, "Numbers were read with a decimal comma, as in 1,5.")
TCT_WORD(e_renamed, "A column is called {0} here: its name in the header is empty or occurs before.")
TCT_WORD(e_untrained_levels, "{0} has levels that do not occur in the training data.")
TCT_WORD(e_mostly_missing, "{0} is missing in more than half of the rows.")
TCT_WORD(e_stray_text, "{0} has numbers in at least half of the rows and text in others: it is taken as a category.")
TCT_WORD(e_written_numbers, "{0} is taken as a category because of the signs or separators in its numbers, as in 5 %.")
TCT_WORD(e_leading_zeros, "{0} has numbers that begin with a zero, as codes do, and is taken as a number.")
TCT_WORD(e_more, "There are more remarks than are listed here.")
TCT_WORD(e_other, "{0}: {1}")

/* ---- method ---- */
TCT_WORD(v_section, "Method and assumptions")
TCT_WORD(v_how, "How it was counted")
TCT_WORD(v_walk, "Attributes are public (taken as known) or sensitive. For every person in the file the questionnaire "
                 "was played through: sensitive attributes are asked for one at a time, and asking stops as soon as "
                 "the decision is settled. What was asked is counted.")
TCT_WORD(v_zero,
         "At δ = 0 “settled” means <b>proven</b>: whatever the values of the attributes that were not asked for, "
         "within the domains written in the model file, the model decides the same. Nothing is assumed about people.")
TCT_WORD(v_positive, "At δ > 0 “settled” means proven, or <b>likely</b>: given what is known, the decision has by the "
                     "model’s estimate a probability of at least 1 − δ. This takes the attributes as normally "
                     "distributed with the mean and covariance of the training data, which is convenient and not "
                     "exactly true; therefore “Is the promise kept?” compares what was promised with what happened.")
TCT_WORD(v_calibrated, "The model is <b>calibrated</b>: at δ > 0 asking stops only at probabilities that were seen to "
                       "keep the promise on {0} the model was not trained on, with bounds that hold together with a "
                       "confidence of {1}; where none was, only a proof ends the questions. This is about people like "
                       "those, all together: not about a single group of them, nor about people who refuse an answer.")
TCT_WORD(v_rule, "What is asked next follows the rule “{0}”. The choice looks at answers already given, never at "
                 "values that were not given.")
TCT_WORD(v_indispensable, "Indispensable is proven for each person: in closed form for linear models, by one "
                          "certification per attribute for the others. It does not depend on δ.")
TCT_WORD(v_opt, "Opt is the smallest set of sensitive attributes that proves a person’s decision, found with all "
                "values known. No questionnaire can do that; it shows how much room for improvement is left.")
TCT_WORD(v_inexact,
         "For {0} it is not certain that no smaller set exists: least possible is at least {1}, at most {2}.")
TCT_WORD(v_opt_sample, "It was looked for in a random sample: {0} of {1}. The mean of {2} has a standard error of {3}.")
TCT_WORD(v_intervals, "Intervals have a level of 95 %: Clopper–Pearson for shares, 1.96 standard errors for mean "
                      "numbers. They treat the people in the file as a random sample of those to come.")
TCT_WORD(v_not, "What is not said here")
TCT_WORD(v_not_right, "Whether the model is right or fair. The yardstick is the model’s own decision with everything "
                      "given (“same decision”); only “right” compares with known outcomes.")
TCT_WORD(v_not_others, "How people of another kind would fare. The figures are about the people of this file, this "
                       "model and these settings.")
TCT_WORD(v_not_influence, "That an attribute has no influence. “Not asked” means that for these people the decision "
                          "was settled before it came to be asked for; “indispensable for nobody” that no single "
                          "decision hangs on it alone once everything else is known.")
TCT_WORD(v_not_person,
         "Anything about a single person. This page holds counts and means only: no row of the file is in it.")
TCT_WORD(v_not_rows,
         "What is in a row of the file: this page holds counts and means only. They are about so few people that "
         "they can tell about single ones all the same.")
TCT_WORD(v_not_person_groups, "Anything about a single person. This page holds counts and means only: no row of the "
                              "file is in it, and of its values only the names of classes and groups.")

/* ---- provenance ---- */
TCT_WORD(w_section, "Data, provenance and how to repeat it")
TCT_WORD(w_trained_held_out,
         "These are the rows held out when the model was trained: none of them was used to train it.")
TCT_WORD(w_trained_part, "These are the rows the model was trained on: figures may be rosier than for other people.")
TCT_WORD(w_trained_some, "{0} of the {1} rows are rows the model was trained on, by the SHA-256 of the file: figures "
                         "may be rosier than for other people.")
TCT_WORD(w_trained_yes, "Rows the model was trained on are among these people, by the SHA-256 of the file: figures may "
                        "be rosier than for other people.")
TCT_WORD(w_trained_no,
         "This is not the training file, by its SHA-256. Whether the same people are in both is not known.")
TCT_WORD(w_trained_unknown,
         "It is not known what the model was trained on: these people may be among those it was trained on.")
TCT_WORD(w_people, "People")
TCT_WORD(w_part_held_out, "{0}, held out when the model was trained")
TCT_WORD(w_part_train, "{0}, the training part")
TCT_WORD(w_calibrated_with, "{0}; the model was calibrated with some or all of them")
TCT_WORD(w_files, "Files")
TCT_WORD(w_data_hash, "Data SHA-256")
TCT_WORD(w_trained, "Trained on them?")
TCT_WORD(kind_logistic, "logistic regression")
TCT_WORD(kind_mlp, "neural network")
TCT_WORD(kind_trees, "ensemble of trees")
TCT_WORD(w_model_hash, "Model SHA-256")
TCT_WORD(w_calibration_hash, "Calibration SHA-256")
TCT_WORD(w_sensitive, "Sensitive")
TCT_WORD(w_cost, "{0} (cost {1})")
TCT_WORD(w_deltas, "δ")
TCT_WORD(w_date, "Date of the audit")
TCT_WORD(w_repeat, "The command leaves out folders and what cannot change the figures (names of output files, number "
                   "of threads). The same command, model and data give this page again, byte for byte.")
TCT_WORD(verbatim, "{0}")
