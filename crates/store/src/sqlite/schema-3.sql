-- Version 3: who is elsewhere, and wants what is asked in the inbox.
CREATE TABLE elsewhere (
  person TEXT PRIMARY KEY,
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
