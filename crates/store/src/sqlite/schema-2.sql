-- Version 2. How far into the event log somebody has come who goes on there after a restart, such as
-- what tells of requests outside: nothing is told twice.
CREATE TABLE bookmark (
  name TEXT PRIMARY KEY,
  event INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
