-- What the index is about, and the block that opening balances are of.
CREATE TABLE IF NOT EXISTS origin (
  one      INTEGER PRIMARY KEY CHECK (one = 1),
  chain_id INTEGER NOT NULL,
  token    BLOB NOT NULL,
  number   INTEGER NOT NULL,
  hash     BLOB NOT NULL,
  version  INTEGER NOT NULL DEFAULT 1
) STRICT;

-- The chain as it is indexed, the start block first.
CREATE TABLE IF NOT EXISTS blocks (
  number INTEGER PRIMARY KEY,
  hash   BLOB NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS transfers (
  block_number INTEGER NOT NULL,
  log_index    INTEGER NOT NULL,
  block_hash   BLOB,              -- NULL: pre-confirmed
  tx_hash      BLOB NOT NULL,
  sender       BLOB NOT NULL,
  recipient    BLOB NOT NULL,
  value        TEXT NOT NULL,     -- token units, decimal
  memo         TEXT NOT NULL,     -- in hex; empty: none
  UNIQUE (block_hash, log_index)
) STRICT;

CREATE INDEX IF NOT EXISTS transfers_by_block ON transfers (block_number, log_index);
CREATE INDEX IF NOT EXISTS transfers_by_sender ON transfers (sender, block_number, log_index);
CREATE INDEX IF NOT EXISTS transfers_by_recipient ON transfers (recipient, block_number, log_index);

-- Opening balance and sealed transfers, of every account that a transfer ever touched.
CREATE TABLE IF NOT EXISTS accounts (
  address BLOB PRIMARY KEY,
  balance TEXT NOT NULL           -- token units, decimal
) STRICT, WITHOUT ROWID;
