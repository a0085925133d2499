-- Version 1. Times are Unix milliseconds, ids the 16 bytes of a UUID, texts of askers and persons
-- bytes (they may hold U+0000). Child tables carry no text that a change of state would rewrite.

CREATE TABLE store (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  epoch INTEGER NOT NULL,
  label TEXT NOT NULL
) STRICT;

CREATE TABLE credential (
  seq INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  token BLOB NOT NULL UNIQUE,
  role TEXT NOT NULL,
  name TEXT NOT NULL,
  person TEXT,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  -- of a browser that signed in
  used_at INTEGER
) STRICT;

CREATE TABLE request (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id BLOB NOT NULL UNIQUE,
  credential INTEGER NOT NULL REFERENCES credential (seq),
  -- 0 pending, 1 answered, 2 cancelled, 3 aborted, 4 expired
  state INTEGER NOT NULL DEFAULT 0,
  -- 1 while it is pending, or was ended by a person and not picked up
  open INTEGER NOT NULL DEFAULT 1,
  event INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  deadline_at INTEGER,
  attached INTEGER NOT NULL,
  away_since INTEGER,
  draft_writes INTEGER NOT NULL DEFAULT 0,
  draft_edited_at INTEGER,
  -- the number of the event that ended it: the key of its outcome
  ended INTEGER,
  picked_up_at INTEGER,
  summary BLOB NOT NULL
) STRICT;

-- Small for ever: only what is open is in them.
CREATE INDEX request_pending ON request (seq) WHERE state = 0;
CREATE INDEX request_open ON request (credential, seq) WHERE open = 1;

CREATE TABLE request_text (
  request INTEGER PRIMARY KEY,
  text BLOB NOT NULL,
  session BLOB,
  questions BLOB NOT NULL,
  -- SHA-256 hashes, 32 bytes each
  matches BLOB NOT NULL,
  explicit_key BLOB,
  derived_key BLOB,
  -- the request whose draft is offered because of a key
  draft_of INTEGER
) STRICT;

CREATE TABLE outcome (
  event INTEGER PRIMARY KEY,
  request INTEGER NOT NULL,
  at INTEGER NOT NULL,
  provider TEXT,
  by TEXT,
  outcome BLOB NOT NULL
) STRICT;

CREATE TABLE late (
  seq INTEGER PRIMARY KEY,
  request INTEGER NOT NULL,
  at INTEGER NOT NULL,
  provider TEXT NOT NULL,
  by TEXT NOT NULL,
  response BLOB NOT NULL
) STRICT;
CREATE INDEX late_request ON late (request);

CREATE TABLE draft (
  request INTEGER NOT NULL,
  person TEXT NOT NULL,
  revision INTEGER NOT NULL,
  edited_at INTEGER NOT NULL,
  PRIMARY KEY (request, person)
) STRICT, WITHOUT ROWID;

CREATE TABLE draft_entry (
  seq INTEGER PRIMARY KEY,
  request INTEGER NOT NULL,
  person TEXT NOT NULL,
  question BLOB NOT NULL,
  revision INTEGER NOT NULL,
  -- 1 after a write on an old base was refused, until the next write
  contested INTEGER NOT NULL,
  state BLOB NOT NULL,
  UNIQUE (request, person, question)
) STRICT;

CREATE TABLE draft_kept (
  seq INTEGER PRIMARY KEY,
  request INTEGER NOT NULL,
  person TEXT NOT NULL,
  question BLOB NOT NULL,
  at INTEGER NOT NULL,
  text BLOB NOT NULL
) STRICT;
CREATE INDEX draft_kept_request ON draft_kept (request, person, question);

-- The newest draft of a request that ended without an answer, by what makes two requests the same.
CREATE TABLE offer (
  match BLOB NOT NULL,
  person TEXT NOT NULL,
  request INTEGER NOT NULL,
  PRIMARY KEY (match, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX offer_request ON offer (request);

CREATE TABLE explicit_key (
  credential INTEGER NOT NULL,
  key BLOB NOT NULL,
  request INTEGER NOT NULL,
  PRIMARY KEY (credential, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE derived_key (
  credential INTEGER NOT NULL,
  key BLOB NOT NULL,
  request INTEGER NOT NULL,
  PRIMARY KEY (credential, key, request)
) STRICT, WITHOUT ROWID;

-- kind: 0 requested, 1 resolved
CREATE TABLE event (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  kind INTEGER NOT NULL,
  request INTEGER NOT NULL
) STRICT;
