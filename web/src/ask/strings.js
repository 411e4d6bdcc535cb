// Every word of the questionnaire, in every language it speaks.  A language is one object; all have the same keys.
// Texts with something to fill in are functions.  What the model brings along (questions, help, names of levels) is
// shown as it is.

const en = {
    language: 'English',
    brand: 'Tacit',
    leave: 'Leave and erase',
    back: 'Back',
    next: 'Continue',
    sending: 'Sending …',
    loading: 'Loading …',
    retry: 'Try again',
    and: 'and',
    or: 'or',

    start: {
        title: 'Only what the decision needs',
        lead: (label, classes) =>
            `This questionnaire leads to a decision, “${label}”: ${classes}. It asks one question at a time and stops as soon as the decision is settled.`,
        publicTitle: 'Asked of everybody',
        presetTitle: 'Already known',
        presetNote: 'The site that shows this page has passed these on.',
        mightTitle: (n) =>
            n === 1 ? 'The one question that might be asked' : `The ${n} questions that might be asked`,
        mightNote: 'Most people are asked only some of them. You may refuse each one.',
        noneMight: 'Nothing else can be asked.',
        special: (what) => `Specially protected by law: ${what}.`,
        keptTitle: 'What is kept: nothing',
        kept: [
            'The server stores nothing about you. Between two questions your answers travel in a sealed token that only the server can read.',
            'Until you finish, your answers stay in this browser tab, so that you can go back or reload. Then they are erased.',
            'You can leave and erase everything at any time.',
        ],
        begin: 'Start',
    },

    public: {
        title: 'First, a few things asked of everybody',
        titleOne: 'First, something asked of everybody',
        lead: 'They may already settle the decision.',
        leadOne: 'It may already settle the decision.',
        errors: (n) =>
            n === 1 ? 'One answer is missing or not understood.' : `${n} answers are missing or not understood.`,
        skip: 'Go on without what is empty',
    },

    question: {
        give: (name) => `Please give: ${name}`,
        whyTitle: 'Why this question?',
        settles: (share, tenths) => {
            if (share >= 0.95) return 'Your answer will very probably settle the decision.';
            if (share < 0.05) return 'Your answer narrows the decision down; alone it rarely settles it.';
            return `Your answer can settle the decision: it does so for about ${tenths} in 10 people of whom the same is known.`;
        },
        without: (n) =>
            ({ 0: 'Nothing else could be asked in its place.', 1: 'Without it, one other question may be needed.' })[
                n
            ] ?? `Without it, up to ${n} other questions may be needed.`,
        whyPublic: 'This is asked of everybody, before anything else.',
        progress: (most, about) => {
            if (most <= 1) return 'This is the last question that can be asked.';
            return about < most ? `At most ${most} more questions, about ${about}` : `At most ${most} more questions`;
        },
        yes: 'Yes',
        no: 'No',
        unknown: 'I do not know',
        unknownNote: '(a typical value counts instead)',
        unknownLevel: '(and that is what counts)',
        number: (whole, low, high, usual) =>
            `A ${whole ? 'whole ' : ''}number${usual ? ', usually' : ''} from ${low} to ${high}` +
            (usual ? '.' : '; beyond that, the nearest of the two counts.'),
        filter: 'Type to shorten the list',
        choices: 'Choices',
        shown: (n, all) => `${n} of ${all} shown`,
        errorEmpty: 'Please answer, or say that you would rather not.',
        errorPublic: 'Please answer this.',
        errorNumber: 'Please write a number, for example',
        errorWhole: 'Please write a whole number, for example',
    },

    refuse: {
        open: 'I would rather not say',
        title: 'What it costs not to say',
        cost: (n) => {
            if (!n)
                return 'Nothing else can be asked instead. The decision then rests on what is known already and may stay unsettled.';
            const others = n === 1 ? 'One other question' : `Up to ${n} other questions`;
            return `${others} may be asked instead. If they do not settle the decision, it rests on what is known and may stay unsettled.`;
        },
        costPublic:
            'The questions then start without it. More of them may be needed, and the decision may stay unsettled.',
        free: 'It does not count against you: to the model, an answer that you did not give is simply unknown.',
        confirm: 'Do not say',
        cancel: 'Answer after all',
    },

    check: {
        title: 'Check your answers',
        lead: 'The decision is settled. Before you see it, is everything right?',
        leadOpen: 'Nothing more can be asked. Before you see the decision, is everything right?',
        publicTitle: 'Asked of everybody',
        presetTitle: 'Passed on by the site',
        answersTitle: 'Your answers',
        none: 'No question was needed beyond this.',
        change: 'Change',
        changeOf: (what) => `Change: ${what}`,
        refused: 'you would rather not say',
        unknown: 'not known, a typical value counts',
        unknownLevel: 'not known',
        counted: (end) => `(counted as ${end})`,
        show: 'Show the decision',
    },

    done: {
        notAsked: (n, all) => {
            if (!n) return all ? 'Everything was asked' : 'Nothing had to be asked';
            if (n === all)
                return n === 1 ? 'The only question was not asked' : `None of the ${all} questions was asked`;
            return n === 1 ? 'One question was never asked' : `${n} of ${all} questions were never asked`;
        },
        notAskedLead: (n) =>
            n === 1
                ? 'The decision did not need it, so nobody knows your answer:'
                : 'The decision did not need them, so nobody knows your answers:',
        notKnown: (names) => 
            `Not known: ${names}. A typical value counted instead, or that it is not known.`,
        refused: (names) => `You would rather not say: ${names}.`,
        title: 'The decision',
        sureTitle: 'How sure is it?',
        sure: {
            certain: [
                'Certain',
                () =>
                    'Whatever you would have answered to the rest, the decision would be the same. This is proven, not estimated.',
            ],
            likely: [
                'Likely',
                (p) => `With a probability of ${p}, the decision would be the same if everything had been asked.`,
            ],
            'all revealed': ['Complete', () => 'Everything that could be asked was answered. Nothing is left open.'],
            unsettled: [
                'Not settled',
                (p) =>
                    `What you did not say could still change it. Given the rest, the probability that it stays is ${p}.`,
            ],
        },
        model: 'This is about the questions: the model behind the decision can be wrong about a person even with every answer.',
        receiptTitle: 'Receipt',
        receipt: (minutes) =>
            `A signed file, with a number and the time, that says what was asked, what was not, and what was decided, so that anybody can check it later. It holds your answers. It is made when you download it, which is possible for ${minutes === 1 ? 'one minute' : `${minutes} minutes`} after your last answer, and it is kept nowhere else.`,
        download: 'Download the receipt',
        downloaded: 'The receipt was saved.',
        tooLate: 'It is too late: the server can no longer make this receipt.',
        eraseTitle: 'Finish',
        eraseNote:
            'Of your answers, only a sealed copy for the receipt is left in this tab. Only the server can read it, and it keeps none. Erase it when you are done.',
        erase: 'Erase and finish',
    },

    erased: {
        title: 'Everything is erased',
        text: 'Nothing that you entered is left in this browser tab, and the server has never stored it. You can close the page.',
        again: 'Start again',
    },

    notices: {
        startTitle: 'Who asks, and your rights',
        doneTitle: 'Your rights',
        purpose: 'What it is for',
        controller: 'Responsible',
        legal_basis: 'Legal basis',
        retention: 'How long it is kept',
        privacy_notice: 'Privacy notice',
        contact: 'Contact',
        human_review: 'Review by a person',
    },

    models: { title: 'Questionnaires', lead: 'Choose the one you came for.', none: 'There is no questionnaire here.' },

    notes: {
        clipped: (what, end) => `“${what}” Your answer is outside what the model knows and counts as ${end}.`,
        dropped: (n) =>
            n === 1
                ? 'One answer was not needed any more and was erased.'
                : `${n} answers were not needed any more and were erased.`,
        reused: (n) =>
            n === 1 ? 'One of your later answers was used again.' : `${n} of your later answers were used again.`,
    },

    trouble: {
        title: 'Something went wrong',
        network: 'The server cannot be reached. Nothing is lost: try again when you are connected.',
        busy: (seconds) =>
            `The server is busy. Nothing is lost: please try again in ${seconds === 1 ? 'one second' : `${seconds} seconds`}.`,
        input: 'The server does not take this answer:',
        server: 'The server could not handle this. Nothing is lost: please try again.',
        code: 'Code',
        lostTitle: 'Your session has ended',
        lost: {
            'token-expired': 'Too much time has passed, so the server no longer accepts it.',
            'token-other-model': 'The questionnaire has been replaced by another one.',
            other: 'The server no longer accepts it; it was probably set up anew.',
        },
        lostStill: (n) =>
            n === 1
                ? 'Your answer is still in this browser tab and can be used again.'
                : `Your ${n} answers are still in this browser tab and can be used again.`,
        lostNone: 'You can start again.',
        resume: 'Go on with my answers',
        again: 'Start again',
        script: 'Something in this page went wrong. You can reload it; this message was sent to nobody.',
        reload: 'Reload',
    },
};

const de = {
    language: 'Deutsch',
    brand: 'Tacit',
    leave: 'Verlassen und löschen',
    back: 'Zurück',
    next: 'Weiter',
    sending: 'Wird gesendet …',
    loading: 'Wird geladen …',
    retry: 'Noch einmal',
    and: 'und',
    or: 'oder',

    start: {
        title: 'Nur was die Entscheidung braucht',
        lead: (label, classes) =>
            `Dieser Fragebogen führt zu einer Entscheidung, „${label}“: ${classes}. Er stellt eine Frage nach der anderen und hört auf, sobald die Entscheidung feststeht.`,
        publicTitle: 'Das werden alle gefragt',
        presetTitle: 'Schon bekannt',
        presetNote: 'Die Website, die diese Seite zeigt, hat das mitgeteilt.',
        mightTitle: (n) => (n === 1 ? 'Die eine Frage, die kommen könnte' : `Die ${n} Fragen, die kommen könnten`),
        mightNote: 'Den meisten Menschen werden nur einige davon gestellt. Jede dürfen Sie ablehnen.',
        noneMight: 'Sonst kann nichts gefragt werden.',
        special: (what) => `Vom Gesetz besonders geschützt: ${what}.`,
        keptTitle: 'Was gespeichert wird: nichts',
        kept: [
            'Der Server speichert nichts über Sie. Zwischen zwei Fragen reisen Ihre Antworten in einem versiegelten Umschlag, den nur der Server lesen kann.',
            'Bis zum Ende bleiben Ihre Antworten in diesem Browser-Tab, damit Sie zurückgehen oder neu laden können. Dann werden sie gelöscht.',
            'Sie können jederzeit gehen und alles löschen.',
        ],
        begin: 'Beginnen',
    },

    public: {
        title: 'Zuerst, was alle gefragt werden',
        titleOne: 'Zuerst eine Frage, die alle bekommen',
        lead: 'Vielleicht steht die Entscheidung damit schon fest.',
        leadOne: 'Vielleicht steht die Entscheidung damit schon fest.',
        errors: (n) =>
            n === 1 ? 'Eine Antwort fehlt oder ist unverständlich.' : `${n} Antworten fehlen oder sind unverständlich.`,
        skip: 'Ohne die leeren Felder weiter',
    },

    question: {
        give: (name) => `Bitte angeben: ${name}`,
        whyTitle: 'Warum diese Frage?',
        settles: (share, tenths) => {
            if (share >= 0.95) return 'Mit Ihrer Antwort steht die Entscheidung sehr wahrscheinlich fest.';
            if (share < 0.05) return 'Ihre Antwort grenzt die Entscheidung ein; allein reicht sie selten.';
            return `Mit Ihrer Antwort kann die Entscheidung feststehen: so ist es bei etwa ${tenths} von 10 Menschen, über die dasselbe bekannt ist.`;
        },
        without: (n) =>
            ({
                0: 'An ihrer Stelle könnte nichts anderes gefragt werden.',
                1: 'Ohne sie kann eine andere Frage nötig werden.',
            })[n] ?? `Ohne sie können bis zu ${n} andere Fragen nötig werden.`,
        whyPublic: 'Das werden alle gefragt, vor allem anderen.',
        progress: (most, about) => {
            if (most <= 1) return 'Das ist die letzte Frage, die kommen kann.';
            return about < most ? `Noch höchstens ${most} Fragen, etwa ${about}` : `Noch höchstens ${most} Fragen`;
        },
        yes: 'Ja',
        no: 'Nein',
        unknown: 'Ich weiß es nicht',
        unknownNote: '(dann zählt ein üblicher Wert)',
        unknownLevel: '(und so zählt es auch)',
        number: (whole, low, high, usual) =>
            `Eine ${whole ? 'ganze ' : ''}Zahl${usual ? ', üblicherweise' : ''} von ${low} bis ${high}` +
            (usual ? '.' : '; darüber hinaus zählt die nähere der beiden.'),
        filter: 'Tippen, um die Liste zu kürzen',
        choices: 'Auswahl',
        shown: (n, all) => `${n} von ${all} zu sehen`,
        errorEmpty: 'Bitte antworten Sie, oder sagen Sie, dass Sie das nicht angeben möchten.',
        errorPublic: 'Bitte antworten Sie hier.',
        errorNumber: 'Bitte schreiben Sie eine Zahl, zum Beispiel',
        errorWhole: 'Bitte schreiben Sie eine ganze Zahl, zum Beispiel',
    },

    refuse: {
        open: 'Das möchte ich nicht angeben',
        title: 'Was es kostet, das nicht anzugeben',
        cost: (n) => {
            if (!n)
                return 'Stattdessen kann nichts anderes gefragt werden. Die Entscheidung beruht dann auf dem, was schon bekannt ist, und bleibt vielleicht offen.';
            const others = n === 1 ? 'Eine andere Frage kann' : `Bis zu ${n} andere Fragen können`;
            return `${others} stattdessen kommen. Wenn auch das nicht reicht, beruht die Entscheidung auf dem, was bekannt ist, und bleibt vielleicht offen.`;
        },
        costPublic:
            'Die Fragen beginnen dann ohne diese Angabe. Es können mehr werden, und die Entscheidung bleibt vielleicht offen.',
        free: 'Es zählt nicht gegen Sie: für das Modell ist eine Antwort, die Sie nicht geben, einfach unbekannt.',
        confirm: 'Nicht angeben',
        cancel: 'Doch antworten',
    },

    check: {
        title: 'Stimmen Ihre Antworten?',
        lead: 'Die Entscheidung steht fest. Bevor Sie sie sehen: ist alles richtig?',
        leadOpen: 'Mehr kann nicht gefragt werden. Bevor Sie die Entscheidung sehen: ist alles richtig?',
        publicTitle: 'Was alle gefragt werden',
        presetTitle: 'Von der Website mitgeteilt',
        answersTitle: 'Ihre Antworten',
        none: 'Darüber hinaus war keine Frage nötig.',
        change: 'Ändern',
        changeOf: (what) => `Ändern: ${what}`,
        refused: 'möchten Sie nicht angeben',
        unknown: 'nicht bekannt, ein üblicher Wert zählt',
        unknownLevel: 'nicht bekannt',
        counted: (end) => `(zählt als ${end})`,
        show: 'Entscheidung zeigen',
    },

    done: {
        notAsked: (n, all) => {
            if (!n) return all ? 'Alles wurde gefragt' : 'Nichts musste gefragt werden';
            if (n === all)
                return n === 1 ? 'Die einzige Frage wurde nicht gestellt' : `Keine der ${all} Fragen wurde gestellt`;
            return n === 1 ? 'Eine Frage wurde nie gestellt' : `${n} von ${all} Fragen wurden nie gestellt`;
        },
        notAskedLead: (n) =>
            n === 1
                ? 'Die Entscheidung brauchte sie nicht, also kennt niemand Ihre Antwort darauf:'
                : 'Die Entscheidung brauchte sie nicht, also kennt niemand Ihre Antworten darauf:',
        notKnown: (names) => 
            `Nicht bekannt: ${names}. Stattdessen zählte ein üblicher Wert, oder dass es nicht bekannt ist.`,
        refused: (names) => `Nicht angeben wollten Sie: ${names}.`,
        title: 'Die Entscheidung',
        sureTitle: 'Wie sicher ist sie?',
        sure: {
            certain: [
                'Sicher',
                () =>
                    'Was immer Sie auf den Rest geantwortet hätten, die Entscheidung wäre dieselbe. Das ist bewiesen, nicht geschätzt.',
            ],
            likely: [
                'Wahrscheinlich',
                (p) =>
                    `Mit einer Wahrscheinlichkeit von ${p} wäre die Entscheidung dieselbe, wenn alles gefragt worden wäre.`,
            ],
            'all revealed': ['Vollständig', () => 'Alles, was gefragt werden kann, ist beantwortet. Nichts ist offen.'],
            unsettled: [
                'Nicht geklärt',
                (p) =>
                    `Was Sie nicht angegeben haben, könnte sie noch ändern. Nach allem anderen bleibt es mit einer Wahrscheinlichkeit von ${p} dabei.`,
            ],
        },
        model: 'Hier geht es um die Fragen: das Modell hinter der Entscheidung kann sich in einem Menschen auch dann irren, wenn es alle Antworten kennt.',
        receiptTitle: 'Beleg',
        receipt: (minutes) =>
            `Eine unterschriebene Datei mit Nummer und Uhrzeit, die sagt, was gefragt wurde, was nicht und was entschieden wurde, so dass es später alle nachprüfen können. Sie enthält Ihre Antworten. Sie entsteht, wenn Sie sie herunterladen; das geht bis ${minutes === 1 ? 'eine Minute' : `${minutes} Minuten`} nach Ihrer letzten Antwort. Sonst ist sie nirgends gespeichert.`,
        download: 'Beleg herunterladen',
        downloaded: 'Der Beleg ist gespeichert.',
        tooLate: 'Es ist zu spät: der Server kann diesen Beleg nicht mehr ausstellen.',
        eraseTitle: 'Fertig',
        eraseNote:
            'Von Ihren Antworten ist in diesem Tab nur noch eine versiegelte Kopie für den Beleg da. Nur der Server kann sie lesen, und er behält keine. Löschen Sie sie, wenn Sie fertig sind.',
        erase: 'Löschen und beenden',
    },

    erased: {
        title: 'Alles ist gelöscht',
        text: 'Nichts von dem, was Sie eingegeben haben, ist noch in diesem Browser-Tab, und der Server hat es nie gespeichert. Sie können die Seite schließen.',
        again: 'Neu beginnen',
    },

    notices: {
        startTitle: 'Wer fragt, und Ihre Rechte',
        doneTitle: 'Ihre Rechte',
        purpose: 'Wozu',
        controller: 'Verantwortlich',
        legal_basis: 'Rechtsgrundlage',
        retention: 'Aufbewahrung',
        privacy_notice: 'Datenschutzhinweis',
        contact: 'Kontakt',
        human_review: 'Prüfung durch einen Menschen',
    },

    models: {
        title: 'Fragebögen',
        lead: 'Wählen Sie den, zu dem Sie wollten.',
        none: 'Hier gibt es keinen Fragebogen.',
    },

    notes: {
        clipped: (what, end) =>
            `„${what}“ Ihre Antwort liegt außerhalb dessen, was das Modell kennt, und zählt als ${end}.`,
        dropped: (n) =>
            n === 1
                ? 'Eine Antwort war nicht mehr nötig und wurde gelöscht.'
                : `${n} Antworten waren nicht mehr nötig und wurden gelöscht.`,
        reused: (n) =>
            n === 1
                ? 'Eine spätere Antwort wurde wieder verwendet.'
                : `${n} spätere Antworten wurden wieder verwendet.`,
    },

    trouble: {
        title: 'Etwas ist schiefgegangen',
        network:
            'Der Server ist nicht erreichbar. Nichts ist verloren: versuchen Sie es noch einmal, wenn Sie verbunden sind.',
        busy: (seconds) =>
            `Der Server ist überlastet. Nichts ist verloren: bitte versuchen Sie es in ${seconds === 1 ? 'einer Sekunde' : `${seconds} Sekunden`} noch einmal.`,
        input: 'Der Server nimmt diese Antwort nicht an:',
        server: 'Der Server kam damit nicht zurecht. Nichts ist verloren: bitte versuchen Sie es noch einmal.',
        code: 'Code',
        lostTitle: 'Ihre Sitzung ist zu Ende',
        lost: {
            'token-expired': 'Es ist zu viel Zeit vergangen, der Server nimmt sie nicht mehr an.',
            'token-other-model': 'Der Fragebogen ist durch einen anderen ersetzt worden.',
            other: 'Der Server nimmt sie nicht mehr an; wahrscheinlich wurde er neu eingerichtet.',
        },
        lostStill: (n) =>
            n === 1
                ? 'Ihre Antwort ist noch in diesem Browser-Tab und kann wieder verwendet werden.'
                : `Ihre ${n} Antworten sind noch in diesem Browser-Tab und können wieder verwendet werden.`,
        lostNone: 'Sie können neu beginnen.',
        resume: 'Mit meinen Antworten weiter',
        again: 'Neu beginnen',
        script: 'In dieser Seite ist etwas schiefgegangen. Sie können sie neu laden; diese Meldung wurde niemandem geschickt.',
        reload: 'Neu laden',
    },
};

export const LANGUAGES = { en, de };

/** The first language of the browser that is spoken here. */
export function browserLanguage(wanted = navigator.languages ?? [navigator.language]) {
    return wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((code) => code in LANGUAGES) ?? 'en';
}
