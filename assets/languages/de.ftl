### Was ein Publikum liest, auf Deutsch. Das Original, mit allen Hinweisen, ist en.ftl.
### Laden: store. Anfrage: request. Antwort: response. Etikett: tag. Regal: shelf. Topf: pot.

plant =
    { $named ->
        [yes] { $name }
       *[no] Pflanze { $id }
    }
    .first =
        { $named ->
            [yes] { $name }
           *[no] Pflanze { $id }
        }
called =
    { $named ->
        [yes] { $name } ({ $id })
       *[no] Pflanze { $id }
    }

please-add =
    { $named ->
        [yes] Bitte aufnehmen: { $name }, Pflanze { $id }.
       *[no] Bitte aufnehmen: Pflanze { $id }.
    }
please-delete =
    { $named ->
        [yes] Bitte löschen: { $name }, Pflanze { $id }.
       *[no] Bitte löschen: Pflanze { $id }.
    }

said-yes = Der Laden hat nach { $time } Ja gesagt.
    .short = Der Laden hat Ja gesagt.
said-no = Der Laden hat Nein gesagt.
said-neither = Der Laden hat weder Ja noch Nein gesagt.
nothing-sent = Es wurde nichts gesendet.
no-response = Es kam keine Antwort zurück.
no-response-within = Innerhalb von { $time } kam keine Antwort.
    .short = Es kam keine Antwort zurück.
no-response-again = Auch diesmal kam keine Antwort zurück.
    .short = Wieder keine Antwort.
you-decided = Entschieden.

weather = Bei diesem Wetter sagt er zu allem Nein.
nothing-changed = Er sagte, es habe sich nichts geändert. Das passt nicht zu dieser Anfrage.
points-elsewhere = Er verweist auf eine andere Adresse, und dorthin wird nichts gesendet.
invalid-request = Der Laden nimmt diese Anfrage so nicht an.
unknown-token = Das Token, das mit der Anfrage kam, nimmt er nicht an.
forbidden = Mit diesem Token darf man das nicht.
takes-no-plants = Unter dieser Adresse nimmt niemand Pflanzen an; vielleicht ist es die falsche.
knows-no-plant = Er kennt keine Pflanze { $id }.
knows-no-plant-or-address = Er kennt keine Pflanze { $id }, oder die Adresse ist falsch.
does-no-such-things = So etwas macht er unter dieser Adresse nicht; vielleicht ist es die falsche.
has-one-already = Er hat anscheinend schon eine Pflanze { $id }.
had-it-once = Er hatte einmal eine Pflanze { $id }, hat sie aber nicht mehr.
too-long = Die Anfrage ist ihm zu lang.
another-kind = Anfragen dieser Art nimmt er nicht an.
asked-too-often = Er wurde zu oft gefragt und möchte eine Pause.
no-reason = Einen verständlichen Grund hat er nicht genannt.
store-words = In der Antwort steht: „{ $words }“.

gave-up-waiting = Er wollte nicht länger auf den Rest der Anfrage warten.
from-the-way = Die Antwort kommt wohl von einer Stelle auf dem Weg zum Laden.
cannot-now = Er sagte, er könne das gerade nicht erledigen.
went-wrong-inside = Er sagte, bei ihm sei etwas schiefgegangen.

not-written-down = Die Anfrage ließ sich hier nicht notieren, und vorher wird nichts gesendet.
no-request-possible = Daraus lässt sich keine Anfrage machen.
not-reached = Der Laden ist nicht zu erreichen.
not-reached-within = Der Laden war in { $time } nicht zu erreichen.
stopped-in-time = Die Anfrage wurde rechtzeitig gestoppt.
changed-meanwhile = Jemand hat die Pflanze inzwischen geändert.
you-stopped-waiting = Du hast nicht weiter gewartet.
program-ended = Das Programm wurde vorher beendet.
program-failed = Ein Teil dieses Programms ist ausgefallen.

added =
    { $named ->
        [yes] { $name } ist jetzt Pflanze { $id }.
       *[no] Pflanze { $id } ist jetzt da, ohne Namen.
    }
deleted = { plant.first } ist weg.
not-added = { plant.first } wurde nicht aufgenommen.
not-deleted = { plant.first } wurde nicht gelöscht.
unknown-add = Ob { plant } aufgenommen wurde, ist ungewiss.
unknown-delete = Ob { plant } gelöscht wurde, ist ungewiss.
not-added-again = { plant.first } wurde kein zweites Mal aufgenommen; Pflanze { $id } bleibt, wie sie war.
not-added-beside = { plant.first } wurde nicht aufgenommen; die alte Pflanze { $id } bleibt, wie sie war.
counts-as-stored = { plant.first } gilt als vorhanden.
leaves-the-list = { plant.first } wird von der Liste genommen.

earlier-delete-worked = Anscheinend ist { plant } weg, weil das frühere Löschen geklappt hat.
earlier-add-lost = Anscheinend war { plant } nie da, weil die frühere Anfrage nicht ankam.
earlier-add-worked = Das ist vielleicht die Pflanze aus der früheren Anfrage.
earlier-delete-failed = Anscheinend hat das frühere Löschen nicht geklappt.
still-unknown-add = Das hat nichts geändert, und ob das frühere Aufnehmen geklappt hat, ist weiter ungewiss.
still-unknown-delete = Das hat nichts geändert, und ob das frühere Löschen geklappt hat, ist weiter ungewiss.

but-broke-off = Aber seine Antwort brach mittendrin ab.
but-too-long = Aber seine Antwort war zu lang, um sie zu Ende zu lesen.
but-empty = Aber der Laden hat nicht wiederholt, was er annahm, obwohl er das laut Beschreibung tut.
but-unlike = Aber seine Antwort ist anders als in seiner Beschreibung.
but-missing =
    { $field ->
        [name] Aber der Laden hat den Namen nicht wiederholt.
       *[tag] Aber der Laden hat das Etikett nicht wiederholt.
    }
but-another-form =
    { $field ->
        [name] Aber der Laden hat den Namen anders wiederholt, als er gesendet wurde.
       *[tag] Aber der Laden hat das Etikett anders wiederholt, als es gesendet wurde.
    }
but-changed =
    { $field ->
        [name] Aber der Laden hat als Namen „{ $came }“ wiederholt, und gesendet wurde „{ $sent }“.
       *[tag] Aber der Laden hat als Etikett „{ $came }“ wiederholt, und gesendet wurde „{ $sent }“.
    }
but-said-more = Aber der Laden hat mehr gesagt, als in seiner Beschreibung steht.
of-member = Das kam von { $name }.

you-and-the-store = Du und der Laden
title-add = { called } aufnehmen
title-delete = { called } löschen
title-forgotten = { called }, vergessen
title-resolved = { called }, geklärt
you = du
the-store = der Laden
arrived = im Laden?
on-its-way = Die Anfrage ist unterwegs.
no-response-yet = noch keine Antwort
no-response-for = seit { $time } keine Antwort
stopped-waiting = nicht weiter gewartet
answer-yes = Ja.
answer-no = Nein.
answer-neither = Weder Ja noch Nein.
answer-none = keine Antwort
not-sent = Nicht gesendet.
request = Anfrage
response = Antwort
no-request-stored = Die Anfrage ist nicht gespeichert.
no-readable-response = Keine lesbare Antwort.
stored = Gilt als vorhanden.
forgotten = Vergessen.
is-not-listed = Sie steht nicht in der Liste.
nothing-sent-for-that = Dafür wurde nichts gesendet.
new-plant = Eine neue Pflanze.
typed-before = Vorhin eingegeben.
really-delete = Löschen?
really-delete-them = Diese löschen?
reading = Das Journal wird gelesen …
nothing-said-yet = Noch gab es keine Anfrage. Nimm eine Pflanze auf und sieh hier, was daraus wird.
many-accepted = Der Laden hat Ja gesagt: { $count }.
many-added = Neue Pflanzen: { $count }.
many-deleted = Gelöschte Pflanzen: { $count }.
many-stored = Gelten als vorhanden: { $count }.
many-forgotten = Vergessene Pflanzen: { $count }.
many-rejected = Der Laden hat Nein gesagt: { $count }.
many-not-sent = Nicht gesendet: { $count }.
many-left = Noch zu senden: { $count }.
select-a-plant = Wähle eine Pflanze, um ihre letzte Anfrage zu sehen.

nothing-grows = Hier wächst noch nichts: { $add } nimmt eine Pflanze auf, { $tour } zeigt dir den Laden zum Ausprobieren.
none-fits = Keine Pflanze passt zum Filter.
one-pot = Topf { $first } von { $all }
pots = Töpfe { $first }–{ $last } von { $all }
marked = { $count } markiert
pot-on-its-way = unterwegs
pot-unknown = ungewiss
pot-leaving = Löschen…
pot-deleted = gelöscht
pot-forgotten = vergessen
pot-rejected = abgelehnt
pot-not-sent = ungesendet
board-not-stored = nicht da
board-unknown-tag = Etikett: ?
board-no-tag = ohne Etikett

ask-delete = { called } löschen?
ask-delete-many = Diese { $count } Pflanzen löschen?
at-store = Im Laden { $store }.
some-not-listed = Nicht in der Liste: { $count }; vielleicht hat der Laden sie trotzdem.
left-out = Ausgelassen: { $count }.
hidden-by-filter = Vom Filter verborgen: { $count }.
may-have-it = Sie steht nicht in der Liste; vielleicht hat der Laden sie trotzdem.
unknown-there = Ob der Laden sie hat, ist ungewiss.
ask-there = Ist { called } im Laden?
ask-still-there = Ist { called } noch im Laden?
ask-there-many = Sind diese { $count } Pflanzen im Laden?
only-you-can-say = Den Laden kann man nicht fragen, was er hat; das kannst nur du sagen.
ask-forget = { called } vergessen?
ask-forget-many = Diese { $count } Pflanzen vergessen?
stays-there = Der Laden wird nicht gefragt: Was er hat, bleibt dort.
not-there = Der Laden sagt, er habe keine Pflanze { $id }
listed-not-there = { plant.first } steht in der Liste, und der Laden sagt, dass er keine solche Pflanze hat.
none-there = Der Laden sagt, er habe keine dieser { $count } Pflanzen
listed-none-there = Sie stehen in der Liste, und der Laden sagt, dass er keine davon hat.
ask-re-add = { called } wieder aufnehmen?
ask-re-add-many = Diese { $count } Pflanzen wieder aufnehmen?
number-taken = { called }; in der Liste hat eine andere Pflanze diese Nummer
same-number = Einige davon haben dieselbe Nummer.
part-of-list = Zeilen { $first }–{ $last } von { $all }; { $key } blättert
ask-quit = Jetzt beenden?
demo-ends = Die Pflanzen im Laden zum Ausprobieren sind danach weg.
quit-watched = Nichts geht verloren, aber vielleicht schaut jemand zu.
quit-in-flight = Anfragen unterwegs: { $count }. Beenden wartet nicht auf die Antwort.
quit-under-way = Laufende Vorgänge: { $count }. Beenden bricht sie ab.
quit-unknown = Ungewiss gebliebene Pflanzen: { $count }.
quit-unsent = Nicht gesendete Anfragen: { $count }. Sie gehen verloren.
quit-forms = Eingegebene, nicht gesendete Pflanzen: { $count }. Sie gehen verloren.
ask-go-on = Weitermachen?
ask-go-on-import = Den Import fortsetzen?
five-prove-nothing = Fünfmal hintereinander kam nichts Verwertbares zurück; vielleicht stimmt etwas mit dem Laden, der Adresse oder dem Token nicht.
ask-leave = Diesen Laden verlassen?
leaving-ends-demo = Die Pflanzen im Laden zum Ausprobieren sind dann weg.
ask-weather = Das Wetter im Laden zum Ausprobieren
weather-acts = So geht der Laden von jetzt an mit jeder Anfrage um.
question-of = { $at } von { $of }: { $question }
press-again = noch einmal { $key } oder { $choose } drücken

keep-it = Behalten
    .hint = es wird nichts gesendet
keep-them = Behalten
    .hint = es wird nichts gesendet
keep-listed = Behalten
    .hint = sie bleibt in der Liste
keep-all-listed = Behalten
    .hint = sie bleiben in der Liste
delete-it = Löschen
    .hint = danach kann man sie nur neu aufnehmen
delete-them = Löschen
    .hint = danach kann man sie nur neu aufnehmen
leave-it = So lassen
    .hint = sie bleibt ungewiss
leave-them = So lassen
    .hint = sie bleiben ungewiss
not-now = Jetzt nicht
    .hint = es wird nichts gesendet
stop-here = Hier aufhören
    .hint = es wird nichts mehr gesendet
go-on = Weitermachen
    .hint = sendet trotzdem den Rest
add-them = Aufnehmen
    .hint = bittet den Laden, sie aufzunehmen
add-again = Erneut senden
    .hint = vielleicht hat der Laden sie dann doppelt
add-all-again = Erneut senden
    .hint = vielleicht hat der Laden dann Pflanzen doppelt
delete-again = Erneut senden
    .hint = löscht sie noch einmal; hat jetzt eine neue Pflanze die Nummer, wird diese gelöscht
delete-all-again = Erneut senden
    .hint = löscht sie noch einmal; hat jetzt eine neue Pflanze eine der Nummern, wird diese gelöscht
mark-stored = Sie ist da
    .hint = du weißt es; es wird nichts gesendet
mark-all-stored = Sie sind da
    .hint = du weißt es; es wird nichts gesendet
all-together = Alle zusammen
    .hint = eine Frage für diese Pflanze und die übrigen
forget-it = Vergessen
    .hint = nimmt sie von der Liste; es wird nichts gesendet
forget-add = Diese Anfrage vergessen
    .hint = die frühere Pflanze bleibt in der Liste
forget-them = Vergessen
    .hint = nimmt sie von der Liste; es wird nichts gesendet
stay = Bleiben
    .hint = nichts ändert sich
go-there = Hingehen
    .hint = öffnet den anderen Laden; es wird nichts gesendet
quit = Beenden
    .hint = beendet das Programm
weather-calm = ruhig
    .hint = Antworten kommen sofort.
weather-slow = langsam
    .hint = Antworten brauchen drei Sekunden.
weather-losing-responses = verliert Antworten
    .hint = Der Laden tut alles, sagt aber nichts.
weather-rejecting = sagt zu allem Nein
    .hint = Der Laden sagt jedes Mal Nein.
weather-out-of-order = durcheinander
    .hint = Antworten überholen einander.

form-add = Eine Pflanze aufnehmen
form-unsent = Vorhin eingegeben, nicht gesendet
form-not-added = Nicht aufgenommen
form-re-add = Wieder aufnehmen
form-edit = Ändern und erneut senden
form-duplicate = Kopie
field =
    { $field ->
        [name] Name
        [id] Nummer
       *[tag] Etikett
    }
is-empty =
    { $field ->
        [name] Der Name ist leer.
       *[tag] Das Etikett ist leer.
    }
space-around =
    { $field ->
        [name] Der Name beginnt oder endet mit einem Leerzeichen.
       *[tag] Das Etikett beginnt oder endet mit einem Leerzeichen.
    }
invisible =
    { $field ->
        [name] Der Name enthält Zeichen, die man nicht sieht.
       *[tag] Das Etikett enthält Zeichen, die man nicht sieht.
    }
taken = { plant.first } hat diese Nummer schon.
number-invalid = Gib eine ganze Zahl mit höchstens 18 Ziffern ein, zum Beispiel 12.
rejected-before = Der Laden hat zu derselben Pflanze schon einmal Nein gesagt.
was-deleted = Sie wurde gelöscht.
was-forgotten = Sie wurde vergessen; vielleicht hat der Laden sie noch.
was-rejected = Der Laden hat zuletzt Nein gesagt.
was-not-sent = Sie wurde nicht gesendet.
was-accepted = Der Laden hat dazu Ja gesagt.
was-unknown = Ob das geklappt hat, ist ungewiss.
copy-of = Eine Kopie von { called }.
sent-otherwise = Die Prüfung hat anders gefragt; jetzt wird wie üblich gefragt.
typed-elsewhere = Das wurde bei einem anderen Laden eingegeben. Tippen ersetzt es, Tab behält es.
form-sends = Mit { $enter } bittest du den Laden, diese Pflanze aufzunehmen.
form-sends-again = Drück noch einmal { $enter }, um es trotzdem zu versuchen.
form-sends-twice = Drück zweimal { $enter }, um es trotzdem zu versuchen.
form-needs-number = { $enter } funktioniert, sobald die Nummer gültig ist.
form-next-number = { $key } nimmt { $id }, die nächste freie Nummer der Liste.
form-kept = Nicht gesendet. Der Text steht im nächsten Formular.
form-discards = { $esc } oder { $key } verwirft das.
form-starts-over = { $key } beginnt mit einem leeren Formular.

re-add = Eine Pflanze wieder aufnehmen
find = suche
find-to-re-add = ein Teil von Name, Etikett oder Nummer
none-to-re-add = Noch nichts. Gelöschte, vergessene, abgelehnte und nicht gesendete Pflanzen sind hier zu finden und lassen sich wieder aufnehmen.
none-has-this = Keine hat das in Name, Etikett oder Nummer.
nothing-to-undo = Seit dieser Laden offen ist, hast du nichts getan, was sich zurücknehmen lässt; { $key } findet früher Gelöschtes.
nothing-to-take-back = Du hast über eine Pflanze entschieden, und keine Anfrage nimmt das zurück.
re-add-marked = { $count } markiert: { $enter } nimmt nach einer Frage alle markierten auf.
delete-by-number = Nach Nummer löschen
delete-any = Jede Pflanze lässt sich löschen, auch eine, die nicht in der Liste steht: Der Laden entscheidet.

token-for = Token für diesen Laden
token = Token
token-needed = Ohne gültiges Token tut der Laden nichts.
token-invalid = Das ergab kein gültiges Token.
token-fetches = { $key } holt es bei leerem Feld noch einmal.
token-fetching = Es wird noch einmal geholt …
token-stays = Es geht nur an diesen Laden, bleibt bis zum Beenden und wird nie angezeigt.
token-sends = Anfragen, die darauf warten und dann gesendet werden: { $count }.

tour-shelves = Im Laden zum Ausprobieren steht jede Pflanze in einem Topf auf dem Regal ihres Etiketts.
tour-form = Die Tour hat { $add } gedrückt: Eine Pflanze hat Namen, Nummer und Etikett; gesendet ist noch nichts.
tour-yes = Die Tour hat den Laden gebremst: Der Samen lag im Topf und wuchs erst, als der Laden Ja sagte.
tour-taken = Die Nummer ist schon vergeben: Das Programm warnt dich, und der Laden entscheidet.
tour-no = Der Laden hat Nein gesagt: Die Anfrage prallte ab, und nichts hat sich geändert.
tour-lost = Diesmal kam keine Antwort: Ob der Laden die Orchidee hat, ist ungewiss.
tour-resolve = Die Tour hat { $resolve } gedrückt: Der Laden verrät nicht, was er hat; also entscheidest du.
tour-decided = Die Tour hat für dich geantwortet: Die Orchidee gilt als vorhanden; gesendet wurde nichts.
tour-delete = Die Tour hat { $delete } gedrückt: Bevor eine Pflanze gelöscht wird, fragt das Programm.
tour-end = Der Laden hat Ja gesagt: Die Orchidee ist weg. { $help } zeigt dir alle Tasten.
tour-otherwise = Das ging anders als geplant: Das Bild zeigt, was bekannt ist.
tour-first-plants = Die ersten Pflanzen werden aufgenommen …
tour-on-its-way = Die Anfrage ist unterwegs …
tour-journal = Das Journal wird geschrieben …
tour-picture = Hier wird jede Anfrage zum Bild.
tour-cacti = Mondkaktus, Sternkaktus, Fackelkaktus, Igelkaktus, Säulenkaktus
tour-desert = Wüste
tour-orchids = Weiße Orchidee, Rosa Orchidee, Rote Orchidee, Gelbe Orchidee, Lila Orchidee
tour-tropical = Tropen
sample-names = Monstera deliciosa, Genueser Basilikum, Boston-Farn, Dahlie „Café au Lait“, Kugelkaktus, Echter Lavendel
sample-tags = { tour-tropical }, Küche, Schatten, Blumen, { tour-desert }, Kräuter

tour-position = Tour, { $at } von { $of }
tour-goes-on = Leertaste: weiter, Esc: Ende
tour-ends = Leertaste: Tour beenden
tour-leave = Esc: Tour beenden
tour-really-leave = noch einmal Esc: Tour beenden; Leertaste: weiter
tour-not-yet = Moment, das läuft noch
tour-your-keys = Tasten erst nach der Tour; Leertaste: weiter, Esc: Ende
tour-looks-back = Rückblick, alles bleibt, wie es ist; Leertaste: weiter

tour-elsewhere = Die Tour ist im Laden zum Ausprobieren; dieser bleibt, wie er ist.
tour-over = Die Tour ist zu Ende.
tour-left = Du hast die Tour verlassen.
tour-left-plants = Was sie aufgenommen hat, bleibt.
tour-left-weather = Das Wetter ist wieder wie vorher.
tour-left-demo = Das ist der Laden zum Ausprobieren: { $key } führt zu deinem.
stage-begins = Die Vorführung zeigt, was du drückst; { $key } beendet sie.
stage-ends = Die Vorführung ist zu Ende.

header-demo = LADEN ZUM AUSPROBIEREN
header-demo-gone = auf diesem Rechner, am Ende ist alles weg
header-stored = im Laden: { $count }
header-on-its-way = { $count } unterwegs
header-unknown = ? { $count } ungewiss
header-all-known = alles geklärt
header-in-flight = { $count } unterwegs
header-not-sent = { $count } nicht gesendet
header-read-only = NUR LESEN
header-no-token = kein Token
header-token-set = Token vorhanden
header-not-encrypted = unverschlüsselt
header-checks = Prüfung: { $done } von { $all } Schritten fertig
header-ends-check = die Prüfung endet
header-team = Team
header-team-offline = Team offline
header-team-not-joined = Team nicht beigetreten
header-team-takes-none = Team nimmt nichts an
header-team-people =
    { $count ->
        [one] 1 Person
       *[other] { $count } Personen
    }
header-team-reads = { $count } zu lesen
header-team-skipped = { $count } übersprungen
header-team-sends = { $count } zu senden
header-slow = Wetter: langsam
header-losing-responses = Wetter: verliert Antworten
header-rejecting = Wetter: sagt zu allem Nein
header-out-of-order = Wetter: durcheinander

import-begun = Der Import hat begonnen; { $key } stoppt ihn.
import-done = { $done } von { $all }
import-left = { $rate }  noch { $time }
import-stopping =
    { $count ->
        [one] stoppt: wartet auf 1 Antwort
       *[other] stoppt: wartet auf { $count } Antworten
    }
import-cancelling =
    { $count ->
        [one] bricht 1 Anfrage ab
       *[other] bricht { $count } Anfragen ab
    }
import-waits = wartet auf deine Entscheidung
import-pauses = der Laden möchte { $time } Pause

nothing-leaves = Alles bleibt auf diesem Rechner.
key-helps = { $key } zeigt alle Tasten.
key-resolves = { $key } klärt das.
key-sends-again = { $key } sendet es noch einmal.
key-re-adds = { $key } nimmt sie wieder auf.
key-opens-form = { $key } öffnet das Formular wieder.
key-goes-on = Etwas ist noch ungewiss; mit { $key } geht es weiter.
not-listed = { plant.first } steht nicht in der Liste.
key-does-nothing = { $key } tut gerade nichts.
key-cannot = { $key } tut gerade nichts: { $why }.
why-not = { $name }
    .no-plant-is-selected = keine Pflanze ist ausgewählt
    .nothing-is-unknown = alles ist geklärt
    .nothing-waits-to-be-sent-again = es gibt nichts erneut zu senden
    .nothing-is-in-flight = es ist nichts unterwegs
    .something-is-in-flight-wait-for-it-or-cancel-it = etwas ist noch unterwegs
    .an-import-is-under-way-wait-for-its-end-or-stop-it = ein Import läuft noch
    .a-check-is-under-way-wait-for-its-end-or-stop-it = eine Prüfung läuft noch
    .its-delete-is-already-under-way = sie wird schon gelöscht
    .another-program-deletes-it-already = ein anderes Programm löscht sie schon
    .its-name-is-not-known = ihr Name ist nicht bekannt
    .all-of-it-is-on-screen = alles ist zu sehen
    .only-the-demo-store-has-weather-to-choose = Wetter gibt es nur im Laden zum Ausprobieren
    .the-store-is-read-only-here-by---read-only-its-variable-the-config-file-or-the-journal = nur lesen, es wird nichts gesendet
too-early = Das kam, bevor du dies lesen konntest: bitte noch einmal.
still-under-way = Das läuft noch; noch einmal { $key } drücken, um es abzubrechen.
select-to-cancel = Unterwegs: { $count }. Eine wählen und mit { $key } abbrechen, oder alle mit { $all }.
filter-hides = Der Filter verbirgt sie: { $key } zeigt alle.
nothing-unknown = Nichts ist ungewiss.
no-marked-unknown = Keine der markierten ist ungewiss. { $back } hebt die Markierung auf; dann klärt { $resolve } die anderen.
sort-by = Nach welcher Spalte sortieren? Drück ihre Nummer.
sorted-by = Sortiert nach: { $column }.
range-begun = Worüber du gehst, wird markiert; { $key } beendet das.
paste-into-form = Einfügen geht nur in einem Formular.
setting-kept = Die Einstellung gilt auch beim nächsten Start.
setting-lasts = Die Einstellung gilt bis zum Beenden.
token-set = Das Token ist da.
copied = Kopiert.
copied-perhaps = Kopiert, falls dein Terminal mitmacht.
asks-when-run = Jedes Ausführen des curl-Befehls schickt die Anfrage erneut.
discarded = Verworfen.
mouse-of-terminal = Die Maus markiert jetzt Text; { $key } holt sie zurück.
mouse-of-program = Die Maus wirkt wieder hier; mit { $key } markiert sie Text.
weather-now = Das Wetter: { $weather }. { $effect }

key = { $name }
    .Enter = Enter
    .Esc = Esc
    .Tab = Tab
    .Shift = Umschalt
    .Backspace = Rücktaste
    .Delete = Entf
    .Up = Hoch
    .Down = Runter
    .Left = Links
    .Right = Rechts
    .Home = Pos1
    .End = Ende
    .PageUp = Bild auf
    .PageDown = Bild ab
    .Ctrl = Strg
    .Alt = Alt
    .Space = Leertaste

label = { $name }
    .add = aufnehmen
    .delete = löschen
    .delete-by-id = nach Nummer löschen
    .resolve = klären
    .send-again = erneut senden
    .open = öffnen
    .filter = filtern
    .sort = sortieren
    .mark = markieren
    .unmark = Markierung aufheben
    .requests = Anfragen
    .connection = Verbindung
    .duplicate = kopieren
    .re-add = wieder aufnehmen
    .undo = rückgängig
    .import = importieren
    .export-plants = Pflanzen exportieren
    .outcome = Ergebnis
    .only-its-plant = nur ihre Pflanze
    .compare = vergleichen
    .report = Bericht
    .check = prüfen
    .earlier = frühere
    .weather = Wetter
    .as-sent = wie gesendet
    .picture = Bild
    .copy-curl = curl kopieren
    .copy-response = Antwort kopieren
    .copy-id = Nummer kopieren
    .next-column = nächste Spalte
    .edit = ändern
    .fold = einklappen
    .unfold = ausklappen
    .commands = Befehle
    .tour = Tour
    .help = Hilfe
    .quit = beenden
    .cancel = abbrechen
    .dismiss = ausblenden
    .show-all = alle zeigen
    .scroll = blättern
    .back = zurück
    .send = senden
    .next-field = nächstes Feld
    .previous = voriges
    .change = ändern
    .close = schließen
    .headers = Kopfzeilen
    .next-free-id = nächste freie Nummer
    .start-over = von vorn
    .choose = wählen
    .next = weiter
    .find = suchen
    .take-it = wählen
    .keep-it = behalten
    .to-the-list = zur Liste
    .end-the-range = Bereich beenden
    .stop-waiting = nicht länger warten
    .open-it = öffnen
    .write-it = speichern
    .save-and-open-it = speichern und öffnen
    .complete = ergänzen
    .complete-next-field = ergänzen, nächstes Feld
    .do-it = ausführen
    .go-to-the-id = zur Nummer
    .once-more-send-it = noch einmal: senden
    .twice-send-it = zweimal: senden
    .go-there = dorthin
    .formatted = formatiert
    .go-on = weiter
    .stop-here = hier aufhören
    .use-it = verwenden
    .add-the-marked-ones = markierte aufnehmen
    .validate-it = prüfen
    .stop-reading = nicht weiterlesen
    .stop = stoppen
    .stop-at-once = sofort stoppen
    .stop-the-import = Import stoppen
    .cancel-what-is-in-flight = Laufendes abbrechen
    .cancel-the-command = Befehl abbrechen
    .cancel-the-commands = Befehle abbrechen
    .end-the-comparison = Vergleich beenden
    .accepted = aufgenommen
    .rejected = abgelehnt
    .unknown = ungewiss
    .not-sent = nicht gesendet
    .The-import-is-done = Der Import ist fertig
    .The-import-was-stopped = Der Import wurde gestoppt
    .The-import-halted = Der Import brach ab
    .An-import-is-under-way = Ein Import läuft
    .file = Datei
    .left-out = ausgelassen
    .done = erledigt
    .not-tried = offen
    .more-below = unten mehr
    .rows-that-need-a-look = Zeilen zum Nachsehen
    .skipped = übersprungen
    .id = Nummer
    .name = Name
    .tag = Etikett
    .state = Zustand
    .since = seit
    .started = Beginn
    .what = Vorgang
    .plant = Pflanze
    .status = Status
    .size = Größe
    .took = Dauer
    .Plants = Pflanzen
    .History = Verlauf
    .Check = Prüfung
    .Greenhouse = Gewächshaus
