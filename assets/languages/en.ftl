### What an audience reads: the Greenhouse, the tour and presentation mode. English is the original, and the other files
### have the same messages, attributes and variables.
###
### It speaks as to a child: no numbers of HTTP, no jargon, and no more than is proven.
###
### $name is the name of a plant, $id its number, and $named says whether the name is known (yes or no). $time is a
### duration, like 12 ms. .short is the same in fewer words, for large letters.

## The plant, inside a sentence, at its beginning, and in a title

plant =
    { $named ->
        [yes] { $name }
       *[no] plant { $id }
    }
    .first =
        { $named ->
            [yes] { $name }
           *[no] Plant { $id }
        }
called =
    { $named ->
        [yes] { $name } ({ $id })
       *[no] plant { $id }
    }

## What you ask the store for. A no-break space stands before the number.

please-add =
    { $named ->
        [yes] Please add { $name }, plant { $id }.
       *[no] Please add plant { $id }.
    }
please-delete =
    { $named ->
        [yes] Please delete { $name }, plant { $id }.
       *[no] Please delete plant { $id }.
    }

## What came of it, first of all

said-yes = The store said yes in { $time }.
    .short = The store said yes.
said-no = The store said no.
said-neither = The store said neither yes nor no.
nothing-sent = Nothing was sent.
no-response = No response came back.
no-response-within = No response came back within { $time }.
    .short = No response came back.
no-response-again = No response came back this time, either.
    .short = No response, again.
you-decided = Decided.

## Why the store said no. "It" is the store.

weather = Its weather makes it say no to everything.
nothing-changed = It said that nothing has changed, which does not fit this request.
points-elsewhere = It points to another address, and nothing is sent there.
invalid-request = It does not take this request as it is.
unknown-token = It does not accept the token that came with the request.
forbidden = This token does not allow that.
takes-no-plants = Nothing takes plants at this address, which may be the wrong one.
knows-no-plant = It knows no plant { $id }.
knows-no-plant-or-address = It knows no plant { $id }, or the address is the wrong one.
does-no-such-things = It does not do such things at this address, which may be the wrong one.
has-one-already = It seems to have a plant { $id } already.
had-it-once = It had plant { $id } once, and has it no more.
too-long = The request is too long for it.
another-kind = It does not take requests of this kind.
asked-too-often = It was asked too often and wants a break.
no-reason = It did not say why in a way that everybody understands.
store-words = The response says: "{ $words }".

## Why it said neither yes nor no

gave-up-waiting = It gave up waiting for the rest of the request.
from-the-way = The response seems to come from somebody on the way to the store.
cannot-now = It said that it cannot do this now.
went-wrong-inside = It said that something went wrong inside it.

## Why nothing was sent, or no response came back

not-written-down = The request could not be noted here, and nothing leaves before it is.
no-request-possible = No request can be made of this.
not-reached = The store cannot be reached.
not-reached-within = The store could not be reached within { $time }.
stopped-in-time = The request was stopped in time.
changed-meanwhile = Somebody changed the plant in the meantime.
you-stopped-waiting = You stopped waiting.
program-ended = The program ended first.
program-failed = A part of this program failed.

## What this means for the plant

added =
    { $named ->
        [yes] { $name } is now plant { $id }.
       *[no] Plant { $id } is there now, without a name.
    }
deleted = { plant.first } is gone.
not-added = { plant.first } was not added.
not-deleted = { plant.first } was not deleted.
unknown-add = It is unknown whether { plant } was added.
unknown-delete = It is unknown whether { plant } was deleted.
not-added-again = { plant.first } was not added a second time; plant { $id } is as it was.
not-added-beside = { plant.first } was not added; the earlier plant { $id } is as it was.
counts-as-stored = { plant.first } counts as stored.
leaves-the-list = { plant.first } leaves the list.

## What it means for an earlier request, which was left unknown

earlier-delete-worked = It seems that the earlier delete worked and { plant } is gone.
earlier-add-lost = It seems that the earlier add never arrived and { plant } was never there.
earlier-add-worked = That may be the plant of the earlier add.
earlier-delete-failed = It seems that the earlier delete did not work.
still-unknown-add = This changed nothing, and it is still unknown whether the earlier add worked.
still-unknown-delete = This changed nothing, and it is still unknown whether the earlier delete worked.

## How a yes differs from the description of the store. $field is name or tag.

but-broke-off = But its response broke off in the middle.
but-too-long = But its response was too long to be read to the end.
but-empty = But the store did not repeat what it took, although its description says so.
but-unlike = But its response is unlike its description.
but-missing =
    { $field ->
        [name] But the store did not repeat the name.
       *[tag] But the store did not repeat the tag.
    }
but-another-form =
    { $field ->
        [name] But the store repeated the name in another form than the one sent.
       *[tag] But the store repeated the tag in another form than the one sent.
    }
but-changed =
    { $field ->
        [name] But the store repeated the name as "{ $came }", and "{ $sent }" was sent.
       *[tag] But the store repeated the tag as "{ $came }", and "{ $sent }" was sent.
    }
but-said-more = But the store said more than its description shows.
of-member = { $name } requested that.

## The picture, and its title

you-and-the-store = You and the store
title-add = add { called }
title-delete = delete { called }
title-forgotten = { called }, forgotten
title-resolved = { called }, resolved
you = you
the-store = the store
arrived = arrived?
on-its-way = The request is on its way.
no-response-yet = no response yet
no-response-for = no response yet, { $time }
stopped-waiting = stopped waiting
answer-yes = Yes.
answer-no = No.
answer-neither = Neither yes nor no.
answer-none = no response
not-sent = Not sent.
request = Request
response = Response
no-request-stored = No request is stored.
no-readable-response = No readable response.
stored = Counts as stored.
forgotten = Forgotten.
is-not-listed = It is not in the list.
nothing-sent-for-that = Nothing was sent for that.
new-plant = A new plant.
typed-before = Typed before.
really-delete = Delete it?
really-delete-them = Delete them?
reading = The journal is being read …
nothing-said-yet = Nothing has been said yet. Add a plant, and see here how that goes.
many-accepted = The store said yes: { $count }.
many-added = Plants added: { $count }.
many-deleted = Plants deleted: { $count }.
many-stored = Counted as stored: { $count }.
many-forgotten = Plants forgotten: { $count }.
many-rejected = The store said no: { $count }.
many-not-sent = Not sent: { $count }.
many-left = Still to come: { $count }.
select-a-plant = Select a plant to see what was said of it last.

## The shelves. $add and $tour are keys. A word on a pot has 11 columns at most, and one on a board 12.

nothing-grows = Nothing grows here yet: { $add } adds a plant, { $tour } shows you around the demo store.
none-fits = No plant fits the filter.
one-pot = pot { $first } of { $all }
pots = pots { $first }-{ $last } of { $all }
marked = { $count } marked
pot-on-its-way = on its way
pot-unknown = unknown
pot-leaving = leaving
pot-deleted = deleted
pot-forgotten = forgotten
pot-rejected = rejected
pot-not-sent = not sent
board-not-stored = not stored
board-unknown-tag = unknown tag
board-no-tag = no tag

## A question: what it asks, what has to be known for that, and its choices; .hint is what follows from one. $store is an
## address, $key and $choose are keys.

ask-delete = Delete { called }?
ask-delete-many = Delete these { $count } plants?
at-store = At the store { $store }.
some-not-listed = Not in the list: { $count }; the store may still have them.
left-out = Left out: { $count }.
hidden-by-filter = Hidden by the filter: { $count }.
may-have-it = It is not in the list; the store may still have it.
unknown-there = It is unknown whether the store has it.
ask-there = Is { called } in the store?
ask-still-there = Is { called } still in the store?
ask-there-many = Are these { $count } plants in the store?
only-you-can-say = The store cannot be asked what it has, so only you can say.
ask-forget = Forget { called }?
ask-forget-many = Forget these { $count } plants?
stays-there = The store is not asked: what it has stays there.
not-there = The store says it has no plant { $id }
listed-not-there = { plant.first } is in the list, and the store says that it has no such plant.
none-there = The store says it has none of these { $count } plants
listed-none-there = They are in the list, and the store says that it has no such plants.
ask-re-add = Re-add { called }?
ask-re-add-many = Re-add these { $count } plants?
number-taken = { called }; another plant in the list has this number
same-number = Some of them have the same number.
part-of-list = lines { $first }-{ $last } of { $all }; { $key } scrolls
ask-quit = Quit now?
demo-ends = The plants of the demo store are gone once you quit.
quit-watched = Nothing is lost, but people may be watching.
quit-in-flight = Requests on the way: { $count }. Quitting does not wait for the response.
quit-under-way = Tasks under way: { $count }. Quitting ends them.
quit-unknown = Plants left unknown: { $count }.
quit-unsent = Requests not sent: { $count }. They are lost.
quit-forms = Plants typed and not sent: { $count }. They are lost.
ask-go-on = Go on?
ask-go-on-import = Go on with the import?
five-prove-nothing = Five times in a row, nothing usable came back; something may be wrong with the store, the address or the token.
ask-leave = Leave this store?
leaving-ends-demo = The plants of the demo store are gone once you leave it.
ask-weather = The weather at the demo store
weather-acts = What the demo store does to every request from now on.
question-of = { $at } of { $of }: { $question }
press-again = press { $key } again, or { $choose }

keep-it = Keep it
    .hint = nothing is sent
keep-them = Keep them
    .hint = nothing is sent
keep-listed = Keep it
    .hint = it stays in the list
keep-all-listed = Keep them
    .hint = they stay in the list
delete-it = Delete it
    .hint = asks the store to delete it; afterwards it can only be added again
delete-them = Delete them
    .hint = asks the store to delete them; afterwards they can only be added again
leave-it = Leave it
    .hint = it stays unknown
leave-them = Leave them
    .hint = they stay unknown
not-now = Not now
    .hint = nothing is sent
stop-here = Stop here
    .hint = nothing more is sent
go-on = Go on
    .hint = sends the rest all the same
add-them = Add them
    .hint = asks the store to add them
add-again = Send again
    .hint = adds it again: the store may then have it twice
add-all-again = Send again
    .hint = asks for all of that again: the store may then have plants twice
delete-again = Send again
    .hint = deletes it again; if its number was used again in the meantime, the new plant is deleted
delete-all-again = Send again
    .hint = deletes them again; if a number was used again in the meantime, the new plant is deleted
mark-stored = Mark as stored
    .hint = you know that it is there; nothing is sent
mark-all-stored = Mark as stored
    .hint = you know that they are there; nothing is sent
all-together = All together
    .hint = one question about this plant and the rest
forget-it = Forget the plant
    .hint = removes it from the list; nothing is sent
forget-add = Forget the add
    .hint = the plant from before stays in the list
forget-them = Forget the plants
    .hint = removes them from the list; nothing is sent
stay = Stay
    .hint = nothing changes
go-there = Go there
    .hint = opens the other store; nothing is sent
quit = Quit
    .hint = ends the program
weather-calm = calm
    .hint = Every response comes soon.
weather-slow = slow
    .hint = Responses take three seconds.
weather-losing-responses = losing responses
    .hint = The store acts, and is silent.
weather-rejecting = rejecting
    .hint = The store says no every time.
weather-out-of-order = out of order
    .hint = Responses overtake each other.

## The form that adds a plant: its titles, its fields in at most 8 columns, and its sentences. $enter, $esc and $key are keys.

form-add = Add a plant
form-unsent = Typed before, not sent
form-not-added = Not added
form-re-add = Re-add
form-edit = Edit and resend
form-duplicate = Duplicate
field =
    { $field ->
        [name] name
        [id] number
       *[tag] tag
    }
is-empty =
    { $field ->
        [name] The name is empty.
       *[tag] The tag is empty.
    }
space-around =
    { $field ->
        [name] The name begins or ends with a space.
       *[tag] The tag begins or ends with a space.
    }
invisible =
    { $field ->
        [name] The name contains characters that do not show.
       *[tag] The tag contains characters that do not show.
    }
taken = { plant.first } has this number already.
number-invalid = Type a whole number of at most 18 digits, like 12.
rejected-before = The store said no to the same plant before.
was-deleted = It was deleted.
was-forgotten = It was forgotten here; the store may still have it.
was-rejected = The store said no the last time.
was-not-sent = It was not sent.
was-accepted = The store said yes to this.
was-unknown = It is unknown whether this worked.
copy-of = A copy of { called }.
sent-otherwise = The check asked in another way; this asks in the usual one.
typed-elsewhere = This was typed at another store. Typing replaces it, Tab keeps it.
form-sends = { $enter } asks the store to add this plant.
form-sends-again = { $enter } once more asks the store all the same.
form-sends-twice = { $enter } twice asks the store all the same.
form-needs-number = { $enter } works once the number is valid.
form-next-number = { $key } takes { $id }, the next free one of the list.
form-kept = Not sent. The next form has this text again.
form-discards = { $esc } or { $key } discards it.
form-starts-over = { $key } starts over with an empty form.

## The list of plants that can be re-added, and the form that deletes by number. $enter and $delete are keys.

re-add = Re-add a plant
find = find
find-to-re-add = a part of a name, tag or number
none-to-re-add = Nothing yet. Plants that are deleted, forgotten, rejected or not sent can be found here, and added again.
none-has-this = None has this in its name, tag or number.
nothing-to-undo = Nothing of yours to undo since this store was opened; { $key } finds what was deleted before.
nothing-to-take-back = You decided about a plant, and no request takes that back.
re-add-marked = { $count } marked: { $enter } adds all marked plants after one question.
delete-by-number = Delete by number
delete-any = Any plant can be deleted, also one that is not in the list: the store decides.

## The dialog for a token, whose label has at most 8 columns. $key is a key.

token-for = Token for this store
token = token
token-needed = Without a valid token, the store does nothing.
token-invalid = That gave no valid token.
token-fetches = { $key } on the empty field fetches it again.
token-fetching = It is being fetched again …
token-stays = It goes to this store only, is kept until you quit, and is never shown.
token-sends = Requests that wait for it and are sent then: { $count }.

## The tour. $add, $resolve, $delete and $help are keys. Of its plants, each list has more than one,
## as those of an earlier tour may still be there; a word of each name is among those of plants.txt.

tour-shelves = Every plant has a pot on the shelf of its tag, at a demo store inside this program.
tour-form = The tour has pressed { $add }: a plant has a name, a number and a tag, and nothing is sent yet.
tour-yes = The tour made the store slow, so the seed waited in its pot, and grew when the store said yes.
tour-taken = The number is taken now, so the program warns you, and leaves it to the store to decide.
tour-no = The store said no, so the request bounced off, and nothing has changed.
tour-lost = No response came back this time, so it is unknown whether the store has the orchid.
tour-resolve = The tour has pressed { $resolve }: you decide that yourself, as the store cannot be asked what it has.
tour-decided = The tour has answered for you: the orchid counts as stored, and nothing was sent for that.
tour-delete = The tour has pressed { $delete } to delete a plant, and the program asks you first.
tour-end = The store said yes, so the orchid is gone, and { $help } shows you every key.
tour-otherwise = This did not go as planned: the picture shows what is known.
tour-first-plants = The first plants are being added …
tour-on-its-way = The request is on its way …
tour-journal = The journal is at work …
tour-picture = Here, every request becomes a picture.
tour-cacti = Moon cactus, Star cactus, Torch cactus, Old man cactus, Bishop's cap cactus
tour-desert = desert
tour-orchids = Ghost orchid, Moth orchid, Spider orchid, Lady's slipper orchid, Bee orchid
tour-tropical = tropical
sample-names = Monstera deliciosa, Genovese basil, Boston fern, Café au lait dahlia, Golden barrel cactus, English lavender
sample-tags = { tour-tropical }, kitchen, shade, cut flower, { tour-desert }, herb garden

## The border of its caption: where it is, and what the keys do

tour-position = Tour, { $at } of { $of }
tour-goes-on = Space goes on, Esc leaves
tour-ends = Space ends the tour
tour-leave = Esc leaves
tour-really-leave = Esc again leaves the tour; Space goes on
tour-not-yet = not yet: this is still under way
tour-your-keys = your keys work after the tour: Space goes on, Esc leaves
tour-looks-back = looking back: what was done stays; Space goes on

## How the tour and presentation mode begin and end. $key is a key.

tour-elsewhere = The tour is at the demo store; this one stays as it is.
tour-over = The tour is over.
tour-left = You have left the tour.
tour-left-plants = What it added stays.
tour-left-weather = The weather is as it was before.
tour-left-demo = This is the demo store: { $key } goes to yours.
stage-begins = Presentation mode shows the keys you press; { $key } ends it.
stage-ends = Presentation mode has ended.

## The header. $count is a number of plants, of people or of messages.

header-demo = DEMO STORE
header-demo-gone = on this machine, all gone once you quit
header-stored = { $count } stored
header-on-its-way = { $count } on the way
header-unknown = ? { $count } unknown
header-all-known = no unknown outcomes
header-in-flight = { $count } in flight
header-not-sent = { $count } not sent
header-read-only = READ-ONLY
header-no-token = no token
header-token-set = token set
header-not-encrypted = not encrypted
header-checks = checking: { $done } of { $all } steps done
header-ends-check = ending the check
header-team = team
header-team-offline = team offline
header-team-not-joined = team not joined
header-team-takes-none = team takes no entries
header-team-people =
    { $count ->
        [one] 1 person
       *[other] { $count } people
    }
header-team-reads =
    { $count ->
        [one] 1 message to read
       *[other] { $count } messages to read
    }
header-team-skipped =
    { $count ->
        [one] 1 message skipped
       *[other] { $count } messages skipped
    }
header-team-sends = { $count } to send
header-slow = weather: slow
header-losing-responses = weather: losing responses
header-rejecting = weather: rejecting
header-out-of-order = weather: out of order

## The progress of an import. $rate is like 12/s.

import-begun = The import has begun. { $key } stops it.
import-done = { $done } of { $all }
import-left = { $rate }  { $time } left
import-stopping =
    { $count ->
        [one] stopping: waiting for 1 response
       *[other] stopping: waiting for { $count } responses
    }
import-cancelling =
    { $count ->
        [one] cancelling 1 request
       *[other] cancelling { $count } requests
    }
import-waits = waits for your answer
import-pauses = the store asks to wait { $time }

## What the line below says, where it is not about a request alone. $key, $all, $back and $resolve are keys; $weather
## and $effect are of a weather above, $column is the name of one. $why is one of `why-not`, by its English words with a
## dash for each space; of any other reason, only `key-does-nothing` is said.

nothing-leaves = A demo: nothing leaves this machine.
key-helps = { $key } shows every key.
key-resolves = { $key } resolves it.
key-sends-again = { $key } sends it again.
key-re-adds = { $key } adds it again.
key-opens-form = { $key } opens the form again.
key-goes-on = Something is still unknown; { $key } goes on.
not-listed = { plant.first } is not in the list.
key-does-nothing = { $key } does nothing now.
key-cannot = { $key } does nothing now: { $why }.
why-not = { $name }
    .no-plant-is-selected = no plant is selected
    .nothing-is-unknown = nothing is unknown
    .nothing-waits-to-be-sent-again = nothing waits to be sent again
    .nothing-is-in-flight = nothing is in flight
    .something-is-in-flight-wait-for-it-or-cancel-it = something is in flight; wait for it, or cancel it
    .an-import-is-under-way-wait-for-its-end-or-stop-it = an import is under way; wait for its end, or stop it
    .a-check-is-under-way-wait-for-its-end-or-stop-it = a check is under way; wait for its end, or stop it
    .its-delete-is-already-under-way = its delete is already under way
    .another-program-deletes-it-already = another program deletes it already
    .its-name-is-not-known = its name is not known
    .all-of-it-is-on-screen = all of it is on screen
    .only-the-demo-store-has-weather-to-choose = only the demo store has weather to choose
    .the-store-is-read-only-here-by---read-only-its-variable-the-config-file-or-the-journal = the store is read-only here, by --read-only, its variable, the config file or the journal
too-early = That came before you could read this: once more, please.
still-under-way = Still under way: { $key } again stops it.
select-to-cancel = On the way: { $count }. Select one and press { $key } to cancel it, or { $all } for all.
filter-hides = The filter hides it: { $key } shows all.
nothing-unknown = Nothing is unknown.
no-marked-unknown = None of the marked plants is unknown. { $back } clears the marks; then { $resolve } resolves the others.
sort-by = Sort by which column? Press its number.
sorted-by = Sorted by { $column }.
range-begun = What you move over is marked; { $key } ends that.
paste-into-form = Pasted text goes into a form; open one first.
setting-kept = The setting is kept for the next start.
setting-lasts = The setting lasts until you quit.
token-set = The token is set.
copied = Copied.
copied-perhaps = Copied, if your terminal takes it.
asks-when-run = Each run of the curl command sends the request again.
discarded = Discarded.
mouse-of-terminal = The mouse selects text now; { $key } takes it back.
mouse-of-program = The mouse works here again; { $key } lets it select text.
weather-now = The weather: { $weather }. { $effect }

## The names of keys, and of the parts of those like Shift-Tab

key = { $name }
    .Enter = Enter
    .Esc = Esc
    .Tab = Tab
    .Shift = Shift
    .Backspace = Backspace
    .Delete = Delete
    .Up = Up
    .Down = Down
    .Left = Left
    .Right = Right
    .Home = Home
    .End = End
    .PageUp = PageUp
    .PageDown = PageDown
    .Ctrl = Ctrl
    .Alt = Alt
    .Space = Space

## What the keys do, and the tabs, by their English names with a dash for each space

label = { $name }
    .add = add
    .delete = delete
    .delete-by-id = delete by id
    .resolve = resolve
    .send-again = send again
    .open = open
    .filter = filter
    .sort = sort
    .mark = mark
    .unmark = unmark
    .requests = requests
    .connection = connection
    .duplicate = duplicate
    .re-add = re-add
    .undo = undo
    .import = import
    .export-plants = export plants
    .outcome = outcome
    .only-its-plant = only its plant
    .compare = compare
    .report = report
    .check = check
    .earlier = earlier
    .weather = weather
    .as-sent = as sent
    .picture = picture
    .copy-curl = copy curl
    .copy-response = copy response
    .copy-id = copy id
    .next-column = next column
    .edit = edit
    .fold = fold
    .unfold = unfold
    .commands = commands
    .tour = tour
    .help = help
    .quit = quit
    .cancel = cancel
    .dismiss = dismiss
    .show-all = show all
    .scroll = scroll
    .back = back
    .send = send
    .next-field = next field
    .previous = previous
    .change = change
    .close = close
    .headers = headers
    .next-free-id = next free id
    .start-over = start over
    .choose = choose
    .next = next
    .find = find
    .take-it = take it
    .keep-it = keep it
    .to-the-list = to the list
    .end-the-range = end the range
    .stop-waiting = stop waiting
    .open-it = open it
    .write-it = write it
    .save-and-open-it = save and open it
    .complete = complete
    .complete-next-field = complete, next field
    .do-it = do it
    .go-to-the-id = go to the id
    .once-more-send-it = once more: send it
    .twice-send-it = twice: send it
    .go-there = go there
    .formatted = formatted
    .go-on = go on
    .stop-here = stop here
    .use-it = use it
    .add-the-marked-ones = add the marked ones
    .validate-it = validate it
    .stop-reading = stop reading
    .stop = stop
    .stop-at-once = stop at once
    .stop-the-import = stop the import
    .cancel-what-is-in-flight = cancel what is in flight
    .cancel-the-command = cancel the command
    .cancel-the-commands = cancel the commands
    .end-the-comparison = end the comparison
    .accepted = accepted
    .rejected = rejected
    .unknown = unknown
    .not-sent = not sent
    .The-import-is-done = The import is done
    .The-import-was-stopped = The import was stopped
    .The-import-halted = The import halted
    .An-import-is-under-way = An import is under way
    .file = file
    .left-out = left out
    .done = done
    .not-tried = not tried
    .more-below = more below
    .rows-that-need-a-look = rows that need a look
    .skipped = skipped
    .id = id
    .name = name
    .tag = tag
    .state = state
    .since = since
    .started = started
    .what = what
    .plant = plant
    .status = status
    .size = size
    .took = took
    .Plants = Plants
    .History = History
    .Check = Check
    .Greenhouse = Greenhouse
