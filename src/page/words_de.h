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
TCT_WORD(no, "nein")
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
         "gepunktete Linie ist: immer die häufigste Klasse. Die Achse beginnt nicht bei 0.")
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
TCT_WORD(p_seconds, "Sekunden")
TCT_WORD(p_made_by, "Tacit")
