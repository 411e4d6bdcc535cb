/*
 * words_de.h -- the pages in German.  {0} ... are arguments; "|" parts what is said of one from what is said of many;
 * markup is allowed.  Included by words.h and words.c, which say what becomes of a TCT_WORD.
 */

/* ---- everywhere ---- */
TCT_WORD(and, " und ")
TCT_WORD(to, "{0} bis {1}")
TCT_WORD(less_than, "weniger als {0}")
TCT_WORD(more_than, "mehr als {0}")
TCT_WORD(people, "{0} Person|{0} Personen")
TCT_WORD(not_stated, "nicht angegeben")
TCT_WORD(caution, "Achtung:")
TCT_WORD(numbers, "Zahlen")
TCT_WORD(table_of, "Tabelle: {0}")
TCT_WORD(written_by, "Geschrieben von Tacit {0}. Diese Seite ist eine einzige Datei: Sie lädt nichts nach und sendet "
                     "nichts. Alle Zahlen, Bilder und Texte sind ohne JavaScript vollständig.")
TCT_WORD(js_copy, "Als CSV kopieren")
TCT_WORD(js_copied, "Kopiert")
TCT_WORD(js_refused, "Der Browser hat das Kopieren nicht erlaubt")
TCT_WORD(js_download, "Daten dieser Seite herunterladen (JSON)")
TCT_WORD(low, "von")
TCT_WORD(high, "bis")
TCT_WORD(yes, "ja")
TCT_WORD(unknown, "nicht bekannt")
TCT_WORD(none, "keine")

/* ---- necessity ---- */
TCT_WORD(nec_title, "Was der Zweck braucht")
TCT_WORD(nec_lead, "{0}, in den Daten {1}, {2} zur Vorhersage von „{3}“. Nur Anzahlen und Mittelwerte: Niemandes Werte "
                   "stehen auf dieser Seite.")
TCT_WORD(rows_n, "{0} Zeile|{0} Zeilen")
TCT_WORD(attributes_n, "{0} Merkmal|{0} Merkmale")
TCT_WORD(nec_section, "Wird es für den Zweck gebraucht?")
TCT_WORD(
    nec_how,
    "Der übrige Bericht handelt von einem Modell. Dieser Abschnitt handelt vom Zweck: Modelle wurden neu trainiert, "
    "erst ohne je ein Merkmal, dann ohne immer mehr, und an Personen beurteilt, mit denen sie nicht trainiert wurden.")
TCT_WORD(nec_how_own, "Modelle wurden neu trainiert, erst ohne je ein Merkmal, dann ohne immer mehr, und an Personen "
                      "beurteilt, mit denen sie nicht trainiert wurden.")
TCT_WORD(nec_best, "{0} von {1} Merkmalen genügen für eine Treffergenauigkeit von {2}; mit allen {1} ist sie {3}.")
TCT_WORD(nec_best_asked,
         "Gefragt wird dann im Mittel nach {0} statt nach {1} Merkmalen, wobei jede Entscheidung bewiesen ist.")
TCT_WORD(nec_best_diff, "Alle Merkmale minus diese Auswahl, auf denselben Teilungen: {0} Prozentpunkte (95-%-Intervall "
                        "{1} bis {2}); {3} dürfen verloren gehen.")
TCT_WORD(nec_names, "Die Namen sind die Wahl aus allen Zeilen zusammen. Eine Teilung wählt allein aus ihren "
                    "Trainingszeilen und hat im Mittel {0} davon.")
TCT_WORD(
    nec_best_all,
    "Keine kleinere Auswahl wird empfohlen: Der Lauf behält alle {0} Merkmale, bei einer Treffergenauigkeit von {1}.")
TCT_WORD(nec_dropped, "Weggelassen: {0}.")
TCT_WORD(nec_kept, "Behalten: {0}.")
TCT_WORD(nec_majority, "Immer die häufigste Klasse zu wählen wäre in {0} der Fälle richtig.")
TCT_WORD(nec_frontier, "Treffergenauigkeit nach Zahl der erhobenen Merkmale")
TCT_WORD(nec_frontier_label, "Liniendiagramm der Treffergenauigkeit bei nicht zum Training benutzten Personen gegen "
                             "die Zahl der erhobenen Merkmale, mit Intervallen, von {0} bis {1} Merkmalen.")
TCT_WORD(nec_frontier_note,
         "Jeder Punkt ist, was so viele Merkmale leisten: Jede Teilung wählt sie allein aus ihren Trainingszeilen, "
         "wobei je eines mehr weggelassen wird. Striche: 95-%-Intervalle über die wiederholten Teilungen. Die "
         "gepunktete Linie ist: immer die häufigste Klasse.")
TCT_WORD(nec_asked, "Erfragte Merkmale nach Zahl der erhobenen")
TCT_WORD(nec_asked_label,
         "Liniendiagramm der mittleren Zahl erfragter sensibler Merkmale gegen die Zahl der erhobenen Merkmale.")
TCT_WORD(nec_asked_note, "Nach wie vielen sensiblen Merkmalen im Mittel gefragt wird, bis die Entscheidung bewiesen "
                         "ist, mit denselben Modellen.")
TCT_WORD(nec_y_accuracy, "Treffergenauigkeit")
TCT_WORD(nec_y_asked, "erfragt (Mittel)")
TCT_WORD(nec_x, "erhobene Merkmale")
TCT_WORD(nec_majority_line, "häufigste Klasse")
TCT_WORD(nec_models, "neu trainierte Modelle")
TCT_WORD(nec_each, "Was jedes Merkmal beiträgt")
TCT_WORD(nec_each_label, "Für jedes Merkmal: wie viel Treffergenauigkeit verloren geht, wenn Modelle ohne es trainiert "
                         "werden, mit 95-%-Intervallen.")
TCT_WORD(nec_each_note,
         "Treffergenauigkeit mit allen Merkmalen minus die ohne dieses, paarweise je Teilung, in Prozentpunkten. Links "
         "der gestrichelten Linie bei 0 waren die Modelle ohne das Merkmal besser. Striche: 95-%-Intervalle. "
         "Gebraucht: Ohne es gehen mehr als {0} Prozentpunkte verloren; nicht gebraucht: höchstens so viele; Bedarf "
         "nicht belegt: Das Intervall lässt beides zu. Merkmale, die dasselbe sagen, können einzeln unnötig aussehen; "
         "das Liniendiagramm darüber lässt sie gemeinsam weg.")
TCT_WORD(nec_each_axis, "ohne es verlorene Treffergenauigkeit (Prozentpunkte)")
TCT_WORD(nec_yes, "gebraucht")
TCT_WORD(nec_not_shown, "Bedarf nicht belegt")
TCT_WORD(nec_no, "nicht gebraucht")
TCT_WORD(nec_source, "Wie es berechnet wurde")
TCT_WORD(h_attribute, "Merkmal")
TCT_WORD(h_role, "Rolle")
TCT_WORD(role_public, "öffentlich")
TCT_WORD(role_sensitive, "sensibel")
TCT_WORD(h_accuracy_lost, "Verlust")
TCT_WORD(h_asked_change, "ohne es mehr erfragt")
TCT_WORD(h_needed, "für den Zweck")
TCT_WORD(h_collected, "erhoben")
TCT_WORD(h_accuracy, "Treffergenauigkeit")
TCT_WORD(h_difference, "alle minus diese")
TCT_WORD(h_asked_mean, "erfragt (Mittel)")
TCT_WORD(h_left_out, "weggelassen")
TCT_WORD(p_data, "Daten")
TCT_WORD(p_data_hash, "SHA-256 der Daten")
TCT_WORD(p_model, "Modell")
TCT_WORD(p_splits, "Zufällige Teilungen")
TCT_WORD(p_seed, "Startwert")
TCT_WORD(p_command, "Befehl")
TCT_WORD(p_made_by, "Tacit")

/* ---- the audit: title, form, summary ---- */
TCT_WORD(a_title, "{0} – Audit mit Tacit")
TCT_WORD(a_audit, "Audit")
TCT_WORD(a_heading, "Wonach gefragt wird und was zum Entscheiden nötig ist")
TCT_WORD(a_heading_file, "Wonach gefragt wird und was zum Entscheiden nötig ist: {0}")
TCT_WORD(a_lead, "{0}, {1}. Nur Anzahlen und Mittelwerte: Niemandes Werte stehen auf dieser Seite.")
TCT_WORD(sensitive_n, "{0} sensibles Merkmal|{0} sensible Merkmale")
TCT_WORD(f_section, "Die Verarbeitung")
TCT_WORD(f_form, "Nach Angaben der Verantwortlichen")
TCT_WORD(f_title, "Titel")
TCT_WORD(f_purpose, "Zweck")
TCT_WORD(f_controller, "Verantwortlicher")
TCT_WORD(f_legal_basis, "Rechtsgrundlage")
TCT_WORD(f_special, "Besondere Kategorien (Art. 9 DSGVO)")
TCT_WORD(f_retention, "Speicherdauer")
TCT_WORD(f_contact, "Kontakt")
TCT_WORD(f_model_owner, "Zuständig für das Modell")
TCT_WORD(f_date, "Datum")
TCT_WORD(f_privacy_notice, "Datenschutzhinweis")
TCT_WORD(f_human_review, "Prüfung durch einen Menschen (Art. 22 DSGVO)")
TCT_WORD(f_source, "Herkunft der Daten")
TCT_WORD(f_licence, "Lizenz")
TCT_WORD(f_note, "Anmerkung")
TCT_WORD(special_of, "{0} ({1}, {2})")
TCT_WORD(special_public, "öffentlich: benutzt, ohne erfragt zu werden")
TCT_WORD(special_asked, "bei {1} von {0} erfragt")
TCT_WORD(s_section, "Zusammenfassung für eine Folgenabschätzung")
TCT_WORD(s_about, "Aus den Zahlen unten gebildet, in der Gliederung von Art. 35 DSGVO. Sie ersetzt nicht das Urteil "
                  "der Verantwortlichen.")
TCT_WORD(s_finding, "Befund")
TCT_WORD(s_risk, "Risiko")
TCT_WORD(s_measure, "Maßnahme")
TCT_WORD(s_left, "Was bleibt")
TCT_WORD(s_asked, "Erfragt werden im Mittel {0} von {1} sensiblen Merkmalen ({2}); nach nichts gefragt werden {3}.")
TCT_WORD(s_none_sensitive, "Kein Merkmal ist sensibel: Niemand wird nach etwas gefragt.")
TCT_WORD(s_indispensable_none, "Kein Merkmal ist für jemanden unentbehrlich: Ist alles andere bekannt, hängt keine "
                               "hier gezählte Entscheidung von einem einzelnen ab.")
TCT_WORD(s_indispensable_only, "Das eine sensible Merkmal ist für jemanden unentbehrlich.")
TCT_WORD(s_indispensable_all, "Jedes der {0} sensiblen Merkmale ist für jemanden unentbehrlich.")
TCT_WORD(s_indispensable_some, "{0} von {1} sensiblen Merkmalen sind für niemanden unentbehrlich: {2}. Ist alles "
                               "andere bekannt, hängt keine hier gezählte Entscheidung davon ab.")
TCT_WORD(s_indispensable_one, "Eines von {1} sensiblen Merkmalen ist für niemanden unentbehrlich: {2}. Ist alles "
                              "andere bekannt, hängt keine hier gezählte Entscheidung davon ab.")
TCT_WORD(
    s_spare,
    "{0} der bei {1} gegebenen Antworten waren überzählig: Der Beweis gilt ohne sie, sobald die übrigen bekannt sind.")
TCT_WORD(s_spare_none, "Keine bei {0} gegebene Antwort war überzählig.")
TCT_WORD(r_special, "Nach besonderen Kategorien wird gefragt: {0}.")
TCT_WORD(r_identifying,
         "Spalten weisen womöglich auf Personen hin oder wiederholen einander: siehe die Bemerkungen zu Spalten.")
TCT_WORD(
    r_no_better,
    "Bei diesen Personen ist das Modell nicht besser, als immer die häufigste Klasse zu wählen: Nach irgendetwas zu "
    "fragen ist schwer zu rechtfertigen.")
TCT_WORD(r_not_shown, "Es ist nicht belegt, dass das Modell besser ist, als immer die häufigste Klasse zu wählen.")
TCT_WORD(r_broken, "Das Versprechen ist bei δ = {0} gebrochen: Entscheidungen weichen häufiger ab als erlaubt.")
TCT_WORD(r_promise_open, "Bei δ = {0} ist nicht belegt, dass das Versprechen gehalten wird.")
TCT_WORD(r_groups, "Gruppen ergeht es über den Zufall hinaus verschieden: {0}.")
TCT_WORD(
    r_trained,
    "Die Zahlen betreffen Personen, mit denen das Modell trainiert wurde, und können günstiger sein als für andere.")
TCT_WORD(r_clipped, "Werte lagen außerhalb ihres Bereichs und wurden an dessen Ende verschoben: insgesamt {0}.")
TCT_WORD(r_none, "Nichts von dem, worauf dieser Bericht achtet, wurde gefunden: erfragte besondere Kategorien, ein "
                 "Modell nicht besser als Raten, ein gebrochenes oder offenes Versprechen, Unterschiede zwischen "
                 "Gruppen über den Zufall hinaus, Trainingsdaten unter den Personen, Werte außerhalb ihres Bereichs. "
                 "Worauf nichts angegeben oder gezählt ist, darauf konnte nicht geachtet werden.")
TCT_WORD(m_stop, "Ein Merkmal nach dem anderen zu erfragen und aufzuhören, sobald die Entscheidung feststeht, erspart "
                 "{0} der Antworten, die ein Formular für alle erheben würde ({1} statt {2} je Person, {3}).")
TCT_WORD(m_stop_nothing,
         "Ein Merkmal nach dem anderen zu erfragen erspart diesen Personen bei {0} nichts: Alle geben alles an.")
TCT_WORD(m_never, "Nach {0} wird bei {1} niemand gefragt: Es wegzulassen ändert für diese Personen nichts.")
TCT_WORD(m_never_many, "Nach {0} wird bei {1} niemand gefragt: Sie wegzulassen ändert für diese Personen nichts.")
TCT_WORD(m_necessity, "Für den Zweck genügen {0} von {1} Merkmalen (siehe „Wird es für den Zweck gebraucht?“).")
TCT_WORD(l_all, "Jedes sensible Merkmal geben bei {2} an: {0} von {1}.")
TCT_WORD(l_nobody_all, "Niemand gibt bei {0} jedes sensible Merkmal an.")
TCT_WORD(l_fidelity, "{0} der Personen bekommen die Entscheidung, die sie mit allen Angaben bekommen hätten ({1}).")
TCT_WORD(l_wrong,
         "Mit allem bekannt liegt das Modell bei {0} der Personen mit bekanntem Ergebnis falsch (95-%-Intervall {1}).")
TCT_WORD(l_no_truth, "Ob Entscheidungen richtig sind, lässt sich nicht sagen: Die Datei enthält keine Ergebnisse.")
TCT_WORD(l_person, "Nichts hier betrifft eine einzelne Person, und nichts sagt, ob ein Modell die Entscheidung "
                   "überhaupt treffen sollte.")
TCT_WORD(l_few,
         "Diese Zahlen betreffen {0}: so wenige, dass sie etwas über einzelne sagen können. Nichts sagt, ob ein Modell "
         "die Entscheidung überhaupt treffen sollte.")

/* ---- what is decided ---- */
TCT_WORD(d_section, "Was entschieden wird")
TCT_WORD(d_label, "Das Modell entscheidet über „{0}“: {1}.")
TCT_WORD(d_one_class, "Alle hier Gezählten bekommen dieselbe Entscheidung, „{0}“: Diese Personen belegen nicht, dass "
                      "irgendetwas Erfragtes nützt.")
TCT_WORD(d_public_some, "Als bekannt vorausgesetzt (öffentlich): {0}. Was öffentlich ist, senkt die Zahlen: Es wird "
                        "für jede Entscheidung benutzt und nie als erfragt gezählt.")
TCT_WORD(d_public_none, "Nichts wird als bekannt vorausgesetzt: Jedes Merkmal, das das Modell benutzt, ist sensibel.")
TCT_WORD(d_sensitive, "Gefragt werden darf nach (sensibel): {0}.")
TCT_WORD(d_sensitive_none, "Gefragt wird nach nichts: Kein Merkmal ist sensibel.")
TCT_WORD(d_figure, "Wie oft jede Entscheidung getroffen wird")
TCT_WORD(
    d_figure_label,
    "Für jede Klasse: der Anteil der so Entschiedenen, wenn alles bekannt ist, und der Anteil, für den sie zutrifft.")
TCT_WORD(d_decided, "entschieden, alles bekannt")
TCT_WORD(d_true, "zutreffend, soweit bekannt")
TCT_WORD(d_axis, "Anteil der Personen")
TCT_WORD(d_note, "Wenn alles bekannt ist, wie das Modell entscheidet.")
TCT_WORD(d_note_true, "Der senkrechte Strich zeigt, wie oft die Klasse bei bekanntem Ergebnis zutrifft.")
TCT_WORD(h_class, "Klasse")
TCT_WORD(h_decided, "entschieden (Personen)")
TCT_WORD(h_share_decided, "Anteil")
TCT_WORD(h_true, "zutreffend (Personen)")
TCT_WORD(h_share_true, "Anteil zutreffend")
TCT_WORD(d_accuracy,
         "Mit allem bekannt liegt das Modell bei {0} der {1} mit bekanntem Ergebnis richtig (95-%-Intervall {2}).")
TCT_WORD(d_no_truth,
         "Die Datei enthält keine bekannten Ergebnisse: Wie oft das Modell richtig liegt, ist nicht bekannt.")
TCT_WORD(d_majority, "Immer „{0}“ zu entscheiden, das häufigste Ergebnis, wäre in {1} der Fälle richtig.")
TCT_WORD(d_gain, "Der Gewinn des Modells demgegenüber: {0} Prozentpunkte (gepaartes 95-%-Intervall {1} bis {2}).")
TCT_WORD(d_no_better, "Bei diesen Personen liegt das Modell nicht öfter richtig, als wenn immer „{0}“ entschieden "
                      "würde. Wie wenig es erfragt, spricht nicht für es.")
TCT_WORD(d_not_shown, "Diese Personen belegen nicht, dass das Modell besser ist, als immer „{0}“ zu entscheiden: Das "
                      "Intervall seines Gewinns enthält 0.")
TCT_WORD(d_unclipped, "Bei {0} lagen Werte außerhalb ihres Bereichs: Das eigene Urteil des Klassifikators über die "
                      "Werte, wie sie sind, ist bei {1} davon die hiesige Entscheidung.")
TCT_WORD(d_unclipped_few, "Bei {0} lagen Werte außerhalb ihres Bereichs: zu wenige, um zu sagen, wie oft das eigene "
                          "Urteil des Klassifikators über die Werte, wie sie sind, die hiesige Entscheidung ist.")
TCT_WORD(d_confusion, "Wahrheitsmatrix: Ergebnis gegen Entscheidung")
TCT_WORD(d_confusion_note,
         "Personen nach bekanntem Ergebnis (Zeilen) und nach der Entscheidung mit allem bekannt (Spalten).")
TCT_WORD(d_truth, "Ergebnis")
TCT_WORD(d_as, "entschieden: {0}")
TCT_WORD(d_many_classes, "{0} Klassen; die Wahrheitsmatrix steht in der JSON-Datei.")

/* ---- the main result ---- */
TCT_WORD(i_section, "In Kürze")
TCT_WORD(i_none_sensitive, "Kein Merkmal ist sensibel: Niemand wird nach einem gefragt.")
TCT_WORD(i_main, "Erfragt werden im Mittel {0} von {1} sensiblen Merkmalen; {2}.")
TCT_WORD(i_some_none, "{0} der Personen werden nach keinem gefragt")
TCT_WORD(i_all_none, "niemand wird nach einem gefragt")
TCT_WORD(i_all_some, "alle werden nach mindestens einem gefragt")
TCT_WORD(i_proven, "Jede Entscheidung ist bewiesen: Kein Wert dessen, was nicht erfragt wurde, könnte sie ändern "
                   "({0}). Alle Entscheidungen sind dieselben, als wäre alles angegeben worden.")
TCT_WORD(i_likely,
         "Gefragt wird, bis die Entscheidung bewiesen ist oder das Modell ihr eine Wahrscheinlichkeit von mindestens "
         "{0} gibt ({1}). {2} der Personen bekommen dieselbe Entscheidung, als hätten sie alles angegeben.")
TCT_WORD(i_other_proven, "Soll jede Entscheidung bewiesen sein ({0}): im Mittel {1} Merkmale; {2}; alle bekommen "
                         "dieselbe Entscheidung, als hätten sie alles angegeben.")
TCT_WORD(i_other_likely, "Genügt eine Wahrscheinlichkeit von {0} nach Schätzung des Modells ({1}): im Mittel {2} "
                         "Merkmale; {3}; {4} bekommen dieselbe Entscheidung, als hätten sie alles angegeben.")
TCT_WORD(i_opt, "Keine Art zu fragen kann Entscheidungen mit weniger als {0} Merkmalen im Mittel beweisen (Opt, das "
                "alle Werte vorher ansieht).")
TCT_WORD(i_opt_found, "Die kleinsten gefundenen Mengen, die eine Entscheidung beweisen (Opt, das alle Werte vorher "
                      "ansieht), haben im Mittel {0} Merkmale.")
TCT_WORD(g_title, "Auf einen Blick")
TCT_WORD(g_all, "alles erfragt")
TCT_WORD(g_opt, "Opt: das Mindeste")
TCT_WORD(g_opt_found, "Opt: das Mindeste, gefunden")
TCT_WORD(g_opt_sample, "Opt: einer Stichprobe")
TCT_WORD(h_way, "Art zu fragen")
TCT_WORD(h_asked, "erfragt")
TCT_WORD(h_of, "von {0}")
TCT_WORD(h_none_asked, "nach nichts gefragt")
TCT_WORD(h_cost, "Kosten")
TCT_WORD(h_same, "gleiche Entscheidung")
TCT_WORD(h_right, "richtig")
TCT_WORD(h_proven, "bewiesen")
TCT_WORD(h_likely, "wahrscheinlich")
TCT_WORD(h_gave_all, "alles angegeben")
TCT_WORD(h_rule, "Regel")
TCT_WORD(h_calibrated, "kalibriert")
TCT_WORD(g_note, "<b>Erfragt:</b> mittlere Zahl sensibler Merkmale. <b>Gleiche Entscheidung:</b> Anteil der Personen, "
                 "die die Entscheidung bekommen, die sie mit allen Angaben bekommen hätten. <b>Richtig:</b> Anteil der "
                 "Entscheidungen, die mit dem bekannten Ergebnis übereinstimmen (Treffergenauigkeit). <b>Bewiesen, "
                 "wahrscheinlich, alles angegeben:</b> Personen danach, wie ihre Entscheidung zustande kam.")

/* ---- how much, and which attributes ---- */
TCT_WORD(c_section, "Nach wie viel gefragt wird")
TCT_WORD(c_title, "Wie viele Personen nach wie vielen Merkmalen gefragt werden")
TCT_WORD(c_least, "das Mindeste")
TCT_WORD(c_x, "erfragte Merkmale")
TCT_WORD(c_label, "Histogramme der Zahl der erfragten sensiblen Merkmale, eines je δ.")
TCT_WORD(c_label_opt, "Histogramme der Zahl der erfragten sensiblen Merkmale, eines je δ, und eines der kleinsten "
                      "Mengen, die die Entscheidung beweisen.")
TCT_WORD(c_note, "Jede Säule ist der Anteil der {0}, die nach so vielen sensiblen Merkmalen gefragt werden, bis ihre "
                 "Entscheidung feststeht. δ ist das Risiko einer anderen Entscheidung, das man in Kauf nimmt; bei δ = "
                 "0 ist jede Entscheidung bewiesen.")
TCT_WORD(c_note_opt, "„Das Mindeste“ (Opt) ist die Größe der kleinsten Menge, die die jeweilige Entscheidung beweist: "
                     "Es sieht alle Werte vorher an, ist also eine untere Schranke für δ = 0 und keine Art zu fragen.")
TCT_WORD(h_delta, "δ")
TCT_WORD(h_attributes, "Merkmale")
TCT_WORD(h_people, "Personen")
TCT_WORD(h_share, "Anteil")
TCT_WORD(t_section, "Welche Merkmale: erfragt, unentbehrlich, überzählig")
TCT_WORD(t_section_asked, "Welche Merkmale erfragt werden")
TCT_WORD(t_words_asked, "<b>Erfragt:</b> Der Fragebogen kam zu dieser Frage. Was zuerst kommt, wird am häufigsten "
                        "erfragt; das allein sagt nicht, dass etwas davon abhängt.")
TCT_WORD(t_words_indispensable, "<b>Unentbehrlich:</b> Auch wenn alles andere bekannt ist, hängt die Entscheidung der "
                                "Person davon ab: Irgendein Wert davon würde zu einer anderen führen.")
TCT_WORD(t_words_spare, "<b>Überzählig:</b> Die Person hat es angegeben, und der Beweis der Entscheidung gilt ohne es, "
                        "sobald ihre übrigen Antworten bekannt sind.")
TCT_WORD(t_words_undecided, "Bei {0} wurde der Beweis im Rahmen des Aufwands nicht entschieden: Dort zählt das Merkmal "
                            "weder als das eine noch als das andere.")
TCT_WORD(t_title, "Erfragt, unentbehrlich und überzählig, nach Merkmal")
TCT_WORD(t_title_asked, "Erfragt, nach Merkmal")
TCT_WORD(t_label, "Für jedes sensible Merkmal die Anteile der Personen, die danach gefragt wurden, für die es "
                  "unentbehrlich ist und deren Antwort überzählig war.")
TCT_WORD(t_label_asked, "Für jedes sensible Merkmal der Anteil der Personen, die danach gefragt wurden.")
TCT_WORD(t_key_asked, "erfragt bei {0}")
TCT_WORD(t_key_indispensable, "unentbehrlich")
TCT_WORD(t_key_spare, "überzählig bei {0}")
TCT_WORD(t_axis, "Anteil der Personen")
TCT_WORD(t_note_drawn, "Gezeichnet sind die {0} am häufigsten erfragten von {1}.")
TCT_WORD(t_note_table, "Die Zahlen enthalten {0} von {1}; alle stehen in der JSON-Datei des Audits.")
TCT_WORD(t_note,
         "Balken gelten für {0}, Symbole für die anderen δ. Ein Symbol ganz links: Bei diesem δ wurde niemand oder "
         "kaum jemand nach dem Merkmal gefragt.")
TCT_WORD(t_note_one, "Balken gelten für {0}.")
TCT_WORD(h_asked_people, "erfragt (Personen)")
TCT_WORD(h_asked_share, "erfragt")
TCT_WORD(h_indispensable_people, "unentbehrlich (Personen)")
TCT_WORD(h_indispensable, "unentbehrlich")
TCT_WORD(h_undecided_people, "unentschieden (Personen)")
TCT_WORD(h_spare_people, "überzählig (Personen)")
TCT_WORD(o_title, "Was geschieht, wenn nach einem Merkmal nie gefragt wird")
TCT_WORD(o_proven, "bleiben bewiesen")
TCT_WORD(o_open, "werden offen")
TCT_WORD(o_others, "nach anderen stattdessen gefragt")
TCT_WORD(o_special, "Art. 9")
TCT_WORD(o_note,
         "Am wenigsten Betroffene zuerst, bei {0}. <b>Bleiben bewiesen:</b> Personen, deren Entscheidung mit allem "
         "außer diesem Merkmal bewiesen werden kann. <b>Werden offen:</b> Personen, deren Entscheidung alles andere "
         "nicht beweist. <b>Nach anderen stattdessen gefragt:</b> Personen, die danach gefragt wurden "
         "und stattdessen nach mindestens einem Merkmal gefragt würden, nach dem sie jetzt nicht gefragt werden. Die "
         "Zahlen gelten für je ein weggelassenes Merkmal: Für mehrere addieren sie sich nicht.")
TCT_WORD(o_free, "Ohne dass für diese Personen ein Beweis verloren geht, je einzeln: {0}.")
TCT_WORD(o_never, "Nach {0} wird bei {1} niemand gefragt: Es könnte ohne jede Änderung für diese Personen entfallen.")
TCT_WORD(
    o_never_many,
    "Nach {0} wird bei {1} niemand gefragt: Sie könnten gemeinsam ohne jede Änderung für diese Personen entfallen.")
TCT_WORD(o_more, "{0} und {1} weitere")

/* ---- the price of certainty, the promise ---- */
TCT_WORD(p_section, "Der Preis der Gewissheit")
TCT_WORD(p_asked, "Was erfragt wird, nach δ")
TCT_WORD(p_asked_label, "Liniendiagramm der mittleren Zahl erfragter sensibler Merkmale gegen δ.")
TCT_WORD(p_asked_y, "Merkmale (Mittel)")
TCT_WORD(p_x, "δ: erlaubtes Risiko einer anderen Entscheidung")
TCT_WORD(p_line_asked, "erfragt")
TCT_WORD(p_line_opt, "Opt: das Mindeste für einen Beweis")
TCT_WORD(p_line_all, "alle {0} erfragt")
TCT_WORD(p_asked_note,
         "Wie viele der {0} sensiblen Merkmale im Mittel erfragt werden. Striche: 95-%-Intervalle (Normalnäherung).")
TCT_WORD(p_decisions, "Was aus den Entscheidungen wird, nach δ")
TCT_WORD(p_decisions_label, "Liniendiagramm des Anteils der Personen mit derselben Entscheidung wie mit allen Angaben "
                            "und des Anteils richtiger Entscheidungen gegen δ.")
TCT_WORD(p_decisions_label_same,
         "Liniendiagramm des Anteils der Personen mit derselben Entscheidung wie mit allen Angaben gegen δ.")
TCT_WORD(p_decisions_y, "Anteil der Personen")
TCT_WORD(p_line_same, "gleiche Entscheidung")
TCT_WORD(p_line_right, "richtige Entscheidung")
TCT_WORD(p_line_right_all, "richtig, alles erfragt")
TCT_WORD(p_decisions_note, "Striche: 95-%-Intervalle (Clopper–Pearson).")
TCT_WORD(p_axis_cut, "Die Achse beginnt nicht bei 0.")
TCT_WORD(p_no_truth, "Die Datei enthält keine Ergebnisse; wie viele Entscheidungen richtig sind, ist nicht bekannt.")
TCT_WORD(k_section, "Wird das Versprechen gehalten?")
TCT_WORD(k_about,
         "Bei δ > 0 darf vor einem Beweis aufgehört werden, mit dem Versprechen, dass bei höchstens einem Anteil δ der "
         "so Gestoppten die Entscheidung von der mit allen Angaben abweicht. Bei δ = 0 wird nur mit Beweis aufgehört.")
TCT_WORD(k_title, "Versprochene und beobachtete Abweichung")
TCT_WORD(k_label,
         "Für jedes δ der beobachtete Anteil abweichender Entscheidungen mit 95-%-Intervall und das Versprochene.")
TCT_WORD(k_key_promised, "versprochen: höchstens δ")
TCT_WORD(k_key_observed, "beobachtet, mit 95-%-Intervall")
TCT_WORD(k_axis, "Anteil abweichender Entscheidungen")
TCT_WORD(k_note, "Unter den Personen, bei denen auf das Versprechen hin früh aufgehört wurde. <b>Gehalten:</b> Das "
                 "ganze Intervall liegt bei oder unter δ. <b>Gebrochen:</b> Das ganze Intervall liegt über δ. <b>Nicht "
                 "belegt:</b> δ liegt im Intervall, oder bei niemandem wurde früh aufgehört. Bei δ = 0 sind "
                 "Entscheidungen bewiesen, und das Versprechen ist gehalten, wenn keine abweicht.")
TCT_WORD(k_kept, "gehalten")
TCT_WORD(k_not_shown, "nicht belegt")
TCT_WORD(k_broken, "gebrochen")
TCT_WORD(k_nobody, "bei niemandem wurde früh aufgehört")
TCT_WORD(k_say_kept,
         "Bei {0} ist das Versprechen gehalten: eine andere Entscheidung für {1} von {2} ({3}, 95-%-Intervall {4}).")
TCT_WORD(k_say_proven, "Bei {0} ist das Versprechen gehalten: keine andere Entscheidung (mit Beweis aufgehört: {1}).")
TCT_WORD(k_say_not_shown, "Bei {0} ist nicht belegt, dass das Versprechen gehalten wird: eine andere Entscheidung für "
                          "{1} von {2} ({3}), und das 95-%-Intervall {4} enthält δ.")
TCT_WORD(k_say_broken, "Bei {0} ist das Versprechen gebrochen: eine andere Entscheidung für {1} von {2} ({3}, "
                       "95-%-Intervall {4}). Verwenden Sie ein kleineres δ oder kalibrieren Sie das Modell.")
TCT_WORD(k_say_all_gave,
         "Bei {0} wurde bei niemandem früh aufgehört: Alle gaben alles an, also kann keine Entscheidung abweichen.")
TCT_WORD(k_say_nobody,
         "Bei {0} wurde bei niemandem früh aufgehört; es gibt also nichts, woran sich das Versprechen messen ließe.")
TCT_WORD(k_more, "Bei der beobachteten Häufigkeit würde {0} weitere früh gestoppte Person es so oder so belegen.|Bei "
                 "der beobachteten Häufigkeit würden {0} weitere früh gestoppte Personen es so oder so belegen.")
TCT_WORD(k_label_fails,
         "Bei {0} gilt das nicht für alle: Früh gestoppt wurden {2}, deren Entscheidung mit allen Angaben „{1}“ "
         "ist; davon erhielten {3} eine andere.")
TCT_WORD(k_no_limit,
         "δ = 0 wurde nicht gezählt. Es zeigt die Obergrenze dessen, was für ein Versprechen gefragt werden muss: "
         "Bewiesene Entscheidungen halten jedes Versprechen.")
TCT_WORD(k_above_limit,
         "Bei {0} wird im Mittel mehr gefragt als bei δ = 0, das jedes Versprechen hält: {1} gegenüber {2}.")
TCT_WORD(k_own_test, "Das Modell wurde mit Personen kalibriert, die hier gezählt sind: Bei δ > 0 ist das keine "
                     "Prüfung, andere Personen wären eine.")
TCT_WORD(h_promised, "versprochen")
TCT_WORD(h_stopped, "früh gestoppt")
TCT_WORD(h_failed, "weichen ab")
TCT_WORD(h_observed, "beobachtet")
TCT_WORD(h_state, "Stand")
TCT_WORD(h_more, "weitere nötig")

/* ---- groups ---- */
TCT_WORD(b_section, "Wer die Last trägt und wer welche Entscheidung bekommt")
TCT_WORD(b_by, "Nach {0}")
TCT_WORD(b_times, "{0} × {1}")
TCT_WORD(b_empty, "(leer)")
TCT_WORD(b_below, "unter {0}")
TCT_WORD(b_between, "{0} bis unter {1}")
TCT_WORD(b_above, "ab {0}")
TCT_WORD(b_missing, "(fehlt)")
TCT_WORD(b_points, "{0} Prozentpunkten")
TCT_WORD(b_points_to, "{0} bis {1} Prozentpunkte")
TCT_WORD(b_pooled, "alle übrigen Gruppen zusammen")
TCT_WORD(b_differs, "Nach {0}, {1} bei {2}: {3} ({4}) gegenüber {5} ({6}). Der Unterschied von {7} ist größer als der "
                    "Zufall (95-%-Intervall {8}).")
TCT_WORD(b_more_differences,
         "{0} weiterer Unterschied ist größer als der Zufall; alle stehen in der JSON-Datei des Audits.|{0} weitere "
         "Unterschiede sind größer als der Zufall; alle stehen in der JSON-Datei des Audits.")
TCT_WORD(b_no_difference, "Kein Unterschied zwischen den gezeigten Gruppen ist größer als der Zufall.")
TCT_WORD(b_short, "{0}: {1}")
TCT_WORD(b_fig_mean_asked, "erfragte Merkmale (Mittel)")
TCT_WORD(b_fig_fidelity, "gleiche Entscheidung")
TCT_WORD(b_fig_accuracy, "richtige Entscheidungen")
TCT_WORD(b_fig_failure, "beobachtete Abweichung")
TCT_WORD(b_fig_none_asked, "nach nichts gefragt")
TCT_WORD(b_fig_selection_rate, "Anteil mit Entscheidung „{0}“")
TCT_WORD(b_fig_selection, "Anteil je Entscheidung")
TCT_WORD(b_fig_false_positive_rate, "Falsch-positiv-Rate")
TCT_WORD(b_fig_false_negative_rate, "Falsch-negativ-Rate")
TCT_WORD(b_fig_recall, "erkannt, unter denen, für die „{0}“ zutrifft")
TCT_WORD(b_asked_title, "Erfragte Merkmale nach {0}, {1}")
TCT_WORD(b_asked_label,
         "Mittlere Zahl erfragter sensibler Merkmale in jeder Gruppe nach {0}, mit 95-%-Intervallen, bei {1}.")
TCT_WORD(b_asked_note, "Nach wie vielen sensiblen Merkmalen Personen jeder Gruppe im Mittel gefragt werden. Die "
                       "gestrichelte Linie gilt für alle. Striche: 95-%-Intervalle.")
TCT_WORD(b_asked_axis, "erfragte Merkmale (Mittel)")
TCT_WORD(b_rate_title, "Anteil mit Entscheidung „{0}“, nach {1}")
TCT_WORD(b_rate_label,
         "Anteil der Personen in jeder Gruppe nach {1}, deren Entscheidung „{0}“ ist, mit 95-%-Intervallen.")
TCT_WORD(b_rate_note, "Anteil jeder Gruppe, der bei {0} diese Entscheidung bekommt. Striche: 95-%-Intervalle.")
TCT_WORD(b_key_group, "Gruppe, mit 95-%-Intervall")
TCT_WORD(b_key_all, "alle")
TCT_WORD(
    b_hidden,
    "{0} Gruppe wird nicht gezeigt: Eine Gruppe von weniger als {1} Personen wird nicht beschrieben, weil Zahlen über "
    "eine Handvoll Leute die Leute beschreiben; und wo sie sich aus dem Rest errechnen ließe, fehlt eine weitere.|{0} "
    "Gruppen werden nicht gezeigt: Eine Gruppe von weniger als {1} Personen wird nicht beschrieben, weil Zahlen über "
    "eine Handvoll Leute die Leute beschreiben; und wo sie sich aus dem Rest errechnen ließe, fehlt eine weitere.")
TCT_WORD(b_pooled_note, "{0} davon steckt in der Zeile aller übrigen Gruppen zusammen.|{0} davon stecken in der "
                        "Zeile aller übrigen Gruppen zusammen.")
TCT_WORD(b_left_out,
         "{0} weitere Gruppe fehlt, damit die Seite klein bleibt; alle stehen in der JSON-Datei des Audits.|{0} "
         "weitere Gruppen fehlen, damit die Seite klein bleibt; alle stehen in der JSON-Datei des Audits.")
TCT_WORD(b_nothing, "Keine Gruppe ist groß genug, um beschrieben zu werden.")
TCT_WORD(h_group, "Gruppe")
TCT_WORD(h_low_high, "95-%-Intervall")

/* ---- quality ---- */
TCT_WORD(q_section, "Datenqualität")
TCT_WORD(q_all_well, "Kein Wert fehlte, lag außerhalb seines Bereichs oder war eine dem Modell unbekannte Kategorie.")
TCT_WORD(q_clipped, "{0} Wert lag außerhalb seines Bereichs und wurde an dessen nächstes Ende verschoben.|{0} Werte "
                    "lagen außerhalb ihres Bereichs und wurden an dessen nächstes Ende verschoben.")
TCT_WORD(q_missing,
         "{0} Wert fehlte: Er zählte als eigene Kategorie, wo das Modell eine hat, sonst als typischer Wert.|{0} Werte "
         "fehlten: Sie zählten als eigene Kategorie, wo das Modell eine hat, sonst als typische Werte.")
TCT_WORD(q_unknown, "{0} Kategorie war dem Modell unbekannt und galt als fehlend.|{0} Kategorien waren dem Modell "
                    "unbekannt und galten als fehlend.")
TCT_WORD(q_skipped,
         "{0} fehlerhafte Zeile der Datei wurde ausgelassen, bevor gezählt wurde: Nichts hier handelt von ihr.|{0} "
         "fehlerhafte Zeilen der Datei wurden ausgelassen, bevor gezählt wurde: Nichts hier handelt von ihnen.")
TCT_WORD(q_unlabelled, "Von {0} Person ist kein Ergebnis bekannt; sie zählt nicht in der Treffergenauigkeit.|Von {0} "
                       "Personen ist kein Ergebnis bekannt; sie zählen nicht in der Treffergenauigkeit.")
TCT_WORD(q_title, "Zellen nach Spalte")
TCT_WORD(q_note,
         "Anteile der Zeilen. <b>Verschiebung</b> ist der Populations-Stabilitäts-Index gegen {0}. Über "
         "das hinaus, was bei so vielen Personen allein der Zufall ergibt (psi_by_chance in der JSON-Datei), gilt "
         "gemeinhin unter 0,1 als wenig, über 0,25 als andere Grundgesamtheit. Ein Strich heißt, dass es sich nicht "
         "sagen lässt: kein Vergleich in der Modelldatei oder zu wenige Personen.")
TCT_WORD(q_note_counts, "Anzahl der Zellen.")
TCT_WORD(q_drift,
         "Starke Verschiebung, mehr als 0,25 über dem Zufall, also andere Personen, verglichen mit: {1}. Spalten: {0}.")
TCT_WORD(q_training, "die Trainingsdaten")
TCT_WORD(q_import, "die Daten, mit denen das Modell importiert wurde")
TCT_WORD(h_missing, "fehlend")
TCT_WORD(h_training_missing, "fehlend im Training")
TCT_WORD(h_import_missing, "fehlend beim Import")
TCT_WORD(h_clipped, "außerhalb")
TCT_WORD(h_unknown, "unbekannt")
TCT_WORD(h_drift, "Verschiebung (PSI)")
TCT_WORD(q_people_clipped, "Bei {0} lag mindestens ein Wert außerhalb seines Bereichs.")
TCT_WORD(q_people_missing, "Bei {0} fehlte mindestens ein Wert.")
TCT_WORD(q_people_right, "Das Modell liegt bei {0} derer mit bekanntem Ergebnis richtig, gegenüber {1} aller.")
TCT_WORD(q_released, "Entscheidungen über Personen mit solchen Werten")
TCT_WORD(h_released_all, "gleiche Entscheidung")
TCT_WORD(h_released_all_own, "eigene des Modells")
TCT_WORD(h_released_clipped, "gleiche, außerhalb")
TCT_WORD(h_released_own, "eigene, außerhalb")
TCT_WORD(h_released_missing, "gleiche, fehlend")
TCT_WORD(q_released_note,
         "<b>Gleiche:</b> Anteil der Personen, die die Entscheidung erhalten, die sie mit allem bekannt bekommen; von "
         "allen und von denen, bei denen ein Wert außerhalb seines Bereichs lag oder fehlte.")
TCT_WORD(q_released_trained,
         "Werte ans Ende ihres Bereichs zu verschieben gehört zu diesem Modell: Es wurde so trainiert.")
TCT_WORD(q_released_note_own,
         "<b>Gleiche:</b> Anteil der Personen, die die Entscheidung erhalten, die sie mit allem bekannt bekommen. "
         "<b>Eigene:</b> Anteil derer, die erhalten, was der Klassifikator selbst über die Werte, wie sie sind, sagt: "
         "Er wurde importiert und weiß nichts von Bereichen. Von allen und von denen, bei denen ein Wert außerhalb "
         "seines Bereichs lag oder fehlte.")
TCT_WORD(e_section, "Bemerkungen zu Spalten")
TCT_WORD(e_identifier, "{0} sieht nach einem Kennzeichen aus: Ist es eines, weist es auf Personen hin und sollte nicht "
                       "zum Entscheiden dienen.")
TCT_WORD(e_near_unique, "{0} hat in fast jeder Zeile einen anderen Wert: Das kann auf Personen hinweisen.")
TCT_WORD(e_date, "{0} enthält Datumsangaben, die auf Personen hinweisen können.")
TCT_WORD(e_date_out, "{0} enthält Datumsangaben und wurde weggelassen.")
TCT_WORD(e_determined, "{1} folgt aus {0}: Nach beiden zu fragen heißt, zweimal dasselbe zu fragen.")
TCT_WORD(e_near_duplicate,
         "{0} und {1} sagen fast dasselbe: Nach beiden zu fragen heißt, fast zweimal dasselbe zu fragen.")
TCT_WORD(e_constant, "{0} hat in jeder Zeile der Trainingsdaten denselben Wert: Es kann nicht beim Entscheiden helfen.")
TCT_WORD(e_missing_markers, "Wörter, die gewöhnlich „fehlt“ bedeuten, etwa NA, galten als fehlend in {0}.")
TCT_WORD(e_decimal, "Zahlen wurden mit Dezimalkomma gelesen, etwa 1,5.")
TCT_WORD(e_renamed, "Eine Spalte heißt hier {0}: Ihr Name in der Kopfzeile ist leer oder kommt vorher schon vor.")
TCT_WORD(e_untrained_levels, "{0} hat Ausprägungen, die in den Trainingsdaten nicht vorkommen.")
TCT_WORD(e_mostly_missing, "{0} fehlt in mehr als der Hälfte der Zeilen.")
TCT_WORD(e_stray_text, "{0} hat in mindestens der Hälfte der Zeilen Zahlen und in anderen Text: Es gilt als Kategorie.")
TCT_WORD(e_written_numbers, "{0} gilt wegen der Zeichen in seinen Zahlen, etwa 5 %, als Kategorie.")
TCT_WORD(e_leading_zeros, "{0} hat Zahlen, die wie die von Schlüsseln mit einer Null beginnen, und gilt als Zahl.")
TCT_WORD(e_more, "Es gibt mehr Bemerkungen, als hier stehen.")
TCT_WORD(e_other, "{0}: {1}")

/* ---- method ---- */
TCT_WORD(v_section, "Verfahren und Annahmen")
TCT_WORD(v_how, "Wie gezählt wurde")
TCT_WORD(v_walk, "Merkmale sind öffentlich (als bekannt vorausgesetzt) oder sensibel. Für jede Person der Datei wurde "
                 "der Fragebogen durchgespielt: Sensible Merkmale werden einzeln erfragt, und es wird aufgehört, "
                 "sobald die Entscheidung feststeht. Gezählt wird, was erfragt wurde.")
TCT_WORD(v_zero,
         "Bei δ = 0 heißt „feststeht“ <b>bewiesen</b>: Welche Werte auch immer die nicht erfragten Merkmale in den "
         "Bereichen der Modelldatei haben, das Modell entscheidet gleich. Über Menschen wird nichts angenommen.")
TCT_WORD(v_positive,
         "Bei δ > 0 heißt „feststeht“ bewiesen oder <b>wahrscheinlich</b>: Nach dem Bekannten hat die Entscheidung "
         "nach Schätzung des Modells eine Wahrscheinlichkeit von mindestens 1 − δ. Dabei gelten die Merkmale als "
         "normalverteilt mit Mittelwert und Kovarianz der Trainingsdaten, was bequem und nicht genau wahr ist; deshalb "
         "vergleicht „Wird das Versprechen gehalten?“ das Versprochene mit dem Geschehenen.")
TCT_WORD(v_calibrated,
         "Das Modell ist <b>kalibriert</b>: Bei δ > 0 wird nur bei Wahrscheinlichkeiten aufgehört, die bei {0}, mit "
         "denen das Modell nicht trainiert wurde, das Versprechen hielten, mit Schranken, die gemeinsam mit einer "
         "Sicherheit von {1} gelten; wo keine das tat, beendet nur ein Beweis die Fragen. Das gilt für Personen wie "
         "jene, alle zusammen: nicht für eine einzelne Gruppe und nicht für Personen, die eine Antwort verweigern.")
TCT_WORD(v_rule, "Was als Nächstes erfragt wird, folgt der Regel „{0}“. Die Wahl berücksichtigt gegebene Antworten, "
                 "nie Werte, die nicht angegeben wurden.")
TCT_WORD(v_indispensable, "Unentbehrlich wird für jede Person bewiesen: in geschlossener Form für lineare Modelle, "
                          "durch eine Zertifizierung je Merkmal für andere. Es hängt nicht von δ ab.")
TCT_WORD(v_opt, "Opt ist die kleinste Menge sensibler Merkmale, die die Entscheidung einer Person beweist, gefunden "
                "mit allen Werten. Kein Fragebogen kann das; es zeigt, wie viel Verbesserung noch möglich ist.")
TCT_WORD(v_inexact,
         "Bei {0} ist nicht sicher, dass es keine kleinere Menge gibt: Mindestens nötig sind wenigstens {1}, "
         "höchstens {2}.")
TCT_WORD(v_opt_sample, "Gesucht wurde sie für eine zufällige Stichprobe: {0} von {1}. Das Mittel von {2} hat einen "
                       "Standardfehler von {3}.")
TCT_WORD(v_intervals, "Intervalle haben ein Niveau von 95 %: Clopper–Pearson für Anteile, 1,96 Standardfehler für "
                      "Mittelwerte. Sie behandeln die Personen der Datei als Zufallsstichprobe der künftigen.")
TCT_WORD(v_not, "Was hier nicht gesagt wird")
TCT_WORD(v_not_right, "Ob das Modell richtig oder gerecht ist. Maßstab ist die eigene Entscheidung des Modells mit "
                      "allen Angaben („gleiche Entscheidung“); nur „richtig“ vergleicht mit bekannten Ergebnissen.")
TCT_WORD(v_not_others, "Wie es anderen Personen erginge. Die Zahlen betreffen die Personen dieser Datei, dieses Modell "
                       "und diese Einstellungen.")
TCT_WORD(v_not_influence, "Dass ein Merkmal keinen Einfluss hat. „Nicht erfragt“ heißt, dass bei diesen Personen die "
                          "Entscheidung vorher feststand; „für niemanden unentbehrlich“, dass keine einzelne "
                          "Entscheidung an ihm allein hängt, wenn alles andere bekannt ist.")
TCT_WORD(v_not_person, "Etwas über eine einzelne Person. Diese Seite enthält nur Anzahlen und Mittelwerte: Keine Zeile "
                       "der Datei steht darin.")
TCT_WORD(v_not_rows,
         "Was in einer Zeile der Datei steht: Diese Seite enthält nur Anzahlen und Mittelwerte. Sie betreffen so "
         "wenige, dass sie trotzdem etwas über einzelne sagen können.")
TCT_WORD(v_not_person_groups,
         "Etwas über eine einzelne Person. Diese Seite enthält nur Anzahlen und Mittelwerte: Keine Zeile der Datei "
         "steht darin, und von ihren Werten nur die Namen von Klassen und Gruppen.")

/* ---- provenance ---- */
TCT_WORD(w_section, "Daten, Herkunft und wie man es wiederholt")
TCT_WORD(w_trained_held_out, "Dies sind die beim Training zurückgehaltenen Zeilen: Keine davon diente dem Training.")
TCT_WORD(w_trained_part, "Dies sind die Zeilen, mit denen das Modell trainiert wurde: Die Zahlen können günstiger sein "
                         "als für andere Personen.")
TCT_WORD(w_trained_some, "{0} der {1} Zeilen dienten dem Training des Modells, nach dem SHA-256 der Datei: Die Zahlen "
                         "können günstiger sein als für andere Personen.")
TCT_WORD(w_trained_yes, "Unter diesen Personen sind Zeilen, mit denen das Modell trainiert wurde, nach dem SHA-256 der "
                        "Datei: Die Zahlen können günstiger sein als für andere Personen.")
TCT_WORD(
    w_trained_no,
    "Dies ist nach dem SHA-256 nicht die Trainingsdatei. Ob dieselben Personen in beiden vorkommen, ist nicht bekannt.")
TCT_WORD(w_trained_unknown,
         "Es ist nicht bekannt, womit das Modell trainiert wurde: Diese Personen können darunter sein.")
TCT_WORD(w_people, "Personen")
TCT_WORD(w_part_held_out, "{0}, beim Training zurückgehalten")
TCT_WORD(w_part_train, "{0}, der Trainingsteil")
TCT_WORD(w_calibrated_with, "{0}; mit einigen oder allen davon wurde das Modell kalibriert")
TCT_WORD(w_files, "Dateien")
TCT_WORD(w_data_hash, "SHA-256 der Daten")
TCT_WORD(w_trained, "Damit trainiert?")
TCT_WORD(kind_logistic, "logistische Regression")
TCT_WORD(kind_mlp, "neuronales Netz")
TCT_WORD(kind_trees, "Ensemble von Entscheidungsbäumen")
TCT_WORD(w_model_hash, "SHA-256 des Modells")
TCT_WORD(w_calibration_hash, "SHA-256 der Kalibrierung")
TCT_WORD(w_sensitive, "Sensibel")
TCT_WORD(w_cost, "{0} (Kosten {1})")
TCT_WORD(w_deltas, "δ")
TCT_WORD(w_date, "Datum des Audits")
TCT_WORD(w_repeat,
         "Der Befehl lässt Ordner und alles weg, was die Zahlen nicht ändern kann (Namen von Ausgabedateien, Zahl der "
         "Threads). Derselbe Befehl mit demselben Modell und denselben Daten ergibt diese Seite wieder, Byte für Byte.")
TCT_WORD(verbatim, "{0}")
