# The words of askwell's own chrome. Shared by the terminal and the page.
# Values come in by name; asker text never does, but for the name shown in a sentence.

# Header strip
asks = { $name } asks
askwell-asks = askwell asks
position = { $at } / { $total }
time-left = { $time } left
time-up-soon = { $time } left!

# The question
placeholder-custom = Write your own answer…
placeholder-text = Write your answer…
not-sent = not sent
recommended = recommended
context-collapsed = Context: { $lines ->
    [one] 1 line
   *[other] { $lines } lines
} · o opens
preview-of = Preview: { $label }
preview-lines = lines { $from }–{ $to } of { $total } · J/K
unread = more to read: o
lines-shown-short = { $at }/{ $total } PgDn
preview-lines-short = { $at }/{ $total } J/K
lines-shown = lines { $from }–{ $to } of { $total } · PgDn/PgUp
filter-none = No option matches “{ $filter }”.
skipped-banner = Skipped: what you entered is kept and not sent. s takes it back.

# Status line
selected = { $count } selected
your-text = your text
with-your-text = { $count } selected + your text
nothing-yet = nothing entered yet
filter-status = filter: { $filter } · { $shown } of { $total }
draft-saved = draft saved
draft-unsaved = not saved yet: { $reason }
draft-no-host = no host
draft-host-silent = the host does not answer
sending = Sending…
wait-keys = Keys count in a moment…
unfinished = Nothing entered yet: choose, write, or press s to skip.
unfinished-field = Nothing written yet. Write an answer, or press Esc and then s to skip.
unfinished-batch = Still open: { $names }
hidden-by-filter = Option { $number } is hidden by the filter.
only-multi = Only one option can be chosen here.
no-custom = This question takes only its own options.
undo-nothing = Nothing to undo.
keys-dropped = Keys typed ahead were not used.
paste-nowhere = Nothing was pasted: there is no field here.
filter-nothing = No option matches: change the filter, or press Esc to clear it.
paste-cut = The pasted text was cut: the field holds at most { $limit } bytes.
editor-unset = No editor is set: set EDITOR (or VISUAL) before you begin.
editor-start = The editor could not be opened: { $reason }.
editor-failed = The editor failed ({ $reason }); your text is as it was.
editor-unreadable = The editor's file can't be read ({ $reason }); your text is as it was.
editor-not-text = What the editor wrote is not UTF-8; your text is as it was.
editor-too-long = The text is over { $limit } bytes; your text is as it was.
editor-kept = { $what } Its file stays: { $path }
field-full = The field is full: it holds at most { $limit } bytes.
comment-blank = Write a comment, or press Esc to go back.
restored = Draft restored.
started-empty = Started empty. The earlier draft is kept.
elsewhere = Changed elsewhere. Your text here stands and is sent; Ctrl-T takes theirs.
answering-too = also answering: { $names }
answering-now = Also answering this now: { $names }
somebody-else = whoever runs this host
elsewhere-other = Changed elsewhere: { $name }. Your text there is kept; Ctrl-T takes theirs.
elsewhere-theirs = Elsewhere: { $text } · Ctrl-T takes that
elsewhere-own = Yours is kept: { $text } · Ctrl-T takes it back
elsewhere-taken = Taken from elsewhere. Yours is kept; Ctrl-T takes it back.
elsewhere-back = Taken back. The other is kept; Ctrl-T swaps again.
elsewhere-empty = nothing
elsewhere-nothing = Nothing else was entered here on another screen.
taken-elsewhere = Updated from elsewhere.
deadline-soon = The time is nearly up. Ctrl-X gives ten more minutes.
deadline-none = This has no deadline.
deadline-elsewhere = The deadline was put off elsewhere.
deadline-kept = The deadline was not put off: { $reason }
plan-no-decline = There is no other option here: reply, or cancel with x.

# Prompts
leave-title = Leave these questions?
leave-draft = What you entered is kept as a draft.
# After the dialog, on standard error
note-editor-kept = what your editor wrote and could not be taken over is in { $path }
note-draft-kept = what was entered is kept for { $days } days; ask the same again from here to get it back
note-not-saved = what you entered could not be saved: { $reason }
note-not-saved-copy = to be copied, as it is nowhere else:
note-chosen = chosen: { $labels }
note-skipped = skipped
note-text-kept = the text that was not sent is kept for { $days } days; ask the same again from here to get it back
note-answered = answered { $id }
note-cancelled = cancelled { $id }
note-aborted = aborted { $id }
note-expired = expired { $id }
note-answered-elsewhere = { $id } was answered elsewhere
note-cancelled-elsewhere = { $id } was cancelled elsewhere
note-aborted-elsewhere = { $id } was aborted elsewhere
note-expired-elsewhere = { $id } has expired
note-left = left; { $id } still waits
note-left-draft = left; { $id } still waits, with your draft
note-left-no-host = left; no host answers now, and { $id } waits there
note-person-cancelled = cancelled by the person
note-person-commented = cancelled by the person, who wrote: { $comment }
note-withdrawn = withdrawn: { $reason }
note-out-of-time = expired: nobody answered in time
note-browser-opened = opened in the browser; if nothing shows up: askwell open --print
note-browser-link = { $why }: open this link
note-browser-ssh = this is a connection over SSH
note-browser-no-desktop = there is no desktop here
note-browser-failed = no browser could be opened ({ $why })
note-browser-tunnel = on your own machine, run this first: { $command }
note-browser-once = it signs one browser in, once, within ten minutes
leave-stay = Go on answering
leave-cancel = Cancel all questions
leave-comment = Cancel with a comment
comment-title = Why do you cancel these questions? The asker reads your comment.
unsent-title = { $count ->
    [one] You wrote a text that would not be sent:
   *[other] You wrote texts that would not be sent:
}
unsent-without = Send without the text
unsent-with = Send my text too
unsent-instead = Send my text instead of the choice
unsent-mixed = Send my text: beside ticks, instead of a single choice
unsent-back = Back
skip-rest-title = { $count ->
    [one] Skip 1 open question?
   *[other] Skip { $count } open questions?
}
skip-rest-yes = Skip the rest
skip-rest-no = Back
offered-title = You began to answer this { $ago } ago. Restore what you entered?
offered-title-now = You began to answer this just now. Restore what you entered?
offered-restore = Restore the draft
offered-empty = Start empty (the draft is kept)
rejected-title = The answer was not accepted. Nothing is lost.
back = Back
resolved-answered = Answered elsewhere. { $kept }
resolved-cancelled = Cancelled elsewhere. { $kept }
resolved-aborted = Withdrawn by the asker. { $kept }
resolved-expired = Expired: nobody answered in time. { $kept }
resolved-kept = What you entered here is kept.
close = Close
more-not-shown = and { $count } more

# Review
review-title = Review before sending
review-open = not answered
summary-more = … and { $count } more
summary-cancelled = cancelled
summary-commented = cancelled: { $comment }
summary-aborted = withdrawn: { $reason }
summary-left = left; it still waits
summary-expired = expired
review-skipped = skipped
review-not-sent = not sent: { $text }

# The reader
reader-asker = Who asks (in its own words)
reader-name = Name
reader-session = Session
reader-cwd = Folder
reader-chain = Chain
reader-question = Question
reader-detail = Detail
reader-option = Highlighted option
reader-context = Context
reader-position = lines { $from }–{ $to } of { $total }

# Collapsed
collapsed = Folded away. z opens it again.

# Key hints in the footer
hint-choose-next = Enter choose, next
hint-choose-send = Enter choose, send
hint-instead-next = Enter choose this instead, next
hint-instead-send = Enter choose this instead, send
hint-next = Enter next
hint-send = Enter send
hint-choose = Space choose
hint-tick = Space tick
hint-move = ↑↓ move
hint-custom = c own text
hint-questions = Tab question
hint-skip = s skip
hint-unskip = s unskip
hint-all = a/n all/none
hint-filter = / filter
hint-more = o details
hint-preview = o details, preview
hint-scroll = PgDn scroll
hint-peek = J/K preview
hint-review = r review
hint-leave = Esc leave
hint-to-inbox = Esc inbox
hint-open = Enter open
hint-search = / search
hint-clear = x put away
hint-part = Tab ended
hint-quit = q leave
hint-load = Enter show more
hint-clear-filter = Esc clear filter
hint-help = ? help
hint-external = Ctrl-G editor
hint-newline = Alt-Enter new line
hint-to-list = ↑ Esc back to the list
hint-leave-field = Esc list
hint-leave-text = Esc, then s skip
hint-switch-text = Space text on/off
hint-filter-done = Enter keep filter
hint-filter-clear = Esc clear
hint-edit = e edit
hint-skip-rest = s skip the rest
hint-back = Esc back
hint-close = Esc close
hint-pick = ↑↓ Enter pick
hint-letter = a letter, or ↑↓ and Enter
hint-cancel-send = Enter cancel, send comment
hint-ctrl-c = Ctrl-C cancel
hint-ctrl-c-leave = Ctrl-C leave
hint-unfold = z unfold
hint-theirs = Ctrl-T take theirs
hint-own = Ctrl-T take yours back
hint-extend = Ctrl-X 10 more minutes
hint-approve = Enter approve, send
hint-decline = Enter decline, send
hint-custom-here = Space write a reply
hint-reply = c reply
hint-dismiss = x cancel
hint-as-question = v as a question
hint-as-plan = v as a plan

# Help
help-title = Keys
help-move = Up, Down, j, k: move. Home, End, g, G: first, last
help-choose = Space or 1–9: choose or tick, and stay
help-enter = Enter: go on; on a single choice it chooses the highlighted option first
help-custom = c, or Down from the last option: write your own answer
help-field = In a field every printable key is text. Enter goes on; Alt-Enter, Ctrl-J or Shift-Enter break the line
help-field-edit = Ctrl-A/E line start/end, Ctrl-W word, Ctrl-U/K to line start/end, Ctrl-Y put back, Ctrl-Z undo, Alt-Z redo
help-field-leave = Esc, or Up on the first line: back to the list. Space on the custom row switches kept text on or off
help-editor = Ctrl-G: write in your own editor (VISUAL, EDITOR)
help-redraw = Ctrl-L: draw everything anew
help-questions = Tab, Shift-Tab, Left, Right: other questions; drafts are kept
help-skip = s: skip and go on; on a skipped question: take it back
help-all = a, n: all, none (of what the filter shows). u: undo
help-filter = /: filter the options; they keep their numbers
help-scroll = PgDn, PgUp: scroll the detail. o: everything about the question
help-peek = J, K: scroll the preview of the highlighted option by a page; Shift-Down, Shift-Up by a line
help-mouse = Mouse, on the whole screen: click to choose or to place the caret, wheel to scroll. Shift-drag selects text
help-review = r: review all answers before sending
help-elsewhere = Ctrl-T: take what another screen entered here; once more, yours. What this screen shows is sent
help-extend = Ctrl-X: ten more minutes, where there is a deadline
help-plan = On a plan: a approve, d decline, c reply, x cancel, with a comment if you like; Enter sends. PgDn, PgUp, Home, End scroll it. v: as an ordinary question
help-collapse = z: fold the dialog away and back
help-leave = Esc: leave the field, then ask whether to cancel
help-to-inbox = Esc: leave the field, then back to the inbox, where it still waits. x: ask whether to cancel
help-inbox-move = Up, Down, j, k: move. PgUp, PgDn: by a page. Home, End, g, G: first, last
help-inbox-open = Enter: answer it; one that has ended is shown with what you had entered. After an answer the next one opens
help-inbox-part = Tab: to what has ended, and back
help-inbox-search = /: search by question, asker and folder. Enter searches all that has ended, too
help-inbox-clear = x: put away what nobody waits for any more; asks first where somebody waits or you have a draft. X: put away all that was withdrawn or has expired
help-inbox-leave = q, Ctrl-C: leave. Everything goes on waiting
help-cancel = Ctrl-C: cancel at once; the draft is kept
help-cancel-leave = Ctrl-C: leave at once; the questions stay, and the draft is kept

# Plain lines
looks-like = looks like option { $number }
plain-between = { ", " }
plain-labels-between = { "; " }
plain-colon = { ": " }
plain-asked-by = Asked by { $name }
plain-asked-in = Asked by { $name }, in { $folder }
plain-question = Question { $at } of { $total }
plain-question-only = Question
plain-more-lines = { $count } more lines; o shows them
plain-context = { $lines ->
    [one] Context: 1 line; o shows it
   *[other] Context: { $lines } lines; o shows them
}
plain-preview = Preview of option { $number }
plain-chosen = Chosen
plain-approved = You approve
plain-declined = You decline
plain-your-text = Your text
plain-kept = Kept, not sent
plain-skipped = Skipped.
plain-nothing = Nothing entered yet.
plain-comment = Your comment
plain-sent = Sent.
plain-cancelled = Cancelled.

plain-key-number = a number chooses
plain-key-numbers = numbers choose
plain-key-text = t writes
plain-verb-approve = approve
plain-verb-decline = decline
plain-verb-cancel = cancel
plain-verb-reply = reply
plain-key-reply = reply and a text
plain-key-skip = s skips
plain-key-unskip = s takes the skip back
plain-key-next = Enter goes on
plain-key-send = Enter sends
plain-key-skip-rest = s skips the rest
plain-key-open = a number opens a question
plain-key-help = ? helps
plain-enter-is = Enter is { $letter }

plain-write = Write your text, in as many lines as you like. A line with only a dot ends it.
plain-add = What you write now is added below it. A line with only a dot ends it.
plain-comment-how = A line with only a dot cancels the questions and sends the comment; with no comment it goes back.
plain-replaced = This replaces your earlier text; u brings it back.
plain-deleted = Your text is deleted; u brings it back.
plain-no-text = There is no text of yours here.
plain-first = This is the first question.
plain-theirs = Elsewhere (w takes that)
plain-own = Also kept of yours (w takes that)
plain-elsewhere = Question { $at } was changed elsewhere. Your text here is kept; w takes theirs.
plain-taken = Question { $at } was updated from elsewhere.
plain-unknown = Not understood: “{ $line }”. ? tells what can be typed.
plain-unknown-text = Not understood: “{ $line }”. To answer with a text, type t and then the text. ? tells what else can be typed.
plain-unknown-letter = Not understood: “{ $line }”. Type one of the letters.
plain-unknown-place = Not understood: “{ $line }”. The number of a question opens it. ? tells what else can be typed.
plain-no-option = There is no option { $number }: they go from 1 to { $count }. Nothing was changed.
plain-no-option-text = There is no option { $number }: they go from 1 to { $count }. Nothing was changed. To answer with that as text, type t { $number }.
plain-no-options = There are no options here. To answer with that as text, type t { $number }.
plain-not-utf8 = That line is not UTF-8 text. It was not taken.
plain-cut = A terminal passes on at most 4095 bytes of a line: the end of that one is lost. Write a long text in several lines.

plain-help-numbers = 2 or 1, 3 or 2-4: choose these options. -3 takes one back, where several may be chosen.
plain-help-text = t and a text: answer with the text, beside ticks or instead of a single choice.
plain-help-lines = t alone: write several lines, or add to your text. A line with only a dot ends it (for such a line itself type two dots).
plain-help-editor = e: write in your own editor (VISUAL, EDITOR).
plain-help-plan = On a plan: approve, decline, reply and a text, cancel. Nothing is sent before Enter. Numbers do the same.
plain-help-change = d: delete your text.
plain-help-kept = m: switch your text on or off as part of the answer; it is kept.
plain-help-enter = Enter alone: go on; after the last question: send. It says so before it sends.
plain-help-skip = s: skip the question, or take the skip back.
plain-help-move = b, f: one question back, forward. r: review all answers.
plain-help-all = a, n: choose all, none.
plain-help-again = l: the question once more. o: everything about it and who asks. o 2: option 2 whole.
plain-help-find = / and a word: only the options that hold it; they keep their numbers.
plain-help-undo = u: undo the last change of this question.
plain-help-theirs = w: take what another screen shows, or your own back.
plain-help-later = p: ten more minutes, where there is a deadline.
plain-help-leave = x: cancel the questions, with or without a comment; it asks first.
plain-help-quit = Ctrl-D: leave; what you entered is kept.

# The inbox in a terminal
inbox-arrived = New from { $name }: { $question }
inbox-ended = { $how }: { $question }
inbox-ended-before = Not cancelled, it had ended before: { $how }
inbox-put-aside = Cancelled; the asker is told.
inbox-cleared-all = Put away whatever was withdrawn or has expired.
inbox-nothing-to-clear = There is nothing to put away: nothing was withdrawn or has expired.
inbox-putting-aside = Cancelling…
inbox-not-put-aside = Not cancelled; it still waits, and your comment is kept: { $reason }
inbox-still-waits = It still waits.
inbox-still-waits-draft = It still waits, with your draft.
inbox-kept-here = Your draft is not on the host yet. It is kept here, and offered when you open the request again.
inbox-unsaved = What you entered could be saved neither on the host nor here.
inbox-how-to-leave = q leaves the inbox; everything goes on waiting.
inbox-opening = Opening…
inbox-loading = Reading what waits…
inbox-no-host = No host answers. This is how it was; it goes on by itself.
inbox-host-back = The host answers again.
inbox-many = { $count }+ waiting
inbox-away = { $count } whose asker is away
inbox-written-elsewhere = you are at it elsewhere
inbox-answering = answering: { $names }
inbox-new = new
inbox-fresh = { $count } new
inbox-others = { $count } more waiting
inbox-others-new = { $count } more waiting, { $fresh } new
inbox-confirm = Cancel for good? y yes, any other key no: { $question }
inbox-empty-what = When a program asks something, it appears here by itself. You can leave this open.
inbox-empty-try = To see what that looks like, type this in another terminal:
inbox-nothing-matches = Nothing matches “{ $filter }”. Esc shows everything.
inbox-status-filter = search: { $filter } · { $count } found

# The inbox by plain lines
plain-inbox-rest = { $count } more; m goes on.
plain-inbox-earlier = There are earlier ones; m goes on.
plain-inbox-no-more = That was all of the list.
plain-inbox-nothing-matches = Nothing that waits matches “{ $filter }”. e searches what has ended; / alone shows everything.
plain-inbox-none-ended = Nothing has ended.
plain-inbox-no-number = There is no number { $number } in the list. l lists what waits.
plain-inbox-has-ended = It has ended already; there is nothing to cancel.
plain-inbox-cleared = Put away.
plain-inbox-confirm = Cancel this for good? The asker is told
plain-inbox-not-aside = Not cancelled; it still waits.
plain-inbox-key-yes = y cancels it, anything else does not
plain-inbox-key-open = a number opens
plain-inbox-key-more = m goes on
plain-inbox-key-list = l lists what waits
plain-inbox-key-leave = q leaves
plain-inbox-help-open = 2: answer number 2; one that has ended is read out, with what you had entered. After an answer the next one opens.
plain-inbox-help-list = l: what waits, with numbers anew. e: what has ended.
plain-inbox-help-more = m: goes on with a long list.
plain-inbox-help-search = / and a word: search by question, asker and folder. / alone: everything.
plain-inbox-help-clear = x 2: cancel number 2; asks first where somebody waits or you have a draft. c: put away all that was withdrawn or has expired.
plain-inbox-help-new = What comes in while you read or write is told before the next prompt. Enter alone asks for it.
plain-inbox-help-leave = q, Ctrl-D, Ctrl-C: leave. Everything goes on waiting.
plain-help-to-inbox = q, Ctrl-D: back to the inbox; the questions go on waiting, and what you entered is kept.

# Pages: signing in
page-sign-in-title = Sign in
page-sign-in-as = This browser will answer as { $name }.
page-sign-in-here = This browser will see and answer what programs ask.
page-sign-in-button = Sign in
page-sign-in-once = The link works once: { $left }
page-sign-in-failed = The host can't write to its disk just now. The link still works: try again in a moment.
page-needed-title = You are not signed in
page-needed = These pages are for whoever answers here. A command on the machine where askwell runs makes a link that signs a browser in.
page-command-devices = List the devices that are signed in
page-command-here = Open the inbox in the browser of that machine
page-command-print = Print the link, for another browser
page-command-phone = Show a code for the camera of a phone
page-code-used-title = This link was used already
page-code-used = A link signs one browser in, once. If that one was not yours, find it among the devices and sign it out.
page-code-unknown-title = This link does not work
page-code-unknown = Links work for ten minutes, until the host is restarted, and only whole. Nobody was signed in.
page-code-new = Make a new one:
page-tries-title = Too many tries
page-tries = Too many links that do not work were tried from there. Wait a few seconds, and try yours again.

# Pages: devices
page-devices-here = These browsers are signed in. Each stays so for a year, or until it is signed out.
page-devices-of = These browsers are signed in and answer as { $name }. Each stays so for a year, or until it is signed out.
page-device-own = this one
page-device-signed-in = signed in { $time }
page-device-used = last used { $time }
page-device-used-now = used within the hour
page-device-sign-out = Sign out
page-device-sign-out-name = Sign out { $name }
page-sign-out-everywhere = Sign out everywhere…
page-sign-out-everywhere-title = { $count ->
    [one] Sign out on 1 device?
   *[other] Sign out on { $count } devices?
}
page-sign-out-everywhere-what = This browser is one of them. Drafts and requests stay; new links sign devices in again.
page-sign-out-everywhere-yes = Sign out everywhere
page-signed-out-on = { $count ->
    [one] Signed out on this device.
   *[other] Signed out on { $count } devices.
}
page-form-foreign = Nothing was changed: the page was from before another sign-in. It is up to date now, so try again.

# Pages: the strip and its parts
page-to-main = Skip to the content
page-waiting = { $count } waiting
page-devices = Devices
page-inbox = Inbox
page-to-inbox = To the inbox

# Pages: times
page-time-now = just now
page-time-ago = { $time } ago
page-time-left = { $time } left
page-time-seconds = { $count } s
page-time-minutes = { $count } min
page-time-hours = { $count } h
page-time-days = { $count } d

# Pages: the inbox
page-who = { $name } ({ $verified })
page-local-program = a local program
page-questions = { $count } questions
page-plan-review = plan review
page-away-for = asker away, { $time }
page-away = asker away
page-waits-now = waiting now
page-away-list = Asker away
page-begun = draft begun
page-more = Show more
page-earlier = Earlier
page-all-earlier = All earlier requests
page-search = Search
page-search-in = Search questions and answers
page-nothing-found = Nothing found.
page-empty = Nothing waits for you
page-empty-what = When a program asks something, it appears here by itself. You can leave this page open.
page-empty-reload = When a program asks something, it is here once you load this page again.
page-empty-try = To see what that looks like, type this in a terminal:

# Pages: a request
page-card = Questions for you
page-verified = In quotes: what the asker calls itself. The other name is that of its credential, verified by askwell
page-in-folder = in { $folder }
page-session = session { $session }
page-asked = asked { $time }
page-words-go-to = your words go to { $name }
page-words-go-here = your words go to a local program
page-extend = +10 min
page-extend-what = Put the deadline off by ten minutes
page-extended = The deadline was put off by ten minutes.
page-dismiss = { $count ->
    [one] Cancel this question
   *[other] Cancel all questions
}
page-context = { $lines ->
    [one] Context: 1 line
   *[other] Context: { $lines } lines
}
page-hint-text = Write your answer.
page-hint-single = Choose one, or write your own.
page-hint-single-only = Choose one.
page-hint-multi = Choose any, and add your own.
page-hint-multi-only = Choose any.
page-your-answer = Your answer
page-own-answer = Your own answer
page-recommended = Recommended
page-preview = Preview:
page-kept = Your text is kept, and not sent.
page-kept-skipped = Skipped: what you entered is kept, and not sent.
page-kept-elsewhere = { $count ->
    [one] 1 text of yours from another screen is kept
   *[other] { $count } texts of yours from another screen are kept
}
page-kept-text = Kept text
page-skip = Skip this question
page-previous = Previous question
page-next = Next question
page-save = Save draft
page-saved = Draft saved.
page-send = Send
page-review = Review and send
page-edit = Change
page-chosen = Chosen:
page-not-sent = Kept, not sent:
page-errors = Not sent yet. Nothing is lost.
page-skip-rest = Skip the rest…
page-unfinished = Answer this question, or skip it.
page-unfinished-reply = Write a reply first.
page-too-long = This text is too long: at most { $max } bytes.
page-too-much = Not saved: the texts are too long together, at most { $max } bytes. Everything is still here.
page-rejected = This can't be sent as it is.
page-elsewhere = Something was entered on another screen meanwhile. Look at it, and send again.
page-not-saved = The host can't write to its disk just now. Nothing is lost: everything is still here. Try again in a moment.
page-offer = You began to answer this before: { $time }
page-dismiss-title = Cancel without an answer?
page-dismiss-comment = Say why, if you like. The asker reads it.
page-dismiss-yes = Yes, cancel

# Pages: a plan
page-approve = Approve
page-decline = Decline
page-reply = Send reply
page-plan-reply = Reply in your own words, in place of a decision
page-plan-placeholder = What should be different?
page-plan-keys = Enter sends the reply · Shift+Enter for a new line
page-as-question = Answer as an ordinary question
page-as-plan = Show as a plan

# Pages: a request that has ended
page-pending = Waiting
page-answered = Answered
page-cancelled = Cancelled
page-aborted = Withdrawn
page-expired = Expired, nobody answered in time
page-by = by { $name }
page-in-terminal = in a terminal
page-in-browser = in a browser
page-in-client = in an MCP client
page-by-rule = by a rule
page-by-program = by a program
page-picked-up = the asker has it
page-not-picked-up = not picked up yet
page-reason = Reason
page-comment = Comment
page-skipped = Skipped
page-detail = Detail
page-entered = You had entered, and it was not sent
page-typed = This came too late. What you entered is here, to be copied
page-typed-unsaved = What you entered, to be copied
page-late = Came too late
page-sent = Sent to { $name }.
page-dismissed = Cancelled, and { $name } is told.
page-show-it = Show it

# Pages: what failed
page-not-found-title = Not here
page-nothing-here = There is nothing at this address. It may not be whole.
page-not-found = There is no request at this address. It may have been removed, or the address is not whole.
page-forbidden-title = Not from here
page-forbidden = This browser or this page may not do that. Nothing was changed.
page-busy-title = Too much at once
page-busy = Wait a second, and try again.
page-unavailable-title = The host can't do that just now
page-unavailable = Nothing is lost. Try again in a moment.
page-bad-title = That did not work
page-bad = The host could not read what was sent. Nothing was changed.
page-failed-title = Something failed
page-failed = The host's log tells what. Nothing that was accepted is lost.
page-signed-out-title = You are signed out
page-signed-out = What you sent was not taken. Sign in again with a new link (askwell open), then send it once more.

# Pages: what scripts say
page-js-next = Next
page-js-review = Review
page-js-sending = Sending…
page-js-skip = Skip
page-js-unskip = Don’t skip
page-js-saved = Draft saved
page-js-waits = Not saved yet; it is kept in this browser
page-js-signed-out = You are signed out. What you entered is kept in this browser: sign in here with a new link (askwell open) to go on.
page-js-too-long = This text is too long to be sent. It is kept here.
page-js-elsewhere = Updated from another screen
page-js-other = Another screen wrote something else here.
page-js-take-other = Show that
page-js-insert = Put into the field
page-js-open = Still open: { $places }. Answer or skip each before sending.
page-js-collapse = Fold away
page-js-expand = Unfold
page-js-ended = This request has ended. What you entered here stays, to be copied.
page-js-typed-here = You had typed here, and it was not sent
page-js-copy = Copy
page-js-copied = Copied.
page-js-auto-next = Go on after a choice
page-js-notify = Notify me
page-js-notify-on = Notifications are on.
page-js-notify-off = Notifications are off.
page-js-notify-denied = The browser shows no notifications of this page. Allow them in its settings for this site, then load the page again.
page-js-notify-title = { $name } asks
page-js-new = New question: { $question }
page-js-host-away = The host can’t be reached. What you enter is kept in this browser, and saved when it is back. Nothing is sent until you send it.
page-js-try-again = Try again
page-js-send-failed = Not sent: the host can’t be reached. Everything is kept here; send it again in a moment.
page-js-send-again = The host is back, and nothing was sent yet: send it now.
page-js-not-saved = Not saved: the host can’t take this answer as it stands. It is kept in this browser.
page-js-keep-open = Not saved yet. Keep this page open.
page-js-gone = The host no longer knows this request. What you entered here stays, to be copied.
page-js-show-all = Show all of it
page-js-show-less = Show less
page-js-filter = Filter { $count } options
page-js-filter-hides = · chosen and hidden: { $count }
page-js-help = Keys
page-js-help-digits = Choose or tick an option, and stay
page-js-help-arrows = From option to option, and to your own text; where one answer counts, the option that is reached is chosen
page-js-help-enter = Go on; an option that is not chosen yet is chosen first
page-js-help-newline = A new line in your text
page-js-help-custom = Write your own answer
page-js-help-all = Tick all, or none
page-js-help-skip = Skip the question, or take that back
page-js-help-filter = Filter a long list of options; they keep their numbers
page-js-help-questions = The question before, the question after (not while the focus is on an option)
page-js-help-collapse = Fold the card away, and back
page-js-help-escape = Leave the field; nothing is lost
page-js-help-single = Keys of one letter or digit

# Notices: what is told where nobody watches
notice-one = { $asker } asks
notice-one-line = { $count ->
    [one] A question waits for you.
   *[other] { $count } questions wait for you.
}
notice-many = { $count } requests wait for you
notice-many-line = From: { $asker }
notice-test = A test of askwell’s notices
notice-test-line = Notices arrive here.

# Forms in the clients of agents
form-hint = A field left empty skips its question.
form-custom = In your own words
form-custom-beside = Sent beside what you choose
form-custom-instead = Sent in place of a choice
form-empty = Everything was left empty. Send it once more to skip it all.
form-again = Not sent yet: { $faults }
form-page = The questions are on a page of your inbox.

# A form of an MCP server, asked as questions: what it asks of a value.
form-yes = Yes
form-no = No
form-needed = An answer is needed.
form-default = The server suggests: { $value }
form-not-taken = The answer that was given did not fit.
form-length = { $from } to { $to } characters.
form-length-from = At least { $from } characters.
form-length-to = At most { $to } characters.
form-count = { $from } to { $to } of them.
form-count-from = At least { $from }.
form-count-to = At most { $to }.
form-whole = A whole number from { $from } to { $to }.
form-whole-from = A whole number from { $from }.
form-whole-to = A whole number up to { $to }.
form-whole-any = A whole number.
form-number = A number from { $from } to { $to }.
form-number-from = A number from { $from }.
form-number-to = A number up to { $to }.
form-number-any = A number.
form-email = An email address.
form-uri = A whole address, such as https://example.com.
form-date = A date, such as 2027-01-31.
form-date-time = A date and time, such as 2027-01-31T15:00:00Z.

# The demo
demo-host = 1. A host starts on a folder that is thrown away: nothing here touches your own inbox.
demo-agent = 2. An agent starts “askwell mcp” and finds its tools: { $tools }
demo-link = In a browser, signed in by this link, once:
demo-opened = The browser opens. For another one this link signs in, once:
demo-tunnel = From your own machine, run this first: { $command }
demo-waits = Answer in the browser; this waits. Ctrl-C ends the demo.
demo-left = You left it, and it still waits with your draft. Enter: here again. Ctrl-C ends the demo.
demo-got = { $step }. The agent gets:
demo-ended = The demo is over, and nothing of it is kept.
demo-next = That was all; nothing of it is kept. For your own agent: askwell connect claude-code (or codex, gemini, opencode, vscode, cursor). In a script: askwell ask --help
