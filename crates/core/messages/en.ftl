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
draft-unsaved = draft not saved: { $reason }
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
field-full = The field is full: it holds at most { $limit } bytes.
comment-blank = Write a comment, or press Esc to go back.
restored = Draft restored.
started-empty = Started empty. The earlier draft is kept.
elsewhere = This question was changed elsewhere; your text here is kept.
taken-elsewhere = Updated from elsewhere.

# Prompts
leave-title = Leave these questions?
leave-draft = What you entered is kept as a draft.
# After the dialog, on standard error
note-draft-kept = what was entered is kept for { $days } days; ask the same again from here to get it back
note-text-kept = the text that was not sent is kept for { $days } days; ask the same again from here to get it back
leave-stay = Go on answering
leave-cancel = Cancel all questions
leave-comment = Cancel with a comment
comment-title = Why do you put these questions aside? The asker reads your comment.
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
resolved-answered = Answered elsewhere. What you entered here is kept.
resolved-cancelled = Cancelled elsewhere. What you entered here is kept.
resolved-aborted = Withdrawn by the asker. What you entered here is kept.
resolved-expired = Expired: nobody answered in time. What you entered here is kept.
close = Close
more-not-shown = and { $count } more

# Review
review-title = Review before sending
review-open = not answered
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
hint-review = r review
hint-leave = Esc leave
hint-clear-filter = Esc clear filter
hint-help = ? help
hint-newline = Alt-Enter new line
hint-to-list = ↑ Esc back to the list
hint-leave-field = Esc list
hint-leave-text = Esc s skip
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

# Help
help-title = Keys
help-move = Up, Down, j, k: move. Home, End, g, G: first, last
help-choose = Space or 1–9: choose or tick, and stay
help-enter = Enter: go on; on a single choice it chooses the highlighted option first
help-custom = c, or Down from the last option: write your own answer
help-field = In a field every printable key is text. Enter goes on; Alt-Enter, Ctrl-J or Shift-Enter break the line
help-field-edit = Ctrl-A/E line start/end, Ctrl-W word, Ctrl-U/K to line start/end, Ctrl-Y put back, Ctrl-Z undo, Alt-Z redo
help-field-leave = Esc, or Up on the first line: back to the list. Space on the custom row switches kept text on or off
help-questions = Tab, Shift-Tab, Left, Right: other questions; drafts are kept
help-skip = s: skip and go on; on a skipped question: take it back
help-all = a, n: all, none (of what the filter shows). u: undo
help-filter = /: filter the options; they keep their numbers
help-scroll = PgDn, PgUp: scroll the detail. o: everything about the question
help-review = r: review all answers before sending
help-collapse = z: fold the dialog away and back
help-leave = Esc: leave the field, then ask whether to cancel
help-cancel = Ctrl-C: cancel at once; the draft is kept
help-cancel-leave = Ctrl-C: leave at once; the questions stay, and the draft is kept
