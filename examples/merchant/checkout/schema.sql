CREATE TABLE IF NOT EXISTS shop (
  one      INTEGER PRIMARY KEY CHECK (one = 1),
  chain_id INTEGER NOT NULL,
  genesis  BLOB NOT NULL,
  token    BLOB NOT NULL,
  merchant BLOB NOT NULL
) STRICT;

-- The terms of an order, and what the chain was last seen to say of them.
CREATE TABLE IF NOT EXISTS orders (
  id           TEXT PRIMARY KEY,
  version      INTEGER NOT NULL DEFAULT 1,
  path         TEXT NOT NULL,
  payer        BLOB NOT NULL,
  value        TEXT NOT NULL,     -- token units, decimal; variable: the ceiling; subscription: of each period
  valid_after  INTEGER NOT NULL,  -- Unix seconds
  valid_before INTEGER NOT NULL,  -- Unix seconds
  nonce        BLOB NOT NULL,
  owner        BLOB NOT NULL,     -- subscription: who signs for the payer, a smart account
  period       INTEGER NOT NULL,  -- subscription: seconds
  price        TEXT NOT NULL,     -- requests: of each, token units in decimal
  vouched      TEXT NOT NULL,     -- requests: what the payer signed for so far
  permit_nonce INTEGER NOT NULL,  -- variable: of the payer's permit
  from_block   INTEGER NOT NULL,
  voided       INTEGER NOT NULL DEFAULT 0,
  outcome      TEXT,              -- NULL: nonce unused
  outcome_tx   BLOB,
  block_number INTEGER,
  block_hash   BLOB,              -- zero: pre-confirmed
  expired      INTEGER NOT NULL DEFAULT 0,
  final        INTEGER NOT NULL DEFAULT 0,
  UNIQUE (payer, nonce)
) STRICT;

CREATE INDEX IF NOT EXISTS open_orders ON orders (id) WHERE NOT final;

-- Signatures are credentials: nothing but a capture reads them. Empty: voided.
CREATE TABLE IF NOT EXISTS authorizations (
  payer     BLOB NOT NULL,
  nonce     BLOB NOT NULL,
  order_id  TEXT NOT NULL UNIQUE REFERENCES orders (id),
  signature BLOB NOT NULL,
  PRIMARY KEY (payer, nonce)      -- the replay key
) STRICT, WITHOUT ROWID;

-- Transactions, each recorded here before it is sent. Two never share an account nonce.
CREATE TABLE IF NOT EXISTS outbox (
  account_nonce INTEGER PRIMARY KEY,
  order_id      TEXT NOT NULL REFERENCES orders (id),
  kind          TEXT NOT NULL,
  part          INTEGER NOT NULL, -- of a capture: which
  amount        TEXT NOT NULL,    -- of a capture: token units, decimal
  hash          BLOB NOT NULL UNIQUE,
  raw           BLOB NOT NULL,    -- holds a signature; empty once final
  state         TEXT NOT NULL DEFAULT 'recorded',
  attempts      INTEGER NOT NULL DEFAULT 0,
  refusals      INTEGER NOT NULL DEFAULT 0, -- in a row
  block_number  INTEGER NOT NULL DEFAULT 0, -- that holds it
  block_hash    BLOB NOT NULL DEFAULT (zeroblob(32)),
  reason        TEXT NOT NULL DEFAULT '',
  final         INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX IF NOT EXISTS outbox_orders ON outbox (order_id);
CREATE INDEX IF NOT EXISTS open_outbox ON outbox (account_nonce) WHERE NOT final;
