CREATE TABLE IF NOT EXISTS chain (
  one      INTEGER PRIMARY KEY CHECK (one = 1),
  chain_id INTEGER NOT NULL,
  genesis  BLOB NOT NULL
) STRICT;

-- What each channel owes. The chain knows the rest.
CREATE TABLE IF NOT EXISTS channels (
  id      BLOB PRIMARY KEY,
  voucher TEXT NOT NULL,  -- JSON: the newest payload, with the channel's terms and a signed ceiling
  charged TEXT NOT NULL   -- token units since the channel's start, decimal; at most the ceiling
) STRICT, WITHOUT ROWID;

-- Deposits that something was charged on, to be made again if a reorg removes them.
CREATE TABLE IF NOT EXISTS deposits (
  channel BLOB NOT NULL REFERENCES channels (id),
  payment TEXT NOT NULL,  -- JSON, with a signature
  price   TEXT NOT NULL,  -- JSON: the requirements it was made for
  expires INTEGER NOT NULL, -- Unix seconds; the signature is worthless from then on
  PRIMARY KEY (channel, payment)
) STRICT, WITHOUT ROWID;

-- Settlements that were sent and have no outcome yet.
CREATE TABLE IF NOT EXISTS pending (
  key   BLOB PRIMARY KEY,  -- of what the transaction does
  raw   BLOB NOT NULL,     -- the signed transaction
  until INTEGER NOT NULL   -- Unix seconds; it is forgotten from then on
) STRICT, WITHOUT ROWID;
