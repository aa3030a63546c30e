### Lo que lee un público, en español. El original, con todas las notas, es en.ftl.
### tienda: store. petición: request. respuesta: response. etiqueta: tag. estante: shelf. maceta: pot.

plant =
    { $named ->
        [yes] { $name }
       *[no] la planta { $id }
    }
    .first =
        { $named ->
            [yes] { $name }
           *[no] La planta { $id }
        }
called =
    { $named ->
        [yes] { $name } ({ $id })
       *[no] la planta { $id }
    }

please-add =
    { $named ->
        [yes] Por favor, añade { $name } como planta { $id }.
       *[no] Por favor, añade la planta { $id }.
    }
please-delete =
    { $named ->
        [yes] Por favor, borra { $name }, planta { $id }.
       *[no] Por favor, borra la planta { $id }.
    }

said-yes = La tienda dijo que sí en { $time }.
    .short = La tienda dijo que sí.
said-no = La tienda dijo que no.
said-neither = La tienda no dijo ni sí ni no.
nothing-sent = No se envió nada.
no-response = No llegó ninguna respuesta.
no-response-within = No llegó ninguna respuesta en { $time }.
    .short = No llegó ninguna respuesta.
no-response-again = Tampoco esta vez llegó ninguna respuesta.
    .short = Otra vez sin respuesta.
you-decided = Decidido.

weather = Con este clima, dice que no a todo.
nothing-changed = Dijo que nada ha cambiado, y eso no responde a esta petición.
points-elsewhere = Remite a otra dirección, y allí no se envía nada.
invalid-request = No acepta esta petición tal como está.
unknown-token = No acepta el token que venía con la petición.
forbidden = Con este token no se puede hacer eso.
takes-no-plants = En esta dirección nadie acepta plantas; quizá no sea la correcta.
knows-no-plant = No conoce ninguna planta { $id }.
knows-no-plant-or-address = No conoce ninguna planta { $id }, o la dirección no es la correcta.
does-no-such-things = En esta dirección no hace esas cosas; quizá no sea la correcta.
has-one-already = Parece que ya tiene una planta { $id }.
had-it-once = Tuvo la planta { $id }, pero ya no la tiene.
too-long = La petición es demasiado larga para ella.
another-kind = No acepta peticiones de este tipo.
asked-too-often = Recibió demasiadas peticiones y quiere descansar.
no-reason = No dio un motivo que se entienda.
store-words = La respuesta dice: «{ $words }».

gave-up-waiting = Se cansó de esperar el resto de la petición.
from-the-way = Parece que la respuesta viene de alguien en el camino a la tienda.
cannot-now = Dijo que ahora no puede hacerlo.
went-wrong-inside = Dijo que algo le falló por dentro.

not-written-down = La petición no se pudo anotar aquí, y nada sale sin estar anotado.
no-request-possible = De esto no se puede hacer una petición.
not-reached = No se puede conectar con la tienda.
not-reached-within = No se pudo conectar con la tienda en { $time }.
stopped-in-time = La petición se detuvo a tiempo.
changed-meanwhile = Alguien cambió la planta mientras tanto.
you-stopped-waiting = Dejaste de esperar.
program-ended = El programa terminó antes.
program-failed = Falló una parte de este programa.

added =
    { $named ->
        [yes] { $name } es ahora la planta { $id }.
       *[no] La planta { $id } está ahí ahora, sin nombre.
    }
deleted = { plant.first } ya no está.
not-added = { plant.first } no se añadió.
not-deleted = { plant.first } no se borró.
unknown-add = No se sabe si { plant } se añadió.
unknown-delete = No se sabe si { plant } se borró.
not-added-again = { plant.first } no se añadió otra vez; la planta { $id } sigue como estaba.
not-added-beside = { plant.first } no se añadió; la planta { $id } de antes sigue como estaba.
counts-as-stored = { plant.first } se da por guardada.
leaves-the-list = { plant.first } sale de la lista.

earlier-delete-worked = Parece que antes sí se borró y que { plant } ya no está.
earlier-add-lost = Parece que la petición de añadirla nunca llegó y que { plant } nunca estuvo ahí.
earlier-add-worked = Puede ser la planta que se pidió añadir antes.
earlier-delete-failed = Parece que antes no se borró.
still-unknown-add = Esto no cambió nada, y aún no se sabe si antes se añadió.
still-unknown-delete = Esto no cambió nada, y aún no se sabe si antes se borró.

but-broke-off = Pero su respuesta se cortó a la mitad.
but-too-long = Pero su respuesta era demasiado larga para leerla hasta el final.
but-empty = Pero la tienda no repitió lo que aceptó, aunque su descripción dice que sí.
but-unlike = Pero su respuesta no es como dice su descripción.
but-missing =
    { $field ->
        [name] Pero la tienda no repitió el nombre.
       *[tag] Pero la tienda no repitió la etiqueta.
    }
but-another-form =
    { $field ->
        [name] Pero la tienda repitió el nombre en una forma distinta de la enviada.
       *[tag] Pero la tienda repitió la etiqueta en una forma distinta de la enviada.
    }
but-changed =
    { $field ->
        [name] Pero la tienda repitió el nombre como «{ $came }», y se envió «{ $sent }».
       *[tag] Pero la tienda repitió la etiqueta como «{ $came }», y se envió «{ $sent }».
    }
but-said-more = Pero la tienda dijo más de lo que muestra su descripción.
of-member = Eso lo pidió { $name }.

you-and-the-store = Tú y la tienda
title-add = añadir { called }
title-delete = borrar { called }
title-forgotten = { called }, olvidada
title-resolved = { called }, resuelta
you = tú
the-store = la tienda
arrived = ¿llegó?
on-its-way = La petición va en camino.
no-response-yet = aún sin respuesta
no-response-for = aún sin respuesta, { $time }
stopped-waiting = ya no esperas
answer-yes = Sí.
answer-no = No.
answer-neither = Ni sí ni no.
answer-none = sin respuesta
not-sent = No enviada.
request = Petición
response = Respuesta
no-request-stored = La petición no está guardada.
no-readable-response = Sin respuesta legible.
stored = Se da por guardada.
forgotten = Olvidada.
is-not-listed = No está en la lista.
nothing-sent-for-that = Para eso no se envió nada.
new-plant = Una planta nueva.
typed-before = Escrita antes.
really-delete = ¿Borrarla?
really-delete-them = ¿Borrarlas?
reading = Se está leyendo el registro…
nothing-said-yet = Aún no ha habido ninguna petición. Añade una planta y verás aquí qué pasa.
many-accepted = La tienda dijo que sí: { $count }.
many-added = Plantas añadidas: { $count }.
many-deleted = Plantas borradas: { $count }.
many-stored = Se dan por guardadas: { $count }.
many-forgotten = Plantas olvidadas: { $count }.
many-rejected = La tienda dijo que no: { $count }.
many-not-sent = Sin enviar: { $count }.
many-left = Por enviar: { $count }.
select-a-plant = Elige una planta para ver su última petición.

nothing-grows = Aquí aún no crece nada: pulsa [{ $add }] para añadir una planta o [{ $tour }] para ver la tienda de prueba.
none-fits = Ninguna planta encaja con el filtro.
one-pot = maceta { $first } de { $all }
pots = macetas { $first }-{ $last } de { $all }
marked = marcadas: { $count }
pot-on-its-way = en camino
pot-unknown = incierta
pot-leaving = se va
pot-deleted = borrada
pot-forgotten = olvidada
pot-rejected = rechazada
pot-not-sent = no enviada
board-not-stored = no guardadas
board-unknown-tag = ¿etiqueta?
board-no-tag = sin etiqueta

ask-delete = ¿Borrar { called }?
ask-delete-many = ¿Borrar estas { $count } plantas?
at-store = En la tienda { $store }.
some-not-listed = No están en la lista: { $count }; quizá la tienda aún las tenga.
left-out = Omitidas: { $count }.
hidden-by-filter = Ocultas por el filtro: { $count }.
may-have-it = No está en la lista; quizá la tienda aún la tenga.
unknown-there = No se sabe si la tienda la tiene.
ask-there = ¿Está { called } en la tienda?
ask-still-there = ¿Sigue { called } en la tienda?
ask-there-many = ¿Están estas { $count } plantas en la tienda?
only-you-can-say = A la tienda no se le puede preguntar qué tiene, así que solo tú puedes decirlo.
ask-forget = ¿Olvidar { called }?
ask-forget-many = ¿Olvidar estas { $count } plantas?
stays-there = No se le pregunta a la tienda: lo que tiene se queda allí.
not-there = La tienda dice que no tiene ninguna planta { $id }
listed-not-there = { plant.first } está en la lista, y la tienda dice que no tiene esa planta.
none-there = La tienda dice que no tiene ninguna de estas { $count } plantas
listed-none-there = Están en la lista, y la tienda dice que no tiene esas plantas.
ask-re-add = ¿Volver a añadir { called }?
ask-re-add-many = ¿Volver a añadir estas { $count } plantas?
number-taken = { called }; otra planta de la lista tiene este número
same-number = Algunas tienen el mismo número.
part-of-list = líneas { $first }-{ $last } de { $all }; { $key } avanza
ask-quit = ¿Salir ahora?
demo-ends = Al salir, las plantas de la tienda de prueba desaparecen.
quit-watched = No se pierde nada, pero quizá alguien esté mirando.
quit-in-flight = Peticiones en camino: { $count }. Al salir no se espera la respuesta.
quit-under-way = Tareas en marcha: { $count }. Al salir se interrumpen.
quit-unknown = Plantas que siguen inciertas: { $count }.
quit-unsent = Peticiones sin enviar: { $count }. Se pierden.
quit-forms = Plantas escritas y sin enviar: { $count }. Se pierden.
ask-go-on = ¿Seguir?
ask-go-on-import = ¿Seguir con la importación?
five-prove-nothing = Cinco veces seguidas no llegó nada útil; quizá falle la tienda, la dirección o el token.
ask-leave = ¿Dejar esta tienda?
leaving-ends-demo = Las plantas de la tienda de prueba se pierden al dejarla.
ask-weather = El clima en la tienda de prueba
weather-acts = Lo que la tienda hace con cada petición a partir de ahora.
question-of = { $at } de { $of }: { $question }
press-again = pulsa otra vez [{ $key }] o { $choose }

keep-it = Conservarla
    .hint = no se envía nada
keep-them = Conservarlas
    .hint = no se envía nada
keep-listed = Conservarla
    .hint = sigue en la lista
keep-all-listed = Conservarlas
    .hint = siguen en la lista
delete-it = Borrarla
    .hint = después solo se puede volver a añadir
delete-them = Borrarlas
    .hint = después solo se pueden volver a añadir
leave-it = Dejarla así
    .hint = sigue incierta
leave-them = Dejarlas así
    .hint = siguen inciertas
not-now = Ahora no
    .hint = no se envía nada
stop-here = Parar aquí
    .hint = no se envía nada más
go-on = Seguir
    .hint = envía el resto de todos modos
add-them = Añadirlas
    .hint = le pide a la tienda que las añada
add-again = Enviar otra vez
    .hint = quizá quede duplicada en la tienda
add-all-again = Enviar otra vez
    .hint = quizá queden plantas duplicadas en la tienda
delete-again = Enviar otra vez
    .hint = la borra otra vez; si su número ya es de una planta nueva, se borra esa
delete-all-again = Enviar otra vez
    .hint = las borra otra vez; si un número ya es de una planta nueva, se borra esa
mark-stored = Está en la tienda
    .hint = lo sabes tú; no se envía nada
mark-all-stored = Están en la tienda
    .hint = lo sabes tú; no se envía nada
all-together = Todas juntas
    .hint = una sola pregunta sobre esta planta y las demás
forget-it = Olvidarla
    .hint = la quita de la lista; no se envía nada
forget-add = Olvidar el intento
    .hint = la planta de antes sigue en la lista
forget-them = Olvidarlas
    .hint = las quita de la lista; no se envía nada
stay = Quedarse
    .hint = nada cambia
go-there = Ir allí
    .hint = abre la otra tienda; no se envía nada
quit = Salir
    .hint = cierra el programa
weather-calm = en calma
    .hint = Cada respuesta llega pronto.
weather-slow = lento
    .hint = Las respuestas tardan tres segundos.
weather-losing-responses = pierde respuestas
    .hint = La tienda actúa y calla.
weather-rejecting = dice que no a todo
    .hint = La tienda siempre dice que no.
weather-out-of-order = en desorden
    .hint = Las respuestas se adelantan unas a otras.

form-add = Añadir una planta
form-unsent = Escrita antes, no enviada
form-not-added = No se añadió
form-re-add = Volver a añadir
form-edit = Cambiar y enviar otra vez
form-duplicate = Copia
field =
    { $field ->
        [name] nombre
        [id] número
       *[tag] etiqueta
    }
is-empty =
    { $field ->
        [name] El nombre está vacío.
       *[tag] La etiqueta está vacía.
    }
space-around =
    { $field ->
        [name] El nombre empieza o termina con un espacio.
       *[tag] La etiqueta empieza o termina con un espacio.
    }
invisible =
    { $field ->
        [name] El nombre contiene caracteres que no se ven.
       *[tag] La etiqueta contiene caracteres que no se ven.
    }
taken = { plant.first } ya tiene este número.
number-invalid = Escribe un número entero de 18 cifras como mucho, por ejemplo 12.
rejected-before = La tienda ya dijo que no a la misma planta.
was-deleted = Se borró.
was-forgotten = Se olvidó; quizá la tienda aún la tenga.
was-rejected = La última vez, la tienda dijo que no.
was-not-sent = No se envió.
was-accepted = La tienda dijo que sí.
was-unknown = No se sabe si funcionó.
copy-of = Una copia de { called }.
sent-otherwise = La revisión lo pidió de otra forma; ahora se pide de la habitual.
typed-elsewhere = Esto se escribió en otra tienda. Al escribir se reemplaza; Tab lo conserva.
form-sends = { $enter } le pide a la tienda que añada esta planta.
form-sends-again = Pulsa { $enter } otra vez para pedírselo de todos modos.
form-sends-twice = Pulsa { $enter } dos veces para pedírselo de todos modos.
form-needs-number = { $enter } funciona cuando el número es válido.
form-next-number = { $key } pone { $id }, el siguiente número libre de la lista.
form-kept = Sin enviar. El próximo formulario tendrá este texto.
form-discards = { $esc } o { $key } lo descarta.
form-starts-over = { $key } empieza con un formulario vacío.

re-add = Volver a añadir una planta
find = buscar
find-to-re-add = una parte de un nombre, etiqueta o número
none-to-re-add = Aún nada. Las plantas borradas, olvidadas, rechazadas o no enviadas se encuentran aquí y se pueden volver a añadir.
none-has-this = Ninguna tiene eso en su nombre, etiqueta o número.
nothing-to-undo = Desde que se abrió esta tienda no hiciste nada que se pueda deshacer; { $key } encuentra lo borrado antes.
nothing-to-take-back = Decidiste sobre una planta, y ninguna petición lo deshace.
re-add-marked = marcadas: { $count }; { $enter } las añade todas tras una pregunta.
delete-by-number = Borrar por número
delete-any = Se puede borrar cualquier planta, también una que no esté en la lista: decide la tienda.

token-for = Token de esta tienda
token = token
token-needed = Sin un token válido, la tienda no hace nada.
token-invalid = Eso no dio un token válido.
token-fetches = { $key } con el campo vacío lo vuelve a obtener.
token-fetching = Se está obteniendo otra vez …
token-stays = Solo va a esta tienda, se guarda hasta que sales y nunca se muestra.
token-sends = Peticiones que lo esperan y se envían entonces: { $count }.

tour-shelves = En esta tienda de prueba, cada planta está en una maceta, en el estante de su etiqueta.
tour-form = El recorrido ha pulsado { $add }: una planta tiene nombre, número y etiqueta; aún no se ha enviado nada.
tour-yes = El recorrido frenó la tienda: la semilla esperó en su maceta y creció cuando la tienda dijo que sí.
tour-taken = El número ya está ocupado: el programa te avisa, y la tienda decide.
tour-no = La tienda dijo que no: la petición rebotó y nada ha cambiado.
tour-lost = Esta vez no llegó ninguna respuesta: no se sabe si la tienda tiene la orquídea.
tour-resolve = El recorrido ha pulsado { $resolve }: la tienda no puede decir qué tiene, así que decides tú.
tour-decided = El recorrido ha respondido por ti: la orquídea se da por guardada; no se envió nada.
tour-delete = El recorrido ha pulsado { $delete }: antes de borrar una planta, el programa pregunta.
tour-end = La tienda dijo que sí: la orquídea ya no está. { $help } te enseña todas las teclas.
tour-otherwise = Esto no salió como se esperaba: la imagen muestra lo que se sabe.
tour-first-plants = Se están añadiendo las primeras plantas…
tour-on-its-way = La petición va en camino…
tour-journal = Se está anotando en el registro…
tour-picture = Aquí, cada petición se convierte en un dibujo.
tour-cacti = Cactus luna, Cactus estrella, Cactus antorcha, Cactus erizo, Cactus cirio
tour-desert = desierto
tour-orchids = Orquídea blanca, Orquídea rosa, Orquídea roja, Orquídea amarilla, Orquídea lila
tour-tropical = trópico
sample-names = Monstera deliciosa, Albahaca genovesa, Helecho de Boston, Dalia «Café au lait», Cactus barril dorado, Lavanda inglesa
sample-tags = { tour-tropical }, cocina, sombra, flor cortada, { tour-desert }, huerto

tour-position = Recorrido, { $at } de { $of }
tour-goes-on = Espacio: seguir, Esc: salir
tour-ends = Espacio: terminar el recorrido
tour-leave = Esc: salir
tour-really-leave = Esc otra vez: salir del recorrido; Espacio: seguir
tour-not-yet = un momento: esto sigue en marcha
tour-your-keys = teclas tras el recorrido; Espacio: seguir, Esc: salir
tour-looks-back = vuelta atrás, nada se deshace; Espacio: seguir

tour-elsewhere = El recorrido es en la tienda de prueba; esta se queda como está.
tour-over = El recorrido ha terminado.
tour-left = Has dejado el recorrido.
tour-left-plants = Lo que añadió se queda.
tour-left-weather = El clima vuelve a ser el de antes.
tour-left-demo = Esta es la tienda de prueba: { $key } lleva a la tuya.
stage-begins = La presentación muestra lo que pulsas; { $key } la termina.
stage-ends = La presentación ha terminado.

header-demo = TIENDA DE PRUEBA
header-demo-gone = en este equipo, al salir no queda nada
header-stored = guardadas: { $count }
header-on-its-way = en camino: { $count }
header-unknown = ? inciertas: { $count }
header-all-known = nada incierto
header-in-flight = en camino: { $count }
header-not-sent = sin enviar: { $count }
header-read-only = SOLO LECTURA
header-no-token = sin token
header-token-set = hay token
header-not-encrypted = sin cifrar
header-checks = revisión: { $done } de { $all } pasos
header-ends-check = la revisión termina
header-team = equipo
header-team-offline = equipo sin conexión
header-team-not-joined = fuera del equipo
header-team-takes-none = el equipo no acepta nada
header-team-people =
    { $count ->
        [one] 1 persona
       *[other] { $count } personas
    }
header-team-reads = por leer: { $count }
header-team-skipped = omitidos: { $count }
header-team-sends = por enviar: { $count }
header-slow = clima: lento
header-losing-responses = clima: pierde respuestas
header-rejecting = clima: dice que no a todo
header-out-of-order = clima: en desorden

import-begun = La importación ha empezado; { $key } la detiene.
import-done = { $done } de { $all }
import-left = { $rate }  quedan { $time }
import-stopping =
    { $count ->
        [one] deteniendo: falta 1 respuesta
       *[other] deteniendo: faltan { $count } respuestas
    }
import-cancelling =
    { $count ->
        [one] cancelando 1 petición
       *[other] cancelando { $count } peticiones
    }
import-waits = espera tu respuesta
import-pauses = la tienda pide esperar { $time }

nothing-leaves = Todo queda en este equipo.
key-helps = { $key } muestra todas las teclas.
key-resolves = Con { $key } decides qué hacer.
key-sends-again = { $key } lo envía otra vez.
key-re-adds = { $key } la añade otra vez.
key-opens-form = { $key } vuelve a abrir el formulario.
key-goes-on = Queda algo incierto: { $key } para seguir.
not-listed = { plant.first } no está en la lista.
key-does-nothing = { $key } no hace nada ahora.
key-cannot = { $key } no hace nada ahora: { $why }.
why-not = { $name }
    .no-plant-is-selected = no hay ninguna planta elegida
    .nothing-is-unknown = no hay nada incierto
    .nothing-waits-to-be-sent-again = no hay nada que enviar otra vez
    .nothing-is-in-flight = no hay nada en camino
    .something-is-in-flight-wait-for-it-or-cancel-it = aún hay algo en camino
    .an-import-is-under-way-wait-for-its-end-or-stop-it = hay una importación en marcha
    .a-check-is-under-way-wait-for-its-end-or-stop-it = hay una revisión en marcha
    .its-delete-is-already-under-way = ya se está borrando
    .another-program-deletes-it-already = otro programa ya la está borrando
    .its-name-is-not-known = no se conoce su nombre
    .all-of-it-is-on-screen = ya se ve todo
    .only-the-demo-store-has-weather-to-choose = solo la tienda de prueba tiene clima
    .the-store-is-read-only-here-by---read-only-its-variable-the-config-file-or-the-journal = solo lectura, no se envía nada
too-early = Has pulsado antes de poder leer esto: otra vez, por favor.
still-under-way = Sigue en marcha: pulsa otra vez { $key } para detenerlo.
select-to-cancel = En camino: { $count }. Elige una y cancélala con { $key }, o todas con { $all }.
filter-hides = El filtro la oculta: { $key } las muestra todas.
nothing-unknown = No hay nada incierto.
no-marked-unknown = Ninguna de las marcadas es incierta. { $back } las desmarca; después, { $resolve } resuelve las demás.
sort-by = ¿Por qué columna ordenar? Pulsa su número.
sorted-by = Ordenado por: { $column }.
range-begun = Se marca todo por donde pasas; { $key } lo termina.
paste-into-form = Solo se puede pegar texto en un formulario.
setting-kept = El ajuste se conserva para la próxima vez.
setting-lasts = El ajuste vale hasta que salgas.
token-set = Token recibido.
copied = Copiado.
copied-perhaps = Copiado, si tu terminal lo admite.
asks-when-run = Cada vez que se ejecute el comando curl, la petición se enviará otra vez.
discarded = Descartado.
mouse-of-terminal = El ratón selecciona texto ahora; { $key } lo recupera.
mouse-of-program = El ratón vuelve a actuar aquí; con { $key } selecciona texto.
weather-now = El clima: { $weather }. { $effect }

key = { $name }
    .Enter = Intro
    .Esc = Esc
    .Tab = Tab
    .Shift = Mayús
    .Backspace = Retroceso
    .Delete = Supr
    .Up = Arriba
    .Down = Abajo
    .Left = Izquierda
    .Right = Derecha
    .Home = Inicio
    .End = Fin
    .PageUp = RePág
    .PageDown = AvPág
    .Ctrl = Ctrl
    .Alt = Alt
    .Space = Espacio

label = { $name }
    .add = añadir
    .delete = borrar
    .delete-by-id = borrar por número
    .resolve = resolver
    .send-again = enviar otra vez
    .open = abrir
    .filter = filtrar
    .sort = ordenar
    .mark = marcar
    .unmark = desmarcar
    .requests = peticiones
    .connection = conexión
    .duplicate = duplicar
    .re-add = volver a añadir
    .undo = deshacer
    .import = importar
    .export-plants = exportar plantas
    .outcome = resultado
    .only-its-plant = solo su planta
    .compare = comparar
    .report = informe
    .check = revisar
    .earlier = anteriores
    .weather = clima
    .as-sent = tal cual
    .picture = dibujo
    .copy-curl = copiar curl
    .copy-response = copiar respuesta
    .copy-id = copiar número
    .next-column = columna siguiente
    .edit = cambiar
    .fold = plegar
    .unfold = desplegar
    .commands = comandos
    .tour = recorrido
    .help = ayuda
    .quit = salir
    .cancel = cancelar
    .dismiss = ocultar
    .show-all = mostrar todo
    .scroll = desplazar
    .back = atrás
    .send = enviar
    .next-field = campo siguiente
    .previous = anterior
    .change = cambiar
    .close = cerrar
    .headers = cabeceras
    .next-free-id = siguiente número libre
    .start-over = empezar de nuevo
    .choose = elegir
    .next = siguiente
    .find = buscar
    .take-it = elegir
    .keep-it = conservar
    .to-the-list = a la lista
    .end-the-range = terminar el rango
    .stop-waiting = dejar de esperar
    .open-it = abrir
    .write-it = guardar
    .save-and-open-it = guardar y abrir
    .complete = completar
    .complete-next-field = completar, campo siguiente
    .do-it = ejecutar
    .go-to-the-id = ir al número
    .once-more-send-it = otra vez: enviar
    .twice-send-it = dos veces: enviar
    .go-there = ir allí
    .formatted = con formato
    .go-on = seguir
    .stop-here = parar aquí
    .use-it = usar
    .add-the-marked-ones = añadir las marcadas
    .validate-it = validar
    .stop-reading = dejar de leer
    .stop = detener
    .stop-at-once = detener ya
    .stop-the-import = detener la importación
    .cancel-what-is-in-flight = cancelar lo que va en camino
    .cancel-the-command = cancelar el comando
    .cancel-the-commands = cancelar los comandos
    .end-the-comparison = terminar la comparación
    .accepted = aceptadas
    .rejected = rechazadas
    .unknown = inciertas
    .not-sent = no enviadas
    .The-import-is-done = La importación ha terminado
    .The-import-was-stopped = La importación se detuvo
    .The-import-halted = La importación se interrumpió
    .An-import-is-under-way = Hay una importación en marcha
    .file = archivo
    .left-out = descartadas
    .done = hechas
    .not-tried = sin probar
    .more-below = sigue abajo
    .rows-that-need-a-look = filas que conviene mirar
    .skipped = omitidas
    .id = número
    .name = nombre
    .tag = etiqueta
    .state = estado
    .since = desde
    .started = inicio
    .what = operación
    .plant = planta
    .status = código
    .size = tamaño
    .took = duración
    .Plants = Plantas
    .History = Historial
    .Check = Revisión
    .Greenhouse = Invernadero
